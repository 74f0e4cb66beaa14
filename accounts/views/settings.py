"""The settings of one's own account. Each form has its own address; a wrong one comes back in the page."""

from functools import partial

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from accounts import services
from accounts.actions import action, or_guest, page, sign_in_first
from accounts.forms import ChangeEmail, ChangePassword, CloseAccount, Dates, Form, Look, Self
from accounts.mails import addresses
from accounts.notices import notices
from accounts.people import avatar, calendar, sessions
from accounts.people.look import dress
from accounts.web import datetimes, throttle
from accounts.web.requests import UserRequest

own = partial(action, None, sign_in_first, to="account")


def render_settings(request: UserRequest, form: Form | None = None) -> HttpResponse:
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
    shown = forms | ({form.name: form} if form else {})
    context = {
        **shown,
        "worn": worn,
        "picked": [shown["self"][part] for part in worn._fields],
        "now": timezone.now(),
        "topics": notices.topics(user),
        "calendar": calendar.address(user),
        "sessions": sessions.signed_in(user, request.session),
    }
    return render(request, "accounts/account.html", context)


account = page(None, or_guest(sign_in_first))(render_settings)


@action(None, or_guest(sign_in_first), form=Look, show=render_settings, to="account")
def look(request: UserRequest, form: Look) -> HttpResponse:
    services.change_look(request.user, **form.cleaned_data)
    with translation.override(request.user.language or translation.get_language()):
        messages.success(request, _("Saved."))
    return dress(redirect("account"), request.user)


@action(None, or_guest(sign_in_first), form=Dates, show=render_settings, to="account")
def dates(request: UserRequest, form: Dates) -> str:
    """Changes how days and times are written; for guests too."""
    services.change_dates(request.user, **form.cleaned_data)
    return _("Saved.")


@own(form=Self, show=render_settings)
def change_self(request: UserRequest, form: Self) -> str:
    """Changes what others see of one."""
    services.change_self(request.user, form.avatar_code(), form.cleaned_data["about"], form.cleaned_data["unseen"])
    return _("Saved.")


@sensitive_post_parameters()
@own(form=ChangeEmail.of, show=render_settings)
def email(request: UserRequest, form: ChangeEmail) -> str:
    user, wanted = request.user, form.cleaned_data["email"]
    if wanted and wanted != user.email:
        count_links(request)
    services.change_email(user, wanted)
    if user.new_email:
        addresses.ask(user, throttle.address(request), timezone.now())
        return _("Check your inbox, and follow the link to confirm your new address.")
    return _("Your address stays as it is.") if user.email else _("Your address is removed.")


def count_links(request: UserRequest) -> None:
    """Count a mail that asks whether an address is right. Raises throttle.TooMany."""
    throttle.count("links", request.user.pk)
    throttle.count("mails", throttle.address(request))


@own()
def email_again(request: UserRequest) -> str | None:
    """Sends the link to the address that waits once more."""
    if not request.user.new_email:
        return None
    count_links(request)
    addresses.ask(request.user, throttle.address(request), timezone.now())
    return _("The mail is on its way.")


@own()
def email_forget(request: UserRequest) -> str:
    """Drops the address that waits."""
    services.forget_new_email(request.user)
    return _("That address has been removed.")


@own()
def told(request: UserRequest) -> str:
    """Notices, here and by mail: whatever is not ticked is switched off."""
    user, ticked = request.user, set(request.POST.getlist("told"))
    silenced = {name for topic in notices.TOPICS for name in (topic, f"{topic}:mail") if name not in ticked}
    if not user.email:  # the mails could not be chosen
        silenced = {name for name in silenced if not name.endswith(":mail")} | set(user.silenced) - set(notices.TOPICS)
    notices.choose(user, silenced, timezone.now())
    return _("Saved.")


@own(to=lambda request: f"{reverse('account')}#calendar")
def calendar_address(request: UserRequest) -> str:
    """Makes a new address for one's calendar, or removes it."""
    if request.POST.get("do") == "none":
        calendar.remove(request.user)
        return _("Your calendar no longer has an address.")
    calendar.renew(request.user)
    return _("Your calendar has a new address.")


@sensitive_post_parameters()
@own(form=ChangePassword.of, show=render_settings)
def password(request: UserRequest, form: ChangePassword) -> str:
    services.change_password(request.user, form.cleaned_data["new_password"], request.session)
    update_session_auth_hash(request, request.user)
    return _("Password changed. All other browsers are signed out.")


@own()
def end_sessions(request: UserRequest) -> str:
    """Signs out the browsers that were chosen, or all but this one."""
    chosen = request.POST.getlist("session") or None
    sessions.end(request.user, chosen, but=request.session.session_key)
    return _("That browser is signed out.") if chosen else _("All other browsers are signed out.")


@sensitive_post_parameters()
@own(form=CloseAccount.of, show=render_settings)
def close(request: UserRequest, form: CloseAccount) -> HttpResponse:
    day = datetimes.day(services.close(request.user))
    request.session.flush()
    messages.info(request, _("Your account will be closed on %(day)s. To keep it, sign in before then.") % {"day": day})
    return redirect("home")


@own()
def keep(request: UserRequest) -> str | None:
    return _("Your account will stay open.") if services.keep(request.user) else None
