"""A club whose members come and go, as `accounts.clubs.clubs` lets them."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts import services
from accounts.clubs import clubs
from accounts.models import Member, Notice, User
from accounts.web.refused import Refused
from games.ladders import events
from games.ladders.models import Ladder
from tests.people import person

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
SAYS = {
    "name": "The Scriptorium",
    "slug": "scriptorium",
    "description": "We copy books.",
    "language": "en",
    "private": False,
    "joining": "free",
}


def club_of(*names, **says):
    """A club that the first of these people has founded, with the others as members, who came one after the other."""
    own = {"name": f"Club {says['slug']}"} if "slug" in says else {}
    club = clubs.found(person(names[0]), **{**SAYS, **own, **says}, now=NOW)
    for number, name in enumerate(names[1:], 1):
        Member.objects.create(club=club, user=person(name), joined_at=NOW + timedelta(minutes=number))
    return club


def change(club, by="ann", **says):
    return clubs.change(club, person(by), **{**SAYS, **says})


def roles(club):
    """Who belongs to a club, and as what."""
    return dict(club.members.order_by("joined_at", "pk").values_list("user__username", "role"))


def waiting(club):
    """The people waiting to join, each with who invited them."""
    return dict(club.askings.order_by("pk").values_list("user__username", "by__username"))


def told(name):
    """What somebody has been told: kind and page."""
    return list(Notice.objects.filter(user=person(name)).order_by("pk").values_list("kind", "address"))


def refused(says, act, *args, **kwargs):
    """An act that is refused with a sentence in which this stands."""
    with pytest.raises(Refused) as refusal:
        act(*args, **kwargs)
    assert says in str(refusal.value)


def season(club, *names):
    """The ladder of a club, with these people on it, while a season runs."""
    for name in names:
        events.join(club.ladders.get(), person(name), NOW)
    events.start_season(club.ladders.get(), person(names[0]), NOW)
    return Ladder.objects.get(club=club)


def close(name):
    user = person(name)
    User.objects.filter(pk=user.pk).update(closing_at=NOW)
    assert services.pseudonymise(user.pk, LATER)
