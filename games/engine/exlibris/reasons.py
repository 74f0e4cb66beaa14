"""Why one answer is worth more than another: from what differs between what both bring about.

A reason is said only where it holds: each has a least difference, in books, cards or points. Of those that hold, the
one that promises most points.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from games.engine.core import Move, Reason
from games.engine.exlibris.cards import CARDS, LABELS, NONE
from games.engine.exlibris.notation import AT, DESTINATIONS, DISCARD, GIVE, LAY, NAME, SEND, SPECIAL, SWAP, TAKE
from games.engine.exlibris.outcome import Brought
from games.engine.exlibris.scoring import LINES
from games.engine.exlibris.tiles import AUCTION_HOUSE
from games.engine.exlibris.view import ExLibrisView
from games.engine.exlibris.worth import MUCH_TIME, PLANNED, row_of, weights_of, worth_of

ALL = "all"
"""No single thing decides."""


class Point(NamedTuple):
    """Something in which one outcome can be better."""

    code: str
    columns: tuple[str, ...]
    """What it is worth: that of these own columns of `worth` ..."""
    least: Callable[[dict[str, float]], bool]
    """... and whether the differences in their units are large enough to speak of it."""
    fact: str = ""
    """What its sentence speaks of: a category, or the points that a column gives."""


POINTS = (
    Point("stability", ("stability",), lambda more: more["stability"] >= 1, "stability"),
    Point("close", ("pairs",), lambda more: more["pairs"] >= 0.8),
    Point("order", ("stray",), lambda more: more["stray"] <= -0.5),
    Point("room", ("room",), lambda more: more["room"] >= 0.4),
    Point("open", ("open",), lambda more: more["open"] >= 0.05),
    Point("variety", ("variety", "even"), lambda more: more["variety"] >= 1.5, "variety"),
    Point("scarce", ("even",), lambda more: more["even"] >= 0.1),
    Point("banned", ("banned",), lambda more: more["banned"] >= 0.5, "category"),
    Point("prominent", ("prominent", "lead", "wide lead"), lambda more: more["prominent"] >= 1.5, "category"),
    Point("lead", ("lead", "wide lead"), lambda more: more["wide lead"] >= 0.02, "category"),
    Point("focus", ("focus",), lambda more: more["focus"] >= 1, "category"),
    Point("books", ("books",), lambda more: more["books"] >= 0.8),
    Point("cells", ("cells",), lambda more: more["cells"] >= 0.5),
    Point("tombs", ("tombs",), lambda more: more["tombs"] >= 0.5),
    Point("hand", ("hand", "hand in time"), lambda more: more["hand"] >= 0.5),
    Point("fits", ("fit 1", "fit 2", "fit 3", "fits"), lambda more: _fits(more) >= 0.5),
    Point("hand focus", ("hand focus",), lambda more: more["hand focus"] >= 0.3, "category"),
    Point("special", ("special",), lambda more: more["special"] >= 0.5),
    Point("time", ("visits", "few visits"), lambda more: MUCH_TIME * more["visits"] >= 0.7),
)
"""What can differ while the game goes on."""
LEAST_POINTS = 0.7
"""What others must be left with less, to be spoken of."""


def _fits(more: dict[str, float]) -> float:
    return more["fit 1"] + more["fit 2"] + more["fit 3"] + more["fits"]


def reason_of(view: ExLibrisView, better: Move, made: Move, outcomes: tuple[Brought, Brought]) -> Reason:
    """Why `better` is worth more than `made`, whose outcomes are these."""
    return _plain(view, better, made) or _at_the_end(*outcomes) or _going_on(view, *outcomes) or Reason(ALL)


def _plain(view: ExLibrisView, better: Move, made: Move) -> Reason | None:
    """What the answers themselves say."""
    one, two = _sent(better), _sent(made)
    if one and two and one[1] == two[1]:
        (special, _, bid), (other_special, _, other_bid) = one, two
        if one[1] == AUCTION_HOUSE and bid < other_bid:
            return Reason("bid", (bid,))
        if bid == other_bid and special != other_special:
            return Reason("send special" if special else "spare special", (one[1],))
    return _given_or_taken(view, better, made)


def _sent(move: Move) -> tuple[bool, int, int] | None:
    """Of a placement whether it is the special assistant, the place, and the bid."""
    if not SEND <= move < NAME:
        return None
    special = move >= SPECIAL
    return special, *DESTINATIONS[move - (SPECIAL if special else SEND)]


def _given_or_taken(view: ExLibrisView, better: Move, made: Move) -> Reason | None:
    """Of two cards to give away the one whose books are worth less is better, of two to take the other one."""
    kind = (better - DISCARD) // CARDS
    if not (DISCARD <= better < AT and DISCARD <= made < AT) or (made - DISCARD) // CARDS != kind:
        return None
    first = DISCARD + kind * CARDS
    more = _books_worth(view, better - first) - _books_worth(view, made - first)
    facts = (LABELS[better - first], LABELS[made - first])
    if first == TAKE and more > 0:
        return Reason("take", facts)
    return Reason("keep", facts) if first in (DISCARD, SWAP, LAY, GIVE) and more < 0 else None


def _books_worth(view: ExLibrisView, card: int) -> float:
    """What the books of a card bring the seat that looks."""
    prominent, banned, me = view.prominent, view.banned, view.me
    assert prominent is not None and banned is not None and me is not None
    known = view.focus[me]
    focus = NONE if known is None else known
    books = row_of(view.shelves[me], prominent, banned, focus, PLANNED[view.setup.seats]).books
    return worth_of(card, weights_of(books, prominent, banned, focus))


def _at_the_end(better: Brought, made: Brought) -> Reason | None:
    """The line of the score that makes the difference."""
    if not better.lines or not made.lines:
        return None
    more = [one - two for one, two in zip(better.lines, made.lines, strict=True)]
    line = max(range(len(more)), key=lambda index: more[index])
    return Reason(f"end {LINES[line]}", (max(1, round(more[line])),)) if more[line] > 0 else None


def _going_on(view: ExLibrisView, better: Brought, made: Brought) -> Reason | None:
    """What promises most."""
    if not better.own or not made.own:
        return None
    more = {name: value - made.own[name] for name, value in better.own.items()}
    found = [
        (sum([better.parts[name] - made.parts[name] for name in point.columns]), point.code, point)
        for point in POINTS
        if point.least(more)
    ]
    found = [each for each in found if each[0] > 0]
    me = view.me or 0
    less = max([made.points[seat] - better.points[seat] for seat in range(len(made.points)) if seat != me])
    best = max(found, default=None)
    if less >= LEAST_POINTS and (best is None or less > best[0]):
        return Reason("public" if view.setup.solo else "rivals")
    return Reason(best[1], _facts(view, best[2], more)) if best else None


def _facts(view: ExLibrisView, point: Point, more: dict[str, float]) -> tuple[int, ...]:
    me = view.me or 0
    if point.fact == "category":
        category = {"banned": view.banned, "focus": view.focus[me], "hand focus": view.focus[me]}
        found = category.get(point.code, view.prominent)
        return () if found is None else (found,)
    return (max(1, round(more[point.fact])),) if point.fact else ()
