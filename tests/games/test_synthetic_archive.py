"""`syntheticarchive` makes up an archive whose ratings and tallies are right."""

from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import ArchivedMatch
from games.engine.registry import GAMES
from games.matches.models import Match

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game", [game.slug for game in GAMES.values()])
def test_an_archive_is_made_up_in_which_nothing_is_wrong_with_the_ratings(game):
    out = StringIO()
    call_command("syntheticarchive", "--matches", "30", "--people", "6", "--game", game, stdout=out)
    assert "30 matches of 6 people" in out.getvalue()
    assert {match.game for match in Match.objects.all()} == {game}
    assert ArchivedMatch.objects.filter(won=True).count() >= 30
    call_command("rerate", "--check", stdout=StringIO())
