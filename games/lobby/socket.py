"""The sockets of the lobby and of the waiting rooms."""

from __future__ import annotations

from games.hub import metrics, nudges
from games.hub.page import NewsConsumer
from games.lobby import page as lobby
from games.lobby import quick


class LobbyConsumer(NewsConsumer):
    """One page of the lobby, or of a waiting room.

    `?room=KEY` in its address names the room. With `?since=MS`, when the page was made, it is led to any match of its
    user that has begun since then. With `?seeking=1` it is a page elsewhere, of somebody who looks for a quick match
    meanwhile; `&table=KEY` names the table that it shows. Every tick confirms the user's search.
    """

    gauge = metrics.lobby_sockets

    async def find_group(self) -> str:
        self.room = self.query.get("room", "")
        self.since = lobby.moment(self.query.get("since", ""))
        self.seeking = "seeking" in self.query
        self.table = self.query.get("table", "")
        return nudges.room_group(self.room) if self.room else nudges.LOBBY

    def news(self) -> tuple[str | None, dict[str, str]]:
        return lobby.news(self.user, self.room, self.since, self.seeking, self.table)

    def stays(self) -> None:
        if self.user.is_authenticated:
            quick.touch(self.user)
