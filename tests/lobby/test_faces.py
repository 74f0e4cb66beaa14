"""Faces at a table: no two alike, the same on all pages, and nobody's changes when others come."""

import pytest

from accounts.models import User
from accounts.people.avatar import of_bot, read
from games.lobby import open_matches
from games.matches import access
from games.matches.clocks import USUAL
from games.table.present import sitters
from tests.matches.matches import rushed, seated
from tests.people import person

pytestmark = pytest.mark.django_db


def cat(name):
    return User.objects.create_user(name, avatar="cat-woad-1")


def shown(match):
    """The avatars at a table, by name."""
    people = [seat.occupant for seat in access.find(match.key).sitting]
    return {person.name: person.avatar for person in people if person.name}


def test_whoever_comes_later_gets_another_picture_also_in_a_seat_before(ann):
    match = open_matches.open_match(ann, places=4, options={}, clock=USUAL)
    bob, tom, eve, ida = cat("bob"), cat("tom"), cat("eve"), cat("ida")
    for comes, goes in ((bob, None), (tom, None), (eve, bob), (ida, None), (bob, tom)):
        if goes:
            open_matches.leave(match, goes)
        before = shown(match)
        open_matches.join(match, comes)
        now = shown(match)
        assert before.items() <= now.items()
        assert len({read(code, name) for name, code in now.items()}) == len(now)
    assert [seat.shown_name for seat in access.find(match.key).sitting] == ["ann", "ida", "bob", "eve"]
    assert [now["eve"], now["ida"], now["bob"]] == ["cat-woad-1", "fox-woad-1", "bear-woad-1"]


def test_all_pages_show_the_same(client):
    for name in ("bob", "tom", "eve"):
        cat(name)
    match = rushed(seated("bob", "tom", "eve", bots=1))
    faces = shown(match)
    assert len({*faces.values()}) == 4
    assert {it.person.name: it.person.avatar for it in sitters(match)} == faces
    for viewer in ("", "eve"):
        if viewer:
            client.force_login(person(viewer))
        for path in (match.get_absolute_url(), f"{match.get_absolute_url()}/{match.ply}"):
            html = client.get(path).content.decode()
            for code in faces.values():
                worn = read(code, "")
                assert f'pattern-{worn.pattern} {worn.tint} portrait" aria-hidden="true"><svg><use href=' in html
                assert f'#{worn.motif}"' in html


def test_bots_at_a_table_have_different_portraits(ann):
    for _ in range(10):
        match = open_matches.open_match(ann, places=4, options={}, bots=3)
        bots = [seat for seat in access.find(match.key).sitting if seat.bot]
        assert len({of_bot(seat.name).motif for seat in bots}) == 3
        assert [seat.person.avatar for seat in bots] == [str(of_bot(seat.name)) for seat in bots]
