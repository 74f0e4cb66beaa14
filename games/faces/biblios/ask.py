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
from games.faces.biblios.art import code_of
from games.faces.biblios.scriptorium import Rival, Sums, best_of, rival_in, totals
from games.faces.biblios.stage import focus, key_in, space_cards
from games.faces.language import _


class Well(NamedTuple):
    """A place for the card that was drawn."""

    move: str
    cards: tuple[tuple[str, str], ...]
    """Code and key of the cards that lie there."""
    slots: int
    open: bool
    key: int
    """The key that presses it."""
    at_once: bool = False
    """Whether the card would not stay there, but move dice."""


class Gift(NamedTuple):
    """A card that may be taken."""

    move: str
    code: str
    key: str
    old: int
    new: int
    """The total of its category before and after."""
    rival: Rival
    """Who has most of its category."""
    left: tuple[str, ...]
    """The codes of the cards that remain."""


class Choice(NamedTuple):
    """The question which gift to take."""

    gifts: tuple[Gift, ...]
    later: tuple[str, ...]
    """The names of those who take after the viewer."""


class DieChoice(NamedTuple):
    """A die, and the ways that it may go."""

    letter: str
    value: int
    ways: str
    """`+`, `-`, both or none."""
    total: int
    """What the viewer has of its category."""
    rival: Rival


class Favour(NamedTuple):
    """The question which dice to move."""

    code: str
    """The Church card."""
    key: str
    source: str
    """As in `Focus`."""
    second: bool
    """Whether only the second of two dice is asked for."""
    two: bool
    """Whether two dice are asked for."""
    dice: tuple[DieChoice, ...]
    signs: str
    """The ways that the card can move dice: `+`, `-` or both."""
    may_leave: bool


class Coin(NamedTuple):
    """A card to pay with."""

    move: str
    code: str
    worth: int
    on: bool
    best: bool
    """Whether it has the best letter of its category in the viewer's hand."""


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
    lost: int
    """So many cards it costs not to pay."""


Ask = Choice | Favour | Payment
"""A question other than what to place or bid: all that its form says, in no language."""
WELLS: dict[str, Callable[[], tuple[str, str]]] = {
    "keep": lambda: (_("Keep"), _("Into your hand")),
    "public": lambda: (_("Public"), _("Face up, for the others")),
    "auction": lambda: (_("Auction"), _("Secret, sold later")),
}
"""The name of each well, and what happens to the card there."""


def ask(view: BibliosView, names: Sequence[str], sums: Sums) -> Ask:
    """Any question but what to place or bid."""
    if view.question == TAKE_GIFT:
        return _choice(view, names, sums)
    if view.question in (PAY_GOLD, PAY_CARDS):
        return _payment(view)
    return _favour(view, names, sums)


def well_text(move: str, is_open: bool, at_once: bool) -> str:
    """What happens to the card in a well."""
    if not is_open:
        return _("Full")
    return _("The bishop’s favour, at once") if at_once else WELLS[move]()[1]


def wells(view: BibliosView) -> list[Well]:
    """The places for the card that the viewer has drawn."""
    assert view.drawn is not None
    legal = [MOVE_TEXTS[move] for move in view.legal]
    kept = () if view.kept is None else ((code_of(view.kept), key_in(view, view.kept)),)
    full = int(not view.room & 1 and not kept)  # the Church card that was kept is gone already
    space = tuple([(card.code, card.key) for card in space_cards(view)])
    given = () if "auction" in legal else (("back", ""),)
    church = TEXTS[view.drawn][0] == "C"
    return [
        Well("keep", kept, 1 - full - len(kept), "keep" in legal, 1, church),
        Well("public", space, view.setup.seats - 1 - len(space), "public" in legal, 2),
        Well("auction", given, 1 - len(given), "auction" in legal, 3),
    ]


def _choice(view: BibliosView, names: Sequence[str], sums: Sums) -> Choice:
    assert view.me is not None
    after = view.setup.after[view.active]
    later = after[after.index(view.me) + 1 :]
    gifts = []
    space = space_cards(view)
    held = totals(view.hand)
    for move in view.legal:
        kind = move - TAKE
        card = next(card for card in space if card.kind == kind)
        category = card.code[0]
        old, new = held[category], held[category] + VALUES[kind]
        rival = rival_in(category, view.me, names, sums)
        left = tuple([other.code for other in space if other is not card])
        gifts.append(Gift(MOVE_TEXTS[move], card.code, card.key, old, new, rival, left))
    return Choice(tuple(gifts), tuple([names[seat] for seat in later]))


def _favour(view: BibliosView, names: Sequence[str], sums: Sums) -> Favour:
    asked = focus(view, view.me)
    assert view.card is not None and asked is not None
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
    held = totals(view.hand)
    choices = []
    for letter, value in zip(LETTERS, view.dice, strict=True):
        ways = "".join([sign for sign in "+-" if f"dice {letter}{sign}" in texts])
        choices.append(DieChoice(letter, value, ways, held[letter], rival_in(letter, view.me, names, sums)))
    signs = "".join([sign for sign in "+-" if any([sign in choice.ways for choice in choices])])
    second = view.question == SECOND_DIE
    return Favour(asked.code, asked.key, asked.source, second, two, tuple(choices), signs, NO_DIE in view.legal)


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
        coins = _gold(view) if gold else [_card(view.hand, kind) for kind in view.hand if kind >= view.bound]
    held = totals(view.hand)["G"] if gold else len(view.hand)
    discards = view.setup.penalty_discards
    lost = min(len(view.hand), 1 if discards else view.setup.seats - 1)
    return Payment(gold, view.due, tuple(coins), held, REFUSE in view.legal, discards, lost)


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


def _coin(kind: int, worth: int, on: bool) -> Coin:
    return Coin(MOVE_TEXTS[PAY + kind], TEXTS[kind], worth, on, False)


def _card(hand: tuple[int, ...], kind: int) -> Coin:
    code = TEXTS[kind]
    return Coin(MOVE_TEXTS[PAY + kind], code, 1, False, kind < GOLD and best_of(hand, code[0]) == code[2])
