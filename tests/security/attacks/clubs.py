"""Clubs that attackers found, and their events."""

from tests.clubs.event_forms import DEAL, NIGHT
from tests.security.attacks.outside import Visitor


def club_of(founder: Visitor, name: str) -> str:
    """The address of a new club that everybody can join."""
    answer = founder.post("/clubs/new", clubname=name, visible="all", joining="free", game="biblios")
    assert answer.path.startswith("/c/"), answer.text
    return answer.path


def evening_of(founder: Visitor, club: str) -> str:
    """The address of a new evening."""
    answer = founder.post(f"{club}/calendar/new", **NIGHT)
    assert answer.status == 200, answer.text
    return answer.path


def deal_of(founder: Visitor, club: str) -> str:
    """The address of a new deal of the week."""
    answer = founder.post(f"{club}/calendar/new", **DEAL)
    assert answer.status == 200, answer.text
    return answer.path
