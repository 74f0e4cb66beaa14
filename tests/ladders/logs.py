"""What the log of a ladder says, and what its players are told."""

from datetime import timedelta

from accounts.models import Notice
from games.ladders.models import past
from games.ladders.standing import replay
from tests.people import person

HOUR = timedelta(hours=1)


def kinds(ladder):
    return [event.kind for event in ladder.log.all()]


def last(ladder):
    return ladder.log.order_by("-number").first()


def told(name):
    return list(Notice.objects.filter(user=person(name)).order_by("id").values_list("kind", flat=True))


def consistent(ladder):
    """Whether replaying the events gives what the ladder says."""
    ladder.refresh_from_db()
    return replay(past(ladder.log.all())).to_json() == ladder.standing
