"""Why an answer is refused, in the words of the table."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CARD
from games.engine.exlibris.libraries import MUM
from games.engine.exlibris.notation import MOVE_TEXTS
from games.engine.exlibris.shelf import TALLEST, filled, place_of
from games.engine.exlibris.view import ExLibrisView
from games.engine.exlibris.zones import READY
from games.faces.exlibris.asking import cell_named
from games.faces.exlibris.town import why_not
from games.faces.exlibris.words import tile_name
from games.faces.language import N_, _, digits

KNOWN = frozenset(MOVE_TEXTS)


def refusal(view: ExLibrisView, moves: Sequence[str]) -> str:
    """Why the player to whom the view belongs cannot answer with these moves; empty if there is no better word for it
    than that they are no answer."""
    if view.me is None or view.seat is None or not moves or not KNOWN.issuperset(moves):
        return ""
    if view.me != view.seat:
        return _("It isn’t your turn now.")
    legal = {MOVE_TEXTS[move] for move in view.legal}
    # Of two moves the second says where the card of the first goes.
    wrong = moves[1] if moves[0] in legal and len(moves) == 2 else moves[0]
    verb, _space, what = wrong.partition(" ")
    if wrong in legal:
        return ""
    asks = {text.partition(" ")[0] for text in legal}
    if verb in ("at", "over", "under") and (wrong is not moves[0] or "at" in asks):
        return _cell(view, wrong, verb)
    if verb in ("send", "special") and asks & {"send", "special"}:
        return _way(view, verb == "special", what.partition(":")[0])
    if verb in ("shelve", "discard", "swap", "lay", "give") and what in CARD and CARD[what] not in view.hand:
        return _("%(card)s isn’t in your hand.") % {"card": digits(what)}
    return ""


def _cell(view: ExLibrisView, move: str, verb: str) -> str:
    me = view.me or 0
    shelf, cell = view.shelves[me], cell_named(move)
    if verb != "at":
        mummy = view.libraries[me] == MUM and view.stack[-1][1] & 1
        return _("A cell holds at most two cards.") if mummy else _("Only the Mummy can entomb a card.")
    if filled(shelf) >> cell & 1:
        return _("A card lies there already.")
    rows = [place_of(each)[0] for each in (*[pile.cell for pile in shelf], cell)]
    if max(rows) - min(rows) >= TALLEST:
        return _("A shelf has at most three rows.")
    if view.question == frames.CHOOSE_NEW_CELL:
        return _("The card must touch another, and no other may be left apart.")
    return _("A card must touch another.") if shelf else _("The first card lies in the middle.")


def _way(view: ExLibrisView, special: bool, where: str) -> str:
    me = view.me or 0
    if not (view.special[me] == READY if special else view.ready[me]):
        return _("That assistant is out already.")
    if not where.isdecimal():
        return ""
    tile = int(where)
    text = NOT_THERE[why_not(view, tile)] if tile in view.tiles else N_("%(tile)s isn’t in town now.")
    return _(text) % {"tile": tile_name(tile)}


NOT_THERE = {
    "full": N_("The %(tile)s is full."),
    "snowman": N_("A Snowman keeps all others out of the %(tile)s."),
    "one": N_("You are at the %(tile)s already."),
    "bid": N_("A bid must be higher than all before it."),
    "no": N_("This assistant can’t go to the %(tile)s."),
}
"""By the reason why nobody can be sent to a tile (`town.why_not`)."""
