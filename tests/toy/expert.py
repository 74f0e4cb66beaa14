"""What judges decisions of the small game: by points and coins, in two ways."""

from __future__ import annotations

from math import exp
from random import Random

from games.engine.core import Chance, Expert, Move, Reason, Seat, State, TwoShares, View, put
from tests.toy.game import AGREE, COINS, HIDDEN, OBJECT, Sealed, ToyView

PARTS = (0, 1, 5, 20, 50, 100)
"""The offers worth looking at, in percent of one's coins."""


class ToyExpert(Expert):
    """A point is worth 50 coins to the first value and 70 to the second."""

    version = "toy-1"

    def candidates(self, view: View) -> tuple[Move, ...]:
        assert isinstance(view, ToyView) and view.me is not None
        if view.legal == (AGREE, OBJECT):
            return view.legal
        return tuple(dict.fromkeys(view.coins[view.me] * part // 100 for part in PARTS))

    def settle(self, state: State, seat: Seat, rng: Random) -> None:
        """To the end of the round."""
        assert isinstance(state, Sealed)
        now = state.round
        while state.seat is not None and state.round == now:
            legal = state.legal()
            wish = 20 * state.deal.prizes[now] * rng.randrange(3)
            state.play(AGREE if legal == (AGREE, OBJECT) else min(wish, legal[-1]))

    def shares(self, view: View, since: View | None = None) -> TwoShares:
        assert isinstance(view, ToyView)
        return self._shares(view, 50), self._shares(view, 70)

    def _shares(self, view: ToyView, coins: int) -> tuple[float, ...]:
        if len(view.points) == 1:
            ahead = view.points[0] - view.house
            return (float(ahead > 0) if view.over else 1 / (1 + exp(-ahead)),)
        worths = [points + left / coins for points, left in zip(view.points, view.coins, strict=True)]
        if view.over:
            best = max(zip(view.points, view.coins, strict=True))
            won = [float(it == best) for it in zip(view.points, view.coins, strict=True)]
            return tuple(it / sum(won) for it in won)
        powers = [exp(worth / 2) for worth in worths]
        return tuple(power / sum(powers) for power in powers)

    def reason(self, view: View, better: Move, made: Move) -> Reason:
        if better > COINS or made > COINS:
            return Reason("object" if better == OBJECT else "agree")
        return Reason("more" if better > made else "less", (better, made))

    def chances(self, state: State) -> list[Chance]:
        """The prize of the round: what comes of it by the view of the first seat, after some wishes of the players."""
        assert isinstance(state, Sealed)
        if state.offers[0] is not None:
            return []
        real = state.deal.prizes[state.round]
        return [Chance(1, self._worth(state, prize)) for prize in sorted(range(1, 7), key=lambda it: it != real)]

    def _worth(self, state: Sealed, prize: int) -> TwoShares:
        other = state.copy()
        other.deal = state.deal._replace(prizes=put(state.deal.prizes, state.round, prize))
        self.settle(other, 0, Random(7))
        return self.shares(other.view(0))


def twins(state: Sealed, seat: Seat, rng: Random) -> Sealed:
    """Another position that a seat cannot tell from this one: other prizes to come, other offers of the others."""
    other = state.copy()
    prizes = list(state.deal.prizes)
    prizes[state.round + 1 :] = [rng.randint(1, 6) for _ in prizes[state.round + 1 :]]
    other.deal = state.deal._replace(prizes=tuple(prizes), house=tuple(rng.randint(0, 9) for _ in prizes))
    view = state.view(seat)
    assert isinstance(view, ToyView)
    hidden = [offer == HIDDEN for offer in view.offers]
    other.offers = tuple(
        rng.randint(0, state.coins[at]) if hides else offer
        for at, (offer, hides) in enumerate(zip(state.offers, hidden, strict=True))
    )
    return other
