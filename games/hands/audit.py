"""Checks a hand of the day: whether its games have the deal that was fixed, and its table says what they say."""

from __future__ import annotations

from games.engine import chance
from games.hands import hands
from games.hands.models import Hand


class WrongHand(Exception):
    """A disagreement between a hand and its games."""


def check(hand: Hand) -> int:
    """How many tries there are, if everything stored agrees. Raises WrongHand."""
    if chance.commitment(bytes(hand.secret)) != hand.commitment:
        raise WrongHand("its deal is not the one that was fixed when it was drawn")
    tries = list(hand.tries.select_related("match").order_by("pk"))
    for each in tries:
        match = each.match
        if bytes(match.secret) != bytes(hand.secret) or match.agreed != hand.page:
            raise WrongHand(f"match {match.key} is not played with its deal")
        if match.hidden != (hand.closed_at is None):
            raise WrongHand(f"match {match.key} is hidden, or open, at the wrong time")
        if (each.place, each.points, each.won) != hands.told(hand, match):
            raise WrongHand(f"its table does not say what match {match.key} says")
    return len(tries)
