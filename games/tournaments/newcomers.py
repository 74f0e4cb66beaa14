"""Who is too new to a club to play the same deal as others: an account that was made to look at the cards first.

Only what everybody can see decides: when somebody joined, and with whom and when their games have counted for a rating.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.career import archive
from accounts.models import User
from accounts.web.refused import Refused
from games.matches.clocks import instant
from games.tournaments.models import Tournament
from games.tournaments.standing import TournamentStanding

PEOPLE, DAYS = 5, 2
"""Who has played games that counted for a rating with so many different people, whose ratings were settled and whose
accounts are older than the event, and rated games on so many days (UTC), is no newcomer, whenever they joined."""


def check(tournament: Tournament, standing: TournamentStanding, person: User) -> None:
    """Raises Refused for who joined the club after this event opened and has played too few games. Stewards may let
    such people in where they seat everybody."""
    if text := refusal(tournament, standing, person):
        raise Refused(text)


def refusal(tournament: Tournament, standing: TournamentStanding, person: User) -> str:
    """Why somebody cannot come by themselves, and what they can do; empty if they can."""
    opened = instant(standing.opened)
    if person.pk not in _newer(tournament, [person.pk], opened, opened):
        return ""
    if tournament.kind == Tournament.Kind.DEAL:
        told = _(
            "You joined the club after this deal had opened. You can play the next one, or this one once your games "
            "with %(n)d people who have been here for longer have counted for a rating, on two days at least."
        )
    else:
        told = _(
            "You joined the club after this had opened. A steward can let you in, or you can come once your games "
            "with %(n)d people who have been here for longer have counted for a rating, on two days at least."
        )
    return told % {"n": PEOPLE}


def of(tournament: Tournament, standing: TournamentStanding) -> set[int]:
    """The players whom its table calls new: no members yet when the event of this kind before it opened, if there was
    one, and with few games that counted; and whoever joined after this one had opened."""
    before = Tournament.objects.filter(club=tournament.club_id, kind=tournament.kind, number__lt=tournament.number)
    since = before.order_by("-number").values_list("standing__opened", flat=True).first()
    opened = instant(standing.opened)
    late = tournament.club.members.filter(user__in=standing.entrants, joined_at__gt=opened)
    few = _newer(tournament, standing.entrants, None if since is None else instant(since), opened)
    return few.union(late.values_list("user", flat=True))


def _newer(tournament: Tournament, people: Collection[int], since: datetime | None, opened: datetime) -> set[int]:
    """Those with few games who were not members by then (None: whenever they joined), of an event that opened then."""
    found = set(people)
    if since is not None:
        members = tournament.club.members.filter(user__in=found, joined_at__lte=since)
        found -= set(members.values_list("user", flat=True))
    met, days = archive.settled_opponents(found), archive.rated_days(found)
    everybody = set[int]().union(*met.values())
    older = set(User.objects.filter(pk__in=everybody, date_joined__lt=opened).values_list("pk", flat=True))
    return {person for person in found if len(met.get(person, set()) & older) < PEOPLE or days.get(person, 0) < DAYS}
