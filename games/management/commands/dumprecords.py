"""Write the people and matches of the site into one file."""

import gzip
import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from accounts.database.snapshot import snapshot
from games.matches import dump


class Command(BaseCommand):
    help = (
        "Write people, ratings, matches with their logs, and the archive as JSON lines, as they stand at one moment; "
        "`loadrecords` reads them into another site, whatever its database. Left out are clubs with their ladders, "
        "challenges and tournaments, reviews of decisions and what comes back of them, notices, the public log, "
        "sessions, messages, chat and complaints. `backup` has all of these; `dumpclub` takes one club to another site."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", metavar="FILE.jsonl[.gz]", type=Path, help="file to write; compressed if it ends with .gz"
        )
        parser.add_argument(
            "--with-accounts",
            action="store_true",
            help="also password hashes, e-mail addresses, settings, powers and blocks: to move a site",
        )
        parser.add_argument("--running", action="store_true", help="also running matches, with all their secrets")

    def handle(self, *, file: Path, with_accounts: bool, running: bool, **_: Any) -> None:
        try:
            # The keys of tables that are not listed are in every dump.
            raw = os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        except OSError as error:
            raise CommandError(f"cannot write {file}: {error.strerror}") from error
        try:
            with raw, snapshot(), gzip.open(raw, "wb") if file.suffix == ".gz" else nullcontext(raw) as out:
                total = dump.length(with_accounts, running)
                for line in tqdm(dump.lines(with_accounts, running), total=total, unit="line", disable=None):
                    out.write(line.encode())
        except BaseException:
            file.unlink()
            raise
        self.stdout.write(f"{total} lines, {file.stat().st_size} bytes")
