"""The chat of a table, among its players."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Block
from accounts.refused import Refused
from games.hub import nudges
from games.matches import limits
from games.matches.models import ChatLine, Match, Seat
from games.matches.play import edited, locked

LONGEST = 200
"""The most characters of a line."""
SHOWN = 200
"""The most lines that a page shows, the latest: more would take long to draw, and to read."""


def say(match: Match, seat: Seat, text: str) -> ChatLine:
    """Say something at the table. Raises Refused with the reason."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not text:
        raise Refused(_("The message is empty."))
    if len(text) > LONGEST:
        raise Refused(_("A line has at most %(longest)s characters.") % {"longest": LONGEST})
    assert seat.user is not None
    limits.count("chat", seat.user)
    line = ChatLine.objects.create(match=match, user=seat.user, text=text)
    nudges.said(match.key)
    return line


def heard(match: Match, seat: Seat | None, after: int = 0) -> list[ChatLine]:
    """The latest lines after the one with the id `after` that a seat sees: none if muted, and none of people it blocks.

    Lines of those take no room of the `SHOWN` ones.
    """
    if seat is None or seat.muted:
        return []
    blocked = Block.objects.filter(user=seat.user_id).values("blocked")
    lines = match.chat.filter(pk__gt=after).exclude(user__in=blocked).select_related("user")
    return list(lines.order_by("-pk")[:SHOWN])[::-1]


def mute(match: Match, seat: Seat) -> None:
    """Mute the chat of this table, or unmute it."""
    with transaction.atomic():
        match = locked(match)
        seat = match.sitting[seat.index]
        seat.muted = not seat.muted
        seat.save(update_fields=["muted"])
        edited(match)
        nudges.changed(match.key)
