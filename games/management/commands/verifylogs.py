"""Replay the logs of matches and the events of ladders, and name the first error of each."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.models import Q, QuerySet
from tqdm import tqdm

from accounts.career import ledger
from accounts.database.snapshot import snapshot
from accounts.models import ArchivedMatch
from games.deck import playing_on
from games.hands import audit as hand_audit
from games.hands.models import Hand
from games.ladders import audit
from games.ladders.models import Ladder
from games.matches import logs
from games.matches.logs import StoredRow
from games.matches.models import Match
from games.matches.verify import Fault, faults
from games.tournaments import audit as tournament_audit
from games.tournaments.models import Tournament
from games.transparency import audit as log_audit
from games.transparency import powers, triggers
from games.transparency.keys import BadKey
from games.transparency.models import TreeHead, TreeLeaf

CHUNK = 50
"""The number of matches read at once; each chunk as it stood at one moment, while the site plays on."""


UNREADABLE = (ValueError, TypeError, AttributeError, DatabaseError)
"""The errors of reading a column that holds something other than what was written."""


class Command(BaseCommand):
    help = (
        "Replay the logs of matches, and compare them with everything stored of these: header, seats, clocks, archive. "
        "Unless matches are chosen, the ratings are recomputed, the events of ladders and tournaments replayed, and "
        "the hands of the day and the public log are checked, and the triggers that keep the past. Ends with 1 if "
        "anything is wrong."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("keys", nargs="*", metavar="KEY", help="only these matches")
        parser.add_argument("--since", metavar="DATE", help="only matches that began on this day (UTC) or later")
        parser.add_argument(
            "--status", action="append", choices=Match.Status.values, help="only matches of this status"
        )

    def handle(self, *, keys: list[str], since: str | None, status: list[str] | None, **_: Any) -> None:
        matches = Match.objects.all()
        if keys:
            matches = matches.filter(key__in=keys)
            if unknown := set(keys) - set(matches.values_list("key", flat=True)):
                raise CommandError(f"there is no match {', '.join(sorted(unknown))}")
        if since:
            matches = matches.filter(started_at__gte=day(since))
        if status:
            matches = matches.filter(status__in=status)
        began = perf_counter()
        checked, rows, wrong = self.verify(matches)
        took = max(perf_counter() - began, 0.001)
        speed = f"{checked / took:.0f} matches/s, {rows / took:.0f} rows/s"
        self.stdout.write(f"{checked} matches, {rows} rows in {took:.1f} s ({speed})")
        problems = [f"{wrong} matches are wrong"] if wrong else []
        if not (keys or since or status):
            problems += self.verify_people()
            problems += self.verify_ladders()
            problems += self.verify_tournaments()
            problems += self.verify_hands()
            problems += self.verify_beginnings()
            problems += self.verify_public_log()
            problems += self.verify_triggers()
        if problems:
            raise CommandError("; ".join(problems))
        self.stdout.write("no fault")

    def verify(self, matches: QuerySet[Match]) -> tuple[int, int, int]:
        """Check matches, and tell each fault. Returns how many matches, rows of logs and wrong matches there are."""
        checked = rows = wrong = 0
        with tqdm(total=matches.count(), unit="match", disable=None) as bar:
            for key, length, found in verified(matches):
                for fault in found:
                    where = "" if fault.ply is None else f" ply {fault.ply}:"
                    bar.clear()
                    self.stdout.write(f"{key}:{where} {fault.name}: {fault.text}")
                checked, rows, wrong = checked + 1, rows + length, wrong + bool(found)
                bar.update()
        return checked, rows, wrong

    def verify_people(self) -> list[str]:
        """What is wrong beside the matches, one sentence each, which is also told."""
        problems = []
        with snapshot():
            stray = ArchivedMatch.objects.exclude(match__in=Match.objects.values("key")).count()
            if stray:
                problems.append(f"{stray} rows of the archive belong to no match")
            try:
                counted, people = ledger.check()
                self.stdout.write(f"{counted} rated rows of {people} people counted again")
            except (ledger.TornLedger, ledger.WrongLedger) as error:
                problems.append(f"the ratings are wrong: {error}")
        return problems

    def verify_ladders(self) -> list[str]:
        """What is wrong with ladders, in one sentence; tells the first fault of each."""
        events = wrong = 0
        found = list(Ladder.objects.order_by("club__slug", "number").values_list("pk", "club__slug", "number"))
        for pk, slug, number in found:
            name = f"ladder {number} of {slug}"
            try:
                with snapshot():
                    ladder = Ladder.objects.select_related("club").get(pk=pk)
                    audit.check(ladder)
                    events += ladder.events
            except audit.WrongLadder as error:
                self.stdout.write(f"{name}: {error.name}: {error}")
                wrong += 1
            except UNREADABLE as error:
                self.stdout.write(f"{name}: unreadable: {error}")
                wrong += 1
        if found:
            self.stdout.write(f"{events} events of {len(found)} ladders replayed")
        return [f"{wrong} ladders are wrong"] if wrong else []

    def verify_tournaments(self) -> list[str]:
        """What is wrong with tournaments, in one sentence; tells the first fault of each."""
        events = wrong = 0
        keys = list(Tournament.objects.order_by("pk").values_list("pk", "club__slug", "number"))
        for pk, slug, number in keys:
            try:
                with snapshot():
                    tournament = Tournament.objects.select_related("club").get(pk=pk)
                    tournament_audit.check(tournament)
                    events += tournament.events
            except (tournament_audit.WrongTournament, *UNREADABLE) as error:
                self.stdout.write(f"tournament {number} of {slug}: {error}")
                wrong += 1
        if keys:
            self.stdout.write(f"{events} events of {len(keys)} tournaments replayed")
        return [f"{wrong} tournaments are wrong"] if wrong else []

    def verify_hands(self) -> list[str]:
        """What is wrong with hands of the day, in one sentence; tells the first fault of each."""
        tries = wrong = 0
        found = list(Hand.objects.order_by("day", "pk").values_list("pk", "game", "day"))
        for pk, game, played in found:
            try:
                with snapshot():
                    tries += hand_audit.check(Hand.objects.get(pk=pk))
            except (hand_audit.WrongHand, *UNREADABLE) as error:
                self.stdout.write(f"hand of {game}, {played}: {error}")
                wrong += 1
        if found:
            self.stdout.write(f"{tries} tries of {len(found)} hands of the day checked")
        return [f"{wrong} hands of the day are wrong"] if wrong else []

    def verify_beginnings(self) -> list[str]:
        """What is wrong with matches that are played on from others, in one sentence; tells each."""
        wrong = 0
        either = Q(beginning__isnull=False) | Q(played_from__isnull=False)
        found = list(Match.objects.filter(either).order_by("pk").values_list("pk", "key"))
        for pk, key in found:
            try:
                with snapshot():
                    playing_on.check(Match.objects.select_related("played_from").get(pk=pk))
            except (playing_on.WrongBeginning, *UNREADABLE) as error:
                self.stdout.write(f"{key}: beginning: {error}")
                wrong += 1
        if found:
            self.stdout.write(f"{len(found)} matches that are played on from others checked")
        return [f"{wrong} matches that are played on from others are wrong"] if wrong else []

    def verify_public_log(self) -> list[str]:
        """What is wrong with the public log, in one sentence; tells each fault."""
        wrong = 0
        try:
            with snapshot():
                for fault in log_audit.faults():
                    self.stdout.write(f"public log, {fault.where}: {fault.name}: {fault.text}")
                    wrong += 1
                leaves, days = TreeLeaf.objects.count(), TreeHead.objects.count()
                self.stdout.write(f"{leaves} leaves and {days} heads of the public log checked")
                if other := log_audit.other_receipts():
                    self.stdout.write(other)
        except (BadKey, *UNREADABLE) as error:
            self.stdout.write(f"public log: unreadable: {error}")
            wrong += 1
        return [f"the public log is wrong in {wrong} ways" if wrong > 1 else "the public log is wrong"] if wrong else []

    def verify_triggers(self) -> list[str]:
        """How many triggers do not keep the past, or could undo what others do, in one sentence; tells each, and who
        can do without them."""
        found = list(triggers.faults())
        for fault in found:
            self.stdout.write(f"{fault.kind} {fault.name} of {fault.table}: {fault.text}")
        role, power = powers.of_who_serves()
        if power:
            # As a site chooses that has one role for everything.
            self.stdout.write(f"the role {role}, under which the site serves, {power}: it can rewrite the past")
        return [f"{len(found)} triggers or rules do not keep the past"] if found else []


def verified(matches: QuerySet[Match]) -> Iterator[tuple[str, int, list[Fault]]]:
    """The key of each match, the number of rows of its log, and its faults; in the order in which they were opened."""
    last = 0
    while found := list(matches.filter(pk__gt=last).order_by("pk").values_list("pk", "key")[:CHUNK]):
        last = found[-1][0]
        try:
            cases = read([pk for pk, _ in found])
        except UNREADABLE:
            yield from map(verified_alone, found)
            continue
        for match, entries, archived in cases:
            yield match.key, len(entries), faults(match, entries, archived)


def verified_alone(found: tuple[int, str]) -> tuple[str, int, list[Fault]]:
    """The same for a match that may hold something unreadable."""
    pk, key = found
    try:
        [(match, entries, archived)] = read([pk])
    except UNREADABLE as error:
        return key, 0, [Fault(None, "unreadable", str(error))]
    return key, len(entries), faults(match, entries, archived)


def read(matches: list[int]) -> list[tuple[Match, list[StoredRow], list[ArchivedMatch]]]:
    """These matches with their logs and their rows of the archive, as they stand at one moment."""
    archives = defaultdict(list)
    with snapshot(), legible():
        found = logs.read(matches)
        # index accounts_archive_match
        for row in ArchivedMatch.objects.filter(match__in=[match.key for match, _ in found]):
            archives[row.match].append(row)
    return [(match, entries, archives[match.key]) for match, entries in found]


@contextmanager
def legible() -> Iterator[None]:
    """Lets SQLite return texts that are no longer UTF-8 as well as it can."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.connection.text_factory = lambda text: text.decode(errors="replace")
    yield
    if connection.vendor == "sqlite":
        connection.connection.text_factory = str


def day(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise CommandError(f"“{text}” is not a date; expected one like 2026-11-21") from None
