"""The form for a bid at a table of Biblios: buttons for the next bids, each with a note of what it costs."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.engine.biblios.cards import GOLD, VALUES
from games.engine.biblios.notation import PASS
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import symbol
from games.faces.biblios.ask import cheapest
from games.faces.biblios.stage import in_gold
from games.faces.language import _, language, ngettext, number
from games.faces.paint import icon

CHIPS = 6
"""The number of bids with buttons of their own."""
ENTER = '<kbd aria-hidden="true">↵</kbd>'


class Bidding(NamedTuple):
    """What decides how a bid is asked for."""

    gold: bool
    """Whether the lot is paid in gold; else in cards."""
    coins: tuple[int, ...]
    """The gold in the hand, for a lot that is paid in gold."""
    own: int
    """The player can pay so much."""
    low: int
    high: int
    """The lowest and the highest bid; 0 if there is none."""
    losing: int
    """How many rivals draw a card from whoever bluffs and wins; 0 if a card of theirs is discarded."""


def bidding(view: BibliosView) -> Bidding:
    """What decides how this bid is asked for."""
    gold = in_gold(view)
    coins = tuple([VALUES[kind] for kind in view.hand if GOLD <= kind < GOLD + 3]) if gold else ()
    bids = [move - PASS for move in view.legal if move > PASS]
    own = sum(coins) if gold else len(view.hand)
    losing = 0 if view.setup.penalty_discards else view.setup.seats - 1
    return Bidding(gold, coins, own, min(bids, default=0), max(bids, default=0), losing)


class BidForm(NamedTuple):
    """The form for a bid as HTML."""

    facts: str
    """What the script needs to know, as attributes."""
    row: str
    """The bids."""
    buttons: str
    more: bool
    """Whether there are bids without a button of their own."""


def bid_form(bid: Bidding) -> BidForm:
    """The form for a bid."""
    gold, _coins, own, low, high, _losing = bid
    bids = range(low, min(low + CHIPS, own + 1, high + 1)) if low else range(0)
    first = low + len(bids)
    last = high if low and first <= high else 0
    most = last or (bids[-1] if bids else 0)
    facts = f' data-own="{own}" data-max="{most}" data-unit="{"gold" if gold else "cards"}"'
    row = _row(bid, bids, first, last) if low else ""
    unscripted = _unscripted(first, last, own) if last else ""
    return BidForm(facts, row + unscripted, _buttons(bids, gold, low > 0), bool(last))


def _row(bid: Bidding, bids: range, first: int, last: int) -> str:
    gold, coins, own, _low, _high, losing = bid
    chips = [_chip(option, offer, gold) for option, offer in enumerate(bids, 1)]
    notes = _gold_notes(bids, coins, own) if gold else _card_notes(bids, own)
    more = ""
    if last:
        bluff = first > own
        more = _more_row(first, last, own, losing)
        shape, text = ("chip", f"{number(first)}+") if bids else ("button small", _("Bluff…"))
        chips.append(
            f'<label class="{shape} scripted{" bluff" if bluff else ""}"><input class="option-9"'
            f' type="radio" name="move" value="" data-bluff aria-label="{_other_label(bluff)}">'
            f'<span aria-hidden="true">{text}</span></label>'
        )
    label, sign = (_("Your bid, in gold"), symbol("G")) if gold else (_("Your bid, in cards"), icon("cards"))
    when = ' class="when option-9"' if bids else ""
    return (
        f'<div class="bid-row"><div class="chips" role="radiogroup" aria-label="{label}">{"".join(chips)}</div>'
        f'<p class="small muted own">{sign} {notes}<span{when}>{_own_note(own, gold)}</span></p>{more}</div>'
    )


def _chip(option: int, bid: int, gold: bool) -> str:
    checked = " required checked" if option == 1 else ""
    return (
        f'<label class="chip"><input class="option-{option}" type="radio" name="move"'
        f' value="bid {bid}"{checked} aria-label="{_label(bid, gold)}">'
        f'<span aria-hidden="true">{number(bid)}</span></label>'
    )


def _gold_notes(bids: range, coins: tuple[int, ...], own: int) -> str:
    """What each bid would cost, shown while it is chosen."""
    exact = _("You hold %(own)s. A bid of %(bid)s can be paid exactly: %(cards)s.")
    dearer = _("You hold %(own)s. A bid of %(bid)s costs you %(cards)s, %(over)s too much.")
    notes = []
    for option, bid in enumerate(bids, 1):
        cards = cheapest(coins, bid)
        over = sum(cards) - bid
        words = {"own": own, "bid": bid, "cards": " + ".join(map(number, cards)), "over": over}
        notes.append(f'<span class="when option-{option}">{(dearer if over else exact) % words}</span>')
    return "".join(notes)


def _card_notes(bids: range, own: int) -> str:
    notes = []
    for option, bid in enumerate(bids, 1):
        text = ngettext(
            "You hold %(own)s cards. You would discard %(bid)s of your choice, unseen.",
            "You hold %(own)s cards. You would discard %(bid)s of your choice, unseen.",
            bid,
        )
        notes.append(f'<span class="when option-{option}">{text % {"own": own, "bid": bid}}</span>')
    return "".join(notes)


def _more_row(first: int, last: int, own: int, losing: int) -> str:
    label, words = _("Your bid"), {"own": own}
    if losing:
        warning = ngettext(
            "A bluff: you hold %(own)s. If you win, your rival takes a card from you.",
            "A bluff: you hold %(own)s. If you win, each rival takes a card from you.",
            losing,
        )
    else:
        warning = _("A bluff: you hold %(own)s. If you win, you lose a card.")
    return (
        f'<p class="more scripted" data-more-row hidden><label class="small">{label}'
        ' <input class="input number" type="number" inputmode="numeric"'
        f' min="{first}" max="{last}" value="{first}" data-more></label>'
        f' <span class="small warn" data-warn hidden>{icon("alert")}{warning % words}</span></p>'
    )


def _buttons(bids: range, gold: bool, can_bid: bool) -> str:
    """To pass, and to bid. While nothing that one can pay is a bid, ↵ passes: a bluff has to be chosen first."""
    passing, enter = _("Pass"), f"{ENTER}</button>"
    key = 'form="answer-other" name="move" value="pass" data-key="p"'
    told = f'{passing} <kbd aria-hidden="true">P</kbd>'
    if not can_bid:
        return f'<div class="acts"><button class="button big primary" {key}>{told}</button></div>'
    bid = _("Bid")
    if bids:
        shown = f'<span data-label>{_label(bids[0], gold)}</span><span class="unscripted">{bid}</span>'
        pass_ = f'<button class="button big" {key}>{told}</button>'
        return f'<div class="acts two">{pass_}<button class="button primary big" data-primary>{shown} {enter}</div>'
    return (
        f'<div class="acts two"><button class="button primary big" {key} data-primary>{told} {enter}'
        f'<button class="button big scripted" data-bid hidden><span data-label>{bid}</span> {enter}</div>'
    )


def _unscripted(first: int, last: int, own: int) -> str:
    options = _options(language(), first, last)
    label, bid = _("Your bid"), _("Bid")
    return (
        f'<!--plain--><details class="unscripted"><summary>{_other_label(first > own)}</summary>'
        f'<p><select class="input" name="move" form="answer-more" aria-label="{label}">{options}</select>'
        f' <button class="button small" form="answer-more">{bid}</button></p></details><!--/plain-->'
    )


@lru_cache(maxsize=4000)
def _options(_language: str, first: int, last: int) -> str:
    return "".join([f'<option value="bid {bid}">{number(bid)}</option>' for bid in range(first, last + 1)])


def _other_label(bluff: bool) -> str:
    return _("Bid more than you hold: a bluff") if bluff else _("Another bid")


def _label(bid: int, gold: bool) -> str:
    words = {"bid": bid}
    return _("Bid %(bid)s") % words if gold else ngettext("Bid %(bid)s card", "Bid %(bid)s cards", bid) % words


def _own_note(own: int, gold: bool) -> str:
    words = {"own": own}
    if gold:
        return _("You hold %(own)s gold.") % words
    return ngettext("You hold %(own)s card.", "You hold %(own)s cards.", own) % words
