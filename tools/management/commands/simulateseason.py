"""Make a club with a season behind it, to look at and to try tools on: its ladder, evenings and tournaments."""

from argparse import BooleanOptionalAction
from collections import Counter
from time import perf_counter
from typing import Any

from django.conf import settings
from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone
from tqdm import tqdm

from accounts.career import ratings
from games.engine.core import RulesError
from games.engine.registry import title
from games.ladders import audit
from games.ladders.models import Challenge
from games.ladders.payloads import AtTable, GameResult
from games.ladders.rules import RANGES
from games.management.commands.verifylogs import verified
from games.tournaments.audit import WrongTournament
from tools import simulated_season
from tools.pairing_promises import BrokenPromise
from tools.simulated_club import WAYS, SimulatedClub
from tools.simulated_season import SimulatedSeason


class Command(BaseCommand):
    help = (
        "Make a club of made-up people, and let bots play a season of it through the services of the site: challenges "
        "and their answers, games, vacations, stewards' decisions, evenings and tournaments of all kinds, all at the "
        "times that they would have. It ends now, in the first days of the next season. At the end every log of "
        "matches, the ladder and tournaments is replayed and compared with what is stored, and the rounds of the "
        "tournaments with what their kinds promise. The seed decides the people, how they play, and what they try "
        "when; it does not decide how the cards fall, and so neither who wins, nor what follows from that. All of it "
        "is one transaction: with SQLite, stop the site meanwhile."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seed", required=True, help="any text")
        parser.add_argument("--members", type=int, default=30, help="number of people")
        parser.add_argument("--weeks", type=int, default=12, help="length of the season")
        parser.add_argument("--challenges", type=int, default=300, help="number of challenges in it, if possible")
        parser.add_argument(
            "--events", action=BooleanOptionalAction, default=True, help="evenings and tournaments beside the ladder"
        )
        parser.add_argument("--game", default=title().slug, help="what they play")
        parser.add_argument("--yes", action="store_true", help="even on a site with real people")

    def handle(
        self, *, seed: str, members: int, weeks: int, challenges: int, events: bool, game: str, yes: bool, **_: Any
    ) -> None:
        try:
            rules = title(game)
        except RulesError as error:
            raise CommandError(str(error)) from error
        least, most = RANGES["season_weeks"]
        if not least <= weeks <= most:
            raise CommandError(f"--weeks is {weeks}; expected {least} to {most}")
        if not 3 <= members <= 200 or challenges < 1:
            raise CommandError("there are too few people or challenges, or more than 200 people")
        if not yes and simulated_season.among_others():
            raise CommandError("there are real people on this site, who would meet these; say --yes if you mean it")
        settings.SHUFFLE_MS = 0  # no browser takes part in the shuffles of this process
        began = perf_counter()
        with transaction.atomic():
            kind = SimulatedClub if events else SimulatedSeason
            season = kind(seed, members, weeks, challenges, timezone.now(), rules)
            with tqdm(total=(season.until - season.begins).days, unit="day", disable=None) as bar:
                season.run(bar)
            told = self.audit(season)
        self.tell(season, told, perf_counter() - began)

    def audit(self, season: SimulatedSeason) -> Counter[str]:
        """Replay every log. Returns what happened beside the ladder. Raises CommandError."""
        told = Counter[str]()
        try:
            audit.check(season.ladder)
            if isinstance(season, SimulatedClub):
                told = season.check()
        except audit.WrongLadder as error:
            raise CommandError(f"the ladder is wrong: {error.name}: {error}") from error
        except (WrongTournament, BrokenPromise) as error:
            raise CommandError(f"a tournament is wrong: {error}") from error
        for key, rows, faults in verified(season.club.matches.all()):
            told.update(matches=1, rows=rows)
            if faults:
                raise CommandError(f"match {key} is wrong: {faults[0].text}")
        return told

    def tell(self, season: SimulatedSeason, told: Counter[str], seconds: float) -> None:
        """Tell what has happened, and how the ladder stands."""
        kinds = Counter(season.ladder.log.values_list("kind", flat=True))
        ends = Counter(season.ladder.challenges.values_list("status", flat=True))
        standing = season.standing
        say = self.stdout.write
        say(
            f"{season.club.members.count()} members, {season.made} challenges, {kinds[GameResult.kind]} results, "
            f"{kinds[AtTable.kind]} from the real table"
        )
        say("challenges: " + ", ".join(f"{ends[one]} {one}" for one in Challenge.Status.values if ends[one]))
        say("events: " + ", ".join(f"{number} {kind}" for kind, number in kinds.most_common()))
        if isinstance(season, SimulatedClub):
            say(
                f"{told['evenings']} evenings and {told['tournaments']} tournaments: {told['rounds']} rounds, "
                f"{told['tables']} tables, {told['byes']} byes, {told['forfeits']} forfeits, "
                f"{told['corrections']} corrections; {told['left']} left"
            )
            say("nobody was at two live tables of events at once; all rounds hold what their kinds promise")
            say(f"tournaments: {told['events']} events replayed: no fault")
            for name, found in season.by_kind.items():
                ways = ", ".join(f"{found[way]} {way}" for way in WAYS if found[way])
                say(
                    f"  {name}: {found['evenings'] + found['tournaments']} played, {found['rounds']} rounds, "
                    f"{found['tables']} tables, {found['events']} events" + (f"; {ways}" if ways else "")
                )
        say(f"ladder: {season.ladder.events} events replayed: no fault")
        say(f"logs: {told['matches']} matches, {told['rows']} rows replayed: no fault")
        say(f"{season.moves} moves in {seconds:.0f} s")
        say("")
        say("  #  name                rating  games  form   strength")
        for position, player in enumerate(standing.order, 1):
            known, person = standing.players[player], season.person_of[player]
            rating = ratings.shown(known.rating, known.games)
            say(
                f"{position:>3}  {person.user.username:<18}  {rating:>6}  {known.games:>5}"
                f"  {known.form:<5}  {person.skill:>7.0%}"
            )
        say("")
        say(f"{season.ladder.get_absolute_url()}, steward {season.steward.username}: none of them has a password")
        say(f"until you give them one with: manage.py changepassword {season.steward.username}")
