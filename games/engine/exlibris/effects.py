"""What the tiles do, one function each, in the order of the page (rules: Tiles), with the questions that belong to it.

An effect gets the state, the piece that visits, and the order of its arrival there (from 0), or its bid.
"""

from __future__ import annotations

from collections.abc import Callable

from games.engine.core import Move, put
from games.engine.exlibris.actions import discardable, hand_of, moves, throw_away
from games.engine.exlibris.cards import ANY, BOOKS, OF_CATEGORY, mask_of
from games.engine.exlibris.frames import (
    BET,
    BUY,
    CHOOSE_CELL,
    CHOOSE_NEW_CELL,
    COLLECT,
    DONATE,
    DRAW,
    GAMBLE,
    HOME_ACTIONS,
    LAY_OUT,
    LODGE,
    MAY_WISH,
    MUST_DISCARD,
    OFFER_LAYING,
    OFFER_REBUILDING,
    OFFER_SHELVING,
    OPEN_LODGE,
    PAY_BID,
    PEEK,
    PICK,
    REBUILD,
    RECALL,
    SEARCH_DUMP,
    SELL,
    SMUGGLE,
    SWAP_FOR,
    SWAP_IN,
    TAKE_TAX,
    TAX,
    TURN_UP,
    UNSEAL,
    WISH,
    answers,
    does,
    runs,
)
from games.engine.exlibris.notation import (
    DISCARD,
    LAY,
    MORE,
    MOVE,
    NAME,
    PASS,
    RECALLS,
    SHELVE,
    STOP,
    SWAP,
    TAKE,
    TAKE_PLACE,
)
from games.engine.exlibris.notation import PEEK as PEEK_MOVE
from games.engine.exlibris.notation import RECALL as RECALL_MOVE
from games.engine.exlibris.shelf import entombed, movable, removable
from games.engine.exlibris.tiles import (
    ASSISTANTS_GUILD,
    AUCTION_HOUSE,
    BACK_STREET_TAVERN,
    BOOK_COLLECTOR,
    BOOK_SWAP,
    BOOKSELLER,
    DIVINERS_HUT,
    DONATION_HOUSE,
    GAMBLING_HOUSE,
    GARAGE_SALE,
    GARBAGE_DUMP,
    LIBRARY_LODGE,
    READING_ROOM,
    SEALED_ARCHIVE,
    SHELFMASONS_GUILD,
    SMUGGLERS_CELLAR,
    TAX_COLLECTOR,
    WISHING_WELL,
)
from games.engine.exlibris.zones import Zones

NEWEST_IN_DUMP = 7
HITS_OF_A_GAMBLER = 5
MISSES_OF_A_GAMBLER = 2
MOST_LAID_OUT = 4
MOST_IN_TAVERN = 4
TAXED = 5
"""With so many hand cards or more one pays the Tax Collector."""
MOST_COLLECTED = 3
MOST_WISHED = 5
MOST_DONATED = 2
CATEGORY_MOVES = tuple(range(NAME, NAME + 6))


def take_from_tile(state: Zones, piece: int, tile: int, card: int) -> None:
    """A card goes from a tile to the hand, seen by all."""
    state.leave_tile(tile, card)
    state.take(piece >> 1, card)


# 1


def diviners_hut(state: Zones, piece: int, order: int) -> None:
    """Take the first-player marker; draw 1 for each of your assistants that is out."""
    state.marker = piece >> 1
    state.do((DRAW, piece, state.out(piece >> 1)))


# 2


def book_swap(state: Zones, piece: int, order: int) -> None:
    """You may take one of the cards here for a hand card; then you may shelve it."""
    if hand_of(state, piece) and state.on_tile(BOOK_SWAP):
        state.do((SWAP_FOR, piece))


@answers(SWAP_FOR)
def swap_or_pass(state: Zones, piece: int) -> tuple[Move, ...]:
    return (PASS, *[TAKE + card for card in sorted(state.on_tile(BOOK_SWAP))])


@does(SWAP_FOR)
def swap_for(state: Zones, move: Move, piece: int) -> None:
    if move != PASS:
        card = move - TAKE
        place = state.cards[BOOK_SWAP].index(card)
        take_from_tile(state, piece, BOOK_SWAP, card)
        state.do((SWAP_IN, piece, place, card))


@answers(SWAP_IN)
def swapped(state: Zones, piece: int, place: int, taken: int) -> tuple[Move, ...]:
    return moves(SWAP, hand_of(state, piece) & ~(1 << taken))


@does(SWAP_IN)
def swap_in(state: Zones, move: Move, piece: int, place: int, taken: int) -> None:
    card = move - SWAP
    state.leave_hand(piece >> 1, card)
    state.show(card)
    state.cards = put(state.cards, BOOK_SWAP, put(state.cards[BOOK_SWAP], place, card))
    state.do((OFFER_SHELVING, piece, taken, 0))


# 3


def auction_house(state: Zones, piece: int, bid: int) -> None:
    """The highest bidder may discard as many hand cards for all cards here; else the next lower bid. Then shelve 1."""
    cards = hand_of(state, piece).bit_count()
    if state.setup.from_shelf:
        shelf = state.shelves[piece >> 1]
        cards += len(shelf) + entombed(shelf)  # one of them can be taken off at any time
    if cards >= bid and state.on_tile(AUCTION_HOUSE):
        state.do((PAY_BID, piece, 0, bid))


@answers(PAY_BID)
def payments(state: Zones, piece: int, paid: int, bid: int) -> tuple[Move, ...]:
    cards = moves(DISCARD, discardable(state, piece))
    return cards if paid else (PASS, *cards)


@does(PAY_BID)
def pay_bid(state: Zones, move: Move, piece: int, paid: int, bid: int) -> None:
    if move == PASS:
        return
    throw_away(state, piece >> 1, move - DISCARD)
    if paid + 1 < bid:
        state.do((PAY_BID, piece, paid + 1, bid))
        return
    for card in state.on_tile(AUCTION_HOUSE):
        take_from_tile(state, piece, AUCTION_HOUSE, card)
    state.do((OFFER_SHELVING, piece, ANY, 0))


# 4


def gambling_house(state: Zones, piece: int, order: int) -> None:
    """Name a category and turn up cards: those with it go to the pot; at the second miss you are out."""
    if state.card_can_come:
        state.do((BET, piece))


@answers(BET)
def bets(state: Zones, piece: int) -> tuple[Move, ...]:
    return CATEGORY_MOVES


@does(BET)
def bet(state: Zones, move: Move, piece: int) -> None:
    state.do((TURN_UP, piece, move - NAME, 0, 0))


@runs(TURN_UP)
def turn_up(state: Zones, piece: int, category: int, hits: int, misses: int) -> None:
    """The next card is turned up, and there may be a choice."""
    card = state.top()  # nobody gambles on while no card can come
    if category in BOOKS[card]:
        hits += 1
        state.show(card)
        state.cards = put(state.cards, GAMBLING_HOUSE, (*state.cards[GAMBLING_HOUSE], card))
    else:
        misses += 1
        state.discard += (card,)
    if misses == MISSES_OF_A_GAMBLER:
        return
    if hits == HITS_OF_A_GAMBLER or not state.card_can_come:
        _take_pot(state, piece)
    elif hits:
        state.do((GAMBLE, piece, category, hits, misses))
    else:
        state.do((TURN_UP, piece, category, hits, misses))


@answers(GAMBLE)
def more_or_stop(state: Zones, piece: int, category: int, hits: int, misses: int) -> tuple[Move, ...]:
    return (MORE, STOP)


@does(GAMBLE)
def gamble(state: Zones, move: Move, piece: int, category: int, hits: int, misses: int) -> None:
    if move == MORE:
        state.do((TURN_UP, piece, category, hits, misses))
    else:
        _take_pot(state, piece)


def _take_pot(state: Zones, piece: int) -> None:
    for card in state.on_tile(GAMBLING_HOUSE):
        take_from_tile(state, piece, GAMBLING_HOUSE, card)


# 5


def garbage_dump(state: Zones, piece: int, order: int) -> None:
    """Take one of the seven newest discards (none: draw 1); then you may shelve 1 hand card."""
    first = (SEARCH_DUMP, piece) if state.discard else (DRAW, piece, 1)
    state.do(first, (OFFER_SHELVING, piece, ANY, 0))


@answers(SEARCH_DUMP)
def newest(state: Zones, piece: int) -> tuple[Move, ...]:
    return tuple([TAKE + card for card in sorted(state.discard[-NEWEST_IN_DUMP:])])


@does(SEARCH_DUMP)
def search_dump(state: Zones, move: Move, piece: int) -> None:
    state.fetch(piece >> 1, move - TAKE)


# 6


def garage_sale(state: Zones, piece: int, order: int) -> None:
    """Draw 1; you may lay out up to four hand cards, of which each opponent may take one. For n taken draw n, then
    shelve up to n."""
    state.do((DRAW, piece, 1), (OFFER_LAYING, piece, 0), (SELL, piece, 0, 0))


@runs(OFFER_LAYING)
def offer_laying(state: Zones, piece: int, laid: int) -> None:
    if laid < MOST_LAID_OUT and hand_of(state, piece):
        state.do((LAY_OUT, piece, laid))


@answers(LAY_OUT)
def lay_or_pass(state: Zones, piece: int, laid: int) -> tuple[Move, ...]:
    return (PASS, *moves(LAY, hand_of(state, piece)))


@does(LAY_OUT)
def lay_out(state: Zones, move: Move, piece: int, laid: int) -> None:
    if move != PASS:
        card = move - LAY
        state.leave_hand(piece >> 1, card)
        state.show(card)
        state.laid += (card,)
        offer_laying(state, piece, laid + 1)


@runs(SELL)
def sell(state: Zones, piece: int, sold: int, index: int) -> None:
    """The opponents buy, clockwise; then what is left goes back."""
    opponents = state.setup.after[piece >> 1]
    if index < len(opponents) and state.laid:
        state.do((BUY, 2 * opponents[index], piece, sold, index))
        return
    for card in state.laid:
        state.take(piece >> 1, card)
    state.laid = ()
    if sold:
        state.do((DRAW, piece, sold), (OFFER_SHELVING, piece, ANY, sold - 1))


@answers(BUY)
def buy_or_pass(state: Zones, piece: int, seller: int, sold: int, index: int) -> tuple[Move, ...]:
    return (PASS, *[TAKE + card for card in sorted(state.laid)])


@does(BUY)
def buy(state: Zones, move: Move, piece: int, seller: int, sold: int, index: int) -> None:
    if move != PASS:
        state.laid = tuple([card for card in state.laid if card != move - TAKE])
        state.take(piece >> 1, move - TAKE)
    sell(state, seller, sold + (move != PASS), index + 1)


# 7


def back_street_tavern(state: Zones, piece: int, order: int) -> None:
    """Each player here draws once, as many cards as assistants are here; with the Witch if she is one of theirs."""
    guests, seat = state.guests[BACK_STREET_TAVERN], piece >> 1
    if not any(guest >> 1 == seat for guest in guests[:order]):
        own = 2 * seat + (2 * seat + 1 in guests)
        state.do((DRAW, own, min(len(guests), MOST_IN_TAVERN)))


# 8


def bookseller(state: Zones, piece: int, order: int) -> None:
    """The first to arrive takes two of the cards here, each later one takes one."""
    offer_books(state, piece, 0 if order else 1)


def offer_books(state: Zones, piece: int, more: int) -> None:
    if state.on_tile(BOOKSELLER):
        state.do((PICK, piece, more))


@answers(PICK)
def books_here(state: Zones, piece: int, more: int) -> tuple[Move, ...]:
    return tuple([TAKE + card for card in sorted(state.on_tile(BOOKSELLER))])


@does(PICK)
def pick(state: Zones, move: Move, piece: int, more: int) -> None:
    take_from_tile(state, piece, BOOKSELLER, move - TAKE)
    if more:
        offer_books(state, piece, more - 1)


# 9


def shelfmasons_guild(state: Zones, piece: int, order: int) -> None:
    """Up to twice: move one of your shelved cards, or discard one from your shelf."""
    offer_rebuilding(state, piece, 1)


@runs(OFFER_REBUILDING)
def offer_rebuilding(state: Zones, piece: int, more: int) -> None:
    shelf = state.shelves[piece >> 1]
    if removable(shelf) or movable(shelf):
        state.do((REBUILD, piece, more))


@answers(REBUILD)
def rebuild_or_pass(state: Zones, piece: int, more: int) -> tuple[Move, ...]:
    shelf = state.shelves[piece >> 1]
    discards = [DISCARD + card for card in sorted(removable(shelf))]
    return (PASS, *discards, *[MOVE + card for card in sorted(movable(shelf))])


@does(REBUILD)
def rebuild(state: Zones, move: Move, piece: int, more: int) -> None:
    if move == PASS:
        return
    if more:
        state.do((OFFER_REBUILDING, piece, more - 1))
    if move >= MOVE:
        state.do((CHOOSE_NEW_CELL, piece, move - MOVE))
    else:
        throw_away(state, piece >> 1, move - DISCARD)


# 10


def assistants_guild(state: Zones, piece: int, order: int) -> None:
    """You may send one opposing standard assistant on a delayed tile back to its owner. Then one home action."""
    first = ((RECALL, piece),) if recallable(state, piece) else ()
    state.do(*first, (HOME_ACTIONS, piece, 1))


def recallable(state: Zones, piece: int) -> list[Move]:
    """The moves that send an assistant back."""
    return [
        RECALL_MOVE + index
        for index, (seat, tile) in enumerate(RECALLS)
        if seat != piece >> 1 and any(guest & 7 == 2 * seat for guest in state.guests[tile])
    ]


@answers(RECALL)
def recall_or_pass(state: Zones, piece: int) -> tuple[Move, ...]:
    return (PASS, *recallable(state, piece))


@does(RECALL)
def recall(state: Zones, move: Move, piece: int) -> None:
    """Of several of that player on the tile, the last to arrive goes back."""
    if move == PASS:
        return
    seat, tile = RECALLS[move - RECALL_MOVE]
    guests = state.guests[tile]
    last = max(index for index, guest in enumerate(guests) if guest & 7 == 2 * seat)
    state.guests = put(state.guests, tile, guests[:last] + guests[last + 1 :])
    state.ready = put(state.ready, seat, state.ready[seat] + 1)


# 11


def tax_collector(state: Zones, piece: int, order: int) -> None:
    """Draw 1. Each opponent with five or more hand cards discards one; then you may take one of those."""
    state.do((DRAW, piece, 1), (TAX, piece, 0, -1))


@runs(TAX)
def tax(state: Zones, piece: int, index: int, before: int) -> None:
    """The opponent at this index pays; `before`: how many cards were in the discard pile, -1 at first."""
    if before < 0:
        before = len(state.discard)
    opponents = state.setup.after[piece >> 1]
    if index < len(opponents):
        state.do((TAX, piece, index + 1, before))
        if state.hands[opponents[index]].bit_count() >= TAXED:
            state.do((MUST_DISCARD, 2 * opponents[index]))
    elif len(state.discard) > before:
        state.do((TAKE_TAX, piece, before))


@answers(TAKE_TAX)
def taxes_or_pass(state: Zones, piece: int, before: int) -> tuple[Move, ...]:
    return (PASS, *[TAKE + card for card in sorted(state.discard[before:])])


@does(TAKE_TAX)
def take_tax(state: Zones, move: Move, piece: int, before: int) -> None:
    if move != PASS:
        state.fetch(piece >> 1, move - TAKE)


# 12


def book_collector(state: Zones, piece: int, order: int) -> None:
    """You may discard up to three hand cards with a category that the card here has too; draw as many, then you may
    shelve 1 hand card."""
    if state.on_tile(BOOK_COLLECTOR):
        offer_collecting(state, piece, 0)


def offer_collecting(state: Zones, piece: int, given: int) -> None:
    if given < MOST_COLLECTED and (hand_of(state, piece) or collectable(state, piece)):
        state.do((COLLECT, piece, given))
    else:
        collected(state, piece, given)


def collectable(state: Zones, piece: int) -> int:
    """The cards with a category of the card here, as a set; one that lies face down on the shelf has none."""
    (card,) = state.on_tile(BOOK_COLLECTOR)
    matching = 0
    for category in BOOKS[card]:
        matching |= OF_CATEGORY[category]
    down = mask_of(pile.card for pile in state.shelves[piece >> 1] if not pile.up)
    return discardable(state, piece) & matching & ~down


@answers(COLLECT)
def collectable_or_pass(state: Zones, piece: int, given: int) -> tuple[Move, ...]:
    return (PASS, *moves(DISCARD, collectable(state, piece)))


@does(COLLECT)
def collect(state: Zones, move: Move, piece: int, given: int) -> None:
    if move == PASS:
        collected(state, piece, given)
    else:
        throw_away(state, piece >> 1, move - DISCARD)
        offer_collecting(state, piece, given + 1)


def collected(state: Zones, piece: int, given: int) -> None:
    if given:
        state.do((DRAW, piece, given), (OFFER_SHELVING, piece, ANY, 0))


# 13


@runs(OPEN_LODGE)
def open_lodge(state: Zones) -> None:
    """Cards are turned up, one more than assistants here."""
    guests = len(state.guests[LIBRARY_LODGE])
    cards = [state.top() for _ in range(guests + 1 if guests else 0)]
    for card in cards:
        if card >= 0:
            state.show(card)
    state.cards = put(state.cards, LIBRARY_LODGE, tuple(cards))


def library_lodge(state: Zones, piece: int, order: int) -> None:
    """In order of arrival each takes one of the cards turned up and may shelve it."""
    if state.on_tile(LIBRARY_LODGE):
        state.do((LODGE, piece))


@answers(LODGE)
def lodge_cards(state: Zones, piece: int) -> tuple[Move, ...]:
    return tuple([TAKE + card for card in sorted(state.on_tile(LIBRARY_LODGE))])


@does(LODGE)
def lodge(state: Zones, move: Move, piece: int) -> None:
    take_from_tile(state, piece, LIBRARY_LODGE, move - TAKE)
    state.do((OFFER_SHELVING, piece, move - TAKE, 0))


# 14


def wishing_well(state: Zones, piece: int, order: int) -> None:
    """You may discard a hand card to name a category: of up to five cards turned up, the first with it is yours, and
    you may shelve it."""
    if discardable(state, piece):
        state.do((MAY_WISH, piece))


@answers(MAY_WISH)
def offering_or_pass(state: Zones, piece: int) -> tuple[Move, ...]:
    return (PASS, *moves(DISCARD, discardable(state, piece)))


@does(MAY_WISH)
def may_wish(state: Zones, move: Move, piece: int) -> None:
    if move != PASS:
        throw_away(state, piece >> 1, move - DISCARD)
        state.do((WISH, piece))


@answers(WISH)
def wishes(state: Zones, piece: int) -> tuple[Move, ...]:
    return CATEGORY_MOVES


@does(WISH)
def wish(state: Zones, move: Move, piece: int) -> None:
    for _ in range(MOST_WISHED):
        card = state.top()
        if card < 0:
            return
        if move - NAME in BOOKS[card]:
            state.take(piece >> 1, card)
            state.do((OFFER_SHELVING, piece, card, 0))
            return
        state.discard += (card,)


# 15


def donation_house(state: Zones, piece: int, order: int) -> None:
    """You may discard one or two cards, from hand or shelf; draw as many and one more."""
    offer_donating(state, piece, 0)


def offer_donating(state: Zones, piece: int, given: int) -> None:
    if given < MOST_DONATED and donatable(state, piece):
        state.do((DONATE, piece, given))
    else:
        donated(state, piece, given)


def donatable(state: Zones, piece: int) -> int:
    """The cards that may be discarded from hand or shelf, as a set."""
    return hand_of(state, piece) | mask_of(removable(state.shelves[piece >> 1]))


@answers(DONATE)
def donation_or_pass(state: Zones, piece: int, given: int) -> tuple[Move, ...]:
    return (PASS, *moves(DISCARD, donatable(state, piece)))


@does(DONATE)
def donate(state: Zones, move: Move, piece: int, given: int) -> None:
    if move == PASS:
        donated(state, piece, given)
    else:
        throw_away(state, piece >> 1, move - DISCARD)
        offer_donating(state, piece, given + 1)


def donated(state: Zones, piece: int, given: int) -> None:
    if given:
        state.do((DRAW, piece, given + 1))


# 16


def visit_sealed_archive(state: Zones, piece: int) -> None:
    """On arrival, look secretly at two of the cards, the second after seeing the first."""
    offer_peeking(state, piece, 0)


def offer_peeking(state: Zones, piece: int, seen: int) -> None:
    if peekable(state, seen):
        state.do((PEEK, piece, seen))


def peekable(state: Zones, seen: int) -> list[int]:
    """The places with a card, but for one."""
    cards = state.cards[SEALED_ARCHIVE]
    return [place for place, card in enumerate(cards, start=1) if card >= 0 and place != seen]


@answers(PEEK)
def places_to_see(state: Zones, piece: int, seen: int) -> tuple[Move, ...]:
    return tuple([PEEK_MOVE + place for place in peekable(state, seen)])


@does(PEEK)
def peek(state: Zones, move: Move, piece: int, seen: int) -> None:
    place, seat = move - PEEK_MOVE, piece >> 1
    state.knows = put(state.knows, seat, state.knows[seat] | 1 << state.cards[SEALED_ARCHIVE][place - 1])
    state.peeked = put(state.peeked, place - 1, state.peeked[place - 1] | 1 << seat)
    if not seen:
        offer_peeking(state, piece, place)


def sealed_archive(state: Zones, piece: int, order: int) -> None:
    """Take one of the cards into hand, looked at or not, and you may shelve it."""
    if state.on_tile(SEALED_ARCHIVE):
        state.do((UNSEAL, piece))


@answers(UNSEAL)
def places_to_take(state: Zones, piece: int) -> tuple[Move, ...]:
    return tuple([TAKE_PLACE + place for place in peekable(state, 0)])


@does(UNSEAL)
def unseal(state: Zones, move: Move, piece: int) -> None:
    card = state.cards[SEALED_ARCHIVE][move - TAKE_PLACE - 1]
    seat = piece >> 1
    state.leave_tile(SEALED_ARCHIVE, card)
    state.hands = put(state.hands, seat, state.hands[seat] | 1 << card)
    state.knows = put(state.knows, seat, state.knows[seat] | 1 << card)
    state.do((OFFER_SHELVING, piece, card, 0))


# 17


def smugglers_cellar(state: Zones, piece: int, order: int) -> None:
    """The card in the lowest place is turned up: shelve it, or discard it and the next is turned up."""
    cards = state.on_tile(SMUGGLERS_CELLAR)
    if cards:
        state.show(cards[0])
        state.do((SMUGGLE, piece, cards[0]))


@answers(SMUGGLE)
def shelve_or_discard(state: Zones, piece: int, card: int) -> tuple[Move, ...]:
    return (SHELVE + card, DISCARD + card)


@does(SMUGGLE)
def smuggle(state: Zones, move: Move, piece: int, card: int) -> None:
    if move == SHELVE + card:
        state.do((CHOOSE_CELL, piece, card))
    else:
        state.leave_tile(SMUGGLERS_CELLAR, card)
        state.discard += (card,)
        smugglers_cellar(state, piece, 0)


# 18


def reading_room(state: Zones, piece: int, order: int) -> None:
    """Shelve up to two hand cards."""
    state.do((OFFER_SHELVING, piece, ANY, 1))


EFFECTS: dict[int, Callable[[Zones, int, int], None]] = {
    DIVINERS_HUT: diviners_hut,
    BOOK_SWAP: book_swap,
    AUCTION_HOUSE: auction_house,
    GAMBLING_HOUSE: gambling_house,
    GARBAGE_DUMP: garbage_dump,
    GARAGE_SALE: garage_sale,
    BACK_STREET_TAVERN: back_street_tavern,
    BOOKSELLER: bookseller,
    SHELFMASONS_GUILD: shelfmasons_guild,
    ASSISTANTS_GUILD: assistants_guild,
    TAX_COLLECTOR: tax_collector,
    BOOK_COLLECTOR: book_collector,
    LIBRARY_LODGE: library_lodge,
    WISHING_WELL: wishing_well,
    DONATION_HOUSE: donation_house,
    SEALED_ARCHIVE: sealed_archive,
    SMUGGLERS_CELLAR: smugglers_cellar,
    READING_ROOM: reading_room,
}
