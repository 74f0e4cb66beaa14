"""A whole club as one JSON document, to take it to another site.

It has what every member may read: the club's settings, its members with their roles and rights, its announcements, its
ladders, those that are closed too, each with all events, their chain and the challenges that have ended, its nights and
tournaments with their events and chains, its calendar with who comes, and the records of its finished games; and, of a
club that has moved before, the document with which it came. It has nothing about invitations, requests, expulsions and
decisions, no mail addresses, no board, and nothing that is hidden: of a night or a tournament that goes on what has
happened so far, unless its deal is still to be played by others; nothing of one that has not begun, which its event in
the calendar opens anew.

People are numbered as in the events of the ladders; `people` has their names. A name says who somebody is at the site
from which the document is, and at no other.
"""

from __future__ import annotations

import gzip
import json
from typing import Any

from django.conf import settings
from django.utils import timezone

from accounts.clubs.clubs import SETTINGS
from accounts.models import Club, User
from games.calendar.models import CalendarEvent
from games.calendar.services import EventPlan
from games.ladders.models import Challenge, Ladder
from games.matches.dump import plain
from games.matches.models import Match
from games.review import records
from games.tournaments.models import Tournament

FORMAT = "armarium-club/2"
FIRST = "armarium-club/1"
"""Without tournaments and calendar: clubs that have moved before may have such a history."""
MEMBER = ("role", "rights", "joined_at")
ANNOUNCEMENT = ("text", "public", "at")
LADDER = ("number", "name", "game", "standing")
EVENT = ("number", "kind", "at", "data", "reason", "steps", "link")
TERMS = ("game", "version", "pace", "bank_ms", "increment_ms", "days", "options")
CHALLENGE = (
    *("id", "status", *TERMS),
    *("made_at", "agreed_at", "starts_at", "ended_at"),
)

TOURNAMENT = ("number", "kind", "name", "seats", "rated", "at_table", "closed_at", "standing", *TERMS)
TOURNAMENT_EVENT = ("number", "kind", "at", "data", "reason", "link")
CALENDAR = (*EventPlan._fields, "cancelled_at")


def of_club(club: Club) -> dict[str, Any]:
    """The document of a club; to be called in a `snapshot`."""
    club = Club.objects.get(pk=club.pk)
    members = list(club.members.order_by("joined_at", "pk"))
    announcements = list(club.announcements.order_by("at", "pk"))
    ladders = [_of_ladder(ladder) for ladder in club.ladders.order_by("number")]
    every = list(club.tournaments.defer(None).order_by("number"))
    comes_along = [each for each in every if each.closed_at or (each.standing["rounds"] and not each.same_deal)]
    tournaments = [_of_tournament(tournament) for tournament in comes_along]
    calendar = [_of_calendar(event) for event in club.calendar.order_by("starts_at", "pk").prefetch_related("answers")]
    # Its finished games are for everybody or, if it is private, for its members, but for those that are still hidden
    # and for what was played on from them, which is practice.
    games = Match.objects.filter(club=club, status=Match.Status.FINISHED).order_by("ended_at", "pk")
    games = games.filter(hidden=False, beginning__isnull=True)
    document: dict[str, Any] = {
        "format": FORMAT,
        "site": settings.SITE_URL,
        "at": timezone.now().isoformat(),
        "club": {name: getattr(club, name) for name in SETTINGS},
        "members": [{"user": each.user_id, **plain(each, MEMBER)} for each in members],
        "announcements": [{"by": each.by_id, **plain(each, ANNOUNCEMENT)} for each in announcements],
        "ladders": ladders,
        "tournaments": tournaments,
        "staying": [each.name for each in every if each not in comes_along],
        "calendar": calendar,
        "games": list(records.documents(games.values_list("key", flat=True))),
        "former": [json.loads(gzip.decompress(bytes(each.document))) for each in club.histories.all()],
    }
    known = {row["user"] for row in document["members"]} | {row["by"] for row in document["announcements"]}
    for ladder in ladders:
        known |= {player for row in ladder["challenges"] for player in row["players"]} | people_of(ladder["events"])
    for tournament in tournaments:
        known |= {row["by"] for row in tournament["events"]}
        known |= {entrant["player"] for entrant in tournament["standing"]["entrants"]}
    names = User.objects.filter(pk__in=known - {None}).order_by("pk").values_list("pk", "username")
    return document | {"people": {str(pk): name for pk, name in names}}


def _of_ladder(ladder: Ladder) -> dict[str, Any]:
    ended = ladder.challenges.exclude(status__in=Challenge.ALIVE)
    return {
        **plain(ladder, LADDER),
        "origin": bytes(ladder.origin).hex(),
        "events": [{"by": each.by_id, **plain(each, EVENT)} for each in ladder.log.order_by("number")],
        "challenges": [
            {
                "players": [party.user_id for party in each.parties.all()],
                "match": each.match.key if each.match else None,
                **plain(each, CHALLENGE),
            }
            for each in ended.prefetch_related("parties").select_related("match").order_by("pk")
        ],
    }


def _of_tournament(tournament: Tournament) -> dict[str, Any]:
    return {
        **plain(tournament, TOURNAMENT),
        "origin": bytes(tournament.origin).hex(),
        "events": [{"by": each.by_id, **plain(each, TOURNAMENT_EVENT)} for each in tournament.log.order_by("number")],
    }


def _of_calendar(event: CalendarEvent) -> dict[str, Any]:
    return {
        **plain(event, CALENDAR),
        "by": event.by_id,
        "series": event.series and str(event.series),
        "answers": [[each.user_id, each.comes] for each in event.answers.all()],
    }


def people_of(events: list[dict[str, Any]]) -> set[int]:
    """Everybody whom these events name by their number, as far as there is an account of that number."""
    found: set[int] = set()
    for event in events:
        data = event["data"]
        found |= {int(player) for player in event["steps"]} | ({event["by"]} if event["by"] else set())
        found |= {data[name] for name in ("player", "other", "entered") if name in data}
        for name in ("players", "others", "late", "gone", "order"):
            found |= {*data.get(name, ())}
        found |= {player for player, *_ in data.get("final", ())}
    return found
