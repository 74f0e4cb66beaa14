"""Any tournament as one person sees it, by its kind."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.template.loader import render_to_string

from accounts.clubs import clubs
from accounts.models import Member
from accounts.web.requests import Visitor
from games.lobby import pending
from games.tournaments import deals, events, page, placepoints, plan
from games.tournaments.arena import ArenaPage
from games.tournaments.contest import TournamentPage
from games.tournaments.doubled import DoublePage
from games.tournaments.grouped import GroupsPage
from games.tournaments.models import Tournament
from games.tournaments.page import EventPage
from games.tournaments.same_deal import SameDealPage, percent
from games.tournaments.standing import TournamentStanding
from games.tournaments.teamed import TeamsPage

Kind = Tournament.Kind

PAGES: dict[str, type[EventPage]] = {
    Kind.EVENING: EventPage,
    Kind.DUPLICATE: SameDealPage,
    Kind.DEAL: SameDealPage,
    Kind.ARENA: ArenaPage,
    Kind.DOUBLE: DoublePage,
    Kind.GROUPS: GroupsPage,
    Kind.TEAMS: TeamsPage,
}
"""By kind; the others are a `TournamentPage`."""


def shown(tournament: Tournament, user: Visitor, now: datetime) -> EventPage:
    """A tournament as one person sees it."""
    return all_shown([tournament], user, now, clubs.member(tournament.club, user))[0]


def all_shown(
    tournaments: Sequence[Tournament], user: Visitor, now: datetime, member: Member | None
) -> list[EventPage]:
    """Tournaments of a club as one person sees them, who is this `member` of it or none. One query."""
    standings = events.standings(tournaments)
    return [PAGES.get(each.kind, TournamentPage)(each, standings[each.pk], user, now, member) for each in tournaments]


class FinalPlace(NamedTuple):
    """A line of a final table."""

    group: int
    """Which table, from 1: in a box league that of their box."""
    place: int
    player: int
    points: str
    """As its page says them."""


def final(standing: TournamentStanding) -> list[FinalPlace]:
    """The table of a tournament that is over, or ends as it stands; of teams that of their players."""
    if standing.kind == Kind.EVENING:
        table = placepoints.table(standing)
        return [FinalPlace(1, row.place, row.player, page.shown_points(row.points)) for row in table]
    if standing.kind in Tournament.SAME_DEAL:
        return [FinalPlace(1, row.place, row.player, percent(row.percent)) for row in deals.table(standing)]
    groups = plan.of(standing).tables(standing) if standing.groups else ()
    return [
        FinalPlace(number, row.place, row.player, page.shown_points(row.points))
        for number, group in enumerate(groups, 1)
        for row in plan.rows(standing, group)
    ]


def regions(found: EventPage) -> dict[str, str]:
    """The changing parts of its page, as HTML, by id."""
    if not isinstance(found, TournamentPage):
        return page.regions(found)
    context = {"contest": found, "evening": found, "user": found.user}
    drawn = {
        f"contest-{name}": render_to_string(f"tournaments/{found.own.get(name, 'contest')}_{name}.html", context)
        for name in ("me", "next", "tables", "places", "people")
    }
    return {"waits": pending.line(found.user, found.now, found.tournament.get_absolute_url()), **drawn}
