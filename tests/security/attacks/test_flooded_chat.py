"""Somebody writes all day at a table, until the page of their opponent takes seconds and its socket breaks."""

import json

from tests.security.attacks.outside import sat_down

A_DAY_OF_LINES = """
from games.matches.models import ChatLine, Match
match = Match.objects.get(key={key!r})
user = match.seats.get(index=0).user
ChatLine.objects.bulk_create([ChatLine(match=match, user=user, text="x" * 200)] * 20_000)
ChatLine.objects.create(match=match, user=user, text="the last line")
"""
"""As many as the limits allow in less than a day."""


def test_a_page_shows_the_latest_lines_only(attacked):
    ann, bob = attacked.player("chatting_ann"), attacked.player("chatting_bob")
    table = sat_down(ann, bob, pace="daily", days="7")
    attacked.manage("shell", "-c", A_DAY_OF_LINES.format(key=table.removeprefix("/m/")))
    page = bob.get(table).text
    assert "the last line" in page
    assert len(page) < 200_000
    with bob.socket(f"/ws{table}") as socket:
        assert "the last line" in socket.recv(timeout=9)
        socket.send(json.dumps({"ply": "999999", "move": "nothing"}))
        assert socket.recv(timeout=9)


def test_nobody_writes_without_end(attacked):
    ann, bob = attacked.player("filling_ann"), attacked.player("filling_bob")
    table = sat_down(ann, bob, pace="daily", days="7")
    attacked.manage("shell", "-c", A_DAY_OF_LINES.format(key=table.removeprefix("/m/")))
    ann.post(f"{table}/chat", {"HX-Request": "true"}, text="and on and on")
    assert "and on and on" not in bob.get(table).text
