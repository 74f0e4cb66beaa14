"""Turns of many matches in one commit: what is taken, what is not, and what becomes of the others."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.db import DatabaseError

from games.matches import access, history, play
from games.matches.models import LogEntry
from games.matches.turn import prepare
from games.table import writer
from tests.matches.matches import seated

pytestmark = pytest.mark.django_db(transaction=True)


def turn(match):
    """The first card kept."""
    return prepare(match, match.mover, match.ply, ["keep"])


def plies(*matches):
    return [access.find(match.key).ply for match in matches]


def test_turns_of_several_matches_are_written_by_one_transaction(django_assert_num_queries):
    matches = [seated("ann", "bob"), seated("dan", "eve")]
    turns = [turn(match) for match in matches]
    with django_assert_num_queries(5):  # begin, a claim for each, all rows, commit
        assert play.commit(turns) == turns
    assert plies(*matches) == [1, 1]
    assert LogEntry.objects.count() == 2


def test_a_turn_that_comes_too_late_leaves_the_others_alone():
    late, good = seated("ann", "bob"), seated("dan", "eve")
    turns = [turn(late), turn(good)]
    play.play(late, late.mover, 0, ["public"])
    assert play.commit(turns) == [turns[1]]
    assert [row.move for row in late.log.all()] == ["public"]
    assert plies(late, good) == [1, 1]


def test_what_was_worked_out_before_an_order_was_set_is_not_written_after_it():
    match = seated("ann", "bob")
    worked_out = turn(match)
    play.set_order(match, match.seats.all()[match.mover], "gold")
    assert play.commit([worked_out]) == []
    assert plies(match) == [0]
    assert play.commit([turn(access.find(match.key))])


def test_a_turn_holds_for_the_match_as_it_was_even_if_the_memory_of_it_goes_on():
    match = seated("ann", "bob")
    first, second = turn(match), turn(match)
    assert play.commit([first])
    first.show(match)
    assert match.ply == 1
    assert play.commit([second]) == []


def test_a_turn_shows_a_remembered_match_exactly_what_the_database_says():
    match = seated("ann", "bob", pace="live", bank_ms=60_000, increment_ms=1000)
    for _ in range(12):
        state = history.replay(match).state(match.ply)
        made = prepare(match, state.seat, match.ply, [match.rules.text(state.legal()[0])])
        assert play.commit([made])
        made.show(match)
        fresh = access.find(match.key)
        for name in ("ply", "edits", "mover", "asked_at", "wake_at", "status", "deadline"):
            assert getattr(match, name) == getattr(fresh, name)
        assert bytes(match.link) == bytes(fresh.link)
        assert [seat.bank_ms for seat in match.seats.all()] == [seat.bank_ms for seat in fresh.seats.all()]


async def test_the_writer_takes_one_of_two_answers_to_one_question():
    match = await sync_to_async(seated)("ann", "bob")
    turns = [await sync_to_async(turn)(match) for _ in range(5)]
    assert sorted(await asyncio.gather(*map(writer.write, turns))) == [False, False, False, False, True]
    assert await sync_to_async(plies)(match) == [1]


async def test_if_a_commit_fails_each_turn_is_tried_by_itself(monkeypatch):
    matches = [await sync_to_async(seated)(*names) for names in (("ann", "bob"), ("dan", "eve"), ("fay", "gil"))]
    broken = matches[1].pk
    turns = [await sync_to_async(turn)(match) for match in matches]
    claimed = play._claimed

    def claim(turn):
        if turn.match.pk == broken:
            raise DatabaseError("this one cannot be written")
        return claimed(turn)

    monkeypatch.setattr(play, "_claimed", claim)
    good, bad, also_good = await asyncio.gather(*map(writer.write, turns), return_exceptions=True)
    assert (good, also_good) == (True, True)
    assert isinstance(bad, DatabaseError)
    assert await sync_to_async(plies)(*matches) == [1, 0, 1]


async def test_what_becomes_of_the_news_does_not_undo_what_is_in_the_log(monkeypatch):
    def broken(turns):
        raise RuntimeError("nobody can be told")

    monkeypatch.setattr("games.matches.announce.turned", broken)
    match = await sync_to_async(seated)("ann", "bob")
    assert await writer.write(await sync_to_async(turn)(match))
    assert await sync_to_async(plies)(match) == [1]
