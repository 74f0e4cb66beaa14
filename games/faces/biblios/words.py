"""Sentences about what happened at a table of Biblios: for news, for screen readers, for the review.

Every sentence is whole, one for the viewer ("You bid 3.") and one for everybody else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import FORFEIT, GOLD, HIDDEN, KINDS
from games.engine.biblios.notation import BID, DIE, PAY_CARDS
from games.engine.biblios.view import BibliosView
from games.faces import events
from games.faces.biblios.art import card_name, categories, code_of
from games.faces.biblios.scene import Step
from games.faces.language import _, ngettext
from games.faces.paint import said


def sentence(step: Step, names: Sequence[str], me: int | None) -> Markup:
    """The effect of a row of the log, as the viewer in seat `me` saw it.

    `names` are put in by seat: text, or HTML that marks a name (`<bdi>`).
    """
    return Markup(" ").join(sentences(step, names, me))


def sentences(step: Step, names: Sequence[str], me: int | None) -> list[Markup]:
    """The same, one by one: a refusal to pay is followed by what each rival drew."""
    if step.move.startswith("!"):
        return [events.sentence(step, names, me)]
    verb, _space, what = step.move.partition(" ")
    return list(_VERBS[verb](step, what, names, me))


# What a step shows to its viewer


def gone(before: Iterable[int], after: Iterable[int]) -> list[int]:
    """The kinds that are in the first but not in the second, as often as they are missing."""
    return list((Counter(before) - Counter(after)).elements())


def placed(step: Step) -> int:
    """The card that was placed; HIDDEN if the viewer did not see it."""
    before, after = step.before, step.after
    if before.drawn is not None and before.drawn != HIDDEN:
        return before.drawn
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


def lot_of(view: BibliosView) -> int:
    """The number of the card up for auction, from 0; -1 in the gift phase."""
    return len(view.lots) - 1


def goes_unsold(step: Step) -> bool:
    """Whether the card up for auction was discarded with this step, because nobody wants it or may have it."""
    before, after = step.before, step.after
    if before.question == BID:
        return not before.high and step.move == "pass" and (after.over or lot_of(after) > lot_of(before))
    return step.move == "refuse" and (after.over or lot_of(after) > lot_of(before))


# Sentences by kind of move


def _place(step: Step, what: str, names: Sequence[str], me: int | None) -> Iterator[Markup]:
    code, words = code_of(placed(step), step.before.setup.both_ways), {"name": names[step.seat]}
    mine, verb = step.seat == me, step.move
    if placed(step) != HIDDEN:
        words["card"] = card_name(code)
        text = {
            "keep": _("You keep %(card)s.") if mine else _("%(name)s keeps %(card)s."),
            "public": _("You put %(card)s in the public space.")
            if mine
            else _("%(name)s puts %(card)s in the public space."),
            "auction": _("You put %(card)s in the auction pile.")
            if mine
            else _("%(name)s puts %(card)s in the auction pile."),
        }[verb]
    elif verb == "keep":
        text = _("%(name)s keeps a card.")
    else:
        text = _("%(name)s puts a card in the auction pile.")
    yield said(text, **words)


def _take(step: Step, what: str, names: Sequence[str], me: int | None) -> Iterator[Markup]:
    text = _("You take %(card)s.") if step.seat == me else _("%(name)s takes %(card)s.")
    card = card_name(code_of(KINDS[what], step.before.setup.both_ways))
    yield said(text, name=names[step.seat], card=card)


def _dice(step: Step, what: str, names: Sequence[str], me: int | None) -> Iterator[Markup]:
    mine, name = step.seat == me, names[step.seat]
    if what == "none":
        yield said(_("You leave the dice as they are.") if mine else _("%(name)s leaves the dice."), name=name)
        return
    letter, old, new = moved(step)[0]
    if new > old:
        text = (
            _("You raise %(category)s from %(old)s to %(new)s.")
            if mine
            else _("%(name)s raises %(category)s from %(old)s to %(new)s.")
        )
    else:
        text = (
            _("You lower %(category)s from %(old)s to %(new)s.")
            if mine
            else _("%(name)s lowers %(category)s from %(old)s to %(new)s.")
        )
    yield said(text, name=name, category=categories()[letter], old=old, new=new)


def _bid(step: Step, what: str, names: Sequence[str], me: int | None) -> Iterator[Markup]:
    mine, bid = step.seat == me, int(what)
    if GOLD <= step.before.lots[-1] < GOLD + 3:
        text = (
            ngettext("You bid %(bid)s card.", "You bid %(bid)s cards.", bid)
            if mine
            else ngettext("%(name)s bids %(bid)s card.", "%(name)s bids %(bid)s cards.", bid)
        )
    else:
        text = _("You bid %(bid)s gold.") if mine else _("%(name)s bids %(bid)s gold.")
    yield said(text, name=names[step.seat], bid=bid)


def _pass(step: Step, what: str, names: Sequence[str], me: int | None) -> Iterator[Markup]:
    yield said(_("You pass.") if step.seat == me else _("%(name)s passes."), name=names[step.seat])
    yield from _unsold(step)


def _unsold(step: Step) -> Iterator[Markup]:
    if goes_unsold(step):
        card = card_name(code_of(step.before.lots[-1], step.before.setup.both_ways))
        yield said(_("%(card)s is discarded unsold."), card=card)


def _pay(step: Step, what: str, names: Sequence[str], me: int | None) -> Iterator[Markup]:
    mine, words = step.seat == me, {"name": names[step.seat]}
    before, after = step.before, step.after
    words["lot"] = card_name(code_of(before.lots[-1], before.setup.both_ways))
    done = after.question != before.question
    if not what:  # paid face down by somebody else
        text = (
            _("%(name)s pays the last card face down and gets %(lot)s.")
            if done
            else _("%(name)s pays a card face down.")
        )
    else:
        words["card"] = card_name(what)
        if before.question == PAY_CARDS and mine:
            text = _("You pay %(card)s face down and get %(lot)s.") if done else _("You pay %(card)s face down.")
        elif before.question == PAY_CARDS:
            text = (
                _("%(name)s pays %(card)s face down and gets %(lot)s.")
                if done
                else _("%(name)s pays %(card)s face down.")
            )
        elif mine:
            text = _("You pay %(card)s and get %(lot)s.") if done else _("You pay %(card)s.")
        else:
            text = _("%(name)s pays %(card)s and gets %(lot)s.") if done else _("%(name)s pays %(card)s.")
    yield said(text, **words)


def _refuse(step: Step, what: str, names: Sequence[str], me: int | None) -> Iterator[Markup]:
    victim = names[step.seat]
    mine = step.seat == me
    yield said(_("You do not pay.") if mine else _("%(name)s does not pay."), name=victim)
    for source, target, kind in drawn(step):
        words = {"name": names[source], "card": card_name(code_of(kind)) if kind != HIDDEN else ""}
        if target == FORFEIT:
            text = _("You lose %(card)s, drawn at random.") if mine else _("%(name)s loses %(card)s, drawn at random.")
        elif mine:
            words["thief"] = names[target]
            text = _("%(thief)s draws %(card)s from your hand.")
        elif target == me:
            text = _("You draw %(card)s from the hand of %(name)s.")
        else:
            words["thief"] = names[target]
            text = (
                _("%(thief)s draws a card from the hand of %(name)s.")
                if kind == HIDDEN
                else _("%(thief)s draws %(card)s from the hand of %(name)s.")
            )
        yield said(text, **words)
    yield from _unsold(step)


_VERBS = {
    "keep": _place,
    "public": _place,
    "auction": _place,
    "take": _take,
    "dice": _dice,
    "bid": _bid,
    "pass": _pass,
    "pay": _pay,
    "refuse": _refuse,
}
