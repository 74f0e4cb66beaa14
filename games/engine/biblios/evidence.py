"""What a view says of the cards: where those are that it shows, and what is known of the steps that it hides.

Nothing is drawn here: `sample` does that. What all samples of a view share is computed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from games.engine.biblios.cards import (
    ALL,
    BITS,
    BURIED,
    CHURCH,
    DECK,
    EVERYBODY,
    FIRST_CHURCH,
    FORFEIT,
    GOLD,
    HIDDEN,
    KIND,
    OF_KIND,
    PILE,
    SPACE,
    VALUES,
)
from games.engine.biblios.habits import leads_of, turn_kind
from games.engine.biblios.options import REMOVED_OF_EACH_GOLD
from games.engine.biblios.view import BibliosView

OPEN: Final = -1
"""A card that has not been decided yet."""
Step = tuple[tuple[int, int, int], int, frozenset[int], int, tuple[int, ...]]
"""A step of the flow, the card that enters by it, the cards that stay when one is lost unseen, the kind of its turn,
and the leads (see `habits`) of who pays by it face down."""


class Evidence:
    """The cards that a view shows, and what it shows of each step of its flow."""

    def __init__(self, view: BibliosView) -> None:
        self.view = view
        self.free = ALL
        """The cards that are not known to be anywhere."""
        self.fixed = [
            self._known(kind) for kind in range(GOLD, GOLD + 3) for _ in range(REMOVED_OF_EACH_GOLD[view.setup.seats])
        ]
        """The cards that every set-up removes."""
        self.lots = [self._known(kind) for kind in view.lots]
        self.space = set_of(self._known(kind) for kind in view.space)
        self.drawn = [self._known(kind) for kind in (view.drawn,) if kind is not None and kind != HIDDEN]
        self.kept = set_of(self._known(kind) for kind in (view.kept,) if kind is not None and kind != HIDDEN)
        self.card = -1
        """The card that is up for auction or resolved."""
        if view.card is not None:
            self.card = self.lots[-1] if self.lots else self._known(view.card)
        entering = self._entering()
        self._give()
        self.turns = turns_of(view)
        """For each step of the flow the kind of its turn."""
        self.draws = sum(target >= 0 <= source or target == FORFEIT for source, target, _ in view.flow)
        """How many cards penalties have drawn."""
        self.given_turns = [kind for (_, target, _), kind in zip(view.flow, self.turns, strict=True) if target == PILE]
        """The kinds of the turns in which cards were put in the auction pile."""
        self.steps: list[Step] = list(zip(view.flow, entering, self._staying(), self.turns, self._leads(), strict=True))
        self.saw = self._saw()
        """Who saw each step of the flow."""

    def _known(self, kind: int) -> int:
        """One more card of a kind, known to be somewhere."""
        free = self.free & OF_KIND[kind]
        bit = free & -free
        self.free ^= bit
        return bit.bit_length() - 1

    def _entering(self) -> list[int]:
        """For each step of the flow the card that came into a hand from the table, else OPEN.

        Also finds what was discarded face up without that: lots that nobody bought, Church cards.
        """
        view = self.view
        unsold = self.lots if view.over else self.lots[:-1]
        churches = Counter(kind for kind in view.discard if kind >= CHURCH)
        churches.subtract(KIND[card] for card in unsold if card >= FIRST_CHURCH)
        bought = set()
        entering = []
        for source, target, kind in view.flow:
            card = OPEN
            if target >= 0 > source and kind != HIDDEN:
                if source == PILE:
                    card = next(card for card in unsold if KIND[card] == kind and card not in bought)
                    bought.add(card)
                else:
                    card = self._known(kind)
            entering.append(card)
        self.discard = set_of(card for card in unsold if card not in bought)
        self.discard |= set_of(self._known(kind) for kind in churches.elements())
        return entering

    def _staying(self) -> list[frozenset[int]]:
        """For each step of the flow the category cards that the view later shows leaving the same hand."""
        leaving: list[set[int]] = [set() for _ in self.view.counts]
        staying = []
        for source, target, kind in reversed(self.view.flow):
            hidden_loss = source >= 0 and kind == HIDDEN
            staying.append(frozenset(leaving[source]) if hidden_loss else frozenset())
            if 0 <= kind < GOLD and target >= 0:
                leaving[target].discard(kind)
            if 0 <= kind < GOLD and source >= 0:
                leaving[source].add(kind)
        return staying[::-1]

    def _leads(self) -> list[tuple[int, ...]]:
        """For each step of the flow by which a rival pays face down, their leads by category; nothing for others."""
        seen = [[0] * 5 for _ in self.view.counts]
        leads = []
        for source, target, kind in self.view.flow:
            _take(seen, source, target, kind)
            leads.append(leads_of(seen, source) if target == BURIED and kind == HIDDEN else ())
        return leads

    def _give(self) -> None:
        """The cards put in the auction pile, in order: a lot, a card of mine to come, or OPEN.

        It is not known which of the others' cards became which lot or, between equal gold or Church cards, whether a
        lot was mine: here it is mine if it can be (see `_draw_given`).
        """
        kinds = [kind for _, target, kind in self.view.flow if target == PILE]
        mine: dict[int, list[int]] = {}
        for index, kind in enumerate(kinds):
            mine.setdefault(kind, []).append(index)
        self.others = mine.pop(HIDDEN, [])
        """The turns in which others put cards in the pile."""
        self.others_lots = []
        self.my_lots = []
        """The turns in which I put cards in the pile that have been turned up."""
        self.given = [OPEN] * len(kinds)
        for lot in self.lots:
            equal = mine.get(KIND[lot])
            if equal:
                self.my_lots.append(equal[-1])
                self.given[equal.pop()] = lot
            else:
                self.others_lots.append(lot)
        for kind, turns in mine.items():
            for turn in turns:
                self.given[turn] = self._known(kind)

    def _saw(self) -> list[int]:
        """Who saw each step of the flow."""
        saw = []
        turn = self.view.first
        for source, target, _ in self.view.flow:
            if target == PILE:
                saw.append(1 << turn % self.view.setup.seats)  # one card of each turn; the turns go round
                turn += 1
            elif source == DECK:
                saw.append(1 << target)
            elif target == BURIED:
                saw.append(1 << source)
            elif source >= 0 <= target:
                saw.append(1 << source | 1 << target)
            else:
                saw.append(EVERYBODY)
        return saw


def taken(view: BibliosView) -> list[list[int]]:
    """By seat and category, the values of the cards that everybody saw them take."""
    seen = [[0] * 5 for _ in view.counts]
    for source, target, kind in view.flow:
        _take(seen, source, target, kind)
    return seen


def _take(seen: list[list[int]], source: int, target: int, kind: int) -> None:
    if target >= 0 and source in (SPACE, PILE) and 0 <= kind < GOLD:
        seen[target][kind // 9] += VALUES[kind]


def turns_of(view: BibliosView) -> list[int]:
    """For each step of the flow the kind of its turn in the gift phase (see `habits`); later it means nothing."""
    seats = view.setup.seats
    turn = -1
    spaces: list[list[int]] = []
    turns = []
    for source, target, kind in view.flow:
        if target == PILE:
            turn += 1
            spaces.append([])
        elif source == SPACE:
            spaces[turn].append(kind)
        turns.append(turn)
    kinds = [turn_kind(number, view.setup.turns, space, seats - 1 - len(space)) for number, space in enumerate(spaces)]
    if kinds and not view.lots:
        kinds[-1] = turn_kind(turn, view.setup.turns, spaces[-1], 0)  # it may not be over
    return [kinds[turn] if turn >= 0 else 0 for turn in turns]


def set_of(cards: Iterable[int]) -> int:
    """Cards as a set."""
    mask = 0
    for card in cards:
        mask |= BITS[card]
    return mask
