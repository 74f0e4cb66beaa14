"""A position of Biblios: all that is true at one moment, and how it is copied, shown and scored."""

from __future__ import annotations

from typing import Any, Self

from games.engine.biblios.cards import FORFEIT, KIND, TEXTS
from games.engine.biblios.deal import Deal
from games.engine.biblios.notation import MOVE_TEXTS, OVER, PAY_CARDS, PLACE, REFUSE
from games.engine.biblios.options import Setup
from games.engine.biblios.scoring import Score, score, standing
from games.engine.core import Move, State
from games.engine.ranking import Ranking


class Zones(State):
    """Where all cards are, and what is asked. Sets of cards are bit masks (see `cards`)."""

    texts = MOVE_TEXTS
    __slots__ = (
        "active",
        "banned",
        "bidder",
        "bids",
        "bound",
        "buried",
        "card",
        "deal",
        "dice",
        "die",
        "discard",
        "draws",
        "due",
        "flow",
        "given",
        "hands",
        "high",
        "kept",
        "out",
        "pile",
        "placed",
        "question",
        "room",
        "setup",
        "sold",
        "space",
    )

    def __init__(self, setup: Setup, deal: Deal) -> None:
        self.setup = setup
        self.deal: Deal = deal
        self.question = PLACE
        self.seat: Any = deal.first  # Seat | None; Any spares the path of a move a check at every step
        self.active = deal.first
        """The active player of the turn."""
        self.dice: tuple[int, ...] = (setup.start_die,) * 5
        self.hands = [0] * setup.seats
        self.discard = 0
        """All cards discarded face up."""
        self.buried = 0
        """All cards paid face down."""
        self.draws = 0

        self.placed = 0
        """The number of cards of the deck that have been placed."""
        self.room = setup.places
        self.kept = 0
        """The card that the active player has kept, as a set."""
        self.space = 0
        """The public space."""
        self.given = 0
        """The cards put in the auction pile in the gift phase."""

        self.card = -1
        """The card up for auction, or the Church card being resolved."""
        self.die = -1
        """The category of the first die that a Church card moved, while it asks for the second."""

        self.pile: tuple[int, ...] = ()
        """The auction pile in the order turned up, from the beginning of the auction phase."""
        self.sold = 0
        """The index in `pile` of the card up for auction."""
        self.high = 0
        """The highest bid so far; 0 if there is none."""
        self.bidder = -1
        self.out = 0
        """The seats that have passed or been punished, as a set."""
        self.banned = 0
        """The seats punished for this card, as a set."""
        self.bids: tuple[tuple[int, int, Move], ...] = ()
        """What was answered in the auctions, in order: the index in `pile`, the seat, its bid, pass or refusal."""
        self.due = 0
        """What is still to be paid: gold, or cards."""
        self.bound = 0
        """The kind that may be paid next: gold of this kind or less, any cards from this kind on."""

        self.flow: Any = None
        """How cards moved into and out of hands: (earlier flow, from, to, card, who saw it); None at the start."""

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.setup.options)

    def shown(self, move: Move) -> str:
        face_down = self.question == PAY_CARDS and move != REFUSE
        return "pay" if face_down else MOVE_TEXTS[move]

    @property
    def over(self) -> bool:
        return self.question == OVER

    @property
    def early(self) -> bool:
        """Whether less than half of the gift phase has been played."""
        return 2 * self.placed < len(self.deal.deck)

    def stop(self) -> None:
        self.question, self.seat = OVER, None

    def score(self) -> Score:
        """What each hand is worth, as if the game ended now."""
        return score(self.hands, self.dice)

    def standing(self) -> Ranking:
        """The final order, with the steps that decided it, as if the game ended now."""
        return standing(self.hands, self.score(), self.setup.final_tie)

    def scores(self) -> tuple[int, ...]:
        return self.score().points

    def places(self) -> tuple[int, ...]:
        return self.standing().places

    def chance_since(self, draws: int) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        flow = self.flow
        while len(entries) < self.draws - draws:
            flow, source, target, card, _ = flow
            if source >= 0 and target >= 0:
                entries.append({"chance": "steal", "from": source, "to": target, "card": TEXTS[KIND[card]]})
            elif target == FORFEIT:
                entries.append({"chance": "discard", "from": source, "card": TEXTS[KIND[card]]})
        return entries[::-1]

    def key(self) -> tuple[Any, ...]:
        state = [getattr(self, name) for name in Zones.__slots__ if name not in ("deal", "hands", "setup")]
        deal = self.deal
        return (self.seat, *state, *self.hands, self.setup, deal.first, deal.removed, deal.deck[self.placed :])

    def copy(self) -> Self:
        new = object.__new__(self.__class__)
        new.setup = self.setup
        new.deal = self.deal
        new.question = self.question
        new.seat = self.seat
        new.active = self.active
        new.dice = self.dice
        new.hands = self.hands[:]
        new.discard = self.discard
        new.buried = self.buried
        new.draws = self.draws
        new.placed = self.placed
        new.room = self.room
        new.kept = self.kept
        new.space = self.space
        new.given = self.given
        new.card = self.card
        new.die = self.die
        new.pile = self.pile
        new.sold = self.sold
        new.high = self.high
        new.bidder = self.bidder
        new.bids = self.bids
        new.out = self.out
        new.banned = self.banned
        new.due = self.due
        new.bound = self.bound
        new.flow = self.flow
        return new
