"""Fill a site with matches as people play them, for trying out tools."""

from datetime import timedelta
from random import Random
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from accounts.models import User
from games.engine.core import RulesError
from games.engine.registry import title
from games.matches.clocks import USUAL, Clock, ms_of
from tools import rehearsal

NAME = "sim{}"
SPAN = timedelta(days=30)
"""The matches begin within this time before now, one after the other."""
TABLES = [
    {"clock": USUAL, "rated": True},
    {"clock": Clock.live(3, 5), "rated": True},
    {"clock": Clock.daily(2), "rated": True},
    {},
]


class Command(BaseCommand):
    help = (
        "Let bots play whole matches in the seats of made-up people (sim1, sim2 ...), through the services of the "
        "site: logs, archive and ratings look like those of real ones."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, required=True, help="how many")
        parser.add_argument("--game", default=title().slug, help="what they play")
        parser.add_argument("--players", help="how many sit at a table: one number or a list; else as the game has it")
        parser.add_argument("--bots", help="the bots that choose: one or a list, dealt out seat by seat")
        parser.add_argument("--people", type=int, default=40, help="number of people")
        parser.add_argument("--unfinished", type=int, default=0, help="number of matches that stay unfinished")
        parser.add_argument("--seed", required=True, help="any text: who plays whom, and how; not what chance decides")
        parser.add_argument("--yes", action="store_true", help="even on a site with real people")

    def handle(
        self,
        *,
        matches: int,
        game: str,
        players: str | None,
        bots: str | None,
        people: int,
        unfinished: int,
        seed: str,
        yes: bool,
        **_: Any,
    ) -> None:
        try:
            rules = title(game)
        except RulesError as error:
            raise CommandError(str(error)) from error
        sizes = [int(size) if size.isdecimal() else 0 for size in players.split(",")] if players else [*rules.seats]
        if not all(size in rules.seats for size in sizes):
            raise CommandError(
                f"--players is {players}; expected numbers from {min(rules.seats)} to {max(rules.seats)}"
            )
        choosers = bots.split(",") if bots else [rules.bot]
        if unknown := set(choosers) - rules.bots.keys():
            raise CommandError(f"unknown bot {min(unknown)}; expected one of: {', '.join(rules.bots)}")
        if people < max(sizes) or matches < 1:
            raise CommandError("there are too few people, or matches")
        if not yes and rehearsal.among_others(NAME.format("")):
            raise CommandError("there are real people on this site, who would meet these; say --yes if you mean it")
        names = [NAME.format(number) for number in range(1, people + 1)]
        known = {user.username: user for user in User.objects.filter(username__in=names)}
        everybody = [known.get(name) or User.objects.create_user(name) for name in names]
        rng, began, rows = Random(seed), timezone.now() - SPAN, 0
        for number in tqdm(range(matches), unit="match", disable=None):
            sitting = rng.sample(everybody, rng.choice(sizes))
            table = rng.choice(TABLES) | {"options": rules.preset(rng.choice(list(rules.presets)))}
            table["rated"] = table.get("rated", False) and bool(rules.pool(len(sitting)))
            match = rehearsal.match_of(sitting, ms_of(began + SPAN * number / matches), rules, **table)
            choose = [rules.bots[choosers[seat % len(choosers)]] for seat in range(len(sitting))]
            stop = rng.randrange(20, 100) if number >= matches - unfinished else None
            leaver = rng.randrange(len(sitting)) if stop is None and rng.random() < 0.05 else None
            rows += rehearsal.perform(match, choose, rng, most=stop, leaver=leaver)
        self.stdout.write(f"{matches} matches with {rows} rows")
