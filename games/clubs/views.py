"""The pages of clubs: the list, a club, its members, and the stewards' desk."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, cast

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, action, page, sign_in_first, when_posted
from accounts.career.views import person_or_404
from accounts.clubs import clubs as people
from accounts.clubs import decisions, mail_invitations
from accounts.database import keyset
from accounts.forms import Form
from accounts.models import Asking, Club, Member, Right, User
from accounts.text import pasted
from accounts.text.names import folded
from accounts.web import links, throttle
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest
from games.board import services as board
from games.clubs import decisions as club_decisions
from games.clubs import members as club_members
from games.clubs import page as club_page
from games.clubs.forms import (
    WHAT,
    AnnouncementForm,
    ArmsForm,
    ClubForm,
    ExpelForm,
    FoundingForm,
    InviteForm,
    RightsForm,
)
from games.clubs.members import ListedMember
from games.clubs.moving import intake
from games.ladders import events, opening
from games.ladders.models import Ladder
from games.ladders.pages import export
from games.ladders.views.access import club_or_404
from games.lobby import pending
from games.lobby.invite import qr_code
from games.matches.clocks import ms_of

JOINS, JOINS_S = "joins", 3600
"""Under this key the session keeps, for so many seconds, to which invitation said yes who is now signing up."""
FORMER_TOURNAMENTS = 20
"""So many are on a page of what a club played before it came here."""
NAMES_AT_ONCE = 20
"""This many invitations count as one against the limit."""


# Looking


@page()
def clubs(request: HttpRequest) -> HttpResponse:
    """The visitor's own clubs and invitations, and all public clubs."""
    wanted = request.GET.get("q", "")[:60]
    if wanted:
        throttle.count("searches", throttle.visitor(request))
    entries, more = club_page.public(wanted)
    context = {
        "mine": club_page.mine(request.user),
        "waits": pending.line(request.user, timezone.now()),
        "left": board.left_behind(request.user).order_by("name", "pk") if request.user.is_authenticated else (),
        "public": entries,
        "more": more,
        "wanted": wanted,
    }
    return render(request, "clubs/clubs.html", context)


@never_cache
@page(club_or_404)
def club(request: HttpRequest, found: Club) -> HttpResponse:
    """One club."""
    now = timezone.now()
    context = {
        "club": found,
        "home": club_page.home(found, request.user, now),
        "waits": pending.strip(request.user, now, found),
        "address": links.full(found.get_absolute_url()),
        "since": ms_of(now),
    }
    return render(request, "clubs/club.html", context)


@never_cache
@page(club_or_404)
def members(request: HttpRequest, found: Club) -> HttpResponse:
    """The members of a club; its stewards appoint and expel them here."""
    now, me = timezone.now(), people.member(found, request.user)
    wanted, order = request.GET.get("q", "")[:60], request.GET.get("sort", "")
    if order not in club_members.ORDERS:
        order = next(iter(club_members.ORDERS))
    ladder = opening.open_of(found)[0]
    shown, rows = club_members.listed(ladder, request.user, wanted, order, request.GET.get("page", ""), now)
    context = {
        "club": found,
        "me": me,
        "may": me.may if me else (),
        "indispensable": me is not None and people.last_steward(found, me),
        "ladder": ladder,
        "wanted": wanted,
        "order": order,
        "orders": club_members.ORDERS,
        "page": shown,
        "rows": rows,
    }
    return render(request, "clubs/members.html", context)


def list_of(request: UserRequest, club: Club) -> tuple[Ladder, list[ListedMember]]:
    """The ladder of a club and all its members. Only members take such a list along."""
    if people.member(club, request.user) is None:
        raise Http404
    throttle.count("exports", throttle.visitor(request))
    ladder = opening.open_of(club)[0]
    return ladder, club_members.everybody(ladder, timezone.now())


@page(club_or_404, account_first)
def members_file(request: UserRequest, found: Club) -> HttpResponse:
    """All members as CSV, for members."""
    _ladder, listed = list_of(request, found)
    written = export.written(club_members.file_rows(listed), club_members.FILE)
    response = HttpResponse(written, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.slug}-members.csv"'
    return response


@page(club_or_404, account_first)
def members_paper(request: UserRequest, found: Club) -> HttpResponse:
    """All members on a page for the printer, for members."""
    ladder, listed = list_of(request, found)
    context = {"club": found, "ladder": ladder, "rows": listed, "now": timezone.now()}
    return render(request, "clubs/members_print.html", context)


@page(club_or_404, account_first)
def log(request: UserRequest, found: Club) -> HttpResponse:
    """What the stewards of a club have decided, for its members: see `accounts.clubs.decisions` for who reads what."""
    me = people.member(found, request.user)
    kind, name = request.GET.get("kind", ""), request.GET.get("person", "").replace("\0", "").strip()[:60]
    if me is None or (kind and kind not in decisions.readable(me.may)):
        raise Http404
    person = User.objects.filter(folded=folded(name)).first() if name else None
    rows = decisions.read(found, me.may, kind, person)
    if name and person is None:
        rows = rows.none()
    try:
        shown = keyset.page(
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
        "told": club_decisions.narrate(found, shown.rows),
        "newer": shown.newer and urlencode({**filtered, "newer": shown.newer}),
        "older": shown.older and urlencode({**filtered, "older": shown.older}),
    }
    return render(request, "clubs/log.html", context)


@page(club_or_404, account_first)
def history(request: UserRequest, found: Club) -> HttpResponse:
    """What the club had at the site from which it came, for its members."""
    if people.member(found, request.user) is None:
        raise Http404
    throttle.count("exports", throttle.visitor(request))
    document = intake.history(found)
    if document is None:
        raise Http404
    response = HttpResponse(document, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{found.slug}-history.json"'
    return response


@page(club_or_404, account_first)
def former(request: UserRequest, found: Club) -> HttpResponse:
    """The tables of the nights and tournaments that the club had before it came here, for its members."""
    if people.member(found, request.user) is None:
        raise Http404
    if not found.histories.exists():
        raise Http404
    older, newer = request.GET.get("older", ""), request.GET.get("newer", "")
    try:
        shown = keyset.page(found.former_tournaments.all(), FORMER_TOURNAMENTS, "id", older=older, newer=newer)
    except keyset.BadCursor as error:
        raise Http404 from error
    turn = {name: (at := getattr(shown, name)) and f"{name}={at}" for name in ("newer", "older")}
    return render(request, "clubs/former.html", {"club": found, "tournaments": shown.rows, **turn})


# Founding, joining, leaving


def render_new(request: UserRequest, form: FoundingForm) -> HttpResponse:
    return render(request, "clubs/new.html", {"form": form})


@page(None, account_first, limit="founding", form=FoundingForm, show=render_new, to="clubs")
def new(request: UserRequest, form: FoundingForm) -> Club:
    """Found a club."""
    told = form.told()
    told["slug"] = told["slug"] or people.free_slug(told["name"])
    with transaction.atomic():
        club = people.found(request.user, **told, now=timezone.now())
        events.choose_title(club, form.cleaned_data["game"])
    return club


@action(club_or_404, account_first, limit="clubs")
def join(request: UserRequest, club: Club) -> str:
    """Join, or ask to join."""
    return welcome(people.join(club, request.user, timezone.now()))


@action(club_or_404, account_first, limit="clubs")
def decline(request: UserRequest, club: Club) -> HttpResponse:
    """Decline an invitation, or withdraw a request to join."""
    people.decline(club, request.user)
    return redirect("clubs")


@action(club_or_404, account_first, limit="clubs")
def let_seat(request: UserRequest, club: Club) -> str:
    """Let the stewards seat one at club nights without asking, or no longer."""
    yes = request.POST.get("yes") == "1"
    people.let_seat(club, request.user, yes, timezone.now())
    if yes:
        return _("The stewards can seat you at club nights now.")
    return _("The stewards have to ask you now before each club night.")


@action(club_or_404, account_first, limit="clubs")
def leave(request: UserRequest, club: Club) -> HttpResponse:
    """Leave the club."""
    people.leave(club, request.user, timezone.now())
    messages.success(request, _("You’ve left %(club)s.") % {"club": club.name})
    return redirect("clubs")


class InvitedTo(NamedTuple):
    """What whoever has a link may know: a club, and who invites them there."""

    club: Club
    by: User | None
    token: str


def by_link(request: HttpRequest, slug: str, token: str) -> InvitedTo | HttpResponse:
    """The club to which an invitation link leads, by which anybody may join."""
    found = Club.objects.filter(slug=slug, invitation=token).first() if token.isalnum() and "\0" not in slug else None
    return invited_to(request, InvitedTo(found, found.invitation_by, token) if found else None)


def by_mail(request: HttpRequest, token: str) -> InvitedTo | HttpResponse:
    """The club to which the link of an invitation by mail leads, by which one person may join."""
    found = mail_invitations.find(token, timezone.now())
    return invited_to(request, InvitedTo(found.club, found.by, token) if found else None)


def invited_to(request: HttpRequest, found: InvitedTo | None) -> InvitedTo | HttpResponse:
    if found is None:
        return render(request, "clubs/stale_link.html", status=404)
    return redirect(found.club) if people.member(found.club, request.user) else found


def account_to_join(request: HttpRequest, here: str, new: str) -> HttpResponse | None:
    """Registered users go on; others sign up, and have joined when they come back."""
    elsewhere = account_first(request, here, new)
    if elsewhere:
        request.session[JOINS] = [request.path, timezone.now().timestamp()]
    return elsewhere


def said_yes(request: HttpRequest) -> bool:
    """Whether somebody has just said yes to this invitation and signed up since. Only once."""
    path, at = request.session.pop(JOINS, None) or ("", 0)
    return path == request.path and timezone.now().timestamp() < at + JOINS_S


def render_invitation(request: HttpRequest, found: InvitedTo, form: Form) -> HttpResponse:
    """What whoever has a link sees of a club, and its button to join."""
    if request.method == "GET" and request.user.is_authenticated and not request.user.guest and said_yes(request):
        try:
            throttle.count("clubs", request.user.pk)
            return accept(cast(UserRequest, request), found, form)
        except Refused as refusal:
            messages.error(request, str(refusal))
    context = {
        "club": found.club,
        "form": form,
        "invites": club_page.invites(found.club, found.by),
        "address": links.full(request.path),
    }
    return render(request, "clubs/invited.html", context)


def accept(request: UserRequest, found: InvitedTo, form: Form) -> HttpResponse:
    """Join the club to which one is invited."""
    messages.success(request, welcome(people.join(found.club, request.user, timezone.now(), found.token)))
    return redirect(found.club)


invited, mailed = (
    page(find, when_posted(account_to_join), limit="clubs", form=Form, show=render_invitation)(accept)
    for find in (by_link, by_mail)
)


def welcome(joined: Member | Asking) -> str:
    if isinstance(joined, Member):
        return _("Welcome to %(club)s.") % {"club": joined.club.name}
    return _("You’ve asked to join. A steward will answer.")


# The desk

desk_page = partial(page, club_or_404, sign_in_first)
at_desk = partial(action, club_or_404, sign_in_first, to="club_desk")


def link_of(club: Club) -> str:
    """The link by which anybody may join; empty if there is none."""
    return links.full(club.address("invited", club.invitation)) if club.invitation else ""


def render_desk(request: HttpRequest, club: Club, form: Form | None = None) -> HttpResponse:
    """The desk for the club's members and settings; `form`: one that was refused, or has an outcome to show."""
    link = link_of(club)
    may = people.rights(club, request.user)
    waiting = list(club.askings.select_related("user", "by").order_by("at", "pk"))
    context = {
        "club": club,
        "may": may,
        "rights": [WHAT[right] for right in may if right in WHAT],
        "link": link,
        "qr": qr_code(link) if link else "",
        "mailed": club.mailed.order_by("at", "pk"),
        "asking": [each for each in waiting if each.by_id is None],
        "invited": [each for each in waiting if each.by_id],
        "ladders": opening.open_of(club) if Right.LADDER in may else [],
        "members": club.members.count(),
        "expelled": club.expulsions.select_related("user", "by").order_by("-at", "-pk"),
        "announcements": club_page.announcements(club, all_of_them=True),
        "settings": ClubForm(club=club),
        "arms": ArmsForm(club=club),
        "invite": InviteForm(),
        "announcement": AnnouncementForm(club=club),
    }
    return render(request, "clubs/desk.html", context | ({form.name: form} if form else {}))


desk = desk_page(right=tuple(Right))(render_desk)


@at_desk(right=Right.CLUB, form=ClubForm, show=render_desk)
def change(request: UserRequest, club: Club, form: ClubForm) -> HttpResponse:
    """Change the club's description and settings."""
    told = form.told()
    told["slug"] = told["slug"] or club.slug
    changed = people.change(club, request.user, **told)
    messages.success(request, _("Settings saved."))
    return redirect(changed.address("club_desk"))


@at_desk(right=Right.CLUB, form=ArmsForm, show=render_desk)
def arms(request: UserRequest, club: Club, form: ArmsForm) -> str:
    """Choose the arms of the club."""
    people.choose_arms(club, request.user, form.told())
    return _("Settings saved.")


@at_desk(right=Right.PEOPLE, form=InviteForm, show=render_desk)
def invite(request: UserRequest, club: Club, form: InviteForm) -> HttpResponse:
    """Invite everybody on a pasted list. What went wrong stays in the form."""
    names = form.cleaned_data["names"]
    for _some in range(0, min(len(pasted.entries(names)), people.MOST_NAMES), NAMES_AT_ONCE):
        throttle.count("invitations", request.user.pk)
    result = people.invite(club, request.user, names, timezone.now())
    # If the mails are refused, those in the list who have an account are invited nevertheless.
    sent = mail_invitations.Mailed([], [], [])
    form.done([*result.unknown, *result.addresses], outcome(result, sent))
    if result.addresses:
        sent = mail_invitations.invite(club, request.user, result.addresses, timezone.now())
    form.done(result.unknown, outcome(result, sent))
    return render_desk(request, club, form)


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


def announcement_form(request: UserRequest, data: QueryDict, club: Club) -> AnnouncementForm:
    return AnnouncementForm(data, club=club)


@at_desk(right=Right.ANNOUNCEMENTS, limit="invitations", form=announcement_form, show=render_desk)
def announce(request: UserRequest, club: Club, form: AnnouncementForm) -> str:
    """Tell all members something."""
    people.announce(club, request.user, form.cleaned_data["text"], timezone.now(), public=form.public())
    return _("All members have been told.")


@at_desk(right=Right.ANNOUNCEMENTS)
def withdraw(request: UserRequest, club: Club, number: int) -> str:
    """Delete an announcement."""
    people.withdraw(club, request.user, number)
    return _("Announcement deleted.")


@at_desk(right=Right.PEOPLE)
def link(request: UserRequest, club: Club) -> None:
    """Make a new invitation link, or remove it."""
    make = people.no_link if request.POST.get("do") == "none" else people.new_link
    make(club, request.user)


@desk_page(right=Right.PEOPLE)
def poster(request: UserRequest, club: Club) -> HttpResponse:
    """The invitation link on a page for the printer."""
    if not club.invitation:
        raise Http404
    link = link_of(club)
    return render(request, "clubs/poster.html", {"club": club, "link": link, "qr": qr_code(link)})


@at_desk(right=Right.PEOPLE)
def withdraw_mail(request: UserRequest, club: Club, number: int) -> None:
    """Withdraw an invitation by mail."""
    mail_invitations.withdraw(club, request.user, number)


@at_desk(right=Right.PEOPLE)
def approve(request: UserRequest, club: Club, username: str) -> str:
    """Accept a request to join."""
    person = person_or_404(username)
    people.approve(club, request.user, person, timezone.now())
    return _("%(name)s is now a member.") % {"name": person.username}


@at_desk(right=Right.PEOPLE)
def reject(request: UserRequest, club: Club, username: str) -> str:
    """Reject a request to join, or withdraw an invitation."""
    person = person_or_404(username)
    people.reject(club, request.user, person, timezone.now())
    return _("%(name)s is no longer waiting to join.") % {"name": person.username}


@at_desk(right=Right.PEOPLE)
def readmit(request: UserRequest, club: Club, username: str) -> str:
    """Let somebody who was expelled join again."""
    person = person_or_404(username)
    people.readmit(club, request.user, person)
    return _("%(name)s can join again.") % {"name": person.username}


@at_desk(right=Right.CLUB, to="club_members")
def appoint(request: UserRequest, club: Club, username: str) -> str:
    """Make a member a steward."""
    person = person_or_404(username)
    people.appoint(club, request.user, person, timezone.now())
    return _("%(name)s is now a steward.") % {"name": person.username}


@at_desk(right=Right.CLUB, to="club_members")
def dismiss(request: UserRequest, club: Club, username: str) -> HttpResponse:
    """Make a steward an ordinary member."""
    person = person_or_404(username)
    people.dismiss(club, request.user, person)
    messages.success(request, _("%(name)s is no longer a steward.") % {"name": person.username})
    return redirect(club if person == request.user else club.address("club_members"))


def member_or_404(club: Club, username: str) -> Member:
    """The member of this name."""
    person = person_or_404(username)
    found = people.member(club, person)
    if found is None:
        raise Http404
    found.user = person
    return found


def rights_form(request: UserRequest, data: QueryDict | None, club: Club, username: str) -> RightsForm:
    member = member_or_404(club, username)
    if member.role == Member.Role.STEWARD:
        raise Http404
    return RightsForm(data, member=member)


def render_rights(request: UserRequest, club: Club, form: RightsForm, username: str) -> HttpResponse:
    return render(request, "clubs/rights.html", {"club": club, "person": form.member.user, "form": form})


@desk_page(right=Right.CLUB, form=rights_form, show=render_rights, to="club_members")
def rights(request: UserRequest, club: Club, form: RightsForm, username: str) -> str:
    """Give rights to an ordinary member, or take them away."""
    person, data = form.member.user, form.cleaned_data
    people.entitle(club, request.user, person, data["seen"], data["given"], timezone.now())
    return _("The rights of %(name)s are saved.") % {"name": person.username}


def expel_form(request: UserRequest, data: QueryDict | None, club: Club, username: str) -> ExpelForm:
    return ExpelForm(data, member=member_or_404(club, username))


def render_expel(request: UserRequest, club: Club, form: ExpelForm, username: str) -> HttpResponse:
    return render(request, "clubs/expel.html", {"club": club, "person": form.member.user, "form": form})


@desk_page(right=Right.PEOPLE, form=expel_form, show=render_expel, to="club_members")
def expel(request: UserRequest, club: Club, form: ExpelForm, username: str) -> str:
    """Expel a member, with a reason."""
    person = form.member.user
    people.expel(club, request.user, person, form.cleaned_data["reason"], timezone.now())
    return _("%(name)s is no longer a member.") % {"name": person.username}
