"""A whole club as one JSON document, to take it to another site.

It has what every member may read: the club's settings, its members with their roles and rights, its announcements, its
ladder with all events and their chain, the challenges that have ended, and the records of its finished games; and, of a
club that has moved before, the document with which it came. It has
nothing about invitations, requests, expulsions and decisions, no mail addresses, no club dates, nights and tournaments,
and nothing that is still open.

People are numbered as in the events of the ladder; `people` has their names. A name says who somebody is at the site
from which the document is, and at no other.
"""

from __future__ import annotations

import gzip
import json
from typing import Any

from django.conf import settings
from django.utils import timezone

from accounts.clubs import SETTINGS
from accounts.models import Club, User
from games.ladders.models import Challenge, Ladder, LadderEvent
from games.matches.dump import plain
from games.matches.models import Match
from games.review import records

FORMAT = "biblios-club/1"
MEMBER = ("role", "rights", "joined_at")
ANNOUNCEMENT = ("text", "public", "at")
EVENT = ("number", "kind", "at", "data", "reason", "steps", "link")
CHALLENGE = (
    *("id", "status", "game", "version", "pace", "bank_ms", "increment_ms", "days", "options"),
    *("made_at", "agreed_at", "starts_at", "ended_at"),
)


def of_club(club: Club) -> dict[str, Any]:
    """The document of a club; to be called in a `snapshot`."""
    club = Club.objects.get(pk=club.pk)
    ladder = Ladder.objects.get(club=club)
    members = list(club.members.order_by("joined_at", "pk"))
    announcements = list(club.announcements.order_by("at", "pk"))
    events = list(ladder.log.order_by("number"))
    ended = ladder.challenges.exclude(status__in=Challenge.ALIVE)
    challenges = list(ended.prefetch_related("parties").select_related("match").order_by("pk"))
    # Its finished games are for everybody or, if it is private, for its members.
    games = Match.objects.filter(club=club, status=Match.Status.FINISHED).order_by("ended_at", "pk")
    document: dict[str, Any] = {
        "format": FORMAT,
        "site": settings.SITE_URL,
        "at": timezone.now().isoformat(),
        "club": {name: getattr(club, name) for name in SETTINGS},
        "members": [{"user": each.user_id, **plain(each, MEMBER)} for each in members],
        "announcements": [{"by": each.by_id, **plain(each, ANNOUNCEMENT)} for each in announcements],
        "ladder": {
            "game": ladder.game,
            "origin": bytes(ladder.origin).hex(),
            "standing": ladder.standing,
            "events": [{"by": each.by_id, **plain(each, EVENT)} for each in events],
        },
        "challenges": [
            {
                "players": [party.user_id for party in each.parties.all()],
                "match": each.match.key if each.match else None,
                **plain(each, CHALLENGE),
            }
            for each in challenges
        ],
        "games": list(records.documents(games.values_list("key", flat=True))),
        "former": [json.loads(gzip.decompress(bytes(each.document))) for each in club.histories.all()],
    }
    known = {row["user"] for row in document["members"]} | {row["by"] for row in document["announcements"]}
    known |= {player for row in document["challenges"] for player in row["players"]}
    known |= people_of(events)
    names = User.objects.filter(pk__in=known - {None}).order_by("pk").values_list("pk", "username")
    return document | {"people": {str(pk): name for pk, name in names}}


def people_of(events: list[LadderEvent]) -> set[int]:
    """Everybody whom these events name by their number, as far as there is an account of that number."""
    found: set[int] = set()
    for event in events:
        found |= {int(player) for player in event.steps} | ({event.by_id} if event.by_id else set())
        found |= {event.data[name] for name in ("player", "entered") if name in event.data}
        for name in ("players", "silent", "others", "refused", "late", "gone", "order"):
            found |= {*event.data.get(name, ())}
        found |= {player for player, *_ in event.data.get("final", ())}
    return found
