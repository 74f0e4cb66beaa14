"""What has ended is in the tree the next day, and nothing else."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from games import worker
from games.ladders import leaving
from games.matches import play
from games.matches.models import Match
from games.review import records
from games.transparency import audit, checkpoint, heads, intake, keys
from games.transparency.checkpoint import Checkpoint
from games.transparency.models import TreeHead, TreeLeaf, TreeNode
from tests.clubs.clubs import club_of
from tests.matches.matches import seated
from tests.people import person
from tests.transparency.days import DAY, NOON, close, days, ended

pytestmark = pytest.mark.django_db


def entries():
    return [json.loads(leaf.text) for leaf in TreeLeaf.objects.all()]


def test_what_ended_on_a_day_is_in_the_head_of_that_day():
    first, second = ended(0), ended(1)
    assert close(0).size == 1
    assert [entry["match"] for entry in entries()] == [first.key]
    assert close(1).size == 2
    assert [entry["match"] for entry in entries()] == [first.key, second.key]


def test_an_entry_holds_the_last_link_the_end_and_the_places():
    match = ended()
    close()
    assert entries() == [
        {
            "kind": "match",
            "match": match.key,
            "link": bytes(match.link).hex(),
            "status": "finished",
            "ended": match.ended_at.timestamp() * 1000,
            "places": match.result["places"],
            "ratings": [],
            "record": heads.digest(next(records.documents([match.key]))),
        }
    ]


def test_a_game_that_was_called_off_has_an_entry_and_one_that_runs_has_none():
    seated("ann", "bob")
    match = seated("ann", "bob")
    play.vote(match, 0, "abort")
    play.vote(match, 1, "abort")
    match.refresh_from_db()
    assert intake.daily(match.ended_at.replace(hour=12) + 2 * DAY).size == 1
    assert [(entry["match"], entry["status"], entry["places"]) for entry in entries()] == [(match.key, "aborted", None)]


def test_the_entries_of_a_day_stand_in_no_order_that_tells_anything():
    days(2, 6)
    digests = [bytes(node.digest) for node in TreeNode.objects.filter(level=0)]
    assert digests[:6] == sorted(digests[:6])
    assert digests[6:] == sorted(digests[6:])


def test_a_day_is_closed_once_and_only_when_it_has_settled():
    ended()
    assert intake.daily(NOON + timedelta(hours=12)) is None
    assert close() is not None
    assert close() is None
    assert TreeHead.objects.count() == 1


def test_a_day_is_not_closed_before_what_was_due_in_it_is_done():
    match = seated("ann", "bob")
    Match.objects.filter(pk=match.pk).update(wake_at=NOON)
    assert close() is None
    Match.objects.filter(pk=match.pk).update(wake_at=NOON + DAY)
    assert close() is not None


def test_days_on_which_nothing_ran_are_closed_together():
    days(1)
    ended(3)
    head = close(4)
    assert (head.day - TreeHead.objects.first().day).days == 4
    assert head.size == 3


def test_a_ladder_is_in_the_tree_whenever_it_has_changed():
    ladder = club_of("ann", "bob", now=NOON)
    assert close(0).size == 1
    assert close(1).size == 1
    leaving.leave(ladder, person("bob"), NOON + DAY)
    assert close(2).size == 2
    first, second = entries()
    assert first["ladder"] == second["ladder"]
    assert second["events"] == first["events"] + 1
    assert second["link"] == bytes(ladder.log.last().link).hex()


def test_what_is_loaded_is_taken_in_at_once(tmp_path):
    """It ended before the latest head, so `verifylogs` would miss it."""
    call_command("dumprecords", tmp_path / "dump.jsonl")
    days(1)
    ended(0)
    assert [fault.name for fault in audit.faults()] == ["missing"]
    call_command("loadrecords", tmp_path / "dump.jsonl")
    assert list(audit.faults()) == []
    assert close(1).size == 3


def test_every_head_is_signed_and_names_the_one_before(log_key):
    days(3)
    notes = [head.note for head in TreeHead.objects.all()]
    said = [Checkpoint.read(note) for note in notes]
    [key] = keys.kept(log_key)
    assert [head.previous for head in said] == [checkpoint.NOTHING, said[0].digest, said[1].digest]
    assert all(checkpoint.is_signed(note, checkpoint.public(key)) for note in notes)
    assert log_key.stat().st_mode & 0o777 == 0o600


def test_a_new_key_is_signed_by_the_old_one(log_key):
    days(1)
    [old] = keys.kept(log_key)
    kept = log_key.read_text()
    log_key.unlink()
    [new] = keys.made(log_key)
    log_key.write_text(log_key.read_text() + kept)
    note = close(1).note
    assert Checkpoint.read(note).key == checkpoint.public(new)
    assert checkpoint.is_signed(note, checkpoint.public(new))
    assert checkpoint.is_signed(note, checkpoint.public(old))
    log_key.write_text(log_key.read_text().removesuffix(kept))
    assert not checkpoint.is_signed(close(2).note, checkpoint.public(old))


@pytest.mark.parametrize("content", [None, "", "not a key", "another"])
def test_without_the_key_of_the_day_before_nothing_is_signed(log_key, content):
    days(1)
    log_key.unlink()
    if content == "another":
        keys.made(log_key)
    elif content is not None:
        log_key.write_text(content)
    with pytest.raises(keys.BadKey):
        close(1)
    assert TreeHead.objects.count() == 1
    assert TreeLeaf.objects.count() == 2


def test_the_worker_says_that_the_key_is_away_and_goes_on(log_key, caplog):
    worker.publish(NOON + timedelta(hours=13))
    assert TreeHead.objects.count() == 1
    log_key.unlink()
    worker.publish(NOON + timedelta(hours=37))
    assert "The public log is not signed" in caplog.text
    assert TreeHead.objects.count() == 1


@pytest.mark.twice
@pytest.mark.parametrize("model", [TreeLeaf, TreeNode, TreeHead])
def test_the_database_refuses_to_change_the_log(model):
    days(1)
    column = {TreeLeaf: {"text": "x"}, TreeNode: {"digest": b"x"}, TreeHead: {"note": "x"}}[model]
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        model.objects.update(**column)
    row = model.objects.last()
    with pytest.raises(TypeError):
        row.save()
    with pytest.raises(TypeError):
        row.delete()
