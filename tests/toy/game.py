"""A small game of sealed offers, to prove that the site knows no title: registered in tests only.

In each round there is a prize, of 1 to 6 points. Each of 1 to 3 players offers some of their 300 coins for it, all in
secret; the offers are shown together. The highest offer takes the prize and is paid. But whoever has offered least may
object, once in a game: then nobody takes it. A player alone plays against the house, and may lose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from games.engine.bots import choose_random
from games.engine.chance import below, stream
from games.engine.core import BadRecord, Expert, Game, Move, Order, Seat, State, View, put, quoted
from games.engine.ranking import rank

COINS = 300
AGREE, OBJECT = COINS + 1, COINS + 2
TEXTS = (*(f"offer {coins}" for coins in range(COINS + 1)), "agree", "object")
HIDDEN = -1
"""Stands for an offer that the viewer may not see yet."""


class Deal(NamedTuple):
    """What chance decides: by round the prize, and what the house offers for it."""

    prizes: tuple[int, ...]
    house: tuple[int, ...]


OPEN = ("round", "coins", "points", "house", "large", "objected", "open", "taker")
"""What everybody knows of a position."""


@dataclass(frozen=True, slots=True)
class ToyView(View):
    """The view of one seat."""

    me: Seat | None
    seat: Seat | None
    legal: tuple[Move, ...]
    rounds: int
    round: int
    prize: int
    coins: tuple[int, ...]
    points: tuple[int, ...]
    house: int
    large: tuple[bool, ...]
    objected: tuple[bool, ...]
    offers: tuple[int | None, ...]
    """Of this round, by seat: None before the answer, HIDDEN before all are in."""
    open: tuple[int, ...]
    """The offers that were shown last, that of the house after those of the seats."""
    taker: int | None
    """Who took the last prize, or would if nobody objects; the house is the number after the last seat."""


class Sealed(State):
    """A position."""

    texts = TEXTS
    __slots__ = ("seats", "deal", "draws", "offers", *OPEN)

    def __init__(self, seats: int, deal: Deal) -> None:
        self.seats, self.deal = seats, deal
        self.seat, self.draws, self.round, self.house, self.taker = 0, 0, 0, 0, None
        self.coins, self.points = (COINS,) * seats, (0,) * seats
        self.large = self.objected = (False,) * seats
        self.offers: tuple[int | None, ...] = (None,) * seats
        self.open: tuple[int, ...] = ()

    options = property(lambda self: {"rounds": len(self.deal.prizes)})
    early = property(lambda self: self.round == 0)

    def shown(self, move: Move) -> str:
        return "offer" if move <= COINS else TEXTS[move]

    def legal(self) -> tuple[Move, ...]:
        if self.seat is None:
            return ()
        return (AGREE, OBJECT) if self.offers[self.seat] is not None else tuple(range(self.coins[self.seat] + 1))

    def forced(self) -> Move | None:
        return 0 if self.legal() == (0,) else None

    def play(self, move: Move) -> None:
        assert self.seat is not None
        if move <= COINS:
            self.offers = put(self.offers, self.seat, move)
            self.seat += 1
            if self.seat == self.seats:
                self._show()
        elif move == OBJECT:
            self.objected = put(self.objected, self.seat, True)
            self.taker = None
            self._next()
        else:
            self._take()

    def _show(self) -> None:
        offers = [offer or 0 for offer in self.offers]
        self.open = (*offers, self.deal.house[self.round]) if self.seats == 1 else tuple(offers)
        self.taker = self.open.index(max(self.open))
        least = offers.index(min(offers))
        if self.seats > 1 and least != self.taker and not self.objected[least]:
            self.seat = least
        else:
            self._take()

    def _take(self) -> None:
        prize, taker = self.deal.prizes[self.round], self.taker
        assert taker is not None
        if taker == self.seats:
            self.house += prize
        else:
            self.coins = put(self.coins, taker, self.coins[taker] - self.open[taker])
            self.points = put(self.points, taker, self.points[taker] + prize)
            self.large = put(self.large, taker, self.large[taker] or prize > 3)
        self._next()

    def _next(self) -> None:
        self.round += 1
        self.offers = (None,) * self.seats
        self.seat = 0 if self.round < len(self.deal.prizes) else None

    def key(self) -> tuple[Any, ...]:
        return (self.seats, self.offers, *self._open().values(), *self.deal.prizes[: self.round + 1])

    def _open(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("seat", *OPEN)}

    def view(self, seat: Seat | None) -> ToyView:
        all_in = self.offers[-1] is not None
        offers = [it if it is None or at == seat or all_in else HIDDEN for at, it in enumerate(self.offers)]
        prizes = self.deal.prizes
        facts = {"rounds": len(prizes), "prize": prizes[min(self.round, len(prizes) - 1)], "offers": tuple(offers)}
        return ToyView(me=seat, legal=self.legal() if seat == self.seat else (), **facts, **self._open())

    def opened(self) -> ToyView:
        return replace(self.view(None), offers=self.offers)

    def scores(self) -> tuple[int, ...]:
        return self.points

    def places(self) -> tuple[int, ...]:
        return rank(self.seats, (("points", self.points), ("coins", self.coins))).places


def offer_evenly(view: View, rng: Random) -> Move:
    """For each prize the same; it never objects."""
    assert isinstance(view, ToyView) and view.seat is not None
    return AGREE if AGREE in view.legal else view.coins[view.seat] // (view.rounds - view.round)


def offer_by_prize(view: View, rng: Random) -> Move:
    """The more the better the prize, whatever those to come may be; it objects where it can."""
    assert isinstance(view, ToyView) and view.seat is not None
    if OBJECT in view.legal:
        return OBJECT
    later = 3.5 * (view.rounds - view.round - 1)
    return int(view.coins[view.seat] * view.prize / (view.prize + later))


class Toy(Game):
    """Sealed offers, version 1."""

    slug = "toy"
    version = 1
    seats = range(1, 4)
    deal_of = Deal
    deal_fields = Deal._fields
    choices = {"rounds": (3, 1)}
    presets = {"standard": {}, "short": {"rounds": 1}}
    texts = TEXTS
    examples = "“offer 12”, “agree”, “object”"
    max_plies = 3 * (3 + 1)
    bots = {"random": choose_random, "fair": offer_evenly, "strong": offer_by_prize}
    pools = {"all": (2, 3)}
    categories = "L"
    order_kinds = ("nothing",)

    def deal(self, seats: int, options: Mapping[str, Any], seed: bytes) -> Deal:
        prizes, house = stream(seed, "prizes"), stream(seed, "house")
        rounds = range(options["rounds"])
        return Deal(tuple(1 + below(6, prizes) for _ in rounds), tuple(1 + below(120, house) for _ in rounds))

    def begin(self, seats: int, options: Mapping[str, Any], deal: Deal) -> Sealed:
        return Sealed(seats, deal)

    def sample(self, view: View, rng: Random) -> Sealed:
        assert isinstance(view, ToyView)
        prizes = [rng.randint(1, 6) for _ in range(view.rounds)]
        prizes[min(view.round, view.rounds - 1)] = view.prize
        state = Sealed(len(view.coins), Deal(tuple(prizes), tuple(rng.randint(0, 9) for _ in prizes)))
        for name in ("seat", *OPEN):
            setattr(state, name, getattr(view, name))
        pairs = zip(view.offers, view.coins, strict=True)
        state.offers = tuple(rng.randint(0, most) if offer == HIDDEN else offer for offer, most in pairs)
        return state

    def expert(self, seats: int, options: Mapping[str, Any]) -> Expert | None:
        from tests.toy.expert import ToyExpert  # it reads what stands here

        return ToyExpert() if options["rounds"] > 1 else None

    def deal_to_json(self, start: State, end: State) -> dict[str, Any]:
        assert isinstance(start, Sealed)
        return {name: list(numbers) for name, numbers in start.deal._asdict().items()}

    def deal_from_json(
        self, seats: int, options: Mapping[str, Any], document: Mapping[str, Any], draws: Sequence[Any]
    ) -> Deal:
        found = [document.get(key) for key in Deal._fields]
        for numbers in found:
            if not isinstance(numbers, list) or len(numbers) != options["rounds"] or set(map(type, numbers)) != {int}:
                raise BadRecord(f"{quoted(numbers)} is no list of a number for each round")
        return Deal(*map(tuple, found))

    def result(self, state: State) -> dict[str, Any]:
        assert isinstance(state, Sealed)
        result = super().result(state) | {"house": state.house, "large": list(state.large)}
        lost = state.seats == 1 and state.house >= state.points[0]
        return result | {"winners": ["house"]} if lost else result

    def categories_won(self, result: Mapping[str, Any], seat: Seat) -> str:
        """L for a prize of more than 3 points."""
        return "L" if result["large"][seat] else ""

    def answer(self, view: View, orders: Iterable[Order]) -> Move | None:
        """The order `nothing`: offer nothing."""
        return 0 if 0 in view.legal and any(order.kind == "nothing" for order in orders) else None
