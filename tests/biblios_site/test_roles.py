"""The two roles of PostgreSQL that docs/operations.md gives: the site plays under one that cannot rewrite the past."""

import os
import re
import subprocess
import sys

import psycopg
import pytest

from tests.components import Postgres, do_without, missing
from tests.prepared import fill
from tests.security.attacks import outside
from tests.sites import ROOT, Failed, Site

pytestmark = [pytest.mark.once, pytest.mark.slow]


def statements():
    """What the superuser does."""
    text = (ROOT / "docs" / "operations.md").read_text()
    section = re.search(r"## Roles of PostgreSQL\n(.*?)\n## ", text, re.DOTALL)[1]
    [block] = [block.replace("    ", "") for block in re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)]
    return block


@pytest.fixture(scope="module")
def postgres():
    """A PostgreSQL whose database nobody has made ready yet."""
    do_without(missing())
    with Postgres(fsync=False) as server:
        yield server


@pytest.fixture(scope="module")
def urls(postgres, tmp_path_factory):
    """The addresses of a database that was made ready as the document says, for the owner and for the site."""
    owner, site = (
        postgres.url.replace(f"biblios:{postgres.password}", f"biblios_{role}:{word}")
        for role, word in (("owner", "one"), ("site", "another"))
    )
    run(postgres.url, statements())
    for _ in range(2):  # the second time it has nothing left to do
        prepare(tmp_path_factory.mktemp("owner"), owner, site)
    return owner, site


def prepare(folder, owner, site):
    fill(folder)
    environment = {"MIGRATE_DATABASE_URL": owner, "DATABASE_URL": site, "REDIS_URL": "", "BIBLIOS_DATA": str(folder)}
    command = [sys.executable, "manage.py", "prepare"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def run(url, sql):
    with psycopg.connect(url) as connection:
        return connection.execute(sql)


CLOSING = """
from datetime import timedelta
from django.utils import timezone
from accounts import services
print(services.close_due(timezone.now() + timedelta(days=90)))
"""


@pytest.fixture(scope="module")
def played(urls, tmp_path_factory):
    """Under the role of the site whole games are played, a process serves, and somebody signs up and answers."""
    with Site(tmp_path_factory.mktemp("games"), urls[1]) as site:
        site.manage("playmatches", "--matches", 2, "--seed", "s")
    with outside.running(tmp_path_factory.mktemp("site"), DATABASE_URL=urls[1]) as site:
        ann = site.player("ann")
        table = ann.against_bots()
        for _player, board in outside.questions(table, ann):
            ann.play(table, board.offers[0])
        after = ann.board(table)
        club = ann.post("/clubs/new", clubname="St Gall", visible="all", joining="free", game="biblios").path
        assert club.startswith("/c/") and ann.get(f"{club}/ladders/1").status == 200
        closed = ann.post("/account/close", password=outside.PASSWORD)
        site.manage("shell", given=CLOSING)
        checked = site.manage("verifylogs")
    return after, closed, checked


def test_the_site_plays_whole_games_and_closes_accounts_under_it(played):
    after, closed, checked = played
    assert after.over and closed.status == 200
    assert "3 matches" in checked and "no fault" in checked and "can rewrite the past" not in checked


def test_a_backup_is_made_under_it_and_restored_by_the_owner(played, urls, tmp_path):
    with Site(tmp_path / "site", urls[1]) as site, Site(tmp_path / "owner", urls[0]) as owner:
        site.manage("backup", tmp_path / "file")
        with pytest.raises(Failed, match="must be owner"):
            site.manage("restore", "--overwrite", tmp_path / "file")
        owner.manage("restore", "--overwrite", tmp_path / "file")
        with pytest.raises(Failed, match="does not exist"):
            site.manage("verifylogs")
        prepare(tmp_path / "again", *urls)
        assert "no fault" in site.manage("verifylogs")


@pytest.fixture(scope="module")
def composed(postgres):
    """The address of an empty database for a superuser."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE composed")
    return postgres.url.replace("/biblios", "/composed", 2).replace("//composed", "//biblios")


def test_a_superuser_makes_the_role_and_one_role_for_both_is_refused(postgres, composed, tmp_path):
    owner = composed
    site = owner.replace(f"biblios:{postgres.password}", "made_by_prepare:word")
    prepare(tmp_path / "1", owner, site)
    assert run(site, "SELECT count(*) FROM games_logentry")
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("GRANT CREATE ON SCHEMA public TO made_by_prepare")
        connection.execute("GRANT UPDATE ON ALL SEQUENCES IN SCHEMA public TO made_by_prepare")
    prepare(tmp_path / "again", owner, site)
    for sql in ("CREATE TABLE anything (id int)", "SELECT setval('games_match_id_seq', 1)"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            run(site, sql)
    with pytest.raises(AssertionError, match="must name two roles; both name biblios"):
        prepare(tmp_path / "2", owner, owner)


def test_a_role_that_could_rewrite_the_past_is_refused_and_given_nothing(postgres, composed, tmp_path):
    """`tests/transparency/test_powers.py` has all that could be. The refusal takes back what was done till then."""
    run(postgres.url, "CREATE ROLE strong LOGIN PASSWORD 'word'; GRANT pg_write_all_data TO strong")
    site = composed.replace(f"biblios:{postgres.password}", "strong:word")
    says = "strong may change or delete rows of accounts_archivedmatch, so it could rewrite the past"
    with pytest.raises(AssertionError, match=says):
        prepare(tmp_path, composed, site)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run(site, "SELECT count(*) FROM games_logentry")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE games_logentry SET at = at",
        "DELETE FROM games_logentry",
        "TRUNCATE games_logentry",
        "TRUNCATE games_match CASCADE",
        "ALTER TABLE games_logentry DISABLE TRIGGER ALL",
        "DROP TRIGGER games_logentry_unchanged ON games_logentry",
        "DROP TABLE games_logentry",
        "SET session_replication_role = replica",
        "CREATE OR REPLACE FUNCTION games_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
        "INSERT INTO games_logentry SELECT * FROM games_logentry ON CONFLICT (match_id, ply) DO UPDATE SET at = 0",
        "DELETE FROM games_match",
        "DELETE FROM games_seat",
        "UPDATE games_ladderevent SET number = number",
        "UPDATE games_tournamentevent SET number = number WHERE false",
        "DELETE FROM games_tournamentevent WHERE false",
        "DELETE FROM accounts_stewarddecision WHERE false",
        "UPDATE accounts_stewarddecision SET at = at WHERE false",
        "CREATE TEMP TABLE anything (id int)",
        "DELETE FROM games_treehead",
        "UPDATE games_treehead SET size = size",
        "UPDATE accounts_archivedmatch SET after = 2000",
        "DELETE FROM accounts_archivedmatch",
        "UPDATE games_match SET rated = NOT rated WHERE started_at IS NOT NULL",
        "UPDATE games_match SET result = NULL WHERE status = 'finished'",
        "UPDATE games_seat SET user_id = NULL",
        "CREATE TEMP TABLE games_match (id int, started_at timestamptz); UPDATE games_seat SET user_id = NULL",
        "SET ROLE biblios_owner",
        "DELETE FROM django_migrations",
    ],
)
def test_every_way_to_rewrite_the_past_is_refused(played, urls, sql):
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.RaiseException)):
        run(urls[1], sql)


def test_what_never_began_may_go(played, urls):
    for table, of in (("games_seat", "match_id"), ("games_match", "id")):
        run(urls[1], f"DELETE FROM {table} WHERE {of} IN (SELECT id FROM games_match WHERE started_at IS NULL)")
