"""The forms in which players of Biblios answer: the context of each question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

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
from games.faces.biblios.art import card_name, categories, code_of
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import Person, best_of, totals
from games.faces.biblios.stage import in_gold, key_in, space_cards
from games.faces.language import _, language, ngettext

CHIPS = 6
"""The number of bids with buttons of their own."""


class Well(NamedTuple):
    """A place for the card that was drawn."""

    move: str
    icon: str
    name: str
    cards: tuple[tuple[str, str], ...]
    """Code and key of the cards that lie there."""
    slots: int
    text: str
    open: bool
    key: int
    """The key that presses it."""


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


class Chip(NamedTuple):
    """A bid with a button of its own."""

    bid: int
    move: str
    note: str
    label: str


class Coin(NamedTuple):
    """A card to pay with."""

    move: str
    code: str
    worth: int
    on: bool


ANSWERS = {PLACE: "place", TAKE_GIFT: "take", DIE: "dice", SECOND_DIE: "dice", BID: "bid"}
"""The script's names of the forms; `pay` and `refuse` besides."""


def answers(scene: Scene, everybody: list[Person]) -> tuple[str, dict[str, Any]]:
    """The name of the present question's form, and the hashable values for its template."""
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
    return ANSWERS.get(view.question) or ("pay" if ask["cards"] else "refuse"), ask


def effect(view: BibliosView, kind: int) -> str:
    """The effect of a card on the viewer's hand: `Monks 5 → 8`."""
    category = TEXTS[kind][0]
    if category == "C":
        return church_words_of(view, kind)
    old = totals(view.hand)[category]
    words = {"category": categories()[category], "old": old, "new": old + VALUES[kind]}
    return _("%(category)s %(old)s → %(new)s") % words


def church_words_of(view: BibliosView, kind: int) -> str:
    return _("The bishop’s favour, at once") if kind >= GOLD + 3 else ""


def _gift(scene: Scene, view: BibliosView, legal: list[str], everybody: list[Person]) -> dict[str, Any]:
    assert view.drawn is not None
    n = view.setup.seats
    kept = [] if view.kept is None else [(code_of(view.kept), key_in(view, view.kept))]
    full = int(not view.room & 1 and not kept)  # the Church card that was kept is gone already
    space = [(card.code, card.key) for card in space_cards(view)]
    given = [] if "auction" in legal else [("back", "")]
    wells = [
        ("keep", _("Keep"), kept, 1 - full, effect(view, view.drawn)),
        ("public", _("Public"), space, n - 1, _("Face up, for the others")),
        ("auction", _("Auction"), given, 1, _("Secret, sold later")),
    ]
    made = []
    for key, (move, name, cards, room, text) in enumerate(wells, 1):
        is_open = move in legal
        text = text if is_open else _("Full")
        made.append(Well(move, move, name, tuple(cards), room - len(cards), text, is_open, key))
    return {"wells": tuple(made)}


def _choose(scene: Scene, view: BibliosView, legal: list[str], everybody: list[Person]) -> dict[str, Any]:
    assert scene.me is not None
    after = view.setup.after[view.active]
    later = after[after.index(scene.me) + 1 :]
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
    return {"options": tuple(options), "later": tuple([everybody[seat].name for seat in later])}


def _church_effect(code: str) -> str:
    return {
        "C+": _("You may raise one die."),
        "C-": _("You may lower one die."),
        "C++": _("You may raise two dice."),
        "C--": _("You may lower two dice."),
        "C+-": _("You may raise or lower one die."),
        "C±": _("You may raise one die and lower another."),
    }[code]


def _church(scene: Scene, view: BibliosView, legal: list[str], everybody: list[Person]) -> dict[str, Any]:
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


def _bid(scene: Scene, view: BibliosView, legal: list[str], everybody: list[Person]) -> dict[str, Any]:
    gold = in_gold(view)
    coins = tuple([VALUES[kind] for kind in view.hand if GOLD <= kind < GOLD + 3])
    bids = [move - PASS for move in view.legal if move > PASS]
    own = sum(coins) if gold else len(view.hand)
    return _bids(language(), gold, coins if gold else (), own, bids[0] if bids else 0, bids[-1] if bids else 0)


@lru_cache(maxsize=4000)
def _bids(language: str, gold: bool, coins: tuple[int, ...], own: int, low: int, high: int) -> dict[str, Any]:
    """The possible bids from `low` to `high` (0: nothing) for a player with these cards."""
    chips = tuple(
        [
            Chip(bid, f"bid {bid}", _bid_note(bid, coins, own, gold), _bid_label(bid, gold))
            for bid in range(low, min(low + CHIPS, own + 1, high + 1))
            if low
        ]
    )
    first = low + len(chips)
    return {
        "gold": gold,
        "own": own,
        "chips": chips,
        "first": first,
        "last": high if low and first <= high else 0,
        "bluff": first > own,
        "own_note": _own_note(own, gold),
        "can_bid": low > 0,
    }


def _bid_label(bid: int, gold: bool) -> str:
    words = {"bid": bid}
    return _("Bid %(bid)s") % words if gold else ngettext("Bid %(bid)s card", "Bid %(bid)s cards", bid) % words


def _own_note(own: int, gold: bool) -> str:
    words = {"own": own}
    if gold:
        return _("You hold %(own)s gold.") % words
    return ngettext("You hold %(own)s card.", "You hold %(own)s cards.", own) % words


def _bid_note(bid: int, coins: tuple[int, ...], own: int, gold: bool) -> str:
    if not gold:
        return ngettext(
            "You hold %(own)s cards. You would discard %(bid)s of your choice, unseen.",
            "You hold %(own)s cards. You would discard %(bid)s of your choice, unseen.",
            bid,
        ) % {"own": own, "bid": bid}
    cards = cheapest(coins, bid)
    over = sum(cards) - bid
    words = {"own": own, "bid": bid, "cards": " + ".join(map(str, cards)), "over": over}
    if over:
        return _("You hold %(own)s. A bid of %(bid)s costs you %(cards)s, %(over)s too much.") % words
    return _("You hold %(own)s. A bid of %(bid)s can be paid exactly: %(cards)s.") % words


def _pay_gold(scene: Scene, view: BibliosView, legal: list[str], everybody: list[Person]) -> dict[str, Any]:
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


def _pay_cards(scene: Scene, view: BibliosView, legal: list[str], everybody: list[Person]) -> dict[str, Any]:
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
