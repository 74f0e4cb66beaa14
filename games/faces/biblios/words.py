"""Sentences about what happened at a table of Biblios: for news, for screen readers, for the review.

Every sentence is whole, one for the viewer ("You bid 3.") and one for everybody else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import FORFEIT, HIDDEN, KINDS
from games.engine.biblios.notation import BID, DIE
from games.engine.biblios.view import BibliosView
from games.faces import events
from games.faces.biblios.art import BACK, card_name, categories, code_of, mini
from games.faces.biblios.scene import Step
from games.faces.language import N_, _, digits, ngettext
from games.faces.paint import plain


class LogItem(NamedTuple):
    """What a row of the log did, as one viewer saw it: plain values, and all that a sentence about it says."""

    seat: int
    move: str
    """As `Step.move`."""
    card: str = ""
    """The code of the card that was placed, taken or paid; empty if the viewer did not see it."""
    die: tuple[str, int, int] | None = None
    """The die that was moved: letter, from, to."""
    lot: str = ""
    """The code of the card up for auction."""
    again: bool = False
    """Whether it goes on with a payment."""
    ends: bool = False
    """Whether its auction ends: it is paid for, or goes unsold."""
    draws: tuple[tuple[int, int, str], ...] = ()
    """The cards that a refusal to pay cost: from, to (a seat or FORFEIT), code."""
    more: tuple[str, ...] = ()
    """The codes of the cards that went the same way just before, if it is told together with them (`joined`)."""


Names = Sequence[Markup]
"""The names of the players by seat, as HTML."""
Show = Callable[[Sequence[str]], str]
"""How cards stand in a sentence."""


def item_of(step: Step) -> LogItem:
    """What a step did."""
    seat, move = step.seat, step.move
    verb, _space, what = move.partition(" ")
    if verb[0] == "!":
        return LogItem(seat, move)
    before = step.before
    both = before.setup.both_ways
    if verb in ("keep", "public", "auction"):
        card = placed(step)
        return LogItem(seat, move, "" if card == HIDDEN else code_of(card, both))
    if verb == "take":
        return LogItem(seat, move, code_of(KINDS[what], both))
    if verb == "dice":
        return LogItem(seat, move, die=turned(before, what))
    lot = code_of(before.lots[-1], both)
    if verb == "bid":
        return LogItem(seat, move, lot=lot)
    if verb == "pay":
        again, ends = before.due < before.high, step.after.question != before.question
        return LogItem(seat, move, what, lot=lot, again=again, ends=ends)
    draws = tuple([(source, target, code_of(kind)) for source, target, kind in drawn(step)]) if verb == "refuse" else ()
    return LogItem(seat, move, lot=lot, ends=goes_unsold(step), draws=draws)


def involved(item: LogItem, seat: int | None) -> bool:
    """Whether an item is told in other words to this seat."""
    return seat is not None and (item.seat == seat or any([target == seat for _from, target, _code in item.draws]))


def joined(before: LogItem, item: LogItem) -> LogItem | None:
    """One item for two that follow each other: cards put in the public space, or paid; None if they are told apart."""
    if before.seat != item.seat or before.move.partition(" ")[0] != item.move.partition(" ")[0]:
        return None
    if item.move == "public" or (item.move.startswith("pay") and item.again):
        return item._replace(more=(*before.more, before.card))
    return None


def in_words(item: LogItem, names: Sequence[str], me: int | None) -> str:
    """The effect of an item as text, for the viewer in seat `me`; `names` by seat are text too."""
    return Markup(told(item, [escape(name) for name in names], me)).unescape()


def told(item: LogItem, names: Names, me: int | None) -> str:
    """The same as HTML, as are `names`. A refusal to pay is followed by what each rival drew."""
    return _sentence(item, names, me, _named)


def listed(item: LogItem, names: Names, me: int | None, active: int) -> str:
    """The same in a list, with pictures of the cards; short where its heading names the player, `active`."""
    verb = item.move.partition(" ")[0]
    if item.seat != active or verb not in ("keep", "public", "auction", "dice"):
        return _sentence(item, names, me, _pictured)
    return _(CLAUSES[_kind(item, verb)][item.seat != me]) % _words(item, names, _pictured)


def _sentence(item: LogItem, names: Names, me: int | None, show: Show) -> str:
    verb, mine = item.move.partition(" ")[0], item.seat == me
    if verb[0] == "!":
        return events.sentence(item.move, item.seat, names, me)
    text = _counted(item, verb, mine) or _(SENTENCES[_kind(item, verb)][not mine])
    said = [text % _words(item, names, show), *[lost(draw, names, me, mine, show) for draw in item.draws]]
    if item.ends and verb in ("pass", "refuse"):
        said.append(_("%(card)s is discarded unsold.") % {"card": show((item.lot,))})
    return " ".join(said)


# What a step shows to its viewer


def gone(before: Iterable[int], after: Iterable[int]) -> list[int]:
    """The kinds that are in the first but not in the second, as often as they are missing."""
    return list((Counter(before) - Counter(after)).elements())


def placed(step: Step) -> int:
    """The card that was placed; HIDDEN if the viewer did not see it."""
    before = step.before
    if before.drawn is not None and before.drawn != HIDDEN:
        return before.drawn
    after = step.after
    if step.move == "public":
        return gone(after.space, before.space)[0]
    if step.move == "keep" and after.question == DIE and after.card is not None:
        return after.card
    return HIDDEN


def drawn(step: Step) -> Sequence[tuple[int, int, int]]:
    """The cards that a refusal to pay cost: from, to (a seat or FORFEIT), kind."""
    return step.after.flow[len(step.before.flow) :]


def moved(step: Step) -> list[tuple[str, int, int]]:
    """The dice that a step moved: letter, from, to."""
    dice = zip(LETTERS, step.before.dice, step.after.dice, strict=True)
    return [(letter, old, new) for letter, old, new in dice if old != new]


def turned(view: BibliosView, what: str) -> tuple[str, int, int] | None:
    """The die that an answer moves: letter, from, to; None if it leaves them."""
    if what == "none":
        return None
    letter, old = what[0], view.dice[LETTERS.index(what[0])]
    return letter, old, old + (1 if what[1] == "+" else -1)


def lot_of(view: BibliosView) -> int:
    """The number of the card up for auction, from 0; -1 in the gift phase."""
    return len(view.lots) - 1


def goes_unsold(step: Step) -> bool:
    """Whether the card up for auction was discarded with this step, because nobody wants it or may have it."""
    before, after = step.before, step.after
    if before.question == BID:
        return not before.high and step.move == "pass" and (after.over or lot_of(after) > lot_of(before))
    return step.move == "refuse" and (after.over or lot_of(after) > lot_of(before))


def is_gold(code: str) -> bool:
    """Whether a card is gold: a lot that is paid in cards, face down."""
    return code[0] == "G"


# Sentences by kind of move, as HTML

JOINER = "\u2060"
"""Keeps a full stop on the line of the picture before it."""


def _named(codes: Sequence[str]) -> str:
    return ", ".join([plain(card_name(code)) for code in codes])


def _pictured(codes: Sequence[str]) -> str:
    return " ".join([mini(code) for code in codes]) + JOINER


def _cards(item: LogItem, show: Show) -> str:
    """The cards that an item moved."""
    return show((*item.more, item.card))


def _words(item: LogItem, names: Names, show: Show) -> dict[str, object]:
    """What stands in the sentences about an item."""
    words: dict[str, object] = {"name": names[item.seat], "count": len(item.more) + 1}
    if item.card:
        words["card"] = _cards(item, show)
    if item.lot:
        words |= {"lot": show((item.lot,)), "bid": digits(item.move[4:])}
    if item.die:
        words |= {"category": plain(categories()[item.die[0]]), "old": item.die[1], "new": item.die[2]}
    if item.move.startswith("points"):
        words["points"] = digits(item.move[7:])
    return words


def _kind(item: LogItem, verb: str) -> str:
    """The kind of an item, as the tables below have it."""
    if verb == "dice":
        return "dice none" if item.die is None else "dice up" if item.die[2] > item.die[1] else "dice down"
    if verb == "pay":
        return f"pay{' face down' if is_gold(item.lot) else ''}{' all' if item.ends else ''}"
    return f"{verb} unseen" if verb in ("keep", "auction") and not item.card else verb


SENTENCES = {
    "keep": (N_("You keep %(card)s."), N_("%(name)s keeps %(card)s.")),
    "keep unseen": (N_("%(name)s keeps a card."),) * 2,
    "public": (N_("You give %(card)s."), N_("%(name)s gives %(card)s.")),
    "auction": (N_("You send %(card)s to auction."), N_("%(name)s sends %(card)s to auction.")),
    "auction unseen": (N_("%(name)s sends a card to auction."),) * 2,
    "take": (N_("You take %(card)s."), N_("%(name)s takes %(card)s.")),
    "dice none": (N_("You leave the dice as they are."), N_("%(name)s leaves the dice.")),
    "dice up": (
        N_("You raise %(category)s from %(old)s to %(new)s."),
        N_("%(name)s raises %(category)s from %(old)s to %(new)s."),
    ),
    "dice down": (
        N_("You lower %(category)s from %(old)s to %(new)s."),
        N_("%(name)s lowers %(category)s from %(old)s to %(new)s."),
    ),
    "bid": (N_("You bid %(bid)s gold."), N_("%(name)s bids %(bid)s gold.")),
    "pass": (N_("You pass."), N_("%(name)s passes.")),
    "pay": (N_("You pay %(card)s."), N_("%(name)s pays %(card)s.")),
    "pay all": (N_("You pay %(card)s and get %(lot)s."), N_("%(name)s pays %(card)s and gets %(lot)s.")),
    "pay face down": (N_("You pay %(card)s face down."), N_("%(name)s pays %(card)s face down.")),
    "pay face down all": (
        N_("You pay %(card)s face down and get %(lot)s."),
        N_("%(name)s pays %(card)s face down and gets %(lot)s."),
    ),
    "refuse": (N_("You don’t pay."), N_("%(name)s doesn’t pay.")),
}
"""What an item was, by its kind: told to whoever did it, and to the others."""
CLAUSES = {
    "keep": (N_("keep %(card)s"), N_("keeps %(card)s")),
    "keep unseen": (N_("keeps a card"),) * 2,
    "public": (N_("give %(card)s"), N_("gives %(card)s")),
    "auction": (N_("send %(card)s to auction"), N_("sends %(card)s to auction")),
    "auction unseen": (N_("sends a card to auction"),) * 2,
    "dice none": (N_("leave the dice"), N_("leaves the dice")),
    "dice up": (
        N_("raise %(category)s from %(old)s to %(new)s"),
        N_("raises %(category)s from %(old)s to %(new)s"),
    ),
    "dice down": (
        N_("lower %(category)s from %(old)s to %(new)s"),
        N_("lowers %(category)s from %(old)s to %(new)s"),
    ),
}
"""The same where a heading names the player."""


def _counted(item: LogItem, verb: str, mine: bool) -> str:
    """The sentence about an item in which something is counted; empty about others."""
    if verb == "points":
        points = int(item.move[7:])
        if mine:
            return ngettext("You have %(points)s point.", "You have %(points)s points.", points)
        return ngettext("%(name)s has %(points)s point.", "%(name)s has %(points)s points.", points)
    if verb == "bid" and is_gold(item.lot):
        bid = int(item.move[4:])
        if mine:
            return ngettext("You bid %(bid)s card.", "You bid %(bid)s cards.", bid)
        return ngettext("%(name)s bids %(bid)s card.", "%(name)s bids %(bid)s cards.", bid)
    if verb != "pay" or item.card:
        return ""
    count = len(item.more) + 1  # paid face down by somebody else
    if not item.ends:
        return ngettext("%(name)s pays %(count)s card face down.", "%(name)s pays %(count)s cards face down.", count)
    if item.again and not item.more:
        return _("%(name)s pays the last card face down and gets %(lot)s.")
    return ngettext(
        "%(name)s pays %(count)s card face down and gets %(lot)s.",
        "%(name)s pays %(count)s cards face down and gets %(lot)s.",
        count,
    )


def lost(draw: tuple[int, int, str], names: Names, me: int | None, mine: bool, show: Show = _named) -> str:
    """What happened to a card that a refusal to pay cost; `mine`: the viewer's."""
    source, target, code = draw
    words = {"name": names[source], "card": "" if code == BACK else show((code,))}
    if target == FORFEIT:
        text = _("You lose %(card)s, drawn at random.") if mine else _("%(name)s loses %(card)s, drawn at random.")
        return text % words
    words["thief"] = names[target]
    if mine:
        text = _("%(thief)s draws %(card)s from your hand.")
    elif target == me:
        text = _("You draw %(card)s from the hand of %(name)s.")
    elif code == BACK:
        text = _("%(thief)s draws a card from the hand of %(name)s.")
    else:
        text = _("%(thief)s draws %(card)s from the hand of %(name)s.")
    return text % words
