"""Learns anew, from games that bots play, what a title's bots go by: docs/bots.md."""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module
from typing import Any

from django.core.management.base import BaseCommand, CommandError

TRAINERS = {
    "values": {"biblios": "tools.training.biblios", "exlibris": "tools.training.exlibris"},
    "habits": {"biblios": "games.engine.biblios.training.habits_training"},
}
"""By what is learned and title, the module that trains: its `train(players, seed, games, rounds, processes, say)`
writes it down.

It is imported only when it is asked for, because the values of Biblios need numpy, which nothing else does."""


class Command(BaseCommand):
    """`manage.py trainbots --game biblios --players 2 --seed 1`"""

    help = "Learns what the bots of a title go by with one number of players, and writes it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", choices=sorted(TRAINERS["values"]), required=True)
        parser.add_argument("--what", choices=sorted(TRAINERS), default="values", help="values, or habits for samples")
        parser.add_argument("--players", type=int, required=True)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--games", type=int, default=2000, help="games in each round")
        parser.add_argument("--rounds", type=int, default=4)
        parser.add_argument("--processes", type=int, default=2)

    def handle(self, *args: Any, **options: Any) -> None:
        module = TRAINERS[options["what"]].get(options["game"])
        if module is None:
            raise CommandError(f"{options['game']} has no {options['what']} to learn")
        trainer = import_module(module)
        trainer.train(
            options["players"],
            options["seed"],
            options["games"],
            options["rounds"],
            options["processes"],
            self.stdout.write,
        )
