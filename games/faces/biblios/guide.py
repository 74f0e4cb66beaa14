"""The guided first game: which lesson each decision brings when it first comes up, and the signs of the table."""

from __future__ import annotations

from collections.abc import Container

from games.engine.biblios.cards import CATEGORIES, CHURCH, GOLD, ONE_DOWN, ONE_UP, TWO_DOWN, TWO_UP, VALUES
from games.engine.biblios.church import moves_two
from games.engine.biblios.notation import BID, DIE, PAY_CARDS, PAY_GOLD, PLACE, REFUSE, TAKE_GIFT
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import CATEGORIES as NAMES
from games.faces.biblios.art import card_name, code_of
from games.faces.guide import AIM, END, Guide, Spot
from games.faces.paint import PaintBox


def brings(view: BibliosView, told: Container[str]) -> str:
    """The lesson that a question brings: the decision, else its Church card, a rival's penalty, a sign of the table."""
    asked = decision(view)
    if asked and asked not in told:
        return asked
    if asked in ("place", "full") and view.drawn is not None and view.drawn >= CHURCH and "church" not in told:
        return "church"
    if "drew" not in told and any(source != view.me for source, _target, _kind in view.penalties):
        return "drew"
    return next((name for name in SIGNS if name not in told), "") if asked else ""


def decision(view: BibliosView) -> str:
    """The kind of decision that a view asks of its owner, as lessons are named; empty if it needs no lesson."""
    question = view.question
    if question == PLACE:
        return "place" if all(places(view)) else "full"
    if question == TAKE_GIFT:
        return "gift"
    if question == DIE and view.card is not None:
        return "two_dice" if moves_two(view.card, view.setup.both_ways) else "one_die"
    if question == BID:
        return "bid_cards" if is_gold(view.card) else "bid_gold"
    if question in (PAY_GOLD, PAY_CARDS) and view.due == view.high:
        if view.legal == (REFUSE,):
            return "cannot_pay"
        return "pay_cards" if question == PAY_CARDS else "pay_gold"
    return ""


# What the template asks


def places(view: BibliosView) -> tuple[int, int, int]:
    """How many cards may still be kept, hidden for the auctions, and left in the open in this turn."""
    return view.room & 1, view.room >> 1 & 1, view.room >> 2


def is_gold(kind: int | None) -> bool:
    """Whether a card is gold."""
    return kind is not None and GOLD <= kind < CHURCH


def card_in(view: BibliosView, kind: int) -> str:
    """A card in a sentence, as the options of the table name it."""
    return card_name(code_of(kind, view.setup.both_ways))


def gold_in(view: BibliosView) -> int:
    """The gold in the own hand."""
    return sum(VALUES[kind] for kind in view.hand if kind >= GOLD)


def best_total(view: BibliosView) -> tuple[str, int, int] | None:
    """The category of which the own hand has most, its total and what its die shows; None without such a card."""
    totals = [sum(VALUES[kind] for kind in view.hand if kind // 9 == category) for category in range(5)]
    best = totals.index(max(totals))
    return (str(NAMES[CATEGORIES[best]]), totals[best], view.dice[best]) if totals[best] else None


def penalty_of_a_rival(view: BibliosView) -> tuple[int, int]:
    """Who was the first rival not to pay, and a card that it cost them."""
    return next((source, kind) for source, _target, kind in view.penalties if source != view.me)


def drawn_by_me(view: BibliosView) -> int | None:
    """The first card that a penalty brought into the own hand."""
    return next((kind for _source, target, kind in view.penalties if target == view.me), None)


QUESTION, TOTALS = "#stage", "#canon"
PLACES = {
    AIM: Spot(TOTALS, "goal"),
    **dict.fromkeys(("place", "full", "gift"), Spot(QUESTION, "gifts")),
    **dict.fromkeys(("church", "one_die", "two_dice"), Spot(QUESTION, "church")),
    **dict.fromkeys(
        ("bid_gold", "bid_cards", "pay_gold", "pay_cards", "cannot_pay", "drew"), Spot(QUESTION, "auctions")
    ),
    "letters": Spot("#hand", "end"),
    "seen": Spot(TOTALS, "goal"),
    "count": Spot("#count", "goal"),
    "first": Spot(TOTALS, "auctions"),
    "notation": Spot("[data-pane=moves]", "notation"),
    END: Spot(".dice-columns", "end"),
}
SIGNS = "letters", "seen", "count", "first", "notation"
"""Lessons about the signs of the table, in this order, at questions that need no words of their own."""
TOOLS = {
    **{"best_total": best_total, "card": card_in, "drawn_by_me": drawn_by_me},
    **{"gold_in": gold_in, "is_gold": is_gold, "penalty_of_a_rival": penalty_of_a_rival, "places": places},
    **{"CHURCH": CHURCH, "ONE_UP": ONE_UP, "ONE_DOWN": ONE_DOWN, "TWO_UP": TWO_UP, "TWO_DOWN": TWO_DOWN},
    "PAY_GOLD": PAY_GOLD,
}
"""What the template may use."""
GUIDE = Guide(PaintBox("biblios", **TOOLS), PLACES, brings)
