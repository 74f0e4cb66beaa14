"""Questions, and moves as numbers and as texts (rules: Decisions).

Moves are numbered so that those of one question stand together: the three places, takes by kind, dice, pass and bids
(bid n is PASS + n), refuse and payments by kind.
"""

from __future__ import annotations

from games.engine.biblios.cards import CATEGORIES, CHURCH, TEXTS

PLACE, TAKE_GIFT, DIE, SECOND_DIE, BID, PAY_GOLD, PAY_CARDS, OVER = range(8)
"""The questions, and the end."""

MAX_GOLD = 66
"""All the gold there is: no bid is higher."""

KEEP, PUBLIC, AUCTION = range(3)
TAKE = 3
"""`TAKE + kind` takes a card of that kind."""
NO_DIE = TAKE + len(TEXTS)
UP = NO_DIE + 1
"""`UP + category` moves a die up by 1."""
DOWN = UP + 5
"""`DOWN + category` moves a die down by 1."""
PASS = DOWN + 5
"""`PASS + n` bids n."""
REFUSE = PASS + MAX_GOLD + 1
PAY = REFUSE + 1
"""`PAY + kind` pays with a card of that kind."""

MOVE_TEXTS = (
    "keep",
    "public",
    "auction",
    *(f"take {card}" for card in TEXTS),
    "dice none",
    *(f"dice {category}+" for category in CATEGORIES),
    *(f"dice {category}-" for category in CATEGORIES),
    "pass",
    *(f"bid {n}" for n in range(1, MAX_GOLD + 1)),
    "refuse",
    *(f"pay {card}" for card in TEXTS[:CHURCH]),
)
