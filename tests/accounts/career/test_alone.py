"""Games of one player: what somebody has reached, and the best wins of all."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from accounts.career import alone
from accounts.career.archive import Part, archive
from tests.people import person
from tests.reading import source, text

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def plays(who, points, level=1, won=True, day=0, ended="", game="exlibris", key=None):
    """A game that `who` has played alone."""
    part = Part(who, 0, who.username, 1 if won else 2, won, points, level=level, ended=ended, feats={"whole": 1})
    key = key or f"{who.username}{level}{points}{day}"
    archive(key, NOON + timedelta(days=day), [part], game=game, pool="")


def test_the_best_wins_of_a_difficulty_are_listed_the_earlier_of_equal_ones_first():
    ann, bob = person("ann"), person("bob")
    plays(ann, 60, day=2)
    plays(bob, 60, day=1)
    plays(bob, 71, day=3)
    plays(ann, 80, won=False)
    plays(ann, 90, level=2)
    plays(bob, 99, ended="abandoned")
    plays(bob, 95, game="toy")
    found = alone.records("exlibris", 1, ann)
    assert [(each.rank, each.person.name, each.points, each.mine) for each in found] == [
        (1, "bob", 71, False),
        (2, "bob", 60, False),
        (3, "ann", 60, True),
    ]


def test_guests_and_closed_accounts_have_no_records():
    plays(person("ann"), 60)
    plays(person("fay", guest=True), 70)
    plays(person("dan", closed=True), 80)
    plays(person("eve", is_active=False), 90)
    assert [each.person.name for each in alone.records("exlibris", 1, person("ann"))] == ["ann"]


def test_the_page_of_records_is_of_one_game_and_difficulty(client):
    plays(person("ann"), 61, level=2, key="m2")
    first = text(client.get("/leaders/alone"))
    assert "No one has won alone at this difficulty yet." in first
    assert "4 cards a round for the public library" in first, "the usual difficulty comes first"
    page = client.get("/leaders/alone?game=exlibris&level=2")
    assert re.findall(r'href="/m/(\w+)"', source(page)) == ["m2"]
    assert "ann" in text(page) and "61" in text(page)
    for query in ("game=biblios", "game=chess", "level=8", "level=x", "level=²"):
        assert client.get(f"/leaders/alone?{query}").status_code == 404, query
    assert "/leaders/alone?game=exlibris" in source(client.get("/leaders?game=exlibris"))
    assert "/leaders/alone" not in source(client.get("/leaders")), "a game that nobody can play alone"


def test_a_profile_tells_what_somebody_has_reached_at_each_difficulty_and_counts_it_apart(client):
    ann = person("ann")
    for points, level, won in ((50, 1, True), (64, 1, True), (70, 1, False), (40, 3, False)):
        plays(ann, points, level, won)
    plays(ann, 99, 3, won=False, ended="resignation")
    plays(ann, 98, 4, won=False, ended="resignation")
    assert alone.reached(ann, "exlibris") == [(1, 3, 2, 0, 70), (3, 2, 0, 1, 40), (4, 1, 0, 1, None)]
    page = text(client.get("/@/ann"))
    assert "Games 0 + 6 alone Won – " in page
    assert "Difficulty Games Won Given up Most points 1 3 2 0 70 3 2 0 1 40 4 1 0 1 –" in page
    plays_with_bob(ann)
    assert "Most points" not in text(client.get("/@/ann")), "games with people come first"
    assert "Most points" in text(client.get("/@/ann?with=alone"))


def plays_with_bob(ann):
    parts = [Part(who, seat, who.username, seat + 1, not seat, 9) for seat, who in enumerate((ann, person("bob")))]
    archive("m1", NOON, parts, game="exlibris", pool="2")
