"""Counts what happened in a game, to check over many games that every rule is reached, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.engine.biblios.cards import CATEGORIES, KIND, TEXTS
from games.engine.biblios.notation import BID, DIE, MOVE_TEXTS, PASS, REFUSE
from games.engine.biblios.rules import Position
from games.engine.core import Move


def tally(start: Position, moves: Sequence[Move]) -> Counter[str]:
    """The numbers of moves, Church cards, penalties and unsold lots by kind, and of what decided dice and places."""
    count: Counter[str] = Counter()
    state = start.copy()
    for move in moves:
        count[f"move {_sort(move)}"] += 1
        count["move, forced"] += state.forced() == move
        if state.question == DIE:
            count[f"church {TEXTS[KIND[state.card]]}"] += 1
        lot, draws, discard = state.card, state.draws, state.discard
        bidding = state.question == BID
        state.play(move)
        if move == REFUSE:
            count[f"penalty {start.setup.options['penalty']}"] += 1
            count["penalty, cards drawn"] += state.draws - draws
        if (bidding and move == PASS) or move == REFUSE:
            count["lot unsold"] += (state.discard & ~discard) >> lot & 1
    score = state.score()
    for category, name in enumerate(CATEGORIES):
        sums = [totals[category] for totals in score.totals]
        if score.winners[category] is None:
            count[f"die {name} to nobody"] += 1
        else:
            count[f"die {name} by {'letter' if sums.count(max(sums)) > 1 else 'total'}"] += 1
    for decision in state.standing().decisions:
        count[f"places by {decision.step}"] += 1
    return count


def _sort(move: Move) -> str:
    word, _, rest = MOVE_TEXTS[move].partition(" ")
    if word == "dice" and rest != "none":
        return f"dice {rest[-1]}"
    if word in ("take", "pay"):
        return f"{word} {'church' if rest[0] == 'C' else 'gold' if rest[0] == 'G' else 'category'}"
    return f"{word} {rest}" if word == "dice" else word
