"""Playing on as the librarian does until an answer shows in the shelves and hands, for what values a position.

Then the visit is over, and what waits at delayed tiles for the seat that answered has had its effect, as if nobody sent
another assistant there in this round. Those that are left to send count as such: see `worth.visits_left`. In the last
round all is played to the end: it takes little time, and the points need no value.
"""

from __future__ import annotations

from random import Random

from games.engine.core import Seat
from games.engine.exlibris.frames import CLEAN_UP, DOES, PLACE, QUESTIONS, RESOLVE, RUNS, TURN, Frame
from games.engine.exlibris.judge import Judge
from games.engine.exlibris.librarian import choose_librarian
from games.engine.exlibris.notation import DOWN, HOME, UP
from games.engine.exlibris.rules import Position
from games.engine.exlibris.tiles import TILES

ONLY_THIS: tuple[Frame, ...] = ((RESOLVE, 0),)
"""Resolve the first tile, and what follows."""


def settle(state: Position, seat: Seat, rng: Random) -> None:
    """Play on in place until nothing of a seat is under way: somebody is to send an assistant, or the game is over.
    In the last round it is."""
    while state.stack and (state.last or state.question != PLACE):
        if state.question == TURN:
            _turn(state)
            continue
        _answer(state, rng)
        state.go_on()
    if not state.stack:
        return
    waiting = [tile for tile in state.tiles if not TILES[tile].instant and state.on(tile, seat)]
    if waiting:
        _resolve(state, waiting, rng)


def _resolve(state: Position, tiles: list[int], rng: Random) -> None:
    """Some delayed tiles have their effects, before the next assistant is sent."""
    asked, seat, ready = state.stack, state.seat, state.ready
    special = tuple([HOME if where in tiles else where for where in state.special])
    for tile in tiles:
        # As if this were the last tile of a resolution: what would follow is taken off again.
        others = state.tiles
        state.tiles = (tile,)
        state.stack = ONLY_THIS
        while True:
            number, *rest = state.stack[-1]
            if number == CLEAN_UP:
                break
            if number < len(QUESTIONS):
                state.seat = rest[0] >> 1
                _answer(state, rng)
            else:
                state.stack = state.stack[:-1]
                RUNS[number](state, *rest)
        state.tiles = others
    state.stack, state.seat, state.ready, state.special = asked, seat, ready, special


def _turn(state: Position) -> None:
    """The librarian's answers about all cards of the seat that is asked: the row to leave up is the same for each."""
    seat: Seat = state.seat
    up = Judge.of(state.view(seat)).last_row()
    while state.question == TURN and state.seat == seat:
        state.play(UP if state.stack[-1][3] in up else DOWN)


def _answer(state: Position, rng: Random) -> None:
    """The librarian's answer to the question on top of the stack; what follows from it is not done yet."""
    seat: Seat = state.seat
    legal = state.legal()
    move = legal[0] if len(legal) == 1 else choose_librarian(state.view(seat), rng)
    question, *rest = state.stack[-1]
    state.stack = state.stack[:-1]
    DOES[question](state, move, *rest)
