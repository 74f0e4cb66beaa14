"""The sockets of what tells somebody of notices: the bell in the header of every page, and their private messages."""

from __future__ import annotations

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html

from accounts.notices import notices
from games.hub import metrics, nudges
from games.hub.page import News, NewsConsumer


class BellConsumer(NewsConsumer):
    """The bell of one page: the number of notices that the reader has not seen, the sentence of a new one, and the line
    of one that calls them to a table."""

    gauge = metrics.bell_sockets
    redrawn = 0

    async def find_group(self) -> str | None:
        self.newest: int | None = None
        self.sentence = ""
        return nudges.bell_group(self.user.pk) if self.user.is_authenticated and not self.user.guest else None

    def news(self) -> News:
        assert self.user.is_authenticated
        unseen = notices.unseen(self.user)
        news = max(unseen, key=lambda notice: notice.pk, default=None)
        if news and self.newest is not None and news.pk > self.newest:
            self.sentence = notices.in_text(news)
        self.newest = max(self.newest or 0, news.pk if news else 0)
        shown = {"bell": notices.Bell(len(unseen)), "newest": news}
        bell = render_to_string("accounts/notices/bell_number.html", shown)
        call = notices.call(unseen, timezone.now())
        line = render_to_string("accounts/notices/call.html", {"call": call, "says": call and notices.in_text(call)})
        return "", {"bell": bell, "call": line} | self.spoken()

    def spoken(self) -> dict[str, str]:
        """What is read out: what stands there when the page comes is no news."""
        said = format_html('<span id="bell-news" hx-swap-oob="innerHTML">{}</span>', self.sentence)
        return {"bell-news": said} if self.sentence else {}
