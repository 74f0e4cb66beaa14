"""The events of a tournament: the only module that writes them.

Each service of `games.tournaments.services` is one transaction: it locks the tournament, appends events with `write`,
and ends with `settle`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max

from accounts.models import Club, User
from games.hub import nudges
from games.ladders.chain import linked, microseconds
from games.matches.clocks import instant, ms_of
from games.matches.models import Match
from games.tournaments import reminders
from games.tournaments.models import Tournament, TournamentEvent
from games.tournaments.plan import finished
from games.tournaments.standing import EventKind, PastEvent, TournamentStanding

FORGOTTEN = timedelta(hours=12)
"""An evening at which nothing has happened for so long is over, whoever came back or left meanwhile."""


def lay(club: Club, kind: Tournament.Kind, **fields: Any) -> Tournament:
    """Create a tournament without events, with the next number of its club. Lock the club before."""
    last = club.tournaments.aggregate(last=Max("number"))["last"] or 0
    return Tournament.objects.create(club=club, number=last + 1, kind=kind, **fields)


def locked(tournament: Tournament) -> Tournament:
    """The tournament as it is now; nobody else changes it before the transaction ends."""
    found = Tournament.objects.defer(None).select_for_update(of=("self",)).select_related("club")
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
    rows = tournament.log.order_by("number").values_list("number", "kind", "at", "data")
    return [PastEvent(number, kind, ms_of(at), data) for number, kind, at, data in rows]


def plain(event: TournamentEvent) -> PastEvent:
    """An event, as the standing takes it."""
    return PastEvent(event.number, event.kind, ms_of(event.at), event.data)


def write(
    tournament: Tournament, kind: EventKind, at: datetime, by: User | None = None, reason: str = "", /, **data: Any
) -> TournamentEvent:
    """Append one event to a locked tournament, and bring its standing up to date."""
    [written] = write_all(tournament, kind, at, by, [data], reason)
    return written


def write_all(
    tournament: Tournament,
    kind: EventKind,
    at: datetime,
    by: User | None,
    told: Sequence[dict[str, Any]],
    reason: str = "",
) -> list[TournamentEvent]:
    """Append events of one kind with these data, in as many queries as for one of them."""
    last = tournament.log.filter(number=tournament.events - 1).values_list("link", flat=True).first()
    link = first_link(tournament) if last is None else bytes(last)
    standing, written = TournamentStanding.from_json(tournament.standing), []
    for number, data in enumerate(told, tournament.events):
        event = TournamentEvent(tournament=tournament, number=number, kind=kind, at=at, by=by, data=data, reason=reason)
        event.link = link = next_link(link, event)
        standing.apply(plain(event))
        written.append(event)
    TournamentEvent.objects.bulk_create(written)
    tournament.standing, tournament.events = standing.to_json(), standing.events
    if kind == EventKind.CLOSE:
        tournament.closed_at = at
        tournament.invitations.all().delete()
    tournament.save(update_fields=["standing", "events", "closed_at"])
    return written


def settle(tournament: Tournament, now: datetime) -> None:
    """Set when the worker must look again, and tell the pages. Belongs to the transaction of every change."""
    tournament.wake_at = _wake(tournament, now)
    tournament.save(update_fields=["wake_at"])
    nudges.tournament_changed(tournament.pk)


def _wake(tournament: Tournament, now: datetime) -> datetime | None:
    if tournament.to_lay:
        return now
    found = standing(tournament)
    if tournament.kind == Tournament.Kind.EVENING or tournament.same_deal:
        if tournament.closed_at is not None:
            return None
        if tournament.kind == Tournament.Kind.DEAL:
            return instant(tournament.settings["until"])
        if tournament.kind == Tournament.Kind.DUPLICATE:
            return now if played_out(tournament, found) else forgotten(found)
        # When its games are over it is looked at again.
        return forgotten(found) if not found.busy or forgotten(found) > now else now + FORGOTTEN
    if found.waiting and (tournament.pace == Match.Pace.DAILY or finished(found, found.here)):
        return now
    if found.until is None:
        return None
    return min([instant(found.until), *(at for at, _round in reminders.moments(found, tournament.reminded))])


def forgotten(found: TournamentStanding) -> datetime:
    """When an event is over, if nothing happens there before."""
    return instant(found.stirred) + FORGOTTEN


def played_out(tournament: Tournament, found: TournamentStanding) -> bool:
    """Whether all rounds of a duplicate tournament have been played."""
    return len(found.rounds) >= tournament.settings["rounds"] and not found.busy


def first_link(tournament: Tournament) -> bytes:
    """The link before event 0."""
    return hashlib.sha256(bytes(tournament.origin)).digest()


def next_link(link: bytes, event: TournamentEvent) -> bytes:
    """The link of an event that follows the one with this link: SHA-256 of that link and all columns."""
    columns = {
        "number": event.number,
        "kind": event.kind,
        "at": microseconds(event.at),
        "by": event.by_id,
        "data": event.data,
        "reason": event.reason,
    }
    return linked(link, columns)
