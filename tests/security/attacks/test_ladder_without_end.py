"""Somebody holds a place on a ladder by terms under which no game can ever be over in time."""

import re

from tests.security.attacks.outside import until


def test_terms_that_cannot_end_in_time_are_not_taken(attacked):
    ann, bob = attacked.player("holding_ann"), attacked.player("waiting_bob")
    club = ann.post("/clubs/new", clubname="Endless", visible="all", joining="free", game="biblios").path
    assert club == "/c/endless"
    bob.post(f"{club}/join")
    for player in (ann, bob):
        player.post(f"{club}/ladders/1/join")
    ann.post(f"{club}/ladders/1/desk/season", do="start")
    until(lambda: "waiting_bob" in bob.get(f"{club}/ladders/1").text, "both stand on the ladder")
    terms = {"seats": "2", "pace": "daily", "preset": "rulebook", "begins": "now"}
    challenge = f"{club}/ladders/1/challenge?to=holding_ann"
    slow = bob.post(challenge, **terms, days="7")
    assert slow.status == 422
    assert "can’t finish within 10 days" in re.sub(r"\s+", " ", slow.text)
    assert "/challenges/" in bob.post(challenge, **terms, days="1").path
