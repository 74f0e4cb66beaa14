"""Arenas: whoever is ready is paired, again and again, until the time is over."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from accounts.clubs import clubs
from accounts.models import Block, User
from accounts.web.refused import Refused
from games.engine.registry import title
from games.matches import play
from games.matches.clocks import Clock, ms_of
from games.matches.models import Match, Seat
from games.tournaments import arenas, audit, contests, due, events, plan, services
from games.tournaments.contests import Plan
from games.tournaments.models import Tournament
from games.tournaments.pairing import arena
from games.tournaments.pairing.arena import AGAIN_MS, SMALLER_MS, WaitingPlayer
from games.tournaments.services import GameTerms
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import end, end_all, tables

NOBODY: tuple[frozenset[int], ...] = ()
MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)


def drawn(*waiting, size=2, active=20, apart=NOBODY):
    return sorted(tuple(sorted(table)) for table in arena.tables(waiting, size, active, apart, Random(1)))


def test_people_near_in_points_are_paired():
    assert drawn(WaitingPlayer(1, 8, 0), WaitingPlayer(2, 0, 0), WaitingPlayer(3, 7, 0), WaitingPlayer(4, 1, 0)) == [
        (1, 3),
        (2, 4),
    ]


def test_who_has_waited_least_is_left_over():
    assert drawn(WaitingPlayer(1, 0, 5000), WaitingPlayer(2, 0, 100), WaitingPlayer(3, 9, 9000)) == [(1, 3)]


def test_who_has_just_met_waits_unless_there_are_few():
    pair = [WaitingPlayer(1, 0, 9000, frozenset({2})), WaitingPlayer(2, 0, 9000, frozenset({1}))]
    assert drawn(*pair) == []
    assert drawn(*pair, active=arena.FEW) == [(1, 2)]
    assert drawn(*(each._replace(waited_ms=AGAIN_MS) for each in pair)) == [(1, 2)]
    assert drawn(*pair, WaitingPlayer(3, 9, 0, frozenset({8}))) in ([(1, 3)], [(2, 3)])


def test_who_is_apart_never_meets():
    pair = WaitingPlayer(1, 0, AGAIN_MS), WaitingPlayer(2, 0, AGAIN_MS)
    assert drawn(*pair, active=2, apart=[frozenset({1, 2})]) == []


def test_larger_tables_first_and_smaller_ones_for_who_has_waited():
    people = [WaitingPlayer(player, player, 0) for player in range(1, 6)]
    assert [len(table) for table in drawn(*people, size=3)] == [3]
    late = [each._replace(waited_ms=SMALLER_MS) for each in people]
    assert sorted(len(table) for table in drawn(*late, size=3)) == [2, 3]
    met = [each._replace(met=frozenset({1, 2, 3})) for each in people[:3]]
    assert drawn(*met, size=3) == []


# In a club

pytestmark = pytest.mark.django_db


def arena_of(*names, seats=2, minutes=60, now=START):
    """An arena that has begun with these members; the first is a steward."""
    club = club_of(*names, season=False, now=now).club
    found = contests.create(
        club,
        person(names[0]),
        Tournament.Kind.ARENA,
        "Arena",
        GameTerms(seats=seats),
        Plan(minutes=minutes),
        now,
        game=title(),
    )
    for name in names:
        services.enter(found, person(name), now)
    contests.begin(found, person(names[0]), now)
    due.work(now)
    return found


def rounds(found):
    return events.standing(found).rounds


def points(found):
    standing = events.standing(found)
    names = {person.pk: person.username for person in map(person_of, standing.entrants)}
    return {names[row.player]: row.points for row in plan.rows(standing, plan.of(standing).tables(standing)[0])}


def person_of(pk):
    return User.objects.get(pk=pk)


def test_it_pairs_again_and_again_and_ends_by_itself():
    found = arena_of("ann", "bob", "dan", "eve")
    assert len(rounds(found)) == 1 and len(rounds(found)[0].tables) == 2
    first = tables(found)
    now = START + 10 * MINUTE
    end(found, 0, 1, 2, now=now)
    due.work(now)
    assert len(rounds(found)) == 1  # these two have just met
    end(found, 1, 1, 2, now=now + SECOND)
    due.work(now + SECOND)
    assert len(rounds(found)) == 2 and not set(map(tuple, first)) & set(map(tuple, tables(found)))
    winners = {table.players[0] for table in rounds(found)[0].tables}
    assert winners in [set(table.players) for table in rounds(found)[1].tables]  # near in points
    end_all(found, now=START + 59 * MINUTE)
    due.work(START + 60 * MINUTE)
    found.refresh_from_db()
    assert found.closed_at == START + 60 * MINUTE and len(rounds(found)) == 2
    assert sorted(points(found).values()) == [0, 2, 2, 4]
    assert audit.check(found) == events.standing(found)
    assert person("bob").notices.filter(kind="tournament-over").exists()


def test_waves_are_ten_seconds_apart():
    found = arena_of("ann", "bob", "dan", "eve")
    for index in (0, 1):
        end(found, index, 1, 2, now=START + 4 * SECOND)
    due.work(START + 5 * SECOND)
    assert len(rounds(found)) == 1
    due.work(START + 10 * SECOND)
    assert len(rounds(found)) == 2


@pytest.mark.parametrize(("after", "counts"), [(4, True), (6, False)])
def test_games_count_that_are_over_five_minutes_after_the_end(after, counts):
    found = arena_of("ann", "bob", minutes=20)
    due.work(START + 20 * MINUTE)
    found.refresh_from_db()
    assert found.closed_at is None
    if not counts:
        due.work(START + 25 * MINUTE)
    end(found, 0, 1, 2, now=START + (20 + after) * MINUTE)
    due.work(START + 27 * MINUTE)
    found.refresh_from_db()
    assert found.closed_at is not None and len(rounds(found)) == 1
    assert sorted(points(found).values()) == ([0, 2] if counts else [0, 0])
    assert audit.check(found) == events.standing(found)


def test_who_pauses_gets_no_table_until_they_are_ready():
    found = arena_of("ann", "bob", "dan")
    [alone] = events.standing(found).free
    late = person_of(alone)
    arenas.pause(found, late, START)
    services.enter(found, joined(found, "fay"), START)
    due.work(START + MINUTE)
    assert len(rounds(found)) == 1
    arenas.ready(found, late, START + MINUTE)
    due.work(START + MINUTE)
    assert tables(found) == [sorted([late.username, "fay"])]
    with pytest.raises(Refused, match="take no part"):
        arenas.pause(found, joined(found, "gus"), START)


def test_who_does_not_come_to_their_table_loses_and_pauses():
    found = arena_of("ann", "bob")
    match = Match.objects.seated().get(key=rounds(found)[0].tables[0].match)
    away = match.sitting[match.mover].user
    play.leave(match, match.mover, Seat.Left.TIME, ms_of(START + 5 * MINUTE))
    standing = events.standing(found)
    assert standing.entrants[away.pk].paused and standing.entrants[away.pk].pauses == 0
    assert points(found)[away.username] == 0 and sorted(points(found).values()) == [0, 2]
    due.work(START + 10 * MINUTE)
    assert len(rounds(found)) == 1
    found.refresh_from_db()
    assert audit.check(found) == standing


def joined(found, name):
    clubs.join(found.club, person(name), START)
    return person(name)


def test_one_can_pause_so_often():
    found = arena_of("ann", "bob", "dan")
    for _time in range(arenas.MOST_PAUSES):
        arenas.pause(found, person("dan"), START)
        arenas.ready(found, person("dan"), START)
    with pytest.raises(Refused, match="paused 30 times"):
        arenas.pause(found, person("dan"), START)


def test_nobody_is_paired_with_whom_they_block():
    found = arena_of("ann", "bob")
    end_all(found, now=START + MINUTE)
    Block.objects.create(user=person("ann"), blocked=person("bob"))
    due.work(START + 5 * MINUTE)
    assert len(rounds(found)) == 1


def test_everybody_leaves_and_it_still_ends():
    found = arena_of("ann", "bob", "dan")
    for name in ("ann", "bob", "dan"):
        services.leave(found, person(name), START)
    end_all(found, now=START + MINUTE)
    due.work(START + 5 * MINUTE)
    assert len(rounds(found)) == 1
    due.work(START + 60 * MINUTE)
    found.refresh_from_db()
    assert found.closed_at is not None


def test_it_is_live_and_no_steward_begins_rounds():
    found = arena_of("eve", "fay")
    with pytest.raises(Refused, match="played live"):
        contests.create(
            found.club,
            person("eve"),
            Tournament.Kind.ARENA,
            "Arena",
            GameTerms(2, Clock.daily(1)),
            Plan(),
            START,
            game=title(),
        )
    with pytest.raises(Refused, match="whoever is ready is paired"):
        contests.next_round(found, person("eve"), START)


def test_its_page_says_who_is_ready_and_lets_one_pause(at):
    now = timezone.now()
    found = arena_of("ann", "bob", "dan", now=now)
    [alone] = events.standing(found).free
    late, page = person_of(alone).username, found.get_absolute_url()
    shown = text(at(late).get(page))
    assert "0 other players are ready." in shown and "You’re ready" in shown
    at(late).post(f"{page}/pause")
    shown = text(at(late).get(page))
    assert "You’re pausing" in shown and f"{late} pauses" in shown
    at(late).post(f"{page}/ready")
    assert "You’re pausing" not in text(at(late).get(page))
    end_all(found, now=now + SECOND)
    assert "Wins (W)" in text(at("").get(page)) and text(at("").get(f"{page}/wall")).count("Finished") == 0


def test_the_page_of_a_result_is_that_of_its_wave_and_table(at):
    found = arena_of("ann", "bob", "dan", "eve")
    end(found, 0, 1, 2, now=START + MINUTE)
    end(found, 1, 1, 2, now=START + MINUTE)
    due.work(START + 2 * MINUTE)
    end(found, 1, 1, 2, now=START + 3 * MINUTE, number=1)
    key = rounds(found)[1].tables[1].match
    assert f"/m/{key}" in at("ann").get(f"{found.get_absolute_url()}/correct/2/2").text
    assert "2,2," in at("ann").get(f"{found.get_absolute_url()}/results.csv").text
