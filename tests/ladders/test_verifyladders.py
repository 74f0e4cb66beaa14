"""`verifylogs` replays the ladders too."""

from random import Random

import pytest

from games.engine.bots import choose_random
from games.ladders import audit
from games.matches.clocks import ms_of
from games.matches.models import Match
from tests.clubs.clubs import DAY, agreed, club_of
from tests.people import person
from tests.verifying import verify
from tools import rehearsal

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.slow, pytest.mark.usefixtures("rewriting")]


def played(challenge):
    """The match of a challenge is played to its end within a day, whoever wins."""
    match = Match.objects.seated().get(challenge=challenge)
    rehearsal.perform(match, [choose_random] * match.places, Random(1), ends=ms_of(match.started_at + DAY))
    challenge.refresh_from_db()


def test_a_ladder_without_any_event_is_right():
    assert audit.check(club_of("ann", season=False)).order == (person("ann").pk,)


def test_verifylogs_replays_the_ladders_too():
    ladder = club_of("ann", "bob", "dan", "eve", "fay")
    played(agreed(ladder, "bob", "ann"))
    played(agreed(ladder, "fay", "dan", "eve"))
    said, failed = verify()
    assert not failed, said
    assert "8 events of 1 ladders replayed" in said
    assert "no fault" in said


def test_verifylogs_names_the_ladder_and_its_first_event_that_disagrees():
    for slug in ("bobbio", "st-gall"):
        ladder = club_of("ann", "bob", slug=slug)
    ladder.standing["season"] = 2
    ladder.save()
    said, failed = verify()
    assert failed
    assert "ladder 1 of st-gall: standing: the ladder does not stand as its events say; look at: season" in said
    assert said.endswith("1 ladders are wrong")
    ladder.standing = []
    ladder.save()
    assert "ladder 1 of st-gall: standing" in verify()[0]
