"""The events of a tournament: the only module that writes them.

Each service of `games.tournaments.services` is one transaction: it locks the tournament, appends events with `write`,
and ends with `schedule_wakeup`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, Min, Q

from accounts.journal.rows import append
from accounts.models import Club, User
from games.hub import nudges
from games.matches.clocks import instant, ms_of
from games.matches.models import Match
from games.tournaments import reminders
from games.tournaments.formats import arena
from games.tournaments.models import Tournament, TournamentEvent
from games.tournaments.payloads import (
    AnyPayload,
    Forfeited,
    PastEvent,
    RoundBegun,
    TableFinished,
    TableVoided,
    TournamentClosed,
)
from games.tournaments.plan import finished, of
from games.tournaments.standing import TournamentStanding

LAPSES = timedelta(days=1)
"""A tournament with a plan that nobody has begun so long after its event is over."""
PLAYED = tuple(each.kind for each in (RoundBegun, TableFinished, TableVoided, Forfeited))
"""A pause is counted from the last of these."""
FORGOTTEN = timedelta(hours=12)
"""An evening at which nothing has happened for so long is over, whoever came back or left meanwhile."""


def create(club: Club, kind: Tournament.Kind, **fields: Any) -> Tournament:
    """Create a tournament without events, with the next number of its club. Lock the club before."""
    last = club.tournaments.aggregate(last=Max("number"))["last"] or 0
    return Tournament.objects.create(club=club, number=last + 1, kind=kind, **fields)


def locked(tournament: Tournament) -> Tournament:
    """The tournament as it is now; nobody else changes it before the transaction ends."""
    found = Tournament.objects.defer(None).select_for_update(of=("self",)).select_related("club", "calendar")
    return found.get(pk=tournament.pk)


def standing(tournament: Tournament) -> TournamentStanding:
    """What its events have led to by now: one query, however many there are."""
    return standings([tournament])[tournament.pk]


def standings(tournaments: Collection[Tournament]) -> dict[int, TournamentStanding]:
    """The standings of several tournaments by their ids: one query, none without any."""
    found = [tournament.pk for tournament in tournaments]
    rows = Tournament.objects.filter(pk__in=found).values_list("pk", "standing") if found else ()
    return {pk: TournamentStanding.from_json(kept) for pk, kept in rows}


def events(tournament: Tournament) -> list[PastEvent]:
    """All events of a tournament, in order."""
    return [plain(row) for row in tournament.log.order_by("number")]


def plain(row: TournamentEvent) -> PastEvent:
    """An event, as the standing takes it."""
    return PastEvent(row.number, ms_of(row.at), row.payload)


def write(
    tournament: Tournament, payload: AnyPayload, at: datetime, by: User | None = None, reason: str = ""
) -> TournamentEvent:
    """Append one event to a locked tournament, and bring its standing up to date."""
    [row] = write_all(tournament, [payload], at, by, reason)
    return row


def write_all(
    tournament: Tournament, payloads: Sequence[AnyPayload], at: datetime, by: User | None = None, reason: str = ""
) -> list[TournamentEvent]:
    """Append events to a locked tournament, in as many queries as one of them, and bring its standing up to date."""
    after, rows = TournamentStanding.from_json(tournament.standing), []
    for number, payload in enumerate(payloads, tournament.events):
        row = TournamentEvent.of(payload, number=number, at=at, by=by, reason=reason)
        row.tournament = tournament
        after.apply(PastEvent(number, ms_of(at), payload))
        rows.append(row)
    append(rows, tournament.log, tournament.origin)
    tournament.standing, tournament.events = after.to_json(), tournament.events + len(rows)
    if any(isinstance(payload, TournamentClosed) for payload in payloads):
        tournament.closed_at = at
        tournament.invitations.all().delete()
    tournament.save(update_fields=["standing", "events", "closed_at"])
    return rows


def schedule_wakeup(tournament: Tournament, now: datetime) -> None:
    """Set when the worker must look again and when it begins a round, and tell the pages. Belongs to the transaction of
    every change."""
    found = standing(tournament)
    answered = Q(disputed_by=None) | Q(until__gt=now)  # a disputed one is looked at again when it can lapse
    typed = tournament.typed.filter(answered).aggregate(first=Min("until"))["first"]
    wakes = [at for at in (_wake(tournament, found, now), typed) if at is not None]
    tournament.wake_at, tournament.clock_at = min(wakes, default=None), clock(tournament, found)
    tournament.save(update_fields=["wake_at", "clock_at"])
    nudges.tournament_changed(tournament.pk)


def _wake(tournament: Tournament, found: TournamentStanding, now: datetime) -> datetime | None:
    if tournament.to_create:
        return now
    if tournament.kind == Tournament.Kind.EVENING or tournament.same_deal:
        if tournament.closed_at is not None:
            return None
        if tournament.kind == Tournament.Kind.DEAL:
            return instant(tournament.settings["until"])
        if tournament.kind == Tournament.Kind.DUPLICATE:
            return now if played_out(tournament, found) else forgotten(tournament, found)
        # When its games are over it is looked at again.
        forgets = forgotten(tournament, found)
        return forgets if not found.busy or forgets > now else now + FORGOTTEN
    if not found.groups:
        return lapses(tournament)
    if tournament.kind == Tournament.Kind.ARENA:
        return _arena_wake(tournament, found, now)
    if found.waiting and (tournament.pace == Match.Pace.DAILY or finished(found, found.here)):
        return now
    if found.until is None:
        return None
    if tournament.at_table and instant(found.until) <= now and not overdue(tournament, found, now):
        return None  # what was typed wakes it
    return min([instant(found.until), *(at for at, _round in reminders.moments(found, tournament.reminded))])


def _arena_wake(tournament: Tournament, found: TournamentStanding, now: datetime) -> datetime | None:
    """When an arena is looked at again: for the next wave if two are ready, else at its end."""
    if found.closed is not None or not found.groups:
        return None
    end = arena.ends(found)
    if end <= ms_of(now):
        if tournament.at_table and end + arena.GRACE_MS <= ms_of(now) and found.busy:
            return now if undecided(tournament, found, now) else None
        return instant(end + arena.GRACE_MS) if found.busy else now
    if len(found.free) < 2:
        return instant(end)
    last = found.rounds[-1].at + arena.EVERY_MS if found.rounds else 0
    return max(now, instant(last))


def undecided(tournament: Tournament, found: TournamentStanding, now: datetime) -> list[tuple[int, int]]:
    """The tables with real cards, by round and index, that are open, and at which no result waits that can still be
    confirmed, disputed or, if it is disputed, decided: a deadline decides no other."""
    waiting = tournament.typed.filter(until__gt=now).values_list("round", "table")
    open_ = [
        (number, index)
        for number, each in enumerate(found.rounds)
        for index, table in enumerate(each.tables)
        if not table.over
    ]
    answered = set(waiting) if open_ else set()
    return [at for at in open_ if at not in answered]


def overdue(tournament: Tournament, found: TournamentStanding, now: datetime) -> list[tuple[int, int]]:
    """Those of the `undecided` tables whose deadline has come."""
    ends = [each.until for each in found.rounds]
    if not any(until is not None and until <= ms_of(now) for until in ends):
        return []
    return [at for at in undecided(tournament, found, now) if (ends[at[0]] or ms_of(now) + 1) <= ms_of(now)]


def clock(tournament: Tournament, found: TournamentStanding) -> datetime | None:
    """When the next round begins by the clock: the first when the event starts, unless that was at once, each other
    after the pause."""
    event = tournament.calendar
    if event is None or not event.by_clock or event.cancelled_at or tournament.closed_at is not None:
        return None
    if not found.rounds and not found.groups:
        return None if event.at_once else event.starts_at
    if tournament.kind == Tournament.Kind.EVENING or tournament.same_deal:
        goes_on = not found.busy and not (tournament.same_deal and played_out(tournament, found))
    else:
        live = tournament.pace == Match.Pace.LIVE and not of(found).continuous
        goes_on = live and found.waiting and not finished(found, found.here)
    over = tournament.log.filter(kind__in=PLAYED).aggregate(last=Max("at"))["last"] if goes_on else None
    if over is None:
        return None
    at: datetime = over + timedelta(minutes=event.pause)
    # A plan is played to its end, a night for as long as it takes.
    return None if tournament.kind == Tournament.Kind.EVENING and at > event.ends_at else at


def lapses(tournament: Tournament) -> datetime | None:
    """When a tournament with a plan that has not begun is over: a day after its event; never without one."""
    event = tournament.calendar
    return event.ends_at + LAPSES if event and tournament.closed_at is None else None


def forgotten(tournament: Tournament, found: TournamentStanding) -> datetime:
    """When an event is over, if nothing happens there before."""
    stirred = instant(found.stirred)
    return (max(stirred, tournament.calendar.starts_at) if tournament.calendar else stirred) + FORGOTTEN


def played_out(tournament: Tournament, found: TournamentStanding) -> bool:
    """Whether all rounds of a duplicate tournament have been played."""
    return len(found.rounds) >= tournament.settings["rounds"] and not found.busy
