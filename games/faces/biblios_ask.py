"""How a player of Biblios answers: what the form of each question needs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import GOLD, TEXTS, VALUES
from games.engine.biblios.church import first_die, moves_two, second_die
from games.engine.biblios.notation import (
    BID,
    DIE,
    MOVE_TEXTS,
    PASS,
    PAY,
    PAY_CARDS,
    PAY_GOLD,
    PLACE,
    REFUSE,
    SECOND_DIE,
    TAKE_GIFT,
)
from games.engine.biblios.view import BibliosView
from games.faces.biblios import card_name, categories, code_of
from games.faces.biblios_stage import in_gold, key_in, space_cards
from games.faces.biblios_table import Person, best_of, totals
from games.faces.language import _, ngettext
from games.scene import Scene

CHIPS = 6
"""How many bids have a button of their own."""


ANSWERS = {PLACE: "place", TAKE_GIFT: "take", DIE: "dice", SECOND_DIE: "dice", BID: "bid"}
"""What the script of the page calls the forms; `pay` and `refuse` besides."""


def answers(scene: Scene, everybody: list[Person]) -> dict[str, Any]:
    """What the form of the present question needs."""
    view = scene.view
    legal = [MOVE_TEXTS[move] for move in view.legal]
    ask = {
        PLACE: _gift,
        TAKE_GIFT: _choose,
        DIE: _church,
        SECOND_DIE: _church,
        BID: _bid,
        PAY_GOLD: _pay_gold,
        PAY_CARDS: _pay_cards,
    }[view.question](scene, view, legal, everybody)
    return {"answer": ANSWERS.get(view.question) or ("pay" if ask["cards"] else "refuse"), **ask}


def effect(view: BibliosView, kind: int) -> str:
    """What a card does for the viewer's hand: `Monks 5 → 8`."""
    category = TEXTS[kind][0]
    if category == "C":
        return church_words_of(view, kind)
    old = totals(view.hand)[category]
    words = {"category": categories()[category], "old": old, "new": old + VALUES[kind]}
    return _("%(category)s %(old)s → %(new)s") % words


def church_words_of(view: BibliosView, kind: int) -> str:
    return _("The bishop’s favour, at once") if kind >= GOLD + 3 else ""


def _gift(scene, view, legal, everybody):
    n = view.table.seats
    kept = [] if view.kept is None else [{"code": code_of(view.kept), "key": key_in(view, view.kept)}]
    given = [{"code": "back", "key": ""}] if "auction" not in legal else []
    if view.room & 1 == 0 and not kept:  # the Church card that was kept is gone already
        kept = [{"code": "", "key": ""}]
    wells = [
        ("keep", "keep", _("Keep"), kept, 1, effect(view, view.drawn)),
        ("public", "public", _("Public"), space_cards(view), n - 1, _("Face up, for the others")),
        ("auction", "auction", _("Auction"), given, 1, _("Secret, sold later")),
    ]
    return {
        "wells": [
            {
                "move": move,
                "icon": icon,
                "name": name,
                "cards": [card for card in cards if card["code"]],
                "slots": room - len(cards),
                "text": text if move in legal else _("Full"),
                "open": move in legal,
                "key": key,
            }
            for key, (move, icon, name, cards, room, text) in enumerate(wells, 1)
        ]
    }


def _choose(scene, view, legal, everybody):
    after = view.table.after[view.active]
    later = list(after[after.index(scene.me) + 1 :])
    options = []
    space = space_cards(view)
    for move in view.legal:
        code = MOVE_TEXTS[move].removeprefix("take ")
        card = next(card for card in space if TEXTS[card["kind"]] == code)
        rest = [other for other in space if other is not card]
        category = code[0]
        sums = totals(view.hand)
        options.append(
            {
                "move": MOVE_TEXTS[move],
                "code": card["code"],
                "key": card["key"],
                "name": card_name(card["code"]),
                "category": category,
                "old": sums[category],
                "new": sums[category] + VALUES[card["kind"]],
                "letter": best_of((*view.hand, card["kind"]), category) if category in LETTERS else "",
                "church": _church_effect(card["code"]) if category == "C" else "",
                "left": [other["code"] for other in rest],
            }
        )
    return {"options": options, "later": [everybody[seat].name for seat in later]}


def _church_effect(code):
    return {
        "C+": _("You may raise one die."),
        "C-": _("You may lower one die."),
        "C++": _("You may raise two dice."),
        "C--": _("You may lower two dice."),
        "C+-": _("You may raise or lower one die."),
        "C±": _("You may raise one die and lower another."),
    }[code]


def _church(scene, view, legal, everybody):
    both = view.table.both_ways
    two = view.question == DIE and moves_two(view.card, both)
    offered = set(view.legal)
    if two:
        for move in first_die(view.card, view.dice, both):
            text = MOVE_TEXTS[move]
            if text != "dice none":
                first = LETTERS.index(text[5])
                dice = list(view.dice)
                dice[first] += 1 if text[6] == "+" else -1
                offered.update(second_die(view.card, tuple(dice), first))
    texts = {MOVE_TEXTS[move] for move in offered}
    rows = []
    for sign in "+-":
        cells = []
        for at, letter in enumerate(LETTERS):
            move = f"dice {letter}{sign}"
            value = view.dice[at]
            cells.append(
                {
                    "move": move,
                    "open": move in texts,
                    "letter": letter,
                    "name": categories()[letter],
                    "value": value,
                    "new": value + (1 if sign == "+" else -1),
                }
            )
        if any(cell["open"] for cell in cells):
            rows.append({"sign": sign, "cells": cells})
    lead = {
        "C+": _("Choose a die to raise"),
        "C-": _("Choose a die to lower"),
        "C++": _("Choose two dice to raise"),
        "C--": _("Choose two dice to lower"),
        "C+-": _("Choose a die to raise or lower"),
        "C±": _("Choose one die to raise, another to lower"),
    }[code_of(view.card, both)]
    if view.question == SECOND_DIE:
        lead = _("Choose the second die")
    return {
        "rows": rows,
        "two": two,
        "both": two and code_of(view.card, both) == "C±",
        "lead": lead,
        "may_leave": "dice none" in legal,
    }


def cheapest(gold: list[int], due: int) -> list[int]:
    """The gold to pay with: as little as covers the bid, no card superfluous, dearest first; empty if it cannot be."""
    best: dict[int, list[int]] = {0: []}
    for value in sorted(gold, reverse=True):
        for total, cards in sorted(best.items(), reverse=True):
            best.setdefault(total + value, [*cards, value])
    paid = min((total for total in best if total >= due), default=0)
    return best[paid] if paid else []


def _bid(scene, view, legal, everybody):
    gold = in_gold(view)
    coins = [VALUES[kind] for kind in view.hand if GOLD <= kind < GOLD + 3]
    own = sum(coins) if gold else len(view.hand)
    bids = [move - PASS for move in view.legal if move > PASS]
    chips = [
        {"bid": bid, "move": f"bid {bid}", "note": _bid_note(bid, coins, own, gold), "label": _bid_label(bid, gold)}
        for bid in bids[:CHIPS]
        if bid <= own
    ]
    more = bids[len(chips) :]
    return {
        "gold": gold,
        "own": own,
        "chips": chips,
        "more": more,
        "bluff": bool(more) and more[0] > own,
        "own_note": _own_note(own, gold),
        "can_bid": bool(bids),
    }


def _bid_label(bid, gold):
    words = {"bid": bid}
    return _("Bid %(bid)s") % words if gold else ngettext("Bid %(bid)s card", "Bid %(bid)s cards", bid) % words


def _own_note(own, gold):
    words = {"own": own}
    if gold:
        return _("You hold %(own)s gold.") % words
    return ngettext("You hold %(own)s card.", "You hold %(own)s cards.", own) % words


def _bid_note(bid, coins, own, gold):
    if not gold:
        words = {"own": own, "bid": bid}
        return (
            ngettext(
                "You hold %(own)s cards. You would discard %(bid)s of your choice, unseen.",
                "You hold %(own)s cards. You would discard %(bid)s of your choice, unseen.",
                bid,
            )
            % words
        )
    cards = cheapest(coins, bid)
    words = {"own": own, "bid": bid, "cards": " + ".join(map(str, cards)), "over": sum(cards) - bid}
    if words["over"]:
        return _("You hold %(own)s. A bid of %(bid)s costs you %(cards)s, %(over)s too much.") % words
    return _("You hold %(own)s. A bid of %(bid)s can be paid exactly: %(cards)s.") % words


def _pay_gold(scene, view, legal, everybody):
    coins = [kind for kind in view.hand if GOLD <= kind <= view.bound]
    chosen = cheapest([VALUES[kind] for kind in coins], view.due)
    left = Counter(chosen)
    cards = []
    for kind in sorted(coins, reverse=True):
        value = VALUES[kind]
        on = left[value] > 0
        left[value] -= on
        cards.append({"move": MOVE_TEXTS[PAY + kind], "code": TEXTS[kind], "worth": value, "on": on})
    return _pay(scene, view, cards if view.legal != (REFUSE,) else []) | {
        "unit": "gold",
        "paid": sum(chosen),
        "sum": " + ".join(map(str, chosen)),
        "held": totals(view.hand)["G"],
        "lead": _("Pay %(due)s gold") % {"due": view.due},
    }


def _pay_cards(scene, view, legal, everybody):
    payable = [kind for kind in view.hand if kind >= view.bound]
    cards = [{"move": MOVE_TEXTS[PAY + kind], "code": TEXTS[kind], "worth": 1, "on": False} for kind in payable]
    due = {"due": view.due}
    return _pay(scene, view, cards if view.legal != (REFUSE,) else []) | {
        "unit": "cards",
        "paid": 0,
        "sum": str(view.due),
        "lead": ngettext("Pay %(due)s card, face down", "Pay %(due)s cards, face down", view.due) % due,
    }


def _pay(scene, view, cards):
    held = len(view.hand)
    if view.table.penalty_discards:
        cost = _("Not paying costs you a random card, discarded.")
    else:
        cost = _("Not paying costs you a random card to each rival.")
    return {
        "cards": cards,
        "due": view.due,
        "may_refuse": REFUSE in view.legal,
        "cost": cost,
        "held": held,
    }
