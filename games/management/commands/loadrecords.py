"""Read what `dumprecords` wrote into this site, all or nothing."""

import gzip
import zlib
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone
from tqdm import tqdm

from games.matches import dump
from games.transparency import intake

LONGEST = 4_000_000
"""The most characters of a line."""


class Command(BaseCommand):
    help = (
        "Read people, ratings, matches and the archive from a file that `dumprecords` wrote: all or nothing. "
        "Refuses people and matches that exist already. `verifylogs` says afterwards whether everything is right."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE.jsonl[.gz]", type=Path)

    def handle(self, *, file: Path, **_: Any) -> None:
        loader, number = dump.Loader(), 0
        try:
            with (
                open(file, "rb") as raw,
                gzip.open(raw, "rb") if file.suffix == ".gz" else nullcontext(raw) as lines,
                tqdm(total=file.stat().st_size, unit="B", unit_scale=True, disable=None) as bar,
                transaction.atomic(),
            ):
                while line := lines.readline(LONGEST):
                    number += 1
                    loader.take(number, line.decode())
                    bar.update(raw.tell() - bar.n)
                counts = loader.finish()
                intake.take_in(intake.leaves_of_matches(timezone.now()))
        except (OSError, EOFError, zlib.error) as error:
            raise CommandError(f"cannot read {file} after line {number}: {error}") from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{file}:{number}: this is no text: {error}") from error
        except dump.BadDump as error:
            raise CommandError(f"{file}:{number}: {error}") from error
        self.stdout.write(", ".join(f"{count} of {kind}" for kind, count in counts.items()))
