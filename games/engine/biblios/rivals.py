"""What the others will do at an auction: whether a rival bids so much for a lot, as one seat may expect it.

A small net of named columns, learned from games (`manage.py trainbots --what rivals`), in whole numbers like the value.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache

from games.engine.biblios.cards import CHURCH, GOLD, VALUES
from games.engine.biblios.church import moves_two
from games.engine.biblios.features import SCALE, Forecast, below
from games.engine.biblios.notation import PASS
from games.engine.biblios.situation import SeatSituation
from games.engine.biblios.value import WEIGHTS, BadWeights, Net
from games.engine.biblios.view import BibliosView
from games.engine.core import Seat

SORTS = ("H1", "H2", "M2", "M3", "M4", "G1", "G2", "G3", "C1", "C2")
"""The cards that are worth alike: herbs and holy books, monks and manuscripts, gold, and Church cards of one die and
two."""
PRICED = ("any", *SORTS, "die", "contested", "favour", "gold", "lasting gold", "lots", "cards", "has bid", "others")
NAMES = (*PRICED, *[f"{name} by price" for name in PRICED], "can pay")


@cache
def rivals_table() -> str:
    """Names the table of columns: weights belong to one table."""
    return hashlib.sha256(f"{SCALE} {NAMES}".encode()).hexdigest()[:16]


def sort_of(kind: int, both_ways: bool) -> str:
    """The name of the sort of a card."""
    if kind >= CHURCH:
        return f"C{2 if moves_two(kind, both_ways) else 1}"
    return f"{'G' if kind >= GOLD else 'M' if kind < 18 else 'H'}{VALUES[kind]}"


class Rivals:
    """The rivals at an auction, as one seat sees them; seats are numbered from it, clockwise."""

    def __init__(self, view: BibliosView, of: SeatSituation, forecast: Forecast) -> None:
        card, me, seats = view.card, view.me, view.setup.seats
        assert card is not None and me is not None
        self.net = rivals_net(seats)
        self.for_cards = GOLD <= card < CHURCH
        self.cards = of.cards
        self.gold, self.spread = forecast.gold, forecast.gold_spread
        sort = sort_of(card, view.setup.both_ways)
        lots = of.piled + of.put_cards
        lasting = lots / (lots + 8.0)
        lot = len(view.lots) - 1
        has_bid = {(seat - me) % seats for number, seat, move in view.bids if number == lot and move > PASS}
        others = seats - view.out.bit_count() - 2
        known = [1.0, *[float(name == sort) for name in SORTS]]
        die = of.dice[card // 9] if card < GOLD else 0
        self.rows: list[list[float]] = []
        """By seat, the columns that do not hang on the price."""
        for i in range(seats):
            contested = favour = 0.0
            if card < GOLD:
                chance = forecast.chances[card // 9][i]
                contested = chance * (1.0 - chance) * die * VALUES[card]
            elif card >= CHURCH:
                favour = max([abs(seats * chances[i] - 1.0) for chances in forecast.chances])
            self.rows.append(
                [
                    *known,
                    die / 6,
                    contested / 3,
                    favour,
                    self.gold[i] / 10,
                    self.gold[i] * lasting / 10,
                    lots / 24,
                    of.cards[i] / 20,
                    float(i in has_bid),
                    others / 2,
                ]
            )

    def stays(self, seat: Seat, price: int) -> float:
        """The chance that a rival that is asked bids so much."""
        return self.net.shares(self.row(seat, price))[0]

    def row(self, seat: Seat, price: int) -> list[int]:
        """What there is to say of a rival that is asked for a bid of so much, in the order of `NAMES`."""
        known = self.rows[seat]
        if self.for_cards:
            can = float(self.cards[seat] >= price)
        else:
            can = below((self.gold[seat] + 0.5 - price) / (self.spread[seat] + 0.5) ** 0.5)
        by_price = price / 4
        return [int(number * SCALE) for number in (*known, *[number * by_price for number in known], can)]


@cache
def rivals_net(seats: int) -> Net:
    """What says whether rivals bid, for a number of players. Raises BadWeights."""
    weights = json.loads((WEIGHTS / f"rivals{seats}.json").read_text())
    if weights["table"] != rivals_table():
        raise BadWeights(f"what {seats} players bid was learned from other columns: train it again")
    return Net(2, weights["net"])
