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
        parser.add_argument(
            "--vary", action="store_true", help="draw the table options anew for each game, but those given by --option"
        )
        parser.add_argument("--output", metavar="FILE.jsonl", help="where to write the records")
        parser.add_argument("--game", help="a title, or one at a rules version (slug/1); default: the first title")

    def handle(self, **given: Any) -> None:
        try:
            game = _game(given["game"])
            chosen = {
                key: game.option(key, value) for key, _, value in (pair.partition("=") for pair in given["option"])
            }
            options = game.preset(given["preset"] or next(iter(game.presets))) | chosen
            game.start(given["players"], bytes(32), options)
            names = _bots(game, given["bots"], given["players"])
        except RulesError as error:
            raise CommandError(str(error)) from error
        if given["games"] < 1:
            raise CommandError(f"--games is {given['games']}; expected 1 or more")
        if given["vary"] and given["preset"]:
            raise CommandError("--vary draws the options that a --preset fixes; expected only one of them")
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
                if given["vary"]:
                    drawn = Random(name + b"/options")
                    options = {key: drawn.choice(values) for key, values in game.choices.items()} | chosen
                start = game.start(given["players"], hashlib.sha256(name).digest(), options)
                end = start.copy()
                moves = play_out(end, [game.bots[bot] for bot in names], Random(name))
                if file:
                    file.write(json.dumps(record.export(game, start, moves, names)) + "\n")
                happened += game.tally(start, moves)
                lengths.append(len(moves))
                points.append(end.scores())
        self.stdout.write(_summary(names, happened, lengths, points))


def _game(text: str | None) -> Game:
    """The game of a slug, by its newest rules, or of a slug and rules version; the first title without a text."""
    slug, slash, version = (text or "").partition("/")
    return game_of(slug, int(version) if version.isdecimal() else 0) if slash else title(slug)


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
