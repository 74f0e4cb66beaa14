"""Write a whole club into one file."""

import gzip
import json
import os
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError

from accounts.database.snapshot import snapshot
from accounts.models import Club
from games.clubs.moving import document, intake


class Command(BaseCommand):
    help = (
        "Write a club as one JSON document, as it stands at one moment; `loadclub` takes it into another site. It has "
        "settings, members, roles, announcements, ladders, nights and tournaments with their chains, challenges that "
        "have ended, the calendar, and records of finished games. It has no mail addresses, invitations, expulsions, "
        "decisions or posts of the board, and nothing of a tournament that has not begun or still hides its deal."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("club", metavar="CLUB", help="its name in addresses, the part after /c/")
        parser.add_argument("file", metavar="FILE.json[.gz]", type=Path)

    def handle(self, *, club: str, file: Path, **_: Any) -> None:
        found = Club.objects.filter(slug=club).first()
        if found is None:
            raise CommandError(f"there is no club {club}")
        with snapshot():
            told = document.of_club(found)
        data = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
        if len(data) > intake.LONGEST:
            raise CommandError(f"the club has {len(data)} bytes; `loadclub` takes at most {intake.LONGEST}")
        if os.path.lexists(file):
            raise CommandError(f"cannot write {file}: it exists")
        try:
            # Whatever is called like it belongs to somebody else, who could read what is written there.
            with NamedTemporaryFile(dir=file.parent, prefix=f"{file.name}.", suffix=".part", delete=False) as out:
                part = Path(out.name)
                try:
                    out.write(gzip.compress(data) if file.suffix == ".gz" else data)
                    out.flush()
                    os.fsync(out.fileno())
                    part.rename(file)
                except BaseException:
                    part.unlink()
                    raise
        except OSError as error:
            raise CommandError(f"cannot write {file}: {error.strerror}") from error
        events, games = sum(len(ladder["events"]) for ladder in told["ladders"]), len(told["games"])
        happened = sum(len(each["events"]) for each in told["tournaments"])
        self.stdout.write(
            f"{len(told['members'])} members, {events} events of ladders, {happened} events of "
            f"{len(told['tournaments'])} nights and tournaments, {len(told['calendar'])} events of the calendar, "
            f"{games} games"
        )
