"""Somebody with two accounts opens rated tables by link, and lets one of them resign as soon as the game has begun."""

import re

from tests.security.attacks.outside import until

GAMES = 3
RATED = {"kind": "rated", "pace": "live", "time": "5+10"}


def two_clicks(winner, loser):
    """A rated game that both resign before the first card, the loser first."""
    table = winner.table(**RATED)
    loser.post(f"{table}/join")
    loser.post(f"{table}/ready", ready="1")
    for player in (loser, winner):
        player.begun(table)
        player.post(f"{table}/resign", ply=str(player.board(table).ply), sure="1")
    return until(lambda: winner.board(table).over and table, f"the bots play the game at {table} to its end")


def rating(visitor, name):
    """The rating for games of two, as the profile shows it, and the place on the leader board, if there is one."""
    page = re.sub(r"<[^>]+>", " ", visitor.get(f"/@/{name}").text)
    found = re.search(r"Rating,\s+2 players\s+(\d+\??)", page)
    return found and found[1]


def test_games_that_last_two_clicks_raise_no_rating(attacked):
    ann, mule = attacked.player("farming_ann"), attacked.player("farming_mule")
    games = [two_clicks(ann, mule) for _ in range(GAMES)]
    reviews = [ann.get(f"{table}/0").text for table in games]
    assert all("Rated" in review for review in reviews)
    assert rating(ann, "farming_ann") in (None, "1500?")
    assert int(rating(ann, "farming_mule").rstrip("?")) < 1500


def test_nobody_rises_on_the_leader_board_by_them(attacked):
    ann, mule = attacked.player("climbing_ann"), attacked.player("climbing_mule")
    two_clicks(ann, mule)
    board = re.sub(r"<[^>]+>", " ", attacked.visitor().get("/leaders").text)
    assert "climbing_mule" in board
    assert "climbing_ann" not in board
