"""Learns `habits` from games of the bots.

The habits are those under which samples of views look like the truth behind them: a weight rises as long as what it
weighs is rarer in samples than in truth. So what the way of sampling itself favours is evened out too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from games.engine.biblios.cards import BURIED, DECK, FIRST_CHURCH, FIRST_GOLD, HIDDEN, PILE, gold_in
from games.engine.biblios.habits import BLUFF, MARGINS, PRICES, SORTS, TURNS, Habits, sorts_of, weighed
from games.engine.biblios.notation import BID, PASS
from games.engine.biblios.purse import MARGIN, PRICE
from games.engine.biblios.rules import Position
from games.engine.biblios.sample import Sampler, turns_of
from games.engine.biblios.view import BibliosView
from games.engine.core import Move

LOOKS: Final = 6
"""Views of each game from which is learned."""
SAMPLES: Final = 2
"""Samples of each view in a round."""
ROUNDS: Final = 8
PAY_ROUNDS: Final = 4
"""The first rounds learn how cards are placed, from views of the gift phase; the others what is paid face down."""
SHY: Final = 4.0
"""As many cards of each sort are taken to have been sampled rightly: what is rarely seen changes little."""
LEAST, MOST = 0.02, 50.0
"""The bounds of a weight."""


class Look(NamedTuple):
    """A view, and the truth behind it: the steps of its flow that it does not show, each with its place and its sort."""

    view: BibliosView
    cells: list[tuple[int, int]]
    """For each hidden step its index in the flow and its place, see `_cells`."""
    truth: list[int]


def looks(games: Iterable[tuple[Position, Sequence[Move]]], rng: Random) -> Iterator[Look]:
    """Views of some positions of each game, each of a seat drawn at random."""
    for start, moves in games:
        plies = {rng.randrange(1, len(moves)) for _ in range(LOOKS)}
        state = start.copy()
        for ply, move in enumerate(moves):
            if ply in plies:
                view = state.view(rng.randrange(len(state.hands)))
                cells = _cells(view)
                yield Look(view, cells, _sorts(state, view, cells))
            state.play(move)


def _cells(view: BibliosView) -> list[tuple[int, int]]:
    """The hidden steps of a flow: its index and its place (a kind of turn, as many more for the auction pile, or the
    last place for what was paid)."""
    cells = []
    for index, ((source, target, kind), turn) in enumerate(zip(view.flow, turns_of(view), strict=True)):
        if kind == HIDDEN:
            if target == BURIED:
                cells.append((index, 2 * len(TURNS)))
            elif source == DECK:
                cells.append((index, turn + len(TURNS) * (target == PILE)))
    return cells


def _sorts(state: Position, view: BibliosView, cells: Sequence[tuple[int, int]]) -> list[int]:
    cards = []
    flow = state.flow
    while flow:
        flow, _, _, card, _ = flow
        cards.append(card)
    sorts = sorts_of(view.dice)
    last = len(cards) - 1
    return [sorts[cards[last - index]] for index, _ in cells]


def learn(games: Sequence[tuple[Position, Sequence[Move]]], rng: Random, say: Callable[[str], object]) -> Habits:
    """The habits of those who played these games, all of one number of players under default options."""
    seen = list(looks(games, rng))
    gifts = [look for look in seen if not look.view.bids]
    auctions = [look for look in seen if look.view.bids]
    weights = [[1.0] * len(SORTS) for _ in range(2 * len(TURNS) + 1)]
    bids = _bids(games)
    for number in range(ROUNDS + PAY_ROUNDS):
        placing = number < ROUNDS
        places = range(2 * len(TURNS)) if placing else range(2 * len(TURNS), 2 * len(TURNS) + 1)
        off = _improve(weights, places, gifts if placing else auctions, _habits(weights, bids), rng)
        say(f"round {number + 1}: {off:.4f} of the cards are of another sort")
    return _habits(weights, bids)


def _improve(
    weights: list[list[float]], places: Sequence[int], seen: Sequence[Look], habits: Habits, rng: Random
) -> float:
    """Correct the weights of some places. Returns how far off they were."""
    truth = [[0.0] * len(SORTS) for _ in weights]
    drawn = [[0.0] * len(SORTS) for _ in weights]
    for look in seen:
        sampler = Sampler(look.view, habits)
        for _ in range(SAMPLES):
            found = _sorts(sampler.draw(rng), look.view, look.cells)
            for (_, place), true, sampled in zip(look.cells, look.truth, found, strict=True):
                truth[place][true] += 1 / SAMPLES
                drawn[place][sampled] += 1 / SAMPLES
    off = 0.0
    for place in places:
        row = weights[place]
        for sort, weight in enumerate(row):
            row[sort] = weight * (truth[place][sort] + SHY) / (drawn[place][sort] + SHY)
            off += abs(truth[place][sort] - drawn[place][sort])
        usual = sum(map(float.__mul__, row, drawn[place])) / (sum(drawn[place]) or 1.0) or 1.0
        row[:] = [min(MOST, max(LEAST, weight / usual)) for weight in row]
    return off / (sum(sum(truth[place]) for place in places) or 1.0) / 2


def _bids(games: Iterable[tuple[Position, Sequence[Move]]]) -> list[list[list[float]]]:
    """How likely players bid rather than pass: the highest bid of each for a lot, and their pass."""
    counts = [[[[0.0, 0.0] for _ in MARGINS] for _ in PRICES] for _ in SORTS]
    for start, moves in games:
        state = start.copy()
        for move in moves:
            if state.question == BID and not FIRST_GOLD <= state.card < FIRST_CHURCH and state.hands[state.seat]:
                price = move - PASS or state.high + 1
                margin = gold_in(state.hands[state.seat]) - price
                sort = sorts_of(state.dice)[state.card]
                counts[sort][PRICE[price]][MARGIN[margin]][move > PASS] += 1
            state.play(move)
    return [[_chances(row) for row in prices] for prices in counts]


def _chances(row: Sequence[Sequence[float]]) -> list[float]:
    passes, bids = (sum(counts[i] for counts in row[1:]) for i in range(2))
    usual = (bids + 1) / (passes + bids + 2)
    chances = [(bids + SHY * usual) / (passes + bids + SHY) for passes, bids in row]
    return [BLUFF * usual, *(min(0.99, max(0.01, chance)) for chance in chances[1:])]


def _habits(weights: Sequence[Sequence[float]], bids: Sequence[Sequence[Sequence[float]]]) -> Habits:
    turns = len(TURNS)
    return weighed(weights[:turns], weights[turns : 2 * turns], weights[-1], bids)
