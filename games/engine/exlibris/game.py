"""Ex Libris as a Game: how it starts, and what its records hold (rules: The game record)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.engine.bots import choose_random
from games.engine.core import BadRecord, Expert, Game, Move, State, View, quoted
from games.engine.exlibris.cards import CARD, CATEGORIES, LABELS, labels_of
from games.engine.exlibris.deal import Deal, RecordedDeal, seeded
from games.engine.exlibris.expert import ExLibrisExpert
from games.engine.exlibris.feats import feats
from games.engine.exlibris.librarian import choose_librarian
from games.engine.exlibris.libraries import CODES
from games.engine.exlibris.notation import MOVE_TEXTS
from games.engine.exlibris.options import CHOICES, LATER, PRESETS, SEATS, Setup
from games.engine.exlibris.orders import ORDER_KINDS, answer, order_of
from games.engine.exlibris.planner import FAIR, GOOD, STRONG, VALUED, planner
from games.engine.exlibris.ranges import check_position
from games.engine.exlibris.rules import Position
from games.engine.exlibris.sample import sampler_of
from games.engine.exlibris.shelf import Pile
from games.engine.exlibris.tally import tally
from games.engine.exlibris.view import ExLibrisView


class ExLibris(Game):
    """Ex Libris by Adam P. McIver, as docs/exlibris.md settles it, whose sections this package cites; version 1."""

    slug = "exlibris"
    version = 1
    seats = SEATS
    choices = CHOICES
    deal_of = Deal
    deal_fields = ("seed", "first", "libraries", "categories", "tiles", "deck")
    parts = {"Pile": Pile}
    later = LATER
    presets = PRESETS
    texts = MOVE_TEXTS
    examples = "“send 5”, “special home”, “draw”, “shelve A3”, “at 0,1”, “take A3”, “cat M”, “pass”"
    max_plies = 14_000
    bots = {
        "librarian": choose_librarian,
        "fair": planner(FAIR),
        "good": planner(GOOD),
        "strong": planner(STRONG),
        "random": choose_random,
    }
    pools = {"2": (2,), "3-4": (3, 4)}
    pauses = {
        **dict.fromkeys(("turn", "pass", "none", "up", "down"), 0.1),
        **dict.fromkeys(("draw", "at", "peek", "lay", "keep"), 0.4),
        **dict.fromkeys(("shelve", "discard", "swap", "more"), 0.6),
        **dict.fromkeys(("send", "special", "lose", "back", "recall", "give"), 1.3),
    }
    level_seats = range(2, 3)
    difficulty = "difficulty"
    order_kinds = ORDER_KINDS

    def expert(self, seats: int, options: Mapping[str, Any]) -> Expert | None:
        return ExLibrisExpert(seats) if seats in VALUED else None

    def deal(self, seats: int, options: Mapping[str, Any], seed: bytes) -> Deal:
        return seeded(Setup.of(seats, options), seed)

    def begin(self, seats: int, options: Mapping[str, Any], deal: Deal) -> Position:
        position = Position(Setup.of(seats, options), deal)
        position.go_on()
        return position

    def check_position(self, state: State) -> None:
        assert isinstance(state, Position)
        check_position(state)

    def sample(self, view: View, rng: Random) -> Position:
        assert isinstance(view, ExLibrisView)
        return sampler_of(view).draw(rng)

    def deal_to_json(self, start: State, end: State) -> dict[str, Any]:
        assert isinstance(start, Position)
        deal = start.deal
        return {
            "first": deal.first,
            "libraries": [[CODES[library] for library in pair] for pair in deal.libraries],
            "categories": [CATEGORIES[category] for category in deal.categories],
            "tiles": list(deal.tiles),
            "deck": labels_of(deal.deck),
        }

    def deal_from_json(
        self,
        seats: int,
        options: Mapping[str, Any],
        document: Mapping[str, Any],
        draws: Sequence[Mapping[str, Any]],
    ) -> RecordedDeal:
        of = Setup.of(seats, options)
        first = document.get("first")
        if type(first) is not int or not 0 <= first < seats:
            raise BadRecord(f"first is {quoted(first)}; expected a seat from 0 to {seats - 1}")
        libraries = _libraries(of, document)
        categories = _shuffled(document, "categories", list(CATEGORIES))
        tiles = _shuffled(document, "tiles", list(of.tiles))
        deck = _shuffled(document, "deck", list(LABELS))
        deal = Deal(
            b"",
            first,
            libraries,
            tuple([CATEGORIES.index(category) for category in categories]),
            tuple(tiles),
            tuple([CARD[label] for label in deck]),
        )
        return RecordedDeal(deal, draws)

    def result(self, state: State) -> dict[str, Any]:
        assert isinstance(state, Position)
        scores, seats = state.score(), state.setup.seats
        result = super().result(state) | {
            "lines": [list(score.lines) for score in scores[:seats]],
            "books": [list(score.books) for score in scores[:seats]],
            "down": [labels_of(pile.card for pile in shelf if not pile.up) for shelf in state.final_shelves()],
            "hand": list(state.books_in_hands()),
            "rounds": state.round,
        }
        if state.setup.solo:
            public = scores[1]
            result["public"] = {"points": public.points, "lines": list(public.lines), "books": list(public.books)}
        return result

    order = staticmethod(order_of)
    answer = staticmethod(answer)

    def feats(self, start: State, moves: Sequence[Move], made: Sequence[int]) -> list[Counter[str]]:
        assert isinstance(start, Position)
        return feats(start, moves, made)

    def tally(self, start: State, moves: Sequence[Move]) -> Counter[str]:
        assert isinstance(start, Position)
        return tally(start, moves)


def _libraries(of: Setup, document: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """The two libraries dealt to each seat."""
    found = _list(document, "libraries")
    seats = of.seats if of.special else 0
    if len(found) != seats:
        raise BadRecord(f"libraries has {len(found)} seats; expected {seats}")
    known = [CODES[library] for library in of.libraries]
    for seat, pair in enumerate(found):
        if not isinstance(pair, list) or len(pair) != 2:
            raise BadRecord(f"libraries of seat {seat} is {quoted(pair)}; expected a list of two")
        for code in pair:
            if code not in known:
                raise BadRecord(f"libraries: {quoted(code)} is none in this game; expected one of: {' '.join(known)}")
    dealt = [code for pair in found for code in pair]
    for code in dealt:
        if dealt.count(code) > 1:
            raise BadRecord(f"libraries: {code} is dealt twice")
    return tuple(tuple([CODES.index(code) for code in pair]) for pair in found)


def _shuffled(document: Mapping[str, Any], key: str, things: list[Any]) -> list[Any]:
    """A list of just these things, in any order."""
    found = _list(document, key)
    for thing in found:
        if type(thing) is not type(things[0]) or thing not in things:
            raise BadRecord(f"{key}: {quoted(thing)} is not in it; expected {_some(things)}")
        if found.count(thing) > 1:
            raise BadRecord(f"{key}: {quoted(thing)} stands there twice")
    if len(found) != len(things):
        missing = next(thing for thing in things if thing not in found)
        raise BadRecord(f"{key} has {len(found)} of {len(things)}; it lacks {quoted(missing)}")
    return found


def _list(document: Mapping[str, Any], key: str) -> list[Any]:
    found = document.get(key)
    if not isinstance(found, list):
        raise BadRecord(f"{key} is {'missing' if found is None else 'no list'}; expected a list")
    return found


def _some(things: Sequence[Any]) -> str:
    shown = [str(thing) for thing in things]
    return "one of: " + ", ".join(shown if len(shown) < 20 else [*shown[:3], "…", shown[-1]])
