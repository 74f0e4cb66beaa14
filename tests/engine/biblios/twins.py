"""Twin games: two deals that differ only in what one seat has never been shown, with the same moves.

A twin is the same story with other truths behind it: two cards exchanged that `me` has not seen (the next one of the
draw pile, for instance), another order of the auction pile to come, another card paid face down, another card drawn in
a penalty between two others. Whatever `me` is shown must be the same in both, at every ply. Nothing here asks a view,
nor how views are sampled.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from games.engine import record
from games.engine.biblios.cards import KIND, cards_of
from games.engine.biblios.deal import RecordedDeal
from games.engine.biblios.notation import PAY, PAY_CARDS, PLACE
from games.engine.biblios.options import REMOVED_OF_EACH_GOLD
from games.engine.core import BadRecord
from tests.engine.biblios.sitting import GAME, lively_game, mask, recorded
from tests.engine.promises import Played

Look = Callable[[Any, int | None], object]


def shown(state: Any, me: int | None) -> object:
    """What the game shows to `me`, a watcher if None."""
    return state.view(me)


class Story(NamedTuple):
    """A deal with nothing left to chance, and the moves made with it."""

    seats: int
    options: dict[str, Any]
    first: int
    removed: tuple[int, ...]
    deck: tuple[int, ...]
    auction: tuple[int, ...]
    """The auction pile in the order turned up, as kinds."""
    drawn: tuple[int, ...]
    """The cards drawn in penalties, as kinds."""
    moves: tuple[int, ...]

    def states(self) -> list[Any] | None:
        """Every position, or None if the story contradicts the rules."""
        deal = RecordedDeal(self.first, self.removed, self.deck, self.auction, self.drawn)
        state = GAME.start(self.seats, b"", self.options, deal=deal)
        states = [state]
        for move in self.moves:
            if move not in state.legal():
                return None
            state = state.copy()
            try:
                state.play(move)
            except BadRecord:
                return None
            states.append(state)
        return states


class Told(NamedTuple):
    """A story with its positions, and what the twins of it can change."""

    story: Story
    states: list[Any]
    drawn: list[tuple[int, int, int | None, int]]
    """The penalty draws: ply, who lost, who got (None if it was discarded), card."""

    def unseen(self, me: int | None, ply: int) -> list[int]:
        """The cards that `me` has never been shown up to a ply."""
        fixed = 3 * REMOVED_OF_EACH_GOLD[self.story.seats]
        seen = mask(self.story.removed[:fixed])
        for state in self.states[: ply + 1]:
            seen |= state.space | state.discard
            if state.pile:
                seen |= mask(state.pile[: state.sold + 1])
            if state.card >= 0:
                seen |= 1 << state.card
            if me is not None:
                seen |= state.hands[me]
                if state.active == me:
                    seen |= state.kept
                if state.question == PLACE and state.seat == me:
                    seen |= 1 << state.deal.deck[state.placed]
        return [card for card in range(87) if not seen >> card & 1]

    def exchanged(self, a: int, b: int, ply: int) -> Story:
        """The story up to a ply with two cards in each other's place."""
        story = self.story
        other = {a: b, b: a}
        moves = list(story.moves[:ply])
        for at, state in enumerate(self.states[:ply]):
            if moves[at] >= PAY and state.question == PAY_CARDS:
                (spent,) = cards_of(self.states[at + 1].buried & ~state.buried)
                moves[at] = PAY + KIND[other.get(spent, spent)]
        return story._replace(
            removed=tuple(other.get(card, card) for card in story.removed),
            deck=tuple(other.get(card, card) for card in story.deck),
            auction=tuple(KIND[other.get(card, card)] for card in self.states[-1].pile),
            drawn=tuple(KIND[other.get(card, card)] for *_, card in self.drawn),
            moves=tuple(moves),
        )

    def two_unseen(self, me: int | None, ply: int, rng: Random) -> Story | None:
        """Two cards that `me` has not seen change places; at least one of them is in use or drawn next."""
        unseen = self.unseen(me, ply)
        state = self.states[ply]
        near = state.given | state.kept | state.buried | mask(state.deal.deck[state.placed : state.placed + 1])
        inside = [card for card in unseen if (near | sum(state.hands)) >> card & 1]
        if not inside:
            return None
        a, b = rng.choice(inside), rng.choice(unseen)
        return self.exchanged(a, b, ply) if KIND[a] != KIND[b] else None

    def other_next(self, me: int | None, ply: int, rng: Random) -> Story | None:
        """While `me` (or anybody, for a watcher) places a card, the one after it is another that `me` has not seen."""
        state = self.states[ply]
        if state.question != PLACE or state.placed + 1 == len(state.deal.deck) or me not in (None, state.seat):
            return None
        a, b = state.deal.deck[state.placed + 1], rng.choice(self.unseen(me, ply))
        return self.exchanged(a, b, ply) if KIND[a] != KIND[b] else None

    def other_order(self, me: int | None, ply: int, rng: Random) -> Story | None:
        """Two cards of the auction pile to come change places; who put them there stays."""
        state = self.states[ply]
        to_come = range(state.sold + 1 if state.pile else 0, len(self.story.auction))
        if len(to_come) < 2:
            return None
        a, b = rng.sample(to_come, 2)
        auction = list(self.story.auction)
        auction[a], auction[b] = auction[b], auction[a]
        return self.story._replace(auction=tuple(auction), moves=self.story.moves[:ply])

    def other_payment(self, me: int | None, ply: int, rng: Random) -> Story | None:
        """Another card was paid face down by somebody else."""
        paid = [
            at
            for at, state in enumerate(self.states[:ply])
            if state.question == PAY_CARDS and state.seat != me and self.story.moves[at] >= PAY
        ]
        if not paid:
            return None
        at = rng.choice(paid)
        move = rng.choice([move for move in self.states[at].legal() if move >= PAY])
        moves = list(self.story.moves[:ply])
        moves[at] = move
        return self.story._replace(moves=tuple(moves)) if move != self.story.moves[at] else None

    def other_theft(self, me: int | None, ply: int, rng: Random) -> Story | None:
        """Another card was drawn in a penalty between two others."""
        thefts = [
            number
            for number, (at, source, target, _) in enumerate(self.drawn)
            if at < ply and target is not None and me not in (source, target)
        ]
        if not thefts:
            return None
        number = rng.choice(thefts)
        at, source, _, card = self.drawn[number]
        kind = KIND[rng.choice(cards_of(self.states[at].hands[source]))]
        drawn = list(self.story.drawn)
        drawn[number] = kind
        return self.story._replace(drawn=tuple(drawn), moves=self.story.moves[:ply]) if kind != KIND[card] else None


def told(played: Played) -> Told:
    """A game as a story, in which equal cards are what the record makes of them."""
    read = record.read(json.dumps(recorded(played)))
    deal: Any = read.start.deal
    story = Story(
        len(played.end.hands),
        played.start.options,
        deal.first,
        deal.removed,
        deal.deck,
        deal.kinds_in_auction,
        deal.kinds_drawn,
        tuple(played.moves),
    )
    states = story.states()
    assert states is not None
    drawn = []
    for ply, (before, after) in enumerate(pairwise(states)):
        for entry in after.chance_since(before.draws):
            source, target = entry["from"], entry.get("to")
            lost = before.hands[source] & ~after.hands[source]
            if target is not None:
                lost &= after.hands[target]
            (card,) = cards_of(lost)
            drawn.append((ply, source, target, card))
    return Told(story, states, drawn)


class Twins(NamedTuple):
    """Two games that `me` cannot tell from each other."""

    kind: str
    me: int | None
    states: list[Any]
    others: list[Any]

    def check(self, look: Look = shown) -> None:
        """What `look` shows to `me` is the same in both, at every ply; so are its answers and what is forced."""
        for ply, (state, other) in enumerate(zip(self.states, self.others, strict=True)):
            assert look(state, self.me) == look(other, self.me), f"seat {self.me} sees at ply {ply} ({self.kind})"
            assert state.forced() == other.forced(), f"forced at ply {ply} ({self.kind})"
            assert state.seat == other.seat
            if state.seat == self.me:
                assert state.legal() == other.legal(), f"answers at ply {ply} ({self.kind})"


WAYS = (Told.two_unseen, Told.other_next, Told.other_order, Told.other_payment, Told.other_theft)


def twins(rng: Random, games: int, **options: Any) -> Iterator[Twins]:
    """Twins of random games: for each seat, and a watcher, one in each way at a ply drawn at random."""
    for _ in range(games):
        tale = told(lively_game(rng, **options))
        for me in (None, *range(tale.story.seats)):
            for way in WAYS:
                for _ in range(8):
                    ply = rng.randrange(len(tale.story.moves))
                    story = way(tale, me, ply, rng)
                    others = story and story.states()
                    if others:
                        yield Twins(way.__name__, me, tale.states[: ply + 1], others)
                        break
