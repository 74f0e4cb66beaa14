import gc

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.template import Template
from django.test import override_settings
from django.test.client import ClientHandler
from django.utils import timezone
from hypothesis import settings as hypothesis_settings
from whitenoise.base import WhiteNoise

from accounts.mails import mail
from accounts.web import throttle
from games.engine.registry import game_of
from games.table import writer
from games.transparency import kept, triggers
from tests.components import Postgres, Redis, do_without, missing
from tests.languages import forget, learn
from tests.parts import PARTS, TESTS, part_of
from tests.people import person
from tests.prepared import cluster, prepared, tables
from tests.rewriting import clearing_up, rewritable
from tests.toy import site as toy_site
from tests.undoing import undone

toy_site.lay_out()
if hypothesis_settings.get_current_profile_name() == "default":
    # An example that takes long on a busy machine is not wrong.
    hypothesis_settings.register_profile("default", hypothesis_settings.default, deadline=None)
    hypothesis_settings.load_profile("default")


render = Template._render
ONCE = ("engine", "faces", "e2e", "attacks")
"""Folders whose tests no database can change."""


def pytest_addoption(parser):
    parser.addoption("--part", action="append", choices=PARTS, help="only this part of the tests; may be given again")


def pytest_ignore_collect(collection_path, config):
    if (wanted := config.getoption("part")) and collection_path.is_file() and part_of(collection_path) not in wanted:
        return True


def pytest_collection_modifyitems(config, items):
    if wanted := config.getoption("part"):
        items[:] = [item for item in items if part_of(item.path) in wanted]
    for item in items:
        folders = set(item.path.relative_to(TESTS).parts)
        asks = {"db", "transactional_db"} & set(item.fixturenames) or item.get_closest_marker("django_db")
        if not asks and "attacks" not in folders:  # these start sites of their own
            item.add_marker("in_memory")
            item.add_marker("once")
        elif set(ONCE) & folders or reads_pages(item):
            item.add_marker("once")
        elif commits(item):
            item.add_marker("twice")
    # Playwright leaves an event loop running in this thread, with which no asynchronous test can start.
    items.sort(key=lambda item: "e2e" in item.path.parts)


def pytest_collection_finish():
    """What was collected stays: the garbage collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


def commits(item) -> bool:
    """Whether a test commits what it writes: then locks and the order of transactions matter."""
    marked = item.get_closest_marker("django_db", pytest.mark.django_db.mark).kwargs.get("transaction")
    return bool(marked) or "transactional_db" in item.fixturenames


def reads_pages(item) -> bool:
    """Whether a test is about what stands on a page, which no database can change.

    That every address answers on PostgreSQL too is shown by tests/security/test_who_may.py.
    """
    return "client" in item.fixturenames and not commits(item) and not item.get_closest_marker("twice")


@pytest.fixture(scope="session")
def django_db_keepdb():
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_keepdb):
    """The tables of SQLite are there already; and it need not wait for the disk, for nothing interrupts these tests."""
    if django_db_keepdb:
        options = connection.settings_dict["OPTIONS"]
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
        test = connection.settings_dict["TEST"]
        tables(test["NAME"])
        test["MIGRATE"] = False


@pytest.fixture(scope="session", autouse=True)
def no_notes_of_templates(django_test_environment):
    """Django's test client copies all that a page was drawn from, which no test asks for and takes a while."""
    Template._render = render


@pytest.fixture(scope="session")
def static_files():
    """The static files, collected and hashed as the site serves them; those of the small game too."""
    with override_settings(STATIC_ROOT=prepared() / "static"):
        yield


@pytest.fixture(scope="session", autouse=True)
def static_files_found_once():
    """Each new client of a test sets up the whole site, which looks through all static files: it does so once."""
    found, look = {}, WhiteNoise.update_files_dictionary

    def update_files_dictionary(self, root, prefix):
        if (root, prefix) not in found:
            look(self, root, prefix)
            found[root, prefix] = self.files
        self.files = self.files | found[root, prefix]

    WhiteNoise.update_files_dictionary = update_files_dictionary
    yield
    WhiteNoise.update_files_dictionary = look


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords():
    """Argon2 takes a tenth of a second for a password; test_user.py tries it."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup):
    """A database that nobody uses any more when it is removed."""
    with writer.finishing():
        yield


@pytest.fixture(scope="session", autouse=True)
def cleared():
    """The database lets itself be emptied after a test, and never else."""
    with clearing_up():
        yield


@pytest.fixture(scope="module")
def kept_rows(django_db_setup, django_db_blocker):
    """What a fixture of a module writes is there for all its tests: each takes back only what it has written itself."""
    with django_db_blocker.unblock(), undone():
        yield


@pytest.fixture
def rewriting(db, monkeypatch):
    """Executes SQL; while it is used, the database lets the past be changed."""
    # On SQLite there are no triggers meanwhile: tests/transparency/test_triggers.py asks for them.
    monkeypatch.setattr(triggers, "faults", lambda: ())
    with rewritable(connection) as cursor:
        yield cursor.execute


@pytest.fixture(scope="session", autouse=True)
def tests_sign_with_a_key_of_their_own(tmp_path_factory):
    with override_settings(LOG_KEY=tmp_path_factory.mktemp("key") / "log_key.pem"):
        yield


@pytest.fixture(autouse=True)
def the_next_test_has_another_past():
    """The head that a test has signed goes with its database."""
    yield
    kept.beside(settings.LOG_KEY).unlink(missing_ok=True)


@pytest.fixture(scope="session", autouse=True)
def no_browsers():
    """Matches begin at once, without bytes of browsers; the tests of the shuffle wait for them."""
    with override_settings(SHUFFLE_MS=0):
        yield


@pytest.fixture(scope="session")
def handler(static_files):
    """What answers the browsers of all tests: it looks through the static files once."""
    return ClientHandler(enforce_csrf_checks=False)


@pytest.fixture(autouse=True)
def nothing_counted(monkeypatch):
    """What one network address has done in earlier tests is forgotten, and an hour has just begun."""
    for each in caches.all():
        each.clear()
    throttle.OwnWindow.counts.clear()
    monkeypatch.setattr(throttle, "away_until", 0.0)
    monkeypatch.setattr(throttle, "clock", lambda: 3600.0 * 277_777)


@pytest.fixture(autouse=True)
def all_mail_sent():
    """No mail of this test is sent while the next one runs."""
    yield
    mail.wait()


@pytest.fixture
def at_most(monkeypatch):
    """Sets a limit: at_most("tables", 2)."""

    def at_most(what, times):
        monkeypatch.setitem(throttle.LIMITS, what, throttle.LIMITS[what]._replace(times=times))

    return at_most


@pytest.fixture
def client(handler, client):
    client.handler = handler
    return client


@pytest.fixture
def components():
    """A PostgreSQL with the tables of the site and a Redis, both the test's own, to be ended and started again."""
    do_without(missing())
    with Postgres(fsync=False, like=cluster()) as postgres, Redis() as redis:
        yield postgres, redis


@pytest.fixture(scope="module")
def postgres():
    """A PostgreSQL of the module's own, with the tables of the site; where there is none the test is skipped, but not
    among all checks."""
    do_without(missing())
    with Postgres(fsync=False, like=cluster()) as server:
        yield server


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def ann(db):
    return person("ann")


@pytest.fixture
def bob(db):
    return person("bob")


@pytest.fixture
def dan(db):
    return person("dan")


@pytest.fixture
def cho(db):
    """The outsider: sits at no table and belongs to no club."""
    return person("cho")


@pytest.fixture
def at(client):
    """A browser of somebody, or of nobody."""

    def sign_in(name=""):
        client.logout()
        if name:
            client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        return client

    return sign_in


@pytest.fixture
def toy(monkeypatch):
    """A second game on the site."""
    return toy_site.register(monkeypatch)


@pytest.fixture(params=["biblios", "exlibris", "toy"])
def game(request, monkeypatch):
    """Each title that tests know of."""
    return toy_site.register(monkeypatch) if request.param == "toy" else game_of(request.param, 1)


@pytest.fixture
def languages(monkeypatch):
    """Two languages besides English that say every sentence between marks."""
    learn(monkeypatch)
    yield
    forget()
