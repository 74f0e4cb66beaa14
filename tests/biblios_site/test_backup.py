"""`backup` and `restore` on both kinds of database."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.sites import ROOT, Failed, Site

pytestmark = [pytest.mark.once, pytest.mark.slow]

KINDS = ["sqlite", "postgresql"]


@pytest.fixture(scope="module", params=KINDS)
def site(request, tmp_path_factory):
    """A site with a few matches."""
    url = request.getfixturevalue("postgres").url if request.param == "postgresql" else ""
    with Site(tmp_path_factory.mktemp("site"), url) as site:
        site.empty().manage("playmatches", "--matches", 2, "--unfinished", 1, "--seed", "s")
        yield site


@pytest.fixture(scope="module")
def file(site, tmp_path_factory):
    file = tmp_path_factory.mktemp("backup") / "site.backup"
    site.manage("backup", file)
    return file


def content(site, tmp_path, name):
    site.manage("dumprecords", tmp_path / name, "--running", "--with-accounts")
    return (tmp_path / name).read_text().partition("\n")[2]  # the first line says when it was made


def test_what_was_saved_comes_back_whatever_happened_since(site, file, tmp_path):
    before = content(site, tmp_path, "before")
    site.manage("playmatches", "--matches", 1, "--seed", "later")
    assert content(site, tmp_path, "later") != before
    with pytest.raises(Failed, match="there are accounts in this database; say --overwrite"):
        site.manage("restore", file)
    site.manage("restore", file, "--overwrite")
    assert content(site, tmp_path, "after") == before
    assert "no fault" in site.manage("verifylogs")
    site.manage("playmatches", "--matches", 1, "--seed", "on it goes")


def test_the_log_is_still_append_only_after_it(site, file):
    site.manage("restore", file, "--overwrite")
    change = "from games.models import LogEntry; LogEntry.objects.update(seat=0)"
    with pytest.raises(Failed, match="the log is append-only"):
        site.manage("shell", "-c", change)


def test_a_backup_is_for_its_owner_alone_and_writes_over_nothing(site, file):
    assert file.stat().st_mode & 0o077 == 0
    before = file.read_bytes()
    with pytest.raises(Failed, match=r"cannot write .*File exists"):
        site.manage("backup", file)
    assert file.read_bytes() == before


def test_a_torn_backup_leaves_everything_as_it_is(site, file, tmp_path):
    site.manage("restore", file, "--overwrite")
    before = content(site, tmp_path, "before")
    for cut in (10, 5000, -1000, -1):
        (tmp_path / "torn").write_bytes(file.read_bytes()[:cut])
        with pytest.raises(Failed, match="CommandError"):
            site.manage("restore", tmp_path / "torn", "--overwrite")
    assert content(site, tmp_path, "after") == before


def test_a_restore_that_is_ended_in_the_middle_leaves_everything_as_it_is(site, file, tmp_path, monkeypatch):
    if not site.url:
        pytest.skip("on SQLite a restored file takes its place at the very end")
    before = content(site, tmp_path, "before")
    ender = tmp_path / "pg_restore"
    ender.write_text(f'#!/bin/sh\n{shutil.which("pg_restore")} "$@" | head -c 20000\nkill -TERM $PPID\n')
    ender.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
        with pytest.raises(Failed):
            site.manage("restore", file, "--overwrite")
    assert content(site, tmp_path, "after") == before


def test_a_backup_that_is_made_while_matches_are_played_is_right(site, file, tmp_path):
    site.manage("restore", file, "--overwrite")
    command = [sys.executable, "manage.py", "playmatches", "--matches", "1000", "--seed", "meanwhile"]
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | site.environment, stdout=subprocess.DEVNULL) as player:
        try:
            for name in "ab":
                site.manage("backup", tmp_path / name)
            assert player.poll() is None
        finally:
            player.kill()
    site.manage("restore", tmp_path / "b", "--overwrite")
    assert "no fault" in site.manage("verifylogs")


def test_a_backup_of_the_other_kind_is_refused(tmp_path, postgres):
    with Site(tmp_path / "1") as one, Site(tmp_path / "2", postgres.url) as other:
        one.empty().manage("backup", tmp_path / "a")
        with pytest.raises(Failed, match=r"is no backup of this kind of database \(postgresql\)"):
            other.manage("restore", tmp_path / "a")
        with pytest.raises(Failed, match=r"cannot read .*: No such file"):
            one.manage("restore", tmp_path / "b")


def test_an_empty_folder_takes_a_backup(tmp_path):
    with Site(tmp_path / "1") as one, Site(tmp_path / "2") as two:
        one.empty().manage("playmatches", "--matches", 1, "--seed", "s")
        one.manage("backup", tmp_path / "a")
        two.manage("restore", tmp_path / "a")
        assert content(two, tmp_path, "two") == content(one, tmp_path, "one")
