"""Whether Swiss pairings hold their promises, in as many random tournaments as one likes."""

from collections import Counter
from random import Random
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from tools.pairing_promises import BrokenPromise, check_tournament


class Command(BaseCommand):
    help = (
        "Pair the rounds of random Swiss tournaments, with shared places, people who leave and people who come late, "
        "and check each round: everybody plays or has a bye, nobody has a second bye before everybody has had one, "
        "nobody meets again who need not, and, among few people, no other pairing is better. Nothing is stored."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tournaments", type=int, default=10_000, help="how many")
        parser.add_argument("--seed", default="1", help="any text")

    def handle(self, *, tournaments: int, seed: str, **_: Any) -> None:
        if tournaments < 1:
            raise CommandError(f"--tournaments is {tournaments}; expected 1 or more")
        told = Counter[str]()
        for number in tqdm(range(tournaments), unit="tournament", disable=None):
            try:
                told.update(check_tournament(Random(f"{seed} {number}")))
            except BrokenPromise as error:
                raise CommandError(f"tournament {number} of the seed {seed}: {error}") from error
        self.stdout.write(
            f"All promises held in {tournaments} tournaments: {told['rounds']} rounds, {told['pairs']} pairs, "
            f"{told['byes']} byes; {told['repeats']} pairs met again, as nothing else was possible."
        )
