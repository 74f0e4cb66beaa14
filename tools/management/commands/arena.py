"""Measure how strong bots are against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from time import process_time_ns
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.engine import arena
from games.engine.core import Game, RulesError
from games.engine.registry import title

WIDTHS = "{:34} {:>15} {:>7} {:>17} {:>17}"


class Command(BaseCommand):
    help = (
        "Let each bot of a list play against the next one, in every seat of each deal, and print what part of the "
        "games it wins, with an interval of 95 %, and how long a decision takes in ms of processor time: the mean, and "
        "what 99 of 100 stay below. Alone at the table each bot plays by itself. Another number of processes changes "
        "no game."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", default="", help="a title (default: the first)")
        parser.add_argument("--seats", type=int, required=True, help="number of players at the table")
        parser.add_argument("--bots", required=True, help="a list; each meets the next: strong,good,fair")
        parser.add_argument("--deals", type=int, default=1000, help="number of deals, each played once a seat")
        parser.add_argument("--seed", default="1", help="any text; the same seed plays the same deals")
        parser.add_argument("--processes", type=int, default=1, help="how many share the work")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="a table option")

    def handle(self, **given: Any) -> None:
        try:
            game, seats = title(given["game"]), given["seats"]
            pairs = (pair.partition("=") for pair in given["option"])
            options = game.options({key: game.option(key, value) for key, _, value in pairs})
            game.check_seats(seats)
            meetings = list(_meetings(game, given["bots"].split(","), seats))
        except RulesError as error:
            raise CommandError(str(error)) from error
        if given["deals"] < 2:
            raise CommandError(f"--deals is {given['deals']}; expected 2 or more")
        if given["processes"] < 1:
            raise CommandError(f"--processes is {given['processes']}; expected 1 or more")
        rules = ", ".join(f"{key} {str(value).lower()}" for key, value in options.items())
        parity = f"parity {1 / seats:.3f}" if seats > 1 else "alone"
        self.stdout.write(f"{game.slug}, players: {seats}, {parity}, seed {given['seed']}; {rules}")
        self.stdout.write(WIDTHS.format("", "share", "games", "ms, mean p99", "the other's"))
        with _workers(given["processes"]) as run:
            for names in meetings:
                play = partial(_play, game.slug, seats, options, names, given["seed"])
                numbers = range(given["deals"])
                bouts = list(tqdm(run(play, numbers), total=len(numbers), unit="deal", desc=names[0], disable=None))
                self.stdout.write(_line(names, bouts, seats))


def _meetings(game: Game, names: list[str], seats: int) -> Iterator[tuple[str, str]]:
    """Which bot meets which."""
    for name in names:
        if name not in game.bots:
            raise RulesError(f"unknown bot “{name}”; expected one of: {', '.join(game.bots)}")
    if seats == 1:
        yield from ((name, name) for name in names)
    elif len(names) == 1:
        raise RulesError("a bot needs another one to play against")
    else:
        yield from pairwise(names)


@contextmanager
def _workers(number: int) -> Iterator[Any]:
    """A `map` that shares the work out among so many processes."""
    if number == 1:
        yield map
    else:
        with ProcessPoolExecutor(number, get_context("spawn")) as pool:
            yield partial(pool.map, chunksize=4)


def _play(
    slug: str, seats: int, options: Mapping[str, Any], names: tuple[str, str], seed: str, number: int
) -> arena.Bout:
    return arena.bout(title(slug), seats, options, names, seed, number, process_time_ns)


def _line(names: tuple[str, str], bouts: Iterable[arena.Bout], seats: int) -> str:
    bouts = list(bouts)
    found = arena.strength(bouts, seats)
    speeds = [_speed([time for bout in bouts for time in bout.times[which]]) for which in (0, 1)]
    who = " against ".join(names) if seats > 1 else names[0]
    return WIDTHS.format(who, f"{found.share:.3f} +- {found.either_side:.3f}", found.games, *speeds)


def _speed(times: list[int]) -> str:
    return "{:.2f} {:.2f}".format(*arena.speed(times)) if times else "-"
