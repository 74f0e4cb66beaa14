"""Events with the same deal for all, to test with."""

from games.engine.registry import title
from games.matches.models import Match
from games.tournaments import duplicate, events, services
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import START, club_of
from tests.people import person

Kind = Tournament.Kind


def duplicate_of(*names, seats=2, rounds=2, private=False, now=START):
    """A duplicate tournament that these members have entered; the first is a steward."""
    club = club_of(*names, season=False, private=private, now=now).club
    terms = GameTerms(seats=seats)
    found = duplicate.create(club, person(names[0]), Kind.DUPLICATE, "Pairs", terms, now, game=title(), rounds=rounds)
    for name in names:
        services.enter(found, person(name), now)
    return found


def deal_of(*names, seats=3, weekly=False, now=START):
    """A deal of the week of a club of these people, which nobody has played."""
    club = club_of(*names, season=False, now=now).club
    terms = GameTerms(seats=seats)
    return duplicate.create(club, person(names[0]), Kind.DEAL, "Deal", terms, now, game=title(), weekly=weekly)


def matches(tournament, number=-1):
    """The matches of a round."""
    keys = [table.match for table in events.standing(tournament).rounds[number].tables]
    found = {match.key: match for match in Match.objects.seated().filter(key__in=keys)}
    return [found[key] for key in keys]
