"""Let the public log go on from a restored database, in place of heads that were signed since its backup."""

from datetime import date
from typing import Any

from django.conf import settings
from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.transparency import intake, kept
from games.transparency.checkpoint import Checkpoint
from games.transparency.kept import OtherPast
from games.transparency.keys import BadKey


class Command(BaseCommand):
    help = (
        "After a restore of an older backup: say which head of the public log the database lacks; with --give-up, sign "
        "the head of yesterday on what the database has. That head names the other for everybody, for ever: people who "
        "kept the other can prove that the log was not continued, and see that the site says so itself."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--give-up", metavar="DAY", type=date.fromisoformat, help="the day of the head that is given up"
        )

    def handle(self, *, give_up: date | None, **_: Any) -> None:
        key = settings.LOG_KEY
        try:
            kept.unpublished(key)
        except OtherPast as error:
            problem = error
        except BadKey as error:
            raise CommandError(str(error)) from error
        else:
            self.stdout.write("The log goes on from the head that was signed last: there is nothing to give up.")
            return
        note = kept.last(key)
        day = Checkpoint.read(note).day
        self.stdout.write(f"The database has another past: {problem}.\n\n{note}")
        if give_up is None:
            raise CommandError(f"nothing was signed; --give-up {day} signs a head that goes on without this one")
        if give_up != day:
            raise CommandError(f"the head that was signed last is of {day}, not of {give_up}")
        try:
            head = intake.daily(timezone.now(), give_up=True)
        except (BadKey, OtherPast) as error:
            raise CommandError(str(error)) from error
        if head is None:
            raise CommandError(
                "yesterday (UTC) cannot be closed yet: start the site, so that its worker does what was due, and try "
                "again in some minutes; if yesterday is closed already, after the next midnight"
            )
        self.stdout.write(f"The head of {head.day} goes on without it, and says so:\n\n{head.note}")
