"""Chance is a function of the seed: whoever knows the seed can recompute every shuffle.

1. The server draws a secret of 32 bytes and publishes SHA-256(secret), the commitment, before it is given anything.
2. Each player's browser draws 16 bytes, the share of its seat, and publishes their seal: SHA-256 of "seal", the name of
   the match, the seat in decimal and the share, as `seal` writes them. The shares are given only when all seals are
   public. The share of a seat without one follows from the secret, so that it was fixed by the commitment: the first 16
   bytes of HMAC-SHA-256(key: secret, message: "seat 0").
3. seed = HMAC-SHA-256(key: secret, message: the shares in seat order, then what a beacon said if one was asked).
   The secret is published after the game. What that proves, `games/matches/shuffle.py` says.
4. The stream of a label is the concatenation, for i = 0, 1, 2 ..., of
   HMAC-SHA-256(key: seed, message: label + "/" + i in decimal, in ASCII), read byte by byte.
5. A number below n (n at most 256) is the next byte b with b < 256 - 256 % n, modulo n; other bytes are skipped.
6. A shuffle of n things is Fisher and Yates' in Durstenfeld's form, from the end:
   for i = n - 1 down to 1, exchange thing i with thing (a number below i + 1).

Every browser has HMAC-SHA-256, so a page can verify a game. `tests/vectors/` holds examples.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence

SECRET_BYTES = 32
SHARE_BYTES = 16


def commitment(secret: bytes) -> str:
    """SHA-256 of the server's secret, in hexadecimal: published before the game."""
    return hashlib.sha256(secret).hexdigest()


def seal(match: str, seat: int, share: bytes) -> str:
    """What hides the share of a seat and fixes it, in hexadecimal."""
    return hashlib.sha256(f"seal {match} {seat}\n".encode() + share).hexdigest()


def site_share(secret: bytes, seat: int) -> bytes:
    """The share of a seat for which no browser gives one: the commitment has fixed it."""
    return hmac.digest(secret, f"seat {seat}".encode(), "sha256")[:SHARE_BYTES]


def mix(secret: bytes, shares: Sequence[bytes], beacon: bytes = b"") -> bytes:
    """The seed (32 bytes) from the server's secret, the shares of all seats in order, and what a beacon said.

    Raises ValueError for any other length: a shorter secret could be guessed from its commitment.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"the secret has {len(secret)} bytes; expected {SECRET_BYTES}")
    if any(len(share) != SHARE_BYTES for share in shares):
        raise ValueError(f"each seat has a share of {SHARE_BYTES} bytes; got {[len(share) for share in shares]}")
    return hmac.digest(secret, b"".join(shares) + beacon, "sha256")


def block(seed: bytes, label: str, index: int) -> bytes:
    """Bytes 32 * index to 32 * index + 31 of the stream of `label`."""
    return hmac.digest(seed, f"{label}/{index}".encode(), "sha256")


def stream(seed: bytes, label: str) -> Iterator[int]:
    """The endless stream of `label`: independent, uniform bytes."""
    index = 0
    while True:
        yield from block(seed, label, index)
        index += 1


def below(n: int, bytes_: Iterator[int]) -> int:
    """A number from 0 to n - 1 (n at most 256), each equally likely."""
    if not 0 < n <= 256:
        raise ValueError(f"{n} numbers cannot be drawn from a byte; expected 1 to 256")
    limit = 256 - 256 % n
    for byte in bytes_:
        if byte < limit:
            return byte % n
    raise ValueError("the stream of bytes ended")


def shuffled(seed: bytes, label: str, things: Sequence[int]) -> tuple[int, ...]:
    """The things (at most 256) in random order, each order equally likely."""
    bytes_ = stream(seed, label)
    order = list(things)
    for i in range(len(order) - 1, 0, -1):
        j = below(i + 1, bytes_)
        order[i], order[j] = order[j], order[i]
    return tuple(order)
