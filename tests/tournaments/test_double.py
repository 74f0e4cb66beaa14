"""Double elimination: two brackets, a final, and the final again."""

from collections import Counter
from datetime import timedelta
from functools import partial
from random import Random

import pytest

from accounts.models import User
from games.engine.registry import title
from games.matches.clocks import Clock
from games.tournaments import audit, contests, due, events, plan, services
from games.tournaments.contests import Plan
from games.tournaments.formats.double import places
from games.tournaments.models import Tournament
from games.tournaments.pairing.double import NOBODY
from games.tournaments.pairing.double import places as drawn
from games.tournaments.services import GameTerms
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import end, end_all

LATER = START + timedelta(hours=1)
EIGHT = "ann", "bob", "dan", "eve", "fay", "gus", "hal", "ivy"


def _result(results, one, other, met):
    return results.get((frozenset((one, other)), met))


def played_out(people, wins):
    """The rounds of pairs, and all places at the end; `wins(one, other)` says who wins."""
    seeds, results, rounds = list(range(1, people + 1)), {}, []
    while True:
        found = drawn(seeds, partial(_result, results))
        met, ready = Counter(), []
        for place in found:
            if None in place.sides or NOBODY in place.sides:
                continue
            pair = frozenset(place.sides)
            if place.winner is None:
                ready.append((pair, met[pair]))
            met[pair] += 1
        if not ready:
            return rounds, found
        rounds.append([sorted(pair) for pair, _met in ready])
        results |= {(pair, met): wins(*sorted(pair)) for pair, met in ready}


@pytest.mark.parametrize("people", range(2, 34))
def test_all_but_one_lose_twice_and_nobody_plays_two_games_at_once(people):
    rng = Random(people)
    rounds, found = played_out(people, lambda one, other: rng.choice((one, other)))
    for pairs in rounds:
        seated = [player for pair in pairs for player in pair]
        assert len(set(seated)) == len(seated)
    losses = Counter(place.loser for place in found if place.loser != NOBODY)
    champion = next(place.winner for place in found[::-1] if place.winner != NOBODY)
    assert losses.pop(champion, 0) < 2
    assert losses == dict.fromkeys(set(range(1, people + 1)) - {champion}, 2)


@pytest.mark.parametrize("people", [8, 16, 32])
def test_the_best_two_meet_in_the_final_and_nobody_twice_before_late(people):
    rounds, found = played_out(people, min)
    assert found[-2].sides == (1, 2) and found[-1].sides == (NOBODY, NOBODY)
    early = [tuple(pair) for pairs in rounds[:-3] for pair in pairs]
    assert len(set(early)) == len(early)


def test_the_final_is_played_again_if_the_one_from_the_losers_bracket_wins():
    upset = {frozenset((1, 2)): iter((1, 2, 2))}
    rounds, found = played_out(4, lambda one, other: next(upset[frozenset((one, other))]) if one + other == 3 else one)
    assert found[-1].sides == (2, 1) and found[-1].winner == 2
    assert rounds[-2:] == [[[1, 2]], [[1, 2]]]


# In a club

pytestmark = pytest.mark.django_db


def begun(*names, terms=None, **chosen):
    club = club_of(*names, season=False).club
    terms = terms or GameTerms(seats=2)
    found = contests.create(
        club, person(names[0]), Tournament.Kind.DOUBLE, "Cup", terms, Plan(**chosen), START, game=title()
    )
    for name in names:
        services.enter(found, person(name), START)
    contests.begin(found, person(names[0]), START)
    due.work(START)
    return found


def ended(found):
    due.work(LATER)
    found.refresh_from_db()
    return found.closed_at is not None


def test_it_leads_to_one_winner_and_its_page_shows_both_brackets(at):
    found = begun(*EIGHT[:6])
    page = text(at("").get(found.get_absolute_url()))
    assert all(told in page for told in ("Winners’ bracket", "Losers’ bracket", "Final"))
    while not ended(found):
        end_all(found)
        if not ended(found):
            contests.next_round(found, person("ann"), LATER)
    standing = events.standing(found)
    rows = plan.rows(standing, standing.groups[0])
    assert [row.place for row in rows] == [1, 2, 3, 4, 5, 5]
    assert rows[0].player not in plan.lost(standing) and len(plan.lost(standing)) == 5
    assert audit.check(found) == standing
    page = text(at("").get(found.get_absolute_url()))
    assert f"{User.objects.get(pk=rows[0].player).username} has won" in page


def test_who_leaves_loses_the_games_to_come():
    found = begun(*EIGHT[:4])
    services.leave(found, person("ann"), START)
    end_all(found)
    while not ended(found):
        contests.next_round(found, person("ann"), LATER)
        end_all(found)
    standing = events.standing(found)
    assert person("ann").pk in plan.lost(standing)
    assert audit.check(found) == standing


def test_by_correspondence_it_goes_on_by_itself():
    found = begun(*EIGHT[:3], terms=GameTerms(2, Clock.daily(1)), days=2)
    for day in range(2, 20, 2):
        due.work(START + timedelta(days=day))
    found.refresh_from_db()
    assert found.closed_at is not None
    assert audit.check(found) == events.standing(found)
    assert places(events.standing(found))[-2].winner is not None


def test_two_players_are_enough():
    found = begun("ann", "bob")
    end(found, 0, 1, 2)
    contests.next_round(found, person("ann"), LATER)
    end(found, 0, 2, 1)
    contests.next_round(found, person("ann"), LATER)
    end(found, 0, 2, 1)
    assert ended(found)
    standing = events.standing(found)
    assert [row.player for row in plan.rows(standing, standing.groups[0])] == [person("bob").pk, person("ann").pk]
