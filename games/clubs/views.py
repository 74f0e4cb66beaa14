"""The pages of clubs: the list, a club, its members, and the stewards' desk."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, cast

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.career.views import person_or_404
from accounts.clubs import clubs as people
from accounts.clubs import decisions, mail_invitations
from accounts.database import keyset
from accounts.forms import Form
from accounts.models import Asking, Club, Member, Right, User
from accounts.text import pasted
from accounts.text.names import folded
from accounts.web import links, throttle
from accounts.web.guards import account_first, attempt
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest, ViewFunction
from games.clubs import decisions as club_decisions
from games.clubs import page as club_page
from games.clubs.forms import WHAT, AnnouncementForm, ClubForm, ExpelForm, FoundingForm, InviteForm, RightsForm
from games.clubs.moving import intake
from games.ladders import events, opening
from games.ladders.views.access import club_or_404, steward_first
from games.lobby import waits
from games.lobby.invite import qr_code
from games.matches.clocks import ms_of

NAMES_AT_ONCE = 20
"""This many invitations count as one against the limit."""


# Looking


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    """The visitor's own clubs and invitations, and all public clubs."""
    wanted = request.GET.get("q", "")[:60]
    if wanted:
        throttle.count("searches", throttle.visitor(request))
    entries, more = club_page.public(wanted)
    context = {
        "mine": club_page.mine(request.user),
        "waits": waits.strip(request.user, timezone.now()),
        "public": entries,
        "more": more,
        "wanted": wanted,
    }
    return render(request, "clubs/clubs.html", context)


@never_cache
@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """One club."""
    found = club_or_404(request, slug)
    now = timezone.now()
    context = {
        "club": found,
        "home": club_page.home(found, request.user, now),
        "waits": waits.strip(request.user, now, found),
        "address": links.full(found.get_absolute_url()),
        "since": ms_of(now),
    }
    return render(request, "clubs/club.html", context)


@never_cache
@require_safe
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """The members of a club; its stewards appoint and expel them here."""
    found = club_or_404(request, slug)
    me, wanted = people.member(found, request.user), request.GET.get("q", "")[:60]
    ladder = opening.open_of(found)[0]
    page, rows = club_page.listed(ladder, request.user, wanted, request.GET.get("page", ""))
    context = {
        "club": found,
        "me": me,
        "may": me.may if me else (),
        "indispensable": me is not None and people.last_steward(found, me),
        "ladder": ladder,
        "wanted": wanted,
        "page": page,
        "rows": rows,
    }
    return render(request, "clubs/members.html", context)


@never_cache
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """What the stewards of a club have decided, for its members: see `accounts.clubs.decisions` for who reads what."""
    found = club_or_404(request, slug)
    if elsewhere := account_first(request, f"{found.get_absolute_url()}/log"):
        return elsewhere
    me = people.member(found, request.user)
    kind, name = request.GET.get("kind", ""), request.GET.get("person", "").replace("\0", "").strip()[:60]
    if me is None or (kind and kind not in decisions.readable(me.may)):
        raise Http404
    person = User.objects.filter(folded=folded(name)).first() if name else None
    rows = decisions.read(found, me.may, kind, person)
    if name and person is None:
        rows = rows.none()
    try:
        page = keyset.page(
            rows, club_decisions.PAGE, "id", older=request.GET.get("older", ""), newer=request.GET.get("newer", "")
        )
    except keyset.BadCursor as error:
        raise Http404 from error
    filtered = {key: text for key, text in (("kind", kind), ("person", name)) if text}
    context = {
        "club": found,
        "all_of_it": Right.PEOPLE in me.may,
        "may": me.may,
        "kind": kind,
        "kinds": [(code, decisions.KINDS[code].label) for code in decisions.readable(me.may)],
        "name": name,
        "filtered": bool(filtered),
        "told": club_decisions.narrate(found, page.rows),
        "newer": page.newer and urlencode({**filtered, "newer": page.newer}),
        "older": page.older and urlencode({**filtered, "older": page.older}),
    }
    return render(request, "clubs/log.html", context)


@never_cache
@require_safe
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """What the club had at the site from which it came, for its members."""
    found = club_or_404(request, slug)
    if elsewhere := account_first(request, found.get_absolute_url()):
        return elsewhere
    if people.member(found, request.user) is None:
        raise Http404
    throttle.count("exports", throttle.visitor(request))
    document = intake.history(found)
    if document is None:
        raise Http404
    response = HttpResponse(document, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{slug}-history.json"'
    return response


# Founding, joining, leaving


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Found a club."""
    if elsewhere := account_first(request, "/clubs/new"):
        return elsewhere
    assert request.user.is_authenticated
    form = FoundingForm(request.POST or None)
    wait_s = 0
    if form.is_valid():
        told = form.told()
        told["slug"] = told["slug"] or people.free_slug(told["name"])
        try:
            throttle.count("founding", request.user.pk)
            with transaction.atomic():
                club = people.found(request.user, **told, now=timezone.now())
                events.choose_title(club, form.cleaned_data["game"])
            return redirect(club)
        except (Refused, throttle.TooMany) as refusal:
            wait_s = add_refusal(form, None, refusal)
    return answer(render(request, "clubs/new.html", {"form": form}), form, wait_s)


def add_refusal(form: Form, field: str | None, refusal: Refused | throttle.TooMany) -> int:
    """Show in a form why it was refused, keeping what was typed. Returns the seconds to wait if a limit was reached."""
    form.add_error(field, str(refusal))
    return refusal.wait_s if isinstance(refusal, throttle.TooMany) else 0


def answer(response: HttpResponse, form: Form, wait_s: int) -> HttpResponse:
    """The response for a page with a form, with the status that fits."""
    response.status_code = 429 if wait_s else 422 if form.is_bound else 200
    if wait_s:
        response["Retry-After"] = str(wait_s)
    return response


def acting(view: Callable[Concatenate[UserRequest, Club, ...], HttpResponse | None]) -> ViewFunction:
    """A view by which the visitor joins or leaves a club: a refusal is shown on the club's page."""

    @require_POST
    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, **kwargs: object) -> HttpResponse:
        found = club_or_404(request, slug)
        if elsewhere := account_first(request, found.get_absolute_url()):
            return elsewhere
        throttle.count("clubs", request.user.pk)
        return attempt(request, lambda: view(cast(UserRequest, request), found, **kwargs), found)

    return wrapped


@acting
def join(request: UserRequest, club: Club) -> None:
    """Join, or ask to join."""
    welcome(request, people.join(club, request.user, timezone.now()))


@acting
def decline(request: UserRequest, club: Club) -> HttpResponse:
    """Decline an invitation, or withdraw a request to join."""
    people.decline(club, request.user)
    return redirect("clubs")


@acting
def let_seat(request: UserRequest, club: Club) -> None:
    """Let the stewards seat one at club nights without asking, or no longer."""
    yes = request.POST.get("yes") == "1"
    people.let_seat(club, request.user, yes, timezone.now())
    if yes:
        messages.success(request, _("The stewards can seat you at club nights now."))
    else:
        messages.success(request, _("The stewards have to ask you now before each club night."))


@acting
def leave(request: UserRequest, club: Club) -> HttpResponse:
    """Leave the club."""
    people.leave(club, request.user, timezone.now())
    messages.success(request, _("You’ve left %(club)s.") % {"club": club.name})
    return redirect("clubs")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invited(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The page behind an invitation link, by which anybody may join."""
    found = Club.objects.filter(slug=slug, invitation=token).first() if token.isalnum() and "\0" not in slug else None
    if found is None:
        return stale_link(request)
    return invitation(request, found, token, found.invitation_by)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mailed(request: HttpRequest, token: str) -> HttpResponse:
    """The page behind the link of an invitation by mail, by which one person may join."""
    found = mail_invitations.find(token, timezone.now())
    return invitation(request, found.club, token, found.by) if found else stale_link(request)


def stale_link(request: HttpRequest) -> HttpResponse:
    return render(request, "clubs/stale_link.html", status=404)


def invitation(request: HttpRequest, found: Club, token: str, by: User | None) -> HttpResponse:
    """What whoever has a link sees of a club, and its button to join."""
    if people.member(found, request.user):
        return redirect(found)
    if request.method == "POST":
        if elsewhere := account_first(request, request.path):
            return elsewhere
        assert request.user.is_authenticated
        throttle.count("clubs", request.user.pk)
        try:
            welcome(request, people.join(found, request.user, timezone.now(), token))
            return redirect(found)
        except Refused as refusal:
            messages.error(request, str(refusal))
    context = {"club": found, "invites": club_page.invites(found, by), "address": links.full(request.path)}
    return render(request, "clubs/invited.html", context)


def welcome(request: HttpRequest, joined: Member | Asking) -> None:
    if isinstance(joined, Member):
        messages.success(request, _("Welcome to %(club)s.") % {"club": joined.club.name})
    else:
        messages.success(request, _("You’ve asked to join. A steward will answer."))


# The desk


def at_desk(*rights: Right) -> Callable[[Callable[Concatenate[UserRequest, Club, ...], HttpResponse]], ViewFunction]:
    """A view for whoever has one of these rights in a club. For anybody else there is nothing here."""

    def decorated(view: Callable[Concatenate[UserRequest, Club, ...], HttpResponse]) -> ViewFunction:
        @never_cache
        @wraps(view)
        def wrapped(request: HttpRequest, slug: str, **kwargs: object) -> HttpResponse:
            found = club_or_404(request, slug)
            elsewhere = steward_first(request, found, found.get_absolute_url(), *rights)
            return elsewhere or view(cast(UserRequest, request), found, **kwargs)

        return wrapped

    return decorated


def desk_action(
    right: Right, page: str = "club_desk"
) -> Callable[[Callable[Concatenate[UserRequest, Club, ...], HttpResponse | None]], ViewFunction]:
    """A view that changes something at the desk by a right, and leads back to its `page`, which shows a refusal."""

    def decorated(view: Callable[Concatenate[UserRequest, Club, ...], HttpResponse | None]) -> ViewFunction:
        @require_POST
        @at_desk(right)
        @wraps(view)
        def wrapped(request: UserRequest, club: Club, **kwargs: object) -> HttpResponse:
            return attempt(request, lambda: view(request, club, **kwargs), reverse(page, args=[club.slug]))

        return wrapped

    return decorated


def back(club: Club) -> HttpResponse:
    return redirect("club_desk", slug=club.slug)


def link_of(club: Club) -> str:
    return links.full(f"{club.get_absolute_url()}/invited/{club.invitation}")


def render_desk(request: HttpRequest, club: Club, **wrong: object) -> HttpResponse:
    """The desk; `wrong`: a form that was refused, or the outcome of a list."""
    link = link_of(club)
    may = people.rights(club, request.user)
    waiting = list(club.askings.select_related("user", "by").order_by("at", "pk"))
    context = {
        "club": club,
        "may": may,
        "rights": [WHAT[right] for right in may if right in WHAT],
        "link": link if club.invitation else "",
        "qr": qr_code(link) if club.invitation else "",
        "mailed": club.mailed.order_by("at", "pk"),
        "asking": [each for each in waiting if each.by_id is None],
        "invited": [each for each in waiting if each.by_id],
        "ladders": opening.open_of(club) if Right.LADDER in may else [],
        "members": club.members.count(),
        "expelled": club.expulsions.select_related("user", "by").order_by("-at", "-pk"),
        "announcements": club_page.announcements(club, all_of_them=True),
        "settings_form": ClubForm(club=club),
        "invite_form": InviteForm(),
        "announcement_form": AnnouncementForm(club=club),
    }
    return render(request, "clubs/desk.html", context | wrong)


@require_safe
@at_desk(*Right)
def desk(request: UserRequest, club: Club) -> HttpResponse:
    """The desk for the club's members and settings."""
    return render_desk(request, club)


@require_POST
@at_desk(Right.CLUB)
def change(request: UserRequest, club: Club) -> HttpResponse:
    """Change the club's description and settings."""
    form = ClubForm(request.POST)
    if form.is_valid():
        told = form.told()
        told["slug"] = told["slug"] or club.slug
        try:
            changed = people.change(club, request.user, **told)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Settings saved."))
            return back(changed)
    return answer(render_desk(request, club, settings_form=form), form, 0)


@require_POST
@at_desk(Right.PEOPLE)
def invite(request: UserRequest, club: Club) -> HttpResponse:
    """Invite everybody on a pasted list."""
    form, wait_s = InviteForm(request.POST), 0
    if form.is_valid():
        try:
            names = form.cleaned_data["names"]
            for _some in range(0, min(len(pasted.entries(names)), people.MOST_NAMES), NAMES_AT_ONCE):
                throttle.count("invitations", request.user.pk)
            result = people.invite(club, request.user, names, timezone.now())
        except (Refused, throttle.TooMany) as refusal:
            wait_s = add_refusal(form, "names", refusal)
        else:
            return invite_by_mail(request, club, result)
    return answer(render_desk(request, club, invite_form=form), form, wait_s)


def invite_by_mail(request: UserRequest, club: Club, result: people.Invited) -> HttpResponse:
    """Write to the addresses in a list, and show what became of the whole. What went wrong stays in the form."""
    form, wait_s, sent = (
        InviteForm(initial={"names": "\n".join(result.unknown)}),
        0,
        mail_invitations.Mailed([], [], []),
    )
    try:
        if result.addresses:
            sent = mail_invitations.invite(club, request.user, result.addresses, timezone.now())
    except (Refused, throttle.TooMany) as refusal:
        form = InviteForm({"names": "\n".join([*result.unknown, *result.addresses])})
        form.is_valid()
        wait_s = add_refusal(form, "names", refusal)
    return answer(render_desk(request, club, invite_form=form, invited_now=outcome(result, sent)), form, wait_s)


def outcome(result: people.Invited, mailed: mail_invitations.Mailed) -> list[tuple[str, list[str], bool]]:
    """The outcome of a list, in parts: a heading, the names, and whether it went well."""
    many, mails = len(result.invited), len(mailed.sent)
    parts = [
        (
            ngettext("%(n)d invitation is sent by mail.", "%(n)d invitations are sent by mail.", mails) % {"n": mails},
            mailed.sent,
            True,
        ),
        (ngettext("%(n)d person is invited.", "%(n)d people are invited.", many) % {"n": many}, result.invited, True),
        (_("They had already asked to join, so they’re members now."), result.approved, True),
        (_("No such player. Check the spelling, or add a mail address."), result.unknown, False),
        (_("They’re in the list more than once."), [*result.twice, *mailed.twice], False),
        (_("They’re already members."), result.already, False),
        (_("They’ve already been invited."), [*result.waiting, *mailed.waiting], False),
        (_("They were expelled. Readmit them first."), result.expelled, False),
    ]
    return [(text, names, well) for text, names, well in parts if names]


@require_POST
@at_desk(Right.ANNOUNCEMENTS)
def announce(request: UserRequest, club: Club) -> HttpResponse:
    """Tell all members something."""
    form, wait_s = AnnouncementForm(request.POST, club=club), 0
    if form.is_valid():
        try:
            throttle.count("invitations", request.user.pk)
            people.announce(club, request.user, form.cleaned_data["text"], timezone.now(), public=form.public())
        except (Refused, throttle.TooMany) as refusal:
            wait_s = add_refusal(form, "text", refusal)
        else:
            messages.success(request, _("All members have been told."))
            return back(club)
    return answer(render_desk(request, club, announcement_form=form), form, wait_s)


@desk_action(Right.ANNOUNCEMENTS)
def withdraw(request: UserRequest, club: Club, number: int) -> None:
    """Delete an announcement."""
    people.withdraw(club, request.user, number)
    messages.success(request, _("Announcement deleted."))


@desk_action(Right.PEOPLE)
def link(request: UserRequest, club: Club) -> None:
    """Make a new invitation link, or remove it."""
    make = people.no_link if request.POST.get("do") == "none" else people.new_link
    make(club, request.user)


@require_safe
@at_desk(Right.PEOPLE)
def poster(request: UserRequest, club: Club) -> HttpResponse:
    """The invitation link on a page for the printer."""
    if not club.invitation:
        raise Http404
    link = link_of(club)
    return render(request, "clubs/poster.html", {"club": club, "link": link, "qr": qr_code(link)})


@desk_action(Right.PEOPLE)
def withdraw_mail(request: UserRequest, club: Club, number: int) -> None:
    """Withdraw an invitation by mail."""
    mail_invitations.withdraw(club, request.user, number)


@desk_action(Right.PEOPLE)
def approve(request: UserRequest, club: Club, username: str) -> None:
    """Accept a request to join."""
    person = person_or_404(username)
    people.approve(club, request.user, person, timezone.now())
    messages.success(request, _("%(name)s is now a member.") % {"name": person.username})


@desk_action(Right.PEOPLE)
def reject(request: UserRequest, club: Club, username: str) -> None:
    """Reject a request to join, or withdraw an invitation."""
    person = person_or_404(username)
    people.reject(club, request.user, person, timezone.now())
    messages.success(request, _("%(name)s is no longer waiting to join.") % {"name": person.username})


@desk_action(Right.CLUB, "club_members")
def appoint(request: UserRequest, club: Club, username: str) -> None:
    """Make a member a steward."""
    person = person_or_404(username)
    people.appoint(club, request.user, person, timezone.now())
    messages.success(request, _("%(name)s is now a steward.") % {"name": person.username})


@desk_action(Right.CLUB, "club_members")
def dismiss(request: UserRequest, club: Club, username: str) -> HttpResponse | None:
    """Make a steward an ordinary member."""
    person = person_or_404(username)
    people.dismiss(club, request.user, person)
    messages.success(request, _("%(name)s is no longer a steward.") % {"name": person.username})
    return redirect(club) if person == request.user else None


@require_http_methods(["GET", "HEAD", "POST"])
@at_desk(Right.CLUB)
def rights(request: UserRequest, club: Club, username: str) -> HttpResponse:
    """Give rights to an ordinary member, or take them away."""
    person = person_or_404(username)
    membership = people.member(club, person)
    if membership is None or membership.role == Member.Role.STEWARD:
        raise Http404
    form = RightsForm(request.POST if request.method == "POST" else None, member=membership)
    if form.is_valid():
        data = form.cleaned_data
        try:
            people.entitle(club, request.user, person, data["seen"], data["given"], timezone.now())
        except Refused as refusal:
            messages.error(request, str(refusal))
            return redirect("club_rights", slug=club.slug, username=person.username)
        messages.success(request, _("The rights of %(name)s are saved.") % {"name": person.username})
        return redirect("club_members", slug=club.slug)
    context = {"club": club, "person": person, "form": form}
    return answer(render(request, "clubs/rights.html", context), form, 0)


@desk_action(Right.PEOPLE)
def readmit(request: UserRequest, club: Club, username: str) -> None:
    """Let somebody who was expelled join again."""
    person = person_or_404(username)
    people.readmit(club, request.user, person)
    messages.success(request, _("%(name)s can join again.") % {"name": person.username})


@require_http_methods(["GET", "HEAD", "POST"])
@at_desk(Right.PEOPLE)
def expel(request: UserRequest, club: Club, username: str) -> HttpResponse:
    """Expel a member, with a reason."""
    person = person_or_404(username)
    if people.member(club, person) is None:
        raise Http404
    form = ExpelForm(request.POST or None)
    if form.is_valid():
        try:
            people.expel(club, request.user, person, form.cleaned_data["reason"], timezone.now())
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("%(name)s is no longer a member.") % {"name": person.username})
            return redirect("club_members", slug=club.slug)
    context = {"club": club, "person": person, "form": form}
    return answer(render(request, "clubs/expel.html", context), form, 0)
