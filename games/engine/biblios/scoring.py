"""Who wins which die, and who wins the game (rules: Scoring)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.engine.biblios.cards import CATEGORIES, best_letter, gold_in, totals_in
from games.engine.core import Seat
from games.engine.ranking import Ranking, rank


class Score(NamedTuple):
    """The worth of the hands, by seat; categories in Scriptorium order."""

    totals: tuple[tuple[int, ...], ...]
    """The sum of card values in each category."""
    winners: tuple[Seat | None, ...]
    """Who wins each die; None where nobody holds a card of the category."""
    points: tuple[int, ...]
    gold: tuple[int, ...]


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
    """Rank all seats by points, gold and the option `final_tie`, each step only among those still tied.

    The steps of its decisions: "points", "gold", "total M" (a category's sum), "letter M", "won M" (a category's die),
    "shared".
    """
    return rank(len(hands), _steps(hands, score, final_tie))
