"""Round robins, Swiss tournaments, knock-outs and box leagues: from entering to the final table."""

from datetime import timedelta
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Member, Notice, User
from accounts.web import throttle
from accounts.web.refused import Refused
from games.engine.registry import title
from games.matches.clocks import Clock
from games.matches.models import Match
from games.tournaments import audit, computing, contests, due, duplicate, evenings, events, plan, services
from games.tournaments.contests import Plan
from games.tournaments.formats.core import WIN
from games.tournaments.formats.robin import MOST_ROBIN
from games.tournaments.models import Tournament
from games.tournaments.payloads import Forfeited
from games.tournaments.services import GameTerms
from games.tournaments.standing import replay
from tests.at_once import at_once
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.tournaments.deals import duplicate_of
from tests.tournaments.evenings import end, end_all, evening_of, tables

pytestmark = pytest.mark.django_db
Kind = Tournament.Kind
EIGHT = "ann", "bob", "dan", "eve", "fay", "gus", "hal", "ivy"
DAILY = GameTerms(clock=Clock.daily(1), seats=2)
DAY = timedelta(days=1)


def open_with(kind, *names, terms=None, **chosen):
    """A tournament that these members have entered, in this order; the first is a steward."""
    club = club_of(*names, season=False).club
    terms = terms or GameTerms(seats=2)
    if terms.clock.pace == Match.Pace.DAILY:
        chosen.setdefault("days", 28)
    found = contests.create(club, person(names[0]), kind, "Cup", terms, Plan(**chosen), START, game=title())
    for name in names:
        services.enter(found, person(name), START)
    return found


def begun(kind, *names, **chosen):
    found = open_with(kind, *names, **chosen)
    contests.begin(found, person(names[0]), START)
    due.work(START)  # which lays the tables, if they are many
    return found


def go_on(tournament, now=START + timedelta(hours=1)):
    contests.next_round(tournament, person("ann"), now)


def table(tournament):
    """The places, names and points."""
    standing = events.standing(tournament)
    names = dict(Member.objects.filter(club=tournament.club).values_list("user", "user__username"))
    return [
        [(row.place, names.get(row.player), row.points) for row in plan.rows(standing, group)]
        for group in standing.groups
    ]


def closed(tournament):
    tournament.refresh_from_db()
    return tournament.closed_at is not None


def work(tournament, now):
    due.do(tournament, now)


def test_a_round_robin_is_played_round_after_round_and_ends_by_itself():
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", "dan", "eve")
    met = []
    for number in range(3):
        assert len(events.standing(cup).rounds) == number + 1
        met += tables(cup)
        with pytest.raises(Refused, match="once all games of this one are over"):
            go_on(cup)
        end_all(cup)
        if number < 2:
            work(cup, START + timedelta(hours=1))  # only a steward begins a round that is played live
            go_on(cup)
    assert sorted(met) == [["ann", x] for x in ("bob", "dan", "eve")] + [["bob", x] for x in ("dan", "eve")] + [
        ["dan", "eve"]
    ]
    assert not closed(cup)
    work(cup, START + timedelta(hours=2))
    assert closed(cup)
    assert sum(points for _place, _name, points in table(cup)[0]) == 12
    assert person("bob").notices.filter(kind="tournament-over").exists()


def test_a_round_robin_by_correspondence_begins_all_games_at_once():
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", "dan", terms=DAILY)
    standing = events.standing(cup)
    assert [len(each.tables) for each in standing.rounds] == [1, 1, 1]
    assert [len(each.byes) for each in standing.rounds] == [1, 1, 1]
    assert Match.objects.filter(status=Match.Status.RUNNING, pace=Match.Pace.DAILY).count() == 3
    assert person("bob").notices.filter(kind="games").count() == 1
    assert person("bob").notices.filter(kind="round").count() == 0


def test_the_clock_decides_what_is_not_over_in_time():
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", terms=DAILY, days=2)
    [only] = events.standing(cup).rounds[0].tables
    match = Match.objects.get(key=only.match)
    cup.refresh_from_db()
    assert cup.wake_at == START + DAY  # the reminder
    work(cup, START + 2 * DAY)
    after = events.standing(cup).rounds[0].tables[0]
    late = match.seats.get(index=match.mover).user_id  # the only one who had to move has used all of the time
    assert after.late == (late,) and after.places[after.players.index(late)] == 2
    assert closed(cup)
    assert audit.check(cup) == events.standing(cup)
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING  # it goes on, but its end changes nothing
    end(cup, 0, 2, 1, now=START + 3 * DAY)
    assert events.standing(cup).rounds[0].tables[0] == after


def test_whose_games_are_not_over_are_reminded_a_day_and_an_hour_before_once_each():
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", "dan", terms=DAILY, days=3)
    late = set(tables(cup)[0])
    end(cup, 0, 1, 2, number=0)
    end(cup, 0, 1, 2, number=1)
    hour = timedelta(hours=1)
    told = []
    for now in (2 * DAY - hour, 2 * DAY, 2 * DAY + hour, 3 * DAY - hour, 3 * DAY - hour / 2):
        cup.refresh_from_db()
        assert (cup.wake_at <= START + now) == (now in (2 * DAY, 3 * DAY - hour))
        work(cup, START + now)
        told.append({name: person(name).notices.filter(kind="games-soon").count() for name in ("ann", "bob", "dan")})
    expected = [dict.fromkeys(("ann", "bob", "dan"), 0) | dict.fromkeys(late, times) for times in (0, 1, 1, 2, 2)]
    assert told == expected


def test_a_worker_who_comes_after_the_deadline_reminds_nobody_of_it():
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", terms=DAILY, days=3)
    work(cup, START + 3 * DAY)
    assert not person("ann").notices.filter(kind="games-soon").exists()
    assert closed(cup)


def test_a_game_that_ends_after_its_deadline_counts_as_it_stood_then():
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", terms=DAILY, days=2)
    match = Match.objects.get(key=events.standing(cup).rounds[0].tables[0].match)
    late = match.mover
    end(cup, 0, *([1, 2] if late == 0 else [2, 1]), now=START + 2 * DAY + timedelta(seconds=1))
    assert not events.standing(cup).rounds[0].tables[0].over  # the worker was away
    work(cup, START + 3 * DAY)
    assert events.standing(cup).rounds[0].tables[0].places[late] == 2
    assert cup.log.get(kind=Forfeited.kind).at == START + 2 * DAY


@pytest.mark.parametrize(
    ("spent", "gone", "places"),
    [
        ((30, 10), (False, False), [2, 1]),
        ((20, 20), (False, False), [1, 1]),
        ((10, 30), (True, False), [1, 1]),  # both are at fault
        ((10, 10, 40), (False, False, False), [1, 1, 3]),
        ((0, 40), (True, True), [1, 1]),
    ],
)
def test_who_used_more_than_their_share_or_left_comes_after_the_others(spent, gone, places):
    shares = [Fraction(sum(spent), len(spent))] * len(spent)
    assert plan.judged(spent, shares, gone) == places


def test_swiss_winners_meet_winners_and_nobody_twice():
    cup = begun(Kind.SWISS, *EIGHT, rounds=3)
    first = tables(cup)
    end_all(cup)
    go_on(cup)
    winners = {row.player for row in plan.rows(events.standing(cup), events.standing(cup).groups[0]) if row.points}
    for each in events.standing(cup).rounds[1].tables:
        assert len(winners & set(each.players)) in (0, 2)
    second = tables(cup)
    assert not [pair for pair in first if pair in second]
    end_all(cup)
    go_on(cup)
    end_all(cup)
    work(cup, START + timedelta(hours=3))
    assert closed(cup)
    assert [points for _place, _name, points in table(cup)[0]] == [6, 4, 4, 4, 2, 2, 2, 0]


def test_swiss_late_comers_withdrawals_and_byes():
    cup = open_with(Kind.SWISS, *EIGHT[:5], rounds=4)
    services.leave(cup, person("fay"), START)
    contests.begin(cup, person("ann"), START)
    end_all(cup)
    services.enter(cup, person("fay"), START)
    go_on(cup)
    [bye] = events.standing(cup).rounds[1].byes
    assert plan.scores(events.standing(cup))[bye] >= WIN
    end_all(cup)
    services.leave(cup, person("ann"), START)
    go_on(cup)
    assert "ann" not in {name for pair in tables(cup) for name in pair}
    end_all(cup)
    go_on(cup)
    assert events.standing(cup).byes.get(bye) == 1


def test_swiss_at_tables_of_three_and_four():
    cup = begun(Kind.SWISS, *EIGHT[:7], terms=GameTerms(seats=4), rounds=2)
    assert sorted(map(len, tables(cup))) == [3, 4]
    end_all(cup)
    assert sorted(points for _place, _name, points in table(cup)[0]) == [0, 0, 2, 3, 4, 6, 6]
    go_on(cup)
    assert len(events.standing(cup).rounds) == 2


def test_a_knock_out_leads_to_one_winner():
    cup = begun(Kind.KNOCKOUT, *EIGHT[:5])
    standing = events.standing(cup)
    assert (len(standing.rounds[0].tables), len(standing.rounds[0].byes)) == (1, 3)
    assert set(standing.rounds[0].byes) == set(standing.groups[0][:3])
    end(cup, 0, 1, 1)  # a shared place: the better seed goes on
    go_on(cup)
    assert events.standing(cup).groups[0][4] not in {
        p for t in events.standing(cup).rounds[1].tables for p in t.players
    }
    end(cup, 0, aborted=True)  # as if it was shared
    end(cup, 1, 2, 1)
    go_on(cup)
    end(cup, 0, 2, 1)
    work(cup, START + timedelta(hours=3))
    assert closed(cup)
    assert [place for place, _name, _points in table(cup)[0]] == [1, 2, 3, 3, 5]


def test_whoever_leaves_a_knock_out_lets_their_rival_go_on():
    cup = begun(Kind.KNOCKOUT, *EIGHT[:4])
    end_all(cup)
    winners = sorted(set(events.standing(cup).groups[0]) - plan.lost(events.standing(cup)))
    gone = next(name for name in EIGHT[:4] if person(name).pk == winners[0])
    services.leave(cup, person(gone), START)
    work(cup, START + timedelta(hours=3))
    assert closed(cup)
    assert plan.rows(events.standing(cup), events.standing(cup).groups[0])[0].player in winners


def test_whoever_leaves_a_round_robin_loses_the_games_to_come():
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", "dan", "eve")
    services.leave(cup, person("eve"), START)
    services.leave(cup, person("dan"), START)
    end_all(cup)
    go_on(cup)
    end_all(cup)
    go_on(cup)
    standing = events.standing(cup)
    late = [table for each in standing.rounds[1:] for table in each.tables if table.late]
    assert late and not any(table.match for table in late)
    both = [table for table in late if len(table.late) == 2]
    assert not any(table.places for table in both)  # nobody wins where both have left
    for each in late:
        if len(each.late) == 1:
            assert each.places[each.players.index(each.late[0])] == 2


def test_a_box_league_moves_two_up_and_two_down():
    cup = begun(Kind.BOXES, *EIGHT, terms=DAILY, box=4)
    standing = events.standing(cup)
    assert [len(box) for box in standing.groups] == [4, 4]
    assert [len(each.tables) for each in standing.rounds] == [4, 4, 4]
    for number in range(3):
        for index in range(4):
            end(cup, index, 1, 2, number=number, now=START + DAY)
    finals = [[row.player for row in plan.rows(events.standing(cup), box)] for box in events.standing(cup).groups]
    services.leave(cup, person("ivy"), START + DAY)
    work(cup, START + 2 * DAY)
    after = events.standing(cup)
    assert after.turns == 2 and after.turn_began == 3
    moved = [*finals[0][:2], *finals[1][:2], *finals[0][2:], *finals[1][2:]]
    assert [p for box in after.groups for p in box] == [p for p in moved if p != person("ivy").pk]
    assert plan.scores(after)[finals[0][0]] == 0  # a turn begins at nothing
    told = person("bob").notices.filter(kind="games", seen_at=None)
    assert told.count() == 2  # each with a mail of its own: that a turn begins is news, whatever has been seen
    services.close(cup, person("ann"), START + 3 * DAY)
    assert closed(cup)


def test_what_is_refused():
    cup = open_with(Kind.ROUND_ROBIN, "ann", "bob", "dan")
    services.leave(cup, person("bob"), START)
    services.leave(cup, person("dan"), START)
    with pytest.raises(Refused, match="at least 2 players"):
        contests.begin(cup, person("ann"), START)
    services.enter(cup, person("bob"), START)
    with pytest.raises(Refused):
        contests.begin(cup, person("bob"), START)
    contests.begin(cup, person("ann"), START)
    with pytest.raises(Refused, match="begun already"):
        contests.begin(cup, person("ann"), START)
    with pytest.raises(Refused, match="nobody can come in"):
        services.enter(cup, person("dan"), START)


@pytest.mark.parametrize(
    ("kind", "terms", "chosen", "told"),
    [
        (Kind.ROUND_ROBIN, GameTerms(seats=3), Plan(), "tables of two"),
        (Kind.BOXES, GameTerms(seats=2), Plan(), "by correspondence"),
        (Kind.BOXES, DAILY, Plan(days=28, box=9), "Players in a box: choose a number from 4 to 6"),
        (Kind.SWISS, GameTerms(seats=2), Plan(rounds=0), "Rounds: choose a number from 1 to 15"),
        (Kind.SWISS, DAILY, Plan(days=0), "from 1 to 90"),
        (Kind.SWISS, DAILY._replace(clock=Clock.daily(3)), Plan(days=2), "as many days for a round"),
    ],
)
def test_what_cannot_be_played_is_not_opened(kind, terms, chosen, told):
    club = club_of("ann", season=False).club
    with pytest.raises(Refused, match=told):
        contests.create(club, person("ann"), kind, "Cup", terms, chosen, START, game=title())
    assert not club.tournaments.exists()


def test_a_round_robin_has_a_limit():
    names = [f"p{number}" for number in range(MOST_ROBIN)]
    cup = open_with(Kind.ROUND_ROBIN, "ann", *names)
    with pytest.raises(Refused, match="16 players at most"):
        contests.begin(cup, person("ann"), START)


@pytest.mark.once
def test_sixty_four_play_swiss():
    names = [f"p{number}" for number in range(63)]
    cup = begun(Kind.SWISS, "ann", *names, rounds=2)
    assert len(tables(cup)) == 32


def test_one_large_round_is_computed_at_a_time(monkeypatch):
    monkeypatch.setattr(computing, "LARGE", 4)
    cup = open_with(Kind.SWISS, *EIGHT[:4], rounds=2)
    with computing._one_at_a_time, pytest.raises(Refused, match="try again in a minute"):
        contests.begin(cup, person("ann"), START)
    assert not events.standing(cup).rounds
    contests.begin(cup, person("ann"), START)
    assert len(tables(cup)) == 2


@pytest.mark.parametrize("how", [evenings.seat_everybody, duplicate.seat_everybody])
def test_large_rounds_of_evenings_are_computed_apart_too(monkeypatch, how):
    monkeypatch.setattr(computing, "LARGE", 4)
    event = evening_of(*EIGHT[:4], terms=GameTerms(2)) if how == evenings.seat_everybody else duplicate_of(*EIGHT[:4])
    with computing._one_at_a_time, pytest.raises(Refused, match="try again in a minute"):
        how(event, person("ann"), START)
    how(event, person("ann"), START)
    assert len(tables(event)) == 2


def test_what_is_refused_cheaply_is_not_computed(monkeypatch, at_most):
    monkeypatch.setattr(plan, "next_rounds", None)
    cup = open_with(Kind.SWISS, *EIGHT[:4], rounds=2)
    night = evening_of(*EIGHT[:2], terms=GameTerms(2), slug="cluny")
    evenings.seat_everybody(night, person(EIGHT[0]), START)
    with pytest.raises(Refused, match=f"elsewhere: {EIGHT[0]}, {EIGHT[1]}. Wait"):
        contests.begin(cup, person("ann"), START)
    at_most("event games", 0)
    with pytest.raises(throttle.TooMany):
        contests.begin(cup, person("ann"), START)


def test_the_clock_tries_again_a_minute_after_another_large_round(monkeypatch, caplog):
    monkeypatch.setattr(computing, "LARGE", 4)
    cup = begun(Kind.SWISS, *EIGHT[:4], terms=DAILY, rounds=2)
    with computing._one_at_a_time:
        end_all(cup, now=START + timedelta(hours=1))
        due.work(START + timedelta(hours=1))
    cup.refresh_from_db()
    assert cup.wake_at == START + timedelta(hours=1, minutes=1) and not caplog.records
    due.work(cup.wake_at)
    assert len(events.standing(cup).rounds) == 2


@pytest.mark.django_db(transaction=True)
def test_two_stewards_begin_the_next_round_at_once():
    cup = begun(Kind.SWISS, *EIGHT[:4])
    end_all(cup)

    def press():
        contests.next_round(cup, person("ann"), START + timedelta(hours=1), rounds=1)

    outcomes = at_once(press, press)
    assert len(events.standing(cup).rounds) == 2
    assert outcomes.count(None) == 1


def test_everything_replays_from_its_events():
    cup = begun(Kind.KNOCKOUT, *EIGHT[:6])
    end_all(cup)
    go_on(cup)
    log = events.events(cup)
    assert replay(log) == events.standing(cup)
    assert [each.over for each in replay(log[: len(log) - 1]).rounds] == [True]


def test_whoever_is_left_when_a_rival_withdraws_from_the_final_has_won():
    cup = begun(Kind.KNOCKOUT, *EIGHT[:4])
    end_all(cup)
    finalists = [p for p in events.standing(cup).groups[0] if p not in plan.lost(events.standing(cup))]
    services.leave(cup, User.objects.get(pk=finalists[0]), START)
    work(cup, START + timedelta(hours=3))
    assert closed(cup)
    rows = plan.rows(events.standing(cup), events.standing(cup).groups[0])
    assert [(row.place, row.player) for row in rows[:2]] == [(1, finalists[1]), (2, finalists[0])]


def test_a_round_robin_goes_on_without_whoever_closed_their_account():
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", "dan", "eve")
    services.leave(cup, person("eve"), START)
    User.objects.filter(username="eve").update(closed=True, is_active=False)
    end_all(cup)
    go_on(cup)
    assert len(events.standing(cup).rounds) == 2


def test_who_goes_on_in_a_knock_out_is_not_corrected_afterwards():
    cup = begun(Kind.KNOCKOUT, *EIGHT[:4])
    end_all(cup)
    go_on(cup)
    with pytest.raises(Refused, match="who goes on"):
        services.correct(cup, person("ann"), 0, 0, [2, 1], "A slip.", START + timedelta(hours=1))
    end_all(cup)
    services.correct(cup, person("ann"), 1, 0, [2, 1], "A slip.", START + timedelta(hours=2))
    assert events.standing(cup).rounds[1].tables[0].places == (2, 1)


def test_a_deadline_decides_after_a_steward_has_ended_it_too():
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", terms=DAILY, days=2)
    services.close(cup, person("ann"), START + DAY)
    work(cup, START + 2 * DAY)
    assert events.standing(cup).rounds[0].tables[0].late
    cup.refresh_from_db()
    assert cup.wake_at is None


def test_the_worker_looks_at_games_that_are_not_recorded_only():
    cup = begun(Kind.ROUND_ROBIN, *EIGHT, terms=DAILY, days=2)
    for number in range(7):
        for index in range(4 if number < 6 else 3):
            end(cup, index, 1, 2, number=number, now=START + DAY)
    Tournament.objects.filter(pk=cup.pk).update(wake_at=START + DAY)
    with CaptureQueriesContext(connection) as seen:
        due.do(cup, START + DAY)
    assert sum('"games_tournamentevent"."data"' in query["sql"] for query in seen.captured_queries) <= 6


def test_members_are_told_the_name_as_it_is_kept():
    club = club_of("ann", "bob", season=False).club
    terms, chosen = GameTerms(seats=2, rated=True), Plan()
    cup = contests.create(club, person("ann"), Kind.SWISS, "Spring\u202e  cup", terms, chosen, START, game=title())
    assert cup.name == "Spring cup"
    assert Notice.objects.get(kind="tournament").values["event"] == cup.name
