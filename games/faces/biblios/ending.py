"""The end of a game at the table of Biblios: the own result large, the five dice, the order of the players.

All of it stands on the page at once. What is only for judging die by die has `aria-hidden`: static/biblios/result.js
shows it, step by step, to whoever sees the game end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from markupsafe import Markup

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.faces.biblios.art import categories, die_face, own, picture, symbol
from games.faces.biblios.result import (
    LEFT,
    ORDINALS,
    Ending,
    award,
    beaten,
    best_card,
    headline,
    kept,
    leavers,
    notes,
    other_winner,
    reason,
    standing_after,
    verdicts,
)
from games.faces.biblios.scriptorium import totals
from games.faces.language import _
from games.faces.paint import PaintBox, bdi, icon, plain, rating_change
from games.faces.slots import Slots


def ending(end: Ending) -> Slots:
    """The slots of the end."""
    return {"stage": box.slot("ending.jinja", end=end)}


def dice_columns(end: Ending) -> Markup:
    """A column for each die: who won it, or was ahead when the game ended, with which cards; the totals of all."""
    return box.block("ending.jinja", "dice_columns", end=end)


def standing_list(end: Ending) -> Markup:
    """The players by place, with their dice and points, and what decided between those who are level."""
    return box.block("ending.jinja", "standing_list", end=end)


# What the template asks


def ordinal(end: Ending) -> tuple[str, str]:
    """The place of the hero, such as `1st`: its digits, and what follows them."""
    text = _(ORDINALS[end.places[end.hero]])
    digits = re.match(r"\d*", text)
    assert digits
    return digits[0], text[digits.end() :]


def cancelled(end: Ending) -> str:
    """Why a game was cancelled."""
    why = {
        "!deserted": _("Everyone had left. It counts for no one."),
        "!absent": _("The game was called off: it had hardly begun. It counts for no one."),
        "!closed": _("Its event is over. It counts for no one."),
    }
    return why.get(end.cancelled, _("All players agreed. It counts for no one."))


def hero_lines(end: Ending) -> list[Markup]:
    """What stands below the headline: who else has won, the hero's dice, what became of the own rating."""
    seat = end.hero
    names = [f'<b data-cat="{LETTERS[at]}">{plain(categories()[LETTERS[at]])}</b>' for at in end.won(seat)]
    dice = "" if end.early else ", ".join(names) or _("No dice")
    rating = end.ratings[seat] if seat == end.me else None
    rated = f"{_('Rating')} {rating_change(*rating)}" if rating else ""
    return [Markup(line) for line in (other_winner(end), dice, rated, kept(end)) if line]


def shown(end: Ending, seat: int) -> str:
    """A name, or that it is the viewer."""
    return _("You") if seat == end.me else bdi(end.people[seat].name)


def race(end: Ending) -> tuple[int, Sequence[Sequence[int]], Sequence[int]]:
    """The most points of anybody; by seat the points before the first die and after each; those still to come."""
    return max(1, *end.points), standing_after(end), [sum(end.dice[at + 1 :]) for at in range(5)]


def own_first(end: Ending) -> list[int]:
    """The seats, the viewer's first."""
    return sorted(end.seats, key=lambda seat: seat != end.me)


def _html(say: Callable[..., Any]) -> Callable[..., Any]:
    """What says something as HTML, so that it is not escaped again."""

    @wraps(say)
    def said(*facts: Any) -> Any:
        found = say(*facts)
        return [Markup(it) for it in found] if isinstance(found, list) else Markup(found)

    return said


box = PaintBox(
    "biblios",
    **{"award": _html(award), "leavers": _html(leavers), "notes": _html(notes), "reason": _html(reason)},
    **{"beaten": beaten, "best_card": best_card, "cancelled": cancelled, "change": rating_change},
    **{"hero_lines": hero_lines, "icon": icon},
    **{"card": picture, "die": die_face, "own": own, "own_first": own_first, "ordinal": ordinal, "race": race},
    **{"shown": shown, "symbol": symbol, "verdicts": verdicts},
    category=lambda letter: categories()[letter],
    die_of=lambda end, at: f"{LETTERS[at]}{end.dice[at]}",
    gold=lambda end, seat: totals(end.hands[seat])["G"],
    headline=lambda end: Markup(headline(end, bdi)),
    how_left=lambda left: _(LEFT[left]),
)
