"""Bots think in a process of their own, which knows the engine only and may die at any moment."""

import os
import signal
import time
from random import Random

import pytest

from games import worker
from games.engine import bots
from games.engine.biblios.game import Biblios
from games.matches import access, thinking
from games.matches.models import LogEntry
from tests.matches.matches import played, seated
from tests.matches.thoughts import die, environment, fail, modules
from tests.toy.game import Toy

pytestmark = pytest.mark.once


@pytest.fixture
def thinker():
    thinker = thinking.Thinker()
    yield thinker
    thinker.close()


@pytest.mark.parametrize(("kind", "name"), [(Biblios, "greedy"), (Biblios, "random"), (Toy, "strong")])
def test_a_bot_answers_there_as_it_would_here(thinker, kind, name):
    game = kind()
    state = game.start(2, bytes(32))
    for seed in range(6):
        view = state.view(state.seat)
        move = thinker.call(bots.choose, kind, name, view, seed)
        assert move == game.bots[name](view, Random(seed))
        state.play(move)


def test_it_has_neither_django_nor_a_database_nor_our_secrets(thinker):
    assert "django" in modules()
    there = thinker.call(modules)
    assert "games" in there
    assert there.isdisjoint({"accounts", "channels", "psycopg", "redis"})
    assert set(thinker.call(environment)) <= {"PYTHONHASHSEED", "LC_CTYPE"}


def test_a_death_between_two_calls_is_not_noticed(thinker):
    before = thinker.call(os.getpid)
    os.kill(before, signal.SIGKILL)
    after = thinker.call(os.getpid)
    assert after not in (before, os.getpid())


def test_whoever_dies_over_a_call_again_and_again_is_lost_and_the_next_call_is_answered(thinker):
    with pytest.raises(thinking.Lost):
        thinker.call(die)
    assert thinker.call(abs, -3) == 3


def test_what_fails_says_why_and_the_process_stays(thinker):
    before = thinker.call(os.getpid)
    with pytest.raises(thinking.Failed, match="ValueError: none such"):
        thinker.call(fail)
    assert thinker.call(os.getpid) == before


def test_what_cannot_be_read_there_says_so(thinker):
    with pytest.raises(thinking.Failed, match="django"):
        thinker.call(worker.in_turn, [], 1)
    assert thinker.call(abs, -1) == 1


def test_who_thinks_for_too_long_is_stopped():
    thinker = thinking.Thinker(longest_s=0.5)
    thinker.call(abs, 1)
    with pytest.raises(thinking.Lost, match=r"no answer in 0\.5 seconds"):
        thinker.call(time.sleep, 60)
    assert thinker.call(abs, -1) == 1
    thinker.close()


def test_nice_ones_give_way(thinker):
    nice = thinking.Thinker(niceness=7)
    assert nice.call(os.nice, 0) == thinker.call(os.nice, 0) + 7
    nice.close()


@pytest.mark.django_db
def test_a_bot_answers_although_its_process_has_died():
    match = seated("ann", bots=1)
    match = played(match, until=lambda state: match.seats.all()[state.seat].plays_itself)
    os.kill(thinking.bots.call(os.getpid), signal.SIGKILL)
    assert worker.run_once(match.wake_at) == 1
    assert LogEntry.objects.get(match=match, ply=match.ply).by == LogEntry.By.BOT


@pytest.mark.django_db
def test_a_bot_that_cannot_answer_leaves_everything_as_it_was_and_is_asked_again(monkeypatch):
    match = seated("ann", bots=1)
    match = played(match, until=lambda state: match.seats.all()[state.seat].plays_itself)
    due = match.wake_at
    monkeypatch.setattr(worker, "choose", die)
    worker.run_once(due)
    assert access.find(match.key).ply == match.ply
    assert access.find(match.key).wake_at == due + worker.BROKEN
    assert not worker.think_ahead(due + worker.BROKEN - worker.AHEAD / 2)  # others wait meanwhile
    monkeypatch.undo()
    assert worker.run_once(due + worker.BROKEN) == 1
    assert access.find(match.key).ply > match.ply
