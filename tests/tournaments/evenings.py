"""Evenings to test with."""

from datetime import timedelta

from django.db import transaction

from accounts.models import Member
from games.matches import finish
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.tournaments import evenings, events, playing, services
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import START, club_of
from tests.people import person

LIVE = GameTerms(seats=3)
LATER = START + timedelta(minutes=40)


def evening_of(*names, private=False, terms=LIVE, slug="st-gall"):
    """An evening of a club at which all of these members are, the first of them its steward."""
    club = club_of(*names, private=private, slug=slug, season=False).club
    evening = services.open_tournament(club, person(names[0]), Tournament.Kind.EVENING, "Candlemas", terms, START)
    for name in names:
        services.enter(evening, person(name), START)
    return evening


def come(event, *people, now=START):
    """These people come to an event, by its link if they are no members."""
    for each in people:
        services.enter(event, each, now, event.token)


def seat(evening, by="ann", now=START, **chosen):
    """A round for everybody; the names at its tables."""
    evenings.seat_everybody(evening, person(by), now, **chosen)
    return tables(evening)


def tables(evening):
    """The names at the tables of the last round, sorted."""
    names = dict(Member.objects.filter(club=evening.club).values_list("user", "user__username"))
    last = events.standing(evening).rounds[-1]
    return [sorted(names.get(player, "guest") for player in table.players) for table in last.tables]


def end(evening, index, *places, now=LATER, aborted=False, number=-1):
    """The game of a table of a round ends with these places by seat."""
    table = events.standing(evening).rounds[number].tables[index]
    with transaction.atomic():
        match = Match.objects.seated().get(key=table.match)
        result = None
        if not aborted:
            winners = [seat for seat, place in enumerate(places) if place == 1]
            result = {"places": [*places], "points": [9 - place for place in places], "winners": winners}
            result["category_winners"] = [None] * 5
        finish.close(match, Match.Status.ABORTED if aborted else Match.Status.FINISHED, ms_of(now), result)
        playing.ended(match)
    return match


def end_all(evening, now=LATER):
    """All games of the last round end, in the order of the seats."""
    for index, table in enumerate(events.standing(evening).rounds[-1].tables):
        if not table.over:
            end(evening, index, *range(1, table.size + 1), now=now)
