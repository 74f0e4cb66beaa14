"""Biblios as a Game: how it starts, and what its records hold (rules: The game record)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.engine.biblios.bot_delay import bot_delay
from games.engine.biblios.cards import CARDS, CATEGORIES, GOLD, KINDS, TEXTS, texts_of
from games.engine.biblios.deal import Deal, RecordedDeal, cards_for, seeded
from games.engine.biblios.expert import expert
from games.engine.biblios.feats import feats
from games.engine.biblios.greedy import choose_greedy
from games.engine.biblios.learned import LEVELS, TEMPERS
from games.engine.biblios.notation import MOVE_TEXTS
from games.engine.biblios.options import (
    CHOICES,
    PRESETS,
    REMOVED_AT_RANDOM,
    REMOVED_OF_EACH_GOLD,
    SEATS,
    Setup,
)
from games.engine.biblios.orders import ORDER_KINDS, answer, order_of
from games.engine.biblios.ranges import check_position
from games.engine.biblios.rules import Position
from games.engine.biblios.sample import sampler_of
from games.engine.biblios.tally import tally
from games.engine.biblios.view import BibliosView
from games.engine.bots import choose_random
from games.engine.core import BadRecord, Game, Move, Seat, State, View, quoted


class Biblios(Game):
    """Biblios by Steve Finn, as docs/biblios.md settles it, whose sections this package cites; version 1."""

    slug = "biblios"
    version = 1
    seats = SEATS
    choices = CHOICES
    deal_of = Deal
    deal_fields = ("seed", "first", "removed", "deck")
    presets = PRESETS
    texts = MOVE_TEXTS
    examples = "“keep”, “take M2A”, “dice M+”, “bid 3”, “pass”, “pay G3”"
    max_plies = 4000
    """An upper bound: 4 players place and take 128 cards, move 18 dice, pay with 87 cards, and for each of 16 lots make
    at most 66 bids, 3 passes and a refusal in three auctions, two moves in a fourth: 3,625. Fewer seats make fewer."""
    bots = {"greedy": choose_greedy, "random": choose_random, **LEVELS, **TEMPERS}
    level_seats = range(2, 4)
    pools = {"2": (2,), "3-4": (3, 4)}
    categories = CATEGORIES
    order_kinds = ORDER_KINDS

    def deal(self, seats: int, options: Mapping[str, Any], seed: bytes) -> Deal:
        return seeded(seats, seed)

    def begin(self, seats: int, options: Mapping[str, Any], deal: Deal) -> Position:
        return Position(Setup.of(seats, options), deal)

    def check_position(self, state: State) -> None:
        assert isinstance(state, Position)
        check_position(state)

    def sample(self, view: View, rng: Random) -> Position:
        assert isinstance(view, BibliosView)
        return sampler_of(view).draw(rng)

    def deal_to_json(self, start: State, end: State) -> dict[str, Any]:
        assert isinstance(start, Position) and isinstance(end, Position)
        return {
            "first": start.deal.first,
            "removed": texts_of(start.deal.removed),
            "deck": texts_of(start.deal.deck),
            "auction": texts_of(end.pile or end.deal.auction_order(end.given)),
        }

    def deal_from_json(
        self,
        seats: int,
        options: Mapping[str, Any],
        document: Mapping[str, Any],
        draws: Sequence[Mapping[str, Any]],
    ) -> RecordedDeal:
        first = document.get("first")
        if type(first) is not int or not 0 <= first < seats:
            raise BadRecord(f"first is {quoted(first)}; expected a seat from 0 to {seats - 1}")
        removed, deck, auction = (_kinds(key, document.get(key)) for key in ("removed", "deck", "auction"))
        copies = REMOVED_OF_EACH_GOLD[seats]
        fixed = [kind for kind in range(GOLD, GOLD + 3) for _ in range(copies)]
        if sorted(removed[: len(fixed)]) != fixed:
            raise BadRecord(f"removed must begin with {' '.join(TEXTS[kind] for kind in fixed)}")
        if len(removed) != len(fixed) + REMOVED_AT_RANDOM[seats]:
            raise BadRecord(f"removed has {len(removed)} cards; expected {len(fixed) + REMOVED_AT_RANDOM[seats]}")
        cards = cards_for([*removed, *deck])
        expected = CARDS - len(removed)
        if len(deck) != expected:
            raise BadRecord(f"deck has {len(deck)} cards; expected {expected}")
        if cards is None:
            raise BadRecord("removed and deck together are not the 87 cards of the game: one card is in them too often")
        drawn = [_kind("the card of an entry of chance", entry.get("card")) for entry in draws]
        return RecordedDeal(first, cards[: len(removed)], cards[len(removed) :], auction, drawn)

    def result(self, state: State) -> dict[str, Any]:
        assert isinstance(state, Position)
        score = state.score()
        return super().result(state) | {
            "gold": list(score.gold),
            "dice": list(state.dice),
            "category_winners": list(score.winners),
            "totals": [list(totals) for totals in score.totals],
        }

    def categories_won(self, result: Mapping[str, Any], seat: Seat) -> str:
        """The letters of the dice: `MH` for Monks and Holy Books."""
        return "".join([c for c, winner in zip(CATEGORIES, result["category_winners"], strict=True) if winner == seat])

    def feats(self, start: State, moves: Sequence[Move], made: Sequence[int]) -> list[Counter[str]]:
        assert isinstance(start, Position)
        return feats(start, moves, made)

    bot_delay = staticmethod(bot_delay)
    expert = staticmethod(expert)
    order = staticmethod(order_of)
    answer = staticmethod(answer)

    def tally(self, start: State, moves: Sequence[Move]) -> Counter[str]:
        assert isinstance(start, Position)
        return tally(start, moves)


def _kinds(key: str, texts: object) -> list[int]:
    if not isinstance(texts, list):
        raise BadRecord(f"{key} is {'missing' if texts is None else 'no list'}; expected a list of cards")
    return [_kind(key, text) for text in texts]


def _kind(where: str, text: object) -> int:
    if not isinstance(text, str) or text not in KINDS:
        raise BadRecord(f"{where}: {quoted(text)} is no card; expected one like M2A, G3, C++")
    return KINDS[text]
