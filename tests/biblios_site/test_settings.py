import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from threading import Barrier

import pytest
from django.db import connection
from django.db.utils import ConnectionHandler

from biblios_site.settings import kept_secret, postgresql

pytestmark = [pytest.mark.once, pytest.mark.slow]

ROOT = Path(__file__).parent.parent.parent


def setting(expression, tmp_path, **environment):
    """What an expression over the settings gives in a fresh process with this environment."""
    code = f"from django.conf import settings; print({expression})"
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("BIBLIOS_", "DATABASE_", "REDIS_"))
    }
    clean |= {"DJANGO_SETTINGS_MODULE": "biblios_site.settings", "BIBLIOS_DATA": str(tmp_path), **environment}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=clean, capture_output=True, text=True)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


@pytest.mark.django_db
def test_sqlite_lets_readers_and_one_writer_work_side_by_side():
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_without_any_environment_all_data_stand_in_one_folder(tmp_path):
    assert setting("settings.DATABASES['default']['NAME']", tmp_path) == str(tmp_path / "biblios.sqlite3")
    assert setting("settings.CACHES['default']['BACKEND']", tmp_path).endswith("LocMemCache")
    assert setting("settings.DEBUG", tmp_path) == "False"


def test_the_secret_key_is_made_once_and_only_its_owner_can_read_it(tmp_path):
    first = setting("settings.SECRET_KEY", tmp_path)
    assert len(first) == 50
    assert setting("settings.SECRET_KEY", tmp_path) == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    given = "from outside " * 3
    assert setting("settings.SECRET_KEY", tmp_path, BIBLIOS_SECRET_KEY=given + "!") == given + "!"


def test_a_secret_key_that_could_be_guessed_is_refused_and_not_shown(tmp_path):
    """Its public half is in every head of the public log."""
    assert setting("settings.SECRET_KEY", tmp_path, BIBLIOS_SECRET_KEY="k" * 32) == "k" * 32
    found = setting("settings.SECRET_KEY", tmp_path, BIBLIOS_SECRET_KEY="k" * 31)
    assert "BIBLIOS_SECRET_KEY must have 32 random characters or more" in found and "kk" not in found


def test_only_its_owner_may_look_into_the_folder_of_the_data(tmp_path):
    (tmp_path / "old").mkdir(mode=0o755)
    for folder in (tmp_path / "old", tmp_path / "new" / "deep"):
        setting("settings.DATA_DIR", folder)
        assert folder.stat().st_mode & 0o777 == 0o700


def test_processes_that_start_at_once_have_one_secret_key(tmp_path):
    start = Barrier(8)

    def read(path):
        start.wait()
        return kept_secret(path)

    with ThreadPoolExecutor(start.parties) as threads:
        for turn in range(200):
            (secret,) = set(threads.map(read, [tmp_path / f"key{turn}"] * start.parties))
            assert len(secret) == 50
    assert len(list(tmp_path.iterdir())) == 200


def test_a_database_url_switches_to_postgresql(tmp_path):
    url = "postgresql://ann:p%40ss@db.example:5433/biblios"
    expression = (
        "[settings.DATABASES['default'][key] for key in ('ENGINE', 'NAME', 'USER', 'PASSWORD', 'HOST', 'PORT')]"
    )
    found = setting(expression, tmp_path, DATABASE_URL=url)
    assert found == "['django.db.backends.postgresql', 'biblios', 'ann', 'p@ss', 'db.example', '5433']"


@pytest.mark.parametrize("url", ["mysql://localhost/biblios", "postgresql://localhost", "biblios"])
def test_another_database_url_is_refused_with_what_was_expected(tmp_path, url):
    found = setting("settings.DATABASES", tmp_path, DATABASE_URL=url)
    assert found.endswith("DATABASE_URL must look like postgresql://user:password@host:port/name")


def test_a_redis_url_switches_the_cache(tmp_path):
    found = setting("settings.CACHES['default']['LOCATION']", tmp_path, REDIS_URL="redis://redis:6379/0")
    assert found == "redis://redis:6379/0"


def test_https_makes_cookies_secure(tmp_path):
    expression = "settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.SECURE_HSTS_SECONDS > 0"
    assert setting(expression, tmp_path) == "False False False"
    assert setting(expression, tmp_path, BIBLIOS_HTTPS="1", BIBLIOS_HOSTS="example.org") == "True True True"


@pytest.mark.parametrize(
    ("environment", "address"),
    [
        ({}, "http://localhost:8000"),
        ({"BIBLIOS_HOSTS": "play.example.org,localhost", "BIBLIOS_HTTPS": "1"}, "https://play.example.org"),
        ({"BIBLIOS_HOSTS": ".example.org"}, "http://example.org"),
        ({"BIBLIOS_HOSTS": "x", "BIBLIOS_URL": "https://example.org:8443/"}, "https://example.org:8443"),
    ],
)
def test_mails_name_the_address_of_the_site(tmp_path, environment, address):
    assert setting("settings.SITE_URL", tmp_path, **environment) == address


@pytest.mark.parametrize(
    "url", ["example.org", "ftp://example.org", "https://", "https://example.org/play", "https://x?y"]
)
def test_an_address_that_is_none_is_refused_with_what_was_expected(tmp_path, url):
    assert setting("settings.SITE_URL", tmp_path, BIBLIOS_URL=url).endswith("must look like https://play.example.org")


def test_without_a_mail_server_mail_goes_to_the_console(tmp_path):
    assert setting("settings.EMAIL_BACKEND", tmp_path) == "django.core.mail.backends.console.EmailBackend"


def test_a_mail_url_gives_the_mail_server(tmp_path):
    url = "smtp://ann:p%40ss@mail.example:587?tls=1"
    names = "('HOST', 'PORT', 'HOST_USER', 'HOST_PASSWORD', 'USE_TLS')"
    found = setting(f"[getattr(settings, 'EMAIL_' + name) for name in {names}]", tmp_path, BIBLIOS_SMTP=url)
    assert found == "['mail.example', 587, 'ann', 'p@ss', True]"
    assert setting("settings.EMAIL_USE_TLS", tmp_path, BIBLIOS_SMTP="smtp://mail.example") == "False"


@pytest.mark.parametrize("url", ["mail.example:25", "http://mail.example", "smtp://"])
def test_another_mail_url_is_refused_with_what_was_expected(tmp_path, url):
    found = setting("settings.EMAIL_HOST", tmp_path, BIBLIOS_SMTP=url)
    assert found.endswith("BIBLIOS_SMTP must look like smtp://user:password@host:port?tls=1")


@pytest.mark.django_db
def test_who_waits_for_a_database_that_was_away_goes_on_as_soon_as_it_is_back(components):
    postgres, _redis = components
    handler = ConnectionHandler({"default": {}, "elsewhere": postgresql(postgres.url)})

    def ask():
        """One question, as a page has it."""
        try:
            with handler["elsewhere"].cursor() as cursor:
                return cursor.execute("SELECT 1").fetchone()
        finally:
            handler["elsewhere"].close()

    with ThreadPoolExecutor() as threads:
        assert threads.submit(ask).result() == (1,)
        postgres.kill()
        waiting = threads.submit(ask)
        pool = handler["elsewhere"].pool
        # A pool that waits ever longer does not ask so often in the five seconds for which anybody waits.
        while pool.get_stats().get("connections_errors", 0) < 12:
            assert not wait([waiting], 0.05).done
        postgres.start()
        assert waiting.result() == (1,)
        handler["elsewhere"].close_pool()
