"""Why one answer is better than another: each reason is given where it is true, and not where it is not."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from games.engine.biblios.cards import CHURCH, DECK, DISCARD, GOLD, HIDDEN, PILE, SPACE
from games.engine.biblios.notation import BID, DIE, PAY_CARDS, PAY_GOLD, PLACE, TAKE_GIFT
from games.engine.biblios.reasons import CODES, reason, reasons
from games.engine.biblios.view import BibliosView
from tests.engine.biblios.sitting import GAME, kinds


def place(drawn: str, hand: str = "", rival: str = "", left: int = 3, **more: Any) -> BibliosView:
    """A card is to be placed, in the middle of the gift phase."""
    room = {3: 7, 2: 6, 1: 4}[left]
    return looked(PLACE, hand, rival, drawn=kinds(drawn)[0], room=room, deck=30, piled=10, **more)


def take(space: str, hand: str = "", rival: str = "", **more: Any) -> BibliosView:
    """Seat 0 of three takes a card of the public space, another takes after them."""
    return looked(TAKE_GIFT, hand, rival, seats=3, space=tuple(kinds(space)), deck=40, piled=8, active=2, **more)


def church(card: str, hand: str = "", rival: str = "", **more: Any) -> BibliosView:
    """A Church card was kept."""
    return looked(DIE, hand, rival, card=kinds(card)[0], room=6, deck=29, piled=10, **more)


def bid(lot: str, hand: str = "", rival: str = "", high: int = 0, piled: int = 8, **more: Any) -> BibliosView:
    """A card is up for auction; after the bid of the rival, if there is one."""
    lots = tuple(kinds(lot))
    more = {"bidder": 1 if high else -1, "lots": lots, "card": lots[-1]} | more
    return looked(BID, hand, rival, high=high, piled=piled, **more)


def pay(lot: str, due: int, hand: str, rival: str = "", piled: int = 8, **more: Any) -> BibliosView:
    """A lot is to be paid."""
    (card,) = kinds(lot)
    question, bound = (PAY_CARDS, 0) if GOLD <= card < CHURCH else (PAY_GOLD, GOLD + 2)
    more = {"bidder": 0, "lots": (card,), "card": card, "high": due, "due": due, "bound": bound} | more
    return looked(question, hand, rival, piled=piled, **more)


def looked(question: int, hand: str, rival: str, *, hidden: int = 2, seats: int = 2, **more: Any) -> BibliosView:
    """What seat 0 sees: its hand, what seat 1 was seen to get, and how many cards that one holds besides."""
    mine, theirs = sorted(kinds(hand)), kinds(rival)
    start = GAME.start(seats, bytes(32)).view(0)
    flow = [(DECK, PILE, HIDDEN)] * (more.get("piled", 0) + len(more.get("lots", ())))
    flow += [(DECK, 0, kind) for kind in mine]
    flow += [(SPACE, 1, kind) for kind in theirs] + [(DECK, 1, HIDDEN)] * hidden
    counts = (len(mine), len(theirs) + hidden, *[0] * (seats - 2))
    fields = {"deck": 0, "drawn": None, "room": 0, "counts": counts, "flow": tuple(flow), "active": 0, "seat": 0}
    hands = (tuple(mine), *[None] * (seats - 1))
    return start.with_(**fields | {"question": question, "hands": hands} | more)


class Case(NamedTuple):
    code: str
    view: BibliosView
    better: str
    made: str
    facts: str
    """As they are written, with commas."""
    other: BibliosView | None
    """Where the reason does not hold for the same answers."""


DICE = (5, 3, 3, 2, 1)
CASES = [
    Case("leads", place("M4H", "M2A", "M3E"), "keep", "auction", "M4H M 6 3", place("M4H", "M2A", "M3E M4I")),
    Case("arms-rival", place("M4H", "M3F", "M3E"), "auction", "public", "M4H M 3 7", place("M4H", "", "M3E")),
    Case("harmless", place("H1A", "H1B H2H H2I", "H1C"), "public", "keep", "H1A H 5 2", place("H1A", "H1B", "H1C")),
    Case("letter", place("H1A", "H1E", "H2H"), "keep", "public", "H1A H", place("H1F", "H1E", "H2H")),
    Case("open-die", place("M2D", dice=DICE), "keep", "public", "M 5", place("P2D", dice=DICE)),
    Case("still-open", place("P3E", "P2A", dice=DICE), "keep", "public", "P3E P 5 0", place("M3E", "M2A", dice=DICE)),
    Case("low-die", place("S1A", dice=DICE), "public", "keep", "S 2", place("H1A", dice=DICE)),
    Case(
        "enough",
        bid("H1A", "H1B H1C H1D H1E H1F H2H", "G1", piled=1),
        "pass",
        "bid 1",
        "H 7 0",
        bid("H1A", "H1B", "H1C", piled=1),
    ),
    Case(
        "out-of-reach",
        bid("H1A", "H1G", "H1B H1C H1D H1E H2H", piled=1),
        "pass",
        "bid 1",
        "H1A H 2 6",
        bid("H1A", "H1G H1D", "H1B H1C", piled=1),
    ),
    Case("wait", place("M2A"), "auction", "keep", "M2A 2", place("M2A", left=1)),
    Case("no-present", place("M2A"), "auction", "public", "M2A", None),
    Case("buy-back", place("M3E", "G3 G3"), "auction", "keep", "M3E 6", place("M3E", "G3 G2")),
    Case("pile-place", place("M2A"), "public", "auction", "M2A", None),
    Case("sold-to-all", place("M4H"), "keep", "auction", "M4H", None),
    Case("gold-to-bid", place("G3"), "keep", "public", "G3 20", place("G1")),
    Case("gold-to-rival", place("G2"), "auction", "public", "G2", place("G1")),
    Case("gold-least", place("G1"), "public", "auction", "G1", place("G2")),
    Case("gold-or-cards", place("G3"), "public", "keep", "G3 2", place("G2")),
    Case("gold-for-cards", place("G1"), "auction", "public", "G1", place("M2A")),
    Case("higher-die", take("M2A P2A", dice=DICE), "take M2A", "take P2A", "M2A 5 P2A 3", take("M2A P2A")),
    Case("more-of-it", take("M4H M2A"), "take M4H", "take M2A", "M4H M2A", None),
    Case("raises-own", place("C+", "M4H", "M2A"), "keep", "public", "C+ M 4 2", place("C+", "M2A", "M4H")),
    Case("lowers-rival", place("C-", "M2A", "M4H"), "keep", "public", "C- M 2 4", place("C-", "M4H", "M2A")),
    Case("church-against", place("C-", "M4H"), "keep", "public", "C- M 4 0", place("C-", "", "M2A")),
    Case("church-idle", place("C+", "", "M2A"), "auction", "keep", "C+", place("C+", "M2A")),
    Case("die-up", church("C+", "M4H", "M2A"), "dice M+", "dice P+", "M 4 2", church("C+", "M2A", "M4H")),
    Case("die-down", church("C-", "M2A", "M4H"), "dice M-", "dice P-", "M 2 4", church("C-", "M4H", "M2A")),
    Case("die-for-rival", church("C+", "", "M2A"), "dice P+", "dice M+", "M 0 2", church("C+", "M2A")),
    Case("die-against-own", church("C-", "M4H"), "dice none", "dice M-", "M 4 0", church("C-", "", "M4H")),
    Case("leave-dice", church("C+", "", "M4H"), "dice none", "dice M+", "", church("C+", "M4H")),
    Case("cannot-pay", bid("M4H", "G3"), "pass", "bid 4", "4 3", bid("M4H", "G3 G1")),
    Case("last-lot", bid("M4H", "G3", piled=0), "bid 1", "pass", "M4H", bid("M4H", "G3", piled=1)),
    Case("gold-elsewhere", bid("M4H", "G3"), "pass", "bid 3", "3 8", bid("M4H", "G3", piled=4)),
    Case("gold-late", bid("G3", "M2A", piled=2), "pass", "bid 1", "G3 2", bid("G3", "M2A", piled=3)),
    Case(
        "needed-to-pay",
        bid("G1", "M4H M3E", "M4I M2A", dice=DICE),
        "pass",
        "bid 1",
        "G1 1 M 7 6",
        bid("G1", "F1A F1B", "M4I M2A", dice=DICE),
    ),
    Case("too-dear", bid("M4H", "G3 G3"), "pass", "bid 6", "M4H 6", bid("G1", "M4H")),
    Case("cards-for-gold", bid("G1", "M4H M3E"), "pass", "bid 2", "G1 2", bid("M2A", "G3")),
    Case("nobody-higher", bid("M4H", "G3 G3", "G1", 4, hidden=1), "bid 5", "pass", "5", bid("M4H", "G3 G3", "G1", 4)),
    Case("gold-idle", bid("M4H", "G3 G3", piled=2), "bid 1", "pass", "6 2", bid("M4H", "G3 G3", piled=3)),
    Case("cheap", bid("G3", "M4H M3E"), "bid 2", "pass", "G3 2", bid("G2", "M4H M3E")),
    Case(
        "spare-cards",
        bid("G3", "H1A M4H", "H1B H1C H1D H1E H2H", piled=1),
        "bid 1",
        "pass",
        "G3 1",
        bid("G3", "H1A M4H", "H1B", piled=1),
    ),
    Case("left-to-rival", bid("M4H", "G3", "", 2), "bid 3", "pass", "M4H 2", bid("M4H", "G3", "", 2, seats=3)),
    Case("less-is-enough", bid("M4H", "G3"), "bid 1", "bid 3", "1 3", None),
    Case("same-price", bid("M4H", "G3"), "bid 3", "bid 1", "3 1", bid("M4H", "G1 G1 G1")),
    Case("no-change", pay("M4H", 3, "G3 G2 G2"), "pay G3", "pay G2", "3 1", pay("M4H", 3, "G3 G2 G1")),
    Case("small-gold", pay("M4H", 3, "G3 G2 G1"), "pay G3", "pay G2", "", pay("M4H", 4, "G3 G2 G2 G1")),
    Case("refused", pay("M4H", 3, "G3"), "pay G3", "refuse", "M4H", None),
    Case("not-worth-it", pay("M4H", 3, "G3"), "refuse", "pay G3", "M4H", None),
    Case(
        "spared",
        pay("G3", 1, "M2A H2H", "M2B M3E M3F M4H M4I", piled=1),
        "pay M2A",
        "pay H2H",
        "M2A M 2 16",
        pay("G3", 1, "M2A H2H", "M3E", piled=1),
    ),
    Case(
        "needed",
        pay("G3", 1, "M4H P2A", "M3E"),
        "pay P2A",
        "pay M4H",
        "M4H M 4 3",
        pay("G3", 1, "M4H P2A", "M2A M2B M3E M3F M4I", piled=1),
    ),
    Case("gold-spared", pay("G3", 1, "H1A G2"), "pay H1A", "pay G2", "H1A G2", pay("G3", 1, "H1A G2", piled=0)),
    Case("worth-more", pay("M4H", 4, "G3 G2 G2 G1"), "pay G3", "pay G2", "", None),
]
ONE_EACH = pytest.mark.parametrize("case", CASES, ids=[case.code for case in CASES])


def said(view: BibliosView, better: str, made: str) -> dict[str, str]:
    """All that can be said, with the facts in one line."""
    found = {it.code: " ".join(map(str, it.facts)) for it in reasons(view, GAME.move(better), GAME.move(made))}
    return found or {reason(view, GAME.move(better), GAME.move(made)).code: ""}


@ONE_EACH
def test_a_reason_is_given_where_it_is_true(case):
    assert said(case.view, case.better, case.made).get(case.code) == case.facts


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.other], ids=[case.code for case in CASES if case.other]
)
def test_a_reason_is_not_given_where_it_is_not_true(case):
    assert case.code not in said(case.other, case.better, case.made)


def test_each_code_has_a_case():
    assert {case.code for case in CASES} == set(CODES)


def test_what_somebody_was_seen_to_pay_no_longer_counts_for_them():
    view = place("M4H", "M2A", "M3E M4I")
    paid = view.with_(flow=(*view.flow, (1, DISCARD, kinds("M4I")[0])), counts=(1, 3))
    assert "leads" not in said(view, "keep", "auction")
    assert said(paid, "keep", "auction")["leads"] == "M4H M 6 3"
