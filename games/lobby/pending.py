"""What waits for a person: a strip at the top of the lobby and of the first page of a club; elsewhere one line.

Each part of the site tells what it knows of (`register`), in the same few queries however much waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup

from accounts.models import Club, User
from accounts.web import datetimes
from accounts.web.requests import Visitor
from games.faces.paint import bdi, said
from games.faces.registry import preset_of
from games.lobby import invitations
from games.lobby.times import left, time_control
from games.matches import clocks
from games.matches.models import Match, Seat

MOST = 8
"""The most lines of the strip."""
ROWS = 50
"""The most things of one kind that are looked at."""


class Act(NamedTuple):
    """A button: what a person can do about it."""

    label: str
    address: str
    main: bool = False
    """Whether it is what they will most likely do."""
    posts: bool = False
    """Whether pressing it does something; otherwise it leads to a page."""
    answer: str = ""
    """What it then says, as the value of `answer`."""


@dataclass(frozen=True)
class PendingAction:
    """Something that waits for a person."""

    sentence: Markup
    acts: tuple[Act, ...]
    details: Sequence[str] = ()
    """Until when, what it costs not to answer, and the like: short."""
    until: datetime | None = None
    club: int | None = None
    """The id of the club that it concerns."""
    number: int = 1
    """How many things it stands for."""
    unasked: bool = False
    """Whether others may have it stand there for many people: it comes last."""
    shown_on: str = ""
    """The address of a page that shows it anyway: what waits is told there without it."""
    at_club: bool = False
    """Whether the first page of its club shows it anyway."""

    def at_club_of(self, club: Club) -> bool:
        """Whether the first page of this club shows it anyway."""
        return self.at_club and self.club == club.pk


Source = Callable[[User, datetime], list[PendingAction]]
_sources: list[Source] = []


def register(*sources: Source) -> None:
    """Let others tell what waits for registered users. In few queries, whoever it is."""
    _sources.extend(sources)


def actions(user: Visitor, now: datetime, club: Club | None = None) -> list[PendingAction]:
    """Everything that waits for a person: what concerns `club` first, then by what must be done soonest; last of all
    what is `unasked`."""
    if not user.is_authenticated:
        return []
    sources = [at_tables] if user.guest else [*_sources, at_tables]
    found = [action for source in sources for action in source(user, now)]
    here = club and club.pk
    return sorted(
        found,
        key=lambda action: (action.unasked, here and action.club != here, action.until is None, action.until or now),
    )


def strip(user: Visitor, now: datetime, club: Club | None = None, page: str = "") -> str:
    """The strip, as HTML; without anything in it if nothing waits. `club`: whose first page it is; `page`: its address
    if it is another."""
    found = [each for each in _but_on(page, actions(user, now, club)) if not (club and each.at_club_of(club))]
    shown = {"waits": found[:MOST], "number": _number(found), "more": len(found) - MOST}
    return render_to_string("lobby/waits.html", shown)


def line(user: Visitor, now: datetime, page: str = "") -> str:
    """How many things wait, as a line of HTML that leads to the strip, with the same id; empty if nothing does."""
    return render_to_string("lobby/waits_line.html", {"number": _number(_but_on(page, actions(user, now)))})


def _but_on(page: str, found: list[PendingAction]) -> list[PendingAction]:
    """Those that this page does not show anyway."""
    return [action for action in found if not page or action.shown_on != page]


def _number(found: list[PendingAction]) -> int:
    return sum(action.number for action in found)


def until(deadline: datetime, now: datetime) -> list[str]:
    """When something must be done, and how long that is from now."""
    return [said(_("until %(time)s"), time=datetimes.moment(deadline)), left(deadline, now)]


def at_tables(user: User, now: datetime) -> list[PendingAction]:
    """Tables to which a person is invited, and those that wait for their answer."""
    return [*_challenged(user), *_asked(user, now)]


def _challenged(user: User) -> list[PendingAction]:
    return [
        PendingAction(
            said(
                _("%(name)s challenges you to a game of %(game)s."), name=bdi(match.host.username), game=match.game_name
            ),
            (
                Act(_("Decline"), reverse("answer_challenge", args=[match.key]), posts=True, answer="decline"),
                Act(_("Accept"), reverse("answer_challenge", args=[match.key]), True, True, "accept"),
            ),
            details=(
                ngettext("%(players)d player", "%(players)d players", match.places) % {"players": match.places},
                time_control(match.clock),
                str(preset_of(match.rules, match.options).label),
                _("rated") if match.rated else _("casual"),
            ),
        )
        for match in invitations.of(user)[:ROWS]
    ]


def _asked(user: User, now: datetime) -> list[PendingAction]:
    asked = Q(match__status=Match.Status.RUNNING, match__mover=F("index"))
    again = Q(match__status=Match.Status.OPEN, match__rematch_of__isnull=False, ready=False)
    # From the few running matches to their seats: busy players have many seats.
    alive = Match.objects.filter(status__in=(Match.Status.OPEN, Match.Status.RUNNING))
    mine = Seat.objects.filter(asked | again, match__in=alive, user=user, left="").select_related("match__host")
    seats = list(mine.defer("match__secret", "match__link").order_by("match__asked_at", "pk")[:ROWS])
    found = [
        PendingAction(
            said(
                _("%(name)s wants to play %(game)s again."),
                name=bdi(seat.match.host.username),
                game=seat.match.game_name,
            ),
            (Act(_("To the table"), seat.match.get_absolute_url(), True),),
            shown_on=reverse("lobby"),
        )
        for seat in seats
        if seat.match.status == Match.Status.OPEN
    ]
    turns = [(answer_by(seat), seat.match) for seat in seats if seat.match.status == Match.Status.RUNNING]
    if turns:
        deadline, match = min(turns, key=lambda turn: (turn[0] is None, turn[0] or now))
        text = ngettext("It’s your turn at %(number)s table.", "It’s your turn at %(number)s tables.", len(turns))
        acts = (Act(_("To the table"), match.get_absolute_url(), True),)
        details = [match.game_name, *([left(deadline, now)] if deadline else [])]
        sentence, number = said(text, number=len(turns)), len(turns)
        found.append(PendingAction(sentence, acts, details, deadline, number=number, shown_on=reverse("lobby")))
    return found


def answer_by(seat: Seat) -> datetime | None:
    """When the player of a seat that has the turn must have answered; None without a clock."""
    match = seat.match
    if match.asked_at is None or seat.plays_itself:
        return None
    ms = clocks.deadline(match.clock, clocks.ms_of(match.asked_at), seat.bank_ms)
    return None if ms is None else clocks.instant(ms)
