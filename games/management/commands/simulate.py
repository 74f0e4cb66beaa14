"""Let bots play games against each other, each written as a record."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from random import Random
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.engine import record
from games.engine.bots import play_out
from games.engine.core import Game, RulesError
from games.engine.registry import game_of, title


class Command(BaseCommand):
    help = "Play games between bots, write one record a line, and sum up what happened."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--games", type=int, required=True, help="number of games")
        parser.add_argument("--players", type=int, required=True, help="number of players at the table")
        parser.add_argument("--seed", required=True, help="any text; the same seed plays the same games")
        parser.add_argument("--bots", default="random", help="one bot for all, or a list dealt out seat by seat")
        parser.add_argument("--preset", help="a preset of the table options (default: the first)")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="a table option")
        parser.add_argument("--output", metavar="FILE.jsonl", help="where to write the records")
        parser.add_argument("--game", help="slug and rules version (default: the first title, newest rules)")

    def handle(self, **given: Any) -> None:
        try:
            game, options = _game(given["game"], given["preset"], given["option"])
            game.start(given["players"], bytes(32), options)
            names = _bots(game, given["bots"], given["players"])
        except RulesError as error:
            raise CommandError(str(error)) from error
        if given["games"] < 1:
            raise CommandError(f"--games is {given['games']}; expected 1 or more")
        happened: Counter[str] = Counter()
        lengths: list[int] = []
        points: list[Sequence[int]] = []
        with ExitStack() as stack:
            file = None
            if given["output"]:
                try:
                    file = stack.enter_context(open(given["output"], "w", encoding="utf-8"))
                except OSError as error:
                    raise CommandError(f"cannot write {given['output']}: {error.strerror}") from error
            for number in tqdm(range(given["games"]), unit="game", disable=None):
                name = f"{given['seed']}/{number}".encode("utf-8", "surrogateescape")
                start = game.start(given["players"], hashlib.sha256(name).digest(), options)
                end = start.copy()
                moves = play_out(end, [game.bots[bot] for bot in names], Random(name))
                if file:
                    file.write(json.dumps(record.export(game, start, moves, names)) + "\n")
                happened += game.tally(start, moves)
                lengths.append(len(moves))
                points.append(end.scores())
        self.stdout.write(_summary(names, happened, lengths, points))


def _game(text: str | None, preset: str | None, pairs: list[str]) -> tuple[Game, dict[str, Any]]:
    game = title()
    if text is not None:
        slug, _, version = text.partition("/")
        game = game_of(slug, int(version) if version.isdecimal() else 0)
    options = game.preset(preset or next(iter(game.presets)))
    for pair in pairs:
        key, _, value = pair.partition("=")
        options[key] = game.option(key, value)
    return game, options


def _bots(game: Game, text: str, players: int) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in game.bots:
            raise RulesError(f"unknown bot “{name}”; expected one of: {', '.join(game.bots)}")
    if len(names) > players:
        raise RulesError(f"{len(names)} bots cannot sit at a table of {players}")
    return [names[seat % len(names)] for seat in range(players)]


def _summary(names: list[str], happened: Counter[str], lengths: list[int], points: list[Sequence[int]]) -> str:
    number = len(lengths)
    lines = [
        f"{number} games",
        f"length: {sum(lengths) / number:.1f} moves on average, {min(lengths)} to {max(lengths)}",
        *(
            f"seat {seat}, {name}: {sum(scores[seat] for scores in points) / number:.2f} points on average"
            for seat, name in enumerate(names)
        ),
        "",
        *(f"{count:10,}  {what}" for what, count in sorted(happened.items()) if count),
    ]
    return "\n".join(lines)
