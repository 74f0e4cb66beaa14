"""What the players of a game did, and what it brought them, counted for the statistics of people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.engine.core import Move
from games.engine.exlibris.frames import CHOOSE_CELL, PLACE
from games.engine.exlibris.notation import DESTINATIONS, HOME, SEND, SPECIAL
from games.engine.exlibris.rules import Position
from games.engine.exlibris.scoring import LINES

VISITS = frozenset(
    kind + index for kind in (SEND, SPECIAL) for index, (tile, _bid) in enumerate(DESTINATIONS) if tile != HOME
)
"""The moves that send an assistant to a tile."""


def feats(start: Position, moves: Sequence[Move], made: Sequence[int]) -> list[Counter[str]]:
    """By seat: assistants sent to tiles (`visits`), cards shelved (`shelved`); of whoever played a game to its end also
    that they did (`whole`), the points of each line of the score, those of `banned` as they were lost, and the cards of
    their shelf that lay face down (`down`).

    Of the moves, those from `made[seat]` on are not counted.
    """
    counts: list[Counter[str]] = [Counter() for _ in made]
    state = start.copy()
    for ply, move in enumerate(moves):
        seat, question = state.seat, state.question
        if ply < made[seat]:
            counts[seat]["visits"] += question == PLACE and move in VISITS
            counts[seat]["shelved"] += question == CHOOSE_CELL
        state.play(move)
    if state.over:
        scores, shelves = state.score(), state.final_shelves()
        for seat, count in enumerate(counts):
            if made[seat] >= len(moves):
                count["whole"] = 1
                count.update({line: abs(points) for line, points in zip(LINES, scores[seat].lines, strict=True)})
                count["down"] = sum(not pile.up for pile in shelves[seat])
    return [+count for count in counts]
