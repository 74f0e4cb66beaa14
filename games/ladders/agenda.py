"""What is due on a ladder by the clock, and when: see `games.ladders.due`."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import IntEnum
from typing import NamedTuple

from games.ladders.models import Challenge, Ladder
from games.matches.clocks import instant
from games.matches.models import Match

REMINDER = timedelta(days=1)
"""People are reminded this long before a deadline, if they had at least twice as long."""


class Work(IntEnum):
    """The kinds of work; of two due at the same moment, the lower goes first."""

    UNANSWERED = 1
    """A challenge was not answered in time [challenge]."""
    UNFINISHED = 2
    """The game of a challenge was not finished in time, or never begun [challenge]."""
    REMIND = 3
    """A deadline of a challenge is near [challenge]."""
    SINK = 4
    """A player has been idle for too long [player]."""
    SEASON_END = 5
    START = 6
    """The agreed time of a game has come [challenge]."""
    OVER = 7
    """A game has ended, and its ladder could not record it at once [challenge]."""


class Item(NamedTuple):
    """One piece of work."""

    at: datetime
    work: Work
    number: int
    """Of two that are due at the same moment the lower goes first. The lower players stand, the sooner they sink."""
    about: int = 0
    """The id of the challenge, or of the player."""


def agenda(ladder: Ladder) -> list[Item]:
    """Everything that is due on a ladder as it stands now, in order."""
    standing = ladder.now_standing()
    items = []
    if standing.ends is not None:
        items.append(Item(instant(standing.ends), Work.SEASON_END, 0))
        for place, player in enumerate(standing.order):
            due = instant(standing.players[player].sinks_at(standing.rules))
            items.append(Item(due, Work.SINK, -place, player))
    for challenge in ladder.challenges.filter(status__in=Challenge.ALIVE).select_related("match"):
        items += _of_challenge(challenge)
    return sorted(items)


def _of_challenge(challenge: Challenge) -> list[Item]:
    if challenge.status == Challenge.Status.OPEN:
        since, until, work = challenge.made_at, challenge.answer_by, Work.UNANSWERED
    else:
        assert challenge.agreed_at and challenge.finish_by
        since, until, work = challenge.agreed_at, challenge.finish_by, Work.UNFINISHED
    items = [Item(until, work, challenge.pk, challenge.pk)]
    if not challenge.reminded and until - since >= 2 * REMINDER:
        items.append(Item(until - REMINDER, Work.REMIND, challenge.pk, challenge.pk))
    if challenge.status == Challenge.Status.AGREED and challenge.starts_at and not challenge.match_id:
        items.append(Item(challenge.starts_at, Work.START, challenge.pk, challenge.pk))
    match = challenge.match
    if match and match.ended_at and match.status in (Match.Status.FINISHED, Match.Status.ABORTED):
        items.append(Item(match.ended_at, Work.OVER, challenge.pk, challenge.pk))
    return items
