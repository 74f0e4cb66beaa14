"""The terms of a challenge, and the revision that tells whether they are still those that somebody was shown."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple

from games.ladders.models import Challenge
from games.ladders.rules import Rules
from games.matches.clocks import ms_of
from games.matches.models import Match


class Terms(NamedTuple):
    """The terms of a challenge."""

    pace: str = Match.Pace.LIVE
    bank_ms: int = 600_000
    increment_ms: int = 15_000
    days: int = 0
    options: dict[str, Any] | None = None
    """Table options; those not named have their defaults."""
    times: tuple[int, ...] = ()
    """Live: moments to choose from, in milliseconds since 1970; none: as soon as everybody is there."""


def revision(challenge: Challenge, rules: Rules) -> str:
    """16 hexadecimal digits that change with anything that the players of a challenge agree to."""
    agreed = [
        [challenge.game, challenge.version, challenge.options],
        [challenge.pace, challenge.bank_ms, challenge.increment_ms, challenge.days],
        [challenge.times, challenge.starts_at and ms_of(challenge.starts_at), rules.finish_days],
        sorted(party.user_id for party in challenge.parties.all()),
    ]
    return sha256(json.dumps(agreed, sort_keys=True).encode()).hexdigest()[:16]
