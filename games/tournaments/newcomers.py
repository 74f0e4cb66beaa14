"""Who is too new to a club to play the same deal as others: an account that was made to look at the cards first.

Only what everybody can see decides: when somebody joined, and how many of their games have counted for a rating.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.career.archive import games_counted
from accounts.models import User
from accounts.web.refused import Refused
from games.matches.clocks import instant
from games.tournaments.models import Tournament
from games.tournaments.standing import TournamentStanding

GAMES = 5
"""Who has played so many games that counted for a rating is no newcomer, whenever they joined: a game counts with a
person, and of those with the same person three a day."""


def check(tournament: Tournament, standing: TournamentStanding, person: User) -> None:
    """Raises Refused for who joined the club after this event opened and has played too few games. Stewards may let
    such people in where they seat everybody."""
    if text := refusal(tournament, standing, person):
        raise Refused(text)


def refusal(tournament: Tournament, standing: TournamentStanding, person: User) -> str:
    """Why somebody cannot come by themselves, and what they can do; empty if they can."""
    if person.pk not in _newer(tournament, [person.pk], instant(standing.opened)):
        return ""
    if tournament.kind == Tournament.Kind.DEAL:
        told = _(
            "You joined the club after this deal had opened. You can play the next one, or this one once %(n)d of your "
            "games have counted for a rating."
        )
    else:
        told = _(
            "You joined the club after this had opened. A steward can let you in, or you can come once %(n)d of your "
            "games have counted for a rating."
        )
    return told % {"n": GAMES}


def of(tournament: Tournament, standing: TournamentStanding) -> set[int]:
    """The players whom its table calls new: with few games that counted, and no members yet when the event of this
    kind before it opened, if there was one."""
    before = Tournament.objects.filter(club=tournament.club_id, kind=tournament.kind, number__lt=tournament.number)
    opened = before.order_by("-number").values_list("standing__opened", flat=True).first()
    return _newer(tournament, standing.entrants, None if opened is None else instant(opened))


def _newer(tournament: Tournament, people: Collection[int], since: datetime | None) -> set[int]:
    """Those with few games who were not members by then; None: whenever they joined."""
    found = set(people)
    if since is not None:
        members = tournament.club.members.filter(user__in=found, joined_at__lte=since)
        found -= set(members.values_list("user", flat=True))
    counted = games_counted(found)
    return {person for person in found if counted.get(person, 0) < GAMES}
