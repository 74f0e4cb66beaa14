"""Take a club from another site into this one, all or nothing."""

from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from accounts.text import plaintext
from accounts.web.refused import Refused
from games.clubs.moving import intake


class Command(BaseCommand):
    help = (
        "Take in a club that `dumpclub` wrote at another site, all or nothing. A name there is not the same person "
        "here: say of each who comes along who they are (--person), or whom to invite (--invite); everybody else stays "
        "behind. Ladders and tournaments are replayed and compared, games are checked. A tournament that has not ended "
        "ends with the move; what events to come open is opened here anew. --dry-run says what would happen."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE.json[.gz]", type=Path)
        parser.add_argument(
            "--person", action="append", default=[], metavar="THERE=HERE", help="a member, by both names; repeatable"
        )
        parser.add_argument(
            "--invite", action="append", default=[], metavar="HERE", help="a player of this site to invite; repeatable"
        )
        parser.add_argument("--slug", default="", help="its name in addresses here, if another than there")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, and change nothing")

    def handle(self, *, file: Path, person: list[str], invite: list[str], slug: str, dry_run: bool, **_: Any) -> None:
        mapping, now = {}, timezone.now()
        for pair in person:
            there, equals, here = pair.partition("=")
            if not (there and equals and here) or there in mapping:
                raise CommandError(f"expected --person THERE=HERE, each person once; found {pair}")
            mapping[there] = here
        try:
            with file.open("rb") as opened:
                newcomer = intake.read(intake.opened(opened.read(intake.LONGEST + 1)))
            with transaction.atomic():
                club = intake.take_in(newcomer, mapping, invite, slug, now)
                transaction.set_rollback(dry_run)
        except OSError as error:
            raise CommandError(f"cannot read {file}: {error.strerror}") from error
        except Refused as error:
            # The file may say anything, also what moves the cursor of a terminal.
            raise CommandError(plaintext.lines(str(error))) from error
        for sentence in intake.told(newcomer, mapping, invite, club, now):
            self.stdout.write(sentence)
        if dry_run:
            self.stdout.write("Nothing was changed.")
