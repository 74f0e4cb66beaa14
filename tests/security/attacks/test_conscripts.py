"""Somebody seats strangers at live games without asking: they fall out of their search, and cannot play elsewhere."""

import re

from tests.clubs.event_forms import NIGHT
from tests.security.attacks.outside import until


def test_strangers_are_seated_only_if_they_say_yes(attacked):
    attacker = attacked.player("press_gang")
    ann, bob = attacked.player("pressed_ann"), attacked.player("pressed_bob")
    club = attacker.post("/clubs/new", clubname="Press Gang", visible="all", joining="free", game="biblios").path
    night = attacker.post(f"{club}/calendar/new", **NIGHT).path
    attacker.post(f"{night}/tick", names="pressed_ann, pressed_bob")
    attacker.post(f"{night}/seat", how="unmet", size="2", rounds="0")
    seen = attacked.visitor().get(night).text
    assert "/m/" not in seen and "pressed_ann" not in seen
    for stranger in (ann, bob):
        page = stranger.get("/play").text
        assert "Only you can say yes" in page and "your turn" not in page
        assert "Press Gang" not in page and "Night" not in page, "words that strangers have chosen"
    assert "Night" not in ann.get("/notices").text.partition("<main")[2]
    bob.post(f"{night}/decline")
    attacker.post(f"{night}/tick", names="pressed_bob")
    assert "Only you can say yes" not in bob.get("/play").text
    for willing in (ann, attacker):
        willing.post(f"{night}/enter")
    attacker.post(f"{night}/seat", how="unmet", size="2", rounds="0")
    assert until(lambda: re.search(r"/m/\w+", ann.get(night).text), "the game of the two who said yes")
