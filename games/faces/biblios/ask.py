"""What players of Biblios are asked, as values: the forms in `forms` and `bidding` are drawn from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import GOLD, TEXTS, VALUES
from games.engine.biblios.church import first_die, moves_two, second_die
from games.engine.biblios.notation import (
    DIE,
    MOVE_TEXTS,
    NO_DIE,
    PAY,
    PAY_CARDS,
    PAY_GOLD,
    REFUSE,
    SECOND_DIE,
    TAKE,
    TAKE_GIFT,
)
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import categories, code_of
from games.faces.biblios.scriptorium import best_of, totals
from games.faces.biblios.stage import key_in, space_cards
from games.faces.language import _

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
    old: int
    new: int
    """The total of its category before and after."""
    letter: str
    """The best letter of its category then."""
    left: tuple[str, ...]
    """The codes of the cards that remain."""


class Choice(NamedTuple):
    """The question which gift to take."""

    gifts: tuple[Gift, ...]
    later: tuple[str, ...]
    """The names of those who take after the viewer."""


class DieMove(NamedTuple):
    """A die and the way it may be moved."""

    move: str
    open: bool
    letter: str
    old: int
    new: int


class Favour(NamedTuple):
    """The question which dice to move."""

    code: str
    """The Church card."""
    second: bool
    """Whether only the second of two dice is asked for."""
    two: bool
    """Whether two dice are asked for."""
    rows: tuple[tuple[str, tuple[DieMove, ...]], ...]
    """The dice that may go up (`+`), and those that may go down (`-`)."""
    may_leave: bool


class Coin(NamedTuple):
    """A card to pay with."""

    move: str
    code: str
    worth: int
    on: bool


class Payment(NamedTuple):
    """The question what to pay with."""

    gold: bool
    """Whether the lot is paid in gold; else in cards."""
    due: int
    coins: tuple[Coin, ...]
    """Empty if the viewer cannot pay."""
    held: int
    """The gold, or the cards, in the viewer's hand."""
    may_refuse: bool
    discards: bool
    """Whether it costs a card that is discarded not to pay; else one to each rival."""


Ask = Choice | Favour | Payment
"""A question other than what to place or bid: all that its form says, in no language."""
WELLS: dict[str, Callable[[], tuple[str, str]]] = {
    "keep": lambda: (_("Keep"), ""),
    "public": lambda: (_("Public"), _("Face up, for the others")),
    "auction": lambda: (_("Auction"), _("Secret, sold later")),
}
"""The name of each well, and what happens to the card there."""


def ask(view: BibliosView, names: Sequence[str]) -> Ask:
    """Any question but what to place or bid."""
    if view.question == TAKE_GIFT:
        return _choice(view, names)
    if view.question in (PAY_GOLD, PAY_CARDS):
        return _payment(view)
    return _favour(view)


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


def _choice(view: BibliosView, names: Sequence[str]) -> Choice:
    assert view.me is not None
    after = view.setup.after[view.active]
    later = after[after.index(view.me) + 1 :]
    gifts = []
    space = space_cards(view)
    sums = totals(view.hand)
    for move in view.legal:
        kind = move - TAKE
        card = next(card for card in space if card.kind == kind)
        category = card.code[0]
        old, new = sums[category], sums[category] + VALUES[kind]
        letter = best_of((*view.hand, kind), category) if category in LETTERS else ""
        left = tuple([other.code for other in space if other is not card])
        gifts.append(Gift(MOVE_TEXTS[move], card.code, card.key, old, new, letter, left))
    return Choice(tuple(gifts), tuple([names[seat] for seat in later]))


def _favour(view: BibliosView) -> Favour:
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
    for sign, step in (("+", 1), ("-", -1)):
        cells = []
        for letter, value in zip(LETTERS, view.dice, strict=True):
            move = f"dice {letter}{sign}"
            cells.append(DieMove(move, move in texts, letter, value, value + step))
        if any([cell.open for cell in cells]):
            rows.append((sign, tuple(cells)))
    return Favour(code_of(view.card, both), view.question == SECOND_DIE, two, tuple(rows), NO_DIE in view.legal)


@lru_cache(maxsize=1000)
def ways(gold: tuple[int, ...]) -> dict[int, Sequence[int]]:
    """Every sum that some of this gold makes, with the gold that makes it, dearest first. Not to be changed."""
    best: dict[int, Sequence[int]] = {0: []}
    for value in sorted(gold, reverse=True):
        for total, cards in sorted(best.items(), reverse=True):
            best.setdefault(total + value, [*cards, value])
    return best


def cheapest(gold: tuple[int, ...], due: int) -> Sequence[int]:
    """The gold to pay with: as little as covers the bid, no card superfluous, dearest first; empty if impossible."""
    best = ways(gold)
    return best[min([total for total in best if total >= due], default=0)]


def _payment(view: BibliosView) -> Payment:
    gold = view.question == PAY_GOLD
    coins: list[Coin] = []
    if view.legal != (REFUSE,):
        coins = _gold(view) if gold else [_coin(kind, 1) for kind in view.hand if kind >= view.bound]
    held = totals(view.hand)["G"] if gold else len(view.hand)
    return Payment(gold, view.due, tuple(coins), held, REFUSE in view.legal, view.setup.penalty_discards)


def _gold(view: BibliosView) -> list[Coin]:
    kinds = sorted([kind for kind in view.hand if GOLD <= kind <= view.bound], reverse=True)
    values = [VALUES[kind] for kind in kinds]
    left = Counter(cheapest(tuple(values), view.due))
    coins = []
    for kind, value in zip(kinds, values, strict=True):
        on = left[value] > 0
        left[value] -= on
        coins.append(_coin(kind, value, on))
    return coins


def _coin(kind: int, worth: int, on: bool = False) -> Coin:
    return Coin(MOVE_TEXTS[PAY + kind], TEXTS[kind], worth, on)
