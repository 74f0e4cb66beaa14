"""Pages of ladders to test with: a club whose season runs now, and what one reads on a page."""

import re
from datetime import timedelta

from games.ladders import challenges
from tests.clubs.clubs import DAILY, DAY, club_of
from tests.people import person

HOUR = timedelta(hours=1)
NAMES = ("ann", "bob", "dan", "eve", "fay", "gus", "hal")


def club(now, *names, **kwargs):
    """A club whose season began a month ago."""
    return club_of(*(names or NAMES), now=now - 30 * DAY, **kwargs)


def row(response, name):
    """The rung of a player, as HTML."""
    rows = re.findall(r'<li class="rung.*?</li>', response.content.decode(), flags=re.S)
    return next(each for each in rows if f'<bdi class="name">{name}</bdi>' in each)


def revision(response):
    """The revision of the terms that a page of a challenge shows."""
    return re.search(r'name="revision" value="([0-9a-f]{16})"', response.content.decode())[1]


def accepts(client, challenge, **fields):
    """Somebody looks at the page of a challenge and accepts it."""
    seen = revision(client.get(challenge.get_absolute_url()))
    return client.post(f"{challenge.get_absolute_url()}/accept", {"revision": seen, **fields})


def shown(response):
    """The names on the rungs, from the top."""
    return re.findall(r'<bdi class="name">([^<]+)</bdi></a> <span class="number rating">', response.content.decode())


def challenge(ladder, first, *others, now, terms=DAILY):
    return challenges.challenge(ladder, person(first), [person(other) for other in others], terms, now)
