"""A new password for people who forgot theirs, by a link in a mail."""

from django.contrib import messages
from django.contrib.auth.tokens import default_token_generator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import services
from accounts.forms import ForgotPassword, ResetPassword
from accounts.mails import addresses
from accounts.people import browsers
from accounts.web import throttle


@require_http_methods(["GET", "POST"])
def forgot(request: HttpRequest) -> HttpResponse:
    """Asks for the address; the answer is the same whether or not an account has it."""
    form = ForgotPassword(request.POST or None)
    if form.is_valid():
        throttle.count("mails", throttle.address(request))
        addresses.send_reset(form.cleaned_data["email"])
        return render(request, "accounts/mail_sent.html", {"email": form.cleaned_data["email"]})
    return render(request, "accounts/forgot.html", {"form": form}, status=422 if form.errors else 200)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def reset(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    """The page behind the link. It works once, within a day."""
    user = addresses.whose(uid)
    if not user or not default_token_generator.check_token(user, token):
        return render(request, "accounts/stale_link.html", status=404)
    form = ResetPassword(user, request.POST or None)
    if form.is_valid():
        throttle.count("passwords", user.folded)
        services.change_password(user, form.cleaned_data["new_password"])
        browsers.remember(request, user)
        messages.success(request, _("Your password has been changed. Sign in with the new one."))
        return redirect("sign_in")
    return render(request, "accounts/reset.html", {"form": form, "name": user}, status=422 if form.errors else 200)
