"""Whether ladders hold their promises about challenges that nobody plays, in as many made-up seasons as one likes."""

from collections import Counter
from random import Random
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone
from tqdm import tqdm

from tools.ladder_promises import DAYS, SCENARIOS, check_season
from tools.pairing_promises import BrokenPromise


class Command(BaseCommand):
    help = (
        "Let made-up people challenge each other to tables of two to four, through the services of the site, in "
        "seasons in which three friends decline, in which nobody answers, and in which only the challenged answer. "
        "Each event is checked: nobody goes down who was not challenged by name or had not agreed to play, and no "
        "rungs are won without playing beyond what the rules allow. Nothing is kept."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seasons", type=int, default=10, help="how many of each kind")
        parser.add_argument("--seed", default="1", help="any text")

    def handle(self, *, seasons: int, seed: str, **_: Any) -> None:
        if seasons < 1:
            raise CommandError(f"--seasons is {seasons}; expected 1 or more")
        for scenario in SCENARIOS:
            told = Counter[str]()
            for number in tqdm(range(seasons), unit="season", disable=None):
                try:
                    with transaction.atomic():
                        told.update(check_season(scenario, Random(f"{seed} {number}"), timezone.now()))
                        transaction.set_rollback(True)
                except BrokenPromise as error:
                    raise CommandError(f"season {number} of the seed {seed}: {error}") from error
            self.stdout.write(
                f"{scenario}: {seasons} seasons of {DAYS} days, {told['challenges']} challenges; {told['unanswered']} "
                f"unanswered, {told['overdue']} agreed and not played, {told['void']} ended for want of others; "
                f"{told['replaced']} people replaced. Nobody went down who was not named, nobody won too much."
            )
