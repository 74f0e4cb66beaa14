from datetime import timedelta
from random import Random

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.utils import timezone

from accounts.models import Notice
from accounts.notices import mails, notices
from games import worker
from games.engine.biblios.notation import BID
from games.matches import access, clocks, history, play, reminders
from games.matches.models import Seat
from tests.matches.matches import answer, rushed, seated
from tests.people import person
from tests.sockets import opening

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(static_files):
    return [person(name, email=f"{name}@example.org") for name in ("ann", "bob")]


@pytest.fixture
def match(people):
    return seated("ann", "bob")


@pytest.fixture
async def pages(match):
    """Opens pages of the table: pages(name), connected; closed when the test is over."""
    async with opening() as opener:
        yield lambda name: opener(f"/ws/m/{match.key}", name)


def asked(match):
    """Who is asked."""
    return match.sitting[match.mover].user


def other(match):
    return next(seat.user for seat in match.sitting if seat.index != match.mover)


def late(match, **more):
    """When the question has stayed unseen for long enough."""
    return access.find(match.key).asked_at + reminders.UNSEEN + timedelta(**more)


def seen_plies(match):
    return [seat.seen_ply for seat in Seat.objects.filter(match=match).order_by("index")]


def test_whoever_has_not_seen_the_question_for_some_minutes_is_told_once(match):
    assert reminders.remind(late(match, seconds=-1)) == 0
    assert reminders.remind(late(match)) == 1
    notice = Notice.objects.get()
    assert (notice.user, notice.address) == (asked(match), f"/m/{match.key}")
    assert notices.in_text(notice) == f"It’s your turn in the game of Biblios with {other(match)}."
    assert reminders.remind(late(match, days=1)) == 0


def test_the_worker_does_it():
    assert reminders.remind in worker.CHORES


def test_two_workers_tell_it_once(match):
    late_seat = Seat.objects.select_related("match", "user").get(match=match, index=match.mover)
    assert reminders._remind(late_seat, late(match))
    assert not reminders._remind(late_seat, late(match)), "it has read the row before the other claimed it"
    assert Notice.objects.count() == 1


def test_an_answer_or_a_look_at_the_last_moment_is_in_time(match):
    late_seat = Seat.objects.select_related("match", "user").get(match=match, index=match.mover)
    at = late(match)
    answer(match, Random(1))
    assert not reminders._remind(late_seat, at)
    match = access.find(match.key)
    late_seat = Seat.objects.select_related("match", "user").get(match=match, index=match.mover)
    assert reminders.shown(match, match.sitting[match.mover])
    assert not reminders._remind(late_seat, late(match))
    assert not Notice.objects.exists()


def test_whoever_has_left_an_order_that_will_answer_is_not_told(match):
    match = rushed(match, lambda state: state.question == BID and state.seat == 0)
    lot = history.replay(match).state(match.ply).sold
    later = timezone.now() + timedelta(hours=1)
    play.set_order(match, match.sitting[0], "bid", f"{lot} 0")
    assert reminders.remind(later) == 0
    play.set_order(match, match.sitting[0], "bid", f"{lot + 1} 0")
    assert reminders.remind(later) == 1


def test_the_next_question_is_another_one(match):
    assert reminders.remind(late(match)) == 1
    match = rushed(match, until=lambda state: not state.early)
    assert reminders.remind(late(match)) == 1
    assert Notice.objects.count() <= 2


def test_whoever_opens_the_page_has_seen_the_question(client, match):
    client.force_login(asked(match))
    client.get(f"/m/{match.key}")
    assert seen_plies(match)[match.mover] == match.ply
    assert reminders.remind(late(match)) == 0


def test_whoever_was_told_and_opens_the_page_has_nothing_new_any_more(client, match):
    reminders.remind(late(match))
    client.force_login(asked(match))
    client.get(f"/m/{match.key}")
    assert notices.unseen(asked(match)) == []


def test_nobody_else_sees_the_question_for_them(client, match):
    for name in ("cho", other(match).username):
        client.force_login(person(name))
        client.get(f"/m/{match.key}")
        client.get(f"/m/{match.key}/board")
    client.force_login(asked(match))
    client.head(f"/m/{match.key}")
    assert seen_plies(match) == [-1, -1]
    assert reminders.remind(late(match)) == 1


def test_whether_a_question_was_seen_is_shown_to_nobody(client, match):
    client.force_login(other(match))
    address = f"/m/{match.key}/board"

    def shown():
        return [line for line in client.get(address).content.split() if b"data-remaining" not in line]

    before, facts = shown(), (match.ply, match.revision)
    Seat.objects.filter(match=match).update(seen_ply=0)
    assert shown() == before
    reminders.shown(access.find(match.key), access.find(match.key).sitting[match.mover])
    match.refresh_from_db()
    assert (match.ply, match.revision) == facts, "no page is drawn anew"


def test_answers_write_nothing_about_it(match):
    rushed(match)
    assert seen_plies(match) == [-1, -1]


def test_no_bot_and_nobody_who_has_left_is_told(static_files):
    match = seated("ann", "bob", bots=1)
    play.leave(match, next(seat.index for seat in match.sitting if seat.user), "resign")
    match = access.find(match.key)
    while match.sitting[match.mover].plays_itself:
        match = answer(match, Random(3))
    assert reminders.remind(late(match)) == 0, "only bots wait"
    assert not Notice.objects.exists()


def test_a_game_with_bots_alone_waits_in_silence(static_files):
    match = seated("ann", bots=2)
    while match.sitting[match.mover].plays_itself:
        match = answer(match, Random(1))
    assert reminders.remind(late(match)) == 0
    assert reminders.remind(late(match, days=2)) == 0
    assert not Notice.objects.exists()


def test_a_game_that_is_over_asks_nobody(match):
    match = rushed(match)
    assert reminders.remind(timezone.now() + timedelta(days=3)) == 0


# The page says that a question was seen


async def test_a_page_says_that_a_question_was_looked_at(pages, match):
    page = await pages(asked(match).username)
    assert await page.reaches(0)
    await page.sends(seen="0")
    await page.asks()
    assert await page.reaches(0)
    assert (await sync_to_async(seen_plies)(match))[match.mover] == 0
    assert await sync_to_async(reminders.remind)(await sync_to_async(late)(match)) == 0


async def test_whoever_looks_at_what_they_were_told_has_seen_the_notice(pages, match):
    page = await pages(asked(match).username)
    assert await page.reaches(0)
    assert await sync_to_async(reminders.remind)(await sync_to_async(late)(match)) == 1
    await page.sends(seen="0")
    await page.asks()
    assert await page.reaches(0)
    assert await sync_to_async(lambda: notices.unseen(asked(match)))() == []


async def test_pages_of_others_and_other_plies_say_nothing(pages, match):
    theirs = (await sync_to_async(other)(match)).username
    mine = (await sync_to_async(asked)(match)).username
    for name, ply in ((theirs, 0), ("cho", 0), (None, 0), (mine, 1), (mine, 10)):
        page = await pages(name)
        assert await page.reaches(0)
        await page.sends(seen=str(ply))
        await page.asks()
        assert await page.reaches(0)
    assert await sync_to_async(seen_plies)(match) == [-1, -1]


# Hidden facts


def letter_of(match):
    """The bytes of the mail, without what differs in any two mails."""
    mail.outbox.clear()
    assert reminders.remind(late(match)) == 1
    assert mails.send_due(late(match) + notices.MAIL_AFTER) == 1
    [letter] = mail.outbox
    kept = {name: text for name, text in letter.message().items() if name not in ("Date", "Message-ID")}
    number = Notice.objects.get().pk
    Notice.objects.all().delete()
    return repr((kept, letter.body)).replace(f"/notices/{number}\\n", "/notices/NUMBER\\n")


def positions():
    """Positions in which ann is asked, that have nothing in common but who sits there."""
    for seed in range(6):
        yield rushed(
            seated("ann", "bob"), until=lambda state, seed=seed: state.seat == 0 and state.placed > 3 * seed, seed=seed
        )


def test_the_mail_is_the_same_byte_by_byte_whatever_the_cards(people, at_most):
    for what in ("urgent letters from", "urgent letters to"):
        at_most(what, 6)
    found = {letter_of(match) for match in positions()}
    assert len(found) == 1
    assert "It’s your turn" in found.pop()


def test_the_check_finds_what_leaks_into_a_mail(people, monkeypatch):
    def leaking(users, kind, address, now, by, names, game):
        match = access.find(address.removeprefix("/m/"))
        hand = history.replay(match).state(match.ply).view(0).hand
        real(users, kind, address, now, by=by, names=names, game=game, hand=sum(map(ord, str(hand))))

    real = notices.notify
    monkeypatch.setattr(notices, "notify", leaking)
    monkeypatch.setitem(notices.KINDS, "turn", notices.NoticeKind("turn", "%(names)s", "You hold %(hand)d."))
    assert len({letter_of(match) for match in positions()}) > 1


def test_a_clock_that_runs_changes_nothing(static_files):
    match = seated("ann", "bob", pace="live", bank_ms=600_000)
    assert reminders.remind(late(match)) == 1
    assert clocks.ms_of(late(match)) < access.find(match.key).deadline
