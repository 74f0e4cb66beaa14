"""What the page of a ladder's rules is made of: `templates/ladders/rule_chapter.html` has the sentences. The examples
are computed by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.text import numbers
from games.engine.core import Game
from games.ladders import overdue, rules, terms
from games.ladders.rules import (
    BACK_DROP,
    DECIDE_DAYS,
    ENTER_DAYS,
    FREE_WITHDRAWALS,
    FULL_ANSWERS,
    LATE_DAYS,
    MOST_REDRAWN,
    STALL_DAYS,
    Rules,
    Rungs,
)
from games.matches.real_table import CONFIRM_HOURS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

CHAPTERS: dict[str, StrOrPromise] = {
    "challenge": gettext_lazy("Who you can challenge"),
    "terms": gettext_lazy("The terms"),
    "answer": gettext_lazy("The answer"),
    "game": gettext_lazy("The game"),
    "two": gettext_lazy("After a game of two: leapfrog"),
    "more": gettext_lazy("After a game of three or four: lift"),
    "table": gettext_lazy("At the real table"),
    "time": gettext_lazy("Out of time"),
    "idle": gettext_lazy("Idle players sink"),
    "vacation": gettext_lazy("Vacation"),
    "leave": gettext_lazy("Coming and going"),
    "season": gettext_lazy("Seasons"),
    "stewards": gettext_lazy("Stewards"),
}
"""The titles of the chapters."""


def days(number: int) -> str:
    return ngettext("%(days)d day", "%(days)d days", number) % {"days": number}


def rungs(number: int) -> str:
    return ngettext("%(rungs)d rung", "%(rungs)d rungs", number) % {"rungs": number}


def challenges(number: int) -> str:
    return ngettext("%(number)d challenge", "%(number)d challenges", number) % {"number": number}


def chapters(of: Rules) -> dict[str, StrOrPromise]:
    """The titles of the chapters that these rules need."""
    unneeded = {"table": not of.at_table, **{name: not played for name, played in tables(of).items()}}
    return {name: title for name, title in CHAPTERS.items() if not unneeded.get(name)}


def tables(of: Rules) -> dict[str, bool]:
    """Whether there are games of `two`, and of `more`."""
    return {"two": 2 in of.sizes, "more": max(of.sizes) > 2}


def told(of: Rules, game: Game) -> dict[str, Any]:
    """What the sentences need besides the rules themselves."""
    sizes, presets = [numbers.number(size) for size in of.sizes], terms.presets(of, game)
    return {
        **tables(of),
        "reach_three": rules.reach(of, 3),
        "reach_four": rules.reach(of, 4),
        "sizes": get_text_list(sizes, _("or")),
        "clocks": "; ".join(terms.label(name) for name in terms.clocks(of, of.sizes[0])),
        "usual_clock": terms.label(terms.usual_clock(of, of.sizes[0])),
        "presets": "; ".join(terms.label(name) for name in presets),
        "usual_preset": terms.label(presets[0]),
        "answers": FULL_ANSWERS,
        "came": min(overdue.ENOUGH, of.finish_days),
        "rest_days": max(1, of.rest_days),
        "stall_days": STALL_DAYS,
        "free_withdrawals": FREE_WITHDRAWALS,
        "redrawn": MOST_REDRAWN,
        "late_days": LATE_DAYS,
        "back_drop": BACK_DROP,
        "enter_days": ENTER_DAYS,
        "confirm_hours": CONFIRM_HOURS,
        "decide_days": DECIDE_DAYS,
        "enough": rules.ENOUGH,
    }


# Examples: players are numbers, shown as letters


@dataclass(frozen=True)
class ExampleRung:
    """A rung of an example."""

    position: int
    letter: str
    played: bool
    up: bool
    """Whether the player is higher than before."""


class Example(NamedTuple):
    """A ladder before and after."""

    before: Sequence[ExampleRung]
    after: Sequence[ExampleRung]


A, B, C, D, E, F = range(6)
ORDER: Rungs = (A, B, C, D, E, F)


def example(after: Rungs, *played: int) -> Example:
    """What becomes of `ORDER` when these have played."""

    def steps(order: Rungs) -> list[ExampleRung]:
        return [
            ExampleRung(at, chr(ord("A") + player), player in played, order.index(player) < ORDER.index(player))
            for at, player in enumerate(order, 1)
        ]

    return Example(steps(ORDER), steps(after))


def examples() -> dict[str, Example]:
    """The examples by their chapters."""
    idle = {C, D}
    ratings = {A: 1500.0, B: 1600.0, C: 1550.0, D: 1480.0, E: 1700.0, F: 1400.0}
    return {
        "two": example(rules.leapfrog(ORDER, E, B), B, E),
        "more": example(rules.lift(ORDER, {F: 1, B: 2, D: 3}), B, D, F),
        "idle": example(rules.sink(rules.sink(ORDER, D, idle), C, idle), C, D),
        "season": example(rules.soft_reset(ORDER, ratings, dict.fromkeys(ORDER, rules.ENOUGH))),
    }
