"""The hash chain of a log, which everybody who may see a match can follow while it is played.

The first link is SHA-256 of the header in canonical JSON; the header has everything that was fixed when the match
began. Each row of the log is a line, and the next link is SHA-256(previous link, line):

    17 0 0 1795363200000 pass
    18 1 0 1795363204500 pay #<64 hexadecimal digits>

ply, seat, by (`LogEntry.By`), time in milliseconds since 1970, and the move as everybody reads it. Where that is not
the whole move, the hash of the whole one follows: SHA-256(salt of the ply, move). The salt follows from the seed, which
nobody knows before the end, so that no move can be guessed from its hash.

Match.link is the last link. One row of sixteen keeps the first bytes of its own, so that it can be told where a row was
touched. docs/chain.md tells it for people who check a game themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from accounts.journal.chain import canonical
from games.engine import chance

if TYPE_CHECKING:
    from accounts.models import User

KEPT_BYTES, KEPT_EVERY = 8, 16
"""So many bytes of its link are kept in one of so many rows of the log."""
SALT_BYTES = 16
RECEIPT = "armarium-receipt/1"
"""The format of a receipt: see `games.transparency.receipt`."""


def first_link(header: dict[str, Any]) -> bytes:
    """The link before ply 0. `header`: everything that was fixed when the match began, with the commitment."""
    return hashlib.sha256(canonical(header)).digest()


def line(seed: bytes, ply: int, seat: int, by: int, at: int, move: str, public: str) -> str:
    """A row of the log as everybody is given it. `public` is what others read of the move."""
    text = f"{ply} {seat} {by:d} {at} {public}"
    if public == move:
        return text
    return f"{text} #{hashlib.sha256(chance.block(seed, 'salt', ply) + move.encode()).hexdigest()}"


def next_link(link: bytes, line: str) -> bytes:
    """The link of the row with this line."""
    return hashlib.sha256(link + line.encode()).digest()


def links(header: dict[str, Any], lines: Iterable[str]) -> list[bytes]:
    """The first link, and that of each of these rows."""
    found = [first_link(header)]
    for each in lines:
        found.append(next_link(found[-1], each))
    return found


def kept(ply: int, link: bytes) -> bytes | None:
    """What the row at `ply` keeps of its link."""
    return link[:KEPT_BYTES] if ply % KEPT_EVERY == KEPT_EVERY - 1 else None


def name_hash(salt: bytes, name: str) -> str:
    """How the header has the name of a person: it can be forgotten with its salt, and the chain still holds."""
    return hashlib.sha256(salt + name.encode()).hexdigest()


def name_of(user: User) -> str:
    """How the events of a ladder have the name of a person: likewise."""
    return name_hash(bytes(user.salt), user.username)
