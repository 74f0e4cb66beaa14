"""The guided games: which lesson each kind of question brings when it first comes up, and the signs of the table. The
first is played alone; the second, against an opponent, tells only what is new there."""

from __future__ import annotations

from collections.abc import Callable, Container
from itertools import pairwise

from games.engine.exlibris import frames
from games.engine.exlibris.cards import books_in, mask_of
from games.engine.exlibris.libraries import LIBRARIES, NO_LIBRARY
from games.engine.exlibris.shelf import face_up
from games.engine.exlibris.tiles import AUCTION_HOUSE, BACK_STREET_TAVERN, TAX_COLLECTOR, TILES
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.art import SOURCES_IN_WORDS
from games.faces.exlibris.words import (
    ASKED_BY,
    ASKED_OF,
    TILE_EFFECTS,
    ability,
    assistant_name,
    category_name,
    tile_name,
)
from games.faces.guide import AIM, END, Guide, Spot
from games.faces.language import _
from games.faces.paint import PaintBox

DECISIONS = {
    frames.CHOOSE_LIBRARY: "library",
    frames.PLACE: "place",
    frames.HOME_ACTION: "home",
    frames.MAY_DRAW: "home",
    frames.MAY_SHELVE: "shelve",
    frames.CHOOSE_CELL: "shelve",
    frames.MUST_DISCARD: "discard",
    frames.DROP_TILE: "drop",
    frames.TURN: "flip",
}


def brings(view: ExLibrisView, told: Container[str]) -> str:
    """The lesson that a question brings: the decision, else a sign of the table; empty for none."""
    asked, signs = (decision(view), SIGNS) if view.setup.solo else (new_decision(view), NEW_SIGNS)
    if asked and asked not in told:
        return asked
    return next((name for name, there in signs.items() if name not in told and there(view)), "")


def decision(view: ExLibrisView) -> str:
    """The kind of question that a view asks of its owner, as lessons are named."""
    question = view.question
    if question in ASKED_OF:
        return f"tile-{ASKED_OF[question]}"
    return "special" if question in ASKED_BY else DECISIONS.get(question, "shelve")


def new_decision(view: ExLibrisView) -> str:
    """The same for a question that nobody is asked alone; empty for others."""
    question = view.question
    if question == frames.PAY_BID:
        return "pay"
    if question in (frames.FACE_CUBE, frames.GIVE) or (
        question == frames.MUST_DISCARD and view.resolving == TAX_COLLECTOR
    ):
        return "reaction"
    tile = ASKED_OF.get(question)
    return f"tile-{tile}" if tile and not TILES[tile].solo else ""


def rival_of(view: ExLibrisView) -> int:
    """The seat of the opponent in a game of two."""
    return 1 - (view.me or 0)


def prominent_of(view: ExLibrisView, seat: int) -> int:
    """The number of prominent books on a shelf."""
    return 0 if view.prominent is None else books_in(mask_of(face_up(view.shelves[seat])))[view.prominent]


def _stands_there(view: ExLibrisView) -> bool:
    """Whether the opponent has an assistant at a tile."""
    return any(guest >> 1 & 3 == rival_of(view) for tile in view.tiles for guest in view.guests[tile])


def library_of(view: ExLibrisView) -> int | None:
    """The own library; None before it is chosen."""
    library = NO_LIBRARY if view.me is None else view.libraries[view.me]
    return None if library == NO_LIBRARY else library


def focus_of(view: ExLibrisView) -> int | None:
    """The own focus."""
    return None if view.me is None else view.focus[view.me]


def source_of_tile(number: int) -> str:
    """Where the effect of a tile comes from, in words."""
    return _(SOURCES_IN_WORDS[TILES[number].source])


def source_of(library: int) -> str:
    """Where the ability of an assistant comes from, in words."""
    return _(SOURCES_IN_WORDS[LIBRARIES[library].source])


def _own(view: ExLibrisView) -> list[int]:
    """The cards face up on the own shelf, in reading order."""
    return [] if view.me is None else face_up(view.shelves[view.me])


SIGNS: dict[str, Callable[[ExLibrisView], bool]] = {
    "hand": lambda view: True,
    "signs": lambda view: view.prominent is not None,
    "marks": lambda view: True,
    "special": lambda view: library_of(view) is not None,
    "score": lambda view: bool(_own(view)),
    "order": lambda view: any(card > after for card, after in pairwise(_own(view))),
    "public": lambda view: view.setup.solo,
    "spare": lambda view: bool(view.spare),
    "pile": lambda view: bool(view.discard),
    "moves": lambda view: view.round > 1,
}
"""Lessons about the signs of the table, at questions that need no words of their own: when there is one to see ..."""
NEW_SIGNS: dict[str, Callable[[ExLibrisView], bool]] = {
    "turns": lambda view: view.question == frames.PLACE,
    "taken": _stands_there,
    "rival": lambda view: view.prominent is not None,
    "bids": lambda view: AUCTION_HOUSE in view.tiles,
    "tavern": lambda view: BACK_STREET_TAVERN in view.tiles,
    "theirs": lambda view: view.libraries[rival_of(view)] != NO_LIBRARY,
    "known": lambda view: view.counts[rival_of(view)] > 0,
    "pins": lambda view: view.round > 1,
    "last": lambda view: max(map(len, view.shelves)) * 2 >= view.setup.cells,
}
"""... and those of a game against an opponent."""
QUESTION = "#stage"
PLACES = {
    AIM: Spot("#facts", "goal"),
    "tile": Spot(QUESTION, "tiles"),
    "library": Spot(QUESTION, "start"),
    "place": Spot("#town", "round"),
    "home": Spot(QUESTION, "round"),
    "shelve": Spot("#shelf", "shelving"),
    "discard": Spot("#hand", "round"),
    "drop": Spot("#town", "solo"),
    "flip": Spot(QUESTION, "end"),
    END: Spot(QUESTION, "end"),
    "hand": Spot("#hand", "cards"),
    "signs": Spot("#facts", "end"),
    "marks": Spot("#town", "tiles"),
    "special": Spot(QUESTION, "assistants"),
    "score": Spot("#worth", "end"),
    "order": Spot("#shelf", "shelving"),
    "public": Spot("#people", "solo"),
    "spare": Spot("#facts", "solo"),
    "pile": Spot("#facts", "solo"),
    "moves": Spot("[data-pane=moves]", "notation"),
    "pay": Spot(QUESTION, "tiles"),
    "reaction": Spot(QUESTION, "tiles"),
    "turns": Spot("#town", "round"),
    "taken": Spot("#town", "round"),
    "rival": Spot("#people", "end"),
    "bids": Spot("#town", "tiles"),
    "tavern": Spot("#town", "tiles"),
    "theirs": Spot("#people", "assistants"),
    "known": Spot("#people", "cards"),
    "pins": Spot("#town", "round"),
    "last": Spot("#facts", "round"),
}
TOOLS = {
    **{"ability": ability, "assistant_name": assistant_name, "books": category_name, "focus_of": focus_of},
    **{"library_of": library_of, "source_of": source_of, "source_of_tile": source_of_tile, "tile_name": tile_name},
    **{"prominent_of": prominent_of, "rival_of": rival_of},
    "effects": TILE_EFFECTS,
}
"""What the template may use."""
GUIDE = Guide(PaintBox("exlibris", **TOOLS), PLACES, brings)
