"""Reviews of decisions to test with."""

from games.analysis import services
from games.analysis.models import Analysis
from games.analysis.working import Analyst
from games.matches import access
from tests.matches.matches import rushed, seated
from tests.people import person


class Here:
    """In the place of the other process: computes in this one."""

    def call(self, tried, work, *arguments):
        return tried(work, *arguments)

    def close(self):
        pass


def analyst(thinker=None):
    """What works off the reviews that wait."""
    found = Analyst()
    found.thinker = thinker or Here()
    return found


def over(toy, *names, seed=1, **table):
    """A finished game of the small title."""
    return rushed(seated(*(names or ("ann", "bob")), game=toy, **table), seed=seed)


def reviewed(match, by="ann", now=None):
    """The review of a match, done."""
    found = services.ask(match, person(by), now)
    work()
    return Analysis.objects.get(pk=found.pk)


def work():
    """Work off all that waits."""
    worker = analyst()
    while worker.step(services.timezone.now()):
        pass


def fresh(match):
    return access.find(match.key)
