"""How long people look at what a bot has done."""

from __future__ import annotations

from collections.abc import Sequence

BEATS = {
    **dict.fromkeys(("turn", "pass", "none", "up", "down"), 0.1),
    **dict.fromkeys(("draw", "at", "peek", "lay", "keep"), 0.4),
    **dict.fromkeys(("shelve", "discard", "swap", "more"), 0.6),
    **dict.fromkeys(("send", "special", "lose", "back", "recall", "give"), 1.3),
}
"""After a move of these words; 1 after the others."""


def beats(moves: Sequence[str], seats: int) -> float:
    """How long people look at the last of these moves: see `Game.beats`."""
    return BEATS.get(moves[-1].partition(" ")[0], 1.0) if moves else 1.0
