"""Clubs that attackers found, and their events."""

from tests.security.attacks.outside import Visitor

EVENING = {"name_": "Night", "seats": "2", "time": "5+10", "preset": "rulebook"}
DEAL = {"name_": "Deal", "kind": "deal", "seats": "2", "pace": "5+10", "days": "28", "rounds": "1", "box": "5"}
DEAL |= {"seeds": "rung", "preset": "rulebook"}


def club_of(founder: Visitor, name: str) -> str:
    """The address of a new club that everybody can join."""
    answer = founder.post("/clubs/new", clubname=name, visible="all", joining="free", game="biblios")
    assert answer.path.startswith("/c/"), answer.text
    return answer.path


def evening_of(founder: Visitor, club: str) -> str:
    """The address of a new evening."""
    answer = founder.post(f"{club}/tournaments/evening", **EVENING)
    assert answer.status == 200, answer.text
    return answer.path


def deal_of(founder: Visitor, club: str) -> str:
    """The address of a new deal of the week."""
    answer = founder.post(f"{club}/tournaments/new", **DEAL)
    assert answer.status == 200, answer.text
    return answer.path
