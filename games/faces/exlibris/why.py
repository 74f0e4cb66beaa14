"""Why something is asked: who brought it about, where, and what follows. Told to whoever is asked, and to all who wait.

It rests on what the view of the reader has: the frames of its stack, and what everybody saw being sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from games.engine.exlibris import frames
from games.engine.exlibris.cards import ANY, CARDS, HIDDEN, LABELS, OF_CATEGORY, mask_of
from games.engine.exlibris.effects import MOST_COLLECTED, MOST_LAID_OUT
from games.engine.exlibris.frames import Frame
from games.engine.exlibris.libraries import AUT, CUB, GOL, WRM
from games.engine.exlibris.tiles import ASSISTANTS_GUILD, BOOK_COLLECTOR
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.items import last_sent
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.words import category_name, tile_name
from games.faces.language import N_, _, digits, ngettext
from games.faces.paint import bdi, said

HOME = 0


class Why(NamedTuple):
    """Why a question is asked, and what its sentence needs to know."""

    key: int | str = -1
    """The question; a word where it can have several reasons. A key of ASKED, and perhaps of AWAITED and YOURS."""
    asked: int = 0
    """The seat that is asked ..."""
    other: int = -1
    """... and another that it has to do with."""
    tile: int = HOME
    card: int = HIDDEN
    books: int = -1
    number: int = 0
    misses: int = 0
    left: int = 0
    """How many cards with `books` the viewer sees nowhere; of a bid, how many are to be paid."""
    unseen: int = 0
    """How many cards the viewer sees nowhere."""


def why_of(scene: Scene) -> Why:
    """Why the present question is asked."""
    view = scene.view
    if not view.stack or view.seat is None:
        return Why()
    frame = view.stack[-1]
    if frame[0] in (frames.CHOOSE_LIBRARY, frames.PLACE, frames.TURN):
        return Why(frame[0], frame[1] >> 1)
    visitor, place = last_sent(scene.steps, len(scene.steps))
    if view.resolving is not None:
        visitor, place = -1, view.resolving
    why = Why(frame[0], frame[1] >> 1, visitor, place)
    library = view.libraries[frame[1] >> 1] if frame[1] & 1 else -1
    if frame[0] == frames.MUST_DISCARD:
        return _discarding(view, why, library)
    if frame[0] in (frames.HOME_ACTION, frames.MAY_DRAW, frames.MAY_SHELVE):
        return _drawing(view, frame, why, library)
    more = MORE.get(frame[0])
    return why._replace(**more(view, frame)) if more else why


def _discarding(view: ExLibrisView, why: Why, library: int) -> Why:
    """Of the special assistants the Witch and the Golem ask for a card; else it is a tax."""
    if library >= 0:
        return why._replace(key="golem" if library == GOL else "witch")
    tax = next(frame for frame in reversed(view.stack) if frame[0] == frames.TAX)
    return why._replace(key="tax", other=tax[1] >> 1, number=view.counts[why.asked])


def _drawing(view: ExLibrisView, frame: Frame, why: Why, library: int) -> Why:
    """Draw or shelve: at home, by what a tile has done, or because somebody has met the Cube."""
    question = frame[0]
    arriving = any(each[0] == frames.ARRIVE for each in view.stack)
    at_home = view.resolving is None and why.tile == HOME
    if library == CUB and arriving and why.other != why.asked:
        return why._replace(key="cube draw" if question == frames.MAY_DRAW else "cube shelve")
    if question == frames.HOME_ACTION:
        if library == AUT and (arriving or at_home):
            more = next(each[2] for each in reversed(view.stack) if each[0] == frames.HOME_ACTIONS)
            return why._replace(key="automaton" if more else "automaton last", number=more)
        if library == WRM and at_home:
            return why._replace(key="bookworm works on")
        return why._replace(key="guild" if why.tile == ASSISTANTS_GUILD else "home")
    if question == frames.MAY_DRAW or at_home:
        return why._replace(key="bookworm")
    card, more = frame[2:]
    if card == ANY:
        return why._replace(key="may shelve", number=more + 1)
    return why._replace(key="goblin got" if arriving else "took" if card >= 0 else "took unseen", card=card)


MORE: dict[int, Callable[[ExLibrisView, Frame], dict[str, Any]]] = {
    frames.CHOOSE_CELL: lambda view, frame: {"card": frame[2]},
    frames.CHOOSE_NEW_CELL: lambda view, frame: {"card": frame[2]},
    frames.SMUGGLE: lambda view, frame: {"card": frame[2]},
    frames.SWAP_IN: lambda view, frame: {"card": frame[3]},
    frames.PAY_BID: lambda view, frame: {
        "key": "pay on" if frame[2] else "pay",
        "number": frame[3],
        "left": frame[3] - frame[2],
    },
    frames.GAMBLE: lambda view, frame: _bet(view, *frame[2:]),
    frames.LAY_OUT: lambda view, frame: {"number": MOST_LAID_OUT - frame[2]},
    frames.BUY: lambda view, frame: {"other": frame[2] >> 1},
    frames.PICK: lambda view, frame: {"key": "two books" if frame[2] else "a book"},
    frames.REBUILD: lambda view, frame: {"key": "rebuild" if frame[2] else "rebuild again"},
    frames.COLLECT: lambda view, frame: {"card": view.cards[BOOK_COLLECTOR][0], "number": MOST_COLLECTED - frame[2]},
    frames.DONATE: lambda view, frame: {"key": "donate again" if frame[2] else "donate"},
    frames.PEEK: lambda view, frame: {"key": "peek again" if frame[2] else "peek"},
    frames.NAME_BOOKS: lambda view, frame: {"other": frame[2]},
    frames.GIVE: lambda view, frame: {"key": _gift(view), "other": frame[2] >> 1, "books": frame[3]},
    frames.FACE_CUBE: lambda view, frame: {"other": frame[2]},
    frames.BURN: lambda view, frame: {"key": "burn again" if frame[3] else "burn", "tile": frame[2]},
    frames.DROP_TILE: lambda view, frame: {"key": "drop again" if frame[2] else "drop"},
}
"""What the sentences of a question need to know besides."""


def _bet(view: ExLibrisView, category: int, hits: int, misses: int) -> dict[str, Any]:
    left, unseen = odds(view, category)
    return {"books": category, "number": hits, "misses": misses, "left": left, "unseen": unseen}


def _gift(view: ExLibrisView) -> str:
    """Whether there is a card to give is known to whoever is asked, and to nobody else."""
    frame = view.stack[-1]
    mine = view.me == frame[1] >> 1
    return "give none" if mine and not mask_of(view.hand) & OF_CATEGORY[frame[3]] else "give"


def reason(why: Why, me: int | None, names: Sequence[str]) -> str:
    """Why it is asked, in a sentence or two as HTML, for whoever looks; empty where nothing is to be said."""
    table = ASKED if me == why.asked else YOURS if me == why.other and why.key in YOURS else AWAITED
    text = _counted(why) if me == why.asked else ""
    text = text or _(table.get(why.key, "") or ("" if me == why.asked or not why.tile else AT))
    if not text:
        return ""
    text = said(
        text,
        name=bdi(names[why.asked]),
        other=bdi(names[why.other]) if why.other >= 0 else "",
        tile=tile_name(why.tile) if why.tile else "",
        card=digits(LABELS[why.card]) if why.card >= 0 else "",
        books=category_name(why.books) if why.books >= 0 else "",
        count=why.number,
        misses=why.misses,
        left=why.left,
        unseen=why.unseen,
    )
    return str(text)


ASKED: dict[int | str, str] = {
    frames.CHOOSE_LIBRARY: N_("Its assistant is yours for the whole game. The other library goes back to the box."),
    frames.PLACE: N_("Pick a pawn where you want it to go. “Home” lets you draw or shelve one card."),
    "home": N_("Your assistant is home: draw a card, or shelve one."),
    "guild": N_("Assistants’ Guild: draw a card, or shelve one."),
    "automaton last": N_("Your Automaton: draw a card, or shelve one."),
    "bookworm": N_("Your Bookworm is home: draw a card, then shelve one."),
    "bookworm works on": N_("Your Bookworm works on: draw a card, or shelve one."),
    "cube draw": N_("%(other)s visits your Gelatinous Cube at the %(tile)s: draw a card, then shelve one."),
    "cube shelve": N_("%(other)s visits your Gelatinous Cube at the %(tile)s: you may shelve a card."),
    "took": N_("%(tile)s: you took %(card)s, and may shelve it."),
    "goblin got": N_("Your Goblin Sneak got %(card)s, and you may shelve it."),
    frames.CHOOSE_CELL: N_("%(card)s goes on your shelf. Each cell shows what changes."),
    frames.CHOOSE_NEW_CELL: N_("%(card)s moves. Each cell shows what changes."),
    "witch": N_("Your Witch drew one card more, so discard one."),
    "golem": N_("Your Golem took a card, so discard one."),
    frames.SWAP_FOR: N_("Book Swap: take a card, and leave one of yours in its place."),
    frames.SWAP_IN: N_("Book Swap: you took %(card)s, so leave one of your cards in its place."),
    "pay": N_("Auction House: you bid %(count)s. Discard as many cards, and all cards there are yours."),
    "pay on": N_("Auction House: you bid %(count)s. Cards still to discard: %(left)s."),
    frames.BET: N_(
        "Gambling House: hits make the pot, a second miss loses it. Each number: cards with it that you have not seen."
    ),
    frames.GAMBLE: N_(
        "You bet on %(books)s. Hits: %(count)s of 5. Misses: %(misses)s, a second loses the pot. Of %(unseen)s cards "
        "you have not seen, %(left)s have it."
    ),
    frames.SEARCH_DUMP: N_("Garbage Dump: take one of the newest discards. Then you may shelve a card."),
    frames.BUY: N_("%(other)s’s Garage Sale: one of these cards can be yours for nothing. %(other)s draws one for it."),
    "two books": N_("Bookseller: you came first, so take two cards. This is the first."),
    "a book": N_("Bookseller: take a card."),
    "rebuild": N_("Shelfmasons’ Guild: choose a card of your shelf to move or discard. You can do so twice."),
    "rebuild again": N_("Shelfmasons’ Guild: choose one more card of your shelf to move or discard."),
    frames.RECALL: N_("Assistants’ Guild: one of these assistants can go back to its owner. Then draw or shelve."),
    frames.TAKE_TAX: N_("Tax Collector: one of the cards discarded for it can be yours."),
    frames.LODGE: N_("Library Lodge: take a card. Then you may shelve it."),
    frames.MAY_WISH: N_("Wishing Well: discard a card, and you can wish for a category."),
    frames.WISH: N_(
        "Wishing Well: of five cards turned up, the first with it is yours. Each number: cards with it that you have "
        "not seen."
    ),
    "donate": N_("Donation House: discard one or two cards, from hand or shelf. Draw as many and one more."),
    "donate again": N_("Donation House: discard one more card and draw three, or draw two now."),
    "peek": N_("Sealed Archive: look at a card. Only you see it."),
    "peek again": N_("Sealed Archive: look at a second card. Only you see it."),
    frames.UNSEAL: N_("Sealed Archive: take a card. Then you may shelve it."),
    frames.SMUGGLE: N_("Smuggler’s Cellar: %(card)s comes up. Shelve it, or discard it and see the next."),
    frames.NAME_BOOKS: N_(
        "Your Goblin Sneak meets %(other)s at the %(tile)s: they give you a card with your category, or show you their "
        "hand."
    ),
    "give": N_("%(other)s’s Goblin Sneak asks for %(books)s: give a card that has it."),
    "give none": N_("%(other)s’s Goblin Sneak asks for %(books)s: you have none, so show %(other)s your hand."),
    frames.FACE_CUBE: N_(
        "%(other)s’s Gelatinous Cube is at the %(tile)s: lose a random card, or let them draw and shelve."
    ),
    frames.TAKE_BACK: N_("%(other)s comes to your Sasquatch at the %(tile)s. Taken back, it is placed again."),
    frames.MAY_WORK_ON: N_("Your Bookworm works on if you discard a card: draw one, or shelve one."),
    "burn": N_("Your Fire Imp is at the %(tile)s: discard up to two of its cards, then draw one."),
    "burn again": N_("Your Fire Imp is at the %(tile)s: discard one more of its cards, or draw now."),
    frames.DIG: N_("Your Golem may take one of the three newest discards. Then discard a card for it."),
    frames.MAY_MOVE: N_("Your Wizard may move a card of your shelf: choose it."),
    "drop": N_("The round is over: two tiles leave the town. Which goes first?"),
    "drop again": N_("The round is over: one more tile leaves the town."),
}
"""Told to whoever is asked."""


def _counted(why: Why) -> str:
    """The same where a number decides the words; empty for other reasons."""
    count = why.number
    if why.key == "tax":
        return ngettext(
            "%(other)s’s Tax Collector: you have %(count)s card, so discard one.",
            "%(other)s’s Tax Collector: you have %(count)s cards, so discard one.",
            count,
        )
    if why.key == "automaton":
        return ngettext(
            "Your Automaton: draw a card, or shelve one. %(count)s more such action follows.",
            "Your Automaton: draw a card, or shelve one. %(count)s more such actions follow.",
            count,
        )
    if why.key == "may shelve":
        return ngettext(
            "%(tile)s: you may shelve a card.", "%(tile)s: you may shelve up to %(count)s cards, one by one.", count
        )
    if why.key == frames.LAY_OUT:
        return ngettext(
            "Garage Sale: lay out %(count)s card. Each opponent may take one; for each taken you draw one.",
            "Garage Sale: lay out up to %(count)s cards. Each opponent may take one; for each taken you draw one.",
            count,
        )
    if why.key == frames.COLLECT:
        return ngettext(
            "Book Collector: discard %(count)s card that shares a category with %(card)s. Draw one for it.",
            "Book Collector: discard up to %(count)s cards that share a category with %(card)s. Draw one for each.",
            count,
        )
    return ""


AT = N_("%(name)s is at the %(tile)s.")
AWAITED: dict[int | str, str] = {
    frames.CHOOSE_LIBRARY: N_("All see which library it is. Then the town opens."),
    "cube draw": N_("%(other)s visits %(name)s’s Gelatinous Cube at the %(tile)s, and lets them draw and shelve."),
    "cube shelve": N_("%(other)s visits %(name)s’s Gelatinous Cube at the %(tile)s, and lets them draw and shelve."),
    "tax": N_("%(other)s’s Tax Collector: %(name)s has five cards or more, and discards one."),
    "witch": N_("%(name)s’s Witch drew one card more, so they discard one."),
    "golem": N_("%(name)s’s Golem took a card, so they discard one."),
    "pay": N_("%(name)s has the highest bid left at the Auction House."),
    frames.BUY: N_("%(other)s’s Garage Sale: %(name)s may take one of the cards."),
    "give": N_("%(other)s’s Goblin Sneak asks %(name)s for %(books)s."),
    frames.NAME_BOOKS: N_("%(name)s’s Goblin Sneak meets %(other)s at the %(tile)s."),
    frames.FACE_CUBE: N_("%(name)s meets %(other)s’s Gelatinous Cube at the %(tile)s."),
    frames.TAKE_BACK: N_("%(other)s comes to %(name)s’s Sasquatch at the %(tile)s."),
    "bookworm works on": N_("%(name)s’s Bookworm works on for a card they discarded."),
    frames.MAY_WORK_ON: N_("%(name)s’s Bookworm works on if they discard a card."),
    "burn": N_("%(name)s’s Fire Imp is at the %(tile)s, and may burn cards there."),
    "burn again": N_("%(name)s’s Fire Imp is at the %(tile)s, and may burn one more card."),
    frames.DIG: N_("%(name)s’s Golem may take one of the three newest discards."),
    frames.MAY_MOVE: N_("%(name)s’s Wizard may move a card of their shelf."),
    frames.GAMBLE: N_(
        "%(name)s bets on %(books)s at the Gambling House. Hits: %(count)s of 5. Misses: %(misses)s of 2."
    ),
}
"""Told to all others; where it is not here, at which tile somebody is."""
YOURS: dict[int | str, str] = {
    "cube draw": N_("You visit %(name)s’s Gelatinous Cube, and let them draw and shelve."),
    "cube shelve": N_("You visit %(name)s’s Gelatinous Cube, and let them draw and shelve."),
    "tax": N_("Your Tax Collector: %(name)s has five cards or more, and discards one."),
    frames.BUY: N_("Your Garage Sale: %(name)s may take one of the cards, and you draw one for it."),
    "give": N_("Your Goblin Sneak asks %(name)s for %(books)s."),
    frames.NAME_BOOKS: N_("%(name)s’s Goblin Sneak meets you at the %(tile)s, and may ask you for a card."),
    frames.FACE_CUBE: N_("%(name)s meets your Gelatinous Cube at the %(tile)s."),
    frames.TAKE_BACK: N_("You come to %(name)s’s Sasquatch at the %(tile)s."),
}
"""Told to the other one whom it has to do with."""


# What is left


def odds(view: ExLibrisView, category: int) -> tuple[int, int]:
    """Of the cards that the viewer sees nowhere, how many have a book of this category, and how many there are."""
    places = [view.discard, view.laid, *view.hands, *view.cards]
    places += [(pile.card, pile.under) for shelf in view.shelves for pile in shelf]
    seen = mask_of(card for cards in places for card in cards if card >= 0)
    return (OF_CATEGORY[category] & ~seen).bit_count(), CARDS - seen.bit_count()
