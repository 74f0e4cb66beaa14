"""Replay records, and name the first error of each."""

from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.engine import record
from games.engine.core import BadRecord


class Command(BaseCommand):
    help = "Replay records, one JSON document a line, and report the first error of each."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE.jsonl")

    def handle(self, *, files: list[str], **_: Any) -> None:
        checked = faults = 0
        for path in files:
            try:
                with open(path, "rb") as file:
                    for number, line in enumerate(tqdm(file, unit="record", desc=path, disable=None), start=1):
                        checked += 1
                        try:
                            record.read(line).replay()
                        except BadRecord as error:
                            faults += 1
                            self.stdout.write(f"{path}:{number}: {error}")
            except OSError as error:
                raise CommandError(f"cannot read {path}: {error.strerror}") from error
        if not checked:
            raise CommandError("there is no record in these files")
        if faults:
            raise CommandError(f"{faults} of {checked} records are wrong")
        self.stdout.write(f"{checked} records replayed, no fault")
