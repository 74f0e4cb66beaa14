"""Who can challenge whom: one decision for the page and for the server."""

from dataclasses import replace
from itertools import combinations
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.registry import title
from games.ladders.challenging import (
    ChallengeRefusal,
    Pending,
    Situation,
    drawn,
    may_challenge,
    refusal,
    table_refusal,
    tables_of,
)
from games.ladders.rules import DAY_MS, Rules
from games.ladders.standing import Player, Standing

pytestmark = pytest.mark.once

ANN, BOB, DAN, EVE, FAY, GIL, HAL, IVY, JAN, KIM = TEN = tuple(range(1, 11))
NOW = 100 * DAY_MS


def situation(*pending, at=NOW, rules=None, order=TEN, off=(), away=(), met=None, ends=200 * DAY_MS):
    """A season is running, and everybody can be challenged except as said. `pending`: players, the challenger first."""
    players = {player: Player(joined=0, idle_from=0) for player in (*order, *off)}
    for player in off:
        players[player].held = 1
    for player in away:
        players[player].vacation = (NOW - DAY_MS, NOW + DAY_MS)
    standing = Standing(
        order=tuple(order), players=players, rules=rules or Rules(), season=1, ends=ends, met=dict(met or {})
    )
    return Situation(standing, tuple(Pending(one, tuple(others)) for one, *others in pending), at)


# Two players, each reason by its name


def test_one_can_challenge_who_stands_at_most_4_places_above():
    assert [refusal(situation(), GIL, other) for other in (FAY, EVE, DAN, BOB)] == [None] * 4


def test_too_high():
    assert refusal(situation(), GIL, ANN) == ChallengeRefusal.TOO_HIGH
    assert refusal(situation(rules=Rules(reach=5)), GIL, ANN) is None


def test_below_you():
    assert refusal(situation(), GIL, HAL) == ChallengeRefusal.BELOW
    assert refusal(situation(), ANN, KIM) == ChallengeRefusal.BELOW


def test_yourself():
    assert refusal(situation(), GIL, GIL) == ChallengeRefusal.YOURSELF


def test_not_on_the_ladder():
    assert refusal(situation(), GIL, 99) == ChallengeRefusal.NOT_ON_LADDER


def test_whoever_is_not_on_the_ladder_challenges_nobody():
    assert refusal(situation(), 99, ANN) == ChallengeRefusal.OUTSIDER
    assert may_challenge(situation(), 99) == ChallengeRefusal.OUTSIDER


def test_you_have_too_many_out():
    two = situation((GIL, FAY), (GIL, EVE))
    assert refusal(two, GIL, DAN) == ChallengeRefusal.YOU_OUT
    assert refusal(situation((GIL, FAY)), GIL, DAN) is None
    assert refusal(replace(two, standing=situation(rules=Rules(most_out=3)).standing), GIL, DAN) is None


def test_challenges_by_others_are_not_out():
    assert refusal(situation((HAL, GIL), (IVY, GIL)), GIL, DAN) is None


def test_they_have_too_many_in():
    two = situation((EVE, DAN), (FAY, DAN))
    assert refusal(two, GIL, DAN) == ChallengeRefusal.THEY_IN
    assert refusal(situation((EVE, DAN)), GIL, DAN) is None
    assert refusal(replace(two, standing=situation(rules=Rules(most_in=3)).standing), GIL, DAN) is None
    # The third player of a table is in as well; a player who has made challenges is not.
    assert refusal(situation((EVE, BOB, DAN), (FAY, ANN, DAN)), GIL, DAN) == ChallengeRefusal.THEY_IN
    assert refusal(situation((DAN, BOB), (DAN, ANN)), GIL, DAN) is None


def test_already_playing():
    assert refusal(situation((GIL, DAN)), GIL, DAN) == ChallengeRefusal.PLAYING
    assert refusal(situation((DAN, GIL)), GIL, DAN) == ChallengeRefusal.PLAYING
    assert refusal(situation((BOB, DAN, GIL)), GIL, DAN) == ChallengeRefusal.PLAYING


def test_the_same_pair_not_again_within_7_days():
    met = {(DAN, GIL): NOW - 7 * DAY_MS + 1}
    assert refusal(situation(met=met), GIL, DAN) == ChallengeRefusal.TOO_SOON
    assert refusal(situation(met=met, at=NOW + 1), GIL, DAN) is None
    assert refusal(situation(met=met, rules=Rules(rest_days=0)), GIL, DAN) is None
    assert refusal(situation(met=met), GIL, BOB) is None


def test_on_vacation():
    assert refusal(situation(away=[DAN]), GIL, DAN) == ChallengeRefusal.AWAY
    assert refusal(situation(away=[DAN], at=NOW + DAY_MS), GIL, DAN) is None
    assert refusal(situation(away=[GIL]), GIL, DAN) == ChallengeRefusal.YOU_AWAY


def test_idle_and_out():
    assert refusal(situation(off=[99]), GIL, 99) == ChallengeRefusal.OFF
    assert refusal(situation(off=[99]), 99, GIL) == ChallengeRefusal.YOU_OFF


@pytest.mark.parametrize("ends", [None, NOW - 1, NOW])
def test_season_over(ends):
    assert refusal(situation(ends=ends), GIL, DAN) == ChallengeRefusal.SEASON_OVER


def test_what_is_true_of_oneself_is_said_before_what_is_true_of_the_other():
    assert refusal(situation(away=[GIL, ANN]), GIL, ANN) == ChallengeRefusal.YOU_AWAY
    assert refusal(situation(ends=None), GIL, GIL) == ChallengeRefusal.YOURSELF
    assert refusal(situation(away=[ANN]), GIL, ANN) == ChallengeRefusal.AWAY


def test_who_stands_just_below_is_never_kept_out_by_others():
    busy = situation((FAY, DAN), (GIL, DAN))
    assert refusal(busy, EVE, DAN) is None
    assert refusal(busy, HAL, FAY) is None
    assert refusal(busy, EVE, DAN, seats=3) == ChallengeRefusal.THEY_IN
    # Who is on vacation between them does not matter, or a friend there would keep others out.
    assert refusal(situation((IVY, DAN), (GIL, DAN), away=[EVE]), FAY, DAN) is None


def stalled(challenger, *others, came=()):
    return Pending(challenger, others, stalled=True, came=frozenset(came))


def test_a_challenger_who_waits_for_others_may_make_another_challenge():
    def out(*pending):
        return refusal(replace(situation((GIL, FAY)), pending=(Pending(GIL, (FAY,)), *pending)), GIL, BOB)

    assert out(Pending(GIL, (DAN,))) == ChallengeRefusal.YOU_OUT
    assert out(stalled(GIL, DAN)) == ChallengeRefusal.YOU_OUT, "who has not come either waits for nobody"
    assert out(stalled(GIL, DAN, came=[DAN])) == ChallengeRefusal.YOU_OUT
    assert out(stalled(GIL, DAN, came=[GIL])) is None


@pytest.mark.parametrize("came", [(), (EVE,), (DAN,)])
def test_agreed_games_to_which_nobody_comes_keep_no_challenge_away(came):
    here = replace(situation(), pending=(stalled(EVE, DAN, came=came), Pending(FAY, (DAN,))))
    assert refusal(here, GIL, DAN) is None
    assert (
        refusal(replace(here, pending=(Pending(EVE, (DAN,)), Pending(FAY, (DAN,)))), GIL, DAN)
        == ChallengeRefusal.THEY_IN
    )


def test_who_waits_in_vain_for_another_may_challenge_them_anew():
    """A third who asks both to a table, and never comes, cannot keep them apart."""
    here = replace(situation(), pending=(stalled(HAL, EVE, DAN, came=[EVE]),))
    assert refusal(here, EVE, DAN) is None
    assert (
        refusal(replace(here, pending=(stalled(HAL, EVE, DAN, came=[EVE, DAN]),)), EVE, DAN) == ChallengeRefusal.PLAYING
    )
    assert refusal(replace(here, pending=(stalled(HAL, EVE, DAN),)), EVE, DAN) == ChallengeRefusal.PLAYING


def newcomer(here, *placed):
    here.standing.placed = {*placed}
    return here


def test_a_first_challenge_reaches_to_the_middle():
    thirteen = (*TEN, 11, 12, 13)
    middle, above_it = 7, 6
    assert refusal(situation(order=thirteen), 13, middle) is None
    assert refusal(situation(order=thirteen), 13, above_it) == ChallengeRefusal.TOO_HIGH
    assert refusal(newcomer(situation(order=thirteen), 13), 13, middle) == ChallengeRefusal.TOO_HIGH
    assert refusal(situation((13, 12), order=thirteen), 13, middle) == ChallengeRefusal.TOO_HIGH, "it is not the first"
    assert refusal(situation(order=thirteen, rules=Rules(placement=False)), 13, middle) == ChallengeRefusal.TOO_HIGH
    assert refusal(situation(order=thirteen), 13, 6, seats=3) == ChallengeRefusal.TOO_HIGH
    assert refusal(situation(order=thirteen), GIL, BOB) is None, "for the upper half it is no farther than usual"
    assert refusal(situation(order=thirteen), GIL, ANN) == ChallengeRefusal.TOO_HIGH


# Tables of three and four


def test_at_tables_of_3_and_4_one_reaches_2_places_a_seat():
    assert refusal(situation(), IVY, BOB, seats=3) is None
    assert refusal(situation(), IVY, ANN, seats=3) == ChallengeRefusal.TOO_HIGH
    assert refusal(situation(), JAN, ANN, seats=4) is None
    assert refusal(situation(), KIM, ANN, seats=4) == ChallengeRefusal.TOO_HIGH


def test_the_first_stands_above_the_others_may_stand_anywhere_near():
    assert table_refusal(situation(), FAY, (DAN, HAL)) is None
    assert table_refusal(situation(), FAY, (DAN, BOB, GIL)) is None
    assert table_refusal(situation(), FAY, (HAL, DAN)) == (HAL, ChallengeRefusal.BELOW)


def test_no_two_of_a_table_stand_too_far_apart():
    assert table_refusal(situation(), FAY, (BOB, IVY)) is None
    assert table_refusal(situation(), FAY, (BOB, JAN)) == (JAN, ChallengeRefusal.TOO_FAR)
    assert table_refusal(situation(), FAY, (DAN, EVE, KIM)) is None
    assert table_refusal(situation(), FAY, (ANN, EVE, KIM)) == (KIM, ChallengeRefusal.TOO_FAR)


@pytest.mark.parametrize("others", [(DAN, DAN), (DAN, FAY), (DAN, EVE, EVE)])
def test_nobody_sits_at_a_table_twice(others):
    assert table_refusal(situation(), FAY, others) == (others[-1], ChallengeRefusal.YOURSELF)


def test_the_third_and_the_fourth_must_be_there_and_free_too():
    assert table_refusal(situation(), FAY, (DAN, 99)) == (99, ChallengeRefusal.NOT_ON_LADDER)
    assert table_refusal(situation(away=[EVE]), FAY, (DAN, EVE)) == (EVE, ChallengeRefusal.AWAY)
    assert table_refusal(situation(off=[99]), FAY, (DAN, GIL, 99)) == (99, ChallengeRefusal.OFF)
    assert table_refusal(situation((FAY, EVE)), FAY, (DAN, EVE)) == (EVE, ChallengeRefusal.PLAYING)
    assert table_refusal(situation(met={(EVE, FAY): NOW}), FAY, (DAN, EVE)) == (EVE, ChallengeRefusal.TOO_SOON)
    assert table_refusal(situation((ANN, EVE), (BOB, EVE)), FAY, (DAN, EVE)) == (EVE, ChallengeRefusal.THEY_IN)


def test_no_pair_of_a_table_meets_again_within_7_days():
    met = {(DAN, GIL): NOW - DAY_MS}
    assert table_refusal(situation(met=met), FAY, (DAN, GIL)) == (GIL, ChallengeRefusal.THEY_MET)
    assert table_refusal(situation(met=met), FAY, (BOB, DAN, GIL)) == (GIL, ChallengeRefusal.THEY_MET)
    assert table_refusal(situation(met=met), FAY, (DAN, EVE)) is None
    assert table_refusal(situation(met=met, at=NOW + 6 * DAY_MS), FAY, (DAN, GIL)) is None


def test_lots_may_give_everybody_who_could_sit_at_the_table_and_nobody_else():
    here, chance = situation(away=[EVE], met={(DAN, GIL): NOW - DAY_MS}), Random(7)
    for seats in (3, 4):
        found = {frozenset(drawn(here, FAY, (DAN,), seats, chance)) for _ in range(600)}
        able = {
            frozenset(each)
            for each in combinations([*TEN, 99], seats - 2)
            if table_refusal(here, FAY, (DAN, *each)) is None
        }
        assert found == able and len(able) > 3
        rest = {each for company in able for each in company} - {BOB}
        assert drawn(here, FAY, (DAN,), seats, chance, passed=rest) in ((BOB,), None)
    assert drawn(here, FAY, (DAN, EVE), 4, chance) is None, "one of those already there is on vacation"
    assert drawn(situation(order=(ANN, BOB)), BOB, (ANN,), 3, chance) is None
    assert drawn(here, FAY, (HAL,), 3, chance) is None, "whom they could not challenge"


def test_lots_take_no_longer_on_a_ladder_of_a_thousand():
    here = situation(order=range(1, 1001))
    began = process_time()
    assert drawn(here, 500, (499,), 4, Random(7))
    assert process_time() - began < 0.2


def test_a_ladder_has_the_tables_of_its_rules():
    assert tables_of(title()) == [2, 3, 4]
    assert tables_of(title(), Rules(sizes=(2, 4))) == [2, 4]


# The whole ladder


def test_everybody_on_the_ladder_can_be_challenged_or_there_is_a_reason():
    here = situation((GIL, FAY), away=[DAN], off=[99])
    assert [(other, refusal(here, GIL, other)) for other in here.standing.order] == [
        (ANN, ChallengeRefusal.TOO_HIGH),
        (BOB, None),
        (DAN, ChallengeRefusal.AWAY),
        (EVE, None),
        (FAY, ChallengeRefusal.PLAYING),
        (GIL, ChallengeRefusal.YOURSELF),
        *((player, ChallengeRefusal.BELOW) for player in (HAL, IVY, JAN, KIM)),
    ]


# All situations

SOME = st.lists(st.sampled_from(TEN), min_size=2, max_size=4, unique=True)


@st.composite
def situations(draw):
    gone = draw(st.sets(st.sampled_from(TEN), max_size=3))
    ends = draw(st.sampled_from([200 * DAY_MS] * 5 + [None, NOW]))
    pairs = draw(st.lists(SOME.map(lambda some: tuple(sorted(some[:2]))), max_size=6))
    return situation(
        *draw(st.lists(SOME, max_size=5)),
        rules=Rules(reach=draw(st.integers(1, 6)), most_out=draw(st.integers(1, 2)), most_in=draw(st.integers(1, 2))),
        order=[player for player in draw(st.permutations(TEN)) if player not in gone],
        off=draw(st.sets(st.sampled_from(sorted(gone)), max_size=1)) if gone else (),
        away=draw(st.sets(st.sampled_from(sorted(set(TEN) - gone)), max_size=1)),
        met={pair: NOW - draw(st.integers(0, 10)) * DAY_MS for pair in pairs},
        ends=ends,
    )


MANY = settings(max_examples=80, deadline=None, derandomize=True, database=None)


@MANY
@given(situations(), st.sampled_from([*TEN, 99]), st.sampled_from([*TEN, 99]))
def test_the_page_and_the_server_agree_about_two_players(here, me, other):
    why = refusal(here, me, other)
    assert table_refusal(here, me, (other,)) == (None if why is None else (other, why))
    if why is None:
        assert may_challenge(here, me) is None
        assert here.standing.position(other) < here.standing.position(me)


@pytest.mark.slow
@MANY
@given(situations(), SOME.filter(lambda some: len(some) > 2))
def test_whatever_table_is_allowed_breaks_no_rule(here, some):
    me, *others = some
    if table_refusal(here, me, tuple(others)) is not None:
        return
    standing = here.standing
    stand = [standing.position(player) for player in some]
    assert None not in stand
    assert max(stand) - min(stand) <= 2 * len(some)
    assert stand[1] < stand[0]
    assert not any(standing.players[player].away(NOW) for player in some)
    assert not any(here.rest(one, other) for one in some for other in some if one != other)
    assert not any(
        me in (each.challenger, *each.others) and {*others} & {each.challenger, *each.others} for each in here.pending
    )
    assert sum(each.challenger == me for each in here.pending) < standing.rules.most_out
    for player in others:
        assert sum(player in each.others for each in here.pending) < standing.rules.most_in


def test_every_reason_is_given_somewhere():
    rng, told = Random(1), set()
    for _ in range(3000):
        *order, one, other = rng.sample(TEN, 10)
        here = situation(
            *(rng.sample(TEN, rng.choice((2, 3))) for _ in range(rng.randrange(4))),
            order=[*order, other],
            off=[one] if rng.random() < 0.5 else (),
            away=[other],
            met={tuple(sorted(rng.sample(TEN, 2))): NOW for _ in range(4)},
            ends=rng.choice([None, *[200 * DAY_MS] * 9]),
        )
        here.standing.resumes = rng.choice([NOW + DAY_MS, *[None] * 9])
        refused = table_refusal(here, rng.choice(TEN), tuple(rng.choices(TEN, k=rng.choice((1, 2, 3)))))
        told.add(refused[1] if refused else None)
    assert told == {*ChallengeRefusal, None}
