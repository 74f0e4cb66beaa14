"""What happened, in sentences: for the log of a table, for screen readers, and for the review.

The log has headings for rounds, for the placement and for each tile that is resolved. What an assistant is sent to do
begins there; what follows from it stands below, with its reason: the tile or the special assistant that did it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from markupsafe import Markup

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CARD, LABELS, cards_of, labels_of
from games.engine.exlibris.cards import CATEGORIES as LETTERS
from games.engine.exlibris.effects import MOST_IN_TAVERN
from games.engine.exlibris.libraries import AUT, CODES, WIT, WRM
from games.engine.exlibris.notation import COLUMNS, ROWS, TURNED
from games.engine.exlibris.shelf import STRIDE, Shelf, cell_of
from games.engine.exlibris.tiles import BACK_STREET_TAVERN, GARAGE_SALE, SMUGGLERS_CELLAR, TAX_COLLECTOR
from games.engine.exlibris.view import ExLibrisView
from games.faces import events
from games.faces.exlibris.scene import Step
from games.faces.exlibris.words import ASKED_BY, ASKED_OF, assistant_name, category_name, tile_name, where_text
from games.faces.language import N_, _, digits, ngettext
from games.faces.paint import marked, plain, said
from games.faces.slots import uncached

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
        item = _items[step] = _read(step, _visited(steps, at))
    return item


def _visited(steps: Sequence[Step], at: int) -> int:
    """Where the last assistant was sent before a row: a tile, or 0."""
    for step in steps[at - 1 :: -1] if at else ():
        verb, _space, where = step.move.partition(" ")
        if verb in ("send", "special"):
            return _tile_in(where)
    return 0


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
    stolen = _come(before, after, other)[0] if move == "lose" else ""
    turned: tuple[str, ...] = ()
    got: tuple[str, ...] = ()
    if question in (frames.BET, frames.GAMBLE, frames.WISH):
        turned = tuple(labels_of(_turned(before, after)))
    if question in (frames.BET, frames.GAMBLE, frames.WISH, frames.PAY_BID):
        got = _come(before, after, seat)
    draws, later = _by_tiles(before, after, _draws(before, after, step), 2 * seat + (verb == "special"), what)
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
        out=question in (frames.BET, frames.GAMBLE) and move != "stop" and not got and after.question != frames.GAMBLE,
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


def lines_of(steps: Sequence[Step]) -> list[LogItem]:
    """The lines of the log, with their headings."""
    return Telling().and_(steps).lines


class Telling:
    """The lines of a log that grows."""

    def __init__(self) -> None:
        self.lines: list[LogItem] = []
        self.round = -1
        self.part = ""
        """The heading under which the newest line stands."""
        self.newest: Step | None = None
        self.count = 0
        """So many rows were told, up to that one."""

    def and_(self, steps: Sequence[Step]) -> Telling:
        """The lines of these rows; only those are read that come after the rows told here, if these begin so."""
        new, count = Telling(), self.count
        if count and len(steps) >= count and steps[count - 1] is self.newest:
            new.lines, new.round, new.part = self.lines.copy(), self.round, self.part
        else:
            count = 0
        new.tell_from(steps, count)
        new.newest, new.count = steps[-1] if steps else None, len(steps)
        return new

    def tell_from(self, steps: Sequence[Step], first: int) -> None:
        """Further rows, from one on."""
        for at in range(first, len(steps)):
            if not steps[at].quiet:
                self.tell(item_of(steps, at))

    def tell(self, item: LogItem) -> None:
        """A row more."""
        if item.move.startswith("!"):
            return self.lines.append(item)
        if item.round != self.round:
            self.round, self.part = item.round, ""
            self.lines.append(LogItem(f"round-{item.round}", -1, f"round {item.round}"))
        if worth_telling(item):
            self.under(item.part)
            join(self.lines, item)
        for tile, draws in item.later:
            self.under(f"resolve {tile}")
            did = LogItem(f"{item.id}-{tile}", draws[0][0], "", tile=tile, reason="tile", draws=draws)
            self.lines.append(did)
        return None

    def under(self, part: str) -> None:
        """Begin a part, unless it has begun."""
        if part != self.part:
            self.part = part
            self.lines.append(LogItem(f"part-{self.round}-{part.replace(' ', '-')}", -1, part))


def news_of(steps: Sequence[Step], since: int) -> list[LogItem]:
    """What there is to hear of the rows from one on."""
    told = Telling()
    told.tell_from(steps, since)
    return [item for item in told.lines if item.seat >= 0]


def worth_telling(item: LogItem) -> bool:
    """Whether a row is told at the table: passing is only where one declines to pay."""
    return item.move != "pass" or item.question == frames.PAY_BID or bool(item.draws or item.turned or item.got)


def ended(found: list[LogItem], view: ExLibrisView, winners: Sequence[int]) -> list[LogItem]:
    """The lines of a game that is over: they say which cards each player turned down, or who won if it ended early."""
    if not (view.over or winners):
        return found
    return [
        item._replace(downs=", ".join(labels_of(cards_of(view.turned[item.seat]))))
        if any(item.flips) and view.over
        else item._replace(winners=tuple(winners))
        if item.move == "!end"
        else item
        for item in found
    ]


def join(found: list[LogItem], item: LogItem) -> None:
    """Put an item to the end of others; what belongs to the answer before it, to that."""
    last = found[-1] if found else None
    if last and last.seat == item.seat and any(last.flips) and any(item.flips):
        up, down, unknown = [a + b for a, b in zip(last.flips, item.flips, strict=True)]
        found[-1] = last._replace(flips=(up, down, unknown))
    elif last and item.seat == last.seat and item.question in FURTHER and last.question in FIRST:
        draws, later = last.draws + item.draws, last.later + item.later
        found[-1] = last._replace(then=item.move, spot=item.spot, draws=draws, later=later)
    elif last and item.question in SERIES and _verb(last) == _verb(item) and "#" not in last.move + item.move:
        more = (*last.more, item.move.partition(" ")[2])
        found[-1] = last._replace(more=more, draws=last.draws + item.draws, got=item.got)
    else:
        found.append(item)


def _verb(item: LogItem) -> tuple[int, int, int, str]:
    return item.seat, item.question, item.tile, item.move.partition(" ")[0]


SERIES = frames.PAY_BID, frames.PICK, frames.COLLECT, frames.DONATE, frames.BURN, frames.LAY_OUT
"""The questions that come again for the next card."""
FURTHER = frames.CHOOSE_CELL, frames.CHOOSE_NEW_CELL, frames.SWAP_IN
"""The questions that belong to the answer before ..."""
FIRST = frames.HOME_ACTION, frames.MAY_SHELVE, frames.SMUGGLE, frames.REBUILD, frames.MAY_MOVE, frames.SWAP_FOR
"""... and those which that answer can have been to."""


Names = tuple[Sequence[str], int | None]
"""The names as HTML, by seat, and the seat of the viewer."""


@uncached
def draw_line(item: LogItem, names: Names) -> str:
    """A line of the log."""
    if item.seat < 0:
        kind = "divider" if item.move.startswith("round") else "divider part"
        return f'<li id="{item.id}" class="{kind}">{heading(item.move)}</li>'
    if item.move.startswith("!"):
        return f'<li id="{item.id}" class="event">{sentence(item, *names)}</li>'
    kind = "" if item.question in OWN_LINES else ' class="effect"'
    note = f' data-note="{plain(noted(item))}"' if item.move else ""
    return f'<li id="{item.id}"{kind} data-owner="{item.seat + 1}"{note}><span>{sentence(item, *names)}</span></li>'


OWN_LINES = frames.CHOOSE_LIBRARY, frames.PLACE, frames.DROP_TILE, frames.TURN
"""What begins something; the other questions follow from it."""


@uncached
def draw_growth(old: LogItem, new: LogItem, names: Names) -> str:
    """The message that brings a line up to date: the whole line."""
    return draw_line(new, names)


def heading(move: str) -> str:
    """The heading of a round or of a part of it."""
    kind, _space, number = move.partition(" ")
    if kind == "round":
        return _("Round %(round)s") % {"round": digits(number)} if number != "0" else _("Libraries")
    if kind == "resolve":
        words = {"number": digits(number), "tile": tile_name(int(number))}
        return _("Resolution: %(number)s %(tile)s") % words
    return _(HEADINGS[kind])


HEADINGS = {"place": N_("Placement"), "clean": N_("Clean-up"), "flip": N_("Turning cards down")}


def noted(item: LogItem) -> str:
    """An item in notation."""
    verb = item.move.partition(" ")[0]
    return " ".join(filter(None, (f"{item.seat}: {item.move}", *[f"{verb} {card}" for card in item.more], item.then)))


def told(items: Sequence[LogItem], names: Sequence[str], me: int | None) -> str:
    """Some items as text."""
    shown = marked(tuple(names))
    return " ".join([str(Markup(sentence(item, shown, me)).striptags()) for item in items if item.seat >= 0])


def sentence(item: LogItem, names: Sequence[str], me: int | None) -> str:
    """An item in a sentence, or several. `names`: as HTML, by seat."""
    if item.winners:
        won = [names[seat] for seat in item.winners]
        text = _("You win.") if item.winners == (me,) else ngettext("%(names)s wins.", "%(names)s win.", len(won))
        return f"{events.sentence(item.move, item.seat, list(names), me)} {said(text, names=Markup(', ').join(won))}"
    if item.move.startswith("!"):
        return str(events.sentence(item.move, item.seat, list(names), me))
    verb = item.move.partition(" ")[0]
    mine = item.seat == me
    quiet = not verb or (verb == "pass" and item.question != frames.PAY_BID and worth_telling(item))
    quiet = quiet or (verb == "draw" and dict(item.draws).get(item.seat, 1) > 1)  # the Witch
    found = [] if quiet else [_said(item, names, me)]
    if item.turned:
        found.append(_("Turned up: %(cards)s.") % {"cards": digits(", ".join(item.turned))})
    if item.got:
        text = _("You take %(cards)s.") if mine else _("%(name)s takes %(cards)s.")
        found.append(said(text, name=names[item.seat], cards=digits(", ".join(item.got))))
    if item.out:
        found.append(said(_("You lose the pot.") if mine else _("%(name)s loses the pot."), name=names[item.seat]))
    for seat, number in item.draws:
        if verb == "draw" and seat == item.seat and number == 1:
            continue
        text = (
            ngettext("You draw %(count)s card.", "You draw %(count)s cards.", number)
            if seat == me
            else ngettext("%(name)s draws %(count)s card.", "%(name)s draws %(count)s cards.", number)
        )
        found.append(said(text, count=number, name=names[seat]))
    told_ = Markup(" ").join(map(Markup, found))
    if not item.reason:
        return str(told_)
    why = Markup('<i class="why">{}</i>').format(reason_text(item))
    return str(said(_("%(reason)s: %(sentence)s"), reason=why, sentence=told_))


def reason_text(item: LogItem) -> str:
    """The tile or the special assistant that asked for it."""
    return tile_name(item.tile) if item.reason == "tile" else assistant_name(item.by)


def _said(item: LogItem, names: Sequence[str], me: int | None) -> str:
    mine = item.seat == me
    if any(item.flips):
        return _flipped(item, names[item.seat], mine)
    yours, theirs = SENTENCES[kind_of(item)]
    return str(said(_(yours if mine else theirs), **words_of(item, names, me)))


def words_of(item: LogItem, names: Sequence[str], me: int | None) -> dict[str, object]:
    """What a sentence about it may name."""
    verb, _space, what = item.move.partition(" ")
    words: dict[str, object] = {
        "name": names[item.seat],
        "card": digits(", ".join((what, *item.more))),
        "assistant": assistant_name(item.library),
    }
    if item.other >= 0:
        words["other"] = _("you") if item.other == me else names[item.other]
    if item.spot:
        words["where"] = where_text(*item.spot)
        words["below"] = next((digits(LABELS[pile.card]) for pile in item.spot[0] if pile.cell == item.spot[1]), "")
    if item.then.startswith("swap"):
        words["put"] = digits(item.then.partition(" ")[2])
    if verb in ("send", "special"):
        tile, _colon, bid = what.partition(":")
        words |= {"tile": digits(tile), "place": tile_name(int(tile)) if tile.isdecimal() else "", "bid": digits(bid)}
    elif verb == "keep":
        words["assistant"] = assistant_name(CODES.index(what))
    elif verb == "cat":
        words["books"] = category_name(LETTERS.index(what))
    elif verb == "drop":
        words["tile"] = f"{digits(what)} {tile_name(int(what))}"
    elif verb == "recall":
        seat, number = map(int, what.split(":"))
        words |= {"tile": f"{digits(str(number))} {tile_name(number)}", "other": names[seat]}
    elif verb == "lose":
        words["card"] = digits(item.stolen)
    return words


def _flipped(item: LogItem, name: str, mine: bool) -> str:
    up, down, unknown = item.flips
    if item.downs is not None:
        if not item.downs:
            return str(said(_("You turn no card down.") if mine else _("%(name)s turns no card down."), name=name))
        text = _("You turn down %(cards)s.") if mine else _("%(name)s turns down %(cards)s.")
        return str(said(text, name=name, cards=digits(item.downs)))
    if unknown:
        text = ngettext("%(name)s answers for %(count)s card.", "%(name)s answers for %(count)s cards.", unknown)
        return str(said(text, name=name, count=unknown))
    text = _("You leave %(up)s up and turn %(down)s down.") if mine else _("%(name)s: %(up)s up, %(down)s down.")
    return str(said(text, name=name, up=up, down=down))


def kind_of(item: LogItem) -> str:
    """The key of its sentence."""
    verb, _space, what = item.move.partition(" ")
    if verb in ("send", "special"):
        return f"{verb} {'home' if what == 'home' else 'bid' if ':' in what else 'tile'}"
    if what.startswith("#"):
        return f"{verb} place"
    if item.then:
        return f"{verb} {item.then.partition(' ')[0]}"
    if verb == "cat" and item.question == frames.NAME_BOOKS:
        return "cat asked"
    if verb == "pass":
        return "pass bid" if item.question == frames.PAY_BID else "pass"
    return verb


SENTENCES: dict[str, tuple[str, str]] = {
    "keep": (N_("You keep the %(assistant)s."), N_("%(name)s keeps the %(assistant)s.")),
    "send home": (N_("You send a standard assistant home."), N_("%(name)s sends a standard assistant home.")),
    "special home": (N_("You send the %(assistant)s home."), N_("%(name)s sends the %(assistant)s home.")),
    "send tile": (
        N_("You send an assistant to %(tile)s %(place)s."),
        N_("%(name)s sends an assistant to %(tile)s %(place)s."),
    ),
    "special tile": (
        N_("You send the %(assistant)s to %(tile)s %(place)s."),
        N_("%(name)s sends the %(assistant)s to %(tile)s %(place)s."),
    ),
    "send bid": (N_("You bid %(bid)s at %(tile)s %(place)s."), N_("%(name)s bids %(bid)s at %(tile)s %(place)s.")),
    "special bid": (
        N_("You bid %(bid)s at %(tile)s %(place)s with the %(assistant)s."),
        N_("%(name)s bids %(bid)s at %(tile)s %(place)s with the %(assistant)s."),
    ),
    "draw": (N_("You draw a card."), N_("%(name)s draws a card.")),
    "shelve": (N_("You shelve %(card)s."), N_("%(name)s shelves %(card)s.")),
    "shelve at": (N_("You shelve %(card)s %(where)s."), N_("%(name)s shelves %(card)s %(where)s.")),
    "shelve over": (
        N_("You shelve %(card)s %(where)s, and entomb it."),
        N_("%(name)s shelves %(card)s %(where)s, and entombs it."),
    ),
    "shelve under": (N_("You entomb %(card)s under %(below)s."), N_("%(name)s entombs %(card)s under %(below)s.")),
    "move at": (N_("You move %(card)s: %(where)s."), N_("%(name)s moves %(card)s: %(where)s.")),
    "at": (N_("It lies %(where)s."), N_("It lies %(where)s.")),
    "over": (N_("It entombs %(below)s."), N_("It entombs %(below)s.")),
    "under": (N_("It lies entombed under %(below)s."), N_("It lies entombed under %(below)s.")),
    "discard": (N_("You discard %(card)s."), N_("%(name)s discards %(card)s.")),
    "discard place": (N_("You discard card %(card)s there."), N_("%(name)s discards card %(card)s there.")),
    "take": (N_("You take %(card)s."), N_("%(name)s takes %(card)s.")),
    "take swap": (
        N_("You take %(card)s and put %(put)s in its place."),
        N_("%(name)s takes %(card)s and puts %(put)s in its place."),
    ),
    "take place": (N_("You take card %(card)s there."), N_("%(name)s takes card %(card)s there.")),
    "peek place": (N_("You look at card %(card)s there."), N_("%(name)s looks at card %(card)s there.")),
    "swap": (N_("You put %(card)s in its place."), N_("%(name)s puts %(card)s in its place.")),
    "lay": (N_("You lay out %(card)s."), N_("%(name)s lays out %(card)s.")),
    "move": (N_("You move %(card)s."), N_("%(name)s moves %(card)s.")),
    "give": (N_("You give %(card)s to %(other)s."), N_("%(name)s gives %(card)s to %(other)s.")),
    "none": (
        N_("You have none, and show your hand to %(other)s."),
        N_("%(name)s has none, and shows their hand to %(other)s."),
    ),
    "cat": (N_("You name %(books)s."), N_("%(name)s names %(books)s.")),
    "cat asked": (N_("You ask %(other)s for %(books)s."), N_("%(name)s asks %(other)s for %(books)s.")),
    "more": (N_("You go on."), N_("%(name)s goes on.")),
    "stop": (N_("You stop and take the pot."), N_("%(name)s stops and takes the pot.")),
    "lose": (N_("You lose %(card)s to %(other)s."), N_("%(name)s loses %(card)s to %(other)s.")),
    "allow": (N_("You let %(other)s draw 1 and shelve 1."), N_("%(name)s lets %(other)s draw 1 and shelve 1.")),
    "back": (N_("You take the Sasquatch back."), N_("%(name)s takes the Sasquatch back.")),
    "recall": (
        N_("You send an assistant of %(other)s back from %(tile)s."),
        N_("%(name)s sends an assistant of %(other)s back from %(tile)s."),
    ),
    "drop": (N_("You drop %(tile)s."), N_("%(name)s drops %(tile)s.")),
    "pass": (N_("You pass."), N_("%(name)s passes.")),
    "pass bid": (N_("You decline to pay."), N_("%(name)s declines to pay.")),
}
"""What a move did: told to whoever made it, and to the others."""
