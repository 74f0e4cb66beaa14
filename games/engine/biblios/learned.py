"""Bots that choose by a value learned from self-play: how well they see it makes their level, what they like their
temper."""

from __future__ import annotations

from random import Random

from games.engine.biblios.notation import PASS, PAY_CARDS, PAY_GOLD
from games.engine.biblios.thinker import Thinker
from games.engine.biblios.value import Value, value_for
from games.engine.biblios.view import BibliosView
from games.engine.core import Move, View


class Learned:
    """A bot that weighs each answer by the value of the situation after it."""

    def __init__(self, blur: float = 0.0, eagerness: float = 0.0, value: Value | None = None) -> None:
        self.blur = blur
        """The standard deviation of the error in what it thinks an answer is worth."""
        self.eagerness = eagerness
        """What it adds to the worth of getting a lot."""
        self.value = value

    def __call__(self, view: View, rng: Random) -> Move:
        assert isinstance(view, BibliosView)
        if len(view.legal) == 1:
            return view.legal[0]
        thinker = Thinker(view, self.value or value_for(view.setup.seats))
        weighed = thinker.weighed()
        if view.question in (PAY_GOLD, PAY_CARDS):
            return next(iter(weighed))
        best, chosen = -9.0, view.legal[0]
        for move, worth in weighed.items():
            if move > PASS:
                worth += self.eagerness
            if self.blur:
                worth += self.blur * (2 * (rng.random() + rng.random() + rng.random()) - 3)
            if worth > best:
                best, chosen = worth, move
        return chosen


strong = Learned()
good = Learned(blur=0.02)
fair = Learned(blur=0.05)
