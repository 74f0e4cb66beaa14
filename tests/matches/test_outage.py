"""When the whole site was away: who is given time back, how much, how often, and what waits for it."""

import re
import threading
from random import Random

import pytest
from django.db import OperationalError, connection

from games import worker
from games.matches import access, clocks, history, outage, play
from games.matches.clocks import DAY_MS, GRACE_MS, instant, ms_of
from games.matches.models import Heartbeat, LogEntry, Match, Outage
from games.review import page as review
from tests.matches.matches import answer, paying, played, rushed, seated
from tests.people import person

pytestmark = pytest.mark.django_db

LIVE = {"pace": "live", "bank_ms": 60_000, "increment_ms": 5_000}


def away(since, until):
    """The site beats at `since` for the last time, and again at `until`."""
    outage.beat(since)
    outage.beat(until)


def beats(since, until):
    """The site is up from `since` to `until`."""
    for ms in range(since, until + 1, 1_000):
        outage.beat(ms)


def asked_at(match):
    return ms_of(match.asked_at)


def fresh(match):
    return access.find(match.key)


def credits(match):
    return [
        (row.seat, row.move, row.by, row.at) for row in LogEntry.objects.filter(match=match, move__startswith="!outage")
    ]


# What is an outage


def test_a_site_that_beats_is_not_away():
    for second in range(5):
        outage.beat(1_000_000 + 4_900 * second)
    assert Heartbeat.objects.get().at == 1_000_000 + 4 * 4_900
    assert not Outage.objects.exists()


def test_all_processes_together_write_about_once_a_second(django_assert_num_queries):
    outage.beat(1_000_000)
    with django_assert_num_queries(1):
        outage.beat(1_001_000)
    for ms in (1_001_300, 1_001_700, 1_001_990):
        outage.beat(ms)
        assert Heartbeat.objects.get().at == 1_001_000


def test_a_gap_is_claimed_by_the_first_who_beats_after_it():
    outage.beat(1_000_000)
    outage.beat(1_045_000)
    outage.beat(1_045_200)
    outage.claim(1_045_300)  # had seen the gap, and was second
    assert list(Outage.objects.values_list("began", "ended", "settled")) == [(1_000_000, 1_045_000, False)]
    assert Heartbeat.objects.get().at == 1_045_000


@pytest.mark.django_db(transaction=True)
def test_a_heart_outlives_a_database_that_does_not_answer(monkeypatch, caplog):
    heart, beats = outage.Heart(), []

    def refuse(now):
        beats.append(now)
        if len(beats) == 3:
            heart.stopped.set()
        raise OperationalError("the database is away")

    monkeypatch.setattr(outage, "beat", refuse)
    monkeypatch.setattr(outage, "BEAT_MS", 1)
    heart.run()
    assert len(beats) == 3
    assert [record.levelname for record in caplog.records if record.levelname != "DEBUG"] == ["ERROR"]


@pytest.mark.django_db(transaction=True)
def test_the_time_of_a_beat_is_when_the_database_is_there_not_when_it_was_asked_for(monkeypatch):
    heart, clock, connect = outage.Heart(), [1_000_000], connection.ensure_connection

    def connect_at_last():
        clock[0] = 1_004_000
        heart.stopped.set()
        connect()

    with monkeypatch.context() as patch:
        patch.setattr(outage, "now_ms", lambda: clock[0])
        patch.setattr(connection, "ensure_connection", connect_at_last)
        heart.run()
    assert Heartbeat.objects.get().at == 1_004_000


# Who is given time back


def test_whoever_was_asked_while_the_site_was_away_gets_that_time_back():
    match = seated("ann", "bob", **LIVE)
    since, deadline = asked_at(match), match.deadline
    away(since + 10_000, since + 54_321)
    outage.credit_all()
    match = fresh(match)
    assert credits(match) == [(match.mover, "!outage 45", LogEntry.By.SERVER, since + 54_321)]
    assert (asked_at(match), match.deadline) == (since + 45_000, deadline + 45_000)
    assert ms_of(match.wake_at) == match.deadline + GRACE_MS
    assert Outage.objects.get().settled


def test_time_before_the_question_is_nobodys():
    match = seated("ann", "bob", **LIVE)
    since = asked_at(match)
    away(since - 60_000, since + 2_500)
    outage.credit_all()
    assert [move for _seat, move, *_ in credits(match)] == ["!outage 3"]
    assert asked_at(fresh(match)) == since + 3_000


def test_less_than_a_second_is_not_counted():
    match = seated("ann", "bob", **LIVE)
    away(asked_at(match) - 60_000, asked_at(match) + 999)
    outage.credit_all()
    assert credits(match) == []


def test_a_question_that_was_put_after_the_outage_gets_nothing():
    match = seated("ann", "bob", **LIVE)
    away(asked_at(match) - 60_000, asked_at(match) - 1)
    outage.credit_all()
    assert credits(match) == []


def test_whoever_has_answered_since_finds_the_time_in_their_bank():
    match = seated("ann", "bob", **LIVE)
    mover, since = match.mover, asked_at(match)
    away(since + 10_000, since + 40_000)
    answered = play_on(match, at=since + 41_000)
    assert answered.mover != mover
    outage.credit_all()
    match = fresh(match)
    assert credits(match) == [(mover, "!outage 30", LogEntry.By.SERVER, since + 40_000)]
    assert match.sitting[mover].bank_ms == answered.sitting[mover].bank_ms + 30_000
    assert (match.mover, asked_at(match)) == (answered.mover, asked_at(answered))


def play_on(match, at):
    """The match after answers at `at`, until somebody else is asked."""
    match = Match.objects.playing().get(pk=match.pk)
    rng, mover = Random(1), match.mover
    while match.mover == mover:
        match = answer(match, rng, at)
    return match


def test_whoever_answered_before_the_site_was_away_gets_nothing_for_it():
    match = seated("ann", "bob", **LIVE)
    first, since = match.mover, asked_at(match)
    match = play_on(match, at=since + 10_000)
    away(since + 12_000, since + 42_000)
    outage.credit_all()
    assert [(seat, move) for seat, move, *_ in credits(match)] == [(1 - first, "!outage 30")]


def test_a_daily_game_gets_its_days_back():
    match = seated("ann", "bob", pace="daily", days=1)
    since = asked_at(match)
    away(since + 1_000, since + 1_000 + 3 * DAY_MS)
    outage.credit_all()
    assert [move for _seat, move, *_ in credits(match)] == ["!outage 259200"]
    assert fresh(match).deadline == since + 4 * DAY_MS
    assert worker.run_once(instant(since + 4 * DAY_MS)) == 0


def test_a_daily_payment_of_which_a_part_was_sent_since_gets_its_time_back():
    match, moves = paying(2, pace="daily", days=1)
    since, until = asked_at(match), match.deadline
    away(since + 1_000, since + 60_000)
    play.play(match, match.mover, match.ply, moves[:1], at=since + 60_500)
    outage.credit_all()
    assert [(seat, move) for seat, move, *_ in credits(match)] == [(match.mover, "!outage 59")]
    assert fresh(match).deadline == until + 59_000


def test_a_daily_answer_that_was_given_needs_no_time_back():
    match = seated("ann", "bob", pace="daily", days=1)
    since = asked_at(match)
    away(since + 1_000, since + 60_000)
    match = play_on(match, at=since + 60_500)
    outage.credit_all()
    assert credits(match) == []


def test_games_without_a_clock_bots_and_games_that_are_over_get_nothing():
    unhurried = seated("ann", "bob")
    since = asked_at(unhurried)
    bots = played(seated("fay", bots=1, **LIVE), until=lambda state: state.seat == 1)
    over = rushed(seated("dan", "eve", **LIVE))
    away(since - 1_000, asked_at(bots) + 60_000)
    outage.credit_all()
    assert [credits(match) for match in (unhurried, over)] == [[], []]
    assert 1 not in [seat for seat, *_ in credits(bots)]


def test_whoever_has_left_meanwhile_gets_nothing():
    match = seated("ann", "bob", **LIVE)
    away(asked_at(match), asked_at(match) + 30_000)
    play.leave(match, match.mover, "resign")
    outage.credit_all()
    assert credits(match) == []


def test_two_outages_during_one_question_are_given_back_one_by_one():
    match = seated("ann", "bob", **LIVE)
    since, deadline = asked_at(match), match.deadline
    away(since + 1_000, since + 11_000)
    away(since + 12_000, since + 32_000)
    outage.credit_all()
    assert [move for _seat, move, *_ in credits(match)] == ["!outage 10", "!outage 20"]
    assert fresh(match).deadline == deadline + 30_000


# At most once


def test_an_outage_is_given_back_once_whoever_settles_it_and_however_often():
    match = seated("ann", "bob", **LIVE)
    away(asked_at(match), asked_at(match) + 30_000)
    found = Outage.objects.get()
    outage.credit_all()
    assert outage.credit(match.pk, found)
    Outage.objects.update(settled=False)
    outage.credit_all()
    assert len(credits(match)) == 1


def test_whoever_is_killed_half_way_leaves_the_rest_to_the_next(monkeypatch):
    matches = [seated("ann", "bob", **LIVE), seated("ann", "dan", **LIVE)]
    away(asked_at(matches[1]), asked_at(matches[1]) + 30_000)
    credit, done = outage.credit, []

    def killed_at_the_second(pk, found):
        if done:
            raise SystemExit
        done.append(pk)
        return credit(pk, found)

    monkeypatch.setattr(outage, "credit", killed_at_the_second)
    with pytest.raises(SystemExit):
        outage.credit_all()
    assert sum(len(credits(match)) for match in matches) == 1
    assert not Outage.objects.get().settled
    monkeypatch.undo()
    outage.credit_all()
    assert [len(credits(match)) for match in matches] == [1, 1]


def test_an_answer_in_the_same_moment_is_not_lost(monkeypatch):
    match = seated("ann", "bob", **LIVE)
    mover, since = match.mover, asked_at(match)
    away(since, since + 30_000)
    credit_clocks, answers = play.credit_clocks, []

    def after_an_answer(*given):
        if not answers:
            answers.append(play_on(match, at=since + 31_000))
        return credit_clocks(*given)

    monkeypatch.setattr(play, "credit_clocks", after_an_answer)
    outage.credit_all()
    assert [(seat, move) for seat, move, *_ in credits(match)] == [(mover, "!outage 30")]
    assert fresh(match).ply == answers[0].ply + 1
    assert fresh(match).sitting[mover].bank_ms == answers[0].sitting[mover].bank_ms + 30_000


def test_one_broken_match_does_not_keep_the_time_of_the_others(caplog, rewriting):
    broken, sound = seated("ann", "bob", **LIVE), seated("ann", "dan", **LIVE)
    Match.objects.filter(pk=broken.pk).update(options={"start_die": 17})
    history._replays.clear()
    away(asked_at(sound), asked_at(sound) + 30_000)
    outage.credit_all()
    assert len(credits(sound)) == 1
    assert Outage.objects.get().settled
    assert bytes(broken.secret).hex() not in caplog.text


# Nobody's time is up meanwhile


def test_nobodys_time_is_up_before_the_site_was_heard_of_again():
    match = seated("ann", "bob", **LIVE)
    late = match.deadline + GRACE_MS
    outage.beat(late - 30_000)
    worker.run_once(instant(late))
    worker.run_once(instant(late + 60_000))
    assert not LogEntry.objects.exists()
    outage.beat(late + 60_500)
    worker.run_once(instant(late + 61_000))
    assert not LogEntry.objects.exists()
    outage.credit_all()
    beats(late + 60_500, late + 91_500)
    assert worker.run_once(instant(late + 90_999)) == 0
    assert worker.run_once(instant(late + 91_500)) == 1
    assert [row.move for row in LogEntry.objects.all()] == ["!outage 91", "!time", "!absent"]


def test_a_pause_of_the_worker_alone_is_no_outage():
    match = seated("ann", "bob", **LIVE)
    since, late = asked_at(match), match.deadline + GRACE_MS
    beats(since, late + 20_000)
    worker.run_once(instant(late + 20_000))
    assert [row.move for row in LogEntry.objects.all()] == ["!time", "!absent"]


def test_a_shorter_gap_is_the_players_own_risk():
    match = seated("ann", "bob", **LIVE)
    late = match.deadline + GRACE_MS
    away(late - 2_000, late + 2_900)
    outage.credit_all()
    worker.run_once(instant(late + 3_000))
    assert [row.move for row in LogEntry.objects.all()] == ["!time", "!absent"]


@pytest.mark.django_db(transaction=True)
def test_a_running_worker_gives_time_back_by_itself():
    match = seated("ann", "bob", **LIVE)
    away(asked_at(match) - 40_000, asked_at(match) - 10_000)
    away(asked_at(match) - 9_000, asked_at(match) + 3_000)
    stopped = threading.Event()
    thread = threading.Thread(target=worker.repeat, args=[stopped, 1, worker.FAST_JOBS])
    thread.start()
    try:
        while Outage.objects.filter(settled=False).exists():
            stopped.wait(0.01)
    finally:
        stopped.set()
        thread.join()
    assert [move for _seat, move, *_ in credits(match)] == ["!outage 3"]


# What people see of it


def test_the_record_and_the_review_say_what_was_given_back(client):
    match = seated("ann", "bob", **LIVE)
    mover, since = match.mover, asked_at(match)
    away(since, since + 75_000)
    outage.credit_all()
    match = rushed(fresh(match), seed=3)
    document = client.get(f"/m/{match.key}/record.json").json()
    assert document["events"] == [
        {
            "ply": 0,
            "seat": mover,
            "event": "outage 75",
            "at": clocks.instant(since + 75_000).isoformat(),
            "credit_ms": 75_000,
        }
    ]
    name = ["ann", "bob"][mover]
    sentence = f"The site was away; the clock of {name} was given 1:15 back."
    assert sentence in client.get(f"/m/{match.key}/record.txt").content.decode()
    moves = str(review.Review(match, review.ALL, match.ply).moves)
    assert f"the clock of <bdi>{name}</bdi> was given 1:15 back." in moves


def test_the_page_of_the_table_shows_the_new_deadline_and_why(client):
    match = seated("ann", "bob", **LIVE)
    away(asked_at(match), asked_at(match) + 30_000)
    outage.credit_all()
    client.force_login(person("ann"))
    asked = clocks.now_ms()
    html = client.get(f"/m/{match.key}").content.decode()
    remaining = int(re.search(r'data-remaining="(\d+)"', html)[1])
    assert asked + remaining <= fresh(match).deadline <= clocks.now_ms() + remaining
    assert "was given 0:30 back" in html


def given_back(client, match):
    """The times that were given back, by the table and, of a game that is over, by its review and its record."""
    pages = [f"/m/{match.key}"]
    if match.status == "finished":
        pages += [f"/m/{match.key}/{match.ply}?as={viewpoint}&list=1" for viewpoint in ("all", "public", "0")]
        pages.append(f"/m/{match.key}/record.txt")
    texts = [client.get(page).content.decode() for page in pages]
    return [set(re.findall(r"(\d+:\d\d)(?: given)? back", text)) for text in texts]


def test_an_outage_of_seconds_is_not_told_where_an_answer_may_take_days(client):
    match = seated("ann", "bob", pace="daily", days=1)
    mover, since, deadline = match.mover, asked_at(match), match.deadline
    away(since, since + 30_000)
    away(since + 31_000, since + 90_999)
    outage.credit_all()
    match = fresh(match)
    assert credits(match) == [
        (mover, "!outage 30", LogEntry.By.SERVER, since + 30_000),
        (mover, "!outage 60", LogEntry.By.SERVER, since + 90_999),
    ]
    assert match.deadline == deadline + 90_000
    client.force_login(person("ann"))
    assert given_back(client, match) == [{"1:00"}]
    match = rushed(match, seed=3)
    table, *told = given_back(client, match)
    assert (table, told) == ({"1:00"}, [{"0:30", "1:00"}] * 4), "the review and the record leave nothing out"
    document = client.get(f"/m/{match.key}/record.json").json()
    assert [event["event"] for event in document["events"]] == ["outage 30", "outage 60"]
