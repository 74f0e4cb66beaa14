"""The entries of the public log: heads of matches and ladders, as the texts that are hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from accounts.journal.chain import canonical
from games.engine.core import RulesError
from games.ladders.models import Ladder
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.review import records

ENDED = (Match.Status.FINISHED, Match.Status.ABORTED)
"""What a match must be to have an entry."""
COLUMNS = ("key", "link", "status", "ended_at", "result")
"""The columns of a match that its entry needs."""
AT_ONCE = 50
UNREADABLE = (RulesError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError, AssertionError)
"""The errors of replaying a log that was tampered with."""


def of_match(match: Match, record: dict[str, Any] | None) -> str:
    """The entry of a match that has ended: the last link of its log, its end and its places, and what its record says.

    Nobody who does not know the match can guess it: key and link are random to them.
    """
    assert match.ended_at
    return written(
        kind="match",
        match=match.key,
        link=bytes(match.link).hex(),
        status=match.status,
        ended=ms_of(match.ended_at),
        places=match.result["places"] if match.result else None,
        ratings=record and record["ratings"],
        record=record and digest(record),
    )


def digest(record: dict[str, Any]) -> str:
    """The SHA-256 of a record without its ratings, which stand in the entry, and without the names of people, which
    may be forgotten: the header in it has their hashes."""
    covered = {name: value for name, value in record.items() if name not in ("players", "ratings")}
    covered["proof"] = {name: value for name, value in record["proof"].items() if name != "names"}
    return hashlib.sha256(canonical(covered)).hexdigest()


def with_records(matches: Iterable[Match]) -> Iterator[tuple[Match, dict[str, Any] | None]]:
    """Matches that have ended with their records, read some at a time; None where the log cannot be replayed, which
    `verifylogs` tells."""
    coming = iter(matches)
    while some := list(islice(coming, AT_ONCE)):
        try:
            found = {record["match"]: record for record in records.documents(match.key for match in some)}
        except UNREADABLE:
            yield from map(_alone, some)
            continue
        for match in some:
            yield match, found.get(match.key)


def _alone(match: Match) -> tuple[Match, dict[str, Any] | None]:
    try:
        return match, next(records.documents([match.key]))
    except UNREADABLE:
        return match, None


def of_ladder(ladder: Ladder, events: int, link: bytes) -> str:
    """The entry of a ladder after so many events, with the link of the last one.

    The ladder is named by 16 random bytes that its first link covers, so nobody who may not see it can guess it.
    """
    return written(kind="ladder", ladder=bytes(ladder.origin).hex(), events=events, link=link.hex())


def written(**entry: Any) -> str:
    """JSON with sorted keys, without spaces."""
    return json.dumps(entry, sort_keys=True, separators=(",", ":"))
