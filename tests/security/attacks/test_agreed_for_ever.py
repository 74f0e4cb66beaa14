"""Somebody came to an event once, was taken out by its steward, and left the club. The steward lets them in again."""

import re

from tests.security.attacks.clubs import club_of, evening_of


def test_who_has_left_the_club_is_not_seated(attacked):
    steward = attacked.player("agreed_warden")
    club = club_of(steward, "Agreed For Ever")
    night = evening_of(steward, club)
    for name in ("agreed_ann", "agreed_bob"):
        player = attacked.player(name)
        player.post(f"{club}/join")
        player.post(f"{night}/enter")
        [number] = re.findall(r'name="player"[^>]*value="(\d+)"', steward.get(night).text)
        steward.post(f"{night}/untick", player=number)
        player.post(f"{club}/leave")
    steward.post(f"{night}/tick", names="agreed_ann, agreed_bob")
    steward.post(f"{night}/seat", how="unmet", size="2", rounds="0")
    seen = attacked.visitor().get(night).text
    assert "/m/" not in seen and "agreed_ann" not in seen
