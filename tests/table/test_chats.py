"""What is said at a table, by whom, and who learns of it."""

import re
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.utils import timezone, translation

from accounts import services
from accounts.models import User
from accounts.web.refused import Refused
from games.lobby import open_matches
from games.matches import access, chat, play
from games.matches.clocks import USUAL
from games.matches.models import ChatLine, Match, Seat, WatcherLine
from tests.matches.matches import rushed, seated
from tests.people import person
from tests.security import world
from tests.sockets import opening, session_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("static_files")]

LIVE = {"clock": USUAL}
SECRET = "ann should have kept the gold"


def browser(name=None):
    client = world.browser()
    if name:
        client.cookies[settings.SESSION_COOKIE_NAME] = session_of(person(name))
    return client


def guest():
    client = world.browser()
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(guest_user())
    return client


def guest_user():
    return User.objects.filter(guest=True).first() or User.objects.create_user("guest-gus", guest=True)


def said(client, match, **fields):
    return client.post(f"/m/{match.key}/chat", fields, headers={"HX-Request": "true"}).status_code


def timeless(html: bytes) -> bytes:
    clocks = rb'data-remaining="\d+"|since=\d+|"(?:at|signature)": "[^"]+"|Your clock now: [^<]+'
    return re.sub(clocks + rb'|name="csrfmiddlewaretoken" value="\w+"', b"", html)


def everything(client, match):
    """Whatever a player may look at."""
    key = match.key
    at_table = (f"/m/{key}", f"/m/{key}/board", f"/m/{key}/0", f"/m/{key}/receipt.json", f"/m/{key}/record.json")
    beside = ("/", "/play", "/play/news", "/watch", "/notices", "/account", "/@/ann", "/@/ann/games")
    return {page: timeless(client.get(page).content) for page in (*at_table, *beside)}


def watchers_talk(match, times=1):
    for _ in range(times):
        chat.say(match, person("cho"), SECRET)
    chat.say_phrase(match, person("dan"), "oops")


# The watchers' chat, and its players


def test_no_page_of_a_player_depends_on_what_the_watchers_say_while_the_game_runs():
    match = seated("ann", "bob", "eve")
    play.leave(match, 2, Seat.Left.RESIGN)
    clients = {"ann": browser("ann"), "who has left": browser("eve"), "signed out": browser(), "guest": guest()}
    before = {name: everything(client, match) for name, client in clients.items()}
    watchers_talk(match)
    assert {name: everything(client, match) for name, client in clients.items()} == before


def test_the_ids_of_the_players_lines_do_not_count_those_of_the_watchers():
    match = seated("ann", "bob")
    chat.say(match, person("ann"), "hello")
    watchers_talk(match)
    chat.say(match, person("bob"), "hello")
    first, second = ChatLine.objects.order_by("pk")
    assert second.pk == first.pk + 1


@pytest.mark.parametrize("how", ["finished", "aborted"])
def test_players_read_it_when_the_game_is_over_and_cannot_answer_there(how):
    match = seated("ann", "bob", "eve")
    play.leave(match, 2, Seat.Left.RESIGN) if how == "finished" else None
    watchers_talk(match)
    if how == "finished":
        rushed(access.find(match.key))
    else:
        for seat in range(3):
            play.vote(match, seat, Seat.Vote.ABORT)
    assert access.find(match.key).status == how
    for name in ("ann", "eve"):
        html = browser(name).get(f"/m/{match.key}").content.decode()
        assert SECRET in html[html.index('id="watchers-lines"') : html.index('id="chat-lines"')]
    assert said(browser("ann"), match, text="Indeed.") == 200
    assert ChatLine.objects.filter(text="Indeed.").exists() and not WatcherLine.objects.filter(text="Indeed.").exists()


def test_a_player_among_bots_reads_what_was_said_of_their_game_when_it_is_over():
    match = seated("ann", bots=1)
    assert 'data-pane="chat"' not in browser("ann").get(f"/m/{match.key}").content.decode()
    watchers_talk(match)
    assert 'data-pane="chat"' not in browser("ann").get(f"/m/{match.key}").content.decode()
    rushed(match)
    assert SECRET in browser("ann").get(f"/m/{match.key}").content.decode()


def test_watchers_with_accounts_read_and_write_and_nobody_else_does():
    match = seated("ann", "bob")
    chat.say(match, person("ann"), "a word among players")
    assert said(browser("cho"), match, text=SECRET) == 200
    html = browser("dan").get(f"/m/{match.key}").content.decode()
    assert SECRET in html and "a word among players" not in html
    for client in (browser(), guest()):
        assert SECRET not in client.get(f"/m/{match.key}").content.decode()
        assert said(client, match, text="me too") in (204, 404)
    assert WatcherLine.objects.count() == 1


def test_who_has_left_a_running_game_is_no_watcher_of_it():
    match = seated("ann", "bob", "eve")
    play.leave(match, 2, Seat.Left.RESIGN)
    watchers_talk(match)
    assert SECRET not in browser("eve").get(f"/m/{match.key}").content.decode()
    assert said(browser("eve"), match, text="My hand was full of gold.") == 404


def test_nobody_watches_what_may_not_be_watched():
    match = seated("ann", "bob", watch="none")
    assert said(browser("cho"), match, text="hello") == 404
    assert not WatcherLine.objects.exists()


def test_an_hour_after_the_end_watchers_have_said_what_they_had_to_say(monkeypatch):
    match = rushed(seated("ann", "bob"))
    assert said(browser("cho"), match, text="What a game!") == 200
    monkeypatch.setattr(chat, "AFTERWARDS", timedelta(0))
    assert said(browser("cho"), match, text="And once more!") == 404
    html = browser("cho").get(f"/m/{match.key}").content.decode()
    assert "What a game!" in html and "/chat" not in html


def test_a_steward_who_plays_sees_nothing_of_the_watchers_before_the_end():
    match = seated("ann", "bob")
    watchers_talk(match)
    for name in ("ann", "cho"):
        person(name, is_staff=True, is_superuser=True)
        User.objects.filter(username=name).update(is_staff=True, is_superuser=True)
    line = WatcherLine.objects.filter(text=SECRET).get()
    lists = ("/admin/games/watcherline/", f"/admin/games/watcherline/{line.pk}/change/")
    for page in lists:
        assert SECRET not in browser("ann").get(page).content.decode()
        assert SECRET in browser("cho").get(page).content.decode()
    rushed(match)
    for page in lists:
        assert SECRET in browser("ann").get(page).content.decode()


@pytest.mark.django_db(transaction=True)
async def test_a_players_socket_hears_nothing_of_it_until_the_game_is_over(static_files):
    match = await sync_to_async(seated)("ann", "bob")
    async with opening() as opener:
        ann, cho, dan = [await opener(f"/ws/m/{match.key}", name) for name in ("ann", "cho", "dan")]
        for page in (ann, cho, dan):
            await page.board()
        await ann.until(lambda text: 'id="watchers"' in text and ">2<" in text)
        await cho.sends(text=SECRET)
        assert "data-by" not in await dan.until(lambda text: SECRET in text)  # who watches has no seat
        await dan.sends(phrase="oops")
        await cho.until(lambda text: "Oops!" in text)
        await sync_to_async(chat.say)(match, match.sitting[1].user, "good luck")
        # This is the next thing that ann hears, and all of it.
        heard = await ann.until(lambda text: not text.startswith("{"))
        line = await sync_to_async(lambda: ChatLine.objects.get())()
        words = f'<li id="c{line.pk}" data-by="1"><b><bdi>bob</bdi></b> good luck</li>'
        assert heard == f'<ol id="chat-lines" hx-swap-oob="innerHTML">{words}</ol>'
        await sync_to_async(rushed)(match)
        over = await ann.until(lambda text: "watchers-lines" in text)
        assert SECRET in over


# What everybody sees of them


@pytest.mark.django_db(transaction=True)
async def test_everybody_is_told_how_many_watch(static_files):
    match = await sync_to_async(seated)("ann", "bob")
    user = await sync_to_async(guest_user)()
    async with opening() as opener:
        ann = await opener(f"/ws/m/{match.key}", "ann")
        assert 'id="watchers" class="watchers" hidden' in await ann.board()
        await opener(f"/ws/m/{match.key}")
        await opener(f"/ws/m/{match.key}")  # from one network: as one
        await opener(f"/ws/m/{match.key}", "cho")
        await opener(f"/ws/m/{match.key}", session=await sync_to_async(session_of)(user))
        assert "3 people are watching" in await ann.until(lambda text: ">3<" in text)


# Phrases


def test_a_phrase_is_kept_by_its_name_and_read_in_the_language_of_the_reader(languages):
    match = seated("ann", "bob")
    assert said(browser("ann"), match, phrase="luck") == 200
    line = ChatLine.objects.get()
    assert (line.text, line.phrase) == ("", "luck")
    assert chat.words(line) == "<b><bdi>ann</bdi></b> Good luck!"
    with translation.override("de"):
        assert chat.words(line) == "<b><bdi>ann</bdi></b> «Good luck!»"


def test_a_phrase_that_is_none_is_refused_and_so_is_what_the_room_says_itself():
    match = seated("ann", "bob")
    for phrase in ("", "ready", "x" * 3000, "\0"):
        assert said(browser("ann"), match, phrase=phrase) == 409
    assert not ChatLine.objects.exists()


def test_letters_keep_their_joiners_and_nothing_turns_the_line_around():
    chat.say(seated("ann", "bob"), person("ann"), "می\u200cخواهم\u202e\n?")
    assert ChatLine.objects.get().text == "می\u200cخواهم ?"


def test_phrases_are_counted_with_all_else_that_is_said(at_most):
    match = seated("ann", "bob")
    at_most("chat", 1)
    assert said(browser("ann"), match, phrase="luck") == 200
    assert said(browser("ann"), match, text="hello") == 429
    assert said(browser("cho"), match, phrase="luck") == 200
    assert said(browser("cho"), match, phrase="luck") == 429


def test_whoever_has_muted_the_chat_or_blocks_somebody_is_shown_no_phrases_either():
    match = seated("ann", "bob")
    said(browser("ann"), match, phrase="moment")
    said(browser("cho"), match, phrase="moment")
    person("dan").blocks.create(blocked=person("cho"))
    assert "<b><bdi>cho</bdi></b>" not in browser("dan").get(f"/m/{match.key}").content.decode()
    browser("bob").post(f"/m/{match.key}/mute")
    assert "<b><bdi>ann</bdi></b>" not in browser("bob").get(f"/m/{match.key}").content.decode()


# Before the game


def in_room(client, match):
    return client.get(f"/m/{match.key}").content.decode()


def test_who_sits_in_a_waiting_room_talks_there_and_at_the_table_afterwards():
    match = open_matches.open_match(person("ann"), places=3, options={}, **LIVE)
    open_matches.join(match, person("bob"))
    assert said(browser("bob"), match, text="hello from the room") == 200
    assert "hello from the room" in in_room(browser("ann"), match)
    for name in ("cho", None):
        assert "hello from the room" not in in_room(browser(name), match)
    assert said(browser("cho"), match, text="let me in") == 404
    begun = seated("ann", "bob", bots=1)
    ChatLine.objects.update(match=begun)
    assert "hello from the room" in in_room(browser("ann"), begun)


def test_a_waiting_room_says_who_came_who_is_ready_and_who_left_once_each():
    match = open_matches.open_match(person("ann"), places=3, options={}, **LIVE)
    for _ in range(3):
        open_matches.join(match, person("bob"))
        open_matches.ready(match, person("bob"))
        open_matches.leave(match, person("bob"))
    events = list(match.chat.order_by("pk").values_list("phrase", flat=True))
    assert events == ["joined", "ready", "left"]
    assert "<bdi>bob</bdi> has left." in in_room(browser("ann"), match)


def test_the_table_says_nothing_more_of_the_waiting_room():
    assert not seated("ann", "bob", **LIVE).chat.exists()


def test_who_is_sent_away_reads_no_more_and_their_seat_is_not_muted_for_the_next():
    match = open_matches.open_match(person("ann"), places=3, options={}, **LIVE)
    open_matches.join(match, person("bob"))
    assert browser("bob").post(f"/m/{match.key}/mute").status_code == 302
    assert access.find(match.key).sitting[1].muted
    chat.say(access.find(match.key), person("ann"), "between us")
    open_matches.kick(match, person("ann"), 1)
    assert "between us" not in in_room(browser("bob"), match)
    open_matches.join(match, person("cho"))
    assert "between us" in in_room(browser("cho"), match)


def test_a_flood_in_a_waiting_room_is_refused_with_a_sentence(at_most):
    match = open_matches.open_match(person("ann"), places=3, options={}, **LIVE)
    at_most("chat", 0)
    answer = browser("ann").post(f"/m/{match.key}/chat", {"text": "hello"}, headers={"HX-Request": "true"})
    assert answer.status_code == 429 and int(answer["Retry-After"]) > 0
    assert "You’re writing too fast." in answer.text


# Those who go


def test_with_an_account_goes_all_that_it_said():
    match = seated("ann", "bob")
    chat.say(match, person("ann"), "hello")
    watchers_talk(match)
    for name in ("ann", "cho"):
        services.close(person(name))
    services.close_due(timezone.now() + timedelta(days=30))
    assert not ChatLine.objects.exists()
    assert [line.user.username for line in WatcherLine.objects.all()] == ["dan"]


# Whoever has no profile


def test_guests_are_reported_from_their_table_by_whoever_has_an_account():
    waiting = open_matches.join(open_matches.open_match(person("ann"), places=3, options={}), guest_user())
    report = f'href="/@/guest-gus/report?match={waiting.key}"'
    assert [page(each, waiting).count(report) for each in (browser("ann"), browser("bob"), guest())] == [1, 1, 0]
    Match.objects.all().delete()
    match = seated("ann", "guest-gus")
    report = f'href="/@/guest-gus/report?match={match.key}"'
    people = browser("ann"), browser("bob"), guest(), browser()
    assert [page(each, match).count(report) for each in people] == [1, 1, 0, 0]
    assert "/report" not in page(browser("ann"), seated("ann", "bob"))


def page(client, match):
    return client.get(f"/m/{match.key}").content.decode()


def test_nobody_writes_without_end_and_nobody_fills_a_chat_for_the_others(monkeypatch):
    monkeypatch.setattr(chat, "MOST", 7)
    monkeypatch.setattr(chat, "MOST_OF_ONE", 4)
    match = seated("ann", "bob", "dan")
    for name in ("ann", "bob"):
        for number in range(3):
            chat.say(match, person(name), f"line {number}")
    chat.say_phrase(match, person("ann"), "hello")
    with pytest.raises(Refused, match="You’ve written 4 lines at this table"):
        chat.say(match, person("ann"), "one more")
    with pytest.raises(Refused, match="This chat is full: it has 7 lines"):
        chat.say(match, person("dan"), "at last")
    chat.say(match, person("eve"), "nice")
    assert (match.chat.count(), match.watchers_chat.count()) == (7, 1)
