"""The sockets of the lobby and of the waiting rooms."""

from __future__ import annotations

from collections.abc import Hashable

from games.hub import metrics, nudges
from games.hub.page import NewsConsumer
from games.lobby import page, quick


class LobbyConsumer(NewsConsumer):
    """One page of the lobby, or of a waiting room.

    `?room=KEY` in its address names the room, `?game=SLUG&bot=NAME` the title that it shows and the
    bot that it proposes. With `?since=MS`, when the page was
    made, it is led to any match of its user that has begun since then. With `?seeking=1` it is a page elsewhere, of
    somebody who looks for a quick match meanwhile; `&table=KEY` names the table that it shows. Every tick confirms the
    user's search.
    """

    gauge = metrics.lobby_sockets

    async def find_group(self) -> str:
        self.page = page.asked(self.query)
        return nudges.room_group(self.page.room) if self.page.room else nudges.LOBBY

    def shared(self) -> Hashable:
        return self.page.room, self.page.game.slug, self.page.bot, self.page.seeking

    def news(self) -> tuple[str | None, dict[str, str]]:
        return page.news(self.user, self.page)

    def stays(self) -> None:
        if self.user.is_authenticated:
            quick.touch(self.user)
