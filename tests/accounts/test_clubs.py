"""Clubs: who founds, joins, leads and leaves them."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts import clubs, services
from accounts.models import Asking, Club, Expulsion, Member
from accounts.refused import Refused
from tests.games.matches import person

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
SCRIPTORIUM = {
    "name": "The Scriptorium",
    "slug": "scriptorium",
    "description": "We copy books.",
    "language": "en",
    "private": False,
    "joining": "free",
}


def club_of(*names, **settings):
    """A club that the first of these people has founded, with the others as members."""
    founder, *others = map(person, names or ["ann"])
    club = clubs.found(founder, **{**SCRIPTORIUM, **settings}, now=NOW)
    Member.objects.bulk_create(Member(club=club, user=user, joined_at=NOW) for user in others)
    return club


def test_whoever_founds_a_club_is_its_first_steward():
    club = club_of("ann")
    assert club.get_absolute_url() == "/c/scriptorium"
    assert clubs.is_steward(club, person("ann"))
    assert clubs.member(club, person("cho")) is None
