"""`syntheticarchive` makes up an archive whose ratings and tallies are right."""

from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import ArchivedMatch
from games.matches.models import Match

pytestmark = pytest.mark.django_db


def test_an_archive_is_made_up_in_which_nothing_is_wrong_with_the_ratings():
    out = StringIO()
    call_command("syntheticarchive", "--matches", "30", "--people", "6", stdout=out)
    assert "30 matches of 6 people" in out.getvalue()
    assert {match.game for match in Match.objects.all()} == {"biblios"}
    assert ArchivedMatch.objects.filter(won=True).count() >= 30
    call_command("rerate", "--check", stdout=StringIO())
