"""What has not changed at a table is not drawn, and nothing is drawn twice for viewers who see alike."""

from collections import Counter
from random import Random
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser

from games.faces.language import language
from games.faces.registry import FACES
from games.faces.slots import SlotGroup
from games.matches import access
from games.table import board
from games.table.room import Table
from tests.matches.matches import answer, seated
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("static_files"), pytest.mark.once, pytest.mark.slow]


class Painter:
    """A painter that writes down in which language it has painted what."""

    def __init__(self, painter, painted):
        self.painter, self.painted = painter, painted

    def __call__(self, *values):
        self.painted[language(), (self, *values)] += 1
        return self.painter(*values)

    def __eq__(self, other):
        return isinstance(other, Painter) and self.painter == other.painter

    def __hash__(self):
        return hash(self.painter)


class WatchedFace:
    """A face whose painters write down what they paint."""

    def __init__(self, face, painted):
        self.face, self.painted = face, painted

    def __getattr__(self, name):
        return getattr(self.face, name)

    def _watched(self, group):
        def watched(part):
            return {name: (Painter(slot[0], self.painted), *slot[1:]) for name, slot in part.items()}

        return SlotGroup(tuple(map(watched, group.parts)))

    def common(self, scene, before):
        alike = self.face.common(scene, before)
        return alike._replace(group=self._watched(alike.group))

    def draw(self, scene, common, before, made):
        drawn = self.face.draw(scene, common, before, made)

        def watched(slot_of):
            def slot(*line):
                painter, *values = slot_of(*line)
                return (Painter(painter, self.painted), *values)

            return slot

        log = drawn.log._replace(line=watched(drawn.log.line), growth=watched(drawn.log.growth))
        return drawn._replace(group=self._watched(drawn.group), log=log)


@pytest.fixture
def painted(game, monkeypatch):
    """How often each slot, and each line of the log, was painted: by language and key."""
    painted = Counter()
    monkeypatch.setitem(FACES, game.slug, WatchedFace(FACES[game.slug], painted))
    return painted


@pytest.fixture
def table(game):
    """Ann, bob, dan and two watchers have it open, in two languages."""
    match = seated("ann", "bob", "dan", game=game, options={})
    table = Table(match.key)
    users = [*map(person, ("ann", "bob", "dan")), AnonymousUser(), AnonymousUser()]
    table.pages = [
        SimpleNamespace(user=user, language=code, drawn=None)
        for user, code in zip(users, ("en", "de", "de", "en", "en"), strict=True)
    ]
    return table


def refresh(table):
    """Bring its pages up to date. By language, the keys that are new to a page in it."""
    new = {"en": set(), "de": set()}
    for page, before, now, _html in table.draw(access.find(table.key)):
        slots, lines = (before.slots, set(before.log.lines)) if before else ({}, set())
        new[page.language] |= {slot for name, slot in now.slots.items() if slots.get(name) != slot}
        new[page.language] |= {line for line in now.log.lines if line not in lines}
        grown = zip(before.log.lines, now.log.lines, strict=False) if before else ()
        new[page.language] |= {now.log.growth(*pair, now.log.setting) for pair in grown if pair[0] != pair[1]}
        page.drawn = now
    return new


def test_a_slot_is_painted_only_when_it_is_new_and_once_for_all_who_see_it_in_a_language(table, painted):
    at = access.find(table.key)
    rng = Random(5)
    while True:
        painted.clear()
        new = refresh(table)
        assert set(painted.values()) == {1}
        for spoken, slot in painted:
            assert not new[spoken].isdisjoint((slot, *slot)), f"{slot} was on all pages in {spoken!r}"
        painted.clear()
        refresh(table)
        assert not painted
        if at.status != "running":
            break
        for _ in range(rng.randint(4, 14)):
            at = answer(at, rng) if at.status == "running" else at


@pytest.mark.usefixtures("languages")
def test_each_page_is_told_in_its_own_language(table):
    refresh(table)
    for page, before, now, html in table.draw(answer(access.find(table.key), Random(5))):
        board.kept.cache_clear()
        assert html == board.update(before, now, page.language)
        assert ("«" in html) == (page.language == "de")
