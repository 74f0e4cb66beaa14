"""Clubs to test with: people on a ladder, in an order, at a time that moves only when a test moves it."""

from datetime import UTC, datetime, timedelta

from django.db import transaction

from accounts.models import Club, Member
from games.ladders import challenges, due, events, results
from games.ladders.terms import Terms
from games.matches import finish
from games.matches.clocks import Clock, ms_of
from games.matches.models import Match, Seat
from tests.people import person

DAY = timedelta(days=1)
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAILY = Terms(Clock.daily(1))


def club_of(*names, slug="st-gall", private=False, season=True, rules=None, now=START, game=None):
    """A club of these people, the first its steward; all stand on its ladder in this order, and a season runs if they
    are two or more."""
    club = Club.objects.create(name=slug.replace("-", " ").title(), slug=slug, private=private)
    for number, name in enumerate(names):
        Member.objects.create(club=club, user=person(name), role="member" if number else "steward", joined_at=now - DAY)
    ladder = events.create(club, game and game.slug)
    steward = person(names[0])
    for name in names:
        events.join(ladder, person(name), now)
    if rules:
        events.set_rules(ladder, steward, rules, now)
    if season and len(names) > 1:
        events.start_season(ladder, steward, now)
    ladder.refresh_from_db()
    return ladder


def order(ladder):
    """The names on the ladder, the top first."""
    ladder.refresh_from_db()
    names = {member.user_id: member.user.username for member in ladder.club.members.select_related("user")}
    return [names.get(player, str(player)) for player in ladder.now_standing().order]


def until(ladder, now):
    """The clock goes on to `now`."""
    due.work(now)
    ladder.refresh_from_db()


def agreed(ladder, *names, now=START, terms=DAILY):
    """A challenge of the first of these people to the others, to which all have agreed."""
    first, *others = map(person, names)
    challenge = challenges.challenge(ladder, first, others, terms, now)
    for other in others:
        challenge = challenges.accept(challenge, other, now)
    return challenge


def ended(challenge, *places, now, late=()):
    """The match of a challenge ends with these places by seat; `late`: the names of those whose time ran out."""
    with transaction.atomic():
        match = Match.objects.seated().get(challenge=challenge)
        for seat in match.sitting:
            seat.left = Seat.Left.TIME if seat.shown_name in late else ""
        winners = [seat for seat, place in enumerate(places) if place == 1]
        result = {"places": [*places], "points": [10 - place for place in places], "winners": winners}
        finish.close(match, Match.Status.FINISHED, ms_of(now), result)
        results.ended(match)
    challenge.refresh_from_db()
    return challenge


def met(ladder, *names, places=(1, 2), now=START, late=()):
    """The first of these people challenges the others, all agree, and the game ends within the hour."""
    return ended(agreed(ladder, *names, now=now), *places, now=now + timedelta(hours=1), late=late)
