"""The sockets of ladders, and of the challenges on them."""

from __future__ import annotations

from collections.abc import Hashable

from channels.db import database_sync_to_async
from django.utils import timezone

from accounts.web.requests import whole
from games.hub import metrics, nudges
from games.hub.page import NewsConsumer
from games.ladders.models import Ladder
from games.ladders.pages import challenge as challenge_page
from games.ladders.pages import ladder as ladder_page


class LadderConsumer(NewsConsumer):
    """One page of a ladder (`?all=1`: with all its rungs), or of one of its challenges (`?challenge=ID`).

    The players of a challenge are led from its page to the table when that opens.
    """

    gauge = metrics.ladder_sockets
    redrawn = 6

    async def find_group(self) -> str | None:
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        self.number = self.scope["url_route"]["kwargs"]["number"]
        self.everything = bool(self.query.get("all"))
        self.challenge = whole(self.query.get("challenge", ""))
        self.match: int | None = None
        """The match that the challenge had led to when the page was opened."""
        self.first = True
        found = await self.ladder()
        return nudges.ladder_group(found.pk) if found else None

    @database_sync_to_async
    def ladder(self) -> Ladder | None:
        return ladder_page.find(self.slug, self.number, self.user)

    def shared(self) -> Hashable | None:
        return self.everything if self.challenge is None else None

    def news(self) -> tuple[str | None, dict[str, str]]:
        now = timezone.now()
        ladder = ladder_page.find(self.slug, self.number, self.user)
        if ladder is None:
            return None, {}
        if self.challenge is None:
            return "", ladder_page.regions(ladder_page.context(ladder, self.user, now, self.everything), self.user)
        challenge = challenge_page.challenges_of(ladder).filter(pk=self.challenge).first()
        if challenge is None:
            return None, {}
        sheet = challenge_page.sheet(challenge, self.user, now)
        opened = not self.first and challenge.match_id != self.match
        self.first, self.match = False, challenge.match_id
        if opened and challenge.match and sheet.me:
            return challenge.match.get_absolute_url(), {}
        return "", challenge_page.regions(sheet, self.user, now)
