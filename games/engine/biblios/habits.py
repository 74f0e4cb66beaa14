"""How players use their cards, as numbers: what they keep, auction and pay with.

`sample` weighs by them what a view cannot say. They are learned from games (see `training.habits_training`) and kept in
`habits.json`, a table for each number of players.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from math import log
from pathlib import Path
from typing import Final

from games.engine.biblios.cards import CARDS, CHURCH, GOLD, KIND, VALUES

GRADES: Final = ("HSF1", "HSF2", "MP2", "MP3", "MP4")
SORTS: Final = (*(f"{grade} {die}" for grade in GRADES for die in ("low", "3", "high")), "G1", "G2", "G3", *"12345")
"""The sorts of cards, as far as habits tell them apart: category cards by value and by their die."""
FIRST_CHURCH_SORT: Final = SORTS.index("1")
TURNS: Final = tuple(f"{time} {space}" for time in ("early", "middle", "late") for space in ("plain", "good", "church"))
"""The kinds of turns in the gift phase: when, and the best that the public space got."""
GOOD: Final = frozenset(kind for kind in range(CHURCH) if VALUES[kind] >= (3 if kind < 18 else 2))
"""What is rarely given away."""
TIMES: Final = 3
"""The parts of the auctions that are told apart."""
PRICES: Final = (1, 2, 4, 7)
"""Prices are told apart by the highest of these that they reach."""
MARGINS: Final = (-99, 0, 1, 2, 4, 7, 11)
"""And what would be left after paying them likewise."""
LEADS: Final = (-99, -3, 0, 3)
"""And by how much more than anybody else a player was seen to take of a category."""
FORMAT: Final = sha256(repr((SORTS, TURNS, sorted(GOOD), TIMES, PRICES, MARGINS, LEADS)).encode()).hexdigest()[:12]
"""Names what the numbers of a table stand for."""

Row = tuple[float, ...]


@dataclass(frozen=True)
class CardHabits:
    """Weights by sort of card: how much likelier than another card one is to be where it is."""

    keep: tuple[Row, ...]
    """By kind of turn, of the card kept."""
    auction: tuple[Row, ...]
    """By kind of turn, of the card put in the auction pile."""
    stay: tuple[Row, ...]
    """By part of the auctions, of a card that is still in the hand of who kept it."""
    pay: Row
    """Of a card in the hand to be paid face down."""
    lead: Row
    """By lead in its category, how much likelier still a category card is to be paid."""
    bid: tuple[tuple[tuple[Row, ...], ...], ...]
    """By time, sort of lot, price and margin: how likely a player bids that much rather than passes."""
    defy: float
    """How likely a player who could pay refuses, compared with one who cannot."""
    clumsy: float
    """How likely a payment with other coins than those that fit best is, compared with that one."""

    @cached_property
    def answers(self) -> list[list[list[tuple[Row, Row]]]]:
        """By time, sort of lot and price: the logarithms, by margin, of how likely a pass is and a bid."""
        return [
            [
                [(tuple([log(1 - bid) for bid in row]), tuple([log(bid) for bid in row])) for row in prices]
                for prices in sorts
            ]
            for sorts in self.bid
        ]


def weighed(
    keep: Sequence[Sequence[float]],
    auction: Sequence[Sequence[float]],
    stay: Sequence[Sequence[float]],
    pay: Sequence[float],
    lead: Sequence[float],
    bid: Sequence[Sequence[Sequence[Sequence[float]]]],
) -> CardHabits:
    """CardHabits with these weights."""
    bids = tuple(tuple(tuple(map(tuple, prices)) for prices in sorts) for sorts in bid)
    rows = [tuple(map(tuple, table)) for table in (keep, auction, stay)]
    return CardHabits(rows[0], rows[1], rows[2], tuple(pay), tuple(lead), bids, DEFY, CLUMSY)


BLUFF, DEFY, CLUMSY = 0.02, 0.05, 0.05
"""People bluff, refuse and pay like this at times; those from whom is learned never do."""

_SAME: Final = (1.0,) * len(SORTS)
_ANY: Final = ((((0.5,) * len(MARGINS),) * len(PRICES),) * len(SORTS),) * TIMES
NEUTRAL: Final = CardHabits(
    (_SAME,) * len(TURNS), (_SAME,) * len(TURNS), (_SAME,) * TIMES, _SAME, (1.0,) * len(LEADS), _ANY, 0.5, CLUMSY
)
"""Those of players who place, bid, and pay face down without looking at their cards."""


def read(text: str) -> dict[int, CardHabits]:
    """The habits in a file, by number of players. Raises ValueError if it was made for other sorts or turns."""
    document = json.loads(text)
    if document.get("format") != FORMAT:
        raise ValueError(f"the habits have the format {document.get('format')!r}; expected {FORMAT!r}")
    return {int(seats): weighed(**table) for seats, table in document["players"].items()}


def written(habits: Mapping[int, CardHabits]) -> str:
    """The text of a file that holds these habits."""

    def row(numbers: Sequence[float]) -> list[float]:
        return [round(number, 3) for number in numbers]

    players = {
        str(seats): {
            "keep": [*map(row, of.keep)],
            "auction": [*map(row, of.auction)],
            "stay": [*map(row, of.stay)],
            "pay": row(of.pay),
            "lead": row(of.lead),
            "bid": [[[*map(row, prices)] for prices in sorts] for sorts in of.bid],
        }
        for seats, of in habits.items()
    }
    return json.dumps({"format": FORMAT, "players": players}) + "\n"


HABITS_FILE: Final = Path(__file__).with_name("habits.json")
HABITS: Final = read(HABITS_FILE.read_text())
"""The habits learned, by number of players."""


def leads_of(seen: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
    """By category, the index in LEADS of a seat's lead, by what everybody was seen to take of it."""
    others = [row for other, row in enumerate(seen) if other != seat]
    ahead = [mine - max(theirs) for mine, *theirs in zip(seen[seat], *others, strict=True)]
    return tuple([sum([lead >= least for least in LEADS]) - 1 for lead in ahead])


@lru_cache(maxsize=1024)
def sorts_of(dice: tuple[int, ...]) -> tuple[int, ...]:
    """The sort of each card, as the dice lie."""
    return tuple([_sort(KIND[card], dice) for card in range(CARDS)])


def _sort(kind: int, dice: tuple[int, ...]) -> int:
    if kind >= GOLD:
        return 3 * len(GRADES) + kind - GOLD
    grade = VALUES[kind] if kind < 18 else VALUES[kind] - 1
    die = dice[kind // 9]
    return 3 * grade + (die > 2) + (die > 3)


def turn_kind(turn: int, turns: int, space: Sequence[int], churches: int) -> int:
    """The kind of the turn with this index, of so many, whose public space got these cards and some Church cards."""
    best = 2 if churches else int(any(kind in GOOD for kind in space))
    return 3 * (3 * turn // turns) + best
