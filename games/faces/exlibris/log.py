"""What happened, in sentences: for the log of a table, for screen readers, and for the review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from markupsafe import Markup

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CATEGORIES as LETTERS
from games.engine.exlibris.cards import LABELS, cards_of, labels_of
from games.engine.exlibris.libraries import CODES
from games.engine.exlibris.notation import TURNED
from games.engine.exlibris.view import ExLibrisView
from games.faces import events
from games.faces.exlibris.scene import Step
from games.faces.exlibris.words import assistant_name, category_name, tile_name
from games.faces.language import N_, _, digits, ngettext
from games.faces.paint import marked, plain, said
from games.faces.slots import uncached


class LogItem(NamedTuple):
    """A row of the log as one viewer saw it."""

    id: str
    seat: int
    move: str
    """As the log writes it; `round 5` for the heading of a round, `flip` for that of the end."""
    question: int = -1
    library: int = -1
    """The special assistant with which it was done; negative if it was none."""
    other: int = -1
    """Another player who is concerned."""
    draws: tuple[tuple[int, int], ...] = ()
    """Who drew how many cards unseen."""
    turned: tuple[str, ...] = ()
    """The cards that were turned up because of it."""
    stolen: str = ""
    """The card that the Cube took."""
    cell: str = ""
    """The move that said where the card lies."""
    flips: tuple[int, int, int] = (0, 0, 0)
    """At the end: how many cards were left up, turned down, and answered for without being told how ..."""
    downs: str | None = None
    """... and, once all have answered, which were turned down."""


def item_of(step: Step) -> LogItem:
    """What a row did."""
    item = _items.get(step)
    if item is None:
        item = _items[step] = _read(step)
    return item


_items: WeakKeyDictionary[Step, LogItem] = WeakKeyDictionary()


def _read(step: Step) -> LogItem:
    id = f"row-{step.ply}"
    if step.move.startswith("!"):
        return LogItem(id, step.seat, step.move)
    before, after = step.before, step.after
    frame = before.stack[-1]
    question, piece = frame[0], frame[1]
    seat, move = step.seat, step.move
    library = before.libraries[piece >> 1] if piece & 1 else -1
    if move.startswith("special"):
        library = before.libraries[seat]
    other = -1
    if question in (frames.NAME_BOOKS, frames.FACE_CUBE):
        other = frame[2]
    elif question == frames.GIVE or question == frames.BUY:
        other = frame[2] >> 1
    stolen = ""
    if move == "lose":
        stolen = next((LABELS[card] for card in after.open[other] if card not in before.open[other]), "")
    turned: tuple[str, ...] = ()
    if question in (frames.BET, frames.GAMBLE, frames.WISH):
        turned = tuple(labels_of(_turned(before, after)))
    flips = int(move == "up"), int(move == "down"), int(move == TURNED)
    return LogItem(id, seat, move, question, library, other, _draws(before, after, step), turned, stolen, flips=flips)


def _turned(before: ExLibrisView, after: ExLibrisView) -> list[int]:
    """The cards that came from the deck, seen by all."""
    known = {*before.discard, *before.cards[4], *(card for hand in before.open for card in hand)}
    count = max(0, before.deck - after.deck)
    new = [*after.discard[len(before.discard) :], *after.cards[4], *(card for hand in after.open for card in hand)]
    return list(dict.fromkeys([card for card in new if card not in known]))[:count]


def _draws(before: ExLibrisView, after: ExLibrisView, step: Step) -> tuple[tuple[int, int], ...]:
    """Who has how many more cards that came unseen."""
    if not before.round or after.over:
        return ()
    found = []
    word, _space, what = step.move.partition(" ")
    for seat, count in enumerate(after.counts):
        unseen_before = before.counts[seat] - len(before.open[seat])
        unseen = count - len(after.open[seat])
        lost = 0
        if seat == step.seat and word in ("at", "over", "under", "discard", "swap", "lay", "give", "lose"):
            frame = before.stack[-1]
            label = what
            if word in ("at", "over", "under"):
                label = LABELS[frame[2]] if frame[0] == frames.CHOOSE_CELL else ""
            if word == "lose":
                lost = 1
            elif label in LABELS and LABELS.index(label) not in before.open[seat]:
                lost = int(before.counts[seat] > count - max(0, before.deck - after.deck))
        if unseen - unseen_before + lost > 0 and after.deck != before.deck:
            found.append((seat, min(unseen - unseen_before + lost, 12)))
    return tuple(found)


def lines_of(steps: Sequence[Step]) -> list[LogItem]:
    """The lines of the log, with headings for the rounds."""
    found: list[LogItem] = []
    round_ = -1
    flipped = False
    for step in steps:
        if not step.quiet and step.move[0] != "!":
            view = step.before
            if view.round != round_:
                round_ = view.round
                found.append(LogItem(f"round-{round_}", -1, f"round {round_}"))
            if view.question == frames.TURN and not flipped:
                flipped = True
                found.append(LogItem("flip", -1, "flip"))
        if not step.quiet:
            join(found, item_of(step))
    return found


def revealed(found: list[LogItem], view: ExLibrisView) -> list[LogItem]:
    """The lines of a game that is over: they say which cards each player turned down."""
    if not view.over:
        return found
    return [
        item._replace(downs=", ".join(labels_of(cards_of(view.turned[item.seat])))) if any(item.flips) else item
        for item in found
    ]


def join(found: list[LogItem], item: LogItem) -> None:
    """Put an item to the end of others; the cell of a card to that card."""
    last = found[-1] if found else None
    if last and last.seat == item.seat and any(last.flips) and any(item.flips):
        up, down, unknown = [a + b for a, b in zip(last.flips, item.flips, strict=True)]
        found[-1] = last._replace(flips=(up, down, unknown))
    elif last and item.seat == last.seat and item.move.startswith(CELLS) and last.move.startswith(("shelve", "move")):
        found[-1] = last._replace(cell=item.move, draws=last.draws + item.draws)
    else:
        found.append(item)


CELLS = ("at ", "over ", "under ")


Names = tuple[Sequence[str], int | None]
"""The names as HTML, by seat, and the seat of the viewer."""


@uncached
def draw_line(item: LogItem, names: Names) -> str:
    """A line of the log."""
    if item.seat < 0:
        return f'<li id="{item.id}" class="divider">{heading(item.move)}</li>'
    if item.move.startswith("!"):
        return f'<li id="{item.id}" class="event">{sentence(item, *names)}</li>'
    return f'<li id="{item.id}" data-note="{plain(noted(item))}"><span>{sentence(item, *names)}</span></li>'


@uncached
def draw_growth(old: LogItem, new: LogItem, names: Names) -> str:
    """The message that brings a line up to date: the whole line."""
    return draw_line(new, names)


def heading(move: str) -> str:
    """The heading of a round."""
    if move == "flip":
        return _("Turning cards down")
    round_ = int(move.partition(" ")[2])
    return _("Round %(round)s") % {"round": round_} if round_ else _("Libraries")


def noted(item: LogItem) -> str:
    """An item in notation."""
    return " ".join(filter(None, (f"{item.seat}: {item.move}", item.cell)))


def told(items: Sequence[LogItem], names: Sequence[str], me: int | None) -> str:
    """Some items as text."""
    shown = marked(tuple(names))
    return " ".join([str(Markup(sentence(item, shown, me)).striptags()) for item in items if item.seat >= 0])


def sentence(item: LogItem, names: Sequence[str], me: int | None) -> str:
    """An item in a sentence. `names`: as HTML, by seat."""
    if item.move.startswith("!"):
        return str(events.sentence(item.move, item.seat, list(names), me))
    verb, _space, what = item.move.partition(" ")
    mine = item.seat == me
    found = [_said(item, verb, what, names, mine, me)]
    if item.turned:
        words = {"cards": digits(", ".join(item.turned))}
        found.append(_("Turned up: %(cards)s.") % words)
    for seat, number in item.draws:
        mine_too = seat == me
        text = (
            ngettext("You draw %(count)s card.", "You draw %(count)s cards.", number)
            if mine_too
            else ngettext("%(name)s draws %(count)s card.", "%(name)s draws %(count)s cards.", number)
        )
        if verb == "draw" and seat == item.seat and number == 1:
            continue
        found.append(str(said(text, count=number, name=names[seat])))
    return " ".join(filter(None, found))


def _said(item: LogItem, verb: str, what: str, names: Sequence[str], mine: bool, me: int | None) -> str:
    words: dict[str, object] = {
        "name": names[item.seat],
        "card": digits(what),
        "assistant": assistant_name(item.library),
    }
    if item.other >= 0:
        words["other"] = _("you") if item.other == me else names[item.other]
    if any(item.flips):
        return _flipped(item, names[item.seat], mine)
    if item.cell:
        words["cell"] = digits(item.cell.partition(" ")[2])
    yours, theirs = SENTENCES[_kind(item, verb, what)]
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
    return str(said(_(yours if mine else theirs), **words))


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


def _kind(item: LogItem, verb: str, what: str) -> str:
    if verb in ("send", "special"):
        return f"{verb} {'home' if what == 'home' else 'bid' if ':' in what else 'tile'}"
    if what.startswith("#"):
        return f"{verb} place"
    if item.cell:
        return f"{verb} {item.cell.partition(' ')[0]}"
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
    "shelve at": (N_("You shelve %(card)s at %(cell)s."), N_("%(name)s shelves %(card)s at %(cell)s.")),
    "shelve over": (
        N_("You shelve %(card)s over the card at %(cell)s, and entomb it."),
        N_("%(name)s shelves %(card)s over the card at %(cell)s, and entombs it."),
    ),
    "shelve under": (N_("You entomb %(card)s at %(cell)s."), N_("%(name)s entombs %(card)s at %(cell)s.")),
    "move at": (N_("You move %(card)s to %(cell)s."), N_("%(name)s moves %(card)s to %(cell)s.")),
    "at": (N_("It lies at %(card)s."), N_("It lies at %(card)s.")),
    "over": (N_("It entombs the card at %(card)s."), N_("It entombs the card at %(card)s.")),
    "under": (N_("It lies entombed at %(card)s."), N_("It lies entombed at %(card)s.")),
    "discard": (N_("You discard %(card)s."), N_("%(name)s discards %(card)s.")),
    "discard place": (N_("You discard card %(card)s there."), N_("%(name)s discards card %(card)s there.")),
    "take": (N_("You take %(card)s."), N_("%(name)s takes %(card)s.")),
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
