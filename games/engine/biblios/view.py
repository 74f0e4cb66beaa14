"""What one seat, or a watcher, may know of a position (rules: What is known to whom)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from games.engine.biblios.cards import (
    BURIED,
    DISCARD,
    EVERYBODY,
    FORFEIT,
    HIDDEN,
    KIND,
    PILE,
    SPACE,
    WATCHERS,
    kinds_of,
)
from games.engine.biblios.notation import PAY_CARDS, PLACE
from games.engine.biblios.options import Setup
from games.engine.biblios.zones import Zones
from games.engine.core import Move, Seat, View

Kinds = tuple[int, ...]
Flow = tuple[tuple[int, int, int], ...]
Bids = tuple[tuple[int, Seat, Move], ...]


@dataclass(frozen=True)
class BibliosView(View):
    """A position as `me` knows it. Cards are kinds; HIDDEN stands for one that is there but not known to `me`."""

    me: Seat | None
    setup: Setup
    question: int
    seat: Seat | None
    legal: tuple[Move, ...]

    first: Seat
    """The first active player."""
    active: Seat
    dice: tuple[int, ...]
    deck: int
    """The number of cards in the draw pile, including the one being placed."""
    drawn: int | None
    """The card being placed."""
    room: int
    """The places still open in this turn: see `rules.PLACES`."""
    kept: int | None
    """The card that lies face down before the active player until all are placed."""
    space: Kinds
    """The public space."""

    piled: int
    """The number of cards in the auction pile that have not been turned up."""
    lots: Kinds
    """The cards turned up so far, the one up for auction last."""
    card: int | None
    """The card up for auction, or the Church card being resolved."""
    die: int
    """The category of the first die that a Church card moved, while it asks for the second; else -1."""
    high: int
    bidder: int
    """The seat that bids `high`; -1 if there is no bid."""
    out: int
    """The seats that have passed or been punished, as a set."""
    banned: int
    """The seats punished for this card, as a set."""
    bids: Bids
    """What was answered in the auctions, in order: the index of the lot, the seat, its bid, pass or refusal."""
    due: int
    """What is still to be paid: gold, or cards."""
    bound: int
    """The kind that limits the next payment (see `Position.bound`); HIDDEN while another pays face down."""

    hands: tuple[Kinds | None, ...]
    """By seat; None where hidden."""
    counts: tuple[int, ...]
    """The number of cards in each hand."""
    discard: Kinds
    """All cards discarded face up."""
    flow: Flow
    """How cards moved into and out of hands and into the auction pile: from, to, kind, in order (see `cards.DECK`)."""

    def __hash__(self) -> int:
        # Few fields tell most views apart: all of them would take as long as making one.
        return hash((self.me, self.question, self.deck, self.piled, self.high, self.due, self.counts))

    @property
    def hand(self) -> Kinds:
        """The cards in my hand; none for a watcher."""
        return () if self.me is None else self.hands[self.me] or ()

    @property
    def seen(self) -> tuple[Kinds, ...]:
        """By seat, what everybody saw the player take or buy, minus what everybody saw them discard."""
        seen: list[Counter[int]] = [Counter() for _ in self.counts]
        for source, target, kind in self.flow:
            if target >= 0 and source in (SPACE, PILE):
                seen[target][kind] += 1
            elif target in (DISCARD, FORFEIT) and seen[source][kind]:
                seen[source][kind] -= 1
        return tuple(tuple(sorted(cards.elements())) for cards in seen)

    @property
    def given(self) -> Kinds:
        """The cards that I put in the auction pile, in that order."""
        given = [kind for _, target, kind in self.flow if target == PILE]  # one in each turn, in rotation
        return () if self.me is None else tuple(given[(self.me - self.first) % self.setup.seats :: self.setup.seats])

    @property
    def buried(self) -> tuple[Kinds, ...]:
        """By seat, the cards paid face down, in that order; HIDDEN for those of others."""
        return tuple(
            tuple(kind for source, target, kind in self.flow if target == BURIED and source == seat)
            for seat in range(self.setup.seats)
        )

    @property
    def penalties(self) -> tuple[tuple[Seat, int, int], ...]:
        """The cards drawn in penalties: from, to (a seat or FORFEIT), kind."""
        return tuple(move for move in self.flow if move[0] >= 0 and (move[1] >= 0 or move[1] == FORFEIT))


def public_view(state: Zones) -> BibliosView:
    """What everybody may know of a position, and a watcher knows. When the game is over, all hands are open."""
    over = state.seat is None
    placing = state.question == PLACE
    auction = len(state.pile)
    return BibliosView.of(
        me=None,
        setup=state.setup,
        question=state.question,
        seat=state.seat,
        legal=(),
        first=state.deal.first,
        active=state.active,
        dice=state.dice,
        deck=len(state.deal.deck) - state.placed,
        drawn=HIDDEN if placing else None,
        room=state.room,
        kept=HIDDEN if state.kept else None,
        space=kinds_of(state.space),
        piled=max(0, auction - state.sold - 1) if auction else state.given.bit_count(),
        lots=tuple([KIND[card] for card in state.pile[: state.sold + 1]]),
        card=KIND[state.card] if state.card >= 0 else None,
        die=state.die,
        high=state.high,
        bidder=state.bidder,
        out=state.out,
        banned=state.banned,
        bids=state.bids,
        due=state.due,
        bound=HIDDEN if state.question == PAY_CARDS and state.due < state.high else state.bound,
        hands=tuple([kinds_of(hand) if over else None for hand in state.hands]),
        counts=tuple([hand.bit_count() for hand in state.hands]),
        discard=kinds_of(state.discard),
        flow=_flow(state, EVERYBODY if over else WATCHERS),
    )


def own_view(state: Zones, public: BibliosView, me: Seat) -> BibliosView:
    """What seat `me` may know: what everybody may (`public`), and more of what is named here."""
    if state.seat is None:
        return public.with_(me=me)
    hands: list[Kinds | None] = [None] * len(state.hands)
    hands[me] = kinds_of(state.hands[me])
    own: dict[str, Any] = {"me": me, "hands": tuple(hands), "flow": _flow(state, 1 << me)}
    if state.kept and me == state.active:
        own["kept"] = kinds_of(state.kept)[0]
    if me == state.seat:
        own |= {"legal": state.legal(), "bound": state.bound, "drawn": _drawn(state)}
    return public.with_(**own)


def open_view(state: Zones) -> BibliosView:
    """What all seats together know: their hands, and what the players who are asked or active see alone."""
    public = public_view(state)
    if state.seat is None:
        return public
    hands = tuple([kinds_of(hand) for hand in state.hands])
    kept = kinds_of(state.kept)[0] if state.kept else None
    return public.with_(drawn=_drawn(state), kept=kept, bound=state.bound, hands=hands, flow=_flow(state, EVERYBODY))


def _drawn(state: Zones) -> int | None:
    """The card being placed."""
    return KIND[state.deal.deck[state.placed]] if state.question == PLACE else None


def _flow(state: Zones, viewers: int) -> Flow:
    """How cards moved, as `viewers` (a set, see `cards.EVERYBODY`) know it."""
    # Most views are of successive positions: what was known before is not read again.
    known, seen = state.deal.flows.get(viewers, (None, ()))
    cell = state.flow
    if cell is known:
        return seen
    flow = []
    while cell and cell is not known:
        cell, source, target, card, saw = cell
        flow.append((source, target, KIND[card] if saw & viewers else HIDDEN))
    flow.reverse()
    history = (*seen, *flow) if cell is known else tuple(flow)
    state.deal.flows[viewers] = state.flow, history
    return history
