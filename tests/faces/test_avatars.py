"""What stands for people, guests and bots: everything has its symbol, and at a table no two look alike."""

import re
from collections import Counter
from random import Random

import pytest
from django.contrib.staticfiles import finders

from accounts import services
from accounts.people.avatar import (
    ANIMALS,
    MOTIFS,
    PATTERNS,
    PORTRAITS,
    TINTS,
    Worn,
    apart,
    avatar,
    of_bot,
    read,
    sheet_of,
)
from games.engine.registry import titles
from games.faces.registry import face_of
from tests.people import person

BOTS = [name for game in titles() for name in face_of(game).bot_names]
NAMES = ("Anna", "Ada", "ann", "Bob", "Åsa", "یلدا")


def symbols(motif):
    with open(finders.find(sheet_of(motif))) as file:
        return re.findall(r'<symbol id="([^"]+)"', file.read())


def test_every_picture_is_drawn_once():
    for motif in (*MOTIFS, *PORTRAITS):
        assert motif == "letter" or symbols(motif).count(motif) == 1


def some(rng):
    """Somebody at a table: name and avatar."""
    kind = rng.choice(("letter", "chosen", "guest", "bot"))
    name = rng.choice(BOTS if kind == "bot" else NAMES)
    worn = Worn(rng.choice([*MOTIFS][:6]), rng.choice([*TINTS][:2]), rng.choice([*PATTERNS]))
    code = {
        "letter": "",
        "chosen": str(worn),
        "guest": f"{rng.choice([*ANIMALS][:3])}-woad-1",
        "bot": str(of_bot(name)),
    }
    return name, code[kind]


def look(name, code):
    worn = read(code, name)
    return (name[0].upper(), worn.tint) if worn.motif == "letter" else worn.motif


def test_at_a_table_no_two_look_alike_and_whoever_came_before_stays_as_they_were():
    rng, changed = Random(1), 0
    for _ in range(2000):
        people = [some(rng) for _ in range(4)]
        found = apart(people)
        looks = [look(name, code) for (name, _), code in zip(people, found, strict=True)]
        assert len({*looks}) == 4
        assert all(found[:length] == apart(people[:length]) for length in range(4))
        assert found[0] == people[0][1]
        changed += found != [code for _name, code in people]
    assert 200 < changed < 1800


def twice(code):
    """What the second of two who have chosen alike is shown with."""
    return read(apart([("a", code)] * 2)[1], "a")


def test_another_picture_is_of_the_same_kind():
    assert twice("cat-woad-1").motif in ANIMALS
    assert twice("nun-woad-1").motif in PORTRAITS
    assert twice("owl-woad-1").motif not in (*ANIMALS, *PORTRAITS, "letter", "owl")
    assert (twice("").motif, twice("").tint) == ("letter", "madder")


def test_each_bot_has_a_portrait_and_titles_have_bots_that_differ():
    for game in titles():
        names = face_of(game).bot_names
        assert {*names.values()} <= {*PORTRAITS}
        assert [of_bot(name).motif for name in names] == [*names.values()]
        assert max(Counter(names.values()).values()) <= len(names) - max(game.seats)
    assert of_bot("Nobody").motif in PORTRAITS


@pytest.mark.django_db
def test_guests_are_animals_and_keep_theirs_as_an_account():
    guests = [services.guest() for _ in range(12)]
    assert {read(guest.avatar, "").motif for guest in guests} <= {*ANIMALS}
    assert len({guest.avatar for guest in guests}) > 1
    user = services.sign_up("Anna", "a long enough password", guest=guests[0])
    assert user.avatar == guests[0].avatar


@pytest.mark.django_db
def test_nobody_can_look_like_a_bot(client):
    ann = person("ann")
    client.force_login(ann)
    form = {"about": "", "tint": "woad", "pattern": "1"}
    for motif, kept in (("cat", "cat-woad-1"), ("nun", "cat-woad-1")):
        client.post("/account/self", form | {"motif": motif})
        ann.refresh_from_db()
        assert ann.avatar == kept


def test_a_portrait_fills_its_square(static_files):
    assert 'class="avatar pattern-1 woad portrait"' in avatar("Odo", "abbot-woad-1")
    assert "portraits." in avatar("Odo", "abbot-woad-1")
    assert "portrait" not in avatar("Odo", "owl-woad-1")
