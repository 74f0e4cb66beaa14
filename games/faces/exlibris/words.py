"""The words of Ex Libris: what tiles and assistants are called and do, and what each question asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from games.engine.exlibris import frames
from games.engine.exlibris.cards import LABELS
from games.engine.exlibris.libraries import LIBRARIES
from games.engine.exlibris.shelf import STRIDE, Shelf
from games.faces.exlibris.art import CATEGORIES
from games.faces.language import N_, _, digits, ngettext, number

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

TILE_NAMES: dict[int, StrOrPromise] = {
    1: gettext_lazy("Diviner’s Hut"),
    2: gettext_lazy("Book Swap"),
    3: gettext_lazy("Auction House"),
    4: gettext_lazy("Gambling House"),
    5: gettext_lazy("Garbage Dump"),
    6: gettext_lazy("Garage Sale"),
    7: gettext_lazy("Back-street Tavern"),
    8: gettext_lazy("Bookseller"),
    9: gettext_lazy("Shelfmasons’ Guild"),
    10: gettext_lazy("Assistants’ Guild"),
    11: gettext_lazy("Tax Collector"),
    12: gettext_lazy("Book Collector"),
    13: gettext_lazy("Library Lodge"),
    14: gettext_lazy("Wishing Well"),
    15: gettext_lazy("Donation House"),
    16: gettext_lazy("Sealed Archive"),
    17: gettext_lazy("Smuggler’s Cellar"),
    18: gettext_lazy("Reading Room"),
}
TILE_EFFECTS: dict[int, StrOrPromise] = {
    1: gettext_lazy(
        "Take the first-player marker. Draw 1 card for each of your assistants that is out, this one included."
    ),
    2: gettext_lazy(
        "You may take a card here and put a hand card in its place. Then you may shelve the card you took."
    ),
    3: gettext_lazy(
        "Spaces are bids. The highest bidder may discard that many hand cards to take all cards here, and may then "
        "shelve one. Whoever declines or can’t pay leaves it to the next."
    ),
    4: gettext_lazy(
        "Name a category and turn up cards. Hits go to the pot; the first miss is forgiven, the second puts you out. "
        "Stop after a hit to take the pot."
    ),
    5: gettext_lazy("Take one of the seven newest discards. Then you may shelve a hand card."),
    6: gettext_lazy(
        "Draw 1. You may lay out up to four hand cards; each opponent may take one. For each card taken you draw one, "
        "and may shelve one."
    ),
    7: gettext_lazy("Each player here draws once: as many cards as there are assistants here, at most 4."),
    8: gettext_lazy("The first to arrive takes two of the cards here, each later one takes one."),
    9: gettext_lazy("Up to twice: move one of your shelved cards, or discard one from your shelf."),
    10: gettext_lazy(
        "You may send an opponent’s standard assistant on a delayed tile back to its owner. Then one home action."
    ),
    11: gettext_lazy(
        "Draw 1. Each opponent with five or more hand cards discards one. You may take one of the cards so discarded."
    ),
    12: gettext_lazy(
        "You may discard up to three hand cards that share a category with the card here. Draw as many, and then you "
        "may shelve one."
    ),
    13: gettext_lazy("Cards are turned up, one more than assistants here. Each takes one and may shelve it."),
    14: gettext_lazy(
        "You may discard a hand card to name a category. Of up to five cards turned up, you take the first that has "
        "it, and may shelve it."
    ),
    15: gettext_lazy("You may discard one or two cards, from hand or shelf. Then draw as many and one more."),
    16: gettext_lazy(
        "On arrival, look secretly at two of the cards. In the resolution take one, and you may shelve it."
    ),
    17: gettext_lazy("Cards are turned up one by one, until you shelve one. The others are discarded."),
    18: gettext_lazy("Shelve up to two hand cards."),
}
TILE_SIGNS: dict[int, StrOrPromise] = {
    1: gettext_lazy("Go first next. Draw 1 for each assistant you have out."),
    2: gettext_lazy("Swap a hand card for one here. You may shelve it."),
    3: gettext_lazy("Highest bid: discard that many, take all cards here."),
    4: gettext_lazy("Bet on a category. At the second miss you lose the pot."),
    5: gettext_lazy("Take one of 7 newest discards. You may shelve a card."),
    6: gettext_lazy("Draw 1. Offer up to 4. For each taken draw 1, shelve 1."),
    7: gettext_lazy("Draw as many cards as assistants are here, 4 at most."),
    8: gettext_lazy("The first here takes two of these cards, others one."),
    9: gettext_lazy("Up to twice: move or discard a card on your shelf."),
    10: gettext_lazy("Send back a rival’s assistant. Then draw or shelve 1."),
    11: gettext_lazy("Draw 1. Whoever holds 5+ discards 1; you may take one."),
    12: gettext_lazy("Discard up to 3 that match. Draw as many, shelve one."),
    13: gettext_lazy("Cards are turned up. Take one; you may shelve it."),
    14: gettext_lazy("Discard 1, name a category. Take the first card with it."),
    15: gettext_lazy("Discard 1 or 2 cards. Draw as many and one more."),
    16: gettext_lazy("Look at two cards. Later take one; you may shelve it."),
    17: gettext_lazy("Turn up card by card, until you shelve one."),
    18: gettext_lazy("Shelve up to two hand cards."),
}
"""What stands on the sign of a house: the effect in three short lines. The whole of it is one press away."""
TILE_EFFECTS_FROM_SHELF: dict[int, StrOrPromise] = {
    3: gettext_lazy(
        "Spaces are bids. The highest bidder may discard that many cards, from hand or shelf, to take all cards here, "
        "and may then shelve one. Whoever declines or can’t pay leaves it to the next."
    ),
    11: gettext_lazy(
        "Draw 1. Each opponent with five or more hand cards discards a card from hand or shelf. You may take one of "
        "the cards so discarded."
    ),
    12: gettext_lazy(
        "You may discard up to three cards, from hand or shelf, that share a category with the card here. Draw as "
        "many, and then you may shelve one."
    ),
    14: gettext_lazy(
        "You may discard a card, from hand or shelf, to name a category. Of up to five cards turned up, you take the "
        "first that has it, and may shelve it."
    ),
}
"""With `discards=either`, of the tiles whose effect is another then."""
LIBRARY_NAMES: dict[str, StrOrPromise] = {
    "GOB": gettext_lazy("Caves of Cognition"),
    "AUT": gettext_lazy("Clockwork Bookworks"),
    "MUM": gettext_lazy("Pyramid of Papyri"),
    "CUB": gettext_lazy("Dungeon of Suggestion"),
    "SAS": gettext_lazy("Bookshed in the Woods"),
    "WRM": gettext_lazy("Tunnels of Tomes"),
    "SNO": gettext_lazy("Reference Igloo"),
    "IMP": gettext_lazy("Volcanic Library"),
    "GHO": gettext_lazy("Haunted Stacks"),
    "GOL": gettext_lazy("Hall of Clay Tablets"),
    "WIZ": gettext_lazy("Tower of Scrolls"),
    "WIT": gettext_lazy("Cauldron Collection"),
}
ASSISTANTS: dict[str, StrOrPromise] = {
    "GOB": gettext_lazy("Goblin Sneak"),
    "AUT": gettext_lazy("Automaton"),
    "MUM": gettext_lazy("Mummy"),
    "CUB": gettext_lazy("Gelatinous Cube"),
    "SAS": gettext_lazy("Sasquatch"),
    "WRM": gettext_lazy("Bookworm"),
    "SNO": gettext_lazy("Snowman"),
    "IMP": gettext_lazy("Fire Imp"),
    "GHO": gettext_lazy("Ghost"),
    "GOL": gettext_lazy("Golem"),
    "WIZ": gettext_lazy("Wizard"),
    "WIT": gettext_lazy("Witch"),
}
ABILITIES: dict[str, StrOrPromise] = {
    "GOB": gettext_lazy(
        "Before the tile acts: name a category for each opponent there. They give you a hand card with it, which you "
        "may shelve; if they have none, you alone see their hand."
    ),
    "AUT": gettext_lazy("One home action for each other assistant of yours already there."),
    "MUM": gettext_lazy(
        "May entomb the card she shelves: over a cell, or face down under a card. Each entombed card is worth 2 points."
    ),
    "CUB": gettext_lazy(
        "An opponent who visits its tile loses a random hand card to you, or lets you draw 1 and shelve 1."
    ),
    "SAS": gettext_lazy(
        "Visits only tiles without opponents. When one comes, you may take it back and place it again this round."
    ),
    "WRM": gettext_lazy("At home: draw 1 and shelve 1; then you may discard a hand card for one more home action."),
    "SNO": gettext_lazy("While it is on an instant tile, nobody else may visit it."),
    "IMP": gettext_lazy("Before the tile acts: discard up to two of the cards there. If you did, draw 1."),
    "GHO": gettext_lazy("May visit a full tile if an opponent is there. Never the Diviner’s Hut."),
    "GOL": gettext_lazy(
        "After the tile acts: you may take one of the three newest discards; then discard a hand card."
    ),
    "WIZ": gettext_lazy("After the tile acts: you may move one of your shelved cards."),
    "WIT": gettext_lazy("Whenever she draws, she draws 1 more, and then discards a hand card."),
}
ABILITIES_FROM_SHELF: dict[str, StrOrPromise] = {
    "WRM": gettext_lazy(
        "At home: draw 1 and shelve 1; then you may discard a card from hand or shelf for one more home action."
    ),
    "GOL": gettext_lazy(
        "After the tile acts: you may take one of the three newest discards; then discard a card from hand or shelf."
    ),
    "WIT": gettext_lazy("Whenever she draws, she draws 1 more, and then discards a card from hand or shelf."),
}
"""With `discards=either`, of the assistants whose ability is another then."""


def tile_name(tile: int) -> str:
    """`Reading Room`."""
    return str(TILE_NAMES[tile])


def tile_effect(tile: int, from_shelf: bool = False) -> str:
    """What a tile does; `from_shelf`: with `discards=either`."""
    return str((from_shelf and TILE_EFFECTS_FROM_SHELF.get(tile)) or TILE_EFFECTS[tile])


def library_name(library: int) -> str:
    """`Haunted Stacks`."""
    return str(LIBRARY_NAMES[LIBRARIES[library].code])


def assistant_name(library: int) -> str:
    """The special assistant of a library, or a standard one (negative)."""
    return _("standard assistant") if library < 0 else str(ASSISTANTS[LIBRARIES[library].code])


def ability(library: int, from_shelf: bool = False) -> str:
    """What a special assistant can do; `from_shelf`: with `discards=either`."""
    code = LIBRARIES[library].code
    return str((from_shelf and ABILITIES_FROM_SHELF.get(code)) or ABILITIES[code])


def category_name(category: int) -> str:
    """`Monster Manuals`."""
    return str(CATEGORIES[category])


TITLES: dict[int, str] = {
    frames.CHOOSE_LIBRARY: N_("Choose your library"),
    frames.PLACE: N_("Send an assistant"),
    frames.HOME_ACTION: N_("Draw or shelve"),
    frames.MAY_DRAW: N_("Draw a card?"),
    frames.MAY_SHELVE: N_("Shelve a card?"),
    frames.CHOOSE_CELL: N_("Choose a cell"),
    frames.MUST_DISCARD: N_("Discard a card"),
    frames.SWAP_FOR: N_("Take a card for one of yours?"),
    frames.SWAP_IN: N_("Put a hand card in its place"),
    frames.PAY_BID: N_("Pay your bid?"),
    frames.BET: N_("Name a category to bet on"),
    frames.GAMBLE: N_("Go on, or take the pot?"),
    frames.SEARCH_DUMP: N_("Take a card from the dump"),
    frames.LAY_OUT: N_("Lay out cards for sale?"),
    frames.BUY: N_("Take one of these?"),
    frames.PICK: N_("Take a card"),
    frames.REBUILD: N_("Move or discard a shelved card?"),
    frames.RECALL: N_("Send an assistant back?"),
    frames.TAKE_TAX: N_("Take one of the taxes?"),
    frames.COLLECT: N_("Discard a matching card?"),
    frames.LODGE: N_("Take a card"),
    frames.MAY_WISH: N_("Discard a card for a wish?"),
    frames.WISH: N_("Wish for a category"),
    frames.DONATE: N_("Donate a card?"),
    frames.PEEK: N_("Look at a card"),
    frames.UNSEAL: N_("Take a card from the archive"),
    frames.SMUGGLE: N_("Shelve this card, or discard it"),
    frames.NAME_BOOKS: N_("Name a category to ask for?"),
    frames.GIVE: N_("Give a card to the Goblin"),
    frames.FACE_CUBE: N_("Face the Gelatinous Cube"),
    frames.TAKE_BACK: N_("Take the Sasquatch back?"),
    frames.MAY_WORK_ON: N_("Discard a card for one more home action?"),
    frames.BURN: N_("Discard a card here?"),
    frames.DIG: N_("Take one of the newest discards?"),
    frames.MAY_MOVE: N_("Move a shelved card?"),
    frames.CHOOSE_NEW_CELL: N_("Choose its new cell"),
    frames.DROP_TILE: N_("Which tile goes?"),
    frames.TURN: N_("Turn cards down"),
}
"""The question to whoever is asked."""

ASKED_OF = {
    frames.SWAP_FOR: 2,
    frames.SWAP_IN: 2,
    frames.PAY_BID: 3,
    frames.BET: 4,
    frames.GAMBLE: 4,
    frames.SEARCH_DUMP: 5,
    frames.LAY_OUT: 6,
    frames.BUY: 6,
    frames.PICK: 8,
    frames.REBUILD: 9,
    frames.RECALL: 10,
    frames.TAKE_TAX: 11,
    frames.COLLECT: 12,
    frames.LODGE: 13,
    frames.MAY_WISH: 14,
    frames.WISH: 14,
    frames.DONATE: 15,
    frames.PEEK: 16,
    frames.UNSEAL: 16,
    frames.SMUGGLE: 17,
}
"""The tile to which a question belongs ..."""
ASKED_BY = {
    frames.NAME_BOOKS: "GOB",
    frames.GIVE: "GOB",
    frames.FACE_CUBE: "CUB",
    frames.TAKE_BACK: "SAS",
    frames.MAY_WORK_ON: "WRM",
    frames.BURN: "IMP",
    frames.DIG: "GOL",
    frames.MAY_MOVE: "WIZ",
}
"""... and the assistant."""

DOING: dict[int, str] = {
    frames.CHOOSE_LIBRARY: N_("%(name)s chooses a library"),
    frames.PLACE: N_("%(name)s sends an assistant"),
    frames.HOME_ACTION: N_("%(name)s draws or shelves"),
    frames.MAY_DRAW: N_("%(name)s may draw"),
    frames.MAY_SHELVE: N_("%(name)s may shelve a card"),
    frames.CHOOSE_CELL: N_("%(name)s chooses a cell"),
    frames.PAY_BID: N_("%(name)s may pay a bid"),
    frames.TURN: N_("%(name)s turns cards down"),
    frames.DROP_TILE: N_("%(name)s drops tiles"),
}


def doing(question: int) -> str:
    """What another player is asked, with `%(name)s` for the name."""
    return _(DOING[question]) if question in DOING else _("%(name)s chooses")


LINES: tuple[str, ...] = (
    N_("Stability"),
    N_("Prominent"),
    N_("Banned"),
    N_("Variety"),
    N_("Focus"),
)


def points_text(points: int) -> str:
    """`29 points`."""
    return ngettext("%(points)s point", "%(points)s points", points) % {"points": number(points)}


BESIDE: tuple[tuple[int, str], ...] = (
    (-1, N_("to the right of %(card)s")),
    (1, N_("to the left of %(card)s")),
    (STRIDE, N_("above %(card)s")),
    (-STRIDE, N_("below %(card)s")),
)
"""Where a cell lies, seen from its neighbour: the way to that neighbour, and the words."""


def where_text(shelf: Shelf, cell: int) -> str:
    """Where a cell is, by what lies there or beside it: `to the right of C5`, `between C5 and D3`, `over C5`.

    `shelf`: as it is without the card that comes to this cell.
    """
    labels = {pile.cell: digits(LABELS[pile.card]) for pile in shelf}
    if cell in labels:
        return _("over %(card)s") % {"card": labels[cell]}
    if cell - 1 in labels and cell + 1 in labels:
        return _("between %(left)s and %(right)s") % {"left": labels[cell - 1], "right": labels[cell + 1]}
    for way, text in BESIDE:
        if cell + way in labels:
            return _(text) % {"card": labels[cell + way]}
    return _("as the first card")
