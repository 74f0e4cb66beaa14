"""Matches with their whole logs as they are stored, many at once, for tools that go through all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from games.matches.models import LogEntry, Match


class StoredRow(NamedTuple):
    """A row of the log."""

    ply: int
    seat: int
    move: str
    by: int
    at: int
    link: bytes | None


def read(matches: Sequence[int]) -> list[tuple[Match, list[StoredRow]]]:
    """The matches with these ids, in their order, with seats, users and logs; to be called in a `snapshot`."""
    found = list(Match.objects.seated().filter(pk__in=matches).order_by("pk"))
    logs: defaultdict[int, list[StoredRow]] = defaultdict(list)
    rows = LogEntry.objects.filter(match__in=matches).order_by("match_id", "ply")
    for match, ply, seat, move, by, at, link in rows.values_list("match_id", "ply", "seat", "move", "by", "at", "link"):
        logs[match].append(StoredRow(ply, seat, move, by, at, None if link is None else bytes(link)))
    return [(match, logs[match.pk]) for match in found]
