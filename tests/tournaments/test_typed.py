"""Nights and tournaments with real cards: results are entered, confirmed, disputed and decided."""

import csv
import re
from collections import Counter
from datetime import timedelta

import pytest
from django.urls import reverse

from accounts.clubs import clubs
from accounts.models import Notice, User
from accounts.web.refused import Refused
from games.engine.registry import title
from games.matches.clocks import Clock
from games.matches.models import Match
from games.tournaments import audit, contests, due, events, guests, pending, services, shown, teams, typed
from games.tournaments.contests import Plan
from games.tournaments.models import Tournament
from games.tournaments.payloads import TableFinished
from games.tournaments.services import GameTerms
from tests.at_once import at_once
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import evening_of, seat

pytestmark = pytest.mark.django_db
SOON = START + timedelta(hours=1)
Kind = Tournament.Kind
SIX = "ann", "bob", "dan", "eve", "fay", "gus"


@pytest.fixture
def night():
    """A night at which bob, dan and eve sit at one table with real cards, and the steward does not play."""
    found = evening_of("ann", "bob", "dan", "eve", terms=GameTerms(seats=3))
    found.at_table = True
    found.save(update_fields=["at_table"])
    services.leave(found, person("ann"), START)
    seat(found)
    return found


def players(night):
    [table] = events.standing(night).rounds[0].tables
    return [User.objects.get(pk=player) for player in table.players]


def enter(night, user, places=(1, 2, 3), points=(), reason="", now=SOON):
    typed.enter(night, user, 0, 0, places, points, reason, now)


def table(night):
    return events.standing(night).rounds[0].tables[0]


def test_a_result_counts_once_another_player_confirms_it(night):
    first, second, third = players(night)
    assert not Match.objects.exists()
    enter(night, first, points=(9, 5, 4))
    assert not table(night).over
    with pytest.raises(Refused, match="entered this result yourself"):
        typed.confirm(night, first, 0, 0, night.typed.get().said, SOON)
    with pytest.raises(Refused, match="already entered this result"):
        enter(night, first)
    with pytest.raises(Refused, match=f"{first.username} has entered another result"):
        enter(night, second, places=(2, 1, 3))
    typed.confirm(night, second, 0, 0, night.typed.get().said, SOON)
    assert (table(night).places, table(night).points) == ((1, 2, 3), (9, 5, 4))
    assert not night.typed.exists()
    with pytest.raises(Refused, match="already has its result"):
        enter(night, third)
    audit.check(Tournament.objects.get(pk=night.pk))


def test_who_enters_the_same_confirms_it(night):
    first, second, _third = players(night)
    enter(night, first)
    enter(night, second)
    assert table(night).over


def test_a_disputed_result_waits_for_a_steward_who_says_why_they_change_it(night):
    first, second, _third = players(night)
    enter(night, first)
    with pytest.raises(Refused, match="say what"):
        typed.dispute(night, second, 0, 0, " ", SOON)
    typed.dispute(night, second, 0, 0, "I was first.", SOON)
    due.do(night, START + timedelta(days=9))
    with pytest.raises(Refused, match="A steward decides"):
        typed.confirm(night, second, 0, 0, night.typed.get().said, SOON)
    with pytest.raises(Refused, match="Say why"):
        enter(night, person("ann"), places=(2, 1, 3))
    enter(night, person("ann"), places=(2, 1, 3), reason="The sheet says so.")
    assert table(night).places == (2, 1, 3)
    assert night.log.get(kind=TableFinished.kind).reason == "The sheet says so."
    assert night.club.decisions.filter(kind="decided").exists()


def test_the_others_of_the_table_are_asked_until_it_is_answered(night, at):
    first, second, third = players(night)

    def asked(user):
        told = Notice.objects.filter(user=user, kind=typed.NOTICE).count()
        return told, [str(each.sentence) for each in pending.results(user, SOON)]

    enter(night, first)
    assert asked(first) == asked(person("ann")) == (0, [])
    for user in (second, third):
        number, [sentence] = asked(user)
        assert number == 1 and first.username in sentence and "confirm it" in sentence
    assert "confirm it" in text(at(second.username).get(reverse("lobby")))
    typed.withdraw(night, first, 0, 0, SOON)
    assert asked(second) == asked(third) == (0, [])
    enter(night, first, places=(2, 1, 3))
    typed.dispute(night, second, 0, 0, "I was first.", SOON)
    assert asked(second) == asked(third) == (0, [])
    assert "1 result of an event to decide" in text(at("ann").get(night.club.get_absolute_url()))
    page = at("ann").get(f"{night.get_absolute_url()}/result/1/1").content.decode()
    assert re.findall(r'<option value="(\d)" selected', page) == ["2", "1", "3"]
    enter(night, person("ann"), places=(2, 1, 3))  # as it stands there: without a reason
    assert table(night).places == (2, 1, 3)
    assert "to decide" not in text(at("ann").get(night.club.get_absolute_url()))


def test_waiting_results_count_when_the_next_round_begins(night, at):
    first, second, _third = players(night)
    enter(night, first)
    assert "1 result waits for a second player; it counts when the round begins" in text(
        at("ann").get(night.get_absolute_url())
    )
    typed.dispute(night, second, 0, 0, "I was first.", SOON)
    with pytest.raises(Refused, match="Decide it first"):
        seat(night, rounds=1)
    enter(night, person("ann"))
    seat(night, rounds=1)
    [second_table] = events.standing(night).rounds[1].tables
    typed.enter(night, User.objects.get(pk=second_table.players[0]), 1, 0, (1, 2, 3), (), "", SOON)
    with pytest.raises(Refused, match="just begun"):
        seat(night, rounds=1)
    assert night.typed.count() == 1
    seat(night, rounds=2)
    rounds = events.standing(night).rounds
    assert len(rounds) == 3 and rounds[1].tables[0].places == (1, 2, 3) and not night.typed.exists()
    assert not Notice.objects.filter(kind=typed.NOTICE).exists()
    audit.check(Tournament.objects.get(pk=night.pk))


def test_unanswered_it_counts_after_48_hours_or_when_a_steward_says_so(night):
    first, second, _third = players(night)
    enter(night, first)
    night.refresh_from_db()
    assert night.wake_at <= SOON + typed.CONFIRM
    due.do(night, SOON + typed.CONFIRM - timedelta(minutes=1))
    assert not table(night).over
    with pytest.raises(Refused):
        typed.count_all(night, second, SOON)
    typed.count_all(night, person("ann"), SOON)
    assert table(night).places == (1, 2, 3)


def test_the_clock_lets_an_unanswered_result_count(night):
    enter(night, players(night)[0])
    due.do(night, SOON + typed.CONFIRM)
    assert table(night).over


def test_nobody_else_enters_a_result(night):
    first, _second, _third = players(night)
    with pytest.raises(Refused, match="Only the players of this table"):
        enter(night, person("gus"))
    with pytest.raises(Refused, match="These places"):
        enter(night, first, places=(1, 1, 2))
    with pytest.raises(Refused, match="everyone, or of no one"):
        enter(night, first, points=(4,))
    with pytest.raises(Refused, match="more points"):
        enter(night, first, points=(1, 2, 3))
    with pytest.raises(Refused, match="no such table"):
        typed.enter(night, first, 4, 0, (1, 2, 3), (), "", SOON)
    assert not night.typed.exists()


def test_players_answer_on_the_page_and_strangers_read_nothing_of_it(night, at):
    first, second, _third = players(night)
    page = night.get_absolute_url()
    assert "Enter result" in text(at(first.username).get(page))
    reply = at(first.username).post(f"{page}/result/1/1", {"place_0": "1", "place_1": "2", "place_2": "3"})
    assert reply.status_code == 302
    waiting = night.typed.get()
    assert f"{first.username} entered this result" in text(at(second.username).get(f"{page}/result/1/1"))
    person("gus")
    assert "waits to be confirmed" not in text(at("gus").get(page))
    assert at("gus").get(f"{page}/result/1/1").status_code == 404
    at(second.username).post(f"{page}/answer/1/1", {"answer": "confirm", "seen": waiting.said})
    assert table(night).places == (1, 2, 3)


def test_results_that_count_are_a_table_for_a_spreadsheet(night, at):
    first, second, third = players(night)
    address = f"{night.get_absolute_url()}/results.csv"
    enter(night, first, points=(9, 5, 4))
    assert len(list(csv.DictReader(at("ann").get(address).content.decode().splitlines()))) == 0
    enter(night, second, points=(9, 5, 4))
    rows = list(csv.DictReader(at("ann").get(address).content.decode().lstrip("\ufeff").splitlines()))
    told = [(row["round"], row["player"], row["place"], row["points"]) for row in rows]
    assert told == [
        ("1", first.username, "1", "9"),
        ("1", second.username, "2", "5"),
        ("1", third.username, "3", "4"),
    ]
    night.club.private = True
    night.club.save()
    person("gus")
    assert at("gus").get(address).status_code == 404


# Whole tournaments


def cup_of(kind, *names, daily=False, **chosen):
    """A tournament with real cards that these members have entered; the first of them is a steward."""
    terms = GameTerms(clock=Clock.daily(1), seats=2) if daily else GameTerms(seats=2)
    if daily:
        chosen |= {"days": 2}
    club = club_of(*names, season=False).club
    found = contests.create(club, person(names[0]), kind, "Cup", terms, Plan(**chosen), START, game=title())
    found.at_table = True
    found.save(update_fields=["at_table"])
    for name in names:
        services.enter(found, person(name), START)
    return found


def play(found, now):
    """At every open table the first player wins: one enters it, the other confirms."""
    for number, each in enumerate(events.standing(found).rounds):
        for index, table in enumerate(each.tables):
            if not table.over:
                for player in table.players:
                    typed.enter(found, User.objects.get(pk=player), number, index, (1, 2), (), "", now)


def play_on(found, now=SOON, most=9):
    """Every round, begun by the steward, until it is over."""
    while Tournament.objects.get(pk=found.pk).closed_at is None:
        most -= 1
        assert most, "it does not end"
        play(found, now)
        now += timedelta(minutes=5)
        due.do(Tournament.objects.get(pk=found.pk), now)
        if events.standing(found).waiting:
            contests.next_round(found, person("ann"), now)
    ended = Tournament.objects.get(pk=found.pk)
    audit.check(ended)
    assert not Match.objects.exists()
    return events.standing(ended)


@pytest.mark.parametrize("kind", [Kind.ROUND_ROBIN, Kind.SWISS, Kind.KNOCKOUT, Kind.DOUBLE])
def test_a_tournament_of_two_is_played_with_real_cards_to_its_end(kind):
    found = cup_of(kind, "ann", "bob", "dan", "eve", rounds=2)
    contests.begin(found, person("ann"), START)
    rounds = play_on(found).rounds
    assert all(table.places == (1, 2) for each in rounds for table in each.tables)
    assert len(rounds) >= 2


def test_groups_and_their_cup_are_played_with_real_cards():
    found = cup_of(Kind.GROUPS, *SIX, group=3, through=1)
    contests.begin(found, person("ann"), START)
    rounds = play_on(found).rounds
    assert len(rounds[-1].tables) == 1 and all(each.over for each in rounds)


def test_boards_of_teams_are_played_with_real_cards(at):
    found = cup_of(Kind.TEAMS, "ann", "bob", "dan", "eve", boards=2)
    for number, pair in enumerate((("ann", "bob"), ("dan", "eve"))):
        teams.make(found, person("ann"), f"Team {number}", START)
        for name in pair:
            teams.choose(found, person(name), number, START)
    contests.begin(found, person("ann"), START)
    [round_] = play_on(found).rounds
    assert [table.places for table in round_.tables] == [(1, 2), (1, 2)]
    assert "Team 1" in text(at("ann").get(found.get_absolute_url()))
    assert at("ann").get(f"{found.get_absolute_url()}/print").status_code == 200


def test_an_arena_goes_on_as_results_come_in():
    found = cup_of(Kind.ARENA, "ann", "bob", "dan", "eve", minutes=30)
    contests.begin(found, person("ann"), START)
    now = START
    for waves in (1, 2, 3):
        now += timedelta(minutes=5)
        due.do(Tournament.objects.get(pk=found.pk), now)
        assert len(events.standing(found).rounds) == waves
        if waves < 3:
            play(found, now)
    one, _other = events.standing(found).rounds[2].tables
    typed.enter(found, User.objects.get(pk=one.players[0]), 2, 0, (2, 1), (), "", now)
    for later in (timedelta(minutes=31), timedelta(minutes=91), now - START + typed.CONFIRM):
        assert Tournament.objects.get(pk=found.pk).closed_at is None
        due.do(Tournament.objects.get(pk=found.pk), START + later)
        due.do(Tournament.objects.get(pk=found.pk), START + later)
    assert [table.places for table in events.standing(found).rounds[2].tables] == [(2, 1), ()]
    ended = Tournament.objects.get(pk=found.pk)
    assert ended.closed_at and all(each.over for each in events.standing(ended).rounds)
    audit.check(ended)


def test_at_its_deadline_a_missing_result_does_not_count_and_those_that_wait_keep_their_time():
    found = cup_of(Kind.SWISS, *SIX, daily=True, rounds=2)
    contests.begin(found, person("ann"), START)
    first, second, _third = events.standing(found).rounds[0].tables
    late = START + timedelta(days=2)
    typed.enter(found, User.objects.get(pk=first.players[0]), 0, 0, (2, 1), (), "", late - timedelta(hours=1))
    typed.enter(found, User.objects.get(pk=second.players[0]), 0, 1, (1, 2), (), "", late - timedelta(hours=1))
    typed.dispute(found, User.objects.get(pk=second.players[1]), 0, 1, "I won.", late - timedelta(hours=1))
    due.do(Tournament.objects.get(pk=found.pk), late)
    [round_] = events.standing(found).rounds
    assert [table.over for table in round_.tables] == [False, False, True] and found.typed.count() == 2
    assert Tournament.objects.get(pk=found.pk).wake_at == late - timedelta(hours=1) + typed.CONFIRM
    late += typed.CONFIRM
    due.do(Tournament.objects.get(pk=found.pk), late)
    rounds = events.standing(found).rounds
    assert [table.places for table in rounds[0].tables] == [(2, 1), (), ()]
    assert rounds[0].over and len(rounds) == 2 and not found.typed.exists()
    services.correct(found, person("ann"), 0, 1, (2, 1), "They told me.", late)
    assert events.standing(found).rounds[0].tables[1].places == (2, 1)
    due.do(Tournament.objects.get(pk=found.pk), late + timedelta(days=2))
    ended = Tournament.objects.get(pk=found.pk)
    assert ended.closed_at
    audit.check(ended)


def test_a_round_with_a_table_without_a_result_does_not_begin_and_nothing_counts():
    found = cup_of(Kind.SWISS, "ann", "bob", "dan", "eve", rounds=2)
    contests.begin(found, person("ann"), START)
    first, second = events.standing(found).rounds[0].tables
    typed.enter(found, User.objects.get(pk=max(first.players)), 0, 0, (1, 2), (), "", SOON)
    with pytest.raises(Refused, match="1 table has no result yet"):
        contests.next_round(found, person("ann"), SOON)
    assert found.typed.count() == 1 and not events.standing(found).rounds[0].tables[0].over
    typed.enter(found, User.objects.get(pk=max(second.players)), 0, 1, (1, 2), (), "", SOON)
    contests.next_round(found, person("ann"), SOON)
    assert len(events.standing(found).rounds) == 2


# Who may not, and when


def test_who_has_been_expelled_enters_and_confirms_nothing(night):
    first, second, third = [each for each in players(night) if each.username != "ann"]
    enter(night, first)
    clubs.expel(night.club, person("ann"), second, "Rude.", SOON)
    with pytest.raises(Refused, match="expelled"):
        typed.confirm(night, second, 0, 0, night.typed.get().said, SOON)
    assert pending.results(second, SOON) == []
    typed.confirm(night, third, 0, 0, night.typed.get().said, SOON)
    assert table(night).over


def test_after_the_close_nobody_enters_what_they_have_played_and_what_waits_can_be_answered(night):
    first, second, third = players(night)
    enter(night, first)
    services.close(night, person("ann"), SOON)
    assert len(pending.results(second, SOON)) == 1
    typed.dispute(night, second, 0, 0, "I was\0 first.", SOON)
    assert night.typed.get().word == "I was first."
    typed.withdraw(night, first, 0, 0, SOON)
    for each in (first, second, third):
        with pytest.raises(Refused, match="It’s over"):
            enter(night, each)


def test_bots_do_not_sit_at_a_real_table(night):
    enter(night, person("ann"))
    with pytest.raises(Refused, match="Bots"):
        seat(night, size=4, fill=True)


def test_only_who_entered_a_result_withdraws_it(night):
    first, second, _third = players(night)
    enter(night, first)
    with pytest.raises(Refused, match="Only whoever entered"):
        typed.withdraw(night, second, 0, 0, SOON)
    typed.withdraw(night, first, 0, 0, SOON)
    enter(night, second, places=(2, 1, 3))
    assert night.typed.get().entered_by == second


def test_a_name_in_the_file_is_no_formula(night, at):
    first, second, third = players(night)
    User.objects.filter(pk=third.pk).update(username="=1+1")
    enter(night, first)
    enter(night, second)
    told = at("ann").get(f"{night.get_absolute_url()}/results.csv").content.decode()
    assert "'=1+1" in told and ",=1+1" not in told


@pytest.mark.django_db(transaction=True)
def test_of_two_who_enter_at_once_one_is_asked_or_confirms(night):
    first, second, _third = players(night)
    at_once(lambda: enter(night, first), lambda: enter(night, second))
    assert table(night).places == (1, 2, 3) and not night.typed.exists()


@pytest.mark.parametrize("decided", [True, False])
def test_a_result_disputed_after_the_deadline_is_a_stewards_to_decide_until_its_time_is_over(decided):
    found = cup_of(Kind.SWISS, "ann", "bob", "dan", "eve", daily=True, rounds=1)
    contests.begin(found, person("ann"), START)
    pairs = [each.players for each in events.standing(found).rounds[0].tables]
    index = next(number for number, pair in enumerate(pairs) if person("ann").pk not in pair)
    one, other = (User.objects.get(pk=player) for player in pairs[index])
    late = START + timedelta(days=2)
    typed.enter(found, one, 0, index, (1, 2), (), "", late - timedelta(minutes=1))
    with pytest.raises(Refused, match="deadline of this round has passed"):
        typed.enter(found, person("ann"), 0, 1 - index, (1, 2), (), "", late)
    due.do(Tournament.objects.get(pk=found.pk), late)
    typed.dispute(found, other, 0, index, "I won.", late)
    due.do(Tournament.objects.get(pk=found.pk), late)
    assert not events.standing(found).rounds[0].tables[index].over, "to dispute does not strike it out"
    with pytest.raises(Refused, match="A steward decides"):
        typed.withdraw(found, one, 0, index, late)
    if decided:
        typed.enter(found, person("ann"), 0, index, (1, 2), (), "I saw it.", late)
    assert Tournament.objects.get(pk=found.pk).wake_at <= late + typed.CONFIRM
    due.do(Tournament.objects.get(pk=found.pk), late + typed.CONFIRM)
    assert events.standing(found).rounds[0].tables[index].places == ((1, 2) if decided else ())
    audit.check(Tournament.objects.get(pk=found.pk))


def test_a_steward_lets_nothing_count_that_they_have_entered_of_their_own_table(at):
    found = cup_of(Kind.SWISS, "ann", "bob", "dan", "eve", rounds=2)
    contests.begin(found, person("ann"), START)
    tables = events.standing(found).rounds[0].tables
    mine = next(index for index, table in enumerate(tables) if person("ann").pk in table.players)
    typed.enter(found, person("ann"), 0, mine, (1, 2), (), "", SOON)
    other = User.objects.get(pk=tables[1 - mine].players[0])
    typed.enter(found, other, 0, 1 - mine, (1, 2), (), "", SOON)
    assert "that you entered of your own table waits" in text(at("ann").get(found.get_absolute_url()))
    with pytest.raises(Refused, match="entered the result of your own table"):
        contests.next_round(found, person("ann"), SOON)
    assert found.typed.count() == 2
    typed.count_all(found, person("ann"), SOON)
    assert [found.typed.get().table] == [mine]
    with pytest.raises(Refused, match="entered the result of your own table"):
        typed.count_all(found, person("ann"), SOON)
    rival = next(player for player in tables[mine].players if player != person("ann").pk)
    typed.confirm(found, User.objects.get(pk=rival), 0, mine, found.typed.get().said, SOON)
    contests.next_round(found, person("ann"), SOON)
    assert len(events.standing(found).rounds) == 2


def test_where_the_others_have_no_device_a_steward_counts_it_and_all_read_that_they_played(at):
    found = evening_of("ann", terms=GameTerms(seats=3))
    found.at_table = True
    found.save(update_fields=["at_table"])
    guests.enter_names(found, person("ann"), "Emil\nDora", "here", START)
    seat(found)
    enter(found, person("ann"))
    assert table(found).places == (1, 2, 3) and not found.typed.exists()
    assert [row.kind for row in found.club.decisions.filter(kind__startswith="decided")] == ["decided_own"]
    person("gus")
    assert "Only ann entered this result, and played in it" in text(at("gus").get(found.get_absolute_url()))
    audit.check(Tournament.objects.get(pk=found.pk))


def test_the_page_of_an_arena_with_real_cards_leads_to_the_result(at):
    found = cup_of(Kind.ARENA, "ann", "bob", minutes=30)
    contests.begin(found, person("ann"), START)
    due.do(Tournament.objects.get(pk=found.pk), START + timedelta(minutes=1))
    assert "Enter result" in text(at("bob").get(found.get_absolute_url()))


@pytest.mark.parametrize("kind", [Kind.KNOCKOUT, Kind.DOUBLE])
def test_the_table_of_a_cup_says_how_far_each_has_come(kind, at):
    found = cup_of(kind, "ann", "bob", "dan", "eve")
    contests.begin(found, person("ann"), START)
    play_on(found)
    rows = shown.shown(Tournament.objects.get(pk=found.pk), person("ann"), SOON).groups[0].rows
    semi = ["Semi-finals"] * 2 if kind == Kind.KNOCKOUT else [f"Losers’ bracket, round {n}" for n in (2, 1)]
    assert [row.reached for row in rows] == ["Winner", "Final", *semi]
    assert "Reached" in text(at("ann").get(found.get_absolute_url()))


def test_the_table_of_a_cup_tells_who_has_won_the_game_for_the_third_place():
    found = cup_of(Kind.KNOCKOUT, "ann", "bob", "dan", "eve", third=1)
    contests.begin(found, person("ann"), START)
    *_, last = play_on(found).rounds
    third = last.tables[1].players
    rows = shown.shown(Tournament.objects.get(pk=found.pk), person("ann"), SOON).groups[0].rows
    assert [row.reached for row in rows] == ["Winner", "Final", "Third place", "Semi-finals"]
    assert tuple(row.player for row in rows[2:]) == third


def test_who_has_not_lost_twice_is_still_in_until_it_is_over(at):
    found = cup_of(Kind.DOUBLE, "ann", "bob", "dan", "eve")
    contests.begin(found, person("ann"), START)

    def reached():
        rows = shown.shown(Tournament.objects.get(pk=found.pk), person("ann"), SOON).groups[0].rows
        return Counter(row.reached for row in rows)

    assert reached() == {"Still in": 4}
    play(found, SOON)
    assert reached() == {"Still in": 4}  # nobody has lost twice
    contests.next_round(found, person("ann"), SOON)
    play(found, SOON)
    assert reached() == {"Still in": 3, "Losers’ bracket, round 1": 1}
    assert "Still in" in text(at("bob").get(found.get_absolute_url()))
    play_on(found)
    assert reached()["Still in"] == 0


@pytest.mark.django_db(transaction=True)
def test_of_two_stewards_who_decide_at_once_one_is_told_that_it_has_its_result(night):
    first, second, _third = players(night)
    enter(night, first)
    typed.dispute(night, second, 0, 0, "I was first.", SOON)
    told = at_once(
        lambda: enter(night, person("ann"), places=(2, 1, 3), reason="The sheet."),
        lambda: enter(night, person("ann"), places=(1, 2, 3), reason="The sheet."),
    )
    assert sorted(map(bool, told)) == [False, True] and "already has its result" in "".join(filter(None, told))
    assert night.log.filter(kind=TableFinished.kind).count() == night.club.decisions.filter(kind="decided").count() == 1


def test_whoever_entered_a_disputed_result_cannot_enter_it_anew(night):
    first, second, _third = players(night)
    enter(night, first)
    typed.dispute(night, second, 0, 0, "I was first.", SOON)
    with pytest.raises(Refused, match="A steward decides"):
        typed.withdraw(night, first, 0, 0, SOON)
    clubs.appoint(night.club, person("ann"), second, START)
    clubs.dismiss(night.club, second, person("ann"))
    typed.withdraw(night, first, 0, 0, SOON)  # nobody could decide it
    assert not night.typed.exists()


def test_the_page_of_a_result_says_to_each_what_they_can_do(client, night):
    page = f"{night.get_absolute_url()}/result/1/1"
    first, second, _third = players(night)

    def seen(person, address=page):
        client.force_login(person)
        return text(client.get(address))

    assert "Reason" not in seen(first) and "counts at once" not in seen(first)
    assert "You play at table" in seen(first, night.get_absolute_url())
    assert "Bots fill" not in seen(person("ann"), night.get_absolute_url())
    assert "What you save counts at once." in seen(person("ann")) and "Reason" in seen(person("ann"))
    enter(night, first)
    assert "Withdraw it" in seen(first) and "or after 48 hours" in seen(first)
    assert "See the result" in seen(first, night.get_absolute_url())
    typed.dispute(night, second, 0, 0, "No, I won.", SOON)
    assert "Withdraw it" not in seen(first) and "No, I won." in seen(first)


def test_why_a_steward_decided_otherwise_stands_at_the_table(client, night):
    first, *_others = players(night)
    enter(night, first)
    enter(night, person("ann"), (2, 1, 3), reason="They had swapped seats.")
    client.force_login(first)
    told = text(client.get(night.get_absolute_url()))
    assert "Decided by a steward: They had swapped seats." in told
    assert "at the real table" in told and "casual" not in told  # no clock, no rating
