"""Determinizations: a position drawn at random among those that a view allows.

A card that the viewer has not located is either one of those of which the present deck was made, or it is *stale*:
then it is in a hand or on a tile. As every card that leaves a hand is seen by all, everybody knows how many stale
cards each hand holds.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from games.engine.exlibris.cards import BOOKS, CARDS, CATEGORIES, HIDDEN, STALE, mask_of
from games.engine.exlibris.deal import Deal
from games.engine.exlibris.frames import MAY_SHELVE
from games.engine.exlibris.rules import Position
from games.engine.exlibris.tiles import SEALED_ARCHIVE
from games.engine.exlibris.view import ExLibrisView


@lru_cache(maxsize=16)
def sampler_of(view: ExLibrisView) -> Sampler:
    """The sampler of a view; those of the last few views are kept, as a search draws many samples of each."""
    return Sampler(view)


class Sampler:
    """Draws positions from a view, and from nothing but the view; what they share is computed once.

    A sample is meant for the same viewer, and for playing on. What other players would rather do is not weighed. Other
    seats know in it their hands, what they looked at in the Archive and what all know, but nothing of what else they
    have seen of each other's hands. Nobody else has turned a card down yet.
    """

    def __init__(self, view: ExLibrisView) -> None:
        self.view = view
        located = mask_of(card for hand in view.hands for card in hand)
        located |= mask_of(view.discard) | mask_of(view.laid)
        located |= mask_of(card for cards in view.cards for card in cards if card >= 0)
        for shelf in view.shelves:
            located |= mask_of(pile.card for pile in shelf)
            located |= mask_of(pile.under for pile in shelf if pile.under >= 0)
        unseen = [card for card in range(CARDS) if not located >> card & 1]
        self.fresh = [card for card in unseen if view.fresh >> card & 1]
        self.stale = [card for card in unseen if not view.fresh >> card & 1]

    def draw(self, rng: Random) -> Position:
        """A position in which the viewer sees the same."""
        view = self.view
        fresh, stale = rng.sample(self.fresh, len(self.fresh)), rng.sample(self.stale, len(self.stale))
        hands = [self._hand(seat, fresh, stale) for seat in range(view.setup.seats)]
        cards = tuple([self._on_tile(cards, fresh, stale) for cards in view.cards])
        state = Position(view.setup, self._deal(fresh, rng))
        state.stack = view.stack
        if view.question == MAY_SHELVE and view.stack[-1][2] == HIDDEN:
            question, piece, _, more = view.stack[-1]
            known = mask_of(view.hands[piece >> 1])
            (first, *_others) = [card for card in hands[piece >> 1] if not known >> card & 1]
            state.stack = (*view.stack[:-1], (question, piece, first, more))
        state.seat = view.seat
        state.round, state.marker, state.last = view.round, view.marker, view.last
        state.libraries, state.ready, state.special = view.libraries, view.ready, view.special
        state.at_home, state.guests, state.peeked = view.at_home, view.guests, view.peeked
        state.tiles, state.came, state.tiles_gone = view.tiles, view.came, view.tiles_gone
        state.tiles_to_come = self._tiles(rng)
        state.cards = cards
        state.hands = tuple([mask_of(hand) for hand in hands])
        state.shelves, state.discard, state.laid = view.shelves, view.discard, view.laid
        state.deck, state.drawn = tuple(fresh), 0
        state.fresh, state.lacks = view.fresh, view.lacks
        state.turned = view.turned
        state.knows = self._knows(state)
        return state

    def _hand(self, seat: int, fresh: list[int], stale: list[int]) -> list[int]:
        """The hand of a seat: what the viewer knows of it, and cards taken from those unseen."""
        view = self.view
        hand = list(view.hands[seat])
        hidden = view.counts[seat] - len(hand)
        old = view.stale[seat] - sum(not view.fresh >> card & 1 for card in hand)
        for number in range(hidden):
            pool = stale if number < old else fresh
            hand.append(self._take(pool, self._wanted(seat, hand)))
        return hand

    def _wanted(self, seat: int, hand: list[int]) -> set[int]:
        """The categories of which more cards of the hand must have no book."""
        lacks = self.view.lacks[seat]
        if not any(lacks):
            return set()
        return {c for c, number in enumerate(lacks) if sum(c not in BOOKS[card] for card in hand) < number}

    def _take(self, pool: list[int], lacking: set[int]) -> int:
        """One of the pool with the fewest of these categories."""
        if not lacking:
            return pool.pop()
        card = min(pool, key=lambda card: len(lacking & BOOKS[card]))
        pool.remove(card)
        return card

    def _on_tile(self, cards: tuple[int, ...], fresh: list[int], stale: list[int]) -> tuple[int, ...]:
        return tuple([fresh.pop() if card == HIDDEN else stale.pop() if card == STALE else card for card in cards])

    def _deal(self, deck: list[int], rng: Random) -> Deal:
        """A deal in which the viewer was dealt the same."""
        view, setup = self.view, self.view.setup
        spare = [library for library in setup.libraries if library not in view.libraries]
        mine = [library for pair in view.dealt if pair for library in pair]
        spare = [library for library in spare if library not in mine]
        rng.shuffle(spare)
        libraries = tuple(
            pair or tuple([library if library >= 0 else spare.pop(), spare.pop()])
            for pair, library in zip(view.dealt, view.libraries[: len(view.dealt)], strict=True)
        )
        return Deal(rng.randbytes(32), view.marker, libraries, self._categories(rng), (), tuple(deck))

    def _categories(self, rng: Random) -> tuple[int, ...]:
        view = self.view
        chosen = (view.prominent, view.banned, *view.focus, *view.spare)
        chosen += (None,) * (len(CATEGORIES) - len(chosen))
        rest = [category for category in range(len(CATEGORIES)) if category not in chosen]
        rng.shuffle(rest)
        return tuple([rest.pop() if category is None else category for category in chosen])

    def _tiles(self, rng: Random) -> tuple[int, ...]:
        """The stack of tiles: those that are neither in play nor discarded."""
        view = self.view
        rest = [tile for tile in view.setup.tiles if tile not in view.tiles and tile not in view.tiles_gone]
        return tuple(rng.sample(rest, len(rest)))

    def _knows(self, state: Position) -> tuple[int, ...]:
        """By seat, and for a watcher, the cards that they have located."""
        view = self.view
        archive = state.cards[SEALED_ARCHIVE]
        seen_by = [
            mask_of(card for card, seats in zip(archive, view.peeked, strict=True) if card >= 0 and seats >> seat & 1)
            for seat in range(view.setup.seats)
        ]
        public = mask_of(card for cards in (*view.open, *view.cards) for card in cards if card >= 0)
        public &= ~mask_of(card for card in archive if card >= 0 and not view.over)
        knows = [public | hand | seen for hand, seen in zip(state.hands, seen_by, strict=True)]
        if view.me is not None:
            knows[view.me] |= mask_of(card for hand in view.hands for card in hand)
        return (*knows, public)
