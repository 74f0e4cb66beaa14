"""The feeds of a club as documents: Atom (RFC 4287), JSON Feed 1.1, and what a webhook is sent."""

from __future__ import annotations

import json
import re
from typing import Any

from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape, linebreaks

from accounts.models import Club
from accounts.text.plaintext import lines
from accounts.web import links
from games.feeds.models import Webhook
from games.feeds.news import NewsItem, speaking

LONGEST_CONTENT = 1900
"""Of a message to Discord, which takes 2,000 characters."""


def atom(club: Club, items: list[NewsItem], address: str) -> bytes:
    """The feed at `address`, as Atom. XML cannot say controls, so they are left out."""
    with speaking(club):
        feed = Atom1Feed(
            title=lines(club.name),
            subtitle=lines(club.description) or None,
            description=None,
            link=links.full(club.get_absolute_url()),
            feed_url=address,
            language=club.language or None,
            author_name=lines(club.name),  # RFC 4287, 4.1.1: a feed has an author, or each of its entries
        )
        for item in items:
            feed.add_item(
                unique_id=unique(club, item),
                title=lines(item.title),
                description=linebreaks(escape(lines(item.text))) if item.text else escape(lines(item.title)),
                link=links.full(item.page),
                pubdate=item.at,
                updateddate=item.at,
                categories=[item.topic],
            )
    return feed.writeString("utf-8").encode()


def json_feed(club: Club, items: list[NewsItem], address: str) -> bytes:
    """The feed at `address`, as JSON Feed."""
    document = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": club.name,
        "description": club.description,
        "home_page_url": links.full(club.get_absolute_url()),
        "feed_url": address,
        "authors": [{"name": club.name, "url": links.full(club.get_absolute_url())}],
        "items": [of_item(club, item) for item in items],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"


def of_item(club: Club, item: NewsItem) -> dict[str, Any]:
    """One thing, as JSON Feed has it."""
    return {
        "id": unique(club, item),
        "url": links.full(item.page),
        "title": item.title,
        "content_text": item.text or item.title,
        "date_published": item.at.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "tags": [item.topic],
    }


def message(webhook: Webhook, item: NewsItem) -> bytes:
    """What a webhook is sent."""
    club = webhook.club
    if webhook.format == Webhook.Format.JSON:
        document = {
            "type": item.topic,
            "timestamp": item.at.isoformat(timespec="seconds").replace("+00:00", "Z"),
            "data": {"club": {"name": club.name, "url": links.full(club.get_absolute_url())}, **of_item(club, item)},
        }
    else:
        said = [f"**{quoted(club.name)}**: {quoted(item.title)}"]
        said += [quoted(item.text)] if item.text and item.text != item.title else []
        text = "\n".join(said)[:LONGEST_CONTENT]
        # Nobody is called by it, whatever a name or a text says.
        document = {"content": f"{text}\n<{links.full(item.page)}>", "allowed_mentions": {"parse": []}}
    return json.dumps(document, ensure_ascii=False).encode()


def quoted(text: str) -> str:
    """A text as Discord shows it letter by letter: nothing in it becomes a link, a mention or a heading."""
    return re.sub(r"([\\*_~`|<>\[\]()#@:-])", r"\\\1", text)


def unique(club: Club, item: NewsItem) -> str:
    """The name of an item, the same wherever it is told, also if the club gets another address."""
    site = re.sub(r"^https?://", "", links.full("")).partition(":")[0]
    return f"tag:{site},2026:club/{club.pk}/{item.name}"
