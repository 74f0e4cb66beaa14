"""Groups, then a knock-out: who meets whom in it, from entering to the winner."""

from datetime import timedelta

import pytest

from accounts.models import User
from accounts.web.refused import Refused
from games.engine.registry import title
from games.matches.clocks import Clock
from games.matches.models import Match
from games.tournaments import audit, contests, due, events, plan, services
from games.tournaments.contests import Plan
from games.tournaments.formats.groups import group_phase
from games.tournaments.models import Tournament
from games.tournaments.pairing import knockout
from games.tournaments.pairing.crosswise import seeds, snake
from games.tournaments.services import GameTerms
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import end, end_all

NINE = "ann", "bob", "dan", "eve", "fay", "gus", "hal", "ivy", "joe"
LATER = START + timedelta(hours=1)
DAY = timedelta(days=1)


def test_groups_are_dealt_out_to_and_fro():
    assert snake(range(8), 4) == ((0, 3, 4, 7), (1, 2, 5, 6))
    assert snake(range(5), 3) == ((0, 1, 2, 3, 4),)
    assert [len(group) for group in snake(range(7), 6)] == [3, 4]
    for people in range(6, 97):
        for size in range(3, 7):
            sizes = [len(group) for group in snake(range(people), size)]
            assert sum(sizes) == people and 3 <= min(sizes) <= max(sizes) <= 6 and max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(("groups", "through"), [(2, 2), (4, 2), (8, 2), (16, 2)])
def test_the_first_of_each_group_begins_against_the_second_of_its_neighbour(groups, through):
    qualified = [[10 * group + rank for rank in range(through)] for group in range(groups)]
    pairs = {tuple(sorted(table)) for table in knockout.pair(seeds(qualified), []).tables}
    crossed = {(10 * group, 10 * (group ^ 1) + 1) for group in range(groups)}
    assert pairs == {tuple(sorted(pair)) for pair in crossed}


@pytest.mark.parametrize("groups", range(2, 12))
@pytest.mark.parametrize("through", [1, 2, 3])
def test_people_of_one_group_meet_again_as_late_as_can_be(groups, through):
    qualified = [[10 * group + rank for rank in range(through)] for group in range(groups)]
    order = seeds(qualified)
    assert sorted(order) == sorted(player for group in qualified for player in group)
    slots = [order[seed] if seed < len(order) else None for seed in knockout.bracket(len(order))]
    half = len(slots) // 2
    if through == 2:  # only in the final
        for group in qualified:
            assert sorted(slots.index(player) < half for player in group) == [False, True]
    for one, other in zip(slots[::2], slots[1::2], strict=True):
        assert one is None or other is None or one // 10 != other // 10


# In a club


def cup_of(*names, terms=None, **chosen):
    club = club_of(*names, season=False).club
    terms = terms or GameTerms(seats=2)
    found = contests.create(
        club, person(names[0]), Tournament.Kind.GROUPS, "Cup", terms, Plan(**chosen), START, game=title()
    )
    for name in names:
        services.enter(found, person(name), START)
    return found


def begun(*names, **chosen):
    found = cup_of(*names, **chosen)
    contests.begin(found, person(names[0]), START)
    due.work(START)
    return found


def go_on(found):
    contests.next_round(found, person("ann"), LATER)


def end_groups(found):
    while events.standing(found).turns == 1:
        end_all(found)
        go_on(found)


@pytest.mark.django_db
def test_it_goes_from_groups_to_a_cup_to_a_winner(at):
    found = begun(*NINE[:8], group=4)
    standing = events.standing(found)
    assert [len(group) for group in standing.groups] == [4, 4] and len(standing.rounds[0].tables) == 4
    end_groups(found)
    standing = events.standing(found)
    tables = [[row.player for row in plan.rows(group_phase(standing), group)] for group in standing.first_groups]
    pairs = {frozenset(table.players) for table in standing.rounds[-1].tables}
    assert pairs == {frozenset((tables[0][0], tables[1][1])), frozenset((tables[1][0], tables[0][1]))}
    assert plan.lost(standing) == {player for table in tables for player in table[2:]}
    end_all(found)
    go_on(found)
    end_all(found)
    due.work(LATER)
    found.refresh_from_db()
    assert found.closed_at is not None and len(standing.first_groups) == 2
    standing = events.standing(found)
    [final] = standing.rounds[-1].tables
    assert plan.rows(standing, standing.groups[0])[0].player == final.players[0]
    assert audit.check(found) == standing
    page, best = text(at("").get(found.get_absolute_url())), User.objects.get(pk=final.players[0]).username
    assert all(told in page for told in ("Bracket", "Group 1", "Group 2", f"{best} has won"))
    assert f"1 {best}" in text(at("").get(f"{found.get_absolute_url()}/wall"))


@pytest.mark.django_db
def test_who_leaves_after_the_groups_is_passed_over():
    found = begun(*NINE[:8], group=4)
    for _round in range(3):
        end_all(found)
        if len(events.standing(found).rounds) < 3:
            go_on(found)
    standing = events.standing(found)
    first, second, third, _last = [row.player for row in plan.rows(standing, standing.groups[1])]
    services.leave(found, User.objects.get(pk=first), LATER)
    go_on(found)
    seeds_now = events.standing(found).groups[0]
    assert first not in seeds_now and {second, third} <= set(seeds_now) and len(seeds_now) == 4


@pytest.mark.django_db
def test_a_result_of_a_group_can_be_corrected_until_the_cup_rests_on_it():
    found = begun(*NINE[:8], group=4)
    end_groups(found)
    standing = group_phase(events.standing(found))
    order = [row.player for row in plan.rows(standing, standing.groups[0])]
    at = {
        frozenset(table.players): (number, index)
        for number, each in enumerate(standing.rounds)
        for index, table in enumerate(each.tables)
    }

    def turn_round(one, other):
        number, index = at[frozenset((one, other))]
        services.correct(
            found,
            person("ann"),
            number,
            index,
            standing.rounds[number].tables[index].places[::-1],
            "Counted wrong.",
            LATER,
        )

    turn_round(order[2], order[3])
    with pytest.raises(Refused, match="who goes on can’t change"):
        turn_round(order[0], order[1])


@pytest.mark.django_db
def test_by_correspondence_the_groups_begin_at_once_and_the_cup_follows_by_itself():
    found = begun(*NINE[:6], terms=GameTerms(2, Clock.daily(1)), group=3, through=1, days=7)
    standing = events.standing(found)
    assert len(standing.rounds) == 3 and Match.objects.filter(status=Match.Status.RUNNING).count() == 6
    for number in range(3):
        for index in range(2):
            end(found, index, 1, 2, number=number)
    due.work(LATER)
    standing = events.standing(found)
    assert standing.turns == 2 and len(standing.rounds[-1].tables) == 1
    assert person("ann").notices.filter(kind="games").count() >= 1
    due.work(LATER + 7 * DAY)
    found.refresh_from_db()
    assert found.closed_at is not None
    assert audit.check(found) == events.standing(found)


@pytest.mark.django_db
def test_what_is_refused():
    found = cup_of("ann", "bob")
    with pytest.raises(Refused, match="at least 3 players"):
        contests.begin(found, person("ann"), START)
    with pytest.raises(Refused, match="Choose a smaller number"):
        contests.create(
            found.club,
            person("ann"),
            Tournament.Kind.GROUPS,
            "Cup",
            GameTerms(2),
            Plan(group=3, through=3),
            START,
            game=title(),
        )


@pytest.mark.django_db
def test_everybody_leaves_in_the_groups():
    found = begun(*NINE[:6], group=3)
    for name in NINE[:6]:
        services.leave(found, person(name), START)
    end_all(found)
    due.work(LATER)
    found.refresh_from_db()
    while found.closed_at is None:
        go_on(found)
        due.work(LATER)
        found.refresh_from_db()
    assert audit.check(found) == events.standing(found)
