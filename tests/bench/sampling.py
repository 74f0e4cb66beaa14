"""How right the samples of Biblios are: `python -m tests.bench.sampling [--games N] [--each N] [SEATS ...]`.

Games of `greedy` from which no habits were learned, looked at by a seat drawn at random. Printed are, for each number
of players, the mean of what samples hold in a rival's hand less that of the truth, with its 95 % interval; how often
what samples call so and so likely was so; and how long a sample takes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from time import process_time

from games.engine.biblios.game import Biblios
from games.engine.biblios.habits import HABITS, NEUTRAL, CardHabits
from games.engine.biblios.rules import Position
from games.engine.biblios.sample import Sampler
from games.engine.bots import play_out
from games.engine.core import Move
from tests.engine.biblios.agreement import Draw, Look, gaps, looks, reliability

SAMPLES, CLOSE_SAMPLES = 16, 100
DRAWS = 20


def games(seats: int, number: int) -> Iterator[tuple[Position, list[Move]]]:
    """Games of `greedy` that nothing was learned from."""
    for index in range(number):
        start = Biblios().start(seats, Random(f"held out {seats} {index}").randbytes(32))
        assert isinstance(start, Position)
        yield start, play_out(start.copy(), [Biblios.bots["greedy"]] * seats, Random(index))


def drawing(habits: CardHabits) -> Draw:
    """How samples are drawn with these habits; the sampler of the last view is kept."""
    last: list[Sampler] = []

    def draw(view: object, rng: Random) -> Position:
        if not last or last[0].view is not view:
            last[:] = [Sampler(view, habits)]  # type: ignore[arg-type]
        return last[0].draw(rng)

    return draw


def microseconds(seen: list[Look], habits: CardHabits) -> tuple[float, float]:
    """What the first sample of a view takes, and each further one."""
    views = [look.state.view(look.me) for look in seen]
    began = process_time()
    samplers = [Sampler(view, habits) for view in views]
    rng = Random(1)
    for sampler in samplers:
        sampler.draw(rng)
    first = process_time()
    for sampler in samplers:
        for _ in range(DRAWS):
            sampler.draw(rng)
    return 1e6 * (first - began) / len(views), 1e6 * (process_time() - first) / len(views) / DRAWS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--each", type=int, default=3, help="positions of each of three parts of a game")
    parser.add_argument("seats", nargs="*", type=int, default=[2, 3, 4])
    arguments = parser.parse_args()
    for seats in arguments.seats:
        seen = list(looks(games(seats, arguments.games), arguments.each, Random(seats)))
        print(f"\n{seats} players, {arguments.games} games, {len(seen)} views")
        ways = {"any card alike": NEUTRAL, "by habits": HABITS[seats]}
        tables = [gaps(seen, drawing(habits), SAMPLES, Random(1)) for habits in ways.values()]
        print(f"{'sample less truth':40}" + "".join(f"{name:>18}" for name in ways))
        for phase, name in tables[0]:
            print(f"{phase:12}{name:28}" + "".join(f"{table[phase, name]!s:>18}" for table in tables))
        print(f"{'called':>12}{'was so':>10}{'answers':>10}")
        for one in reliability(seen, drawing(HABITS[seats]), CLOSE_SAMPLES, Random(2)):
            print(f"{one.said:12.1%}{one.true:10.1%}{one.number:10,}")
        first, further = microseconds(seen, HABITS[seats])
        print(f"{first:.0f} µs the first sample of a view, {further:.0f} µs each further one")


if __name__ == "__main__":
    main()
