"""What a row of the log did, as one viewer saw it: where, for what reason, and what followed from it at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CARD, labels_of
from games.engine.exlibris.effects import MOST_IN_TAVERN
from games.engine.exlibris.libraries import AUT, CODES, WIT, WRM
from games.engine.exlibris.notation import COLUMNS, ROWS, TURNED
from games.engine.exlibris.shelf import STRIDE, Shelf, cell_of
from games.engine.exlibris.tiles import BACK_STREET_TAVERN, GARAGE_SALE, SMUGGLERS_CELLAR, TAX_COLLECTOR
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.scene import Step
from games.faces.exlibris.words import ASKED_BY, ASKED_OF

Draws = tuple[tuple[int, int], ...]
"""Who drew how many cards unseen."""


class LogItem(NamedTuple):
    """A row of the log as one viewer saw it, or a heading."""

    id: str
    seat: int
    """Negative for a heading."""
    move: str
    """As the log writes it. Of a heading: `round 5`, `place`, `resolve 11`, `clean`, `flip`; empty for what a tile
    does by itself."""
    question: int = -1
    library: int = -1
    """The special assistant with which it was done; negative if it was none."""
    tile: int = 0
    """Where it was done: the tile that was visited or is resolved; 0 elsewhere."""
    reason: str = ""
    """What asked for it: `tile` is the tile, `special` its special assistant (`by`)."""
    by: int = -1
    """The library of the special assistant that is the reason."""
    other: int = -1
    """Another player who is concerned."""
    draws: Draws = ()
    """Who drew how many cards because of it."""
    later: tuple[tuple[int, Draws], ...] = ()
    """The tiles that then let draw by themselves, and who drew there."""
    turned: tuple[str, ...] = ()
    """The cards that were turned up because of it ..."""
    got: tuple[str, ...] = ()
    """... and those that all saw come to the player's hand."""
    stolen: str = ""
    """The card that the Cube took."""
    then: str = ""
    """The move that belongs to it: where the card lies, or what came in its place."""
    more: tuple[str, ...] = ()
    """Further cards to which the same was done."""
    out: bool = False
    """Whether a gambler has lost the pot by it."""
    spot: tuple[Shelf, int] | None = None
    """The cell of the card, and what lay there and beside it."""
    flips: tuple[int, int, int] = (0, 0, 0)
    """At the end: how many cards were left up, turned down, and answered for without being told how ..."""
    downs: str | None = None
    """... and, once all have answered, which were turned down."""
    part: str = ""
    """The part of the round, as the `move` of its heading; empty while libraries are chosen."""
    round: int = 0
    winners: tuple[int, ...] = ()
    """Of the end: who won a game that ended before its last move."""


def item_of(steps: Sequence[Step], at: int) -> LogItem:
    """What one of the rows from the first on did."""
    step = steps[at]
    item = _items.get(step)
    if item is None:
        item = _items[step] = _read(step, last_sent(steps, at)[1])
    return item


def last_sent(steps: Sequence[Step], at: int) -> tuple[int, int]:
    """Who sent the last assistant before a row, and to which tile, 0 for their own library; -1 and 0 if nobody has."""
    for step in steps[at - 1 :: -1] if at else ():
        verb, _space, where = step.move.partition(" ")
        if verb in ("send", "special"):
            return step.seat, _tile_in(where)
    return -1, 0


def _tile_in(where: str) -> int:
    tile = where.partition(":")[0]
    return int(tile) if tile.isdecimal() else 0


_items: WeakKeyDictionary[Step, LogItem] = WeakKeyDictionary()


def _read(step: Step, tile: int) -> LogItem:
    id = f"row-{step.ply}"
    seat, move = step.seat, step.move
    if move.startswith("!"):
        return LogItem(id, seat, move, tile=tile)
    before, after = step.before, step.after
    frame = before.stack[-1]
    question, piece = frame[0], frame[1]
    verb, _space, what = move.partition(" ")
    library = before.libraries[piece >> 1] if piece & 1 else -1
    if verb == "special":
        library = before.libraries[seat]
    resolving = before.resolving or 0
    if question == frames.PLACE:
        tile = _tile_in(what)
    elif resolving:
        tile = resolving
    reason, by = _reason(before, library)
    other = -1
    if question in (frames.NAME_BOOKS, frames.FACE_CUBE):
        other = frame[2]
    elif question in (frames.GIVE, frames.BUY):
        other = frame[2] >> 1
    # Of an answer that is only spoken of, nothing has followed yet.
    spoken = after is before
    stolen = _come(before, after, other)[0] if move == "lose" and not spoken else ""
    turned: tuple[str, ...] = ()
    got: tuple[str, ...] = ()
    if question in (frames.BET, frames.GAMBLE, frames.WISH):
        turned = tuple(labels_of(_turned(before, after)))
    if question in (frames.BET, frames.GAMBLE, frames.WISH, frames.PAY_BID):
        got = _come(before, after, seat)
    drawn = {} if spoken else _draws(before, after, step)
    draws, later = _by_tiles(before, after, drawn, 2 * seat + (verb == "special"), what)
    return LogItem(
        id,
        seat,
        move,
        question,
        library,
        tile,
        reason,
        by,
        other,
        draws,
        later,
        turned,
        got,
        stolen,
        out=question in (frames.BET, frames.GAMBLE)
        and not spoken
        and move != "stop"
        and not got
        and after.question != frames.GAMBLE,
        spot=_spot(before.shelves[seat], what, frame) if verb in ("at", "over", "under") else None,
        flips=(int(move == "up"), int(move == "down"), int(move == TURNED)),
        part=f"resolve {resolving}" if resolving else PARTS.get(question, "place") if before.round else "",
        round=before.round,
    )


PARTS = {frames.DROP_TILE: "clean", frames.TURN: "flip"}
"""The questions outside placement and resolution."""


def _come(before: ExLibrisView, after: ExLibrisView, seat: int) -> tuple[str, ...]:
    """The cards that all have seen come to a hand."""
    return tuple(labels_of([card for card in after.open[seat] if card not in before.open[seat]]))


def _reason(view: ExLibrisView, library: int) -> tuple[str, int]:
    """What asks the question: a `tile`, or a `special` assistant of a library; empty for what players do anyway."""
    question = view.question
    if question in ASKED_BY:
        return "special", CODES.index(ASKED_BY[question])
    if question in ASKED_OF:
        return "tile", -1
    if question not in OF_OTHERS:
        return "", -1
    waiting = view.stack[-2::-1]
    if question == frames.MUST_DISCARD:
        return ("tile", -1) if waiting[0][0] == frames.TAX else ("special", library)
    for number_, piece, *_rest in (frame for frame in waiting if frame[1:]):
        if number_ == frames.REACTIONS:
            return "special", library
        if number_ == frames.ARRIVE:
            return "special", view.libraries[piece >> 1]
        if number_ in (frames.AFTER, frames.CLEAR):
            return "tile", -1
        if number_ == frames.NEXT:
            break
    return ("special", library) if question == frames.CHOOSE_NEW_CELL or library in (AUT, WRM) else ("", -1)


OF_OTHERS = (
    *(frames.HOME_ACTION, frames.MAY_DRAW, frames.MAY_SHELVE, frames.CHOOSE_CELL),
    *(frames.MUST_DISCARD, frames.CHOOSE_NEW_CELL),
)
"""The questions that many tiles and assistants ask."""


def _spot(shelf: Shelf, what: str, frame: frames.Frame) -> tuple[Shelf, int]:
    """A cell, and what lies there and beside it but for the card that comes there."""
    row, column = map(int, what.split(","))
    cell = cell_of((row - ROWS[0]) * len(COLUMNS) + column - COLUMNS[0])
    card = frame[2] if frame[0] == frames.CHOOSE_NEW_CELL else -1
    beside = (cell, cell - 1, cell + 1, cell - STRIDE, cell + STRIDE)
    return tuple([pile for pile in shelf if pile.cell in beside and pile.card != card]), cell


def _by_tiles(
    before: ExLibrisView, after: ExLibrisView, drawn: dict[int, int], piece: int, what: str
) -> tuple[Draws, tuple[tuple[int, Draws], ...]]:
    """What was drawn because of the move, and what tiles that came next let draw by themselves."""
    later: list[tuple[int, Draws]] = []
    if not drawn:
        return (), ()
    for tile in (GARAGE_SALE, BACK_STREET_TAVERN, TAX_COLLECTOR):
        guests = before.guests[tile]
        if before.question == frames.PLACE and what == str(tile):
            guests = (*guests, piece)
        here: dict[int, int] = {}
        for at in range(_served(before, tile, len(guests)), _served(after, tile, len(guests))):
            who = guests[at] >> 1
            if tile != BACK_STREET_TAVERN:
                here[who] = here.get(who, 0) + 1 + (guests[at] & 1 and before.libraries[who] == WIT)
            elif all(guest >> 1 != who for guest in guests[:at]):
                here[who] = min(len(guests), MOST_IN_TAVERN) + (2 * who + 1 in guests and before.libraries[who] == WIT)
        found = {who: min(count, drawn[who]) for who, count in here.items() if drawn.get(who)}
        for who, count in found.items():
            drawn[who] -= count
        if found:
            later.append((tile, tuple(found.items())))
    return tuple([(who, count) for who, count in drawn.items() if count]), tuple(later)


def _served(view: ExLibrisView, tile: int, guests: int) -> int:
    """For how many of its guests a tile has begun to act."""
    if view.resolving == tile:
        return guests - sum(frame[0] == frames.EFFECT and frame[2] == tile for frame in view.stack)
    return 0 if view.guests[tile] else guests


def _turned(before: ExLibrisView, after: ExLibrisView) -> list[int]:
    """The cards that came from the deck, seen by all."""
    known = {*before.discard, *before.cards[4], *(card for hand in before.open for card in hand)}
    count = max(0, before.deck - after.deck)
    new = [*after.discard[len(before.discard) :], *after.cards[4], *(card for hand in after.open for card in hand)]
    return list(dict.fromkeys([card for card in new if card not in known]))[:count]


def _draws(before: ExLibrisView, after: ExLibrisView, step: Step) -> dict[int, int]:
    """Who has how many more cards that came unseen from the deck."""
    if not before.round or after.over:
        return {}
    verb, _space, what = step.move.partition(" ")
    found = {}
    for seat, count in enumerate(after.counts):
        came = [card for card in after.open[seat] if card not in before.open[seat]]
        number = count - before.counts[seat] - len(came)
        if seat == step.seat:
            number += _left_hand(before, verb, what) - (before.question == frames.UNSEAL)
            number += verb == "shelve" and CARD[what] in came  # all know it now, and it lay there
        if number > 0:
            found[seat] = number
    return found


def _left_hand(before: ExLibrisView, verb: str, what: str) -> bool:
    """Whether a card left the hand with a move."""
    if verb in ("at", "over", "under"):
        question, _piece, card, *_rest = before.stack[-1]
        return question == frames.CHOOSE_CELL and card not in before.cards[SMUGGLERS_CELLAR]
    if verb == "discard":
        on_shelf = {pile.card for pile in before.shelves[before.stack[-1][1] >> 1]}
        return before.question not in (frames.BURN, frames.SMUGGLE) and CARD[what] not in on_shelf
    return verb in ("swap", "lay", "give", "lose")
