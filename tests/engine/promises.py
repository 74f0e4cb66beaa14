"""The conformance suite: promises that every game must keep, checked on games of random moves.

Each check asserts one promise of `core` for one position or one game; `tests/engine/test_conformance.py` calls them
for every registered game and version. `check_blind` also serves outlets outside the engine (pages, mails, messages).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count
from random import Random
from typing import Any, NamedTuple

from games.engine import record
from games.engine.bots import random_playout
from games.engine.core import BadMove, BadOrder, Game, IllegalMove, Move, Seat, State


class Played(NamedTuple):
    """A whole game."""

    start: State
    moves: list[Move]
    end: State

    def positions(self) -> Iterator[State]:
        """Every position of the game, each as a state of its own."""
        state = self.start.copy()
        yield state.copy()
        for move in self.moves:
            state.play(move)
            yield state.copy()


def random_options(game: Game, rng: Random) -> dict[str, Any]:
    """Table options drawn at random."""
    return {name: rng.choice(values) for name, values in game.choices.items()}


def random_game(game: Game, rng: Random, **options: Any) -> Played:
    """A game of random moves, with random seats and options except for those given."""
    seats = rng.choice(game.seats)
    start = game.start(seats, rng.randbytes(32), random_options(game, rng) | options)
    return Played(start, *random_moves(start, rng))


def random_moves(start: State, rng: Random) -> tuple[list[Move], State]:
    """Random moves from `start` (left unchanged) to the end of the game, and the end."""
    end = start.copy()
    moves = []
    while not end.over:
        moves.append(rng.choice(end.legal()))
        end.play(moves[-1])
    return moves, end


def viewers(state: State) -> list[Seat | None]:
    """All seats, and a watcher."""
    return [None, *range(len(state.scores()))]


def check_legal(game: Game, state: State) -> None:
    """`legal` is sorted, distinct, empty only at the end; only these moves are accepted, and nothing changes."""
    legal = state.legal()
    assert list(legal) == sorted(set(legal))
    assert bool(legal) != state.over
    assert (state.seat is None) == state.over
    assert state.forced() is None or legal == (state.forced(),)
    before = state.key()
    for move in moves_of(game):
        try:
            state.after(move)
        except IllegalMove as error:
            assert move not in legal
            assert list(error.expected) == [game.text(answer) for answer in legal]
        else:
            assert move in legal
    assert state.key() == before


def check_texts(game: Game) -> None:
    """Every move is written as a text that reads back as the same move; no two share one."""
    moves = moves_of(game)
    assert moves
    assert [game.move(game.text(move)) for move in moves] == list(moves)
    some = game.text(0)
    for text in ("", some[:-1], f"{some} ", some.swapcase(), "resign", "\ud800"):
        try:
            game.move(text)
        except BadMove:
            continue
        raise AssertionError(f"{text!r} was read as a move")


@cache
def moves_of(game: Game) -> Sequence[Move]:
    """All moves of a game: from 0 on, as long as there is a text for them."""
    for move in count():
        try:
            game.text(move)
        except IndexError:
            return range(move)
    raise AssertionError("unreachable: no game has moves without end")


def check_copy(state: State, rng: Random) -> None:
    """Playing on a copy leaves the original as it was."""
    before = state.key()
    random_playout(state.copy(), rng)
    assert state.key() == before


def check_length(game: Game, played: Played) -> None:
    """A game ends within `max_plies`."""
    assert played.end.over
    assert len(played.moves) <= game.max_plies


def check_repeats(game: Game, played: Played, seed: bytes) -> None:
    """The same seed, options and moves give the same position."""
    state = game.start(len(played.start.scores()), seed, played.start.options)
    assert state.key() == played.start.key()
    end = game.replay(state, map(game.text, played.moves))
    assert end.key() == played.end.key()
    assert state.key() == played.start.key()


def check_views(state: State) -> None:
    """The view of a seat is the same if it is made from a watcher's, and its own."""
    public = state.view(None)
    assert public.me is None
    for seat in range(len(state.scores())):
        view = state.own_view(public, seat)
        assert (view, hash(view), view.me) == (state.view(seat), hash(state.view(seat)), seat)


def check_blind(
    game: Game,
    state: State,
    me: Seat | None,
    rng: Random,
    look: Callable[[State, Seat | None], object] = lambda state, me: state.view(me),
) -> None:
    """Check that `look` shows `me` the same for another state that `me` cannot tell from this one.

    The other state is a sample of the view. So this finds whatever leaks past the view; whether the view itself shows
    too much is for the game's own tests.
    """
    twin = game.sample(state.view(me), rng)
    assert look(twin, me) == look(state, me), f"seat {me} is shown what it may not know"
    assert twin.forced() == state.forced()
    if state.seat == me:
        assert twin.legal() == state.legal()


def check_acceptance(game: Game, state: State, me: Seat, rng: Random, other: State | None = None) -> None:
    """Check that whatever list of up to four moves `me` sends, it is accepted in both of two states that `me` cannot
    tell apart, or refused in both with the same words: otherwise an answer would be a question to what is hidden.

    Every single move is tried; as a next move every legal one, and some others, after any list that was accepted; and
    lists that the game could go on with, whoever is asked. `other`: the other state, by default a sample of the view.
    """
    twin = game.sample(state.view(me), rng) if other is None else other

    def refusal(moves: tuple[Move, ...]) -> str:
        found = acceptance(state, moves, me)
        assert acceptance(twin, moves, me) == found, f"seat {me} learns from {[game.text(move) for move in moves]}"
        return found

    accepted: list[tuple[Move, ...]] = [()]
    for _length in range(4):
        lists = [(*begun, move) for begun in accepted for move in _further(game, (state, twin), begun, rng)]
        accepted = [moves for moves in _some(lists, 400, rng) if not refusal(moves)]
        accepted = _some(accepted, 4, rng)
    for going_on in (state, twin):
        refusal(tuple(_walk(going_on.copy(), 4, rng)))


def acceptance(state: State, moves: Sequence[Move], seat: Seat) -> str:
    """Empty if these moves are an answer of the seat, else the refusal: its kind and its words."""
    try:
        state.copy().answer(moves, seat)
    except IllegalMove as refusal:
        return f"{type(refusal).__name__}: {refusal} {refusal.expected}"
    return ""


def _further(game: Game, states: Sequence[State], begun: Sequence[Move], rng: Random) -> list[Move]:
    """The moves to try after some: all at first, then those that either state could go on with, and a few more."""
    if not begun:
        return list(moves_of(game))
    further = set(rng.sample(moves_of(game), 3))
    for state in states:
        reached = state.copy()
        for move in begun:
            if move in reached.legal():
                reached.play(move)
        further.update(reached.legal())
    return sorted(further)


def _walk(state: State, steps: int, rng: Random) -> Iterator[Move]:
    """Moves with which the game could go on."""
    while steps and not state.over:
        move = rng.choice(state.legal())
        yield move
        state.play(move)
        steps -= 1


def _some(lists: list[tuple[Move, ...]], most: int, rng: Random) -> list[tuple[Move, ...]]:
    """All of them, or as many as that drawn at random."""
    return lists if len(lists) <= most else rng.sample(lists, most)


def check_sample(game: Game, state: State, me: Seat | None, rng: Random) -> None:
    """A sample has the same view, which is hashable, and plays to the end."""
    view = state.view(me)
    twin = game.sample(view, rng)
    assert twin.view(me) == view
    assert hash(twin.view(me)) == hash(view)
    random_playout(twin, rng)
    assert twin.over


def check_record(game: Game, played: Played, names: list[str]) -> None:
    """A record replays, and exports as the same record again."""
    document = record.export(game, played.start, played.moves, names)
    text = json.dumps(document)
    read = record.read(text)
    end, moves = read.replay()
    assert moves == played.moves
    assert game.result(end) == game.result(played.end)
    assert record.export(game, read.start, moves, read.players) == document


def check_names(game: Game) -> None:
    """The texts of a game fit into the database: at most 20 characters of a slug, 16 of a move, 10 of other codes."""
    assert len(game.slug) <= 20
    assert max(len(game.text(move)) for move in moves_of(game)) <= 16
    assert all(len(code) <= 10 for code in (*game.bots, *game.pools, *game.order_kinds))
    assert len(set(game.categories)) == len(game.categories) <= 16
    assert all(size in game.seats for sizes in game.pools.values() for size in sizes)
    assert game.pool(1) == game.pool(max(game.seats) + 1) == ""
    for kind in ("", "no such kind"):
        try:
            game.order(kind, "")
        except BadOrder:
            continue
        raise AssertionError(f"{kind!r} was taken for an order")


def check_result(game: Game, end: State) -> None:
    """A result has points and places for all seats, and says who has won: the first, or no seat at all."""
    result, seats = game.result(end), range(len(end.scores()))
    assert json.loads(json.dumps(result)) == result
    assert result["points"] == list(end.scores())
    assert result["places"] == list(end.places())
    won = [seat for seat in seats if game.won(result, seat)]
    assert won == [winner for winner in result["winners"] if winner in seats]
    assert won == [seat for seat in seats if result["places"][seat] == 1] or not won
    for seat in seats:
        assert set(game.categories_won(result, seat)) <= set(game.categories)
