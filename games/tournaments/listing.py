"""The list of a club's nights and tournaments: open for entry, running, over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator

from accounts.clubs import clubs
from accounts.models import Club, Member
from accounts.shown import people_shown
from accounts.web.requests import Visitor
from games.matches.clocks import instant
from games.tournaments import shown
from games.tournaments.models import Tournament

A_PAGE = 20
"""The number of those that are over on a page."""
MOST_WINNERS = 3
"""How many can share the first place and still be called winners."""


class ListedTournament(NamedTuple):
    """A night or a tournament in the list."""

    tournament: Tournament
    at: datetime
    """When it starts or was opened, when it began, or when it ended."""
    people: int
    """How many take part, or took part."""
    most: int
    """How many can; 0 if there is no other bound than that of all."""
    rounds: int
    winners: tuple[str, ...]
    """Their names; none if too many share the first place."""


class Lists(NamedTuple):
    """What a page of the list shows."""

    open: list[ListedTournament]
    """Those that have not begun, the first to start first."""
    running: list[ListedTournament]
    """The last to begin first."""
    over: list[ListedTournament]
    """The last to end first."""
    page: Page[Tournament]
    """Of those that are over."""


def lists(club: Club, user: Visitor, number: str, now: datetime) -> Lists:
    """The lists of a club; those that go on stand on the first page of those that are over only."""
    every = club.tournaments.select_related("club", "calendar")
    page = Paginator(every.exclude(closed_at=None).order_by("-closed_at", "-number"), A_PAGE).get_page(number)
    going = [*every.filter(closed_at=None)] if page.number == 1 else []
    found = _listed([*going, *page.object_list], user, clubs.member(club, user), now)
    going_on = [each for each in found if each.tournament.closed_at is None]
    return Lists(
        sorted((each for each in going_on if not each.rounds), key=lambda each: each.at),
        sorted((each for each in going_on if each.rounds), key=lambda each: each.at, reverse=True),
        [each for each in found if each.tournament.closed_at],
        page,
    )


def _listed(rows: Sequence[Tournament], user: Visitor, member: Member | None, now: datetime) -> list[ListedTournament]:
    pages = shown.all_shown(rows, user, now, member)
    people = people_shown({player for page in pages for player in page.standing.entrants})
    found = []
    for row, page in zip(rows, pages, strict=True):
        page.shown = people  # read once for all of them
        standing = page.standing
        played = {player for each in standing.rounds for table in each.tables for player in table.players}
        begun = instant(standing.rounds[0].at if standing.rounds else standing.opened)
        starts = page.calendar.starts_at if page.calendar and not standing.rounds else begun
        most = (page.calendar and page.calendar.most) or 0
        taking_part = len(played) if row.closed_at else len(standing.here)
        winners = page.winners if len(page.winners) <= MOST_WINNERS else ()
        found.append(ListedTournament(row, row.closed_at or starts, taking_part, most, len(standing.rounds), winners))
    return found
