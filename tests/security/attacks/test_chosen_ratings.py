"""A steward who plays takes somebody out of a rated tournament and in again, so that their games are casual."""

import re

from tests.clubs.event_forms import SWISS
from tests.security.attacks.clubs import club_of
from tests.security.attacks.outside import until


def test_who_came_by_themselves_plays_rated_games_after_a_steward_let_them_back_in(attacked):
    host, ann = attacked.player("chooser"), attacked.player("chosen_ann")
    club = club_of(host, "Choosers")
    cup = host.post(f"{club}/calendar/new", **SWISS | {"rated": "on"}).path
    ann.post(f"{club}/join")
    for player in (host, ann):
        player.post(f"{cup}/enter")
    row = until(lambda: re.search(r'name="player" value="(\d+)"', host.get(cup).text.partition("chosen_ann")[2]), "ann")
    host.post(f"{cup}/untick", player=row[1])
    host.post(f"{cup}/tick", names="chosen_ann")
    ann.post(f"{cup}/enter")
    host.post(f"{cup}/begin")
    table = until(lambda: re.search(r"/m/\w+", ann.get(cup).text), "the game of the first round")[0]
    assert re.search(r">\s*Rated\b", ann.get(table).text), "the waiting room says so"
    assert "taken you out" in ann.get("/notices").text, "they are told"
