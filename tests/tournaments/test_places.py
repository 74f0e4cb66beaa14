"""What decides the places of a tournament beside its games: who left, byes on request, small tables, third places."""

from random import Random

import pytest

from accounts.web.refused import Refused
from games.tournaments import audit, contests, events, plan, services
from games.tournaments.pairing import groups, swiss
from games.tournaments.tiebreaks import CountedGame, Scores, TieBreak, buchholz, sonneborn_berger
from tests.clubs.clubs import START
from tests.people import person
from tests.tournaments.evenings import end_all
from tests.tournaments.test_bracket import KnockOut
from tests.tournaments.test_contests import EIGHT, Kind, begun, go_on, open_with, table

A, B, C = 1, 2, 3


def rows(cup):
    return [(row.place, row.player, row.points) for row in plan.rows(cup.standing, cup.standing.groups[0])]


def test_the_winner_of_a_walkover_has_one_more_than_the_finalist():
    cup = KnockOut(4)
    cup.begin_round()
    cup.end(0, 1)
    cup.end(1, 2)
    cup.leave(2)
    assert plan.finished(cup.standing, cup.standing.here)
    assert rows(cup)[:2] == [(1, 1, 2), (2, 2, 1)]


def test_the_game_for_the_third_place_is_beside_the_final():
    cup = KnockOut(4)
    cup.standing.settings = {"third": 1}
    cup.begin_round()
    cup.end(0, 1)
    cup.end(1, 2)
    cup.begin_round()
    assert [table.players for table in cup.standing.rounds[1].tables] == [(1, 2), (3, 4)]
    cup.end(0, 1)
    cup.end(1, 4)
    assert rows(cup) == [(1, 1, 2), (2, 2, 1), (3, 4, 0), (4, 3, 0)]
    assert cup.drawn()[1] == [((1, 2), 1)] and plan.finished(cup.standing, cup.standing.here)


def test_rivals_count_in_tie_breaks_for_what_they_are_worth():
    field = Scores({A: 4, B: 2, C: 0}, [CountedGame((A, B), (1, 2)), CountedGame((A, C), (1, 2))], {}, {C: 1})
    assert (buchholz(field, A), sonneborn_berger(field, A)) == (3, 3)


@pytest.mark.django_db
def test_rounds_that_a_swiss_player_missed_count_for_their_rivals():
    cup = begun(Kind.SWISS, *EIGHT[:6], rounds=3)
    end_all(cup)
    first = events.standing(cup).rounds[0].tables[0]
    gone, rival = first.players[1], first.players[0]
    services.leave(cup, next(person(name) for name in EIGHT if person(name).pk == gone), START)
    go_on(cup)
    standing = events.standing(cup)
    assert plan.of(standing).worth(standing)[gone] == 1  # lost, and one round missed
    [row] = [row for row in plan.rows(standing, standing.groups[0]) if row.player == rival]
    assert row.ties[TieBreak.BUCHHOLZ] == 1


@pytest.mark.django_db
def test_who_leaves_a_round_robin_before_half_of_it_counts_for_nobody():
    cup = begun(Kind.ROUND_ROBIN, *EIGHT[:6])
    end_all(cup)
    standing = events.standing(cup)
    gone = standing.rounds[0].tables[0].players[1]
    services.leave(cup, next(person(name) for name in EIGHT if person(name).pk == gone), START)
    standing = events.standing(cup)
    assert plan.of(standing).annulled(standing) == {gone}
    assert plan.scores(standing)[standing.rounds[0].tables[0].players[0]] == 0


@pytest.mark.django_db
def test_a_bye_on_request_is_a_draw_and_not_in_the_last_round():
    cup = open_with(Kind.SWISS, *EIGHT[:5], rounds=3, halves=1)
    with pytest.raises(Refused, match="take part"):
        contests.ask_bye(cup, person("gus"), True, START)
    contests.begin(cup, person("ann"), START)
    end_all(cup)
    contests.ask_bye(cup, person("bob"), True, START)
    before = plan.scores(events.standing(cup))[person("bob").pk]
    go_on(cup)
    standing = events.standing(cup)
    assert standing.rounds[1].halves == (person("bob").pk,) and not standing.rounds[1].byes
    assert plan.scores(standing)[person("bob").pk] == before + 1
    with pytest.raises(Refused, match="last round"):
        contests.ask_bye(cup, person("ann"), True, START)
    cup.refresh_from_db()
    assert audit.check(cup) == standing


@pytest.mark.django_db
def test_the_order_of_tie_breaks_can_be_chosen():
    cup = begun(Kind.ROUND_ROBIN, *EIGHT[:4], breaks="wins")
    standing = events.standing(cup)
    assert [*plan.rows(standing, standing.groups[0])[0].ties] == [
        TieBreak.WINS,
        TieBreak.DIRECT,
        TieBreak.SONNEBORN_BERGER,
    ]
    assert len(table(cup)[0]) == 4
    with pytest.raises(Refused, match="from the list"):
        contests.create(
            *(cup.club, person("ann"), Kind.SWISS, "Cup", services.GameTerms(seats=2)),
            *(contests.Plan(breaks="dice"), START),
            game=cup.rules,
        )


@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("people", [5, 7, 9, 11, 13, 14, 17, 23])
def test_nobody_sits_at_a_small_table_twice_before_everybody_has(people, size):
    chance, points, met = Random(people), dict.fromkeys(range(people), 0), []
    small = dict.fromkeys(range(people), 0)
    for _round in range(6):
        order = sorted(points, key=lambda person: -points[person])
        found = swiss.tables(order, size, points, chance, met=groups.meetings(met), small=small)
        assert sorted([*found.byes, *(each for table in found.tables for each in table)]) == [*range(people)]
        low = swiss.at_small(found.tables)
        fewest = sorted(small.values())[: len(low)]
        assert sorted(small[each] for each in low) == fewest
        if low and not any(small.values()):
            assert max(points[each] for each in low) <= min(points[each] for each in order if each not in low)
        for each in low:
            small[each] += 1
        met.append(found.tables)
        for seated in found.tables:
            for place, each in enumerate(chance.sample(seated, len(seated))):
                points[each] += len(seated) - place
