"""The awards of a season in words: their names, for what exactly they are, their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext_lazy, ngettext

from games.ladders.awards import FAITHFUL, RUN, Award, Won

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class AwardWords(NamedTuple):
    """An award in words."""

    name: StrOrPromise
    definition: StrOrPromise


AWARDS = {
    Award.CLIMB: AwardWords(
        gettext_lazy("Best climb"),
        gettext_lazy(
            "The most rungs gained in the season by games and by the rules of the ladder, less those lost. What "
            "stewards set or undid doesn’t count. Whoever left and came back has lost the rungs in between."
        ),
    ),
    Award.RUN: AwardWords(
        gettext_lazy("Longest run"),
        gettext_lazy("The most games won in a row, at least %(least)d. A shared first place ends a run."),
    ),
    Award.FAITHFUL: AwardWords(
        gettext_lazy("Most faithful"),
        gettext_lazy(
            "The most games, at least %(least)d, by a player who never ran out of time, left a game at its start, "
            "failed to play in time, declined a challenge, left one unanswered or withdrew one."
        ),
    ),
    Award.GIANT: AwardWords(
        gettext_lazy("Giant-killer"),
        gettext_lazy(
            "The win over the player who stood the most rungs above the winner before the game. Of several equal ones, "
            "the one over the higher rung. Wins over players who ran out of time don’t count."
        ),
    ),
}
"""In the order in which pages show them."""
LEAST = {Award.RUN: RUN, Award.FAITHFUL: FAITHFUL}


def definition(award: Award) -> str:
    """For what exactly there is this award."""
    return str(AWARDS[award].definition) % {"least": LEAST.get(award, 1)}


def value(award: Award, won: Won) -> str:
    """The value for which an award was won."""
    match award:
        case Award.CLIMB:
            return ngettext("%(n)d rung", "%(n)d rungs", won.value) % {"n": won.value}
        case Award.RUN:
            return ngettext("%(n)d win", "%(n)d wins", won.value) % {"n": won.value}
        case Award.FAITHFUL:
            return ngettext("%(n)d game", "%(n)d games", won.value) % {"n": won.value}
        case _:
            text = ngettext("beat rung %(rung)d from %(n)d below", "beat rung %(rung)d from %(n)d below", won.value)
            return text % {"n": won.value, "rung": won.rung}
