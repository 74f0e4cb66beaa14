"""What a review of decisions costs, and whether fifty of them hold up who plays.

    python -m tests.bench.analysis --games 3
    python -m tests.bench.analysis --games 0 --start embedded --tables 10x2 --reviews 50

Prints for each title and number of players that has an expert the processor time of a review of all decisions of all
seats, of games that its first bot plays; the median and the longest. With --start, people play on a site of its own at
a steady rate, and again while it looks at the decisions of the games that they have played: how long answers take
before and meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
from random import Random
from statistics import median
from time import process_time

from games.engine.bots import play_out
from games.engine.core import Game
from games.engine.judging import Case, courses_of, is_decision
from games.engine.registry import GAMES
from tests.bench.load import Load, seats_of
from tests.bench.start import KINDS, Site, started
from tests.bench.tables import AtOnce, Rate


def reviews(game: Game, seats: int, games: int) -> list[tuple[float, int]]:
    """Seconds of processor time and the number of decisions, of each of so many games."""
    expert = game.expert(seats, game.options())
    if expert is None:
        return []
    found, rng = [], Random(seats)
    for number in range(games):
        start = game.start(seats, rng.randbytes(32))
        moves = play_out(start.copy(), [game.bots[game.bot]] * seats, rng)
        case = Case(game, expert, start, moves, f"bench {number}")
        began = process_time()
        asked = [at for at, state in case.positions(range(len(moves))) if is_decision(state)]
        for _verdict in case.verdicts(asked):
            pass
        courses_of(case, range(seats))
        found.append((process_time() - began, len(asked)))
    return found


async def beside(site: Site, tables: str, rate: float, wanted: int) -> list[str]:
    """Measure answers before and during so many reviews. Returns what went wrong."""
    gc.disable()  # its pauses would seem to be the site's
    load = Load(site, seats_of(tables), "1", "")

    async def measured(what: str) -> None:
        figures = await load.play(1, lambda: Rate(rate, Random("1")))
        shown = {name: value for name, value in figures.items() if "last board" in name or "a second" in name}
        print(what, *[f"{value:8.1f} {name}" for name, value in shown.items()], sep="\n  ")

    while len(load.played) < wanted:
        await load.play(1, AtOnce)
    await measured("before")
    addresses = load.played[:wanted]
    for number, address in enumerate(addresses):
        await load.people[number % len(load.people)].browser.post(f"{address}/decisions/ask")
    await measured(f"while {wanted} games are looked at")
    pages = [(await load.people[0].browser.get(f"{address}/decisions")).text for address in addresses]
    done = sum('class="shares"' in page for page in pages)
    print(f"  {done:8}   were done meanwhile")
    return load.faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=3, help="of each title and number of players")
    parser.add_argument("--start", choices=KINDS, help="the kind of site on which people play")
    parser.add_argument("--tables", default="10x2", help="tables by people at each (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=30, help="answers a second (default: %(default)s)")
    parser.add_argument("--reviews", type=int, default=50, help="asked for at once (default: %(default)s)")
    options = parser.parse_args()
    for game in GAMES.values() if options.games else ():
        for seats in game.seats:
            found = reviews(game, seats, options.games)
            took = [seconds for seconds, _count in found]
            said = f"{median(took):.2f} s, longest {max(took):.2f} s" if found else "nothing judges it"
            about = f", {median(count for _seconds, count in found):.0f} decisions" if found else ""
            print(f"{game.slug}, {seats} players: {said}{about}")
    faults: list[str] = []
    if options.start:
        with started(options.start, english=True) as site:
            faults = asyncio.run(beside(site, options.tables, options.rate, options.reviews))
    for fault in faults[:20]:
        print(f"FAULT: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
