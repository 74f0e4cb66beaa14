"""Recompute all ratings from the archive."""

from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.career import archive, ledger, tallies
from accounts.database.snapshot import snapshot
from accounts.models import Rating


class Command(BaseCommand):
    help = "Recompute all ratings from the archive of matches, in the order in which they were rated."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing, name the first difference")

    def handle(self, *, check: bool, **_: Any) -> None:
        try:
            if check:
                with snapshot():
                    rows, people = ledger.check()
                self.stdout.write(f"{rows} rated rows of {people} people, no difference")
            else:
                self.correct()
        except (ledger.TornLedger, ledger.WrongLedger) as error:
            raise CommandError(str(error)) from error

    @transaction.atomic
    def correct(self) -> None:
        # Matches that end meanwhile wait here, and are rated afterwards.
        kept = {ledger.holding(rating): rating for rating in Rating.objects.select_for_update().order_by("user_id")}
        book, rows, entries = ledger.Ledger(), 0, []
        for row, right in book.replay():
            rows += 1
            if (row.before, row.after, row.games) != (right.before, right.after, right.games):
                row.before, row.after, row.games = right.before, right.after, right.games
                entries.append(row)
        changed = []
        for held in sorted(kept.keys() | book.balance.keys()):
            rating = kept.get(held) or Rating(**held._asdict(), value=0)
            level = book.of(held)
            if (archive.level_of(rating), rating.ranked) != (level, level.ranked):
                archive.keep(rating, level)
                changed.append(rating)
        for row in entries:
            row.save(update_fields=["before", "after", "games"])
        for rating in changed:
            rating.save()
        tallies.recount()
        people = len({held.user_id for held in book.balance})
        self.stdout.write(
            f"{rows} rated rows of {people} people; corrected: {len(entries)} rows, {len(changed)} ratings"
        )
