"""The hash chain of a log, which even a viewer of a redacted log can verify.

link = SHA-256(previous link, ply, seat, public part, SHA-256(salt, private part)); the first link follows from the
header with the commitment. The salt of a ply follows from the seed, so that a private part cannot be guessed from its
hash. The public part is the move as everybody reads it; the private part is the rest.

Match.link is the last link. Each row of the log keeps a seal made of its link and its own columns: the first row that
was touched is found, whichever column it was.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from games.engine import chance


def first_link(header: dict[str, Any]) -> bytes:
    """The link before ply 0. `header`: everything that was fixed when the match began, with the commitment."""
    text = json.dumps(header, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).digest()


def next_link(link: bytes, seed: bytes, ply: int, seat: int, public: str, private: str = "") -> bytes:
    """The link of the row at `ply`. `seed` gives its salt."""
    salt = chance.block(seed, "salt", ply)
    hidden = hashlib.sha256(salt + private.encode()).digest()
    return joined(link, ply, seat, public, hidden)


def joined(link: bytes, ply: int, seat: int, public: str, hidden: bytes) -> bytes:
    """The link of a row from what every viewer is given: the hash of the private part instead of the part itself."""
    return hashlib.sha256(link + f"{ply} {seat} {public}\n".encode() + hidden).digest()


def seal(link: bytes, by: int, at: int) -> bytes:
    """The 8 bytes that a row of the log keeps, made of its link and of the columns that are not part of the chain."""
    return hashlib.sha256(link + f"{by:d} {at}\n".encode()).digest()[:8]
