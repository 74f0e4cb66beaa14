"""How much is tried: `--hypothesis-profile=long` for the long run that SECURITY.md speaks of."""

import pickle

import pytest
from hypothesis import HealthCheck, settings

from accounts.web import throttle
from tests.security import world
from tests.sockets import opening

CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
COMMON = {"deadline": None, "suppress_health_check": CHECKS, "print_blob": True}
settings.register_profile("quick", max_examples=40, derandomize=True, database=None, **COMMON)
settings.register_profile("long", max_examples=2500, database=None, **COMMON)
if settings.get_current_profile_name() in ("default", "ci"):
    settings.load_profile("quick")


@pytest.fixture
def site(kept_site, db, monkeypatch):
    """The world of `tests.security.world`, in which nobody has to wait; ann is the steward of its club."""
    lift_limits(monkeypatch)
    return pickle.loads(kept_site)


@pytest.fixture(scope="module")
def kept_site(static_files, kept_rows):
    """That world, built once for all tests of a module, as bytes: each test unpickles objects of its own."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        lift_limits(monkeypatch)
        return pickle.dumps(world.build())


def lift_limits(monkeypatch):
    """Let everybody do everything at once and again."""
    for what, limit in throttle.LIMITS.items():
        monkeypatch.setitem(throttle.LIMITS, what, limit._replace(times=10**9))


@pytest.fixture
async def pages():
    """Opens pages: pages(address, session=key); closed when the test is over."""
    async with opening() as opener:
        yield opener
