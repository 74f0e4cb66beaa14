"""A public log to test with: some days on which matches ended, and the site closed each of them."""

from datetime import UTC, datetime, timedelta
from random import Random

from games.engine.bots import choose_random
from games.matches import access
from games.matches.clocks import ms_of
from games.transparency import intake
from games.transparency.models import TreeLeaf
from tests.people import person
from tools import rehearsal

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def ended(day=0, **table):
    """A match of ann and bob that began at noon of a day, and ended in the afternoon."""
    at = ms_of(NOON + day * DAY)
    match = rehearsal.match_of([person("ann"), person("bob")], at, **table)
    rehearsal.perform(match, [choose_random] * 2, Random(day), ends=at + 3_600_000)
    return access.find(match.key)


def close(day=0):
    """The site closes a day: the head that is published after midnight."""
    return intake.daily(NOON + day * DAY + timedelta(hours=13))


def days(number, each=2):
    """So many days with matches, closed one after the other. Returns the matches in the order of their leaves."""
    for day in range(number):
        for _ in range(each):
            ended(day)
        close(day)
    return [leaf.match for leaf in TreeLeaf.objects.select_related("match")]
