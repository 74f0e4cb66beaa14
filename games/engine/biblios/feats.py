"""What the players of a game did at the auctions, counted for the statistics of people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.engine.biblios.cards import FIRST_CHURCH, FIRST_GOLD, GOLD, gold_in
from games.engine.biblios.notation import BID, PASS, PAY, PAY_CARDS, PAY_GOLD, REFUSE
from games.engine.biblios.rules import Position
from games.engine.core import Move


def feats(start: Position, moves: Sequence[Move], made: Sequence[int]) -> list[Counter[str]]:
    """By seat: lots bid on (`bids`) and won (`lots`), gold spent (`spent`) and paid beyond the bid (`over`),
    `penalties`, lots on which they bid more than they could pay (`bluffs`) and on which somebody outbid that (`held`).

    Of the moves, those from `made[seat]` on are not counted. A lot that is auctioned again counts again.
    """
    counts: list[Counter[str]] = [Counter() for _ in made]
    state = start.copy()
    bidders: set[int] = set()
    bluffers: set[int] = set()
    """Those who have bid on this lot, and those of them who could not pay what they bid."""
    for ply, move in enumerate(moves):
        seat, question = state.seat, state.question
        assert seat is not None
        mine = counts[seat] if ply < made[seat] else Counter[str]()
        if question == BID and move > PASS and ply < made[seat]:
            bidders.add(seat)
            if move - PASS > most(state, seat):
                bluffers.add(seat)
        elif move == REFUSE:
            mine["penalties"] += 1
        elif question == PAY_GOLD:
            value = move - PAY - GOLD + 1
            mine["spent"] += value
            mine["over"] += max(0, value - state.due)
            mine["lots"] += value >= state.due
        elif question == PAY_CARDS:
            mine["lots"] += state.due == 1
        state.play(move)
        if question == BID and state.question in (PAY_GOLD, PAY_CARDS):
            for each in bidders:
                counts[each]["bids"] += 1
            for each in bluffers:
                counts[each]["bluffs"] += 1
                counts[each]["held"] += each != state.seat
            bidders.clear()
            bluffers.clear()
    return [+count for count in counts]


def most(state: Position, seat: int) -> int:
    """The highest bid on the present lot that a seat could pay."""
    hand = state.hands[seat]
    return hand.bit_count() if FIRST_GOLD <= state.card < FIRST_CHURCH else gold_in(hand)
