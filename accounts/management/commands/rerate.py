"""All ratings are counted again from the archive."""

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.ledger import Ledger, TornLedger
from accounts.models import Rating


class Command(BaseCommand):
    help = "Count all ratings again from the archive of matches, in the order in which they were rated."

    def add_arguments(self, parser):
        parser.add_argument("--check", action="store_true", help="change nothing, name the first difference")

    @transaction.atomic
    def handle(self, *, check, **_):
        # Matches that end meanwhile wait here, and are rated after us.
        kept = {(rating.user_id, rating.pool): rating for rating in Rating.objects.select_for_update()}
        ledger, rows, entries = Ledger(), 0, []
        try:
            for row, before, after in ledger.replay():
                rows += 1
                if (row.before, row.after) != (before, after):
                    if check:
                        raise CommandError(
                            f"match {row.match}, {row.user}: the archive says {row.before!r} to {row.after!r},"
                            f" it should be {before!r} to {after!r}"
                        )
                    row.before, row.after = before, after
                    entries.append(row)
        except TornLedger as error:
            raise CommandError(str(error)) from error
        changed = []
        for user_id, pool in sorted(kept.keys() | ledger.balance.keys()):
            rating = kept.get((user_id, pool)) or Rating(user_id=user_id, pool=pool, value=0)
            value, games = ledger.of(user_id, pool)
            if (rating.value, rating.games) != (value, games):
                if check:
                    raise CommandError(
                        f"{rating.user}, pool {pool}: the rating is {rating.value!r} after {rating.games} games,"
                        f" it should be {value!r} after {games}"
                    )
                rating.value, rating.games = value, games
                changed.append(rating)
        for row in entries:
            row.save(update_fields=["before", "after"])
        for rating in changed:
            rating.save()
        people = len({user_id for user_id, _ in ledger.balance})
        if check:
            self.stdout.write(f"{rows} rated rows of {people} people, no difference")
        else:
            self.stdout.write(
                f"{rows} rated rows of {people} people; corrected: {len(entries)} rows, {len(changed)} ratings"
            )
