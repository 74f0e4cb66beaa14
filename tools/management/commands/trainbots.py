"""Learns the weights of a title's bots anew from games that they play against themselves: docs/bots.md."""

from __future__ import annotations

from argparse import ArgumentParser
from importlib import import_module
from typing import Any

from django.core.management.base import BaseCommand

TRAINERS = {"biblios": "tools.training.biblios", "exlibris": "tools.training.exlibris"}
"""By title, the module that trains: its `train(seats, seed, games, rounds, processes, say)` writes the weights.

It is imported only when it is asked for, because that of Biblios needs numpy, which nothing else does."""


class Command(BaseCommand):
    """`manage.py trainbots --game biblios --players 2 --seed 1`"""

    help = "Trains the bots of a title for one number of players, and writes their weights."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", choices=sorted(TRAINERS), required=True)
        parser.add_argument("--players", type=int, required=True)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--games", type=int, default=2000, help="games in each round")
        parser.add_argument("--rounds", type=int, default=4)
        parser.add_argument("--processes", type=int, default=2)

    def handle(self, *args: Any, **options: Any) -> None:
        trainer = import_module(TRAINERS[options["game"]])
        trainer.train(
            options["players"],
            options["seed"],
            options["games"],
            options["rounds"],
            options["processes"],
            self.stdout.write,
        )
