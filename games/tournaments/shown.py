"""Any tournament as one person sees it, by its kind."""

from __future__ import annotations

from datetime import datetime

from django.template.loader import render_to_string

from accounts.clubs import clubs
from accounts.web.requests import Visitor
from games.lobby import pending
from games.tournaments import events, page
from games.tournaments.arena import ArenaPage
from games.tournaments.contest import TournamentPage
from games.tournaments.grouped import GroupsPage
from games.tournaments.models import Tournament
from games.tournaments.page import EventPage
from games.tournaments.same_deal import SameDealPage

Kind = Tournament.Kind

PAGES: dict[str, type[EventPage]] = {
    Kind.EVENING: EventPage,
    Kind.DUPLICATE: SameDealPage,
    Kind.DEAL: SameDealPage,
    Kind.ARENA: ArenaPage,
    Kind.GROUPS: GroupsPage,
}
"""By kind; the others are a `TournamentPage`."""


def shown(tournament: Tournament, user: Visitor, now: datetime) -> EventPage:
    """A tournament as one person sees it."""
    standing, member = events.standing(tournament), clubs.member(tournament.club, user)
    return page_class(tournament)(tournament, standing, user, now, member)


def page_class(tournament: Tournament) -> type[EventPage]:
    """What shows a tournament of this kind."""
    return PAGES.get(tournament.kind, TournamentPage)


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
