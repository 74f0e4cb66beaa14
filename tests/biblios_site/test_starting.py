"""What is wrong from the start is refused in one line, or told by `/readyz` and one line of the log."""

import os
import resource
import subprocess
import sys
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.request import urlopen

import psycopg
import pytest

from biblios_site import health, starting
from games.matches.models import Heartbeat
from tests.components import Redis, do_without, missing
from tests.compose.bad_input import OFF
from tests.prepared import fill
from tests.security.attacks import outside
from tests.sites import ROOT

pytestmark = [pytest.mark.once, pytest.mark.slow]


def refused(folder, *command, **environment):
    """The only line with which a command of manage.py ends."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("BIBLIOS_", "DJANGO_"))}
    clean |= {"BIBLIOS_DATA": str(folder), "DATABASE_URL": "", "REDIS_URL": "", **environment}
    done = subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=clean, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    [line] = done.stderr.splitlines()
    return line


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"BIBLIOS_HTTPS": "1"}, "BIBLIOS_HTTPS needs BIBLIOS_HOSTS"),
        ({"BIBLIOS_NEWCOMERS": "many"}, "BIBLIOS_NEWCOMERS must be a whole number, as 20; it is 'many'"),
        ({"DATABASE_URL": "postgresql://a:b@c:port/d"}, "DATABASE_URL must look like postgresql://"),
        ({"MIGRATE_DATABASE_URL": "postgresql://a:b@c/d"}, "MIGRATE_DATABASE_URL needs DATABASE_URL"),
        ({"REDIS_URL": "redis"}, "REDIS_URL must look like redis://host:port"),
        ({"BIBLIOS_METRICS": "host:port"}, "BIBLIOS_METRICS must look like host:port"),
        ({"BIBLIOS_LOG_LEVEL": "LOUD"}, "BIBLIOS_LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR; it is 'LOUD'"),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_a_variable_that_is_missing_or_wrong_is_named(tmp_path, environment, says):
    assert refused(tmp_path, "serve", **environment).startswith(f"The settings are wrong: {says}")


def test_several_processes_need_one_database(tmp_path):
    line = refused(tmp_path, "serve", "--no-worker", REDIS_URL="redis://127.0.0.1:1/0")
    assert line == "CommandError: Without DATABASE_URL each process would have a database of its own."


@pytest.mark.parametrize("command", ["serve", "prepare"])
def test_a_wrong_password_of_the_database_is_told(tmp_path, postgres, command):
    line = refused(tmp_path, command, DATABASE_URL=postgres.url.replace(postgres.password, "wrong"))
    assert line.startswith("CommandError: The database cannot be used: ")
    assert 'password authentication failed for user "biblios"' in line and "wrong" not in line


@pytest.mark.parametrize("why", ["the database system is in recovery mode", "sorry, too many clients already"])
def test_what_postgresql_calls_fatal_and_time_mends_stops_no_start(monkeypatch, caplog, why):
    def away():
        raise health.Away(f'connection to server at "127.0.0.1", port 5432 failed: FATAL:  {why}')

    monkeypatch.setattr(starting, "connection", SimpleNamespace(vendor="postgresql", close=lambda: None))
    monkeypatch.setattr(health, "direct", away)
    starting.check(several=False)
    assert "The database is away: connection to server at" in caplog.text


def test_what_serves_does_not_own_the_tables(tmp_path, postgres):
    line = refused(tmp_path, "serve", DATABASE_URL=postgres.url, MIGRATE_DATABASE_URL=postgres.url)
    assert line.startswith("CommandError: MIGRATE_DATABASE_URL is only for prepare and restore")


@pytest.mark.parametrize("command", ["serve", "prepare"])
def test_a_release_older_than_its_database_is_refused(tmp_path, postgres, command):
    with psycopg.connect(postgres.url) as database:
        database.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('games', '0099_new', now())")
    try:
        line = refused(tmp_path, command, DATABASE_URL=postgres.url)
        assert "This release is older than its database, which has had games.0099_new" in line
        last = max(file.stem for file in (ROOT / "games/migrations").glob("0*.py"))
        assert f"take that back by it with `manage.py migrate games {last}`, or restore a backup" in line
    finally:
        with psycopg.connect(postgres.url) as database:
            database.execute("DELETE FROM django_migrations WHERE name = '0099_new'")


def test_a_database_that_nobody_prepared_is_refused(tmp_path):
    assert refused(tmp_path, "serve").endswith("run `manage.py prepare` first.")


@pytest.mark.django_db
def test_a_clock_an_hour_behind_is_told(monkeypatch):
    now = health.clock_ms()
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": now})
    monkeypatch.setattr(health, "clock_ms", lambda: now - 3_600_000)
    with pytest.raises(health.Unfit, match="the clock of this machine is 3600 s behind what the site has noted"):
        health.database()


@pytest.mark.parametrize("off_s", [3600, -3600])
def test_with_a_clock_that_differs_from_that_of_the_database_nobody_serves(postgres, tmp_path, off_s):
    fill(tmp_path / "site")
    environment = {"DATABASE_URL": postgres.url, "REDIS_URL": "redis://127.0.0.1:1/0"}
    environment |= {"BIBLIOS_DATA": str(tmp_path / "site")}
    done = subprocess.run(
        [sys.executable, "-c", OFF.format(off_s=off_s)],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    said = f"CommandError: The database cannot be used: its clock is {-off_s:+} s from the clock of this machine\n"
    assert (done.returncode, done.stderr) == (1, said)


def ready(site):
    """Status and text of /readyz."""
    try:
        with urlopen(f"http://127.0.0.1:{site.port}/readyz", timeout=30) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_a_disk_that_is_full_is_told_and_play_goes_on_when_there_is_room(tmp_path):
    with outside.running(tmp_path / "site") as site:
        ann = site.player("ann")
        table = ann.against_bots()
        board = ann.asked(table)
        assert ready(site) == (200, "ready\n")
        without = resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (0, without[1]))
        assert ready(site) == (503, "away: database\n")
        refused = ann.play(table, board.offers[0])
        assert refused.status == 503 and "The site can’t save anything right now" in refused.text
        resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, without)
        assert ready(site) == (200, "ready\n")
        again = ann.asked(table)
        assert again.ply == board.ply
        ann.play(table, again.offers[0])
        assert ann.board(table).ply > board.ply


def test_what_looks_at_postgresql_needs_room_on_its_disk(tmp_path, postgres):
    fill(tmp_path / "site")
    with psycopg.connect(postgres.url, autocommit=True) as database:
        database.execute("ALTER ROLE biblios SET temp_file_limit = 0")
        try:
            environment = os.environ | {"BIBLIOS_DATA": str(tmp_path / "site"), "DATABASE_URL": postgres.url}
            code = "from biblios_site import health; print(health.fault('database'))"
            command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code]
            done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
        finally:
            database.execute("ALTER ROLE biblios RESET temp_file_limit")
    assert done.stdout.startswith("temporary file size exceeds"), done.stderr


def test_a_redis_without_memory_is_told_and_the_site_plays(tmp_path, postgres):
    do_without(missing())
    with Redis() as redis, outside.running(tmp_path / "site", DATABASE_URL=postgres.url, REDIS_URL=redis.url) as site:
        assert ready(site) == (200, "ready\n")
        limit = ["config", "set", "maxmemory", "1"]
        command = ["redis-cli", "-p", str(redis.port), "-a", redis.password, "--no-auth-warning", *limit]
        subprocess.run(command, check=True, capture_output=True)
        assert ready(site) == (503, "away: redis\n")
        ann = site.player("ann")
        table = ann.against_bots()
        board = ann.asked(table)
        ann.play(table, board.offers[0])
        assert ann.board(table).ply > board.ply
