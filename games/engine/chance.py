"""Chance is a function of the seed: whoever knows the seed can recompute every shuffle.

1. The server draws a secret of 32 bytes and publishes SHA-256(secret), the commitment, before the game.
2. Each player sends 16 random bytes; seed = HMAC-SHA-256(key: secret, message: these bytes in seat order).
   So neither the server nor a player can choose the shuffle. The secret is published after the game.
3. The stream of a label is the concatenation, for i = 0, 1, 2 ..., of
   HMAC-SHA-256(key: seed, message: label + "/" + i in decimal, in ASCII), read byte by byte.
4. A number below n (n at most 256) is the next byte b with b < 256 - 256 % n, modulo n; other bytes are skipped.
5. A shuffle of n things is Fisher and Yates' in Durstenfeld's form, from the end:
   for i = n - 1 down to 1, exchange thing i with thing (a number below i + 1).

Every browser has HMAC-SHA-256, so a page can verify a game. `tests/vectors/shuffle.json` holds examples.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence

SECRET_BYTES = 32
PLAYER_BYTES = 16


def commitment(secret: bytes) -> str:
    """SHA-256 of the server's secret, in hexadecimal: published before the game."""
    return hashlib.sha256(secret).hexdigest()


def mix(secret: bytes, players: Sequence[bytes]) -> bytes:
    """The seed (32 bytes) from the server's secret and 16 bytes from each player, in seat order.

    Raises ValueError for any other length: a shorter secret could be guessed from its commitment.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"the secret has {len(secret)} bytes; expected {SECRET_BYTES}")
    if any(len(part) != PLAYER_BYTES for part in players):
        raise ValueError(f"each player gives {PLAYER_BYTES} bytes; got {[len(part) for part in players]}")
    return hmac.digest(secret, b"".join(players), "sha256")


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
