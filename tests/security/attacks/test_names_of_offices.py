"""A club, and its event, that call themselves as if they were the site, with spaces, hyphens and capitals between."""

import pytest

from tests.clubs.event_forms import NIGHT
from tests.security.attacks.clubs import club_of

NAMES = "ArMaRiuM team", "Stew ards", "adm-in office", "Siteadmin", "ofadmin", "Site Staff", "The Moderation"


@pytest.mark.parametrize("number", range(len(NAMES)))
def test_no_club_is_called_so(attacked, number):
    founder = attacked.player(f"office_seeker_{number}")
    answer = founder.post("/clubs/new", clubname=NAMES[number], visible="all", joining="free", game="biblios")
    assert "mistaken for the site itself" in answer.text


def test_no_event_is_called_so(attacked):
    founder = attacked.player("office_seeker")
    club = club_of(founder, "Innocent Readers")
    for name in NAMES:
        answer = founder.post(f"{club}/calendar/new", **NIGHT | {"name_": name})
        assert "mistaken for the site itself" in answer.text, name
