"""Hands of the day to test with."""

from datetime import UTC, datetime, timedelta

from django.db import transaction

from games.engine.registry import title
from games.hands import hands
from games.hands.models import Hand
from games.matches import access, finish
from games.matches.clocks import ms_of
from games.matches.models import Match
from tests.people import person

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def hand_at(now=NOON, game=""):
    """The hand of a title on the day of this moment."""
    return hands.hand(title(game), hands.today(now))


def begun(name, now=NOON, game=""):
    """The match of somebody who begins the hand now."""
    return access.find(hands.play(hand_at(now, game), person(name), now).key)


def over(match, place=1, points=10, now=NOON):
    """A game of a hand ends so at once, two dice won."""
    others = [each for each in range(1, match.places + 1) if each != place]
    result = {"places": [place, *others], "points": [points, *[0] * len(others)], "winners": []}
    with transaction.atomic():
        finish.close(match, Match.Status.FINISHED, ms_of(now), result | {"category_winners": [0, 0, None, None, None]})
    return match


def done(name, place=1, points=10, now=NOON, game=""):
    """The match of somebody who has finished the hand so."""
    match = over(begun(name, now, game), place, points, now)
    hands.ended(match)
    return match


def fresh(hand):
    return Hand.objects.get(pk=hand.pk)
