"""What happened, in sentences: for the log of a table, for screen readers, and for the review.

The log has headings for rounds, for the placement and for each tile that is resolved. What an assistant is sent to do
begins there; what follows from it stands below, with its reason: the tile or the special assistant that did it.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CATEGORIES as LETTERS
from games.engine.exlibris.cards import LABELS, cards_of, labels_of
from games.engine.exlibris.libraries import CODES
from games.engine.exlibris.view import ExLibrisView
from games.faces import events
from games.faces.exlibris.items import LogItem, item_of
from games.faces.exlibris.scene import Step
from games.faces.exlibris.words import assistant_name, category_name, tile_name, where_text
from games.faces.language import N_, _, digits, ngettext
from games.faces.paint import marked, plain, said
from games.faces.slots import Slot, uncached


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


def line(item: LogItem, names: Names) -> Slot:
    """Paints a line of the log."""
    return draw_line, item, names


def growth(old: LogItem, new: LogItem, names: Names) -> Slot:
    """Paints the message that brings a line up to date: the whole line."""
    return line(new, names)


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
        words["card"] = digits(item.stolen) or _("a card")
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
