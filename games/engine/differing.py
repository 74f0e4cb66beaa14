"""Where tables that played the same deal have answered the same question differently.

A question is the same where the seat that is asked has seen the same: its views are equal, whatever is hidden. What all
the answers that were given are worth is looked at in the same futures, as `verdicts` does; where nothing judges, those
come first in which most pairs of tables differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from games.engine.core import Expert, Game, Move, RulesError, Seat, View
from games.engine.judging import PlainGame, is_decision
from games.engine.verdicts import WHOLE, Band, CannotBeDealt, Futures, measured, seed_of, version_of

NAMED = 3
"""So many questions are told."""
MOST_TABLES = 300
"""So many tables are compared, ..."""
MOST_JUDGED = 10
"""... so many questions are judged, those in which most pairs of tables differ, ..."""
MOST_ANSWERS = 6
"""... and of each so many answers, those that were given most often."""
SAMPLES = 24
"""In so many futures they are compared, and in twice as many others those that are told are valued."""


class PlayedTable(NamedTuple):
    """A game that has ended, and which of its answers people gave."""

    asked: PlainGame
    answered: frozenset[int]
    """The numbers of moves before them."""


class GivenAnswer(NamedTuple):
    """An answer to a question, and where it was given."""

    text: str
    share: Band | None
    """The share of the win that could be expected after it; None if nothing has judged it."""
    places: tuple[tuple[int, int], ...]
    """The index of each table, and the number of moves before."""


class SharedQuestion(NamedTuple):
    """A question that was answered differently."""

    seat: Seat
    weight: int
    """How much it mattered: by how much the answers differ in ten-thousandths of the win, or how many pairs do."""
    answers: tuple[GivenAnswer, ...]
    """What was given most often first."""


class Differences(NamedTuple):
    """What is told of a deal."""

    version: str
    """By what it was judged; empty if by nothing."""
    questions: list[SharedQuestion]
    """Those that mattered most, the first one most."""


class _Met(NamedTuple):
    """A question, and what was answered where."""

    view: View
    answers: dict[Move, list[tuple[int, int]]]

    @property
    def pairs(self) -> int:
        """How many pairs of tables have answered differently."""
        counts = [len(places) for places in self.answers.values()]
        return (sum(counts) ** 2 - sum(count**2 for count in counts)) // 2

    @property
    def number(self) -> int:
        """The number of moves before it, where it came first."""
        return min(number for places in self.answers.values() for _table, number in places)

    @property
    def common(self) -> list[Move]:
        """The answers, what was given most often first."""
        return sorted(self.answers, key=lambda move: (-len(self.answers[move]), move))


def differences(tables: Sequence[PlayedTable], key: str) -> Differences:
    """The questions in which these tables of one deal differed most. `key` names the deal.

    A table whose record contradicts the rules is left out.
    """
    found = sorted(_different(tables[:MOST_TABLES]), key=lambda met: (-met.pairs, met.number))
    if not found:
        return Differences("", [])
    start, game = tables[0].asked.start, tables[0].asked.game
    expert = game.expert(len(start.scores()), start.options)
    if expert is None:
        return Differences("", [_told(game, met, met.pairs, {}) for met in found[:NAMED]])
    judged = [(met, weighed) for met in found[:MOST_JUDGED] if (weighed := _weighed(game, expert, met, key))]
    judged.sort(key=lambda one: -one[1][0])
    told = [_told(game, met, weight, _valued(futures, met)) for met, (weight, futures) in judged[:NAMED]]
    return Differences(version_of(expert), told)


def _different(tables: Iterable[PlayedTable]) -> Iterator[_Met]:
    """The questions that were asked at several tables, and not answered alike."""
    met: dict[View, dict[Move, list[tuple[int, int]]]] = {}
    for index, table in enumerate(tables):
        with suppress(RulesError):
            for view, (number, move) in _answers(table).items():
                met.setdefault(view, {}).setdefault(move, []).append((index, number))
    return (_Met(view, answers) for view, answers in met.items() if len(answers) > 1)


def _answers(table: PlayedTable) -> dict[View, tuple[int, Move]]:
    """What people have decided at a table, by what they saw: the number of moves before, and the answer. Raises
    RulesError."""
    asked, found = table.asked, dict[View, tuple[int, Move]]()
    state = asked.start.copy()
    for number, text in enumerate(asked.moves):
        move = asked.game.move(text)
        state.check(move)
        if number in table.answered and is_decision(state):
            found.setdefault(state.view(state.seat), (number, move))
        state.play(move)
    return found


def _weighed(game: Game, expert: Expert, met: _Met, key: str) -> tuple[int, Futures] | None:
    """By how much the answers differ, and what they were played in; None where nothing agrees with what was known."""
    futures = Futures(game, expert, met.view, seed_of(expert, f"deal {key}", met.number))
    with suppress(CannotBeDealt):
        futures.play(met.common[:MOST_ANSWERS], SAMPLES)
        means = [[_mean(futures, move, value) for move in futures.found] for value in (0, 1)]
        return min(max(each) - min(each) for each in means), futures
    return None


def _mean(futures: Futures, move: Move, value: int) -> int:
    pairs = futures.found[move]
    return round(WHOLE * sum(pair[value] for pair in pairs) / len(pairs))


def _valued(futures: Futures, met: _Met) -> dict[Move, Band]:
    """What each answer is worth, in futures that have chosen nothing."""
    futures.found.clear()
    futures.play(met.common[:MOST_ANSWERS], 2 * SAMPLES)
    return {
        move: Band.of([measured([pair[value] for pair in pairs]) for value in (0, 1)])
        for move, pairs in futures.found.items()
    }


def _told(game: Game, met: _Met, weight: int, shares: dict[Move, Band]) -> SharedQuestion:
    assert met.view.me is not None
    answers = [GivenAnswer(game.text(move), shares.get(move), tuple(met.answers[move])) for move in met.common]
    return SharedQuestion(met.view.me, weight, tuple(answers))
