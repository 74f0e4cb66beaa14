"""Signing up, in and out; playing as a guest."""

from django.contrib import auth, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts import services
from accounts.forms import SignIn, SignUp
from accounts.mails import addresses
from accounts.models import User
from accounts.people.entry import as_guest, enter
from accounts.people.look import dress, remembered
from accounts.people.passwords import TooBusy
from accounts.services import NameTaken, SignedUp
from accounts.views.next import next_page
from accounts.web import throttle


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated and not request.user.guest:
        return redirect(next_page(request, "/play"))
    form = SignUp(request.POST or None)
    if form.is_valid():
        guest = request.user if request.user.is_authenticated else None
        if guest:
            throttle.count("passwords", guest.folded)
        else:
            throttle.count("newcomers", throttle.address(request))
        name, password, email = (form.cleaned_data[field] for field in ("username", "new_password", "email"))
        try:
            user = services.sign_up(name, password, email, guest)
        except NameTaken:
            form.add_error("username", form.taken)
        except SignedUp:
            messages.info(request, _("You’ve just signed up on another page. Sign in with that name."))
            return redirect("sign_in")
        except TooBusy:
            if not guest:
                throttle.give_back("newcomers", throttle.address(request))
            raise
        else:
            services.change_look(user, **remembered(request))
            enter(request, user)
            kept = guest is not None and guest.archive.exists()
            greeting = (
                _("Welcome, %(name)s! Your guest games are saved to your account.") if kept else _("Welcome, %(name)s!")
            )
            messages.success(request, greeting % {"name": user.username})
            if user.new_email:
                confirm_later(request, user)
            return redirect(next_page(request, "/play"))
    return render(request, "accounts/sign_up.html", {"form": form}, status=422 if form.errors else 200)


def confirm_later(request: HttpRequest, user: User) -> None:
    """Send the link to the address of a new account, if its network may have one more mail."""
    try:
        throttle.count("mails", throttle.address(request))
    except throttle.TooMany:
        messages.warning(request, _("We couldn’t send the mail yet. Try again in the settings."))
    else:
        addresses.ask(user, throttle.address(request), timezone.now())
        messages.info(request, _("Check your inbox, and follow the link to confirm your address."))


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated and not request.user.guest:
        return redirect(next_page(request, "/play"))
    form = SignIn(request, request.POST or None)
    if form.is_valid() and form.user:
        throttle.count("entries", form.user.folded)
        enter(request, form.user)
        otherwise = "/account" if form.user.closing_at else "/play"
        return dress(redirect(next_page(request, otherwise)), form.user)
    return render(request, "accounts/sign_in.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    auth.logout(request)
    return redirect("home")


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Makes a guest of a visitor who is not signed in."""
    then = next_page(request, "/play")
    as_guest(request)
    return redirect(then)
