"""What ties people to a tournament and its club: asked for all of them at once, as an evening fills in one go."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from games.tournaments.models import Tournament


class Ties(NamedTuple):
    """Who of some people is what, by their ids."""

    members: set[int]
    """Members of the club."""
    expelled: set[int]
    """Those whom the club has expelled."""
    invited: set[int]
    """Those with an invitation to the tournament that they have not answered."""


def of(tournament: Tournament, people: Collection[int]) -> Ties:
    """The ties of these people: three queries, however many they are."""
    invitations = tournament.invitations.filter(declined=False)
    rows = (tournament.club.members, tournament.club.expulsions, invitations)
    return Ties(*(set(each.filter(user__in=people).values_list("user", flat=True)) for each in rows))
