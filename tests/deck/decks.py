"""Decks to test with: reviews of the small title, looked at again in this process."""

from games.analysis.models import Analysis
from games.deck import gathering
from games.deck.models import DeckCard
from games.engine.core import Reason
from games.engine.second_look import AskedAgain, WeighedAnswer
from games.engine.verdicts import Band
from games.matches import history
from tests.analysis.analyses import over, reviewed
from tests.people import person


class Beside:
    """In the place of the other process: raises these faults at first, and does something after each answer."""

    def __init__(self, *faults, then=lambda: None):
        self.faults, self.then, self.calls = list(faults), then, 0

    def call(self, function, *arguments):
        self.calls += 1
        if self.faults:
            raise self.faults.pop(0)
        found = function(*arguments)
        self.then()
        return found

    def close(self):
        pass


def filled(toy, now, *, least=1):
    """So many finished games of ann and bob, and more until both have cards: what is dealt is never the same."""
    matches = []
    while len(matches) < least or not (cards("ann") and cards("bob")):
        matches.append(over(toy, seed=len(matches) + 1))
        reviewed(matches[-1])
        gathering.gather(now)
    return matches


def gather_all(now):
    """Gather from all reviews that there are."""
    for _analysis in Analysis.objects.all():
        gathering.gather(now)


def cards(name="ann"):
    return list(DeckCard.objects.filter(user=person(name)).order_by("due_on", "pk"))


def question_at(match, ply):
    """A question with the first answers that there are at a ply of a match, the last of them the best."""
    texts = [match.rules.text(move) for move in history.replay(match).state(ply).legal()[:3]]
    answers = [WeighedAnswer(text, Band(4000 + 300 * at, 4400 + 300 * at), at > 1) for at, text in enumerate(texts)]
    return AskedAgain(texts[0], texts[-1], tuple(answers), Reason("none"), 400)


def card_at(match, ply, name, day):
    """Somebody's card, due on a day."""
    seat, asked = history.replay(match).state(ply).seat, question_at(match, ply)
    return DeckCard.objects.create(user=person(name), match=match, ply=ply, seat=seat, question=asked.plain, due_on=day)
