"""Replay records, and name the first error of each."""

import json
from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.engine import record
from games.engine.core import BadRecord
from games.review import proof
from games.transparency import checkpoint
from games.transparency import receipt as receipts
from games.transparency.receipt import Forged


class Command(BaseCommand):
    help = (
        "Replay records, one JSON document a line, and report the first error of each. Where there is a proof, all of "
        "the record is made again from it and compared, but for what is said at the end; and so are the receipts of "
        "these games, with their signatures."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE.jsonl")
        parser.add_argument("--receipt", action="append", default=[], metavar="FILE.json", help="a receipt of a game")

    def handle(self, *, files: list[str], receipt: list[str], **_: Any) -> None:
        given = dict(map(self.read_receipt, receipt))
        checked = faults = bare = 0
        for path in files:
            try:
                with open(path, "rb") as file:
                    for number, line in enumerate(tqdm(file, unit="record", desc=path, disable=None), start=1):
                        checked += 1
                        try:
                            bare += not check(line, given)
                        except BadRecord as error:
                            faults += 1
                            self.stdout.write(f"{path}:{number}: {error}")
            except OSError as error:
                raise CommandError(f"cannot read {path}: {error.strerror}") from error
        if not checked:
            raise CommandError("there is no record in these files")
        if faults:
            raise CommandError(f"{faults} of {checked} records are wrong")
        if given:
            raise CommandError(f"there is no record of {', '.join(given)}, of which there are receipts")
        self.stdout.write(f"{checked} records replayed, no fault")
        if bare:
            self.stdout.write(f"not checked: all but deal, moves and result of {bare} records, which have no proof")
        if checked > bare:
            left = ", ".join(proof.UNPROVED)
            self.stdout.write(f"not checked: {left} (the public log has them); the names of closed accounts")

    def read_receipt(self, path: str) -> tuple[str, dict[str, Any]]:
        """The match of a receipt, and the receipt; tells who answers for it."""
        try:
            found = json.loads(Path(path).read_text())
            match = str(found["match"])
            head = receipts.answering(found) if "signature" in found else None
        except OSError as error:
            raise CommandError(f"cannot read {path}: {error.strerror}") from error
        except Forged as error:
            raise CommandError(f"{path} is forged: {error}") from error
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise CommandError(f"{path} isn’t a receipt: {error}") from error
        if head:
            key = checkpoint.written(head.key)
            text = f"signed by {found['site']}, as its head of {head.day} says, if {key} is the key of its log"
            self.stdout.write(f"{path}: {text}")
        elif "signature" in found:
            self.stdout.write(f"{path}: signed by the key {found['key']}; see whether a later head of the log names it")
        else:
            self.stdout.write(f"{path}: not signed: it proves something to whoever took it")
        return match, found


def check(line: bytes, receipts: dict[str, dict[str, Any]]) -> bool:
    """Check a record, and take the receipt of its game from the others. Returns whether it has a proof. Raises
    BadRecord."""
    read = record.read(line)
    if "proof" not in read.document:
        read.replay()
        return False
    links, match = proof.links(read.document), read.document["match"]
    if match in receipts:
        proof.compare(receipts.pop(match), links, match)
    return True
