"""Bots that choose by a value learned from self-play: how well they see it makes their level, what they like their
temper."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from games.engine.biblios.notation import PASS, PAY_CARDS, PAY_GOLD
from games.engine.biblios.value import value_for
from games.engine.biblios.view import BibliosView
from games.engine.biblios.weigher import Weigher, Worth
from games.engine.core import Bot, Move, View


class Learned:
    """A bot that weighs each answer by the value of the situation after it."""

    def __init__(self, blur: float = 0.0, eagerness: float = 0.0, value: Worth | None = None) -> None:
        self.blur = blur
        """The standard deviation of the error in what it thinks an answer is worth."""
        self.eagerness = eagerness
        """What it adds to the worth of getting a lot."""
        self.value = value

    def __call__(self, view: View, rng: Random) -> Move:
        assert isinstance(view, BibliosView)
        if len(view.legal) == 1:
            return view.legal[0]
        weigher = Weigher(view, self.value or value_for(view.setup.seats))
        weighed = weigher.weighed()
        if view.question in (PAY_GOLD, PAY_CARDS):
            return next(iter(weighed))
        best, chosen = -9.0, view.legal[0]
        for move, worth in weighed.items():
            if move > PASS and not weigher.for_cards:
                worth += self.eagerness
            if self.blur:
                worth += self.blur * (2 * (rng.random() + rng.random() + rng.random()) - 3)
            if worth > best:
                best, chosen = worth, move
        return chosen


CAUTION = 0.01
"""By so much more of the win a lot must be worth having: an answer looks best also because its worth is overrated."""
LEVELS: Mapping[str, Bot] = {
    "fair": Learned(blur=0.06, eagerness=-CAUTION),
    "good": Learned(blur=0.025, eagerness=-CAUTION),
    "strong": Learned(eagerness=-CAUTION),
}
TEMPERS: Mapping[str, Bot] = {"miser": Learned(eagerness=-CAUTION - 0.015), "gambler": Learned(eagerness=0.02)}
"""Both see as well as `strong`, but one hates to spend gold, and the other must have what is for sale."""
