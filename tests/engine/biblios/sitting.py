"""A sitting at a table of Biblios: cards chosen by the test, moves by text, what everybody holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from games.engine import record
from games.engine.biblios.cards import (
    ALL,
    CARDS,
    DECK,
    GOLD,
    HIDDEN,
    KIND,
    KINDS,
    PILE,
    TEXTS,
    cards_of,
    texts_of,
)
from games.engine.biblios.deal import RecordedDeal, cards_for
from games.engine.biblios.notation import BID
from games.engine.biblios.options import REMOVED_AT_RANDOM, REMOVED_OF_EACH_GOLD
from games.engine.registry import game_of
from tests.engine.promises import Played, random_options

GAME = game_of("biblios", 1)
NAMES = ("Ann", "Bob", "Cho", "Dan")


def kinds(texts: str) -> list[int]:
    """The kinds that a line of cards names."""
    return [KINDS[text] for text in texts.split()]


def texts(seen: Iterable[int]) -> str:
    """Kinds of a view as a line of cards, `?` for one that is hidden."""
    return " ".join("?" if kind == HIDDEN else TEXTS[kind] for kind in seen)


def mask(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


class ChosenDeal(RecordedDeal):
    """The auction and the penalties bring the cards chosen first, then those first in the card list."""

    def auction_order(self, cards: int) -> tuple[int, ...]:
        rest = cards_of(cards)
        order = []
        for kind in self.kinds_in_auction:
            card = next((card for card in rest if KIND[card] == kind), None)
            if card is not None:
                rest.remove(card)
                order.append(card)
        return (*order, *rest)

    def steal(self, number: int, hand: int) -> int:
        return super().steal(number, hand) if number < len(self.kinds_drawn) else cards_of(hand)[0]


class Sitting:
    """A game that is played by text."""

    def __init__(
        self,
        seats: int = 3,
        deck: str = "",
        *,
        first: int = 0,
        auction: str = "",
        draws: str = "",
        **options: Any,
    ) -> None:
        """The draw pile begins with `deck`, the rest follows in the order of the card list."""
        fixed = [kind for kind in range(GOLD, GOLD + 3) for _ in range(REMOVED_OF_EACH_GOLD[seats])]
        chosen = cards_for([*fixed, *kinds(deck)])
        assert chosen is not None, "a card is in the deck more often than there is one"
        cards = (*chosen, *(card for card in range(CARDS) if card not in chosen))
        end = CARDS - REMOVED_AT_RANDOM[seats]
        removed, drawn = cards[: len(fixed)] + cards[end:], cards[len(fixed) : end]
        assert mask(removed) | mask(drawn) == ALL and len(removed) + len(drawn) == CARDS
        self.start = GAME.start(
            seats, b"", options, deal=ChosenDeal(first, removed, drawn, kinds(auction), kinds(draws))
        )
        self.state = self.start.copy()
        self.moves: list[int] = []

    @classmethod
    def at_auction(
        cls,
        *hands: str,
        pile: str = "C+",
        first: int = 0,
        dice: Sequence[int] = (3, 3, 3, 3, 3),
        draws: str = "",
        **options: Any,
    ) -> Sitting:
        """The auction phase begins with these hands, by seat, and this pile; all other cards lie in the discard."""
        in_hands = [kinds(hand) for hand in hands]
        chosen = " ".join((*hands, pile))
        sitting = cls(len(hands), chosen, first=first, auction=pile, draws=draws, **options)
        state = sitting.state
        deck = iter(state.deal.deck)
        state.flow = None
        state.hands = []
        for seat, hand in enumerate(in_hands):
            held = [next(deck) for _ in hand]
            for card in held:
                state.flow = (state.flow, DECK, seat, card, 1 << seat)
            state.hands.append(mask(held))
        state.pile = tuple(next(deck) for _ in pile.split())
        for turn, card in enumerate(state.pile):
            state.flow = (state.flow, DECK, PILE, card, 1 << (first + turn) % len(hands))
        state.given = mask(state.pile)
        state.discard = mask(deck)
        state.placed = len(state.deal.deck)
        state.room = 0
        state.dice = tuple(dice)
        state.card = state.pile[0]
        state.question = BID
        state.seat = (first + 1) % len(hands)
        sitting.start = state.copy()
        return sitting

    def play(self, *answers: str) -> Sitting:
        """Make moves, each written with the seat that must be asked: `1 take G2`."""
        for answer in answers:
            seat, _, move = answer.partition(" ")
            assert int(seat) == self.asked, f"{answer!r}: seat {self.asked} is asked for {self.answers()}"
            self.moves.append(GAME.move(move))
            self.state = self.state.after(self.moves[-1], int(seat))
        return self

    def play_on(self, until: Callable[[Sitting], bool] = lambda sitting: sitting.over) -> Sitting:
        """Make the first move there is, again and again."""
        while not self.over and not until(self):
            self.play(f"{self.asked} {self.answers()[0]}")
        return self

    @property
    def asked(self) -> int | None:
        return self.state.seat

    @property
    def active(self) -> int:
        return self.state.active

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def dice(self) -> tuple[int, ...]:
        return self.state.dice

    @property
    def lot(self) -> str:
        """The card up for auction, or the Church card being resolved."""
        return TEXTS[KIND[self.state.card]] if self.state.card >= 0 else ""

    def answers(self) -> list[str]:
        return [GAME.text(move) for move in self.state.legal()]

    def forced(self) -> str | None:
        move = self.state.forced()
        return None if move is None else GAME.text(move)

    def hand(self, seat: int) -> str:
        return " ".join(texts_of(cards_of(self.state.hands[seat])))

    def space(self) -> str:
        return " ".join(texts_of(cards_of(self.state.space)))

    def discarded(self) -> str:
        """The cards discarded face up since the sitting began."""
        return " ".join(texts_of(cards_of(self.state.discard & ~self.start.discard)))

    def buried(self) -> str:
        """The cards discarded face down."""
        return " ".join(texts_of(cards_of(self.state.buried)))

    def chance(self) -> list[dict[str, Any]]:
        """The entries of chance so far."""
        return self.state.chance_since(0)

    def viewers(self) -> list[int | None]:
        return [None, *range(len(self.state.hands))]


def lively_game(rng: Random, seats: int | None = None, **options: Any) -> Played:
    """A game of random moves with low bids, so that much is bought and paid; random options except for those given."""
    seats = seats or rng.choice(GAME.seats)
    start = GAME.start(seats, rng.randbytes(32), random_options(GAME, rng) | options)
    end = start.copy()
    moves = []
    while not end.over:
        legal = end.legal()
        move = rng.choice(legal[:4] if end.question == BID else legal)
        end.play(move)
        moves.append(move)
    return Played(start, moves, end)


def recorded(played: Played, **more: Any) -> dict[str, Any]:
    """The record of a game, as it is read from a file."""
    names = NAMES[: len(played.start.scores())]
    return json.loads(json.dumps(record.export(GAME, played.start, played.moves, names, **more)))
