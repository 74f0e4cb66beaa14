"""The two roles of PostgreSQL that docs/operations.md gives: the site plays under one that cannot rewrite the past."""

import re

import psycopg
import pytest

from tests.components import Postgres, do_without, missing
from tests.security.attacks import outside
from tests.sites import ROOT, Site

pytestmark = [pytest.mark.once, pytest.mark.slow]


def statements():
    """The two blocks of SQL: the one for the superuser, and the one for the owner."""
    text = (ROOT / "docs" / "operations.md").read_text()
    section = re.search(r"## Roles of PostgreSQL\n(.*?)\n## ", text, re.DOTALL)[1]
    return [block.replace("    ", "") for block in re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)]


@pytest.fixture(scope="module")
def postgres():
    """A PostgreSQL whose database nobody has made ready yet."""
    do_without(missing())
    with Postgres(fsync=False) as server:
        yield server


@pytest.fixture(scope="module")
def urls(postgres, tmp_path_factory):
    """The addresses of a database that was made ready as the document says, for the owner and for the site."""
    first, second = statements()
    owner, site = (
        postgres.url.replace(f"biblios:{postgres.password}", f"biblios_{role}:{word}")
        for role, word in (("owner", "one"), ("site", "another"))
    )
    run(postgres.url, first)
    with Site(tmp_path_factory.mktemp("owner") / "site", owner) as prepared:
        prepared.empty()
    run(owner, second)
    return owner, site


def run(url, sql):
    with psycopg.connect(url) as connection:
        return connection.execute(sql)


@pytest.fixture(scope="module")
def played(urls, tmp_path_factory):
    """Under the role of the site whole games are played, a process serves, and somebody signs up and answers."""
    with Site(tmp_path_factory.mktemp("games"), urls[1]) as site:
        site.manage("playmatches", "--matches", 2, "--seed", "s")
    with outside.running(tmp_path_factory.mktemp("site"), DATABASE_URL=urls[1]) as site:
        ann = site.player("ann")
        table = ann.against_bots()
        asked = ann.asked(table)
        ann.play(table, asked.offers[0])
        after = ann.board(table)
        checked = site.manage("verifylogs")
    return after.ply - asked.ply, checked


def test_the_site_runs_and_plays_under_it(played):
    rows, checked = played
    assert rows > 0
    assert "3 matches" in checked and "no fault" in checked


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
