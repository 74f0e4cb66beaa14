"""The hash chain of a journal's rows. Pure.

link = SHA-256(previous link, all columns of the row in canonical JSON); before the first row it is the SHA-256 of the
`origin`, 16 random bytes, so that no link can be guessed from what may have happened. The link of the last row is the
head.
"""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def canonical(value: object) -> bytes:
    """A value as JSON with the keys in order, without spaces, in UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def first_link(origin: bytes) -> bytes:
    """The link before row 0 of the journal of this origin."""
    return hashlib.sha256(origin).digest()


def next_link(link: bytes, columns: dict[str, Any]) -> bytes:
    """The link of a row with these columns that follows the one with this link."""
    return hashlib.sha256(link + canonical(columns)).digest()


def microseconds(at: datetime) -> int:
    """A moment, as the links have it: microseconds since 1970."""
    return (at - EPOCH) // MICROSECOND
