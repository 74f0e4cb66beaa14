import pytest

from tests.clubs.clubs import DAY, club_of
from tests.people import person


@pytest.fixture
def club(now):
    """A club that everybody sees and may join: ann is its steward, bob a member. dan, eve and cho are none."""
    for name in ("cho", "dan", "eve"):
        person(name)
    return club_of("ann", "bob", now=now - 30 * DAY).club
