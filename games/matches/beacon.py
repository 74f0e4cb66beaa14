"""A beacon that nobody at the table controls: an address where a new random number appears every few seconds.

It speaks as drand does (version 1 of its HTTP API): `<chain>/public/<round>` is a JSON object with the number of the
`round`, its `randomness` and a `signature`, both in hexadecimal. The randomness is SHA-256 of the signature, which is
checked; the signature itself is not. Round 1 was said at the chain's genesis, and one more follows in each period.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Timer
from urllib.parse import urlsplit

from django.conf import settings

AHEAD_MS = 1000
"""A round must be this far ahead when it is chosen, in case the clock of the site is slow."""
MOST_MS = 10_000
"""How long a match waits for its round, from the choice on. Rounds are at most 5 s apart (settings.py)."""
TIMEOUT_S = 2.0
"""How long one answer may take, and before it the connection."""
MOST_BYTES = 4096
"""How long it may be; those of drand have a few hundred bytes."""


class Silent(Exception):
    """The beacon did not answer, or not with the round that it was asked for."""


def coming(at: int) -> str:
    """The address of the next round that nobody knows at this time (ms); empty if the site asks no beacon."""
    if not settings.BEACON:
        return ""
    url, genesis, period = settings.BEACON
    number = (at + AHEAD_MS - 1000 * genesis) // (1000 * period) + 2
    return f"{url}/public/{number}"


def is_due(address: str, at: int) -> bool:
    """Whether this round has been said by that time (ms), and the site asks a beacon."""
    if not settings.BEACON:
        return False
    _url, genesis, period = settings.BEACON
    return at >= 1000 * (genesis + period * (number_of(address) - 1))


def number_of(address: str) -> int:
    """The number of the round at this address."""
    return int(address.rpartition("/")[2])


def ask(address: str) -> str:
    """The 32 bytes that the beacon said in this round, in hexadecimal. Raises Silent. Follows no redirect."""
    try:
        told = json.loads(_get(address))
        number, randomness = told["round"], bytes.fromhex(told["randomness"])
        signature = bytes.fromhex(told["signature"])
    except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError) as error:
        raise Silent(f"no answer: {type(error).__name__} {error}") from error
    if number != number_of(address):
        raise Silent("it told of another round")
    if hashlib.sha256(signature).digest() != randomness:
        raise Silent("the randomness is not the hash of the signature")
    return randomness.hex()


def _get(address: str) -> bytes:
    parts = urlsplit(address)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.netloc, timeout=TIMEOUT_S)
    connection.connect()
    # The timeout is for each piece that arrives; this is for all of them.
    hangs_up = Timer(TIMEOUT_S, _hang_up, [connection.sock])
    hangs_up.start()
    try:
        connection.request("GET", parts.path, headers={"Accept": "application/json"})
        response = connection.getresponse()
        body = response.read(MOST_BYTES + 1)
        if response.status != 200 or len(body) > MOST_BYTES:
            raise ValueError(f"status {response.status}, {len(body)} bytes")
        return body
    finally:
        hangs_up.cancel()
        connection.close()


def _hang_up(sock: socket) -> None:
    with suppress(OSError):  # it has just been closed
        # Below TLS: another thread still reads from that.
        socket.shutdown(sock, SHUT_RDWR)
