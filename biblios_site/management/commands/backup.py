"""Write the database into one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from biblios_site import backup


class Command(BaseCommand):
    help = "Write the whole database into a new file, as it stands at one moment, while the site plays on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        try:
            backup.save(file)
        except backup.Impossible as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{file.stat().st_size} bytes")
