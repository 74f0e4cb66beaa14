"""The present question, sorted by where on the page its answers stand: in the stage, the hand, the shelf or the town.

Every legal move is in one of these places.
"""

from __future__ import annotations

from typing import NamedTuple

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CARD, HIDDEN
from games.engine.exlibris.notation import COLUMNS, MOVE_TEXTS, ROWS
from games.engine.exlibris.shelf import STRIDE
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.words import ASKED_BY, ASKED_OF

Picks = tuple[tuple[str, int], ...]
"""Moves, each with the card that it names."""


class Ask(NamedTuple):
    """A question to the viewer."""

    question: int
    kind: str
    """How its form behaves (static/exlibris/questions.js): `press`, `pick`, `act`, `shelve`, `some`, `flip`."""
    buttons: tuple[str, ...] = ()
    """The moves that have a button in the stage."""
    picks: Picks = ()
    """The cards to choose from in the stage; HIDDEN for one that lies face down."""
    hand: Picks = ()
    shelf: Picks = ()
    acts: Picks = ()
    """Moves with a button in the stage that is there when their card of the shelf is chosen."""
    cells: tuple[tuple[str, int], ...] = ()
    """Moves, each with its free cell."""
    town: tuple[str, ...] = ()
    """Where an assistant can be sent."""
    most: int = 1
    """How many cards can be chosen at once ..."""
    least: int = 1
    tile: int = 0
    """The tile that asks; 0 if it is none."""
    by: str = ""
    """The assistant that does."""
    card: int = HIDDEN
    """The card that the question is about."""
    about: int = -1
    """A number that it is about."""
    flips: tuple[tuple[int, int], ...] = ()
    """At the end: the cards still to be answered, and whether the advice is to leave each up."""
    from_shelf: bool = False
    """Whether what is discarded may come from the shelf too."""


def cell_named(text: str) -> int:
    """The cell that a move such as `at 0,1` names."""
    row, column = map(int, text.partition(" ")[2].split(","))
    return (row - ROWS[0]) * STRIDE + column - COLUMNS[0]


def ask_of(view: ExLibrisView, row: tuple[int, ...] = ()) -> Ask:
    """The question that is asked of the viewer. `row`: at the end, the cards to leave up."""
    assert view.me is not None
    frame = view.stack[-1]
    question = frame[0]
    buttons: list[str] = []
    picks: list[tuple[str, int]] = []
    hand: list[tuple[str, int]] = []
    shelf: list[tuple[str, int]] = []
    acts: list[tuple[str, int]] = []
    cells: list[tuple[str, int]] = []
    town: list[str] = []
    held = set(view.hand)
    shelved = {pile.card for pile in view.shelves[view.me]}
    at = {pile.cell: pile.card for pile in view.shelves[view.me]}
    for move in view.legal:
        text = MOVE_TEXTS[move]
        verb, _space, what = text.partition(" ")
        if verb in ("send", "special"):
            town.append(text)
        elif verb == "at":
            cells.append((text, cell_named(text)))
        elif verb in ("over", "under"):
            acts.append((text, at[cell_named(text)]))
        elif question == frames.SMUGGLE and verb == "discard":
            buttons.append(text)
        elif what in CARD:
            card = CARD[what]
            of_shelf = acts if question == frames.REBUILD else shelf
            (hand if card in held else of_shelf if card in shelved else picks).append((text, card))
        elif what.startswith("#"):
            tile = ASKED_OF.get(question, frame[2] if question == frames.BURN else 16)
            there = view.cards[tile][int(what[1:]) - 1]
            picks.append((text, there if there >= 0 else HIDDEN))
        else:
            buttons.append(text)
    asks = Ask(
        question,
        "press",
        tuple(buttons),
        tuple(picks),
        tuple(sorted(hand, key=lambda it: it[1])),
        tuple(shelf),
        tuple(acts),
        tuple(cells),
        tuple(town),
        tile=frame[2] if question == frames.BURN else ASKED_OF.get(question, 0),
        by=ASKED_BY.get(question, ""),
        from_shelf=view.setup.from_shelf,
    )
    return _finished(asks, view, frame, row)


def _finished(asks: Ask, view: ExLibrisView, frame: frames.Frame, row: tuple[int, ...]) -> Ask:
    question = asks.question
    if question == frames.TURN:
        left = [pile.card for pile in view.shelves[frame[1] >> 1] if pile.up][frame[2] :]
        flips = tuple([(card, int(card in row)) for card in left])
        return asks._replace(kind="flip", flips=flips, card=frame[3])
    if any(text.startswith("shelve") for text, _card in (*asks.hand, *asks.picks)):
        return asks._replace(kind="shelve", card=frame[2] if question == frames.SMUGGLE else HIDDEN)
    if question == frames.PAY_BID:
        need = frame[3] - frame[2]
        # One by one where cards of the shelf are among them: which may be taken off depends on those that are.
        kind = "pick" if asks.from_shelf else "some"
        return asks._replace(kind=kind, most=need, least=need, about=frame[3])
    if question == frames.LAY_OUT:
        return asks._replace(kind="some", most=min(4 - frame[2], len(asks.hand)), about=frame[2])
    if question in (frames.CHOOSE_CELL, frames.CHOOSE_NEW_CELL):
        return asks._replace(kind="pick", card=frame[2])
    if asks.acts:
        return asks._replace(kind="act")
    if asks.picks or asks.hand or asks.town or asks.shelf:
        return asks._replace(kind="pick")
    return asks
