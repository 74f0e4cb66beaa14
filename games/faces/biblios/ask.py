"""The forms in which players of Biblios answer: the context of each question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import GOLD, TEXTS, VALUES
from games.engine.biblios.church import first_die, moves_two, second_die
from games.engine.biblios.notation import (
    DIE,
    MOVE_TEXTS,
    PAY,
    PAY_CARDS,
    PAY_GOLD,
    REFUSE,
    SECOND_DIE,
    TAKE_GIFT,
)
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import card_name, categories, code_of
from games.faces.biblios.scriptorium import best_of, totals
from games.faces.biblios.stage import key_in, space_cards
from games.faces.language import _, ngettext

Change = tuple[str, int, int]
"""A category, and its total before and after."""


class Well(NamedTuple):
    """A place for the card that was drawn."""

    move: str
    cards: tuple[tuple[str, str], ...]
    """Code and key of the cards that lie there."""
    slots: int
    open: bool
    key: int
    """The key that presses it."""
    effect: Change | None = None
    """What a card that may be kept does."""


class Gift(NamedTuple):
    """A card that may be taken."""

    move: str
    code: str
    key: str
    name: str
    category: str
    """The name of its category."""
    old: int
    new: int
    """The total of the category before and after."""
    letter: str
    church: str
    left: tuple[str, ...]
    """The codes of the cards that remain."""


class DieMove(NamedTuple):
    """A die and the way it may be moved."""

    move: str
    open: bool
    letter: str
    name: str
    value: int
    new: int


class Coin(NamedTuple):
    """A card to pay with."""

    move: str
    code: str
    worth: int
    on: bool


WELLS: dict[str, Callable[[], tuple[str, str]]] = {
    "keep": lambda: (_("Keep"), ""),
    "public": lambda: (_("Public"), _("Face up, for the others")),
    "auction": lambda: (_("Auction"), _("Secret, sold later")),
}
"""The name of each well, and what happens to the card there."""
ANSWERS = {TAKE_GIFT: "take", DIE: "dice", SECOND_DIE: "dice"}
"""The script's names of the forms; `place`, `bid`, `pay` and `refuse` besides."""


def answers(view: BibliosView, names: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """The name of the form for any question but what to place or bid, and the hashable values for its template."""
    legal = [MOVE_TEXTS[move] for move in view.legal]
    ask = {
        TAKE_GIFT: _choose,
        DIE: _church,
        SECOND_DIE: _church,
        PAY_GOLD: _pay_gold,
        PAY_CARDS: _pay_cards,
    }[view.question](view, legal, names)
    return ANSWERS.get(view.question) or ("pay" if ask["cards"] else "refuse"), ask


def effect(category: str, old: int, new: int) -> str:
    """The effect of a card on the viewer's hand: `Monks 5 → 8`."""
    if category == "C":
        return _("The bishop’s favour, at once")
    return _("%(category)s %(old)s → %(new)s") % {"category": categories()[category], "old": old, "new": new}


def well_text(move: str, is_open: bool, change: Change | None) -> str:
    """What happens to the card in a well."""
    if not is_open:
        return _("Full")
    return effect(*change) if change else WELLS[move]()[1]


def wells(view: BibliosView) -> list[Well]:
    """The places for the card that the viewer has drawn."""
    assert view.drawn is not None
    legal = [MOVE_TEXTS[move] for move in view.legal]
    kept = () if view.kept is None else ((code_of(view.kept), key_in(view, view.kept)),)
    full = int(not view.room & 1 and not kept)  # the Church card that was kept is gone already
    space = tuple([(card.code, card.key) for card in space_cards(view)])
    given = () if "auction" in legal else (("back", ""),)
    category = TEXTS[view.drawn][0]
    old = totals(view.hand)[category]
    change = (category, old, old + VALUES[view.drawn]) if "keep" in legal else None
    return [
        Well("keep", kept, 1 - full - len(kept), "keep" in legal, 1, change),
        Well("public", space, view.setup.seats - 1 - len(space), "public" in legal, 2),
        Well("auction", given, 1 - len(given), "auction" in legal, 3),
    ]


def _choose(view: BibliosView, legal: list[str], names: Sequence[str]) -> dict[str, Any]:
    assert view.me is not None
    after = view.setup.after[view.active]
    later = after[after.index(view.me) + 1 :]
    options = []
    space = space_cards(view)
    sums = totals(view.hand)
    for move in view.legal:
        text = MOVE_TEXTS[move]
        code = text.removeprefix("take ")
        card = next(card for card in space if TEXTS[card.kind] == code)
        category = code[0]
        options.append(
            Gift(
                text,
                card.code,
                card.key,
                card_name(card.code),
                categories()[category],
                sums[category],
                sums[category] + VALUES[card.kind],
                best_of((*view.hand, card.kind), category) if category in LETTERS else "",
                _church_effect(card.code) if category == "C" else "",
                tuple([other.code for other in space if other is not card]),
            )
        )
    return {"options": tuple(options), "later": tuple([names[seat] for seat in later])}


def _church_effect(code: str) -> str:
    return {
        "C+": _("You may raise one die."),
        "C-": _("You may lower one die."),
        "C++": _("You may raise two dice."),
        "C--": _("You may lower two dice."),
        "C+-": _("You may raise or lower one die."),
        "C±": _("You may raise one die and lower another."),
    }[code]


def _church(view: BibliosView, legal: list[str], names: Sequence[str]) -> dict[str, Any]:
    assert view.card is not None
    both = view.setup.both_ways
    two = view.question == DIE and moves_two(view.card, both)
    offered = set(view.legal)
    if two:
        for first_move in first_die(view.card, view.dice, both):
            text = MOVE_TEXTS[first_move]
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
            new = value + (1 if sign == "+" else -1)
            cells.append(DieMove(move, move in texts, letter, categories()[letter], value, new))
        if any(cell.open for cell in cells):
            rows.append((sign, tuple(cells)))
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
        "rows": tuple(rows),
        "two": two,
        "both": two and code_of(view.card, both) == "C±",
        "lead": lead,
        "may_leave": "dice none" in legal,
    }


def cheapest(gold: Sequence[int], due: int) -> list[int]:
    """The gold to pay with: as little as covers the bid, no card superfluous, dearest first; empty if impossible."""
    best: dict[int, list[int]] = {0: []}
    for value in sorted(gold, reverse=True):
        for total, cards in sorted(best.items(), reverse=True):
            best.setdefault(total + value, [*cards, value])
    paid = min((total for total in best if total >= due), default=0)
    return best[paid] if paid else []


def _pay_gold(view: BibliosView, legal: list[str], names: Sequence[str]) -> dict[str, Any]:
    coins = [kind for kind in view.hand if GOLD <= kind <= view.bound]
    chosen = cheapest([VALUES[kind] for kind in coins], view.due)
    left = Counter(chosen)
    cards = []
    for kind in sorted(coins, reverse=True):
        value = VALUES[kind]
        on = left[value] > 0
        left[value] -= on
        cards.append(Coin(MOVE_TEXTS[PAY + kind], TEXTS[kind], value, on))
    return _pay(view, cards if view.legal != (REFUSE,) else []) | {
        "unit": "gold",
        "paid": sum(chosen),
        "sum": " + ".join(map(str, chosen)),
        "held": totals(view.hand)["G"],
        "lead": _("Pay %(due)s gold") % {"due": view.due},
    }


def _pay_cards(view: BibliosView, legal: list[str], names: Sequence[str]) -> dict[str, Any]:
    payable = [kind for kind in view.hand if kind >= view.bound]
    cards = [Coin(MOVE_TEXTS[PAY + kind], TEXTS[kind], 1, False) for kind in payable]
    due = {"due": view.due}
    return _pay(view, cards if view.legal != (REFUSE,) else []) | {
        "unit": "cards",
        "paid": 0,
        "sum": str(view.due),
        "lead": ngettext("Pay %(due)s card, face down", "Pay %(due)s cards, face down", view.due) % due,
    }


def _pay(view: BibliosView, cards: list[Coin]) -> dict[str, Any]:
    held = len(view.hand)
    if view.setup.penalty_discards:
        cost = _("Not paying costs you a random card, discarded.")
    else:
        cost = _("Not paying costs you a random card to each rival.")
    return {
        "cards": tuple(cards),
        "due": view.due,
        "may_refuse": REFUSE in view.legal,
        "cost": cost,
        "held": held,
    }
