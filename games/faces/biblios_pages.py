"""What the quiet pages show of Biblios: the dice of a table from afar, the figures of the rules page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games.faces.biblios import CATEGORIES, die


def public_dice(options: Mapping[str, Any], moves: Iterable[str]) -> list[dict[str, Any]]:
    """The five dice, for `games/biblios/die.html`, after the moves of a log such as `dice M+`; others are left out."""
    values = dict.fromkeys(CATEGORIES, options["start_die"])
    for move in moves:
        what, _, change = move.partition(" ")
        if what == "dice" and change != "none":
            values[change[0]] += 1 if change[1] == "+" else -1
    return [die(f"{category}{value}") for category, value in values.items()]
