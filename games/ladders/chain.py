"""The hash chain of a ladder's events.

link = SHA-256(previous link, all columns of the event); before the first event it is the SHA-256 of the ladder's
`origin`, 16 random bytes, so that no link can be guessed from what may have happened. The link of the last event is the
head of the ladder.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from games.matches.chain import canonical, name_hash

if TYPE_CHECKING:
    from accounts.models import User
    from games.ladders.models import Ladder, LadderEvent

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def first_link(ladder: Ladder) -> bytes:
    """The link before event 0."""
    return begun(bytes(ladder.origin))


def begun(origin: bytes) -> bytes:
    """The link before event 0 of the ladder of this origin."""
    return hashlib.sha256(origin).digest()


def columns_of(event: LadderEvent) -> dict[str, Any]:
    """Everything of an event that its link covers."""
    return {
        "number": event.number,
        "kind": event.kind,
        "at": microseconds(event.at),
        "by": event.by_id,
        "data": event.data,
        "reason": event.reason,
        "steps": event.steps,
    }


def next_link(link: bytes, event: LadderEvent) -> bytes:
    """The link of an event that follows the one with this link."""
    return linked(link, columns_of(event))


def linked(link: bytes, columns: dict[str, Any]) -> bytes:
    """The link of an event with these columns that follows the one with this link."""
    return hashlib.sha256(link + canonical(columns)).digest()


def name_of(user: User) -> str:
    """How the events have the name of a person: it can be forgotten with the salt, and the chain still holds."""
    return name_hash(bytes(user.salt), user.username)


def microseconds(at: datetime) -> int:
    """A moment, as the links have it: microseconds since 1970."""
    return (at - EPOCH) // MICROSECOND
