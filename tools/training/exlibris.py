"""Learns the weights of Ex Libris from games of its bots: which columns go with points at the end (see `worth`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from games.engine.core import Bot
from games.engine.exlibris.frames import PLACE, TURN
from games.engine.exlibris.game import ExLibris
from games.engine.exlibris.model import PATH, TABLE, Rows, chances, expected, rows, time_left
from games.engine.exlibris.rules import Position
from games.engine.exlibris.settling import settle
from games.engine.exlibris.worth import NAMES

RIDGE = 3.0
"""Holds the weights back: as if so many rows had said 0."""
STRAY = {PLACE: 0.12, TURN: 0.0}
"""How often an answer is any legal one, by question, so that the rows hold more than the bot would do ..."""
OTHERS_STRAY = 0.05
"""... and for all other questions."""
OFTEN = 0.3
"""How many of the visits are looked at: those of one game are much alike."""
PRESETS = ("rulebook", "rulebook", "rulebook", "beginner", "peaceful", "long", "russian")
"""The table options of the games, one as often as another."""


def train(players: int, seed: int, games: int, _rounds: int, _processes: int, say: Callable[[str], object]) -> None:
    """Learn the weights for a number of players from so many games of librarians, and write them: in one round and one
    process, for straight weights need no more. `say` is told what fits how well."""
    halves = [Half(players), Half(players)]
    for number in range(games):
        halves[number % 2].add(list(rows_of_a_game(players, Random(f"{seed} {number}"))))
    fitted = [half.fit() for half in halves]
    for number, half in enumerate(halves):
        points, brier = half.loss(fitted[1 - number])
        say(f"value {2 - number} on the {half.number} positions of the other: points {points:.2f}, Brier {brier:.4f}")
    document = json.loads(PATH.read_text()) if PATH.exists() else {}
    seats = document.get("seats", {}) if document.get("columns") == TABLE else {}
    seats[str(players)] = fitted
    document = {"columns": TABLE, "seats": dict(sorted(seats.items()))}
    PATH.write_text(json.dumps(document, indent=1) + "\n")


Example = tuple[Rows, Sequence[int], Sequence[float]]
"""The columns of all seats, the points that they had at the end, and the parts of the win."""


def rows_of_a_game(players: int, rng: Random) -> Iterator[Example]:
    """One game of librarians, now and then with another answer: what was seen after each visit."""
    game = ExLibris()
    options = game.preset(rng.choice(PRESETS)) | {"difficulty": rng.choice(game.levels)}
    state = game.start(players, rng.randbytes(32), options if players == 1 else options | {"difficulty": 1})
    assert isinstance(state, Position)
    choose = game.bots["librarian"]
    seen = []
    while not state.over:
        seat, question = state.seat, state.question
        state.play(_answer(state, choose, rng))
        if question == PLACE and not state.over and rng.random() < OFTEN:
            settled = state.copy()
            settle(settled, seat, rng)
            if not settled.over:
                seen.append(rows(settled.view(seat)))
    points = [score.points for score in state.score()]
    places = state.places()
    won = [(place == 1) / max(1, places.count(1)) for place in places]
    won = won if players > 1 else [won[0], 1 - won[0]]
    for found in seen:
        yield found, points, won


def _answer(state: Position, choose: Bot, rng: Random) -> int:
    legal = state.legal()
    if len(legal) == 1 or rng.random() < STRAY.get(state.question, OTHERS_STRAY):
        return rng.choice(legal)
    return choose(state.view(state.seat), rng)


class Half:
    """The games from which one of the two values is learned."""

    def __init__(self, players: int) -> None:
        self.parts = [part for part in NAMES if part != ("other" if players == 1 else "public")]
        self.squares = {part: [[0.0] * len(NAMES[part]) for _ in NAMES[part]] for part in self.parts}
        self.products = {part: [0.0] * len(NAMES[part]) for part in self.parts}
        self.examples: list[Example] = []
        self.number = 0

    def add(self, examples: list[Example]) -> None:
        self.examples += examples
        for found, points, _ in examples:
            self.number += 1
            for (part, values), target in zip(found, points, strict=True):
                squares, products = self.squares[part], self.products[part]
                for index, value in enumerate(values):
                    if value:
                        line = squares[index]
                        products[index] += value * target
                        for other in range(index + 1):
                            line[other] += value * values[other]

    def fit(self) -> dict[str, Any]:
        """The weights, and the scale that tells the wins best."""
        parts: dict[str, Any] = {part: _solve(self.squares[part], self.products[part]) for part in self.parts}
        told = [(expected(parts, found), time_left(found), won) for found, _, won in self.examples]
        scales = [(end, more) for end in (2, 3, 4, 5, 6, 8, 10) for more in (0, 2, 4, 6, 8, 12, 16)]
        return parts | {"scale": min(scales, key=lambda scale: _loss(told, scale))}

    def loss(self, document: dict[str, Any]) -> tuple[float, float]:
        """How far other weights are off here: of the points the root mean square, of the wins the log loss."""
        told = [(expected(document, found), time_left(found), won) for found, _, won in self.examples]
        errors = [
            (point - tell) ** 2
            for (tells, _, _), (_, points, _) in zip(told, self.examples, strict=True)
            for tell, point in zip(tells, points, strict=True)
        ]
        return (sum(errors) / len(errors)) ** 0.5, _loss(told, document["scale"])


def _loss(told: Sequence[tuple[list[float], float, Sequence[float]]], scale: Sequence[float]) -> float:
    """Log loss is too hard on a sure guess that fails; the Brier score of all seats instead."""
    total = 0.0
    for points, time, won in told:
        total += sum((part - share) ** 2 for part, share in zip(chances(points, scale, time), won, strict=True))
    return total / len(told)


def _solve(squares: list[list[float]], products: list[float]) -> list[float]:
    """The weights with the least squares, by Cholesky; rounded, so that they are short to write."""
    size = len(products)
    low = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            value = squares[i][j] + RIDGE * (i == j) - sum(low[i][k] * low[j][k] for k in range(j))
            low[i][j] = value**0.5 if i == j else value / low[j][j]
    forward: list[float] = []
    for i in range(size):
        forward.append((products[i] - sum(low[i][k] * forward[k] for k in range(i))) / low[i][i])
    weights = [0.0] * size
    for i in reversed(range(size)):
        weights[i] = (forward[i] - sum(low[k][i] * weights[k] for k in range(i + 1, size))) / low[i][i]
    return [round(weight, 4) for weight in weights]
