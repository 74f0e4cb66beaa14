"""What an answer of a seat brings about, in numbers that people know: to say why another one is better."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from games.engine.core import Move
from games.engine.exlibris.model import Model, final_scores, rows
from games.engine.exlibris.sample import sampler_of
from games.engine.exlibris.settling import settle
from games.engine.exlibris.view import ExLibrisView
from games.engine.exlibris.worth import NAMES, OWN, PUBLIC

TRIES = 6
"""So many deals of the hidden cards tell what two answers bring."""


class Brought(NamedTuple):
    """What came of an answer, on the average."""

    own: dict[str, float]
    """By column of `worth`, in its own unit; of the seat that looks."""
    public: dict[str, float]
    """Solo: the same of the public library."""
    points: tuple[float, ...]
    """What each seat, solo then the public library, may expect."""
    parts: dict[str, float]
    """By own column, what it promises in points."""
    lines: tuple[float, ...]
    """The own lines of the score when the game is over in all tries; else none."""


def outcomes(view: ExLibrisView, answers: Sequence[Move], model: Model) -> list[Brought]:
    """What these answers bring, all on the same hidden cards."""
    rng = Random(0)
    seen: list[list[ExLibrisView]] = [[] for _ in answers]
    for _ in range(TRIES):
        start, seed = sampler_of(view).draw(rng), rng.getrandbits(64)
        for views, move in zip(seen, answers, strict=True):
            state = start.copy()
            state.play(move)
            settle(state, start.seat, Random(seed))
            views.append(state.view(view.me))
    return [_outcome(views, model) for views in seen]


def _outcome(views: Sequence[ExLibrisView], model: Model) -> Brought:
    going_on = [view for view in views if view.stack]
    if not going_on:
        scores = [final_scores(view) for view in views]
        me = views[0].me or 0
        points = _mean([[float(each.points) for each in found] for found in scores])
        lines = _mean([[float(line) for line in found[me].lines] for found in scores])
        return Brought({}, {}, tuple(points), {}, tuple(lines))
    found = [rows(view) for view in going_on]
    points = _mean([model.points(view) for view in going_on])
    own = _mean([next(values for part, values in each if part == "own") for each in found])
    parts = [weight * value for weight, value in zip(model.parts["own"], own, strict=True)]
    named = dict(zip(NAMES["own"], parts, strict=True))
    public = _mean([each[-1][1] for each in found]) if views[0].setup.solo else []
    return Brought(
        _in_units(OWN, own),
        _in_units(PUBLIC, public),
        tuple(points),
        {name: named[name] + named.get(f"{name} early", 0.0) for name in OWN},
        (),
    )


def _in_units(units: dict[str, float], values: Sequence[float]) -> dict[str, float]:
    return {name: unit * value for (name, unit), value in zip(units.items(), values, strict=False)}


def _mean(tables: Sequence[Sequence[float]]) -> list[float]:
    return [sum(values) / len(tables) for values in zip(*tables, strict=True)]
