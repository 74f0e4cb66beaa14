"""The head that was signed last, kept in a file beside the key: whoever has the database alone cannot take it back.

It is written before a head is published, so nothing is ever signed that contradicts it. If a crash comes between, the
file is one head ahead of the database, and that very head is published later.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryFile, mkstemp

from games.transparency import checkpoint, stored
from games.transparency.checkpoint import BadNote, Checkpoint
from games.transparency.keys import BadKey
from games.transparency.models import TreeHead


class OtherPast(Exception):
    """The log in the database does not go on from the head that was signed last; the text says how."""


def beside(key: Path) -> Path:
    """The file of the head that was signed last, for a file of keys."""
    return key.with_suffix(".head")


def last(key: Path) -> str:
    """The note of the head that was signed last, empty if none was. Raises BadKey if it cannot be read."""
    try:
        note = beside(key).read_text()
        Checkpoint.read(note)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise BadKey(f"the last head of the log in {beside(key)} cannot be read: {error}") from error
    return note


def check_room(key: Path) -> None:
    """Raises BadKey if nothing can be kept beside the key: then nothing should be signed."""
    try:
        with TemporaryFile(dir=key.parent):
            pass
    except OSError as error:
        raise BadKey(f"the last head of the log cannot be kept in {beside(key)}: {error}") from error


def keep(key: Path, note: str) -> None:
    """Put the note of a head in the place of the one before: all of it or nothing, whatever happens. Raises BadKey."""
    file = beside(key)
    try:
        descriptor, whole = mkstemp(dir=file.parent)
        try:
            with open(descriptor, "w") as out:
                out.write(note)
                out.flush()
                os.fsync(out.fileno())
            os.replace(whole, file)
        except BaseException:
            os.unlink(whole)
            raise
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise BadKey(f"the last head of the log cannot be kept in {file}: {error}") from error


def unpublished(key: Path) -> str:
    """The note of the last head if a crash has kept it out of the database; otherwise empty. Raises BadKey, OtherPast.

    Heads that other workers have signed since, with the key of the one before, are as good.
    """
    note = last(key)
    if not note:
        return ""
    said = Checkpoint.read(note)
    named = f"the head of {said.day} with {said.size} entries, which was signed last"
    try:
        found = [head.note for head in TreeHead.objects.filter(day__gte=said.day).order_by("day")]
        if not found:
            before = stored.latest()
            if said.previous == (Checkpoint.read(before.note).digest if before else checkpoint.NOTHING):
                if stored.begins(said):
                    return note
                raise OtherPast(f"its entries are not those of {named}")
            raise OtherPast(f"it lacks {named}")
        if Checkpoint.read(found[0]).digest != said.digest:
            raise OtherPast(f"it has another head in place of {named}")
        for later in found[1:]:
            if Checkpoint.read(later).previous != said.digest or not checkpoint.is_signed(later, said.key):
                raise OtherPast(f"its head of {Checkpoint.read(later).day} does not follow {named}")
            said = Checkpoint.read(later)
    except BadNote as error:
        raise OtherPast(str(error)) from error
    return ""
