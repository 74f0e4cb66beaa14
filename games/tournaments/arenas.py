"""Arenas: whoever is there, free and ready is paired, again and again, until the time is over. A worker does it; it
looks at nothing but who waits, points and who has just met, and knows nothing of any game."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.web.refused import Refused
from games.matches.clocks import ms_of
from games.tournaments import computing, contests, evenings, events, payloads, playing, typed
from games.tournaments.formats import arena
from games.tournaments.models import Tournament
from games.tournaments.playing import Seated
from games.tournaments.standing import Entrant

MOST_PAUSES = 30
"""How often one person can pause: every time is an event for good."""


@transaction.atomic
def pause(tournament: Tournament, user: User, now: datetime) -> None:
    """Give somebody no table until they are ready again. A game that they play goes on."""
    tournament, known = _mine(tournament, user)
    if known.paused:
        return
    if known.pauses >= MOST_PAUSES:
        raise Refused(_("You’ve paused %(n)d times. You can only leave now.") % {"n": MOST_PAUSES})
    events.write(tournament, payloads.EntrantPaused(user.pk, absent=False), now, user)
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def ready(tournament: Tournament, user: User, now: datetime) -> None:
    """Let somebody who has paused be paired again."""
    tournament, known = _mine(tournament, user)
    if known.paused:
        events.write(tournament, payloads.EntrantReady(user.pk), now, user)
        events.schedule_wakeup(tournament, now)


def _mine(tournament: Tournament, user: User) -> tuple[Tournament, Entrant]:
    """The arena, locked, and the user in it. Raises Refused."""
    tournament = events.locked(tournament)
    known = events.standing(tournament).entrants.get(user.pk)
    if tournament.kind != Tournament.Kind.ARENA:
        raise Refused(_("Only in an arena can one pause."))
    if tournament.closed_at is not None:
        raise Refused(_("This is over."))
    if known is None or not known.here:
        raise Refused(_("You take no part in this. Enter first."))
    return tournament, known


def work(tournament: Tournament, now: datetime) -> None:
    """Begin the next wave of an arena, or end it. If somebody comes or leaves at this moment, a worker tries again."""
    standing = events.standing(tournament)
    if standing.closed is not None or not standing.groups:
        return
    end = arena.ends(standing)
    if end <= ms_of(now):
        if not standing.busy or end + arena.GRACE_MS <= ms_of(now):
            _end(tournament, now)
        return
    waiting = evenings.free(standing)
    if len(waiting) < 2:
        return _later(tournament, now)
    playing.check_room(tournament, None)
    apart = [frozenset(pair) for pair in evenings.apart(waiting)]
    seed = secrets.token_hex(16) if tournament.seats > 2 else ""
    found = computing.computed(len(waiting), arena.wave, standing, waiting, apart, ms_of(now), Random(seed))
    if not found:
        return _later(tournament, now)
    people = [player for table in found for player in table]
    with suppress(playing.Outdated), transaction.atomic():
        tournament = playing.unmoved(tournament, standing, people)
        if playing.playing_live(people):
            raise playing.Outdated
        playing.count_games(tournament, len(found), None)
        playing.begin_round(tournament, [Seated(table) for table in found], (), "arena", seed, now, None)
        events.schedule_wakeup(tournament, now)


def _later(tournament: Tournament, now: datetime) -> None:
    """Look again in a while: nobody can be paired yet, unless something happens before."""
    end, soon = arena.ends(events.standing(tournament)), ms_of(now) + arena.EVERY_MS
    unmoved = Tournament.objects.filter(pk=tournament.pk, events=tournament.events, wake_at__lte=now)
    unmoved.update(wake_at=now + timedelta(milliseconds=min(soon, end) - ms_of(now)))


@transaction.atomic
def _end(tournament: Tournament, now: datetime) -> None:
    """Close an arena whose time is over; games that are still being played do not count. With real cards it waits for
    the results that can still be confirmed or disputed."""
    tournament = events.locked(tournament)
    standing = events.standing(tournament)
    if standing.closed is not None:
        return
    if tournament.at_table:
        for number, index in events.undecided(tournament, standing, now):
            typed.void(tournament, number, index, now)
        standing = events.standing(tournament)
        if standing.busy:
            return events.schedule_wakeup(tournament, now)
    late = [
        payloads.Unfinished(number, index)
        for number, each in enumerate(standing.rounds)
        for index, table in enumerate(each.tables)
        if not table.over
    ]
    events.write_all(tournament, late, now)
    contests.close(tournament, now, tournament.club)
    events.schedule_wakeup(tournament, now)
