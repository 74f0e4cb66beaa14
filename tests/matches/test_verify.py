"""`verifylogs` finds whatever was touched, and says where."""

import re
from datetime import timedelta
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import services
from accounts.models import ArchivedMatch, Rating
from games.engine.bots import choose_random
from games.lobby import open_matches
from games.matches import access, history, play
from games.matches.clocks import ms_of, now_ms
from games.matches.models import LogEntry, Match, Seat
from tests.matches.matches import answer, paying, played, seated
from tests.people import person
from tests.verifying import verify
from tools import rehearsal

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.slow, pytest.mark.usefixtures("rewriting")]

LIVE = {"pace": "live", "bank_ms": 600_000, "increment_ms": 5_000}


def is_right():
    said, wrong = verify()
    assert not wrong, said
    assert "no fault" in said


def found(match):
    """The lines about a match, without its key."""
    said, wrong = verify()
    assert wrong, said
    return [line.removeprefix(f"{match.key}: ") for line in said.splitlines() if line.startswith(match.key)]


def ply_of(fault):
    """The ply that a fault names."""
    return int(fault.removeprefix("ply ").partition(":")[0])


@pytest.fixture(scope="module")
def key(kept_rows):
    match = rehearsal.match_of([person("ann"), person("bob")], 2**40, rated=True, **LIVE)
    rehearsal.perform(match, [choose_random] * 2, Random(1))
    return match.key


@pytest.fixture
def match(key):
    """A rated match that has ended, with a clock."""
    return access.find(key)


# Nothing is wrong


def test_matches_of_every_kind_are_right():
    open_matches.open_match(person("ann"), places=3, options={})
    played(seated("ann", "bob", "dan", rated=True, **LIVE))
    played(seated("ann", "bob", bots=2), until=lambda state: not state.early)
    left = seated("ann", "bob", "dan", pace="daily", days=2, rated=True)
    for _ in range(5):
        left = answer(left, Random(1))
    play.leave(left, 1, Seat.Left.RESIGN)
    played(access.find(left.key))
    aborted = answer(seated("ann", "bob"), Random(1))
    play.vote(aborted, 0, "abort")
    play.vote(aborted, 1, "abort")
    said, wrong = verify()
    assert not wrong, said
    assert said.startswith("5 matches, ")
    assert "counted again" in said


def test_a_match_in_which_time_ran_out_is_right():
    match = answer(seated("ann", "bob", rated=True, **LIVE), Random(1))
    late = round(match.wake_at.timestamp() * 1000) + 1
    play.leave(match, match.mover, Seat.Left.TIME, late)
    is_right()


def test_clocks_that_were_given_time_back_are_right():
    match = answer(answer(seated("ann", "bob", rated=True, **LIVE), Random(1)), Random(1))
    play.credit_clocks(match, {0: 45, 1: 7}, now_ms() - 3000)
    match = access.find(match.key)
    is_right()
    match = answer(match, Random(2))
    is_right()
    match.seats.filter(index=0).update(bank_ms=F("bank_ms") - 45_000)
    assert found(match)[0].startswith("bank: seat 0")


def test_a_payment_sent_in_pieces_is_right_at_every_ply_and_was_charged_once():
    match, moves = paying(3, rated=True, **LIVE)
    at, payer = ms_of(match.asked_at), match.mover
    for move in moves:
        at += 1000
        play.play(match, payer, match.ply, [move], at=at)
        match = access.find(match.key)
        is_right()
    match.seats.filter(index=payer).update(bank_ms=F("bank_ms") + LIVE["increment_ms"])
    assert found(match)[0].startswith(f"bank: seat {payer}")


def test_matches_that_were_played_to_try_tools_on_are_right():
    call_command("playmatches", "--matches", "6", "--bots", "greedy,random", "--unfinished", "2", "--seed", "s")
    assert Match.objects.filter(status="finished").count() == 4
    is_right()


def test_no_matches_are_made_up_among_real_people():
    person("ann")
    with pytest.raises(CommandError, match="there are real people on this site"):
        call_command("playmatches", "--matches", "1", "--seed", "s")


def test_some_matches_can_be_chosen():
    match, other = seated("ann", "bob"), seated("ann", "bob")
    assert verify(match.key)[0].startswith("1 matches")
    assert verify("--status", "finished")[0].startswith("0 matches")
    assert verify("--status", "finished", "--status", "running")[0].startswith("2 matches")
    Match.objects.filter(pk=other.pk).update(started_at=other.started_at - timedelta(days=9))
    assert verify("--since", match.started_at.strftime("%Y-%m-%d"))[0].startswith("1 matches")
    assert "there is no match nothing" in verify("nothing")[0]
    assert "“today” is not a date" in verify("--since", "today")[0]


def test_a_chunk_of_matches_costs_the_same_number_of_queries():
    def queries():
        with CaptureQueriesContext(
            connection,
        ) as context:
            assert not verify("--status", "running")[1]
        return len(context)

    seated("ann", "bob")
    few = queries()
    for _ in range(10):
        answer(seated("ann", "bob", "dan"), Random(1))
    assert queries() == few


# A row of the log


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("move", "'keep'"),
        ("move", "'kedp'"),
        ("seat", "1 - seat"),
        ("seat", "7"),
        ("by", "1"),
        ("by", "2"),
        ("at", "at + 1"),
        ("at", "at - 1"),
        ("at", "at - 65536"),
        ("ply", "ply + 8192"),
    ],
)
def test_one_byte_of_one_row_is_found_before_the_next_link_that_is_kept(match, rewriting, column, change):
    ply = LogEntry.objects.filter(match=match, move="public", by=None, ply__gt=9).earliest("ply").ply
    rewriting(f"UPDATE games_logentry SET {column} = {change} WHERE match_id = %s AND ply = %s", [match.pk, ply])
    [fault] = found(match)
    assert ply <= ply_of(fault) <= ply | 15, fault


@pytest.mark.parametrize("byte", range(8))
def test_each_kept_byte_of_a_link_counts(match, rewriting, byte):
    row = LogEntry.objects.get(match=match, ply=47)
    link = bytearray(row.link)
    link[byte] ^= 1
    rewriting("UPDATE games_logentry SET link = %s WHERE match_id = %s AND ply = 47", [bytes(link), match.pk])
    assert found(match) == [
        "ply 47: link: a row from 32 on up to this one is not as it was written: its link does not fit"
    ]


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="only SQLite keeps a text that is none")
def test_a_byte_that_is_no_text_is_found_too(match, rewriting):
    rewriting("UPDATE games_logentry SET move = CAST(x'6b65ff' AS TEXT) WHERE match_id = %s AND ply = 3", [match.pk])
    [fault] = found(match)
    assert fault.startswith("ply 3: move: ")


def paid_face_down():
    """A match, a ply at which a card was paid face down, and what could have been paid instead; not all have one."""
    for _ in range(20):
        match = played(seated("ann", "bob", "dan"))
        replay = history.replay(match)
        for ply, row in enumerate(replay.rows):
            state = replay.state(ply)
            if row.move != replay.shown[ply] and (others := {state.text(move) for move in state.legal()} - {row.move}):
                return match, ply, others
    raise AssertionError("nobody ever paid a card for which there was another")


def test_a_card_paid_face_down_cannot_be_exchanged(rewriting):
    match, ply, others = paid_face_down()
    rewriting("UPDATE games_logentry SET move = %s WHERE match_id = %s AND ply = %s", [min(others), match.pk, ply])
    [fault] = found(match)
    # By the next link that is kept, or before, if the game goes on in a way that the other card forbids.
    assert ply <= ply_of(fault) <= ply | 15, fault


@pytest.mark.parametrize("ply", [0, 57, -1])
def test_a_deleted_row_is_missed(match, rewriting, ply):
    ply %= match.ply
    rewriting("DELETE FROM games_logentry WHERE match_id = %s AND ply = %s", [match.pk, ply])
    [fault] = found(match)
    assert fault.startswith(f"ply {ply}: {'length' if ply == match.ply - 1 else 'gap: this row is missing'}")


def test_a_row_that_was_pushed_in_is_found(match, rewriting):
    rewriting("UPDATE games_logentry SET ply = ply + 10001 WHERE match_id = %s AND ply >= 30", [match.pk])
    rewriting("UPDATE games_logentry SET ply = ply - 10000 WHERE match_id = %s AND ply > 10000", [match.pk])
    row = LogEntry.objects.get(match=match, ply=29)
    LogEntry.objects.create(match=match, ply=30, seat=row.seat, move=row.move, by=row.by, at=row.at, link=row.link)
    [fault] = found(match)
    assert fault.startswith("ply 30: ")


def test_a_row_that_was_added_is_found(match, rewriting):
    row = LogEntry.objects.get(match=match, ply=match.ply - 1)
    LogEntry.objects.create(match=match, ply=match.ply, seat=0, move="!time", by=1, at=row.at, link=row.link)
    assert found(match) == [f"ply {match.ply}: end: this row comes after the end of the match"]


def test_a_row_that_was_added_to_a_running_match_is_found():
    match = answer(seated("ann", "bob"), Random(1))
    LogEntry.objects.create(match=match, ply=match.ply, seat=0, move="!resign", by=1, at=2**42, link=bytes(8))
    assert found(match)[0].startswith(f"ply {match.ply}: link")


def test_nothing_is_told_of_the_hand_of_a_running_match(rewriting):
    match = played(seated("ann", "bob"), until=lambda state: not state.early)
    rewriting("UPDATE games_logentry SET move = 'bid 3' WHERE match_id = %s AND ply = 4", [match.pk])
    assert found(match) == ["ply 4: move: the rules do not allow this row here"]


# What stands beside it


@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        ("secret", bytes(32), "commitment"),
        ("commitment", "0" * 64, "commitment"),
        ("options", {"penalty": "discard"}, "options"),
        ("key", "anotherkey23", "key"),
        ("version", 9, "header"),
        ("link", bytes(32), "link"),
        ("ply", 5, "ply 5: length"),
        ("mover", 1, "mover"),
        ("status", "running", "status"),
        ("status", "open", "ply 0: length"),
        ("result", {}, "result"),
        ("ended_at", "2026-01-01T00:00Z", "ended_at"),
        ("started_at", "2036-01-01T00:00Z", "started"),
        ("places", 3, "seats"),
        ("bank_ms", 600_001, "bank_ms"),
        ("rated", False, "rated"),
        ("pace", "none", "pace"),
        ("increment_ms", 6_000, "increment_ms"),
        ("days", 1, "days"),
        ("header", {}, "header"),
    ],
)
def test_a_changed_header_is_found(match, column, value, fault):
    Match.objects.filter(pk=match.pk).update(**{column: value})
    if column == "key":
        match.key = value
    assert found(match)[0].startswith(fault)


def test_another_audience_is_found():
    match = seated("ann", "bob", **LIVE)  # a rated match has only one
    Match.objects.filter(pk=match.pk).update(watch="none")
    assert found(match)[0].startswith("watch")


@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        ("share", bytes(15) + b"1", "share: the bytes of seat 1"),
        ("share_from", "sealed", "shares_from"),
        ("seal", "0" * 64, "seals"),
        ("left", "time", "left"),
        ("left_ply", 12, "ply 12: left"),
        ("bank_ms", 1, "bank"),
        ("bot", "greedy", "seats"),
        ("name", "bobby", "players"),
        ("salt", bytes(16), "players"),
        ("salt", b"", "players"),
    ],
)
def test_a_changed_seat_is_found(match, column, value, fault):
    match.seats.filter(index=1).update(**{column: value})
    assert found(match)[0].startswith(fault)


def test_somebody_else_in_a_seat_is_found(match):
    seat, cho = match.seats.get(index=1), person("cho")
    seat.user = cho
    seat.save()
    ArchivedMatch.objects.filter(match=match.key, seat=1).update(user=cho)
    assert found(match) == ["players: at seat 1 sits somebody else, or under another name, than at first"]


def test_a_closed_account_leaves_its_seat_and_not_its_name(match):
    bob = person("bob")
    services.close(bob)
    services.close_due(timezone.now() + timedelta(days=15))
    assert "bob" not in str(list(Match.objects.values()) + list(Seat.objects.values()))
    is_right()
    match.seats.filter(index=1).update(user=person("cho", closed=True))
    assert found(match) == ["players: at seat 1 sits somebody else, or under another name, than at first"]


def test_whoever_has_won_is_compared_with_what_the_game_says(match):
    row = ArchivedMatch.objects.get(match=match.key, seat=1)
    ArchivedMatch.objects.filter(pk=row.pk).update(won=not row.won)
    assert found(match)[0].startswith(f"archive: “won” of seat 1 in the archive is {not row.won}")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("place", 3),
        ("game", "chess"),
        ("points", -1),
        ("categories", "?"),
        ("left", "time"),
        ("seats", 4),
        ("seat", 3),
        ("scores", [1, 2]),
        ("names", ["ann"]),
        ("pool", ""),
        ("before", None),
        ("ended_at", "2026-01-01T00:00Z"),
        ("match", "anotherkey23"),
    ],
)
def test_a_changed_row_of_the_archive_is_found(match, column, value):
    ArchivedMatch.objects.filter(match=match.key, seat=1).update(**{column: value})
    assert found(match)[0].startswith("archive: ")


def test_values_that_no_check_has_foreseen_are_found_and_hide_no_other_match(match):
    options, places, names = (played(seated("ann", "bob")) for _ in range(3))
    Match.objects.filter(pk=options.pk).update(options=5)
    Match.objects.filter(pk=places.pk).update(places=7)
    for index in range(2, 7):
        Seat.objects.create(match=places, index=index, bot="random", name="Bot", share=bytes(16))
    ArchivedMatch.objects.filter(match=names.key, seat=1).update(names=5)
    match.seats.update(bank_ms=3)
    said, wrong = verify()
    assert wrong and "4 matches are wrong" in said
    assert f"{match.key}: bank: " in said
    for other in (options, places, names):
        assert re.search(rf"^{other.key}: (unreadable: [A-Za-z]+$|places: )", said, re.MULTILINE), said


def test_a_changed_rating_is_found(match):
    Rating.objects.filter(user__username="ann").update(value=2000)
    said, wrong = verify()
    assert wrong
    assert "the ratings are wrong: ann, biblios, pool 2: the rating is 2000.0 after 1 games" in said


def test_rows_of_the_archive_without_a_match_are_found(match):
    open_matches.open_match(person("ann"), places=2, options={})
    ArchivedMatch.objects.create(
        user=person("cho"),
        match="nowhere",
        ended_at=match.ended_at,
        seats=2,
        seat=0,
        game="biblios",
        place=1,
        won=True,
        points=3,
        names=[],
        scores=[],
    )
    assert "1 rows of the archive belong to no match" in verify()[0]


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="only SQLite keeps a time that is none")
def test_a_header_that_cannot_be_read_hides_no_other_match(match):
    other = answer(seated("ann", "bob"), Random(1))
    Seat.objects.filter(match=match).update(bank_ms=3)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_match SET started_at = '2026-11-41 12:00:00' WHERE id = %s", [other.pk])
    said, _ = verify()
    assert f"{match.key}: bank" in said
    assert f"{other.key}: unreadable" in said
