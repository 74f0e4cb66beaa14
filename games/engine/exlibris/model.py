"""The learned weights of `worth`: points that a view promises to each seat, and what part of the win that means."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from math import exp
from pathlib import Path
from typing import Any

from games.engine.core import RulesError
from games.engine.exlibris.cards import books_in, mask_of
from games.engine.exlibris.scoring import Score, score, solo_score, standing
from games.engine.exlibris.view import ExLibrisView
from games.engine.exlibris.worth import NAMES, UNITS, columns, public_columns

PATH = Path(__file__).parent / "weights.json"
TABLE = sha256(json.dumps([NAMES, UNITS]).encode()).hexdigest()[:16]
"""Names the table of columns."""


class BadWeights(RulesError):
    """Weights that were learned for other columns."""


class Model:
    """One value of positions with a number of players."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.parts: dict[str, Sequence[float]] = {part: document[part] for part in NAMES if part in document}
        """By part, see NAMES, the weight of each column."""
        self.scale: tuple[float, float] = tuple(document["scale"])
        """The points that are worth a factor of e in the chances: at the end, and how many more with much time."""

    def points(self, view: ExLibrisView) -> list[float]:
        """The points that each seat may expect at the end, and solo then the public library."""
        return expected(self.parts, rows(view))

    def shares(self, view: ExLibrisView) -> tuple[float, ...]:
        """What part of the win each seat may expect; alone the chance to win. At the end of the game the result."""
        if not view.stack:
            return result(view)
        if view.prominent is None:  # libraries are still being chosen
            return (1 / len(view.libraries),) * len(view.libraries) if not view.setup.solo else (0.5,)
        found = rows(view)
        return chances(expected(self.parts, found), self.scale, time_left(found))[: view.setup.seats]


Rows = list[tuple[str, list[float]]]
"""By seat its part and its columns."""


def rows(view: ExLibrisView) -> Rows:
    """The columns of all seats, solo also of the public library."""
    seats = range(view.setup.seats)
    found = [("own" if seat == view.me else "other", columns(view, seat)) for seat in seats]
    return [*found, ("public", public_columns(view))] if view.setup.solo else found


def time_left(found: Rows) -> float:
    """The time left, by the column of that name, of the seat that looks."""
    return next(values for part, values in found if part == "own")[1]


def expected(parts: Mapping[str, Sequence[float]], found: Rows) -> list[float]:
    """The points that each row promises."""
    return [sum([weight * value for weight, value in zip(parts[part], values, strict=True)]) for part, values in found]


def chances(points: Sequence[float], scale: Sequence[float], time: float) -> tuple[float, ...]:
    """What part of the win each of these points promises."""
    width = scale[0] + scale[1] * time
    most = max(points)
    parts = [exp((number - most) / width) for number in points]
    total = sum(parts)
    return tuple([round(part / total, 9) for part in parts])


def result(view: ExLibrisView) -> tuple[float, ...]:
    """Of a game that is over what part of the win each seat has."""
    scores, banned = final_scores(view), view.banned
    if view.setup.solo:
        return (float(scores[0].points > scores[1].points),)
    assert banned is not None
    places = standing(scores, [sum(books_in(mask_of(hand))) for hand in view.hands], banned).places
    return tuple([(place == 1) / places.count(1) for place in places])


def final_scores(view: ExLibrisView) -> tuple[Score, ...]:
    """Of a game that is over the score of each seat, solo then of the public library."""
    prominent, banned = view.prominent, view.banned
    focus = [category for category in view.focus if category is not None]
    assert prominent is not None and banned is not None
    if view.setup.solo:
        return solo_score(view.shelves[0], mask_of(view.discard), prominent, banned, focus)
    return score(view.shelves, prominent, banned, focus, view.setup.place_without_books)


@cache
def models(seats: int) -> tuple[Model, Model]:
    """The two values, learned apart, for a number of players."""
    return read(json.loads(PATH.read_text()), seats)


@cache
def mean(seats: int) -> Model:
    """Both values in one: it knows all games from which they were learned."""
    first, second = models(seats)
    parts = {part: _mean(weights, second.parts[part]) for part, weights in first.parts.items()}
    return Model(parts | {"scale": _mean(first.scale, second.scale)})


def _mean(some: Sequence[float], others: Sequence[float]) -> list[float]:
    return [(one + other) / 2 for one, other in zip(some, others, strict=True)]


def read(document: Mapping[str, Any], seats: int) -> tuple[Model, Model]:
    """The two values in a document. Raises BadWeights."""
    if document.get("columns") != TABLE:
        raise BadWeights(
            f"the weights of Ex Libris are for the columns {document.get('columns')}, but these are {TABLE}; "
            f"learn them again: manage.py trainbots --game exlibris --players {seats}"
        )
    first, second = document["seats"][str(seats)]
    return Model(first), Model(second)
