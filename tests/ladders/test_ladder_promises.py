"""Challenges that nobody plays, in made-up seasons: `tools.ladder_promises` checks each event."""

from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import Club
from games.ladders import rules as ladder
from games.ladders.standing import Standing
from tools.ladder_promises import SCENARIOS
from tools.pairing_promises import BrokenPromise

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_nobody_moves_who_was_not_named_and_nobody_wins_too_much_without_playing():
    told = StringIO()
    call_command("checkladder", seasons=1, seed="test", stdout=told)
    lines = told.getvalue().splitlines()
    assert [line.partition(":")[0] for line in lines] == list(SCENARIOS)
    friends, nobody, asked = lines
    assert " 0 unanswered" in friends and " 0 unanswered" in asked and " 0 unanswered" not in nobody
    assert " 0 people replaced" not in friends and " 0 people replaced" not in asked
    assert not Club.objects.exists(), "nothing is kept"


def test_a_ladder_that_lifts_the_challenger_past_others_breaks_the_promise(monkeypatch):
    def past_everybody(order, challenger, rungs):
        above = [one for one in order if one in rungs]
        return ladder.moved(order, challenger, order.index(above[0]) + 1) if above else order

    monkeypatch.setattr(ladder, "give_way", past_everybody)
    assert Standing(order=(1, 2, 3)).given_way(0, 3, []) == (1, 2, 3)
    with pytest.raises(Exception, match=r"put .* down, who had done nothing") as broken:
        call_command("checkladder", seasons=1, seed="test", stdout=StringIO())
    assert isinstance(broken.value.__cause__, BrokenPromise)
