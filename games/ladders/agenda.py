"""What is due on a ladder by the clock, and when: see `games.ladders.due`."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import IntEnum
from typing import NamedTuple

from games.ladders.models import Challenge, Ladder, TableResult
from games.ladders.rules import DAY_MS
from games.ladders.standing import Standing
from games.matches.clocks import instant, ms_of
from games.matches.models import Match

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
"""People are reminded this long before an agreed time or a deadline, if they have known of it for at least as long
again; of sinking, a day before."""


class Work(IntEnum):
    """The kinds of work; of two due at the same moment, the lower goes first."""

    RESUME = 0
    """A pause is over: until then no deadline passes, and nobody sinks."""

    UNANSWERED = 1
    """A challenge was not answered in time [challenge]."""
    UNFINISHED = 2
    """The game of a challenge was not finished in time, or never begun [challenge]."""
    REMIND = 3
    """A deadline of a challenge, or its agreed time, is near [challenge]."""
    WARN = 4
    """A player is going to sink [player]."""
    SINK = 5
    """A player has been idle for too long [player]."""
    SEASON_END = 6
    START = 7
    """The agreed time of a game has come [challenge]."""
    OVER = 8
    """A game has ended, and its ladder could not record it at once [challenge]."""
    LAPSE = 9
    """A result from the table was not confirmed, or decided about, in time [result]."""
    REMIND_TABLE = 10
    """That moment is near [result]."""


DEADLINES = (Work.UNANSWERED, Work.UNFINISHED, Work.LAPSE)
"""What waits while a ladder is paused."""


class Item(NamedTuple):
    """One piece of work."""

    at: datetime
    work: Work
    number: int
    """Of two that are due at the same moment the lower goes first. The lower players stand, the sooner they sink."""
    about: int = 0
    """The id of the challenge, of the result, or of the player."""


def agenda(ladder: Ladder) -> list[Item]:
    """Everything that is due on a ladder as it stands now, in order."""
    standing = ladder.now_standing()
    items = []
    if standing.ends is not None:
        items.append(Item(instant(standing.ends), Work.SEASON_END, 0))
        if standing.resumes is not None:
            items.append(Item(instant(standing.resumes), Work.RESUME, 0))
        for place, player in enumerate(standing.order if standing.resumes is None else ()):
            due = instant(standing.players[player].sinks_at(standing.rules))
            items.append(Item(due, Work.SINK, -place, player))
            if due < instant(standing.ends) and ms_of(due - DAY) > _warned(ladder, standing, player):
                items.append(Item(due - DAY, Work.WARN, -place, player))
    for challenge in ladder.challenges.filter(status__in=Challenge.ALIVE).select_related("match"):
        items += _of_challenge(challenge)
    for entry in ladder.table_results.filter(status__in=TableResult.ALIVE):
        items.append(Item(entry.until, Work.LAPSE, entry.pk, entry.pk))
        items += [Item(at, Work.REMIND_TABLE, entry.pk, entry.pk) for at in entry_reminders(entry)]
    if standing.resumes is not None:
        items = [item for item in items if item.work not in DEADLINES]
    return sorted(items)


def _warned(ladder: Ladder, standing: Standing, player: int) -> int:
    """The moment up to which a player needs no warning: of the last one, or a day after they sank."""
    known, rules = standing.players[player], standing.rules
    sank = known.sinks_at(rules) - rules.sink_days * DAY_MS if known.sunk else 0
    return max(int(ladder.warned.get(str(player), 0)), sank + DAY_MS - 1)


def _of_challenge(challenge: Challenge) -> list[Item]:
    of = challenge.pk
    if challenge.status == Challenge.Status.OPEN:
        items = [Item(challenge.answer_by, Work.UNANSWERED, of, of)]
    else:
        assert challenge.finish_by
        items = [Item(challenge.finish_by, Work.UNFINISHED, of, of)]
    items += [Item(at, Work.REMIND, of, of) for at in reminders(challenge)]
    if starts(challenge) and challenge.starts_at:
        items.append(Item(challenge.starts_at, Work.START, of, of))
    match = challenge.match
    if match and match.ended_at and match.status in (Match.Status.FINISHED, Match.Status.ABORTED):
        items.append(Item(match.ended_at, Work.OVER, of, of))
    return items


def starts(challenge: Challenge) -> bool:
    """Whether the game of a challenge is still to begin at the agreed time."""
    agreed = challenge.status == Challenge.Status.AGREED
    return agreed and challenge.starts_at is not None and challenge.match_id is None


def comes(challenge: Challenge) -> datetime:
    """What the players of an open challenge are reminded of next: its agreed time, or else its deadline."""
    if challenge.status == Challenge.Status.OPEN:
        return challenge.answer_by
    until = challenge.starts_at if starts(challenge) else challenge.finish_by
    assert until
    return until


def reminders(challenge: Challenge) -> list[datetime]:
    """When the players of an open challenge are reminded of what comes, as it stands now; not what was given."""
    return moments(challenge.agreed_at or challenge.made_at, comes(challenge), challenge.reminded)


def entry_reminders(entry: TableResult) -> list[datetime]:
    """When those who can still confirm a result from the table, or decide about it, are reminded; not what was
    given."""
    return moments(entry.entered_at, entry.until, entry.reminded)


def moments(since: datetime, until: datetime, given: datetime | None) -> list[datetime]:
    """When people are reminded of what comes at `until`, if they know of it `since` then; not up to `given`."""
    return [
        until - ahead
        for ahead in (DAY, HOUR)
        if until - since >= 2 * ahead and (given is None or until - ahead > given)
    ]
