"""The settings of one's own account. Each form has its own address; a wrong one comes back in the page."""

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from accounts import services
from accounts.forms import ChangeEmail, ChangePassword, CloseAccount, Dates, Form, Look, Self
from accounts.mails import addresses
from accounts.notices import notices
from accounts.people import avatar, calendar, sessions
from accounts.people.look import dress
from accounts.web import datetimes, throttle
from accounts.web.guards import sign_in_first
from accounts.web.requests import UserRequest, ViewFunction


def own_account(view: Callable[[UserRequest], HttpResponse]) -> ViewFunction:
    """Admits posts by registered users; guests and visitors are sent to sign in or up."""

    @never_cache
    @sensitive_post_parameters()
    @require_POST
    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        return sign_in_first(request, "/account") or view(cast(UserRequest, request))

    return guarded


def render_settings(request: UserRequest, **wrong: Form) -> HttpResponse:
    """The page of settings, with a rejected form in place of a fresh one."""
    user = request.user
    worn = avatar.read(user.avatar, user.username)
    forms: dict[str, Form] = {
        "look": Look(initial={"theme": user.theme, "language": user.language}),
        "dates": Dates(initial={"zone": user.zone, "dates": user.dates, "clock": user.clock}),
        "self": Self(initial={"about": user.about, "unseen": user.unseen, **worn._asdict()}),
        "email": ChangeEmail(request, initial={"email": user.new_email or user.email}),
        "password": ChangePassword(request),
        "close": CloseAccount(request),
    }
    shown = {**forms, **wrong}
    context = {
        **shown,
        "worn": worn,
        "picked": [shown["self"][part] for part in worn._fields],
        "now": timezone.now(),
        "topics": notices.topics(user),
        "calendar": calendar.address(user),
        "sessions": sessions.signed_in(user, request.session),
    }
    return render(request, "accounts/account.html", context, status=422 if wrong else 200)


@never_cache
@require_safe
@login_required
def account(request: UserRequest) -> HttpResponse:
    return render_settings(request)


@require_POST
def look(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login("/account")
    form = Look(request.POST)
    if not form.is_valid():
        return render_settings(cast(UserRequest, request), look=form)
    services.change_look(request.user, **form.cleaned_data)
    with translation.override(request.user.language or translation.get_language()):
        messages.success(request, _("Saved."))
    return dress(redirect("account"), request.user)


@require_POST
def dates(request: HttpRequest) -> HttpResponse:
    """Changes how days and times are written; for guests too."""
    if not request.user.is_authenticated:
        return redirect_to_login("/account")
    form = Dates(request.POST)
    if not form.is_valid():
        return render_settings(cast(UserRequest, request), dates=form)
    services.change_dates(request.user, **form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect("account")


@own_account
def change_self(request: UserRequest) -> HttpResponse:
    """Changes what others see of one."""
    form = Self(request.POST)
    if not form.is_valid():
        return render_settings(request, self=form)
    services.change_self(request.user, form.worn(), form.cleaned_data["about"], form.cleaned_data["unseen"])
    messages.success(request, _("Saved."))
    return redirect("account")


@own_account
def email(request: UserRequest) -> HttpResponse:
    form = ChangeEmail(request, request.POST)
    if not form.is_valid():
        return render_settings(request, email=form)
    user, wanted = request.user, form.cleaned_data["email"]
    if wanted and wanted != user.email:
        count_links(request)
    services.change_email(user, wanted)
    if user.new_email:
        addresses.ask(user, throttle.address(request), timezone.now())
        messages.success(request, _("Check your inbox, and follow the link to confirm your new address."))
    else:
        messages.success(request, _("Your address stays as it is.") if user.email else _("Your address is removed."))
    return redirect("account")


def count_links(request: UserRequest) -> None:
    """Count a mail that asks whether an address is right. Raises throttle.TooMany."""
    throttle.count("links", request.user.pk)
    throttle.count("mails", throttle.address(request))


@own_account
def email_again(request: UserRequest) -> HttpResponse:
    """Sends the link to the address that waits once more."""
    if request.user.new_email:
        count_links(request)
        addresses.ask(request.user, throttle.address(request), timezone.now())
        messages.success(request, _("The mail is on its way."))
    return redirect("account")


@own_account
def email_forget(request: UserRequest) -> HttpResponse:
    """Drops the address that waits."""
    services.forget_new_email(request.user)
    messages.success(request, _("That address has been removed."))
    return redirect("account")


@own_account
def told(request: UserRequest) -> HttpResponse:
    """Notices, here and by mail: whatever is not ticked is switched off."""
    user, ticked = request.user, set(request.POST.getlist("told"))
    silenced = {name for topic in notices.TOPICS for name in (topic, f"{topic}:mail") if name not in ticked}
    if not user.email:  # the mails could not be chosen
        silenced = {name for name in silenced if not name.endswith(":mail")} | set(user.silenced) - set(notices.TOPICS)
    notices.choose(user, silenced, timezone.now())
    messages.success(request, _("Saved."))
    return redirect("account")


@own_account
def calendar_address(request: UserRequest) -> HttpResponse:
    """Makes a new address for one's calendar, or removes it."""
    if request.POST.get("do") == "none":
        calendar.remove(request.user)
        messages.success(request, _("Your calendar no longer has an address."))
    else:
        calendar.renew(request.user)
        messages.success(request, _("Your calendar has a new address."))
    return redirect(f"{reverse('account')}#calendar")


@own_account
def password(request: UserRequest) -> HttpResponse:
    form = ChangePassword(request, request.POST)
    if not form.is_valid():
        return render_settings(request, password=form)
    services.change_password(request.user, form.cleaned_data["new_password"], request.session)
    update_session_auth_hash(request, request.user)
    messages.success(request, _("Password changed. All other browsers are signed out."))
    return redirect("account")


@own_account
def end_sessions(request: UserRequest) -> HttpResponse:
    """Signs out the browsers that were chosen, or all but this one."""
    chosen = request.POST.getlist("session") or None
    sessions.end(request.user, chosen, but=request.session.session_key)
    messages.success(request, _("That browser is signed out.") if chosen else _("All other browsers are signed out."))
    return redirect("account")


@own_account
def close(request: UserRequest) -> HttpResponse:
    form = CloseAccount(request, request.POST)
    if not form.is_valid():
        return render_settings(request, close=form)
    day = datetimes.day(services.close(request.user))
    request.session.flush()
    messages.info(request, _("Your account will be closed on %(day)s. To keep it, sign in before then.") % {"day": day})
    return redirect("home")


@own_account
def keep(request: UserRequest) -> HttpResponse:
    if services.keep(request.user):
        messages.success(request, _("Your account will stay open."))
    return redirect("account")
