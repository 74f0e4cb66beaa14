"""The head that is kept beside the key: the signer goes on from no other past, wherever it was interrupted."""

import os

import pytest
from django.core.management import CommandError, call_command

from games import worker
from games.hub import metrics
from games.ladders import leaving
from games.matches.models import Match
from games.transparency import audit, checkpoint, intake, kept, keys, stored
from games.transparency.checkpoint import Checkpoint
from games.transparency.models import TreeHead, TreeLeaf, TreeNode
from tests.clubs.clubs import club_of
from tests.people import person
from tests.transparency.days import DAY, NOON, close, days, ended
from tests.verifying import verify

pytestmark = pytest.mark.django_db
NIGHT = NOON + DAY / 2 + DAY / 24


@pytest.fixture(autouse=True)
def settled(monkeypatch):
    """Commands ask the clock: they hold in the first minutes of a day too."""
    monkeypatch.setattr(intake, "SETTLED", DAY * 0)


class Crash(Exception):
    """The process ends here."""


def crash(*_, **__):
    raise Crash


def emptied():
    """Whoever has the database empties the tree."""
    for model in (TreeHead, TreeLeaf, TreeNode):
        model.objects.all().delete()


def found():
    return [(fault.where, fault.name) for fault in audit.faults()]


def test_the_last_head_lies_beside_the_key_for_its_owner_alone(log_key):
    days(2)
    assert kept.last(log_key) == stored.latest().note
    assert kept.beside(log_key).stat().st_mode & 0o777 == 0o600
    assert {file.name for file in log_key.parent.iterdir()} == {"log_key.pem", "log_key.head"}


def lose_the_last(head):
    TreeHead.objects.filter(pk=head.pk).delete()
    TreeLeaf.objects.filter(index__gte=2).delete()
    TreeNode.objects.filter(level=0, number__gte=2).delete()
    TreeNode.objects.filter(level__gte=2).delete()
    TreeNode.objects.filter(level=1, number=1).delete()


def another_last(head):
    said = Checkpoint.read(head.note)._replace(root=bytes(32))
    TreeHead.objects.filter(pk=head.pk).update(note=f"{said}\n")


def a_head_of_nobody(head):
    said = Checkpoint.read(head.note)
    note = f"{said._replace(day=said.day + 9 * DAY, previous=said.digest)}\n"
    TreeHead.objects.create(day=said.day + 9 * DAY, size=head.size, note=note, consistency=b"")


PASTS = {"emptied": lambda head: emptied(), "older": lose_the_last, "another": another_last, "more": a_head_of_nobody}


@pytest.mark.parametrize("change", PASTS.values(), ids=PASTS)
def test_nothing_is_signed_for_another_past(rewriting, caplog, change):
    days(2)
    change(stored.latest())
    heads, leaves = list(TreeHead.objects.values("day", "note")), TreeLeaf.objects.count()
    ended(2)
    worker.publish(NIGHT + 2 * DAY)
    assert [line.levelname for line in caplog.records] == ["ERROR"]
    assert "The public log is not signed, for the database has another past: it" in caplog.text
    assert metrics.log_refused._value.get() == 1
    assert list(TreeHead.objects.values("day", "note")) == heads
    assert TreeLeaf.objects.count() == leaves
    assert ("the database", "kept") in found()
    said, wrong = verify()
    assert wrong and "public log, the database: kept: it" in said


def test_entries_that_are_not_those_of_the_last_head_are_not_gone_on_from(rewriting):
    days(2)
    TreeNode.objects.filter(level=2).update(digest=bytes(32))
    ended(2)
    with pytest.raises(kept.OtherPast, match="its entries are not those of its head of 2026-11-21"):
        close(2)


def test_the_worker_says_so_no_longer_once_the_past_is_back(rewriting):
    days(2)
    head = stored.latest()
    TreeHead.objects.filter(pk=head.pk).update(note=f"{Checkpoint.read(head.note)._replace(root=bytes(32))}\n")
    worker.publish(NIGHT + 2 * DAY)
    TreeHead.objects.filter(pk=head.pk).update(note=head.note)
    worker.publish(NIGHT + 2 * DAY)
    assert metrics.log_refused._value.get() == 0
    assert TreeHead.objects.count() == 3


# Each point at which a worker may die while it closes a day


@pytest.mark.parametrize(
    ("where", "name", "signed"),
    [
        (intake, "take_in", False),
        (checkpoint, "signed", False),
        (TreeHead.objects, "create", False),
        (kept, "mkstemp", False),
        (os, "fsync", False),
        (os, "replace", False),
        (os, "close", True),  # the file is in its place, and the row not yet committed
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_crash_at_any_moment_neither_stops_the_log_nor_makes_it_contradict_itself(log_key, where, name, signed):
    ladder = club_of("ann", "bob", now=NOON)
    days(1)
    ended(1)
    real = getattr(where, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, name, crash)
        with pytest.raises(Crash):
            close(1)
    assert getattr(where, name) == real
    assert TreeHead.objects.count() == 1
    assert found() == []
    note = kept.last(log_key)
    assert (Checkpoint.read(note).size > 3) == signed
    # What comes in between would be in another head, if that day were signed again.
    leaving.leave(ladder, person("bob"), NOON + DAY)
    head = intake.daily(NIGHT + 3 * DAY)
    assert (head.note == note) == signed
    if signed:
        assert intake.daily(NIGHT + 3 * DAY).size == head.size + 1
    assert found() == []
    assert kept.last(log_key) == stored.latest().note


def test_a_crash_while_the_first_head_is_signed_costs_nothing(log_key):
    ended()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "close", crash)
        with pytest.raises(Crash):
            close()
    assert not TreeHead.objects.exists()
    assert close().note == kept.last(log_key)
    assert found() == []


def test_a_head_that_a_crash_kept_back_is_not_published_on_other_entries(rewriting):
    days(2)
    TreeHead.objects.filter(day="2026-11-21").delete()
    assert found() == []
    TreeLeaf.objects.filter(index=3).delete()
    TreeNode.objects.filter(level__gte=1).update(digest=bytes(32))
    with pytest.raises(kept.OtherPast, match="its entries are not those of the head of 2026-11-21"):
        close(2)


# Several workers, and what keepers of a site do with the files


def test_a_worker_with_an_older_copy_of_the_files_goes_on_from_what_others_have_signed(log_key):
    days(1)
    old = kept.last(log_key)
    ended(1)
    close(1)
    kept.keep(log_key, old)
    assert found() == []
    assert close(2).day.isoformat() == "2026-11-22"


def test_of_two_workers_one_signs_and_the_other_keeps_nothing(log_key):
    days(1)
    last, note = stored.latest(), ""
    ended(1)
    close(1)
    note = kept.last(log_key)
    with pytest.MonkeyPatch.context() as patch:
        # It had looked just before.
        patch.setattr(stored, "latest", lambda: last)
        patch.setattr(kept, "unpublished", lambda key: "")
        assert intake.daily(NIGHT + DAY) is None
    assert kept.last(log_key) == note


def test_without_the_file_the_log_goes_on_from_what_the_database_has(log_key):
    """As with a copy of the key alone."""
    days(1)
    kept.beside(log_key).unlink()
    assert found() == []
    assert close(1).note == kept.last(log_key)


def test_a_key_may_be_a_link_to_a_secret_that_nobody_can_write(log_key, tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    keys.made(secret / "key.pem")
    secret.chmod(0o500)
    log_key.symlink_to(secret / "key.pem")
    days(2)
    assert kept.beside(log_key).parent == log_key.parent
    secret.chmod(0o700)


def test_where_nothing_can_be_kept_nothing_is_signed_or_taken_in(settings, tmp_path):
    settings.LOG_KEY = tmp_path / "file" / "log_key.pem"
    settings.LOG_KEY.parent.mkdir()
    keys.made(settings.LOG_KEY)
    ended()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept, "TemporaryFile", _read_only)
        with pytest.raises(keys.BadKey, match=r"the last head of the log cannot be kept in .*log_key\.head"):
            close()
    assert not TreeLeaf.objects.exists()


def _read_only(**_):
    raise OSError(30, "Read-only file system")


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xff"])
def test_a_file_that_cannot_be_read_is_said_to_be_so(log_key, content):
    days(1)
    kept.beside(log_key).write_bytes(content)
    with pytest.raises(keys.BadKey, match=r"log_key\.head cannot be read"):
        close(1)
    said, wrong = verify()
    assert wrong and "log_key.head cannot be read" in said


# After a restore


def restored():
    """The database as a backup had it before the second day was closed. Returns the head that it lacks."""
    days(2)
    head = stored.latest()
    lose_the_last(head)
    Match.objects.filter(pk__in=Match.objects.order_by("-pk")[:2]).update(ended_at=NOON + 2 * DAY)
    return head


def test_an_operator_is_told_what_a_restored_database_lacks(rewriting, capsys):
    assert "nothing to give up" in resumed(capsys)
    head = restored()
    with pytest.raises(CommandError, match="nothing was signed; --give-up 2026-11-21"):
        call_command("resumelog")
    assert head.note in capsys.readouterr().out
    with pytest.raises(CommandError, match="is of 2026-11-21, not of 2026-11-20"):
        call_command("resumelog", "--give-up", "2026-11-20")
    assert TreeHead.objects.count() == 1


def resumed(capsys, *arguments):
    call_command("resumelog", *arguments)
    return capsys.readouterr().out


def test_a_head_that_is_given_up_is_named_in_public_for_ever(rewriting, capsys, client, log_key):
    lost = Checkpoint.read(restored().note)
    said = resumed(capsys, "--give-up", "2026-11-21")
    head = stored.latest()
    assert Checkpoint.read(head.note).replaces == lost.digest
    assert checkpoint.is_signed(head.note, lost.key)
    assert f"replaces {checkpoint.written(lost.digest)}" in said
    assert kept.last(log_key) == head.note
    assert found() == []
    page = client.get("/log").content.decode()
    assert "went on from an older copy" in page
    assert "nothing to give up" in resumed(capsys)
    assert Checkpoint.read(intake.daily(NIGHT + 9999 * DAY).note).replaces == b""


def test_nothing_is_given_up_before_what_is_due_is_done(rewriting):
    restored()
    Match.objects.filter(pk=ended(0).pk).update(wake_at=NOON)
    with pytest.raises(CommandError, match="cannot be closed yet"):
        call_command("resumelog", "--give-up", "2026-11-21")
    assert TreeHead.objects.count() == 1


def test_a_database_that_contradicts_its_own_heads_cannot_be_gone_on_from(rewriting):
    restored()
    TreeNode.objects.update(digest=bytes(32))
    with pytest.raises(CommandError, match="its entries are not those of its head of 2026-11-20"):
        call_command("resumelog", "--give-up", "2026-11-21")


def test_a_new_database_with_the_old_key_says_what_it_replaces(rewriting, capsys):
    days(1)
    lost = Checkpoint.read(stored.latest().note)
    emptied()
    resumed(capsys, "--give-up", "2026-11-20")
    said = Checkpoint.read(stored.latest().note)
    assert (said.previous, said.replaces) == (checkpoint.NOTHING, lost.digest)
