"""The settings of one's own account. Each form has its own address; a wrong one comes back in the page."""

from collections.abc import Callable
from functools import partial
from typing import cast

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.debug import sensitive_post_parameters

from accounts import services
from accounts.actions import action, or_guest, page, sign_in_first
from accounts.forms import ChangeEmail, ChangePassword, CloseAccount, Dates, Form, Look, Play, Self
from accounts.mails import addresses
from accounts.models import User
from accounts.notices import notices
from accounts.people import avatar, calendar, habits, sessions
from accounts.people.look import dress
from accounts.web import datetimes, swaps, throttle
from accounts.web.requests import HtmxRequest, UserRequest

SECTIONS = {
    "play": gettext_lazy("Play"),
    "look": gettext_lazy("Look and language"),
    "dates": gettext_lazy("Dates and times"),
    "self": gettext_lazy("What others see"),
    "told": gettext_lazy("Notices"),
    "calendar": gettext_lazy("Calendar"),
    "email": gettext_lazy("Email"),
    "password": gettext_lazy("Password"),
    "sessions": gettext_lazy("Where you’re signed in"),
    "close": gettext_lazy("Close account"),
}
"""The parts of the page, each at its anchor; guests have the first three."""


def at(section: str) -> str:
    """The address of a section."""
    return f"{reverse('account')}#{section}"


def to(section: str) -> Callable[..., str]:
    """Where an action leads: back to its section."""
    return lambda request: at(section)


own = partial(action, None, sign_in_first)


def render_settings(request: UserRequest, form: Form | None = None) -> HttpResponse:
    """The page of settings, with a rejected form in place of a fresh one."""
    user = request.user
    worn = avatar.read(user.avatar, user.username)
    forms: dict[str, Form] = {
        "play": Play(initial={name: shown_value(getattr(user, name)) for name in habits.FIELDS}),
        "look": Look(initial={"theme": user.theme, "language": user.language}),
        "dates": Dates(initial={"zone": user.zone, "dates": user.dates, "clock": user.clock}),
        "self": Self(initial={"about": user.about, "unseen": shown_value(user.unseen), **worn._asdict()}),
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
        "parts": [(name, text) for name, text in SECTIONS.items() if offered(user, name)],
        "open": form.name if form else "play",
    }
    return render(request, "accounts/account.html", context)


account = page(None, or_guest(sign_in_first))(render_settings)


def offered(user: User, section: str) -> bool:
    """Whether a user has this section."""
    if user.guest:
        return section in ("play", "look", "dates")
    return section != "close" or not user.closing_at


def shown_value(value: object) -> object:
    """A value as the fields of forms have it."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


def at_once(request: UserRequest) -> bool:
    """Whether a field is kept as it changes: the answer goes beside its section."""
    htmx = cast(HtmxRequest, request).htmx
    return bool(htmx) and not htmx.boosted


def kept(request: UserRequest, section: str, says: str = "") -> HttpResponse:
    """That what was sent is kept: as a line beside it for a field that is kept at once, else on the page.

    `says`: what else there is to say."""
    says = " ".join([_("Kept."), says]).strip()
    if at_once(request):
        return HttpResponse(swaps.said(f"kept-{section}", says))
    messages.success(request, says)
    return redirect(at(section))


def keep(request: UserRequest, form: Form) -> str:
    """Keep each field of this form that the page has sent and whose value is allowed; the others stay as they are.

    Returns which settings a page sent that are not offered, or not so any more; empty if there are none."""
    form.is_valid()
    values = {name: value for name, value in form.cleaned_data.items() if name in request.POST}
    services.change_settings(request.user, **values)
    stale = [str(form.fields[name].label) for name in form.errors if name in request.POST]
    stale += sorted({*request.POST} - {*form.fields, "csrfmiddlewaretoken"})
    if not stale:
        return ""
    return ngettext(
        "“%(names)s” is not offered as your page had it, and stays as it was. Reload the page.",
        "These are not offered as your page had them, and stay as they were: %(names)s. Reload the page.",
        len(stale),
    ) % {"names": ", ".join(name[:40] for name in stale[:10])}


@action(None, or_guest(sign_in_first), to=to("play"))
def play(request: UserRequest) -> HttpResponse:
    """Changes how one plays, by the fields that are sent; for guests too."""
    return kept(request, "play", keep(request, Play(request.POST)))


@action(None, or_guest(sign_in_first), to=to("look"))
def look(request: UserRequest) -> HttpResponse:
    stale = keep(request, Look(request.POST))
    with translation.override(request.user.language or translation.get_language()):
        return dress(kept(request, "look", stale), request.user)


@action(None, or_guest(sign_in_first), to=to("dates"))
def dates(request: UserRequest) -> HttpResponse:
    """Changes how days and times are written; for guests too."""
    return kept(request, "dates", keep(request, Dates(request.POST)))


@own(to=to("self"))
def change_self(request: UserRequest) -> HttpResponse:
    """Changes what others see of one, by the fields that are sent."""
    return kept(request, "self", keep(request, Self(request.POST)))


@sensitive_post_parameters()
@own(form=ChangeEmail.of, show=render_settings, to=to("email"))
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


@own(to=to("email"))
def email_again(request: UserRequest) -> str | None:
    """Sends the link to the address that waits once more."""
    if not request.user.new_email:
        return None
    count_links(request)
    addresses.ask(request.user, throttle.address(request), timezone.now())
    return _("The mail is on its way.")


@own(to=to("email"))
def email_forget(request: UserRequest) -> str:
    """Drops the address that waits."""
    services.forget_new_email(request.user)
    return _("That address has been removed.")


@own(to=to("told"))
def told(request: UserRequest) -> HttpResponse:
    """Notices, here and by mail: whatever is not ticked is switched off; if boxes are named (`box`), of these only."""
    user, post = request.user, request.POST
    offered = {name for topic in notices.TOPICS for name in (topic, f"{topic}:mail")}
    if not user.email:
        offered = set(notices.TOPICS)
    asked = offered & {*post.getlist("box")} if "box" in post else offered
    notices.choose(user, {*user.silenced} - asked | asked - {*post.getlist("told")}, timezone.now())
    return kept(request, "told")


@own(to=to("calendar"))
def calendar_address(request: UserRequest) -> str:
    """Makes a new address for one's calendar, or removes it."""
    if request.POST.get("do") == "none":
        calendar.remove(request.user)
        return _("Your calendar no longer has an address.")
    calendar.renew(request.user)
    return _("Your calendar has a new address.")


@sensitive_post_parameters()
@own(form=ChangePassword.of, show=render_settings, to=to("password"))
def password(request: UserRequest, form: ChangePassword) -> str:
    services.change_password(request.user, form.cleaned_data["new_password"], request.session)
    update_session_auth_hash(request, request.user)
    return _("Password changed. All other browsers are signed out.")


@own(to=to("sessions"))
def end_sessions(request: UserRequest) -> str:
    """Signs out the browsers that were chosen, or all but this one."""
    chosen = request.POST.getlist("session") or None
    sessions.end(request.user, chosen, but=request.session.session_key)
    return _("That browser is signed out.") if chosen else _("All other browsers are signed out.")


@sensitive_post_parameters()
@own(form=CloseAccount.of, show=render_settings, to=to("close"))
def close(request: UserRequest, form: CloseAccount) -> HttpResponse:
    day = datetimes.day(services.close(request.user))
    request.session.flush()
    messages.info(request, _("Your account will be closed on %(day)s. To keep it, sign in before then.") % {"day": day})
    return redirect("home")


@own(to="account")
def keep_open(request: UserRequest) -> str | None:
    return _("Your account will stay open.") if services.keep(request.user) else None
