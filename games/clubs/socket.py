"""The sockets of a club's board, and of the comments on its events."""

from __future__ import annotations

from channels.db import database_sync_to_async
from django.http import Http404
from django.template.loader import render_to_string

from accounts.clubs import clubs
from accounts.models import Club, Member
from games.board.shown import comments
from games.clubs import board
from games.hub import metrics, nudges
from games.hub.page import NewsConsumer


class BoardConsumer(NewsConsumer):
    """The posts of one page, for a member: the first ones of the board, or (`?under=calendar/7`) the comments on
    something."""

    gauge = metrics.board_sockets
    redrawn = 0

    async def find_group(self) -> str | None:
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        self.under = self.query.get("under", "")
        found = await database_sync_to_async(self.found)()
        return nudges.board_group(found[0].pk) if found else None

    def found(self) -> tuple[Club, Member] | None:
        """The club, and the membership of the reader; None for everybody else, and once the club is closed."""
        club = clubs.find(self.slug, self.user)
        member = clubs.member(club, self.user) if club and club.closed_at is None else None
        return (club, member) if club and member else None

    def news(self) -> tuple[str | None, dict[str, str]]:
        found = self.found()
        if found is None:
            return None, {}
        club, member = found
        about: dict[str, object] = {"club": club, "user": self.user}
        if not self.under:
            shown = board.shown(club, member, "", "")
            return "", {"posts": render_to_string("board/posts.html", about | shown)}
        try:
            topic = board.topic(club, member.user, self.under)
        except Http404:
            return None, {}
        seen = comments(club, member, self.under, shut=topic.shut)
        return "", {"said": render_to_string("board/said.html", about | {"comments": seen})}
