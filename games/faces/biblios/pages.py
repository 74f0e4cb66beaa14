"""Biblios on the pages beside the table: its dice from afar, the figures of the rules and home pages, statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games.engine.biblios.options import REMOVED_AT_RANDOM, REMOVED_OF_EACH_GOLD, setup
from games.faces.biblios import terms
from games.faces.biblios.art import BACK, CATEGORIES, NAMES, card, card_label, die
from games.faces.face import CUSTOM

ARROWS = {"C+": ("+1", [""]), "C-": ("−1", ["down"]), "C++": ("+1", ["", ""]), "C--": ("−1", ["down", "down"])}
ARROWS["C+-"] = ("±1", ["either"])
"""The print of each Church card: the number, and each die with its arrow, as classes of the style sheet."""


def public_dice(options: Mapping[str, Any], moves: Iterable[str]) -> list[dict[str, Any]]:
    """The five dice, for `board/biblios/die.html`, after the moves of a log such as `dice M+`."""
    values = dict.fromkeys(CATEGORIES, options["start_die"])
    for move in moves:
        what, _space, change = move.partition(" ")
        if what == "dice" and change != "none":
            values[change[0]] += 1 if change[1] == "+" else -1
    return [die(f"{category}{value}") for category, value in values.items()]


def figure(code: str) -> dict[str, Any]:
    """The context of `board/biblios/card.html` for any card: `M2A`, `G3`, `C++`, or `back`."""
    label = card_label(code)
    if code == BACK:
        return {"back": True, "label": label}
    if code in ARROWS:
        value, dice = ARROWS[code]
        return {"category": "C", "art": "a-C", "name": NAMES["C"], "value": value, "dice": dice, "label": label}
    if code.startswith("G"):
        return {"category": "G", "symbol": "s-G", "art": f"a-{code}", "value": code[1], "label": label}
    return card(code)


def rules() -> dict[str, Any]:
    """The context of the rules page: figures, numbers for each number of players, presets and options in words."""
    game = terms.GAME
    return {
        "dice": [die(f"{category}3") for category in CATEGORIES],
        "cards": {code: figure(code) for code in ("S2H", "P3E", "G1", "G2", "G3", "F2I", BACK)},
        "lost": [figure(code) for code in ("M2C", "M3F", "M4H")],
        "won": [figure(code) for code in ("M2B", "M3E", "M4I")],
        "church": [figure(code) for code in ARROWS],
        "tables": [
            {
                "players": seats,
                "cards": seats + 1,
                "turns": setup(seats, game.options()).turns,
                "gold": 3 * REMOVED_OF_EACH_GOLD[seats],
                "random": REMOVED_AT_RANDOM[seats],
            }
            for seats in game.seats
        ],
        "presets": [{"name": preset.label, "text": preset.explanation} for preset in (*terms.PRESETS.values(), CUSTOM)],
        "options": [
            {
                "name": option.label,
                "values": [(name, option.explanation[value]) for value, name in option.values.items()],
            }
            for option in terms.CHOICES.values()
        ],
    }


def plate() -> dict[str, Any]:
    """The picture on the home page: five dice under their arcade, five cards before it."""
    return {
        "dice": [die(code) for code in ("M4", "P2", "H3", "S5", "F4")],
        "cards": [card(code) for code in ("M4I", "P3E", "H2H", "S1D", "F2I")],
    }


def shares(won: Mapping[str, int], games: int) -> dict[str, Any]:
    """The share of games in which each category was won: `won` counts by the letter of the die."""
    return {
        "shares": [
            (code, name, f"s-{code}", round(100 * (won.get(code, 0) / games))) for code, name in CATEGORIES.items()
        ]
    }
