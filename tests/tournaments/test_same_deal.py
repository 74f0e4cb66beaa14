"""The same deal for all: several tables play one deal, are compared seat by seat, and nobody else sees them before."""

from collections import Counter
from datetime import timedelta
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from django.db import transaction

from accounts.models import ArchivedMatch, Member, Rating, User
from accounts.web.refused import Refused
from games.lobby import pending
from games.matches import finish, history, logs, play
from games.matches.clocks import ms_of
from games.matches.models import Match, Seat
from games.matches.verify import faults
from games.tournaments import audit, deals, due, duplicate, events, newcomers, playing, services
from games.tournaments.models import Tournament
from tests.clubs.clubs import START
from tests.people import person
from tests.tournaments.deals import deal_of, duplicate_of, matches
from tests.tournaments.evenings import LATER, end_all

pytestmark = pytest.mark.django_db
FOUR = "ann", "bob", "dan", "eve"
HOUR = timedelta(hours=1)
WEEK = timedelta(days=7)


def seat(tournament, now=START, by="ann", **chosen):
    duplicate.seat_everybody(tournament, person(by), now, **chosen)
    return events.standing(tournament).rounds[-1]


def score(match, *points, left=(), now=LATER, cancelled=False, stopped=False):
    """The game of a match ends with these points by seat."""
    with transaction.atomic():
        Seat.objects.filter(match=match, index__in=left).update(left="leave", left_ply=0)
        result = {"places": [1 + sum(other > each for other in points) for each in points], "points": [*points]}
        result |= {"winners": [], "category_winners": [None] * 5} | ({"ended": "abandoned"} if stopped else {})
        status = Match.Status.ABORTED if cancelled else Match.Status.FINISHED
        finish.close(match, status, ms_of(now), None if cancelled else result)
        playing.ended(match)


def standings(tournament):
    """Place, name, percent, matchpoints."""
    names = {person(name).pk: name for name in (*FOUR, "fay", "gus")}
    rows = deals.table(events.standing(tournament))
    return [(row.place, names[row.player], row.percent, row.points) for row in rows]


def test_all_tables_of_a_round_have_the_same_cards_and_each_round_its_own():
    found = duplicate_of(*FOUR)
    seat(found)
    first, second = matches(found)
    one, other = history.replay(first), history.replay(second)
    assert one.seed == other.seed and one.state(0).opened() == other.state(0).opened()
    assert {each.share_from for match in (first, second) for each in match.sitting} == {Seat.From.SITE}
    assert [each.status for each in (first, second)] == [Match.Status.RUNNING] * 2
    end_all(found)
    seat(found, LATER)
    assert history.replay(matches(found)[0]).seed != one.seed


def test_the_deals_are_fixed_when_it_opens():
    found = duplicate_of(*FOUR, rounds=3)
    opened = found.log.get(number=0).payload.settings["commitments"]
    assert len(set(opened)) == 3
    seat(found)
    assert {match.commitment for match in matches(found)} == {opened[0]}
    audit.check(Tournament.objects.get(pk=found.pk))
    Tournament.objects.filter(pk=found.pk).update(secret=bytes(32))
    with pytest.raises(audit.WrongTournament, match="not the one that was fixed"):
        audit.check(Tournament.objects.get(pk=found.pk))


def test_a_hidden_match_verifies_and_is_archived_at_the_close():
    found = duplicate_of(*FOUR, rounds=1)
    seat(found)
    for match in matches(found):
        play.leave(match, 1, Seat.Left.RESIGN, ms_of(START + HOUR))
    assert not ArchivedMatch.objects.exists()
    for match in matches(found):
        assert match.status == Match.Status.FINISHED and not faults(match, logged(match), [])
    due.work(LATER + HOUR)
    found.refresh_from_db()
    assert found.closed_at and ArchivedMatch.objects.count() == 4
    for match in matches(found):
        assert not match.hidden
        assert not faults(match, logged(match), ArchivedMatch.objects.filter(match=match.key))
    audit.check(Tournament.objects.get(pk=found.pk))


def logged(match):
    [(_match, entries)] = logs.read([match.pk])
    return entries


def test_each_seat_is_compared_with_that_seat():
    found = duplicate_of(*FOUR, rounds=1)
    round_ = seat(found)
    first, second = matches(found)
    score(first, 9, 5)
    score(second, 7, 8)
    [comparison] = deals.comparisons(events.standing(found))
    assert [[(each.score, each.points, each.percent) for each in where] for where in comparison.seats] == [
        [(9, 2, 100), (7, 0, 0)],
        [(8, 2, 100), (5, 0, 0)],
    ]
    by_player = {player: row for row in deals.table(events.standing(found)) for player in [row.player]}
    assert by_player[round_.tables[0].players[0]].percent == 100
    due.work(LATER)
    audit.check(Tournament.objects.get(pk=found.pk))


def test_who_leaves_is_below_all_who_finish_and_their_rival_has_the_average():
    found = duplicate_of(*FOUR, "fay", "gus", rounds=1)
    seat(found)
    first, second, third = matches(found)
    score(first, 1, 2)
    score(second, 0, 0, left=[0], stopped=True)
    score(third, 0, 0, cancelled=True)
    [comparison] = deals.comparisons(events.standing(found))
    there = {each.match: (each.score, each.points, each.percent, each.stayed) for each in comparison.seats[0]}
    assert there == {
        first.key: (1, 4, 100, False),
        second.key: (None, 1, 25, False),
        third.key: (None, 1, 25, False),
    }
    there = {each.match: (each.score, each.points, each.percent, each.stayed) for each in comparison.seats[1]}
    assert there == {
        first.key: (2, 2, 100, False),
        third.key: (None, 0, 0, False),
        second.key: (None, 1, 50, True),
    }


def test_people_change_rivals_and_seats_and_who_is_left_over_has_a_bye():
    found = duplicate_of(*FOUR, "fay", rounds=5)
    met, sat, byes = Counter(), Counter(), Counter()
    for hour in range(5):
        round_ = seat(found, START + hour * HOUR)
        assert [len(table.players) for table in round_.tables] == [2, 2]
        byes.update(round_.byes)
        met.update(frozenset(table.players) for table in round_.tables)
        sat.update((player, at) for table in round_.tables for at, player in enumerate(table.players))
        end_all(found, START + hour * HOUR + HOUR / 2)
    assert set(byes.values()) == {1} and max(met.values()) <= 2
    assert max(sat.values()) <= 3
    bye = standings(found)
    assert len(bye) == 5 and all(row[2] >= 50 for row in bye)


def test_seats_are_turned_as_far_as_can_be():
    sat = Counter({(1, 0): 1, (2, 1): 1, (3, 2): 1, (1, 1): 1})
    assert deals.turned((1, 2, 3), sat, Random(1)) == (2, 3, 1)
    assert {deals.turned((1, 2, 3), Counter(), Random(seed)) for seed in range(40)} == {*permutations((1, 2, 3))}


def test_fewer_than_two_tables_are_refused():
    found = duplicate_of("ann", "bob", "dan")
    with pytest.raises(Refused, match="two tables"):
        seat(found)


@pytest.mark.once
def test_sixty_four_players_sit_at_sixteen_tables_with_one_deal():
    found = duplicate_of("ann", seats=4)
    club = found.club
    for number in range(63):
        club.members.create(user=person(f"p{number}"), role="member", joined_at=START)
        services.enter(found, person(f"p{number}"), START)
    round_ = seat(found)
    due.work(START)
    assert [len(table.players) for table in round_.tables] == [4] * 16
    assert len({bytes(match.secret) for match in matches(found)}) == 1


def test_only_members_take_part_and_once():
    found = duplicate_of(*FOUR)
    assert not found.token
    with pytest.raises(Refused, match="Only members"):
        services.enter(found, person("zoe"), START)
    with pytest.raises(Refused, match="Only members"):
        services.tick(found, person("ann"), [person("zoe")], START)
    services.enter(found, person("bob"), START)
    seat(found)
    assert len(events.standing(found).here) == 4
    with pytest.raises(Refused, match="all games of this one"):
        seat(found)


def test_who_leaves_in_the_second_round_gets_no_seat_in_the_third():
    found = duplicate_of(*FOUR, "fay", "gus", rounds=3)
    for hour in range(2):
        seat(found, START + hour * HOUR)
        if hour:
            services.leave(found, person("gus"), START + hour * HOUR)
        end_all(found, START + hour * HOUR + HOUR / 2)
    round_ = seat(found, START + 2 * HOUR)
    there = {player for table in round_.tables for player in table.players}
    assert person("gus").pk not in there and len(there) == 4
    assert "gus" in [name for _place, name, *_rest in standings(found)]


def test_two_stewards_do_not_begin_two_rounds_nor_close_it_twice():
    found = duplicate_of(*FOUR)
    found.club.members.filter(user=person("bob")).update(role="steward")
    seat(found, rounds=0)
    with pytest.raises(Refused, match="Someone else"):
        seat(found, by="bob", rounds=0)
    end_all(found)
    services.close(found, person("bob"), LATER)
    with pytest.raises(Refused, match="over"):
        services.close(found, person("ann"), LATER)
    with pytest.raises(Refused, match="over"):
        seat(found)


def test_only_the_clock_cancels_games_and_then_everything_is_opened():
    found = duplicate_of(*FOUR, "fay", "gus", rounds=2)
    seat(found)
    first, second, third = matches(found)
    score(first, 9, 5)
    score(second, 7, 8)
    with pytest.raises(Refused, match="still being played"):
        services.close(found, person("ann"), LATER)
    due.work(LATER + events.FORGOTTEN)
    found.refresh_from_db()
    [comparison] = deals.comparisons(events.standing(found))
    assert comparison.tables == 2
    assert not any(match.hidden for match in matches(found))
    third.refresh_from_db()
    assert third.status == Match.Status.ABORTED
    assert deals.comparisons(events.standing(found)) == [comparison]
    audit.check(Tournament.objects.get(pk=found.pk))


def test_it_closes_by_the_clock_after_the_last_round_or_when_it_is_forgotten():
    found = duplicate_of(*FOUR, rounds=1)
    seat(found)
    due.work(LATER)
    found.refresh_from_db()
    assert found.closed_at is None
    end_all(found)
    due.work(LATER + HOUR)
    found.refresh_from_db()
    assert found.closed_at == LATER + HOUR
    ann, terms = person("ann"), services.GameTerms(seats=2)
    again = Tournament.Kind.DUPLICATE
    forgotten = duplicate.create(found.club, ann, again, "Forgotten", terms, START, game=found.rules)
    due.work(START + 12 * HOUR)
    forgotten.refresh_from_db()
    assert forgotten.closed_at == START + 12 * HOUR


def test_a_steward_strikes_out_a_table_only_after_the_close():
    found = duplicate_of(*FOUR, rounds=1)
    seat(found)
    first, second = matches(found)
    score(first, 9, 5)
    score(second, 7, 8)
    with pytest.raises(Refused, match="Once it’s over"):
        services.correct(found, person("ann"), 0, 0, [], "They talked.", LATER)
    services.close(found, person("ann"), LATER)
    with pytest.raises(Refused, match="can’t be set"):
        services.correct(found, person("ann"), 0, 0, [2, 1], "They talked.", LATER)
    services.correct(found, person("ann"), 0, 0, [], "They talked.", LATER)
    [comparison] = deals.comparisons(events.standing(found))
    assert comparison.tables == 1 and [seat[0].percent for seat in comparison.seats] == [50, 50]


# The deal of the week


def test_everybody_plays_the_deal_once_in_the_same_seat_with_the_same_cards():
    deal = deal_of(*FOUR)
    first, second = (duplicate.play(deal, person(name), START) for name in ("bob", "dan"))
    assert first.secret == second.secret and first.hidden
    for match, name in ((first, "bob"), (second, "dan")):
        assert [seat.user and seat.user.username for seat in match.sitting] == [name, None, None]
    with pytest.raises(Refused, match="once"):
        duplicate.play(deal, person("bob"), START)
    with pytest.raises(Refused, match="Only members"):
        duplicate.play(deal, person("zoe"), START)
    for act in (services.enter, lambda *args: services.tick(args[0], args[1], [person("eve")], args[2])):
        with pytest.raises(Refused, match="by themselves"):
            act(deal, person("ann"), START)
    score(first, 4, 5, 6)
    score(second, 0, 0, 0, cancelled=True)
    assert [row[1:] for row in standings(deal)] == [("bob", Fraction(100), 2), ("dan", Fraction(0), 0)]


def test_it_closes_on_monday_as_of_its_deadline_however_late_the_worker_is():
    deal = deal_of(*FOUR)
    until = duplicate.closing(START)
    assert (until.weekday(), until.hour, until - START >= duplicate.SHORTEST, until - START <= timedelta(days=10)) == (
        0,
        0,
        True,
        True,
    )
    in_time, late, running = (duplicate.play(deal, person(name), START) for name in ("ann", "bob", "dan"))
    score(in_time, 4, 5, 6)
    score(late, 9, 5, 6, now=until)
    with pytest.raises(Refused, match="over"):
        duplicate.play(deal, person("eve"), until)
    due.work(until + HOUR)
    deal.refresh_from_db()
    assert deal.closed_at == until
    assert standings(deal)[0][:2] == (1, "ann")
    assert deals.comparisons(events.standing(deal))[0].tables == 1
    running.refresh_from_db()
    assert not running.hidden and running.status == Match.Status.ABORTED
    assert not faults(running, logged(running), [])
    audit.check(Tournament.objects.get(pk=deal.pk))


def test_a_weekly_deal_follows_one_that_was_played_until_a_steward_ends_the_series():
    deal = deal_of(*FOUR, weekly=True)
    now = START
    for name in ("bob", "dan"):
        duplicate.play(deal, person(name), now)
        now = duplicate.closing(now)
        due.work(now)
        [following] = Tournament.objects.filter(closed_at=None)
        assert following.number == deal.number + 1 and following.settings["until"] == ms_of(now + WEEK)
        assert following.secret != deal.secret and following.name != deal.name
        deal = following
    duplicate.make_last(deal, person("ann"), now)
    with pytest.raises(Refused, match="No other deal"):
        duplicate.make_last(deal, person("ann"), now)
    duplicate.play(deal, person("eve"), now)
    due.work(now + WEEK)
    assert not Tournament.objects.filter(closed_at=None).exists()


def test_nobody_begins_a_deal_during_another_live_game():
    deal = deal_of(*FOUR)
    duplicate.play(deal_like(deal), person("bob"), START)
    with pytest.raises(Refused, match="live game"):
        duplicate.play(deal, person("bob"), START)


def deal_like(deal):
    """Another deal of the same club."""
    terms = services.GameTerms(seats=3)
    return duplicate.create(deal.club, person("ann"), Tournament.Kind.DEAL, "Another", terms, START, game=deal.rules)


def test_no_deal_follows_one_that_nobody_played():
    deal = deal_of(*FOUR, weekly=True)
    due.work(duplicate.closing(START))
    assert Tournament.objects.count() == 1 and Tournament.objects.get(pk=deal.pk).closed_at


@pytest.fixture
def joined_late():
    """Lets somebody join the club of an event an hour after it opened, who has met so many people with settled ratings,
    whose accounts are as old as that, on so many days: joined_late(event, name, people, days, age)."""

    def joins(event, name, people=0, days=2, age=timedelta(days=1)):
        user = person(name)
        Member.objects.create(club=event.club, user=user, joined_at=START + HOUR)
        met = [person(f"{name}_met_{number}") for number in range(people)]
        User.objects.filter(pk__in=[each.pk for each in met]).update(date_joined=START - age)
        rating = {"game": "biblios", "pool": "2", "games": 50, "opponents": [each.pk for each in met]}
        Rating.objects.create(user=user, **rating)
        for number in range(4):
            ArchivedMatch.objects.create(
                user=user,
                match=f"{name}{number}",
                ended_at=START + timedelta(days=number % days),
                **{"game": "biblios", "seats": 2, "seat": 0, "place": 1, "won": True, "points": 9},
                **{"names": [], "scores": [], "pool": "2", "before": 1500, "after": 1510},
            )
        return user

    return joins


def test_who_joined_after_a_deal_opened_plays_it_after_games_with_several_people_on_two_days(joined_late):
    found = deal_of("ann", "bob")
    duplicate.play(found, person("bob"), LATER)
    enough = newcomers.PEOPLE
    new = [
        joined_late(found, "fay", enough - 1),
        joined_late(found, "gus", enough, days=1),
        joined_late(found, "hal", enough, age=-HOUR),
    ]
    for each in new:
        with pytest.raises(Refused, match="with 5 people who have been here for longer"):
            duplicate.play(found, each, LATER)
        assert not pending.actions(each, LATER), "nobody is offered what is refused"
        assert each.pk not in events.standing(found).entrants
    ivy = joined_late(found, "ivy", enough)
    assert duplicate.play(found, ivy, LATER).hidden
    assert newcomers.of(found, events.standing(found)) == {person("bob").pk, ivy.pk}


def test_who_joined_after_a_duplicate_evening_opened_needs_a_steward(joined_late):
    found = duplicate_of(*FOUR)
    fay = joined_late(found, "fay")
    with pytest.raises(Refused, match="A steward can let you in"):
        services.enter(found, fay, LATER)
    services.tick(found, person("ann"), [fay], LATER)
    services.leave(found, fay, LATER)
    services.enter(found, fay, LATER)
    assert fay.pk in events.standing(found).here


def test_the_table_marks_who_joined_since_the_deal_before_with_few_games(joined_late):
    first = deal_of("ann", "bob", weekly=True)
    duplicate.play(first, person("ann"), LATER)
    fay, gus = joined_late(first, "fay"), joined_late(first, "gus", newcomers.PEOPLE)
    due.work(START + WEEK)
    second = Tournament.objects.get(number=2)
    players = [person("ann"), fay, gus]
    for player in players:
        duplicate.play(second, player, START + WEEK + HOUR)
    assert newcomers.of(second, events.standing(second)) == {fay.pk}
    assert newcomers.of(first, events.standing(first)) == {person("ann").pk}  # there was none before
