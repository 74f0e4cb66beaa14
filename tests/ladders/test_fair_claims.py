"""Nobody holds a place without playing, alone or with friends, and nobody is kept out."""

from datetime import timedelta

import pytest

from accounts.web.refused import Refused
from games.ladders import audit, challenges, events, leaving
from games.ladders.rules import Rules
from games.ladders.terms import Terms
from games.ladders.words.events import sentence
from games.lobby import open_matches
from games.matches.clocks import ms_of
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of, ended, met, order, until
from tests.ladders.logs import told
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LIVE, MINUTE = Terms(), timedelta(minutes=1)
NAMES = [f"p{number}" for number in range(1, 9)]


@pytest.fixture
def ladder():
    """Eight players, p1 on top, whose first challenges are long over."""
    return club_of(*NAMES, rules=Rules(idle_days=300, placement=False))


def asks(ladder, name, *others, at, terms=DAILY):
    return challenges.challenge(ladder, person(name), [person(other) for other in others], terms, at)


def waits(challenge, name, at, minutes=21):
    """Somebody is ready at the table for so many minutes, in vain."""
    open_matches.close_idle(at)
    challenge.refresh_from_db()
    challenges.open_room(challenge, person(name), at)
    open_matches.close_idle(at + minutes * MINUTE)


def ends(ladder, challenge):
    challenge.refresh_from_db()
    until(ladder, challenge.finish_by)
    audit.check(ladder)
    event = ladder.log.filter(kind="overdue").order_by("-number").first()
    return {party.user.username for party in challenge.parties.all() if party.user_id in event.data["late"]}


# To accept and not to come


def test_a_night_alone_at_the_table_does_not_outweigh_the_days_of_another(ladder):
    challenge = agreed(ladder, "p5", "p1", terms=LIVE)
    for day in (1, 2):
        waits(challenge, "p5", START + day * DAY)
    night = START + 3 * DAY + timedelta(hours=16)
    for visit in range(6):
        waits(challenge, "p1", night + visit * 30 * MINUTE)
    assert ends(ladder, challenge) == {"p1"}
    assert order(ladder)[:3] == ["p2", "p3", "p1"]


def test_a_challenger_who_waits_is_not_kept_from_other_challenges(ladder):
    waiting = [agreed(ladder, "p5", name, terms=LIVE) for name in ("p1", "p2")]
    for number, challenge in enumerate(waiting):
        waits(challenge, "p5", START + DAY + number * 30 * MINUTE)
    with pytest.raises(Refused, match="You have 2 open challenges"):
        asks(ladder, "p5", "p3", at=START + 3 * DAY - MINUTE)
    assert asks(ladder, "p5", "p3", at=START + 3 * DAY)


def test_agreed_games_to_which_nobody_comes_do_not_shield(ladder):
    for name in ("p3", "p4"):
        agreed(ladder, name, "p1", terms=LIVE)
    with pytest.raises(Refused, match="already in 2 challenges"):
        asks(ladder, "p5", "p1", at=START + 3 * DAY - MINUTE)
    assert asks(ladder, "p5", "p1", at=START + 3 * DAY)


def test_a_game_at_an_agreed_time_is_not_one_that_waits_for_somebody(ladder):
    for name, at in (("p3", START + 8 * DAY), ("p4", START + 8 * DAY + timedelta(hours=1))):
        agreed(ladder, name, "p1", terms=Terms(times=(int(at.timestamp() * 1000),)))
    with pytest.raises(Refused, match="already in 2 challenges"):
        asks(ladder, "p5", "p1", at=START + 5 * DAY)


def test_a_third_who_asks_two_to_a_table_and_never_comes_does_not_keep_them_apart(ladder):
    challenge = agreed(ladder, "p4", "p2", "p1", terms=LIVE)
    for day in (1, 2):
        waits(challenge, "p2", START + day * DAY)
    with pytest.raises(Refused, match="already have a challenge with each other"):
        asks(ladder, "p2", "p1", at=START + 2 * DAY)
    direct = asks(ladder, "p2", "p1", at=START + 3 * DAY)
    challenges.withdraw(direct, person("p2"), START + 3 * DAY)
    assert ends(ladder, challenge) == {"p4", "p1"}
    assert order(ladder) == NAMES, "a challenger who is at fault gains nothing"
    assert asks(ladder, "p2", "p1", at=challenge.finish_by), "nor do the two rest from each other"


# To leave the ladder


def test_a_third_who_leaves_the_ladder_and_comes_back_does_not_rescue_who_never_came(ladder):
    challenge = agreed(ladder, "p4", "p1", "p6", terms=LIVE)
    for day in (1, 2):
        waits(challenge, "p4", START + day * DAY)
    leaving.leave(ladder, person("p6"), START + 9 * DAY)
    events.join(ladder, person("p6"), START + 9 * DAY)
    assert told("p1")[-1] == told("p4")[-1] == "left-table"
    assert ends(ladder, challenge) == {"p1", "p6"}
    assert order(ladder)[:3] == ["p2", "p3", "p1"]
    assert [len(ladder.now_standing().players[person(name).pk].late) for name in ("p1", "p4", "p6")] == [1, 0, 1]


def test_a_third_who_leaves_the_ladder_is_late_in_the_game_of_the_others_however_fast(ladder):
    challenge = agreed(ladder, "p4", "p1", "p6")
    leaving.leave(ladder, person("p6"), START + DAY)
    assert "p6" in ends(ladder, challenge)


def test_a_game_that_somebody_was_losing_counts_though_a_third_leaves_the_ladder(ladder):
    challenge = agreed(ladder, "p4", "p1", "p6")
    leaving.leave(ladder, person("p6"), START + DAY)
    events.join(ladder, person("p6"), START + DAY)
    ended(challenge, 2, 3, 1, now=START + 2 * DAY)
    assert order(ladder) == ["p4", "p1", "p2", "p3", "p5", "p7", "p8", "p6"]
    known = ladder.now_standing().players
    assert [known[person(name).pk].form for name in ("p1", "p4", "p6")] == ["l", "w", ""]
    assert "It counts without p6, who left the ladder." in sentence(
        ladder.log.get(kind="result"), {person(name).pk: name for name in NAMES}
    )
    audit.check(ladder)


def test_a_game_of_which_one_player_stays_counts_for_nobody(ladder):
    challenge = agreed(ladder, "p4", "p1", "p6")
    for name in ("p6", "p1"):
        leaving.leave(ladder, person(name), START + DAY)
    challenge.refresh_from_db()
    assert challenge.status == "void"
    audit.check(ladder)


# Others at the table who refuse


def company(challenge):
    """The names of those at its table, the challenger first, and who of them agrees."""
    parties = challenge.parties.select_related("user").order_by("number")
    return [party.user.username for party in parties], [party.user.username for party in parties if party.agrees]


def names(pks):
    return [name for pk in pks for name in NAMES if person(name).pk == pk]


@pytest.mark.parametrize("way", ["declines", "is silent", "leaves"])
def test_who_is_asked_beside_the_challenged_and_refuses_is_replaced_and_nobody_pays(ladder, way):
    made = asks(ladder, "p5", "p2", "p3", at=START)
    challenges.accept(made, person("p2"), START + DAY)
    if way == "declines":
        made = challenges.decline(made, person("p3"), START + DAY)
    elif way == "is silent":
        until(ladder, START + 3 * DAY)
    else:
        leaving.leave(ladder, person("p3"), START + DAY)
    made.refresh_from_db()
    assert made.status == "open" and names(made.passed) == ["p3"]
    (first, second, new), agree = company(made)
    assert (first, second, agree) == ("p5", "p2", ["p5", "p2"]) and new not in ("p5", "p2", "p3")
    assert made.answer_by == START + (6 if way == "is silent" else 4) * DAY, "the new one has the full time"
    assert told(new)[-1] == "asked" and told("p2")[-1] == told("p5")[-1] == "company"
    assert order(ladder) == [name for name in NAMES if way != "leaves" or name != "p3"]
    assert challenges.accept(made, person(new), START + 4 * DAY - MINUTE).status == "playing"
    audit.check(ladder)


def test_after_four_the_table_becomes_smaller_and_whoever_has_agreed_plays(ladder):
    made = asks(ladder, "p5", "p2", "p3", at=START)
    challenges.accept(made, person("p2"), START)
    for _ in range(4):
        made = challenges.decline(made, person(company(made)[0][2]), START)
        assert made.status == "open"
    made = challenges.decline(made, person(company(made)[0][2]), START)
    assert (company(made)[0], made.status, len(set(made.passed))) == (["p5", "p2"], "playing", 5)
    assert order(ladder) == NAMES
    assert not ladder.log.filter(kind__in=("declined", "withdrawn")).exists()
    audit.check(ladder)


def test_where_no_smaller_table_reaches_so_far_the_challenge_ends_and_costs_nobody_anything():
    ladder = club_of(*NAMES[:7], rules=Rules(placement=False, reach=2))
    made = asks(ladder, "p6", "p1", "p2", at=START)
    challenges.accept(made, person("p1"), START)
    for _ in range(5):
        made = challenges.decline(made, person(company(made)[0][2]), START)
        if made.status != "open":
            break
    assert made.status == "void" and order(ladder) == NAMES[:7]
    assert told("p6")[-1] == told("p1")[-1] == "alone"
    by_id = {person(name).pk: name for name in NAMES}
    assert sentence(ladder.log.last(), by_id).endswith("ended: not enough of them wanted to play.")
    assert asks(ladder, "p6", "p1", "p2", at=START), "they need not rest, nor was it a withdrawal"
    assert not ladder.now_standing().withdrawn
    audit.check(ladder)


def test_the_challenged_answers_in_their_own_time_whoever_is_replaced(ladder):
    made = asks(ladder, "p5", "p2", "p3", at=START)
    made = challenges.decline(made, person("p3"), START + 2 * DAY)
    assert made.answer_by == START + 3 * DAY
    until(ladder, START + 3 * DAY)
    made.refresh_from_db()
    assert made.status == "expired"
    assert order(ladder)[:5] == ["p1", "p3", "p4", "p2", "p5"], "and p2 alone gives way"
    audit.check(ladder)


def test_a_table_whose_time_has_gone_by_gets_nobody_else(ladder):
    made = asks(ladder, "p5", "p2", "p3", at=START, terms=Terms(times=(ms_of(START + DAY),)))
    challenges.accept(made, person("p2"), START)
    until(ladder, START + 3 * DAY)
    made.refresh_from_db()
    assert made.status == "void" and order(ladder) == NAMES
    audit.check(ladder)


def test_the_vacation_of_a_third_does_not_let_the_challenged_wait_nor_costs_their_place(ladder):
    made = asks(ladder, "p5", "p2", "p1", at=START)
    events.vacation(ladder, person("p1"), START, START + 20 * DAY, START)
    until(ladder, START + 3 * DAY)
    made.refresh_from_db()
    assert made.status == "expired"
    assert order(ladder)[:5] == ["p1", "p3", "p4", "p2", "p5"]
    audit.check(ladder)


def test_the_vacation_of_a_challenger_does_not_let_the_challenged_wait(ladder):
    made = asks(ladder, "p5", "p1", at=START)
    challenges.counter(made, person("p1"), DAILY, START)
    events.vacation(ladder, person("p5"), START, START + 20 * DAY, START)
    until(ladder, START + 3 * DAY)
    made.refresh_from_db()
    assert made.status == "expired"


# Friends who ask and withdraw


def friends_ask(ladder, names, days):
    """The friends keep both of p1's challenges taken for as long as they may: each is withdrawn just before its time is
    up, and the next who may asks at once. By day, how many of them there are."""
    taken, open_ = [], []
    for hour in range(0, days * 24, 12):
        now = START + timedelta(hours=hour)
        for made in [each for each in open_ if each.answer_by <= now + timedelta(hours=12)]:
            challenges.withdraw(made, made.challenger, now)
            open_.remove(made)
        for name in names:
            try:
                open_.append(asks(ladder, name, "p1", at=now))
            except Refused:
                continue
        taken.append(len(open_))
        until(ladder, now)
    return taken


def test_friends_who_withdraw_do_not_keep_out_whoever_stands_next(ladder):
    friends_ask(ladder, ["p3", "p4", "p5"], days=2)
    with pytest.raises(Refused, match="can only challenge upward"):
        asks(ladder, "p1", "p2", at=START + 2 * DAY)
    assert asks(ladder, "p2", "p1", at=START + 2 * DAY)


def test_two_friends_leave_a_gap_when_each_has_withdrawn_once_without_a_rest(ladder):
    assert min(friends_ask(ladder, ["p3", "p4"], days=28)[10:]) == 0


def test_a_friend_who_does_not_answer_other_terms_rests_like_one_who_withdraws(ladder):
    for day in (0, 10):
        made = asks(ladder, "p4", "p1", at=START + day * DAY)
        challenges.counter(made, person("p1"), DAILY, START + (day + 2) * DAY)
        until(ladder, START + (day + 5) * DAY)
        audit.check(ladder)
    assert order(ladder) == NAMES
    with pytest.raises(Refused, match="was a short time ago"):
        asks(ladder, "p4", "p1", at=START + 15 * DAY)


def test_friends_between_them_on_vacation_do_not_keep_out_the_next_either(ladder):
    events.vacation(ladder, person("p2"), START, START + 20 * DAY, START)
    for name in ("p4", "p5"):
        asks(ladder, name, "p1", at=START)
    assert asks(ladder, "p3", "p1", at=START)


def test_to_leave_and_come_back_does_not_let_one_withdraw_without_a_rest(ladder):
    for _ in range(2):
        asks(ladder, "p8", "p7", at=START)
        leaving.leave(ladder, person("p8"), START)
        events.join(ladder, person("p8"), START)
        audit.check(ladder)
    with pytest.raises(Refused, match="was a short time ago"):
        asks(ladder, "p8", "p7", at=START)


def test_withdrawals_and_declines_in_turn_cost_the_place(ladder):
    made = asks(ladder, "p4", "p1", at=START)
    challenges.withdraw(made, person("p4"), START + DAY)
    made = asks(ladder, "p4", "p1", at=START + DAY)
    challenges.decline(made, person("p1"), START + DAY)
    assert order(ladder)[:3] == ["p2", "p3", "p1"]


# Refusing


def test_whoever_refuses_each_challenge_goes_down_until_they_stand_below_who_plays(ladder):
    asks(ladder, "p5", "p1", at=START)
    until(ladder, START + 3 * DAY)
    assert order(ladder)[:5] == ["p2", "p3", "p1", "p4", "p5"], "two rungs, more than a game lost"
    challenges.decline(asks(ladder, "p4", "p1", at=START + 3 * DAY), person("p1"), START + 3 * DAY)
    assert order(ladder)[:5] == ["p2", "p3", "p4", "p1", "p5"]


# Running out of time


def test_the_winner_on_time_takes_the_place(ladder):
    met(ladder, "p5", "p1", late=["p1"])
    assert order(ladder)[:2] == ["p5", "p1"]


def test_at_a_table_of_three_who_runs_out_of_time_is_passed_like_any_loser(ladder):
    met(ladder, "p5", "p2", "p1", places=(1, 2, 3), late=["p1"])
    assert order(ladder)[:3] == ["p2", "p5", "p1"] or order(ladder)[:3] == ["p5", "p2", "p1"]


# Newcomers


def test_a_newcomer_reaches_the_middle_once():
    names = [f"n{number}" for number in range(1, 13)]
    ladder = club_of(*names)
    with pytest.raises(Refused, match="is 7 rungs above you; at a table of 2 you reach 6"):
        asks(ladder, "n12", "n5", at=START)
    made = asks(ladder, "n12", "n6", at=START)
    with pytest.raises(Refused, match="you reach 4"):
        asks(ladder, "n12", "n7", at=START)
    challenges.accept(made, person("n6"), START)
    made.refresh_from_db()
    leaving.leave(ladder, person("n12"), START + DAY)
    events.join(ladder, person("n12"), START + DAY)
    assert asks(ladder, "n12", "n7", at=START + DAY), "what never came to an end was none"
