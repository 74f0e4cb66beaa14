"""Learns `habits` from games of the bots.

The habits are those under which samples of views look like the truth behind them: a weight rises as long as what it
weighs is rarer in samples than in truth. So what the way of sampling itself favours is evened out too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

from games.engine.biblios.cards import (
    BURIED,
    DECK,
    FIRST_CHURCH,
    FIRST_GOLD,
    GOLD,
    HIDDEN,
    KIND,
    PILE,
    cards_of,
    gold_in,
)
from games.engine.biblios.evidence import taken, turns_of
from games.engine.biblios.game import Biblios
from games.engine.biblios.habits import (
    BLUFF,
    HABITS,
    HABITS_FILE,
    LEADS,
    MARGINS,
    PRICES,
    SORTS,
    TIMES,
    TURNS,
    CardHabits,
    leads_of,
    sorts_of,
    weighed,
    written,
)
from games.engine.biblios.notation import BID, PASS, PAY, PAY_CARDS, REFUSE
from games.engine.biblios.purse import MARGIN, PRICE
from games.engine.biblios.rules import Position
from games.engine.biblios.sample import Sampler
from games.engine.biblios.view import BibliosView
from games.engine.bots import play_out
from games.engine.core import Move

PAID: Final = 2 * len(TURNS)
PLACES: Final = PAID + 1 + TIMES
"""The places of cards, by index: kept in each kind of turn, put in the auction pile, paid face down, held at a time."""
Bids = list[list[list[list[float]]]]

LOOKS: Final = 4
"""Views of each game from which is learned."""
SAMPLES: Final = 2
"""Samples of each view in a round."""
ROUNDS: Final = 8
"""So many rounds learn how cards are placed, from views of the gift phase; as many others what is paid face down."""
SHY: Final = 4.0
"""As many cards of each sort are taken to have been sampled rightly: what is rarely seen changes little."""
LEAST, MOST = 0.02, 50.0
"""The bounds of a weight."""


def train(players: int, seed: int, games: int, _rounds: int, _processes: int, say: Callable[[str], object]) -> None:
    """Play so many games of `greedy` and learn habits from them, in one process; they replace those of so many players
    in `habits.json`. The seed decides which positions are looked at; the games are always the same."""
    game = Biblios()
    played = []
    for index in range(games):
        start = game.start(players, Random(f"{players} {index} {games}").randbytes(32))
        assert isinstance(start, Position)
        played.append((start, play_out(start.copy(), [game.bots["greedy"]] * players, Random(index))))
    HABITS_FILE.write_text(written(HABITS | {players: learn(played, Random(seed), say)}))


class Glimpse(NamedTuple):
    """A view, and the truth behind it."""

    view: BibliosView
    cells: list[tuple[int, int]]
    """For each hidden step its index in the flow and its place, see `_cells`."""
    truth: list[tuple[int, int]]
    """The places and sorts of the cards behind them."""


def glimpses(games: Iterable[tuple[Position, Sequence[Move]]], rng: Random) -> Iterator[Glimpse]:
    """Views of some positions of each game, each of a seat drawn at random."""
    for start, moves in games:
        plies = {rng.randrange(1, len(moves)) for _ in range(LOOKS)}
        state = start.copy()
        for ply, move in enumerate(moves):
            if ply in plies:
                view = state.view(rng.randrange(len(state.hands)))
                cells = _cells(view)
                yield Glimpse(view, cells, _sorts(state, view, cells))
            state.play(move)


def _cells(view: BibliosView) -> list[tuple[int, int]]:
    """The hidden steps of a flow: the index and the place of each."""
    cells = []
    for index, ((source, target, kind), turn) in enumerate(zip(view.flow, turns_of(view), strict=True)):
        if kind == HIDDEN:
            if target == BURIED:
                cells.append((index, PAID))
            elif source == DECK:
                cells.append((index, turn + len(TURNS) * (target == PILE)))
    return cells


def _sorts(state: Position, view: BibliosView, cells: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places and sorts of what moved in the hidden steps, and of what lies in the hands of the others."""
    cards = []
    flow = state.flow
    while flow:
        flow, _, _, card, _ = flow
        cards.append(card)
    sorts = sorts_of(view.dice)
    last = len(cards) - 1
    found = [(place, sorts[cards[last - index]]) for index, place in cells]
    if view.lots:
        time = PAID + 1 + TIMES * (len(view.lots) - 1) // view.setup.turns
        found += [
            (time, sorts[card]) for seat, hand in enumerate(state.hands) if seat != view.me for card in cards_of(hand)
        ]
    return found


def learn(games: Sequence[tuple[Position, Sequence[Move]]], rng: Random, say: Callable[[str], object]) -> CardHabits:
    """The habits of those who played these games, all of one number of players under default options."""
    seen = list(glimpses(games, rng))
    gifts = [glimpse for glimpse in seen if not glimpse.view.bids]
    auctions = [glimpse for glimpse in seen if glimpse.view.bids]
    weights = [[1.0] * len(SORTS) for _ in range(PLACES)]
    bids = _bids(games)
    for number in range(2 * ROUNDS):
        placing = number < ROUNDS
        step = 0.5 if number % ROUNDS >= ROUNDS // 2 else 1.0  # small steps at the end: samples are few
        places = range(PAID) if placing else range(PAID, PLACES)
        off = _improve(weights, places, gifts if placing else auctions, _habits(weights, bids), rng, step)
        say(f"round {number + 1}: {off:.4f} of the cards are of another sort")
    habits = _habits(weights, bids)
    return replace(habits, lead=_leads(games, habits))


def _improve(
    weights: list[list[float]],
    places: Sequence[int],
    seen: Sequence[Glimpse],
    habits: CardHabits,
    rng: Random,
    step: float,
) -> float:
    """Correct the weights of some places. Returns how far off they were."""
    truth = [[0.0] * len(SORTS) for _ in weights]
    drawn = [[0.0] * len(SORTS) for _ in weights]
    for glimpse in seen:
        sampler = Sampler(glimpse.view, habits)
        for _ in range(SAMPLES):
            for place, sort in glimpse.truth:
                truth[place][sort] += 1 / SAMPLES
            for place, sort in _sorts(sampler.draw(rng), glimpse.view, glimpse.cells):
                drawn[place][sort] += 1 / SAMPLES
    off = 0.0
    for place in places:
        row = weights[place]
        power = 2 * step if place > PAID else step  # about half of what a hand holds, everybody knows
        for sort, weight in enumerate(row):
            row[sort] = weight * ((truth[place][sort] + SHY) / (drawn[place][sort] + SHY)) ** power
            off += abs(truth[place][sort] - drawn[place][sort])
        usual = sum(map(float.__mul__, row, drawn[place])) / (sum(drawn[place]) or 1.0) or 1.0
        row[:] = [min(MOST, max(LEAST, weight / usual)) for weight in row]
    return off / (sum(sum(truth[place]) for place in places) or 1.0) / 2


def _bids(games: Iterable[tuple[Position, Sequence[Move]]]) -> Bids:
    """How likely players bid rather than pass: the highest bid of each for a lot, and their pass."""
    counts = [[[[[0.0, 0.0] for _ in MARGINS] for _ in PRICES] for _ in SORTS] for _ in range(TIMES)]
    for start, moves in games:
        state = start.copy()
        for move in moves:
            if state.question == BID and not FIRST_GOLD <= state.card < FIRST_CHURCH and state.hands[state.seat]:
                price = move - PASS or state.high + 1
                margin = gold_in(state.hands[state.seat]) - price
                sort = sorts_of(state.dice)[state.card]
                counts[TIMES * state.sold // len(state.pile)][sort][PRICE[price]][MARGIN[margin]][move > PASS] += 1
            state.play(move)
    return [[[_chances(row) for row in prices] for prices in sorts] for sorts in counts]


def _chances(row: Sequence[Sequence[float]]) -> list[float]:
    passes, bids = (sum(counts[i] for counts in row[1:]) for i in range(2))
    usual = (bids + 1) / (passes + bids + 2)
    chances = [(bids + SHY * usual) / (passes + bids + SHY) for passes, bids in row]
    return [BLUFF * usual, *(min(0.99, max(0.01, chance)) for chance in chances[1:])]


def _leads(games: Iterable[tuple[Position, Sequence[Move]]], habits: CardHabits) -> tuple[float, ...]:
    """By lead, how much more often category cards were paid face down than their sorts let expect."""
    paid, expected = [SHY] * len(LEADS), [SHY] * len(LEADS)
    for start, moves in games:
        state = start.copy()
        for index, move in enumerate(moves):
            if state.question == PAY_CARDS and state.due == state.high and move != REFUSE:
                leads = leads_of(taken(state.view(None)), state.seat)
                hand = cards_of(state.hands[state.seat])
                given = [it - PAY for it in moves[index : index + state.due]]
                weights = [habits.pay[sorts_of(state.dice)[card]] for card in hand]
                for card, weight in zip(hand, weights, strict=True):
                    kind = KIND[card]
                    if kind < GOLD:
                        lead = leads[kind // 9]
                        expected[lead] += min(1.0, weight * len(given) / sum(weights))
                        if kind in given:
                            given.remove(kind)
                            paid[lead] += 1
            state.play(move)
    return tuple([found / wanted for found, wanted in zip(paid, expected, strict=True)])


def _habits(weights: Sequence[Sequence[float]], bids: Bids) -> CardHabits:
    turns = len(TURNS)
    return weighed(weights[:turns], weights[turns:PAID], weights[PAID + 1 :], weights[PAID], (1.0,) * len(LEADS), bids)
