"""The forms at a table of Biblios as HTML: the answers to a question, and standing orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.faces.biblios.art import (
    card_art,
    card_label,
    card_name,
    card_title,
    categories,
    die_face,
    mini,
    picture,
    short_names,
)
from games.faces.biblios.ask import Ask, Choice, Coin, DieChoice, Favour, Gift, Payment
from games.faces.biblios.bidding import ENTER, Bidding, bid_form
from games.faces.biblios.scriptorium import Rival
from games.faces.language import N_, _, digits, ngettext, number, signed
from games.faces.paint import CSRF, icon, plain, use
from games.faces.slots import Slot, placeholder, uncached


def way(key: str) -> str:
    """Where the forms of an answer go."""
    return f'method="post" action="/m/{key}/play"'


@uncached
def draw_form(key: str, ply: int, asked: Ask) -> str:
    """What asks a question other than what to place or bid."""
    if isinstance(asked, Choice):
        forms = _forms(key, ply, "take", "", _take(asked))
    elif isinstance(asked, Payment):
        facts = (
            f' data-due="{asked.due}" data-unit="{"gold" if asked.gold else "cards"}" data-full="{_full(asked.due)}"'
        )
        forms = _forms(key, ply, "pay" if asked.coins else "refuse", facts, _pay(asked))
    else:
        ways = ' data-ways="both"' if asked.two and asked.code == "C±" else ""
        forms = _forms(key, ply, "dice", f' data-count="{2 if asked.two else 1}"{ways}', _dice(asked))
    return f'<div id="act" class="bare">{forms}</div>'


@uncached
def draw_bidding(key: str, ply: int, *bid: Any) -> str:
    """The right page with the question what to bid."""
    form = bid_form(Bidding(*bid))
    body = f'<div class="body">{form.row}</div>'
    forms = _forms(key, ply, "bid", form.facts, body + form.buttons)
    if form.more:
        inputs = f'<input type="hidden" name="ply" value="{ply}">{CSRF}'
        forms += f'<!--plain--><form id="answer-more" hidden {way(key)}>{inputs}</form><!--/plain-->'
    return f'<div id="act" class="bare">{forms}{placeholder("orders")}</div>'


def _forms(key: str, ply: int, name: str, facts: str, inside: str) -> str:
    """The form of an answer, and the one for buttons that need nothing of it."""
    inputs = f'<input type="hidden" name="ply" value="{ply}">{CSRF}'
    form = f'<form id="answer" class="bare" {way(key)} ws-send data-answer="{name}"{facts}>{inputs}{inside}</form>'
    if 'form="answer-other"' not in inside:
        return form
    return f'{form}<form id="answer-other" hidden {way(key)} ws-send data-answer="other">{inputs}</form>'


# Which gift to take


def _take(asked: Choice) -> str:
    label, text, button = _("Public space: choose one"), _("Take %(card)s"), _("Take it")
    lead, hint = _("Choose one card."), _("Press it again to take it.")
    gifts = "".join([_gift(number, gift, text, asked.later) for number, gift in enumerate(asked.gifts, 1)])
    return (
        f'<div class="body gifts" role="radiogroup" aria-label="{label}">{gifts}</div><div class="acts">'
        f'<p class="say"><b class="when option-0">{lead}</b> <span class="muted scripted">{hint}</span></p>'
        f'<button class="button primary big" data-primary>'
        f"<span data-label>{button}</span> {ENTER}</button></div>"
    )


def _gift(nth: int, gift: Gift, text: str, later: Sequence[str]) -> str:
    code = gift.code
    label = text % {"card": plain(card_name(code))}
    key = f' data-card="{gift.key}"' if gift.key else ""
    if code in FAVOURS:
        effect = _(FAVOURS[code])
    else:
        name = plain(short_names()[code[0]])
        effect = (
            f'<span class="number">{name} {number(gift.old)} → <b>{number(gift.new)}</b></span>{has_most(gift.rival)}'
        )
    left = ""
    if gift.left:
        who, notes = _("Left for %(names)s:") % {"names": plain(", ".join(later))}, " ".join(map(mini, gift.left))
        left = f'<span class="gift-left"><span class="muted">{who}</span> {notes}</span>'
    return (
        f'<label class="card-choice"><input class="option-{nth}" type="radio"'
        f' name="move" value="{gift.move}" required data-label="{label}" data-key="{nth}"'
        f' aria-label="{plain(card_label(code))}"><span class="card" data-cat="{code[0]}" aria-hidden="true"{key}'
        f' data-from="#deck">{card_art(code)}</span><span class="gift-text"><b class="gift-name">'
        f'{plain(card_title(code))}</b>{effect}{left}</span><span class="tick">{use("i-check")}</span></label>'
    )


def has_most(rival: Rival) -> str:
    """What the strongest rival was seen with."""
    name, total = rival
    if not name:
        return '<span class="muted">' + _("None seen with the others") + "</span>"
    words = {"name": f"<bdi>{plain(name)}</bdi>", "total": f"<bdi>{digits(total)}</bdi>"}
    return '<span class="muted">' + _("%(name)s has %(total)s") % words + "</span>"


FAVOURS: dict[str, str] = {
    "C+": N_("You can raise one die."),
    "C-": N_("You can lower one die."),
    "C++": N_("You can raise two dice."),
    "C--": N_("You can lower two dice."),
    "C+-": N_("You can raise or lower one die."),
    "C±": N_("You can raise one die and lower another."),
}
"""What each Church card does."""


# Which dice to move


def _dice(asked: Favour) -> str:
    lead = _("Choose the second die") if asked.second else _(LEADS[asked.code])
    label = _("Dice")
    faces = "".join([_die(asked.signs, choice) for choice in asked.dice])
    # In the order in which the rules move dice: up, then down.
    ways = "".join([_die_way(asked.two, choice, sign) for sign in asked.signs for choice in asked.dice])
    leave = move = ""
    if asked.may_leave:
        text = _("Leave the dice")
        leave = f'<button class="button big" form="answer-other" name="move" value="dice none">{text}</button>'
    if asked.signs:
        text = _("Move the dice") if asked.two else _("Move the die")
        move = f'<button class="button primary big" data-primary><span data-label>{text}</span> {ENTER}</button>'
    pair = " pair" if len(asked.signs) > 1 else ""
    return (
        f'<div class="body favour">{picture(asked.code, "", asked.key, asked.source, "lot")}'
        f'<div class="dice-choices{pair}" role="group" data-rove aria-label="{label}">{faces}{ways}</div></div>'
        f'<div class="acts"><p class="say">{lead}</p>{leave}{move}</div>'
    )


WAYS = {"+": "up", "-": "down"}


def _die(signs: str, choice: DieChoice) -> str:
    letter, value, ways, total, rival = choice
    steps = [(WAYS[sign], value + 1 if sign == "+" else value - 1) for sign in signs if sign in ways]
    ends = "".join([f'<span class="to {way}">→{die_face(f"{letter}{new}")}</span>' for way, new in steps])
    values = "".join([f'<span class="to {way}">{number(value)} → <b>{number(new)}</b></span>' for way, new in steps])
    lead = _("you %(total)s") % {"total": total}
    if rival[0]:
        words = {"total": total, "name": f"<bdi>{plain(rival[0])}</bdi>", "rival": f"<bdi>{digits(rival[1])}</bdi>"}
        lead = _("you %(total)s, %(name)s %(rival)s") % words
    return (
        f'<div class="die-column" data-cat="{letter}"><b class="die-name">{plain(short_names()[letter])}</b>'
        f'<span class="die-shown" aria-hidden="true">{die_face(f"{letter}{value}")}{ends}</span>'
        f'<span class="die-value number" aria-hidden="true"><span class="stays">{number(value)}</span>{values}</span>'
        f'<span class="die-lead">{lead}</span></div>'
    )


def _die_way(two: bool, choice: DieChoice, sign: str) -> str:
    letter, value, up = choice.letter, choice.value, sign == "+"
    step = 1 if up else -1
    new = value + step
    shown = f"{number(value)} → {number(new)}" if sign in choice.ways else signed(step)
    name = plain(categories()[letter])
    text = _("%(category)s from %(old)s up to %(new)s") if up else _("%(category)s from %(old)s down to %(new)s")
    label = text % {"category": name, "old": value, "new": new}
    kind, required = ("checkbox", "") if two else ("radio", " required")
    off, disabled = ("", "") if sign in choice.ways else (" off", " disabled")
    return (
        f'<label class="die-choice {WAYS[sign]}{off}" data-cat="{letter}"><input'
        f' type="{kind}" name="move" value="dice {letter}{sign}"{disabled}{required} data-name="{name}"'
        f' aria-label="{label}"><span aria-hidden="true">{shown}</span></label>'
    )


LEADS: dict[str, str] = {
    "C+": N_("Choose a die to raise"),
    "C-": N_("Choose a die to lower"),
    "C++": N_("Choose two dice to raise"),
    "C--": N_("Choose two dice to lower"),
    "C+-": N_("Choose a die to raise or lower"),
    "C±": N_("Choose one die to raise, another to lower"),
}
"""What each Church card asks."""


# What to pay with


def _pay(asked: Payment) -> str:
    gold, due = asked.gold, asked.due
    cost = (
        _("Not paying costs you a random card, discarded.")
        if asked.discards
        else ngettext(
            "Not paying costs you a random card to each rival (%(count)s card).",
            "Not paying costs you a random card to each rival (%(count)s cards).",
            asked.lost,
        )
        % {"count": asked.lost}
    )
    if not asked.coins:
        return _cannot_pay(asked, cost)
    chosen = [coin.worth for coin in asked.coins if coin.on]
    label = _("Your gold") if gold else _("Your cards")
    coins = "".join([_pay_choice(coin) for coin in asked.coins])
    return (
        f'<div class="body"><div class="pay-head"><p class="lead">{_pay_lead(gold, due)}</p>'
        f"{_meter(sum(chosen), due)}</div>"
        f'<div class="pay-row" role="group" data-rove aria-label="{label}">{coins}</div>'
        '<p class="small effects scripted" data-effects></p></div>'
        f"{_pay_buttons(asked, chosen, cost)}"
    )


def _pay_lead(gold: bool, due: int) -> str:
    words = {"due": due}
    if gold:
        text, more = _("Pay %(due)s gold.") % words, _("No change is given.")
    else:
        text = ngettext("Discard %(due)s card, face down.", "Discard %(due)s cards, face down.", due) % words
        more = _("No one sees what.")
    return f'{text} <span class="wide-only">{more}</span>'


def _full(due: int) -> str:
    return ngettext("Pay %(due)s card", "Pay %(due)s cards", due) % {"due": due}


def _pay_choice(coin: Coin) -> str:
    move, code, worth, on, best = coin
    facts = f' data-best="{plain(card_name(code))}"' if best else ""
    return (
        f'<label class="pay-choice"><input type="checkbox" name="move" value="{move}"'
        f' data-worth="{worth}" data-value="{code[1]}"{facts}{" checked" if on else ""}'
        f' aria-label="{plain(card_label(code))}"><span class="card" data-cat="{code[0]}" aria-hidden="true">'
        f'{card_art(code)}<span class="tick">{use("i-check")}</span></span></label>'
    )


def _meter(paid: int, due: int) -> str:
    """How much of the bid is covered."""
    if paid == due:
        state, ok = _("exact"), " ok"
    elif paid > due:
        state, ok = _("over by %(over)s") % {"over": paid - due}, ""
    else:
        state, ok = _("%(short)s short") % {"short": due - paid}, ""
    label, covered = _("Paid"), _("<b>%(paid)s</b> of %(due)s") % {"paid": paid, "due": due}
    return (
        f'<p class="meter scripted" data-meter><span class="number">{covered}</span><progress class="bar" max="{due}"'
        f' value="{min(paid, due)}" aria-label="{label}"></progress><span class="tag{ok}">{state}</span></p>'
    )


def _pay_buttons(asked: Payment, chosen: Sequence[int], cost: str) -> str:
    """The buttons; with what it costs not to pay, if that is allowed."""
    label = _("Pay %(sum)s") % {"sum": " + ".join(map(number, chosen))} if asked.gold else _full(asked.due)
    pay, refuse, back, sure = _("Pay"), _("Don’t pay…"), _("Back"), _("Don’t pay")
    button = (
        f'<button class="button primary big" data-primary><span data-label>{label}</span>'
        f'<span class="unscripted">{pay}</span> {ENTER}</button>'
    )
    if not asked.may_refuse:
        return f'<div class="acts">{button}</div>'
    return (
        f'<div class="acts two"><p class="refused small">{cost}</p><details class="refuse"><summary class="button big">'
        f"<span>{refuse}</span><span>{back}</span></summary></details>"
        '<button class="refused button danger big" form="answer-other" name="move"'
        f' value="refuse">{sure}</button>{button}</div>'
    )


def _cannot_pay(asked: Payment, cost: str) -> str:
    held, button = asked.held, _("I can’t pay")
    if asked.gold:
        why = _("You can’t pay: you hold %(gold)s gold.") % {"gold": held}
    else:
        why = ngettext("You can’t pay: you hold %(count)s card.", "You can’t pay: you hold %(count)s cards.", held) % {
            "count": held
        }
    return (
        f'<div class="body"><p class="lead">{_pay_lead(asked.gold, asked.due)}</p>'
        f'<p><span class="alert">{icon("alert")}</span> {why}</p><p class="small muted">{cost}</p></div>'
        '<div class="acts">'
        '<button class="button primary big" form="answer-other" name="move" value="refuse"'
        f" data-primary>{button}</button></div>"
    )


# Standing orders


def _order_way(key: str) -> str:
    return f'method="post" action="/m/{key}/orders" hx-boost="true"'


def draw_orders(key: str, gold: bool, on: bool) -> str:
    """The orders that the viewer may give; `on`: whether there are any, `gold`: that to pass on gold."""
    title, explanation = _("Orders for when it’s my turn"), _("Orders wait as long as you might. No one is told.")
    given, on_gold, pass_ = _("on"), _("You pass on all gold cards."), _("Pass on all gold cards")
    tag = f' <span class="tag you">{given}</span>' if on else ""
    if gold:
        row = f"<span>{on_gold}</span> {_take_back('gold')}"
    else:
        row = f'<button class="button small" name="order" value="gold">{pass_}</button>'
    return (
        f'<details id="orders" class="orders small"><summary>{title}{tag}</summary>{placeholder("order")}'
        f'<form {_order_way(key)}>{CSRF}<p class="row">{row}</p></form><p class="muted">{explanation}</p></details>'
    )


NO_ORDER: Slot = str, '<div id="order" hidden></div>'


def draw_order(key: str, lot: int, limit: int | None, highest: int) -> str:
    """The orders for the present lot; `highest`: the highest bid that there may be."""
    if limit is None:
        label, give, pass_ = _("For this card, bid up to"), _("Set"), _("Pass on this card")
        bid = '<button class="button small" name="order" value="bid"'
        row = (
            f'<label>{label} <input class="input number" type="number" name="value" inputmode="numeric" min="1"'
            f' max="{highest}" required></label> {bid}>{give}</button> '
        )
        row += f'{bid} form="order-pass">{pass_}</button>'
    else:
        given = _("For this card: bid up to %(limit)s.") % {"limit": limit} if limit else _("For this card: pass.")
        row = f"<span>{given}</span> {_take_back('bid')}"
    lot_input = f'{CSRF}<input type="hidden" name="value" value="{lot}">'
    return (
        f'<div id="order"><form id="order-{lot}" {_order_way(key)}>{lot_input}<p class="row">{row}</p></form>'
        f'<form id="order-pass" {_order_way(key)}>{lot_input}<input type="hidden" name="value" value="0"></form></div>'
    )


def _take_back(order: str) -> str:
    text = _("Take back")
    return f'<button class="button small quiet" name="clear" value="{order}">{text}</button>'
