"""Tournaments: people come, are seated, play; everything follows from events that nobody can change."""

import contextlib
from dataclasses import replace
from datetime import timedelta
from random import Random
from threading import Event

import pytest
from django.db import DatabaseError, connection, transaction

from accounts.clubs import clubs
from accounts.journal import chain
from accounts.models import Block, Right
from accounts.web.refused import Refused
from games.engine.registry import title
from games.matches.models import Match, Seat
from games.tournaments import audit, contests, due, evenings, events, placepoints, playing, services
from games.tournaments.contests import Plan
from games.tournaments.evenings import RANDOM, RUNG, UNMET
from games.tournaments.models import Tournament
from games.tournaments.payloads import Entered, Opened, RoundBegun
from games.tournaments.services import GameTerms
from games.tournaments.standing import replay
from tests.at_once import at_once
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.tournaments.evenings import LATER, end, end_all, evening_of, seat, tables

pytestmark = pytest.mark.django_db
SIX = "ann", "bob", "dan", "eve", "fay", "gus"


def names(rooms):
    return sorted(name for room in rooms for name in room)


def seated(table):
    return Match.objects.seated().get(key=table.match)


def test_all_tables_of_a_round_open_at_once_and_everybody_is_told():
    evening = evening_of(*SIX)
    rooms = seat(evening)
    assert sorted(map(len, rooms)) == [3, 3] and names(rooms) == [*SIX]
    for table in events.standing(evening).rounds[0].tables:
        match = seated(table)
        assert match.status == Match.Status.RUNNING and not match.rated and match.agreed == evening.page
        assert tuple(seat.user_id for seat in match.sitting) == table.players
        assert [each.notices.get(kind="round").address for each in map(lambda s: s.user, match.sitting)] == [
            f"/m/{match.key}"
        ] * 3


def test_a_result_comes_from_the_table_and_counts_by_place():
    evening = evening_of("ann", "bob", "dan")
    seat(evening)
    end(evening, 0, 1, 2, 2)
    standing = events.standing(evening)
    [table] = standing.rounds[0].tables
    assert table.over and table.places == (1, 2, 2) and table.points == (8, 7, 7)
    rows = placepoints.table(standing)
    assert [(row.place, row.points, row.games, row.wins) for row in rows] == [
        (1, 6, 1, 1),
        (2, 1.5, 1, 0),
        (2, 1.5, 1, 0),
    ]


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), [6, 0]),
        ((2, 1, 3), [3, 6, 0]),
        ((1, 2, 3, 4), [6, 4, 2, 0]),
        ((1, 1, 3, 4), [5, 5, 2, 0]),
        ((1, 1), [3, 3]),
    ],
)
def test_matchpoints_have_the_same_top_and_average_at_every_table(places, points):
    assert placepoints.matchpoints(places) == points
    assert sum(points) / len(points) == placepoints.AVERAGE


def test_next_round_seats_those_who_have_not_met():
    evening = evening_of(*SIX[:4], terms=GameTerms(seats=2))
    met = set()
    for hour in range(3):
        met |= {tuple(pair) for pair in seat(evening, how=UNMET, now=START + timedelta(hours=hour))}
        end_all(evening, START + timedelta(hours=hour, minutes=30))
    assert len(met) == 6


def test_by_rung_neighbours_sit_together():
    evening = evening_of(*SIX)
    assert seat(evening, how=RUNG) == [["ann", "bob", "dan"], ["eve", "fay", "gus"]]


def test_who_blocks_somebody_is_seated_elsewhere():
    evening = evening_of(*SIX[:4], terms=GameTerms(seats=2))
    Block.objects.create(user=person("eve"), blocked=person("ann"))
    for hour in range(4):
        assert ["ann", "eve"] not in seat(evening, how=RANDOM, now=START + timedelta(hours=hour))
        end_all(evening, START + timedelta(hours=hour, minutes=30))


def test_who_leaves_in_the_second_round_keeps_points_and_gets_no_seat():
    evening = evening_of(*SIX)
    seat(evening)
    end_all(evening)
    seat(evening, now=LATER)
    gus = person("gus")
    services.leave(evening, gus, LATER)
    services.leave(evening, gus, LATER)
    end_all(evening, LATER + timedelta(hours=1))
    assert "gus" not in names(seat(evening, now=LATER + timedelta(hours=2)))
    assert gus.pk in [row.player for row in placepoints.table(events.standing(evening))]
    services.enter(evening, gus, LATER + timedelta(hours=3))
    assert events.standing(evening).free == [gus.pk]


def test_a_player_is_never_at_two_tables_of_an_evening():
    evening = evening_of(*SIX)
    seat(evening)
    end(evening, 0, 1, 2, 3)
    first, _second = tables(evening)
    assert seat(evening, now=LATER) == [first]
    with pytest.raises(Refused, match="at least two people"):
        seat(evening, now=LATER)
    busy = events.standing(evening).rounds[0].tables[1].players
    with pytest.raises(Refused, match="two tables"), transaction.atomic():
        playing.begin_round(events.locked(evening), [playing.Seated(busy)], (), RUNG, "", LATER, None)


def test_odd_numbers_all_sit():
    evening = evening_of(*SIX[:5], terms=GameTerms(seats=4))
    assert sorted(map(len, seat(evening))) == [2, 3]


def test_one_player_sits_with_bots_or_not_at_all():
    evening = evening_of("ann", terms=GameTerms(seats=3))
    with pytest.raises(Refused, match="at least two people"):
        seat(evening)
    assert seat(evening, fill=True) == [["ann"]]
    [table] = events.standing(evening).rounds[0].tables
    assert (table.bots, [bool(each.bot) for each in seated(table).sitting]) == (2, [False, True, True])


@pytest.mark.once
def test_sixty_four_players_sit_at_sixteen_tables(django_assert_max_num_queries):
    evening = evening_of("ann")
    steward = person("ann")
    for number in range(63):
        services.enter(evening, person(f"p{number}"), START, evening.token)
    with django_assert_max_num_queries(900):
        evenings.seat_everybody(evening, steward, START, size=4)
    assert [len(table.players) for table in events.standing(evening).rounds[0].tables] == [4] * 16


def test_a_game_without_result_counts_for_nobody_and_frees_its_players():
    evening = evening_of("ann", "bob")
    seat(evening)
    end(evening, 0, aborted=True)
    standing = events.standing(evening)
    assert not standing.counted and len(standing.free) == 2


def test_strangers_need_the_link_and_their_games_are_casual():
    evening = evening_of("ann", "bob", terms=GameTerms(seats=3, rated=True))
    cho = person("cho")
    for token in ("", "wrong"):
        with pytest.raises(Refused, match="link for guests"):
            services.enter(evening, cho, START, token)
    services.enter(evening, cho, START, evening.token)
    assert seat(evening) == [["ann", "bob", "guest"]]
    assert not seated(events.standing(evening).rounds[0].tables[0]).rated
    end_all(evening)
    services.leave(evening, cho, LATER)
    seat(evening, now=LATER)
    assert seated(events.standing(evening).rounds[1].tables[0]).rated
    services.enter(evening, cho, LATER)  # who was let in once needs no link


def test_whom_a_steward_takes_in_plays_casual_games_until_they_come_themselves():
    evening = evening_of("ann", terms=GameTerms(seats=2, rated=True))
    ann, bob = person("ann"), person("bob")
    clubs.join(evening.club, bob, START)
    clubs.let_seat(evening.club, bob, True, START)
    services.tick(evening, ann, [bob], START)
    seat(evening)
    assert not seated(events.standing(evening).rounds[0].tables[0]).rated
    end_all(evening)
    services.leave(evening, bob, LATER)
    services.enter(evening, bob, LATER)
    seat(evening, now=LATER)
    assert seated(events.standing(evening).rounds[1].tables[0]).rated


def test_who_came_as_a_member_plays_rated_games_after_an_expulsion_too():
    evening = evening_of("ann", "bob", terms=GameTerms(seats=2, rated=True))
    ann, bob = person("ann"), person("bob")
    clubs.expel(evening.club, ann, bob, "Shouts.", START)
    clubs.readmit(evening.club, ann, bob)
    services.tick(evening, ann, [bob], START)
    services.enter(evening, bob, START)
    seat(evening)
    assert events.standing(evening).entrants[bob.pk].guest
    assert seated(events.standing(evening).rounds[0].tables[0]).rated


def test_a_steward_ticks_nobody_who_was_expelled_or_blocks_them(now):
    evening = evening_of("ann", "bob", "dan")
    ann, bob, cho = person("ann"), person("bob"), person("cho")
    clubs.expel(evening.club, ann, bob, "Shouts.", now)
    Block.objects.create(user=cho, blocked=ann)
    for gone, why in ((bob, "bob has been expelled"), (cho, "cho take part")):
        with pytest.raises(Refused, match=why):
            services.tick(evening, ann, [person("eve"), gone], now)
    assert person("eve").pk not in events.standing(evening).here


def test_who_plays_a_live_game_elsewhere_is_not_seated():
    first, second = evening_of("ann", "bob", "dan"), evening_of("ann", "dan", "eve", "fay", slug="cluny")
    seat(first)
    assert seat(second) == [["eve", "fay"]]
    end_all(first)
    assert evenings.free(events.standing(second)) == [person("ann").pk, person("dan").pk]


def test_whoever_plays_a_live_game_elsewhere_holds_up_a_live_round_until_a_steward_takes_them_out():
    first = evening_of("ann", "bob", "dan")
    club = club_of("eve", "ann", "fay", slug="cluny", season=False).club
    cup = contests.create(club, person("eve"), Tournament.Kind.SWISS, "Cup", GameTerms(2), Plan(), START, game=title())
    for name in ("eve", "ann", "fay"):
        services.enter(cup, person(name), START)
    seat(first)
    with pytest.raises(Refused, match="live game elsewhere: ann"):
        contests.begin(cup, person("eve"), START)
    services.untick(cup, person("eve"), person("ann"), START)
    contests.begin(cup, person("eve"), START)
    assert tables(cup) == [["eve", "fay"]]


@pytest.mark.django_db(transaction=True)
def test_two_stewards_of_two_clubs_do_not_seat_one_person_at_once():
    first, second = evening_of("ann", "bob", "dan"), evening_of("cho", "ann", "bob", "eve", slug="cluny")
    at_once(lambda: seat(first, by="ann", size=3), lambda: seat(second, by="cho", size=2))
    live = Seat.objects.filter(match__status__in=Match.UNDER_WAY)
    assert all(live.filter(user=person(name)).count() <= 1 for name in ("ann", "bob"))
    assert live.exists()


def test_a_private_club_plays_among_itself():
    evening = evening_of("ann", "bob", private=True, terms=GameTerms(seats=2, rated=True))
    seat(evening)
    match = seated(events.standing(evening).rounds[0].tables[0])
    assert (match.watch, match.listed, match.rated) == (Match.Watch.CLUB, False, False)


def test_who_is_no_member_any_more_is_seated_no_more(now):
    evening = evening_of("ann", "bob", "dan")
    clubs.expel(evening.club, person("ann"), person("dan"), "Shouts.", now)
    assert seat(evening, now=now) == [["ann", "bob"]]


def test_only_who_has_the_right_manages_it():
    evening = evening_of("ann", "bob")
    bob = person("bob")
    for act in (
        lambda: seat(evening, by="bob"),
        lambda: services.tick(evening, bob, [bob], START),
        lambda: services.untick(evening, bob, person("ann"), START),
        lambda: services.close(evening, bob, START),
        lambda: services.correct(evening, bob, 0, 0, [], "So.", START),
        lambda: services.open_tournament(evening.club, bob, Tournament.Kind.EVENING, "Mine", GameTerms(2), START),
    ):
        with pytest.raises(Refused, match="Only a steward"):
            act()


def test_a_correction_has_possible_places_a_reason_and_waits_for_the_end():
    evening = evening_of("ann", "bob", "dan")
    ann = person("ann")
    seat(evening)

    def correct(places, reason="Counted wrong.", index=0):
        services.correct(evening, ann, 0, index, places, reason, LATER)

    with pytest.raises(Refused, match="still going on"):
        correct([1, 2, 3])
    end_all(evening)
    for places in ([1, 2], [1, 1, 2], [0, 1, 2], [2, 3, 4]):
        with pytest.raises(Refused, match="can’t be"):
            correct(places)
    with pytest.raises(Refused, match="Say why"):
        correct([2, 1, 3], " ")
    with pytest.raises(Refused, match="no such table"):
        correct([2, 1, 3], index=1)
    correct([2, 1, 3])
    [table] = events.standing(evening).rounds[0].tables
    assert table.places == (2, 1, 3) and table.corrected and table.points == ()
    correct([])
    assert not events.standing(evening).counted


def test_nothing_happens_after_the_end_but_games_that_run_count():
    evening = evening_of("ann", "bob")
    seat(evening)
    services.close(evening, person("ann"), START)
    for act in (
        lambda: seat(evening),
        lambda: services.enter(evening, person("cho"), START, evening.token),
        lambda: services.leave(evening, person("bob"), START),
        lambda: services.close(evening, person("ann"), START),
    ):
        with pytest.raises(Refused, match="over"):
            act()
    end_all(evening)
    assert events.standing(evening).counted


def test_a_forgotten_evening_ends_by_itself():
    evening = evening_of("ann", "bob")
    due.work(START + timedelta(hours=11))
    evening.refresh_from_db()
    assert evening.closed_at is None
    seat(evening, now=START + timedelta(hours=11))
    due.work(START + timedelta(hours=30))  # a game is being played
    evening.refresh_from_db()
    assert evening.closed_at is None
    end_all(evening, START + timedelta(hours=30))
    due.work(START + timedelta(hours=43))
    evening.refresh_from_db()
    assert evening.closed_at == START + timedelta(hours=42) and evening.wake_at is None


def test_who_comes_and_goes_does_not_hold_a_forgotten_evening_open():
    evening = evening_of("ann", "bob")
    for hour in range(1, 9):
        services.leave(evening, person("bob"), START + timedelta(hours=hour))
        services.enter(evening, person("bob"), START + timedelta(hours=hour, minutes=30))
    services.leave(evening, person("bob"), START + timedelta(hours=12))
    due.work(START + timedelta(hours=12))
    evening.refresh_from_db()
    assert evening.closed_at == START + timedelta(hours=12)


@pytest.mark.parametrize("by", ["bob", "ann"], ids=["themselves", "a steward"])
def test_one_person_comes_to_one_event_ten_times_at_most(by):
    evening = evening_of("ann", "bob")

    def goes_and_comes():
        if by == "bob":
            services.leave(evening, person("bob"), START)
            services.enter(evening, person("bob"), START)
        else:
            services.untick(evening, person("ann"), person("bob"), START)
            services.tick(evening, person("ann"), [person("bob")], START)

    for _ in range(services.MOST_COMINGS - 1):
        goes_and_comes()
    with pytest.raises(Refused, match="10 times"):
        goes_and_comes()
    services.leave(evening, person("bob"), START)
    count = evening.log.count()
    with pytest.raises(Refused, match="10 times"):
        services.enter(evening, person("bob"), START)
    services.leave(evening, person("bob"), START)
    assert evening.log.count() == count


def test_the_standing_that_is_kept_is_what_a_replay_gives_whatever_happens_and_is_rolled_back():
    evening, rng = evening_of(*SIX), Random(7)
    at = START

    class RolledBack(Exception):
        pass

    def something():
        name, act = rng.choice(SIX[1:]), rng.randrange(6)
        here = person(name).pk in events.standing(evening).here
        match act:
            case 0 | 1:
                (services.leave if here else services.enter)(evening, person(name), at)
            case 2:
                change = services.untick if here else services.tick
                change(evening, person("ann"), person(name) if here else [person(name)], at)
            case 3:
                evenings.seat_everybody(evening, person("ann"), at, how=rng.choice([RANDOM, UNMET]))
            case 4:
                end_all(evening, at)
            case 5:
                services.correct(evening, person("ann"), 0, 0, [], f"For the {at:%M}th time.", at)

    for _ in range(60):
        at += timedelta(minutes=1)
        with contextlib.suppress(Refused, RolledBack, IndexError), transaction.atomic():
            something()
            if rng.random() < 0.3:
                raise RolledBack
        kept = events.standing(evening)
        assert kept == replay(events.events(evening))
        kept.entrants.clear()
        kept.rounds.clear()
        assert events.standing(evening) == audit.check(Tournament.objects.get(pk=evening.pk))
    assert len(events.standing(evening).rounds) > 3


def test_the_audit_finds_a_standing_that_does_not_follow_from_the_events():
    evening = evening_of("ann", "bob")
    told = events.standing(evening)
    told.entrants[person("bob").pk] = replace(told.entrants[person("bob").pk], here=False)
    Tournament.objects.filter(pk=evening.pk).update(standing=told.to_json())
    with pytest.raises(audit.WrongTournament, match="does not stand"):
        audit.check(Tournament.objects.get(pk=evening.pk))


def test_an_end_that_could_not_be_recorded_is_recorded_later(monkeypatch):
    evening = evening_of("ann", "bob")
    seat(evening)
    with monkeypatch.context() as broken:
        broken.setattr(playing, "record", lambda *_: 1 / 0)
        end_all(evening)
    assert not events.standing(evening).counted
    due.work(LATER)
    assert events.standing(evening).counted


@pytest.mark.twice
def test_the_events_are_chained_and_the_database_refuses_to_change_them():
    evening = evening_of("ann", "bob")
    seat(evening)
    link, rows = chain.first_link(bytes(evening.origin)), list(evening.log.order_by("number"))
    for event in rows:
        link = chain.next_link(link, event.columns)
        assert bytes(event.link) == link
    assert [type(event.payload) for event in rows] == [Opened, Entered, Entered, RoundBegun]
    with pytest.raises(TypeError):
        event.save()
    with pytest.raises(TypeError):
        event.delete()
    for sql in ("UPDATE games_tournamentevent SET reason = 'x'", "DELETE FROM games_tournamentevent"):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)


def test_the_audit_finds_a_result_of_a_game_that_had_none(rewriting):
    evening = evening_of("ann", "bob")
    seat(evening)
    end(evening, 0, aborted=True)
    assert not audit.check(Tournament.objects.get(pk=evening.pk)).counted
    rewriting("""UPDATE games_match SET result = '{"places": [2, 1]}'""")
    with pytest.raises(audit.WrongTournament, match="not that of match"):
        audit.check(Tournament.objects.get(pk=evening.pk))


def test_the_audit_finds_a_result_whose_game_is_missing(rewriting):
    evening = evening_of("ann", "bob")
    seat(evening)
    end_all(evening)
    rewriting("UPDATE games_match SET agreed = ''")
    with pytest.raises(audit.WrongTournament, match="there is no match"):
        audit.check(Tournament.objects.get(pk=evening.pk))


def test_the_audit_finds_what_was_changed_behind_the_back_of_the_events(rewriting):
    evening = evening_of("ann", "bob")
    seat(evening)
    end_all(evening)
    assert audit.check(Tournament.objects.get(pk=evening.pk)).counted
    rewriting("UPDATE games_tournamentevent SET reason = 'x' WHERE number = 1")
    with pytest.raises(audit.WrongTournament, match="event 1: it, or the"):
        audit.check(Tournament.objects.get(pk=evening.pk))
    rewriting("UPDATE games_tournamentevent SET reason = '' WHERE number = 1")
    rewriting("""UPDATE games_match SET result = '{"places": [2, 1]}'""")
    with pytest.raises(audit.WrongTournament, match="not that of match"):
        audit.check(Tournament.objects.get(pk=evening.pk))


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="on SQLite one writes at a time")
@pytest.mark.django_db(transaction=True)
def test_a_round_does_not_wait_for_who_holds_the_club():
    evening = evening_of("ann", "bob")
    held, seated = Event(), Event()

    @transaction.atomic
    def hold():
        clubs.at_desk(evening.club, person("ann"), Right.EVENTS)
        held.set()
        assert seated.wait(10)

    def begin():
        held.wait(10)
        seat(evening)
        seated.set()

    assert at_once(hold, begin) == [None, None]


@pytest.mark.django_db(transaction=True)
def test_of_two_stewards_who_seat_everybody_at_once_one_does():
    evening = evening_of(*SIX)
    clubs.appoint(evening.club, person("ann"), person("bob"), START)
    came = at_once(*[lambda by=by: seat(evening, by=by, rounds=0) for by in ("ann", "bob")])
    assert came.count(None) == 1 and "just begun this round" in str(came)
    assert len(events.standing(evening).rounds) == 1 and Match.objects.count() == 2
