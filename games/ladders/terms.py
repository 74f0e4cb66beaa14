"""The terms of a challenge: those that a ladder allows, and how to tell whether they are those somebody was shown."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games.engine.core import Game
from games.engine.registry import titles
from games.faces import face
from games.faces.registry import face_of
from games.ladders.models import Challenge
from games.ladders.rules import Rules, ends_in_time
from games.lobby.times import OWN, time_a_move
from games.matches.clocks import DAILY, LIVE, USUAL, Clock, ms_of
from games.matches.models import Match


class Terms(NamedTuple):
    """The terms of a challenge."""

    clock: Clock = USUAL
    options: dict[str, Any] | None = None
    """Table options; those not named have their defaults."""
    times: tuple[int, ...] = ()
    """Live: moments to choose from, in milliseconds since 1970; none: as soon as everybody is there."""


CLOCKS = {**{clock.code: clock for clock in LIVE}, OWN: None, **{clock.code: clock for clock in DAILY}}
"""The time controls of ladders, by name; None: any other live one."""
CUSTOM = "custom"
"""The name of what is no preset."""


def label(name: str) -> str:
    """A time control or preset in words."""
    presets = {name: preset.label for game in titles() for name, preset in face_of(game).presets.items()}
    if name in CLOCKS:
        return clock_words(name)
    return str({**presets, CUSTOM: face.CUSTOM.label}.get(name, name))


def clock_words(name: str) -> str:
    """A time control of `CLOCKS` in words."""
    clock = CLOCKS[name]
    return time_a_move(clock) if clock else _("Custom minutes and seconds")


def clock_choices() -> list[tuple[str, str]]:
    """The time controls to choose from, with their words."""
    return [(name, clock_words(name)) for name in CLOCKS]


def clock_name(clock: Clock) -> str:
    """The name of a time control among `CLOCKS`."""
    return clock.code if clock in CLOCKS.values() or clock.pace != Match.Pace.LIVE else OWN


def clocks(rules: Rules, players: int) -> list[str]:
    """The time controls by which games of this many can be agreed: those of the ladder that can end in time."""
    fit = {clock.code: ends_in_time(rules, clock.days, players) for clock in DAILY}
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
        challenge.clock,
        [challenge.times, challenge.starts_at and ms_of(challenge.starts_at), rules.finish_days],
        sorted(party.user_id for party in challenge.parties.all()),
    ]
    return sha256(json.dumps(agreed, sort_keys=True).encode()).hexdigest()[:16]
