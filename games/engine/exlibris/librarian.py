"""A decent bot: it keeps its shelf in order, and sends its assistants where that brings most, one move at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random

from games.engine.core import Move, View
from games.engine.exlibris.cards import NONE
from games.engine.exlibris.frames import (
    BET,
    BURN,
    BUY,
    CHOOSE_CELL,
    CHOOSE_LIBRARY,
    CHOOSE_NEW_CELL,
    COLLECT,
    DIG,
    DONATE,
    DROP_TILE,
    FACE_CUBE,
    GAMBLE,
    GIVE,
    HOME_ACTION,
    LAY_OUT,
    LODGE,
    MAY_DRAW,
    MAY_MOVE,
    MAY_SHELVE,
    MAY_WISH,
    MAY_WORK_ON,
    MUST_DISCARD,
    NAME_BOOKS,
    PAY_BID,
    PICK,
    PLACE,
    REBUILD,
    SEARCH_DUMP,
    SMUGGLE,
    SWAP_FOR,
    SWAP_IN,
    TAKE_TAX,
    TURN,
    UNSEAL,
    WISH,
)
from games.engine.exlibris.judge import USUAL, Judge, Taste
from games.engine.exlibris.libraries import AUT, GOL, IMP, MUM, WIT, WRM
from games.engine.exlibris.notation import (
    ALLOW,
    AT,
    DESTINATIONS,
    DISCARD,
    DOWN,
    DRAW,
    DROP,
    HOME,
    KEEP,
    LAY,
    MORE,
    MOVE,
    NAME,
    NOTHING,
    OVER,
    PASS,
    SEND,
    SHELVE,
    SPECIAL,
    STOP,
    SWAP,
    TAKE,
    TAKE_PLACE,
    UNDER,
    UP,
)
from games.engine.exlibris.notation import (
    GIVE as GIVE_MOVE,
)
from games.engine.exlibris.shelf import cell_of, moved, pile_at
from games.engine.exlibris.tiles import TILES
from games.engine.exlibris.view import ExLibrisView
from games.engine.exlibris.zones import READY

LIKED = (AUT, WRM, WIT, MUM, GOL, IMP)
"""The libraries that the bot would rather keep, the best first."""
DROPPED = (2, 17, 14, 12, 15, 9, 13, 1, 5, 18)
"""Solo: the tiles that it would rather drop: those whose cards feed the public library first."""


def choose_librarian(view: View, rng: Random) -> Move:
    """The move that brings most; `rng` is not needed."""
    return choose(view, USUAL)


def choose(view: View, taste: Taste) -> Move:
    """The move that brings most, by a taste."""
    assert isinstance(view, ExLibrisView)
    if len(view.legal) == 1:
        return view.legal[0]
    if view.question == CHOOSE_LIBRARY:
        return min(view.legal, key=lambda move: LIKED.index(move - KEEP) if move - KEEP in LIKED else len(LIKED))
    answer = CHOOSE.get(view.question)
    return answer(Librarian(view, taste)) if answer else view.legal[-1]


class Librarian:
    """What the bot thinks of one position."""

    def __init__(self, view: ExLibrisView, taste: Taste = USUAL) -> None:
        self.view = view
        self.legal = view.legal
        self.frame = view.stack[-1]
        self.taste = taste
        self.judge = Judge.of(view, taste)
        assert view.me is not None
        self.me = view.me
        self.hand = view.hand

    @cached_property
    def visits(self) -> float:
        """About how many assistants the player will still place."""
        view = self.view
        setup = view.setup
        own = setup.assistants + setup.special
        ready = view.ready[self.me] + (view.special[self.me] == READY)
        if setup.solo:
            return ready + own * (setup.last_round - view.round)
        if view.last:
            return ready
        most = max(setup.counted(shelf) for shelf in view.shelves)
        return ready + own * (1 + max(0.0, (setup.cells - most) / 3))

    @cached_property
    def shelved(self) -> set[int]:
        """The upper cards of the own shelf."""
        return {pile.card for pile in self.judge.shelf}

    @cached_property
    def gains(self) -> list[float]:
        """The gains of shelving each hand card, the best first; then of none."""
        return [gain for gain, _ in self.judge.best_cards(self.hand)] + [0.0, 0.0]

    # What things are worth

    def card(self, more: int = 0) -> float:
        """The worth of one more hand card, when there are so many more than now."""
        held = len(self.hand) + more
        if held < self.taste.shelved * self.visits:
            return self.taste.card
        return self.taste.choice if held < self.visits else (-2.0 if self.view.setup.solo else 0.1)

    def cards(self, number: int) -> float:
        """The worth of drawing so many cards."""
        return sum(self.card(more) for more in range(number))

    def keeps(self, card: int) -> float:
        """How much a card is worth keeping: by what it brings on the shelf, and in a solo game what losing it feeds."""
        gain = self.judge.loss(card) if card in self.shelved else self.judge.best_cell(card)[0]
        return gain + self.judge.feeds(card)

    def worst(self, moves: Sequence[Move], kind: Move) -> Move:
        """Of moves with a card the one whose card is least worth keeping."""
        return min(moves, key=lambda move: self.keeps(move - kind))

    def best(self, moves: Sequence[Move], kind: Move) -> Move:
        """Of moves with a card the one whose card brings most on the shelf."""
        return max(moves, key=lambda move: self.keeps(move - kind))

    def shelving(self, number: int = 1) -> float:
        """The worth of shelving so many hand cards."""
        return sum(max(0.0, gain - self.spent) for gain in self.gains[:number])

    @property
    def spent(self) -> float:
        """What a shelved card is worth in hand."""
        return self.taste.choice / 2

    def fresh(self, choice: int) -> float:
        """The gain of shelving the best of so many unknown cards."""
        return self.taste.fresh + 0.9 * (choice > 1) + 0.4 * (choice > 2)

    # Placement

    def place(self) -> Move:
        """The assistant and the place that bring most; the special one where it can do more."""
        return max(self.legal, key=self._placing)

    def _placing(self, move: Move) -> float:
        special = move >= SPECIAL
        tile, bid = DESTINATIONS[move - (SPECIAL if special else SEND)]
        value = self.at_home(special) if tile == HOME else self.visit(tile, bid)
        if special and tile != HOME:
            value += self._special_on_tile(tile)
        return value

    def at_home(self, special: bool) -> float:
        once = max(self.card(), self.shelving())
        library = self.view.libraries[self.me]
        if special and library == AUT:
            actions = 1 + self.view.at_home[self.me]
            late = self.view.ready[self.me] > 0
            return once * actions - 1.5 * late
        if special and library == WRM:
            return self.card() + self.shelving() + 0.5
        if special and library == WIT:
            return max(once, self.card() + 0.7)
        if not special and library == AUT and self.view.special[self.me] == READY:
            return once + 1.2
        return once

    def _special_on_tile(self, tile: int) -> float:
        library = self.view.libraries[self.me]
        if library in (AUT, WRM):
            return -1.0
        return {GOL: 0.8, IMP: 0.6 if TILES[tile].cards and not self.view.setup.solo else 0.1}.get(library, 0.2)

    def visit(self, tile: int, bid: int) -> float:
        """What a visit brings."""
        return VISITS[tile](self, bid)

    def diviners_hut(self, bid: int) -> float:
        out = sum(place >= 0 for place in (self.view.special[self.me],)) + 1
        out += self.view.setup.assistants - self.view.ready[self.me]
        ready = self.view.ready[self.me] + (self.view.special[self.me] == READY) - 1
        return self.cards(out) + 0.5 - 0.7 * ready * (self.view.setup.solo)

    def book_swap(self, bid: int) -> float:
        here = [card for card in self.view.cards[2] if card >= 0]
        if not here or not self.hand:
            return 0.0
        gain = self.judge.best_cards(here)[0][0]
        return gain + (gain - min(self.gains[: len(self.hand)])) * 0.2 - self.feeding(1) * 0.1 - self.taste.choice

    def auction_house(self, bid: int) -> float:
        here = [card for card in self.view.cards[3] if card >= 0]
        if len(self.hand) < bid:
            return -1.0
        value = sum(0.4 * gain for gain, _ in self.judge.best_cards(here)) + self.shelving() + self.cards(4) * 0.3
        return (0.3 + 0.15 * bid) * value - 0.6 * bid

    def gambling_house(self, bid: int) -> float:
        return self.cards(2) * 0.8

    def garbage_dump(self, bid: int) -> float:
        pile = self.view.discard[-7:]
        if not pile:
            return self.card() + self.shelving()
        best = self.judge.best_cards(pile)[0]
        taken = self.judge.feeds(best[1])
        return max(best[0], self.gains[0]) + 0.3 * min(best[0], self.gains[0]) + taken + self.card() * 0.4

    def garage_sale(self, bid: int) -> float:
        return self.card() + 0.5 + 0.3 * self.shelving()

    def back_street_tavern(self, bid: int) -> float:
        return self.cards(min(4, len(self.view.guests[7]) + 1 + (self.view.setup.seats > 2)))

    def bookseller(self, bid: int) -> float:
        guests = self.view.guests[8]
        here = [card for card in self.view.cards[8] if card >= 0]
        taken = self.judge.best_cards(here)[len(guests) :][: 1 if guests else 2]
        return sum(self.card(more) + 0.25 * gain for more, (gain, _) in enumerate(taken))

    def shelfmasons_guild(self, bid: int) -> float:
        return self.judge.best_move[0] * 1.2

    def assistants_guild(self, bid: int) -> float:
        return max(self.card(), self.shelving()) + 0.3

    def tax_collector(self, bid: int) -> float:
        rich = sum(count >= 5 for seat, count in enumerate(self.view.counts) if seat != self.me)
        return self.card() + 0.9 * (rich > 0)

    def book_collector(self, bid: int) -> float:
        return self.shelving() + 0.4 - self.feeding(1)

    def library_lodge(self, bid: int) -> float:
        return self.fresh(2) + 0.2

    def wishing_well(self, bid: int) -> float:
        return (self.fresh(1) - 0.8 - self.feeding(3)) if self.hand else 0.0

    def donation_house(self, bid: int) -> float:
        return self.card() + 0.8 - self.feeding(2)

    def sealed_archive(self, bid: int) -> float:
        return self.fresh(3)

    def smugglers_cellar(self, bid: int) -> float:
        left = sum(card != NONE for card in self.view.cards[17])
        return self.fresh(left) + 0.2 if left else 0.0

    def reading_room(self, bid: int) -> float:
        return self.shelving(2)

    def feeding(self, cards: int) -> float:
        """Solo: what so many discarded cards bring to the public library."""
        return 2.6 * cards if self.view.setup.solo else 0.0

    # Shelving

    def home_action(self) -> Move:
        """Shelve while the best card brings more than another in hand."""
        shelve = [move for move in self.legal if move >= SHELVE]
        if shelve and (DRAW not in self.legal or self.shelving() >= self.card()):
            return self.shelve()
        return DRAW if DRAW in self.legal and self.card() > 0 else self.shelve()

    def may_draw(self) -> Move:
        return DRAW if self.card() > 0 else PASS

    def shelve(self) -> Move:
        """The card that brings most, unless it does harm."""
        gain, move = max(
            ((self.judge.best_cell(move - SHELVE)[0], move) for move in self.legal if move >= SHELVE),
            default=(-1.0, PASS),
        )
        return move if gain > self.taste.least or self.visits < 2 else PASS

    def choose_cell(self) -> Move:
        """The best cell; the Mummy entombs what would be out of order."""
        card = self.frame[2]
        gain, move = max((self.judge.gain(card, cell_of(m - AT)), m) for m in self.legal if m < OVER)
        tombs = [(self.entombing(card, m), m) for m in self.legal if m >= OVER]
        return max([(gain, move), *tombs])[1]

    def entombing(self, card: int, move: Move) -> float:
        """What entombing brings, against the two points of a card that is hidden and the books of the one that is."""
        judge = self.judge
        cell = cell_of(move - (UNDER if move >= UNDER else OVER))
        pile = pile_at(judge.shelf, cell)
        if move >= UNDER:
            return 1.6
        over = tuple(sorted([*(p for p in judge.shelf if p is not pile), pile._replace(card=card, up=True)]))
        return 1.8 + judge.row(over) - judge.row(judge.shelf)

    def smuggle(self) -> Move:
        gain = self.judge.best_cell(self.frame[2])[0] + self.judge.feeds(self.frame[2])
        left = sum(card != NONE for card in self.view.cards[17]) - 1
        return self.legal[0] if gain > (self.fresh(left) if left else 0.0) else self.legal[1]

    # Discard, take, give

    def must_discard(self) -> Move:
        return self.worst(self.legal, DISCARD)

    def pay_bid(self) -> Move:
        """Pay where the hand suffices, with the cards that are least worth keeping."""
        _, _, paid, bid = self.frame
        if not paid and len(self.hand) < bid:
            return PASS
        return self.worst([move for move in self.legal if move != PASS], DISCARD)

    def may_discard(self) -> Move:
        """Discard for a new card what is hardly worth keeping."""
        move = self.worst([move for move in self.legal if move != PASS], DISCARD)
        return move if self.keeps(move - DISCARD) < self.taste.fresh - 1 - self.feeding(1) else PASS

    def donate(self) -> Move:
        """Hand cards that are hardly worth keeping; the first one brings two."""
        hand = [move for move in self.legal if move - DISCARD in self.hand]
        if not hand:
            return PASS
        move = self.worst(hand, DISCARD)
        worth = self.taste.fresh + (2.0 if not self.frame[2] else -0.5) - self.feeding(1)
        return move if self.keeps(move - DISCARD) < worth else PASS

    def may_work_on(self) -> Move:
        """Give up a card to shelve a better one."""
        move = self.worst([move for move in self.legal if move != PASS], DISCARD)
        worth = max(self.card(), self.shelving() if len(self.hand) > 1 else 0.0)
        return move if self.keeps(move - DISCARD) * 0.5 + 1.0 < worth and not self.view.setup.solo else PASS

    def take(self) -> Move:
        return self.best([move for move in self.legal if move != PASS], TAKE)

    def buy(self) -> Move:
        move = self.take()
        return move if self.keeps(move - TAKE) > 1 and self.card() > 0 else PASS

    def dig(self) -> Move:
        """Take a card that is better than the worst hand card."""
        move = self.take()
        least = min((self.keeps(card) for card in self.hand), default=99.0)
        return move if self.keeps(move - TAKE) > least + 0.3 else PASS

    def unseal(self) -> Move:
        """The best card looked at, if it is better than an unknown one."""
        known = {place: card for place, card in enumerate(self.view.cards[16], start=1) if card >= 0}
        hidden = [move for move in self.legal if move - TAKE_PLACE not in known]
        seen = [move for move in self.legal if move - TAKE_PLACE in known]
        best = max(seen, key=lambda move: self.keeps(known[move - TAKE_PLACE]), default=PASS)
        if seen and (not hidden or self.keeps(known[best - TAKE_PLACE]) > self.taste.fresh - 1):
            return best
        return hidden[0]

    def swap_for(self) -> Move:
        move = self.take()
        least = min(self.keeps(card) for card in self.hand)
        return move if self.keeps(move - TAKE) > least else PASS

    def swap_in(self) -> Move:
        return self.worst(self.legal, SWAP)

    def give(self) -> Move:
        return NOTHING if NOTHING in self.legal else self.worst(self.legal, GIVE_MOVE)

    def lay_out(self) -> Move:
        """The two least useful cards: what is bought is replaced."""
        move = self.worst([move for move in self.legal if move != PASS], LAY)
        return move if self.frame[2] < 2 else PASS

    def name(self) -> Move:
        """The category that brings most: of the cards not seen about equally many have each."""
        weights = self.judge.weights
        return NAME + max(range(6), key=lambda category: weights[category])

    def gamble(self) -> Move:
        _, _, _, hits, misses = self.frame
        return MORE if misses == 0 or (hits < 2 and len(self.view.cards[4]) < 2) else STOP

    def burn(self) -> Move:
        return PASS if self.view.setup.solo or self.frame[3] else self.legal[1]

    def face_cube(self) -> Move:
        return ALLOW

    # Rebuilding

    def rebuild(self) -> Move:
        gain, card = self.judge.best_move
        return MOVE + card if gain > 0 and MOVE + card in self.legal else PASS

    def choose_new_cell(self) -> Move:
        card, shelf = self.frame[2], self.judge.shelf
        return max(self.legal, key=lambda move: self.judge.row(moved(shelf, card, cell_of(move - AT))))

    # Solo, and the end

    def drop_tile(self) -> Move:
        return min(self.legal, key=lambda move: DROPPED.index(move - DROP) if move - DROP in DROPPED else 99)

    def turn(self) -> Move:
        return UP if self.frame[3] in self.judge.last_row() else DOWN


VISITS: dict[int, Callable[[Librarian, int], float]] = {
    number: getattr(Librarian, name)
    for number, name in enumerate(
        (
            "diviners_hut",
            "book_swap",
            "auction_house",
            "gambling_house",
            "garbage_dump",
            "garage_sale",
            "back_street_tavern",
            "bookseller",
            "shelfmasons_guild",
            "assistants_guild",
            "tax_collector",
            "book_collector",
            "library_lodge",
            "wishing_well",
            "donation_house",
            "sealed_archive",
            "smugglers_cellar",
            "reading_room",
        ),
        start=1,
    )
}
CHOOSE: dict[int, Callable[[Librarian], Move]] = {
    PLACE: Librarian.place,
    HOME_ACTION: Librarian.home_action,
    MAY_DRAW: Librarian.may_draw,
    MAY_SHELVE: Librarian.shelve,
    CHOOSE_CELL: Librarian.choose_cell,
    MUST_DISCARD: Librarian.must_discard,
    SWAP_FOR: Librarian.swap_for,
    SWAP_IN: Librarian.swap_in,
    PAY_BID: Librarian.pay_bid,
    BET: Librarian.name,
    GAMBLE: Librarian.gamble,
    SEARCH_DUMP: Librarian.take,
    LAY_OUT: Librarian.lay_out,
    BUY: Librarian.buy,
    PICK: Librarian.take,
    REBUILD: Librarian.rebuild,
    TAKE_TAX: Librarian.take,
    COLLECT: Librarian.may_discard,
    LODGE: Librarian.take,
    MAY_WISH: Librarian.may_discard,
    WISH: Librarian.name,
    DONATE: Librarian.donate,
    UNSEAL: Librarian.unseal,
    SMUGGLE: Librarian.smuggle,
    NAME_BOOKS: Librarian.name,
    GIVE: Librarian.give,
    FACE_CUBE: Librarian.face_cube,
    MAY_WORK_ON: Librarian.may_work_on,
    BURN: Librarian.burn,
    DIG: Librarian.dig,
    MAY_MOVE: Librarian.rebuild,
    CHOOSE_NEW_CELL: Librarian.choose_new_cell,
    DROP_TILE: Librarian.drop_tile,
    TURN: Librarian.turn,
}
"""What decides about a question; to the others the last answer is good: peek, recall, take back."""
