"""How long people look at what a bot has done."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

DELAYS = {"keep": 0.6, "auction": 0.6, "public": 1.1, "take": 1.1, "dice": 1.0, "pay": 0.8, "refuse": 4.0}
BIDDING = 0.5
"""After the first answer to a lot ..."""
FASTER = 0.65
"""... and so much less after each further one, so that the bids of bots have a bound: one and a half."""


def bot_delay(moves: Sequence[str], seats: int) -> float:
    """How long people look at the last of these moves: see `Game.bot_delay`."""
    if not moves:
        return 1.0
    word = _word(moves[-1])
    return DELAYS[word] if word in DELAYS else BIDDING * FASTER ** (_answers(moves, seats) - 1)


def _answers(moves: Sequence[str], seats: int) -> int:
    """The number of bids and passes for the lot that is open after these moves, the last of which is one."""
    run = list(takewhile(("bid", "pass").__contains__, map(_word, reversed(moves))))[::-1]
    # A lot that somebody bids for ends with a payment; before it there may be lots that nobody wanted.
    passes = run.index("bid") if "bid" in run else len(run)
    return len(run) - passes // seats * seats


def _word(move: str) -> str:
    return move.partition(" ")[0]
