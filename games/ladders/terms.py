"""The terms of a challenge: those that a ladder allows, and how to tell whether they are those somebody was shown."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from games.engine.core import Game
from games.engine.registry import titles
from games.faces import face
from games.faces.registry import face_of
from games.ladders.models import Challenge
from games.ladders.rules import Rules, ends_in_time
from games.lobby.forms import DAYS, TIMES
from games.matches.clocks import MINUTE_MS, ms_of
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


CLOCKS = {
    "5+10": _("5 min + 10 s a move"),
    "10+15": _("10 min + 15 s a move"),
    "15+20": _("15 min + 20 s a move"),
    "own": _("Custom minutes and seconds"),
    "1d": _("1 day a move"),
    "3d": _("3 days a move"),
    "7d": _("7 days a move"),
}
"""The time controls of ladders. Live: minutes and seconds. By correspondence: days."""
CUSTOM = "custom"
"""The name of what is no preset."""


def label(name: str) -> str:
    """A time control or preset in words."""
    presets = {name: preset.label for game in titles() for name, preset in face_of(game).presets.items()}
    return str(CLOCKS.get(name) or {**presets, CUSTOM: face.CUSTOM.label}.get(name, name))


def clock_of(terms: Terms | Challenge) -> str:
    """The name of a time control among `CLOCKS`."""
    if terms.pace == Match.Pace.DAILY:
        return f"{terms.days}d"
    usual = {(minutes * MINUTE_MS, seconds * 1000): name for name, (minutes, seconds) in TIMES.items()}
    return usual.get((terms.bank_ms, terms.increment_ms), "own")


def clocks(rules: Rules, players: int) -> list[str]:
    """The time controls by which games of this many can be agreed: those of the ladder that can end in time."""
    fit = {f"{days}d": ends_in_time(rules, days, players) for days in DAYS}
    return [name for name in CLOCKS if name in rules.clocks and fit.get(name, True)]


def usual_clock(rules: Rules, players: int) -> str:
    """What a challenge proposes."""
    possible = clocks(rules, players)
    return rules.usual_clock if rules.usual_clock in possible else next(iter(possible), "")


def presets(rules: Rules, game: Game) -> list[str]:
    """The names of the presets that can be agreed, and `CUSTOM`; the usual one first."""
    every = [*game.presets, CUSTOM]
    possible = [name for name in every if name in rules.presets] or every
    return sorted(possible, key=lambda name: name != rules.usual_preset)


def revision(challenge: Challenge, rules: Rules) -> str:
    """16 hexadecimal digits that change with anything that the players of a challenge agree to."""
    agreed = [
        [challenge.game, challenge.version, challenge.options],
        [challenge.pace, challenge.bank_ms, challenge.increment_ms, challenge.days],
        [challenge.times, challenge.starts_at and ms_of(challenge.starts_at), rules.finish_days],
        sorted(party.user_id for party in challenge.parties.all()),
    ]
    return sha256(json.dumps(agreed, sort_keys=True).encode()).hexdigest()[:16]
