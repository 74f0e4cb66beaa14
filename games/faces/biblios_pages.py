"""What the quiet pages show of Biblios: the dice of a table from afar, the figures of the rules page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.faces.biblios import CATEGORIES, card, die

CHURCH = {"C+": ("+1", [""]), "C-": ("−1", ["dn"]), "C++": ("+1", ["", ""]), "C--": ("−1", ["dn", "dn"])}
CHURCH["C+-"] = ("±1", ["alt"])


def public_dice(options: Mapping[str, Any], moves: Iterable[str]) -> list[dict[str, Any]]:
    """The five dice, for `games/biblios/die.html`, after the moves of a log such as `dice M+`; others are left out."""
    values = dict.fromkeys(CATEGORIES, options["start_die"])
    for move in moves:
        what, _space, change = move.partition(" ")
        if what == "dice" and change != "none":
            values[change[0]] += 1 if change[1] == "+" else -1
    return [die(f"{category}{value}") for category, value in values.items()]


def named(code: str) -> str:
    """A card such as `M2A`, `G3` or `C++` in words."""
    if code.startswith("C"):
        return {
            "C+": _("Church card, one die up"),
            "C-": _("Church card, one die down"),
            "C++": _("Church card, two dice up"),
            "C--": _("Church card, two dice down"),
            "C+-": _("Church card, up or down"),
        }[code]
    if code.startswith("G"):
        return _("Gold %(value)s") % {"value": code[1]}
    return card(code)["label"]


def figure(code: str) -> dict[str, Any]:
    """What `games/biblios/card.html` shows for any card: `M2A`, `G3`, `C++`, or `back`."""
    if code == "back":
        return {"back": True, "label": _("Face-down card")}
    if code.startswith("C"):
        value, dice = CHURCH[code]
        name = _("Church")
        return {"category": "C", "art": "a-C", "name": name, "value": value, "dice": dice, "label": named(code)}
    if code.startswith("G"):
        return {"category": "G", "symbol": "s-G", "art": f"a-{code}", "value": code[1], "label": named(code)}
    return card(code)
