"""A whole club as one JSON document, to take it to another site.

It has what every member may read: the club's settings, its members with their roles and rights, its announcements, its
ladders, those that are closed too, each with all events, their chain and the challenges that have ended, and the
records of its finished games; and, of a club that has moved before, the document with which it came. It has
nothing about invitations, requests, expulsions and decisions, no mail addresses, no club dates, nights and tournaments,
and nothing that is still open.

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
from games.ladders.models import Challenge, Ladder
from games.matches.dump import plain
from games.matches.models import Match
from games.review import records

FORMAT = "armarium-club/1"
MEMBER = ("role", "rights", "joined_at")
ANNOUNCEMENT = ("text", "public", "at")
LADDER = ("number", "name", "game", "standing")
EVENT = ("number", "kind", "at", "data", "reason", "steps", "link")
CHALLENGE = (
    *("id", "status", "game", "version", "pace", "bank_ms", "increment_ms", "days", "options"),
    *("made_at", "agreed_at", "starts_at", "ended_at"),
)


def of_club(club: Club) -> dict[str, Any]:
    """The document of a club; to be called in a `snapshot`."""
    club = Club.objects.get(pk=club.pk)
    members = list(club.members.order_by("joined_at", "pk"))
    announcements = list(club.announcements.order_by("at", "pk"))
    ladders = [_of_ladder(ladder) for ladder in club.ladders.order_by("number")]
    # Its finished games are for everybody or, if it is private, for its members, but for those that are still hidden.
    games = Match.objects.filter(club=club, status=Match.Status.FINISHED).order_by("ended_at", "pk")
    games = games.filter(hidden=False)
    document: dict[str, Any] = {
        "format": FORMAT,
        "site": settings.SITE_URL,
        "at": timezone.now().isoformat(),
        "club": {name: getattr(club, name) for name in SETTINGS},
        "members": [{"user": each.user_id, **plain(each, MEMBER)} for each in members],
        "announcements": [{"by": each.by_id, **plain(each, ANNOUNCEMENT)} for each in announcements],
        "ladders": ladders,
        "games": list(records.documents(games.values_list("key", flat=True))),
        "former": [json.loads(gzip.decompress(bytes(each.document))) for each in club.histories.all()],
    }
    known = {row["user"] for row in document["members"]} | {row["by"] for row in document["announcements"]}
    for ladder in ladders:
        known |= {player for row in ladder["challenges"] for player in row["players"]} | people_of(ladder["events"])
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
