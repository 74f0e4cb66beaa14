"""What one seat knows and expects of all hands and of the auction pile, between two decisions.

It is made of a `View` and of nothing else. Cards that the seat has not seen count by how players handle them: they
keep what is good, so a hidden hand holds more of it than a card of the deck. Seats are numbered from the one that
looks, clockwise: it is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from games.engine.biblios.beliefs import Belief, beliefs
from games.engine.biblios.cards import (
    BURIED,
    CARDS,
    CHURCH,
    DECK,
    DISCARD,
    FORFEIT,
    GOLD,
    HIDDEN,
    KIND,
    ONE_DOWN,
    ONE_UP,
    PILE,
    TWO_DOWN,
    TWO_UP,
    VALUES,
)
from games.engine.biblios.notation import PLACE
from games.engine.biblios.options import REMOVED_OF_EACH_GOLD
from games.engine.biblios.view import BibliosView

_SORTS = tuple(
    (first, first + number, category, value)
    for category, parts in enumerate([((4, 2), (3, 3), (2, 4))] * 2 + [((7, 1), (2, 2))] * 3)
    for first, number, value in (
        (9 * category + sum(n for n, _ in parts[:i]), number, value) for i, (number, value) in enumerate(parts)
    )
)
"""The cards of a category with equal values: the first kind, the first kind behind them, category and value."""
KEPT = {
    2: ((0.2, 0.48, 0.6) * 2 + (0.2, 0.55) * 3, (0.11, 0.4, 0.65), 0.0),
    3: ((0.14, 0.27, 0.44) * 2 + (0.17, 0.5) * 3, (0.07, 0.18, 0.55), 0.0),
    4: ((0.14, 0.28, 0.4) * 2 + (0.18, 0.46) * 3, (0.06, 0.1, 0.25), 0.0),
}
"""By number of players, how often a card that was drawn is kept, by sort, gold, and Church cards."""
PILED = {
    2: ((0.4, 0.32, 0.3) * 2 + (0.34, 0.32) * 3, (0.36, 0.33, 0.29), 0.3),
    3: ((0.26, 0.35, 0.25) * 2 + (0.27, 0.22) * 3, (0.13, 0.3, 0.26), 0.2),
    4: ((0.16, 0.25, 0.22) * 2 + (0.2, 0.19) * 3, (0.09, 0.12, 0.33), 0.26),
}
"""How often it is put in the auction pile."""
EVENLY = ((1.0,) * 12, (1.0,) * 3, 1.0)
_COPIES = tuple(KIND.count(kind) for kind in range(len(VALUES)))
assert sum(_COPIES) == CARDS
_AT_THE_TABLE = {
    seats: [n - (removed if GOLD <= kind < CHURCH else 0) for kind, n in enumerate(_COPIES)]
    for seats, removed in REMOVED_OF_EACH_GOLD.items()
}

UPWARD = {ONE_UP: 1, TWO_UP: 2, ONE_DOWN: 0, TWO_DOWN: 0}
"""How many dice a kind of Church card moves up; the one that moves either way counts half up, half down."""
DOWNWARD = {ONE_UP: 0, TWO_UP: 0, ONE_DOWN: 1, TWO_DOWN: 2}


class UnseenCards:
    """What an unseen card is on average, in a place where cards of each kind come with known odds."""

    __slots__ = ("gold", "gold_square", "means", "share_of_gold", "squares")

    def __init__(
        self,
        counts: Sequence[int],
        gold: Sequence[int],
        church: int,
        odds: tuple[Sequence[float], Sequence[float], float],
    ) -> None:
        whole = 0.0
        means, squares = [0.0] * 5, [0.0] * 5
        for (_, _, category, value), number, likely in zip(_SORTS, counts, odds[0], strict=True):
            weight = number * likely
            whole += weight
            weight *= value
            means[category] += weight
            squares[category] += weight * value
        one, two, three = [number * likely for number, likely in zip(gold, odds[1], strict=True)]
        golden = one + two + three
        whole = whole + golden + church * odds[2] or 1.0
        self.means = [mean / whole for mean in means]
        """By category, the value that the card adds on average."""
        self.squares = [square / whole for square in squares]
        self.gold = (one + 2 * two + 3 * three) / whole
        self.gold_square = (one + 4 * two + 9 * three) / whole
        self.share_of_gold = golden / whole


class SeatSituation:
    """Everything that a value looks at; what may come of an answer is a copy with a few numbers changed."""

    seats: int
    dice: list[int]
    totals: list[list[int]]
    """By seat and category, the values of the cards that are known to have come into the hand."""
    letters: list[list[int]]
    """By seat and category, the letter nearest to A among them; 9 without one."""
    gold: list[int]
    """By seat, the gold that is known to be in the hand."""
    cards: list[int]
    """By seat, the number of cards in hand."""
    hidden: list[int]
    """By seat, the number of cards that ever came into the hand unseen."""
    owed: list[int]
    """By seat, the gold that was paid out of them."""
    put: list[int]
    """By category, the values of the cards that I put in the auction pile and that have not been turned up."""
    put_squares: list[int]
    put_gold: int
    up: float
    """How many dice the Church cards among them move up."""
    down: float
    put_cards: int
    """The number of all of them."""
    piled: int
    """The number of other cards in the pile."""
    space: list[int]
    """By category, the values of the cards in the public space."""
    space_squares: list[int]
    space_gold: int
    takers: list[int]
    """The seats that will take one of them each."""
    deck: int
    open_: tuple[int, int, int]
    """The open places of my turn: before me, in the public space, in the pile."""
    believed: tuple[Belief, ...] | None
    """By seat, as long as the auctions last; None where nothing can be believed."""
    kept: UnseenCards
    pool: UnseenCards
    """What a card is that another put in the pile."""
    evenly: UnseenCards
    """What a card of the deck is."""

    def copy(self) -> Self:
        """A copy of which the lists of one seat are to be replaced, not changed."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def receive(self, seat: int, kind: int) -> None:
        """A seat takes a card into hand that all see; Church cards are not for hands."""
        self.cards = _added(self.cards, seat, 1)
        if kind >= GOLD:
            self.gold = _added(self.gold, seat, VALUES[kind])
            return
        category, letter = divmod(kind, 9)
        self.totals = _replaced(self.totals, seat, _added(self.totals[seat], category, VALUES[kind]))
        if letter < self.letters[seat][category]:
            letters = self.letters[seat][:]
            letters[category] = letter
            self.letters = _replaced(self.letters, seat, letters)

    def pay_gold(self, seat: int, gold: int, cards: int) -> None:
        """A seat pays gold: what is known to be there, then out of what is hidden."""
        self.cards = _added(self.cards, seat, -min(cards, self.cards[seat]))
        known = min(gold, self.gold[seat])
        self.gold = _added(self.gold, seat, -known)
        if gold > known:
            self.owed = _added(self.owed, seat, gold - known)

    def bury(self, seat: int, cards: int) -> None:
        """Another seat pays with cards, face down."""
        self.cards = _added(self.cards, seat, -min(cards, self.cards[seat]))

    def give_up(self, kinds: Iterable[int], hand: Iterable[int]) -> None:
        """I pay with these cards of my hand, which are no longer there."""
        given = list(kinds)
        left = list(hand)
        for kind in given:
            left.remove(kind)
        self.hold(left)

    def hold(self, hand: Iterable[int]) -> None:
        """My hand is this one."""
        totals, letters, gold, cards = [0] * 5, [9] * 5, 0, 0
        for kind in hand:
            cards += 1
            if kind >= GOLD:
                gold += VALUES[kind]
            else:
                category, letter = divmod(kind, 9)
                totals[category] += VALUES[kind]
                letters[category] = min(letters[category], letter)
        self.totals = _replaced(self.totals, 0, totals)
        self.letters = _replaced(self.letters, 0, letters)
        self.gold = _added(self.gold, 0, gold - self.gold[0])
        self.cards = _added(self.cards, 0, cards - self.cards[0])

    def offer(self, kind: int) -> None:
        """I put a card in the public space; a Church card there is not counted."""
        if kind < GOLD:
            value = VALUES[kind]
            self.space = _added(self.space, kind // 9, value)
            self.space_squares = _added(self.space_squares, kind // 9, value * value)
        elif kind < CHURCH:
            self.space_gold += VALUES[kind]

    def withdraw(self, kind: int) -> None:
        """I take a card from the public space."""
        if kind < GOLD:
            value = VALUES[kind]
            self.space = _added(self.space, kind // 9, -value)
            self.space_squares = _added(self.space_squares, kind // 9, -value * value)
        elif kind < CHURCH:
            self.space_gold -= VALUES[kind]

    def shelve(self, kind: int) -> None:
        """I put a card in the auction pile."""
        self.put_cards += 1
        if kind < GOLD:
            value = VALUES[kind]
            self.put = _added(self.put, kind // 9, value)
            self.put_squares = _added(self.put_squares, kind // 9, value * value)
        elif kind < CHURCH:
            self.put_gold += VALUES[kind]
        else:
            self.up += UPWARD.get(kind, 0.5)
            self.down += DOWNWARD.get(kind, 0.5)


def _added(numbers: list[int], index: int, more: int) -> list[int]:
    new = numbers[:]
    new[index] += more
    return new


def _replaced(things: list[Any], index: int, thing: Any) -> list[Any]:
    new = things[:]
    new[index] = thing
    return new


def situation(view: BibliosView, since: BibliosView | None = None, *, quiet: bool = True) -> SeatSituation:
    """What the seat of a view knows and expects, before the card that is being drawn or sold is known.

    What it believes of hidden hands in the auctions is what one believed who had the view `since`. With `quiet` off
    that card is nowhere, for answers to put it somewhere.
    """
    me = view.me
    assert me is not None
    seats = view.setup.seats
    new = object.__new__(SeatSituation)
    new.seats = seats
    new.dice = list(view.dice)
    unseen = _AT_THE_TABLE[seats][:]
    totals = [[0] * 5 for _ in range(seats)]
    letters = [[9] * 5 for _ in range(seats)]
    gold, hidden, owed = ([0] * seats for _ in range(3))
    known_gold = [[0, 0, 0] for _ in range(seats)]
    paid_unseen = [0, 0, 0]
    puts = []
    turn = view.first
    for source, target, kind in view.flow:
        if target == PILE:
            if turn == me:
                puts.append(kind)
            turn = turn + 1 if turn + 1 < seats else 0
            continue
        to = (target - me) % seats if target >= 0 else -1
        if source < 0:
            if to == 0:
                continue
            if source == DECK or kind == HIDDEN:
                hidden[to] += 1
            elif kind >= GOLD:
                known_gold[to][kind - GOLD] += 1
            else:
                _enter(totals[to], letters[to], kind)
                unseen[kind] -= 1
            continue
        of = (source - me) % seats
        if of:
            if target in (DISCARD, FORFEIT) and kind >= GOLD:
                if known_gold[of][kind - GOLD]:
                    known_gold[of][kind - GOLD] -= 1
                else:
                    owed[of] += VALUES[kind]
                    paid_unseen[kind - GOLD] += 1
        elif target == BURIED:
            unseen[kind] -= 1
        if to > 0:
            hidden[to] += 1
    for seat in range(1, seats):
        for value, number in enumerate(known_gold[seat]):
            gold[seat] += (value + 1) * number
            unseen[GOLD + value] -= number
    new.totals, new.letters, new.gold, new.hidden, new.owed = totals, letters, gold, hidden, owed
    new.cards = [view.counts[(me + i) % seats] for i in range(seats)]

    new.believed = None
    if view.lots and not view.over:
        believed = beliefs(since if since is not None and since.lots else view)
        if believed:
            new.believed = (*believed[me:], *believed[:me])

    hand = view.hand
    active = (view.active - me) % seats
    if view.kept == HIDDEN:
        hidden[active] += 1
        new.cards[active] += 1
    elif view.kept is not None:
        hand = (*hand, view.kept)
    new.hold(hand)
    for kinds in (hand, view.space, view.discard):
        for kind in kinds:
            unseen[kind] -= 1
    new.put, new.put_squares, new.put_gold, new.up, new.down, new.put_cards = [0] * 5, [0] * 5, 0, 0.0, 0.0, 0
    lots = list(view.lots)
    auctioned = view.card is not None and bool(lots)
    if auctioned and quiet:
        lots.pop()
    elif view.card is not None:
        unseen[view.card] -= 1
    if not quiet and view.drawn is not None and view.drawn != HIDDEN:
        unseen[view.drawn] -= 1
    for kind in puts:
        if kind in lots:
            lots.remove(kind)
        else:
            new.shelve(kind)
            unseen[kind] -= 1
    new.piled = max(0, view.piled + (auctioned and quiet) - new.put_cards)

    new.space, new.space_squares, new.space_gold = [0] * 5, [0] * 5, 0
    for kind in view.space:
        new.offer(kind)
    new.deck = view.deck - (view.question == PLACE and not quiet)
    room = view.room if active == 0 and not lots else 0
    new.open_ = (room & 1, room >> 2, room >> 1 & 1)
    coming = len(view.space) + (view.room >> 2)
    new.takers = [(active - 1 - i) % seats for i in range(min(coming, seats - 1))]

    unseen = [max(0, number) for number in unseen]  # some cards that moved in penalties count twice
    counts = [sum(unseen[first:behind]) for first, behind, _, _ in _SORTS]
    golden = unseen[GOLD:CHURCH]
    church = sum(unseen[CHURCH:])
    new.evenly = UnseenCards(counts, golden, church, EVENLY)
    new.pool = UnseenCards(counts, golden, church, PILED[seats])
    new.kept = UnseenCards(
        counts, [number + paid for number, paid in zip(golden, paid_unseen, strict=True)], church, KEPT[seats]
    )
    return new


def _enter(totals: list[int], letters: list[int], kind: int) -> None:
    category, letter = divmod(kind, 9)
    totals[category] += VALUES[kind]
    if letter < letters[category]:
        letters[category] = letter
