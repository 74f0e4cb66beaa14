"""Rematches: what those who played are offered in place, and what becomes of their answers."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.models import Block, Notice, User
from accounts.web import throttle
from accounts.web.refused import Refused
from games import worker
from games.lobby import open_matches, rematches
from games.matches import access, play
from games.matches import rematches as offers
from games.matches.clocks import USUAL, Clock
from games.matches.models import Match
from games.table import present
from tests.at_once import at_once
from tests.faces.scenes import words
from tests.matches.matches import seated
from tests.people import person
from tests.reading import source
from tests.sockets import opening

pytestmark = pytest.mark.django_db

LIVE = {"clock": USUAL}
DAILY = {"clock": Clock.daily(3)}


def over(*names, bots=0, **table):
    """A match that has just ended: the first player left it, and at larger tables all others."""
    match = seated(*names, bots=bots, **({} if bots else DAILY) | table)
    for index in range(len(names)):
        if access.find(match.key).status == "running":
            play.leave(access.find(match.key), index, "resign")
    return access.find(match.key)


def said(match, *names):
    """What everybody has said."""
    found = {reply.person.name: reply.said for _seat, reply in offers.offer(match).replies}
    return [found[name] for name in names]


def box(client, match):
    page = source(client.get(f"/m/{match.key}"))
    inside = page[page.index('id="rematch"') :]
    return words(inside[: inside.index("</header>")])


# What is agreed


def test_a_rematch_begins_when_all_have_said_yes_and_takes_over_the_terms():
    match = over("ann", "bob", "dan", rated=True)
    again = rematches.accept(match, person("bob"))
    assert said(match, "ann", "bob", "dan") == ["asked", "yes", "asked"]
    assert (again.host, again.listed, again.watch, again.days, again.rated) == (person("bob"), False, "all", 3, True)
    assert again.secret != match.secret
    rematches.accept(match, person("ann"))
    assert rematches.accept(match, person("dan")).status == "running"
    assert access.find(again.key).wake_at is None or access.find(again.key).mover is not None


def test_the_seats_are_those_of_before_only_if_whoever_asks_wants_that():
    names = ("ann", "bob", "cho", "dan")
    kept = rematches.accept(over(*names), person("cho"), same_seats=True)
    assert [seat.shown_name for seat in kept.sitting] == [*names]
    drawn = {
        tuple(seat.shown_name for seat in rematches.accept(over(*names), person("cho")).sitting) for _try in range(6)
    }
    assert len(drawn) > 1


def test_a_guest_who_begins_another_game_takes_back_what_they_had_asked_for(client, ann):
    client.post("/play/bots", {"places": "2"})
    guest = User.objects.get(guest=True)
    play.leave(Match.objects.get(), 0, "resign")
    again = rematches.accept(over("ann", guest.username), guest)
    assert client.post("/play/bots", {"places": "2"}).status_code == 302
    assert (access.find(again.key).status, Match.objects.filter(status="running").count()) == ("closed", 1)


def test_bots_agree_at_once(ann):
    gus = User.objects.create_user("guest-7k2abc", guest=True)
    for user in (ann, gus):
        match = over(user.username, bots=2)
        assert rematches.accept(match, user).status == "running"


def test_only_players_of_a_game_that_is_over_play_it_again(ann, cho):
    with pytest.raises(Refused):
        rematches.accept(seated("ann", "bob"), ann)
    with pytest.raises(Refused):
        rematches.accept(over("ann", "bob"), cho)


def test_of_two_a_no_ends_it_and_nobody_is_asked_again_but_by_whoever_said_no(ann, bob):
    match = over("ann", "bob")
    again = rematches.decline(rematches.accept(match, ann), bob)
    assert again.status == "closed" and said(match, "ann", "bob") == ["yes", "no"]
    with pytest.raises(Refused, match="Not everyone wants a rematch"):
        rematches.accept(match, ann)
    # Bob thinks better of it.
    renewed = rematches.accept(match, bob)
    assert renewed != again and said(match, "ann", "bob") == ["asked", "yes"]


def test_whoever_asked_takes_it_back_and_may_ask_again(ann, bob):
    match = over("ann", "bob")
    assert rematches.decline(rematches.accept(match, ann), ann).status == "closed"
    assert not Notice.objects.filter(user=bob, seen_at=None).exists()
    with pytest.raises(Refused):
        rematches.accept(match, bob)
    assert rematches.accept(match, ann).status == "open"


def test_whoever_asks_and_takes_it_back_again_and_again_is_stopped(client, ann, bob, monkeypatch):
    monkeypatch.setitem(throttle.LIMITS, "challenges", throttle.LIMITS["challenges"]._replace(times=3))
    match = over("ann", "bob")
    client.force_login(ann)
    for _ in range(3):
        rematches.decline(rematches.accept(match, ann), ann)
    client.post(f"/m/{match.key}/rematch")
    assert offers.offer(match).state == "closed"
    assert Notice.objects.filter(user=bob).count() == 3


def test_the_others_keep_the_table_when_one_of_three_says_no(ann, bob, dan):
    match = over("ann", "bob", "dan")
    again = rematches.accept(match, ann)
    rematches.decline(again, bob)
    again = rematches.accept(match, dan)
    assert (again.status, said(match, "ann", "bob", "dan")) == ("open", ["yes", "no", "yes"])
    assert again.wake_at is None, "all have answered: it waits for somebody else, as any table does"
    open_matches.add_bot(again, ann)
    assert offers.offer(match).state == "begun"


def test_whoever_said_no_may_still_say_yes(ann, bob, dan):
    match = over("ann", "bob", "dan")
    rematches.decline(rematches.accept(match, ann), bob)
    rematches.accept(match, dan)
    assert rematches.accept(match, bob).status == "running"


def test_an_offer_that_was_closed_while_no_worker_ran_waits_for_nothing(ann, bob):
    again = rematches.accept(over("ann", "bob"), ann)
    later = again.wake_at + timedelta(days=1)
    assert open_matches.close_idle(later) == 1
    assert worker.due_at(later) == []


def test_a_live_offer_is_gone_after_five_minutes_and_a_daily_one_after_two_days(ann, bob, at, static_files):
    assert timedelta(minutes=5) == offers.LIVE
    for table, lasts in ((LIVE, offers.LIVE), (DAILY, offers.LATER)):
        match = over("ann", "bob", **table)
        now = timezone.now()
        again = rematches.accept(match, ann)
        assert lasts <= again.wake_at - now < lasts + timedelta(seconds=30)
        assert worker.run_once(again.wake_at - timedelta(milliseconds=1)) == 0
        assert worker.run_once(again.wake_at) == 1
        assert offers.offer(match).state == "closed"
        assert "bob didn’t answer. Ask again?" in box(at("ann"), match)
        assert "ann wanted a rematch. Ask them?" in box(at("bob"), match)
        # Nobody has said no: one may ask again.
        assert rematches.accept(match, bob).status == "open"
        Match.objects.filter(rematch_of=match).update(status="closed", wake_at=None)


def test_after_the_time_nobody_waits_for_those_who_have_not_answered(ann, bob, dan):
    match = over("ann", "bob", "dan")
    rematches.accept(match, ann)
    again = rematches.accept(match, bob)
    worker.run_once(again.wake_at)
    assert said(match, "ann", "bob", "dan") == ["yes", "yes", "no"]
    assert (access.find(again.key).status, access.find(again.key).wake_at) == ("open", None)


def test_whoever_asked_and_is_not_ready_at_the_end_of_the_time_is_no_longer_the_host(ann, bob, dan):
    match = over("ann", "bob", "dan", **LIVE)
    again = rematches.accept(match, ann)
    open_matches.ready(again, ann, yes=False)
    for user in (bob, dan):
        rematches.accept(match, user)
    again = rematches.expire(access.find(again.key))
    assert again.host in (bob, dan) and said(match, "ann") == ["no"]
    open_matches.add_bot(again, again.host)


def test_an_answer_after_the_time_makes_a_new_offer(ann, bob):
    match = over("ann", "bob", **LIVE)
    again = rematches.accept(match, ann)
    Match.objects.filter(pk=again.pk).update(wake_at=timezone.now() - timedelta(seconds=1))
    renewed = rematches.accept(match, bob)
    assert renewed != again and renewed.host == bob and said(match, "ann", "bob") == ["asked", "yes"]


def test_a_game_that_ended_long_ago_has_no_rematch(ann):
    match = over("ann", "bob")
    long_ago = timezone.now() - open_matches.REMATCH_WITHIN - timedelta(seconds=1)
    Match.objects.filter(pk=match.pk).update(revision=match.revision)
    match.ended_at = long_ago
    with pytest.raises(Refused, match="more than a week ago"):
        rematches._offer(match, match.sitting, ann, False)


def test_nobody_is_asked_by_somebody_they_have_blocked(ann, bob):
    match = over("ann", "bob")
    Block.objects.create(user=bob, blocked=ann)
    with pytest.raises(Refused, match="isn’t possible"):
        rematches.accept(match, ann)


@pytest.mark.parametrize("closed", [True, False])
def test_the_seat_of_whoever_is_closed_or_banned_is_free(ann, bob, closed):
    match = over("ann", "bob")
    User.objects.filter(pk=bob.pk).update(closed=closed, is_active=False)
    again = rematches.accept(match, ann)
    assert sorted(seat.shown_name for seat in again.sitting) == ["", "ann"]


def test_a_seat_in_a_rematch_counts_once_its_player_takes_it(ann, bob, monkeypatch):
    monkeypatch.setattr(open_matches, "TABLES", 1)
    match = over("ann", "bob")
    rematches.accept(match, ann)
    own = open_matches.open_match(bob, places=2, options={}, **DAILY)
    with pytest.raises(Refused, match="fifty tables"):
        rematches.accept(match, bob)
    open_matches.leave(own, bob)
    assert rematches.accept(match, bob).status == "running"


@pytest.mark.django_db(transaction=True)
def test_of_two_who_ask_at_once_one_takes_the_others_offer(ann, bob):
    match = over("ann", "bob")
    assert at_once(*[lambda who=who: rematches.accept(match, who) for who in (ann, bob)]) == [None, None]
    again = Match.objects.get(rematch_of=match)
    assert (again.seats.count(), again.status) == (2, "running")


@pytest.mark.django_db(transaction=True)
def test_a_yes_and_a_taking_back_at_once_leave_nobody_alone_at_a_table(ann, bob):
    match = over("ann", "bob")
    again = rematches.accept(match, ann)
    at_once(lambda: rematches.accept(match, bob), lambda: rematches.decline(again, ann))
    assert access.find(again.key).status in ("running", "closed")


@pytest.mark.django_db(transaction=True)
def test_the_last_yes_and_the_end_of_the_time_at_once_begin_a_game_or_leave_an_offer(ann, bob):
    match = over("ann", "bob", **LIVE)
    again = rematches.accept(match, ann)
    Match.objects.filter(pk=again.pk).update(wake_at=timezone.now() + timedelta(seconds=1))
    assert at_once(lambda: rematches.accept(match, bob), lambda: rematches.expire(again)) == [None, None]
    assert offers.offer(match).state in ("begun", "open")


# What is told, and shown


def test_the_others_have_a_notice_that_goes_when_they_answer(ann, bob):
    match = over("ann", "bob", **LIVE)
    rematches.accept(match, ann)
    notice = Notice.objects.get(user=bob)
    assert (notice.kind, notice.address, notice.mail_at) == ("rematch now", f"/m/{match.key}", None)
    rematches.accept(match, bob)
    assert not Notice.objects.filter(user=bob, seen_at=None).exists()


def test_the_page_of_the_result_offers_it_to_the_others_and_shows_watchers_the_review_alone(at, static_files):
    match = over("ann", "bob", "dan")
    assert "Rematch" in box(at("ann"), match) and "drawn anew" in box(at("ann"), match)
    assert "Review this game" in box(at("ann"), match)
    at("ann").post(f"/m/{match.key}/rematch", {"answer": "yes"})
    bobs = box(at("bob"), match)
    assert "ann wants a rematch." in bobs and "Play again" in bobs and "No thanks" in bobs and "ann yes" in bobs
    assert "Withdraw" in box(at("ann"), match)
    for visitor in ("cho", None):
        page = source(at(visitor).get(f"/m/{match.key}"))
        assert "wants a rematch" not in page and 'value="yes"' not in page
        assert f'href="/m/{match.key}/0">Review this game' in page
    at("bob").post(f"/m/{match.key}/rematch", {"answer": "no"})
    assert "bob no" in box(at("dan"), match) and "You have said no." in box(at("bob"), match)


def test_whoever_takes_an_offer_goes_to_the_new_game_at_once(at, static_files):
    match = over("ann", "bob")
    assert at("ann").post(f"/m/{match.key}/rematch").url == f"/m/{match.key}"
    went = at("bob").post(f"/m/{match.key}/rematch").url
    assert went == f"/m/{Match.objects.get(rematch_of=match).key}"
    assert f'data-go="{went}"' in source(at("ann").get(f"/m/{match.key}"))
    watcher = source(at("cho").get(f"/m/{match.key}"))
    assert "Watch the rematch" in watcher and "data-go" not in watcher


def test_a_script_is_answered_with_the_board(at, static_files):
    match = over("ann", "bob")
    answer = at("ann").post(f"/m/{match.key}/rematch", headers={"HX-Request": "true"})
    assert answer.status_code == 200 and "You want a rematch." in words(answer.content.decode())
    at("bob").post(f"/m/{match.key}/rematch", {"answer": "no"})
    answer = at("ann").post(f"/m/{match.key}/rematch", headers={"HX-Request": "true"})
    assert answer.status_code == 409 and "Not everyone wants a rematch" in answer.content.decode()


def test_watchers_of_a_game_that_nobody_might_watch_hear_nothing_of_the_next(ann, bob):
    match = over("ann", "bob", watch="none")
    rematches.accept(match, ann)
    rematches.accept(match, bob)
    snapshot = present.MatchSnapshot(access.find(match.key))
    assert snapshot.watched.offer.state == "none" and snapshot.scene(0).offer.state == "begun"


@pytest.mark.django_db(transaction=True)
async def test_the_offer_reaches_the_open_pages_of_the_others_at_once(static_files):
    match = await sync_to_async(over)("ann", "bob")
    async with opening() as opener:
        pages = {name: await opener(f"/ws/m/{match.key}", name) for name in ("ann", "bob", "cho")}
        for page in pages.values():
            assert await page.reaches(match.ply)
        ann, bob = await sync_to_async(person)("ann"), await sync_to_async(person)("bob")
        await sync_to_async(rematches.accept)(match, ann)
        assert "ann wants a rematch." in words(await pages["bob"].until(lambda text: 'id="rematch"' in text))
        assert "Withdraw" in await pages["ann"].until(lambda text: 'id="rematch"' in text)
        await sync_to_async(rematches.accept)(match, bob)
        for name in ("ann", "bob"):
            assert await pages[name].until(lambda text: "data-go=" in text)
        # To a watcher nothing came before.
        assert "Watch the rematch" in await pages["cho"].until(lambda text: 'id="rematch"' in text)
