"""The sockets of tournaments."""

from __future__ import annotations

from collections.abc import Hashable

from channels.db import database_sync_to_async
from django.utils import timezone

from games.hub import metrics, nudges
from games.hub.page import NewsConsumer
from games.lobby import page as lobby
from games.tournaments import page, shown
from games.tournaments.models import Tournament


class TournamentConsumer(NewsConsumer):
    """One page of an evening (`?since=MS`: when it was made), or the one on the wall (`?wall=1`).

    The players are led from their page to any match of theirs that has begun since.
    """

    gauge = metrics.tournament_sockets

    async def find_group(self) -> str | None:
        kwargs = self.scope["url_route"]["kwargs"]
        self.slug, self.number = kwargs["slug"], kwargs["number"]
        self.wall = "wall" in self.query
        self.redrawn = 1 if self.wall else 3
        self.since = lobby.moment(self.query.get("since", ""))
        found = await self.tournament()
        return nudges.tournament_group(found.pk) if found else None

    @database_sync_to_async
    def tournament(self) -> Tournament | None:
        return page.find(self.slug, self.number, self.user)

    def shared(self) -> Hashable:
        return self.wall

    def news(self) -> tuple[str | None, dict[str, str]]:
        tournament = page.find(self.slug, self.number, self.user)
        if tournament is None:
            return None, {}
        if not self.wall and (match := lobby.begun(self.user, self.since, event=tournament.page)):
            return match.get_absolute_url(), {}
        found = shown.shown(tournament, self.user, timezone.now())
        return "", page.wall(found) if self.wall else shown.regions(found)
