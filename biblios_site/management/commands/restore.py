"""Replace the database by a file that `backup` wrote."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from biblios_site import backup


class Command(BaseCommand):
    help = (
        "Replace the database by a file that `backup` wrote: all of it, or nothing. The site must be stopped; "
        "afterwards `prepare` brings an older database up to date."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--overwrite", action="store_true", help="even if there are accounts in the database")

    def handle(self, *, file: Path, overwrite: bool, **_: Any) -> None:
        try:
            backup.restore(file, overwrite)
        except backup.Impossible as error:
            raise CommandError(str(error)) from error
        self.stdout.write("restored")
