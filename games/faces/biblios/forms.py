"""The forms at a table of Biblios as HTML: the answers to a question, and standing orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.faces.biblios.art import card_art, card_label, card_name, card_title, categories, die_face, note, picture
from games.faces.biblios.ask import Ask, Choice, Coin, DieMove, Favour, Gift, Payment
from games.faces.biblios.bidding import Bidding, bid_form
from games.faces.language import _, ngettext
from games.faces.paint import CSRF, icon, plain, use
from games.faces.slots import Slot, fleeting, hole

ENTER = '<kbd aria-hidden="true">↵</kbd>'


def way(key: str) -> str:
    """Where the forms of an answer go."""
    return f'method="post" action="/m/{key}/play"'


@fleeting
def draw_form(key: str, ply: int, asked: Ask) -> str:
    """The right page with a question other than what to place or bid."""
    if isinstance(asked, Choice):
        forms = _forms(key, ply, "take", "", _take(asked))
    elif isinstance(asked, Payment):
        facts = f' data-due="{asked.due}" data-unit="{"gold" if asked.gold else "cards"}"'
        forms = _forms(key, ply, "pay" if asked.coins else "refuse", facts, _pay(asked))
    else:
        ways = ' data-ways="both"' if asked.two and asked.code == "C±" else ""
        forms = _forms(key, ply, "dice", f' data-count="{2 if asked.two else 1}"{ways}', _dice(asked))
    return f'<div id="act" class="bare">{forms}</div>'


@fleeting
def draw_bidding(key: str, ply: int, *bid: Any) -> str:
    """The right page with the question what to bid."""
    form = bid_form(Bidding(*bid))
    forms = _forms(key, ply, "bid", form.facts, form.inside)
    if form.more:
        inputs = f'<input type="hidden" name="ply" value="{ply}">{CSRF}'
        forms += f'<!--plain--><form id="answer-more" hidden {way(key)}>{inputs}</form><!--/plain-->'
    return f'<div id="act" class="act">{hole("bids")}{forms}{hole("orders")}</div>'


def _forms(key: str, ply: int, name: str, facts: str, inside: str) -> str:
    """The form of an answer, and the one for buttons that need nothing of it."""
    inputs = f'<input type="hidden" name="ply" value="{ply}">{CSRF}'
    form = f'<form id="answer" class="bare" {way(key)} data-answer="{name}"{facts}>{inputs}{inside}</form>'
    if 'form="answer-other"' not in inside:
        return form
    return f'{form}<form id="answer-other" hidden {way(key)} data-answer="other">{inputs}</form>'


# Which gift to take


@fleeting
def draw_pick(asked: Choice) -> str:
    """The public space, from which a card is chosen."""
    label, text = _("Public space: choose one"), _("Take %(card)s")
    cards = "".join([_card_choice(number, gift, text) for number, gift in enumerate(asked.gifts, 1)])
    return (
        f'<div id="focus" class="focus"><div class="card-row pick" role="radiogroup" aria-label="{label}">{cards}</div>'
        f'<p class="muted small">{_order(asked.later)}</p></div>'
    )


def _card_choice(number: int, gift: Gift, text: str) -> str:
    code = gift.code
    label = text % {"card": plain(card_name(code))}
    key = f' data-card="{gift.key}"' if gift.key else ""
    return (
        f'<label class="card-choice"><input class="option-{number} visually-hidden" type="radio" form="answer"'
        f' name="move" value="{gift.move}" required data-label="{label}" data-key="{number}"'
        f' aria-label="{plain(card_label(code))}"><span class="card big" data-cat="{code[0]}" aria-hidden="true"{key}'
        f' data-from="#deck">{card_art(code)}<span class="tick">{use("i-check")}</span></span></label>'
    )


def _order(later: Sequence[str]) -> str:
    if not later:
        return _("You take last.")
    if len(later) == 1:
        return _("You take, then %(name)s") % {"name": plain(later[0])}
    return _("You take, then %(first)s and %(second)s") % {"first": plain(later[0]), "second": plain(later[1])}


def _take(asked: Choice) -> str:
    lead, button = _("Choose one card"), _("Take it")
    effects = "".join([_effects(number, gift) for number, gift in enumerate(asked.gifts, 1)])
    return (
        f'<div class="act"><p class="serif lead when option-0">{lead}</p>{effects}'
        f'<div class="acts"><button class="button primary big" data-primary><span data-label>{button}</span>'
        f" {ENTER}</button></div></div>"
    )


def _effects(number: int, gift: Gift) -> str:
    """What a gift does, shown while it is chosen."""
    code = gift.code
    lead = _("Take %(card)s?") % {"card": plain(card_name(code))}
    if code in FAVOURS:
        effects = _effect(_("The bishop’s favour"), FAVOURS[code]())
    else:
        name = plain(categories()[code[0]])
        effects = f'<div><dt>{name}</dt><dd class="number">{gift.old} → <b>{gift.new}</b></dd></div>'
    if gift.letter:
        effects += _effect(_("Best letter"), gift.letter)
    if gift.left:
        effects += _effect(_("Left for the others"), "".join([note(other) for other in gift.left]))
    return (
        f'<div class="when option-{number} effect"><p class="serif lead">{lead}</p>'
        f'<dl class="effects small">{effects}</dl></div>'
    )


def _effect(name: str, text: str) -> str:
    return f"<div><dt>{name}</dt><dd>{text}</dd></div>"


FAVOURS: dict[str, Callable[[], str]] = {
    "C+": lambda: _("You may raise one die."),
    "C-": lambda: _("You may lower one die."),
    "C++": lambda: _("You may raise two dice."),
    "C--": lambda: _("You may lower two dice."),
    "C+-": lambda: _("You may raise or lower one die."),
    "C±": lambda: _("You may raise one die and lower another."),
}
"""What each Church card does."""


# Which dice to move


def _dice(asked: Favour) -> str:
    lead = _("Choose the second die") if asked.second else LEADS[asked.code]()
    pair = " pair" if len(asked.rows) > 1 else ""
    rows = "".join([_dice_row(asked.two, pair, sign, cells) for sign, cells in asked.rows])
    leave = move = ""
    if asked.may_leave:
        text = _("Leave the dice")
        leave = f'<button class="button big" form="answer-other" name="move" value="dice none">{text}</button>'
    if asked.rows:
        text = _("Move the dice") if asked.two else _("Move the die")
        move = f'<button class="button primary big" data-primary><span data-label>{text}</span> {ENTER}</button>'
    acts = f'<div class="acts{" two" if asked.may_leave else ""}">{leave}{move}</div>'
    return f'<div class="act"><p class="serif lead">{lead}</p>{rows}{acts}</div>'


def _dice_row(two: bool, pair: str, sign: str, cells: Sequence[DieMove]) -> str:
    up = sign == "+"
    label = _("Dice up") if up else _("Dice down")
    text = _("%(category)s from %(old)s up to %(new)s") if up else _("%(category)s from %(old)s down to %(new)s")
    arrow, kind, required = "▲" if up else "▼", "checkbox" if two else "radio", "" if two else " required"
    dice = []
    for move, is_open, letter, old, new in cells:
        name = plain(categories()[letter])
        off, disabled = ("", "") if is_open else (" off", " disabled")
        dice.append(
            f'<label class="die-choice{off}" data-cat="{letter}"><input class="visually-hidden" type="{kind}"'
            f' name="move" value="{move}"{disabled}{required} data-name="{name}" data-from="{old}" data-to="{new}"'
            f' aria-label="{text % {"category": name, "old": old, "new": new}}">'
            f'<span aria-hidden="true">{die_face(f"{letter}{old}")}</span>'
            f'<span class="die-name" aria-hidden="true">{name}</span>'
            f'<span class="number die-value" aria-hidden="true">{old}</span>'
            f'<span class="direction" aria-hidden="true">{arrow}</span></label>'
        )
    return f'<div class="dice-choices{pair}" role="group" data-rove aria-label="{label}">{"".join(dice)}</div>'


LEADS: dict[str, Callable[[], str]] = {
    "C+": lambda: _("Choose a die to raise"),
    "C-": lambda: _("Choose a die to lower"),
    "C++": lambda: _("Choose two dice to raise"),
    "C--": lambda: _("Choose two dice to lower"),
    "C+-": lambda: _("Choose a die to raise or lower"),
    "C±": lambda: _("Choose one die to raise, another to lower"),
}
"""What each Church card asks."""


# What to pay with


def _pay(asked: Payment) -> str:
    gold, due = asked.gold, asked.due
    cost = (
        _("Not paying costs you a random card, discarded.")
        if asked.discards
        else _("Not paying costs you a random card to each rival.")
    )
    if not asked.coins:
        return _cannot_pay(asked, cost)
    if gold:
        chosen = [coin.worth for coin in asked.coins if coin.on]
        paid, total, label = sum(chosen), " + ".join(map(str, chosen)), _("Your gold")
    else:
        paid, total, label = 0, str(due), _("Your cards")
    many = (" many gold" if gold else " many cards") if len(asked.coins) > 5 else ""
    coins = "".join([_pay_choice(coin) for coin in asked.coins])
    return (
        f'<div class="act"><p class="serif lead">{_pay_lead(gold, due)}</p>'
        f'<div class="pay-row{many}" role="group" data-rove aria-label="{label}">{coins}</div>'
        f"{_meter(paid, due)}{_pay_buttons(total, cost if asked.may_refuse else '')}</div>"
    )


def _pay_lead(gold: bool, due: int) -> str:
    words = {"due": due}
    if gold:
        return _("Pay %(due)s gold") % words
    return ngettext("Pay %(due)s card, face down", "Pay %(due)s cards, face down", due) % words


def _pay_choice(coin: Coin) -> str:
    move, code, worth, on = coin
    return (
        f'<label class="pay-choice"><input class="visually-hidden" type="checkbox" name="move" value="{move}"'
        f' data-worth="{worth}"{" checked" if on else ""} aria-label="{plain(card_label(code))}">'
        f'<span class="card" data-cat="{code[0]}" aria-hidden="true">{card_art(code)}'
        f'<span class="tick">{use("i-check")}</span></span></label>'
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


def _pay_buttons(total: str, cost: str) -> str:
    """The buttons; with what it costs not to pay, if that is allowed."""
    label, pay = _("Pay %(sum)s") % {"sum": total}, _("Pay")
    button = (
        f'<button class="button primary big" data-primary><span data-label>{label}</span>'
        f'<span class="unscripted">{pay}</span> {ENTER}</button>'
    )
    if not cost:
        return f'<div class="acts">{button}</div>'
    refuse, sure = _("Do not pay…"), _("I do not pay")
    return (
        f'<div class="acts two"><details class="refuse"><summary class="button danger big">{refuse}</summary>'
        f'<p class="small">{cost}</p><button class="button danger" form="answer-other" name="move"'
        f' value="refuse">{sure}</button></details>{button}</div><p class="tiny muted cost">{cost}</p>'
    )


def _cannot_pay(asked: Payment, cost: str) -> str:
    held, button = asked.held, _("I cannot pay")
    if asked.gold:
        why = _("You cannot pay: you hold %(gold)s gold.") % {"gold": held}
    else:
        why = ngettext(
            "You cannot pay: you hold %(count)s card.", "You cannot pay: you hold %(count)s cards.", held
        ) % {"count": held}
    return (
        f'<div class="act"><p class="serif lead">{_pay_lead(asked.gold, asked.due)}</p>'
        f'<p class="small"><span class="alert">{icon("alert")}</span> {why}</p><p class="small muted">{cost}</p>'
        '<div class="acts"><button class="button primary big" form="answer-other" name="move" value="refuse"'
        f" data-primary>{button}</button></div></div>"
    )


def draw_penalty(lost: tuple[tuple[str, str], ...], code: str, bids: bool, orders: bool) -> str:
    """The right page after a refusal to pay: the cards that it cost, with the names of those who drew them."""
    lead, title = _("You did not pay"), plain(card_title(code))
    cards = "".join([f"<li>{picture(card)}<span>{_lost(card, thief)}</span></li>" for card, thief in lost])
    again = _("%(card)s is auctioned again, without you.") % {"card": title}
    rest = [hole(name) for name, there in (("bids", bids), ("orders", orders)) if there]
    return (
        '<div id="act" class="act waitbox">'
        f'<p class="serif lead"><span class="alert">{icon("alert")}</span> {lead}</p>'
        f'{f"""<ul class="lost">{cards}</ul>""" if lost else ""}<p class="small muted">{again}</p>{"".join(rest)}</div>'
    )


def _lost(code: str, thief: str) -> str:
    if thief:
        drew = _("drew %(card)s") % {"card": note(code)}
        return f"<b><bdi>{plain(thief)}</bdi></b><br>{drew}"
    return _("Lost: %(card)s") % {"card": note(code)}


# Standing orders


def _order_way(key: str) -> str:
    return f'method="post" action="/m/{key}/orders" data-post'


def draw_orders(key: str, gold: bool, on: bool) -> str:
    """The orders that the viewer may give; `on`: whether there are any, `gold`: that to pass on gold."""
    title, explanation = _("Orders for when it is my turn"), _("Orders wait as long as you might. Nobody is told.")
    given, on_gold, pass_ = _("on"), _("You pass on all gold cards."), _("Pass on all gold cards")
    tag = f' <span class="tag you">{given}</span>' if on else ""
    if gold:
        row = f"<span>{on_gold}</span> {_take_back('gold')}"
    else:
        row = f'<button class="button small" name="order" value="gold">{pass_}</button>'
    return (
        f'<details id="orders" class="orders small"><summary>{title}{tag}</summary>{hole("order")}'
        f'<form {_order_way(key)}>{CSRF}<p class="row">{row}</p></form><p class="muted">{explanation}</p></details>'
    )


NO_ORDER: Slot = str, '<div id="order" hidden></div>'


def draw_order(key: str, lot: int, limit: int | None) -> str:
    """The orders for the present lot."""
    if limit is None:
        label, give, pass_ = _("For this card, bid up to"), _("Set"), _("Pass on this card")
        bid = '<button class="button small" name="order" value="bid"'
        row = f'<label>{label} {hole("limit")}</label> {bid}>{give}</button> {bid} form="order-pass">{pass_}</button>'
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


def draw_limit(low: int, high: int) -> str:
    """The input for the highest bid that an order makes."""
    return (
        '<input id="limit" class="input number" type="number" name="value" inputmode="numeric"'
        f' min="{low}" max="{high}" value="{low}">'
    )
