"""The chat of a table: among those who play there."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts import throttle
from games import live
from games.models import ChatLine, Match, Seat
from games.services.play import Refused

LONGEST = 200
LINES, SECONDS = 6, 20
"""So many lines in so many seconds, and no more, may one say at a table."""


def say(match: Match, seat: Seat, text: str) -> ChatLine:
    """Say something at the table. Raises Refused with the reason."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not text:
        raise Refused(_("There is nothing to say in that line."))
    if len(text) > LONGEST:
        raise Refused(_("A line has at most %(longest)s characters.") % {"longest": LONGEST})
    if throttle.counted(f"chat:{match.pk}:{seat.user_id}", SECONDS) > LINES:
        raise Refused(_("That was a lot at once. Wait a moment, then write on."))
    line = ChatLine.objects.create(match=match, user=seat.user, text=text)
    live.changed(match)
    return line


def heard(match: Match, seat: Seat | None, after: int = 0) -> list[ChatLine]:
    """The lines after the one with the id `after` that a seat hears: none if muted, none of whom it blocks."""
    if seat is None or seat.muted:
        return []
    lines = match.chat.filter(pk__gt=after).exclude(user__blocked_by__user=seat.user_id)
    return list(lines.select_related("user").order_by("pk"))


def mute(seat: Seat) -> None:
    """Hear the chat of this table no more, or again."""
    seat.muted = not seat.muted
    seat.save(update_fields=["muted"])
