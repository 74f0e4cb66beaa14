"""Who wins which die, and who wins the game (rules: Scoring)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.engine.biblios.cards import CATEGORIES, best_letter, gold_in, totals_in
from games.engine.core import Seat


class Score(NamedTuple):
    """The worth of the hands, by seat; categories in Scriptorium order."""

    totals: tuple[tuple[int, ...], ...]
    """The sum of card values in each category."""
    winners: tuple[Seat | None, ...]
    """Who wins each die; None where nobody holds a card of the category."""
    points: tuple[int, ...]
    gold: tuple[int, ...]


class Decision(NamedTuple):
    """A step that told tied seats apart, or the finding that none could."""

    step: str
    """"points", "gold", "total M" (a category's sum), "letter M", "won M" (a category's die), "shared"."""
    seats: tuple[Seat, ...]
    """The seats that were tied until this step, ascending."""


class Ranking(NamedTuple):
    """The final order."""

    places: tuple[int, ...]
    """By seat, from 1; shared places have the same number, and the next place skips as many."""
    decisions: tuple[Decision, ...]
    """The steps that decided something, best places first."""


def score(hands: Sequence[int], dice: Sequence[int]) -> Score:
    """Dice go to the highest sum of a category, then to the letter nearest to A; their numbers are the points."""
    totals = tuple([totals_in(hand) for hand in hands])
    winners: list[Seat | None] = []
    points = [0] * len(hands)
    for category in range(5):
        sums = [total[category] for total in totals]
        high = max(sums)
        if not high:
            winners.append(None)
            continue
        winner = sums.index(high)
        if sums.count(high) > 1:
            tied = [seat for seat, total in enumerate(sums) if total == high]
            winner = min(tied, key=lambda seat: best_letter(hands[seat], category))
        winners.append(winner)
        points[winner] += dice[category]
    return Score(totals, tuple(winners), tuple(points), tuple([gold_in(hand) for hand in hands]))


def _steps(hands: Sequence[int], score: Score, final_tie: str) -> Iterator[tuple[str, Sequence[int]]]:
    """The steps of the ranking, each with the numbers that it compares, by seat."""
    yield "points", score.points
    yield "gold", score.gold
    for category, name in enumerate(CATEGORIES):
        if final_tie in ("rulebook", "totals"):
            yield f"total {name}", [totals[category] for totals in score.totals]
        if final_tie == "rulebook":
            yield f"letter {name}", [-best_letter(hand, category) for hand in hands]
        if final_tie == "first_won" or (final_tie == "monks" and name == "M"):
            yield f"won {name}", [int(score.winners[category] == seat) for seat in range(len(hands))]


def standing(hands: Sequence[int], score: Score, final_tie: str) -> Ranking:
    """Rank all seats by points, gold and the option `final_tie`, each step only among those still tied."""
    decisions = []
    groups = [list(range(len(hands)))]
    """The seats from the first to the last; those in one group are still tied."""
    for name, worth in _steps(hands, score, final_tie):
        parted = []
        for group in groups:
            values = sorted({worth[seat] for seat in group}, reverse=True)
            parted += [[seat for seat in group if worth[seat] == value] for value in values]
            if len(values) > 1:
                decisions.append(Decision(name, tuple(group)))
        groups = parted
        if len(groups) == len(hands):
            break
    decisions += [Decision("shared", tuple(group)) for group in groups if len(group) > 1]
    places = [0] * len(hands)
    place = 1
    for group in groups:
        for seat in group:
            places[seat] = place
        place += len(group)
    return Ranking(tuple(places), tuple(decisions))
