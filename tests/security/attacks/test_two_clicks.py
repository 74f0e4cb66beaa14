"""Somebody with two accounts opens a rated table by link, and lets both resign as soon as the game has begun."""

import re

import pytest

from tests.security.attacks import outside
from tests.security.attacks.outside import until

RATED = {"kind": "rated", "pace": "live", "time": "5+10"}


def two_clicks(winner, loser):
    """A rated game that both resign before the first card, the loser first; once the bots have played it to its end."""
    table = winner.table(**RATED)
    loser.post(f"{table}/join")
    loser.post(f"{table}/ready", ready="1")
    for player in (loser, winner):
        player.begun(table)
        player.post(f"{table}/resign", ply=str(player.board(table).ply), sure="1")
    return until(lambda: winner.board(table).over and table, f"the bots play the game at {table} to its end")


def rating(visitor, name):
    """The rating for games of two, as the profile shows it; None without one."""
    page = re.sub(r"<[^>]+>", " ", visitor.get(f"/@/{name}").text)
    found = re.search(r"Rating,\s+2 players\s+(\d+\??)", page)
    return found and found[1]


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_game_of_two_clicks_raises_no_rating(attacked, monkeypatch):
    monkeypatch.setattr(outside, "PATIENCE_S", 100)  # a game that everybody has left is in no hurry
    ann, mule = attacked.player("farming_ann"), attacked.player("farming_mule")
    two_clicks(ann, mule)
    assert rating(ann, "farming_ann") in (None, "1500?")
    assert rating(ann, "farming_mule") == "1470?"
    board = ann.get("/leaders").text.split('id="main"')[1].split("</main>")[0]
    assert "farming_mule" in board
    assert "farming_ann" not in board
