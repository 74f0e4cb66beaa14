"""The entries of the public log: heads of matches and ladders, as the texts that are hashed."""

from __future__ import annotations

import json
from typing import Any

from games.ladders.models import Ladder
from games.matches.clocks import ms_of
from games.matches.models import Match

ENDED = (Match.Status.FINISHED, Match.Status.ABORTED)
"""What a match must be to have an entry."""


def of_match(match: Match) -> str:
    """The entry of a match that has ended: the last link of its log, its end and its places.

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
    )


def of_ladder(ladder: Ladder, events: int, link: bytes) -> str:
    """The entry of a ladder after so many events, with the link of the last one.

    The ladder is named by 16 random bytes that its first link covers, so nobody who may not see it can guess it.
    """
    return written(kind="ladder", ladder=bytes(ladder.origin).hex(), events=events, link=link.hex())


def written(**entry: Any) -> str:
    """JSON with sorted keys, without spaces."""
    return json.dumps(entry, sort_keys=True, separators=(",", ":"))
