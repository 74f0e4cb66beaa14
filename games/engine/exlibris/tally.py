"""Counts what happened in a game, to check over many games that every rule is reached, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.engine.core import Move
from games.engine.exlibris.frames import PLACE
from games.engine.exlibris.libraries import CODES
from games.engine.exlibris.notation import MOVE_TEXTS
from games.engine.exlibris.rules import Position


def tally(start: Position, moves: Sequence[Move]) -> Counter[str]:
    """The numbers of moves, questions, visits by tile and by assistant, and of what chance and the places decided."""
    count: Counter[str] = Counter()
    state = start.copy()
    for move in moves:
        word, _, rest = MOVE_TEXTS[move].partition(" ")
        count[f"move {word}{' #' if rest.startswith('#') else ''}"] += 1
        count[f"question {state.question}"] += 1
        count["move, forced"] += state.forced() == move
        if state.question == PLACE:
            count[f"visit {rest}"] += 1
            if word == "special":
                count[f"special {CODES[state.libraries[state.seat]]}"] += 1
        draws = state.draws
        state.play(move)
        for entry in state.chance_since(draws):
            count[f"chance {entry['chance']}"] += 1
    count[f"rounds {state.round}"] += 1
    for decision in state.standing().decisions:
        count[f"places by {decision.step}"] += 1
    return count
