"""What an answer would do to the own shelf: a card put into a cell, entombed, moved or discarded, and what changes."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CARD, LABELS
from games.engine.exlibris.rows import with_card
from games.engine.exlibris.shelf import Pile, Shelf, moved, pile_at, with_pile, without
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.asking import Ask, cell_named
from games.faces.exlibris.words import where_text
from games.faces.language import N_, _, digits, number, signed
from games.faces.paint import plain


class Outcome(NamedTuple):
    """An answer, and what follows from it."""

    move: str
    card: int
    """The card that is put, moved or discarded."""
    target: int
    """The free cell to which it goes; or the card on the shelf that the answer is about."""
    change: int | None = None
    """Of the score, in points; None where it is not settled by this answer alone."""
    down: int = 0
    """How many more cards would be turned down."""


def shelf_after(view: ExLibrisView, asks: Ask, move: str) -> Shelf | None:
    """The own shelf after an answer; None if another has to follow, or the card is none of the shelf."""
    assert view.me is not None
    shelf = view.shelves[view.me]
    verb, _space, what = move.partition(" ")
    if verb == "at":
        change = moved if asks.question == frames.CHOOSE_NEW_CELL else with_card
        return change(shelf, asks.card, cell_named(move))
    if verb == "over":
        cell = cell_named(move)
        return with_pile(shelf, Pile(cell, asks.card, pile_at(shelf, cell).card, True))
    if verb == "under":
        return with_pile(shelf, pile_at(shelf, cell_named(move))._replace(under=asks.card))
    return without(shelf, CARD[what]) if verb == "discard" else None


PUT = N_("Put %(card)s %(where)s: %(change)s")
PUT_DOWN = N_("Put %(card)s %(where)s: %(change)s, turned down: %(down)s")
MOVE = N_("Move %(card)s %(where)s: %(change)s")
MOVE_DOWN = N_("Move %(card)s %(where)s: %(change)s, turned down: %(down)s")
ACTS = {
    "over": N_("Put %(card)s over %(below)s: %(change)s, %(below)s is lost"),
    "under": N_("Put %(card)s under %(below)s: %(change)s"),
    "discard": N_("Discard %(card)s: %(change)s"),
    "move": N_("Move %(card)s"),
}


def cell_text(it: Outcome, shelf: Shelf) -> str:
    """What the button says for a free cell: `Put F1 to the right of D3: +4`. `shelf`: as it is now."""
    moves = any(pile.card == it.card for pile in shelf)
    rest = tuple([pile for pile in shelf if pile.card != it.card])
    text = (MOVE_DOWN if it.down else MOVE) if moves else PUT_DOWN if it.down else PUT
    words = {"card": digits(LABELS[it.card]), "where": where_text(rest, it.target)}
    return _(text) % (words | {"change": signed(it.change or 0), "down": number(it.down)})


def act_text(it: Outcome) -> str:
    """What the button says for what is done with a card of the shelf: `Discard P2: −3`."""
    words = {"card": digits(LABELS[it.card]), "below": digits(LABELS[it.target])}
    return _(ACTS[it.move.partition(" ")[0]]) % (words | {"change": signed(it.change or 0)})


def ghost(it: Outcome, shelf: Shelf) -> str:
    """A free cell that can be chosen, with its price."""
    says = plain(cell_text(it, shelf))
    turns = _("turns %(count)s") % {"count": number(it.down)} if it.down else ""
    cls = " warn" if it.down else " ok" if it.change and it.change > 0 else ""
    return (
        f'<label class="ex-ghost{cls}" title="{says}"><input type="radio" name="move" value="{it.move}" form="answer"'
        f' data-says="{says}" aria-label="{says}"><i>{turns}</i><b class="number">{signed(it.change or 0)}</b></label>'
    )


def open_cell(move: str, shelf: Shelf) -> str:
    """A free cell for whichever card is chosen; what that does there the page computes."""
    where = plain(where_text(shelf, cell_named(move)))
    return (
        f'<button type="button" class="ex-ghost" data-cell="{move}" data-where="{where}" aria-label="{where}" '
        f'aria-pressed="false"><i></i><b class="number"></b></button>'
    )


def pressable(shown: str, name: str, label: str, says: str, move: str = "") -> str:
    """A card of the shelf that can be chosen: the answer `move`, or with none the subject of the buttons in the
    question."""
    field = f'name="move" value="{move}" data-says="{says}"' if move else f'name="card" value="{label}"'
    return (
        f'<label class="ex-choice ex-cell" title="{says}"><input type="radio" form="answer" {field} '
        f'aria-label="{says}: {name}">{shown}</label>'
    )


def tomb(shown: str, name: str, label: str, where: str, up: bool) -> str:
    """A card of the shelf that may entomb, or be entombed by, whichever card is chosen."""
    entomb = plain(_("Entomb here"))
    under = f' data-under="under {where}"' if up else ""
    return (
        f'<button type="button" class="ex-cell ex-tomb" data-over="over {where}"{under} data-below="{label}" '
        f'title="{entomb}" aria-label="{entomb}: {name}" aria-pressed="false">{shown}</button>'
    )
