import re
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.template import Context, Template
from django.utils import timezone

from accounts.models import Block, Rating, User
from games import context
from games.engine.registry import title
from games.hub import page as hub
from games.lobby import open_matches, quick, rematches, times
from games.lobby import page as lobby
from games.matches import shuffle
from games.matches.clocks import USUAL, Clock
from games.matches.models import Match, Seek
from tests.matches.matches import played, seated
from tests.people import person
from tests.reading import messages, source
from tests.sockets import Page, opening

LIVE = {"clock": USUAL}
DAILY = {"clock": Clock.daily(3)}
FORM = {
    "places": "2",
    "pace": "live",
    "time": "10+15",
    "days": "3",
    "bots": "0",
    "preset": "rulebook",
    "kind": "rated",
    "access": "all",
    "watch": "all",
}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("static_files")]


@pytest.fixture
def signed_in(client):
    def sign_in(user):
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return sign_in


def opened(host, places=2, **kwargs):
    return open_matches.open_match(host, places=places, options={}, **kwargs)


# What is listed


def test_open_tables_are_listed_youngest_first_but_not_those_by_link(ann, bob, cho):
    first, second = opened(ann, **LIVE), opened(bob, 3, **DAILY)
    opened(ann, listed=False)
    full = opened(ann, **LIVE)
    open_matches.join(full, cho)
    seated("ann", "bob")
    assert [table.match for table in lobby.open_matches_for(cho)] == [second, first]


def test_those_who_have_blocked_each_other_do_not_see_each_others_tables(ann, bob, cho):
    opened(ann, **LIVE)
    Block.objects.create(user=ann, blocked=bob)
    Block.objects.create(user=cho, blocked=ann)
    assert lobby.open_matches_for(bob) == lobby.open_matches_for(cho) == []


def test_an_open_table_shows_who_sits_there_with_rating(ann, bob, cho):
    Rating.objects.create(user=ann, game="biblios", pool="3-4", value=1604.4, games=20)
    table = lobby.open_match(open_matches.join(opened(ann, 4, rated=True, **LIVE), bob), cho)
    assert [(seat.occupant.name, seat.occupant.rating) for _place, seat, _kept, _bot in table.places] == [
        ("ann", "1604"),
        ("bob", "1500?"),
        ("", ""),
        ("", ""),
    ]
    assert (table.free, table.seated, table.time, table.me) == (2, 2, "10 min + 15 s", None)
    assert table.tags == ["Rulebook"]
    bluff = open_matches.open_match(ann, places=2, options={"penalty": "discard"})
    assert lobby.open_match(bluff, cho).tags == ["Custom", "Medieval Bluff"]


def test_my_tables_begin_with_my_turn_and_the_nearest_deadline(ann, bob):
    daily, live, free = seated("ann", "bob", **DAILY), seated("ann", "bob", **LIVE), seated("ann", "bob")
    for match in (daily, live, free):
        Match.objects.filter(pk=match.pk).update(mover=0)
    theirs = seated("ann", "bob", **LIVE)
    Match.objects.filter(pk=theirs.pk).update(mover=1)
    waiting = opened(ann)
    over = seated("ann", "bob")
    Match.objects.filter(pk=over.pk).update(status="finished")
    invited = rematches.accept(over, bob)
    found = lobby.own_matches(ann, timezone.now())
    assert [table.match for table in found] == [live, daily, free, invited, theirs, waiting]
    assert [table.turn for table in found] == [True, True, True, False, False, False]
    assert [table.invitation for table in found] == [False, False, False, True, False, False]
    assert found[0].left == "9 min left"
    assert found[1].left == "2 d 23 h left"
    assert lobby.waiting(ann) == 4
    assert lobby.waiting(bob) == 1, "bob has agreed to the rematch"


def test_a_table_that_one_has_left_waits_for_nobody_and_is_listed_until_it_ends(ann):
    match = seated("ann", "bob")
    match.seats.filter(index=0).update(left="resign")
    Match.objects.update(mover=0)
    (table,) = lobby.own_matches(ann, timezone.now())
    assert (table.deserted, table.turn, table.waits) == (True, False, False)
    assert lobby.waiting(ann) == 0
    Match.objects.update(status="finished")
    assert lobby.own_matches(ann, timezone.now()) == []


def test_how_far_a_game_has_come_is_told_from_what_everybody_saw(ann):
    match = seated("ann", "bob")
    assert lobby.own_matches(ann, timezone.now())[0].progress == "Gifts, turn 1 of 20"
    played(match, until=lambda state: state.view(None).deck == 0 and not state.early)
    assert lobby.own_matches(ann, timezone.now())[0].progress in ("Gifts, turn 20 of 20", "Auctions")


def test_whose_turn_it_is_is_said_once_with_the_question(signed_in, ann, bob):
    match = seated("ann", "bob", **DAILY)
    asked = [ann, bob][Match.objects.get().mover]
    (mine,) = lobby.own_matches(asked, timezone.now())
    assert mine.question == "Place this card"
    page = source(signed_in(asked).get("/play"))
    assert page.count("Place this card") == page.count("Your turn") == page.count(f'href="/m/{match.key}"') == 1
    assert "waits for you" not in page and "waiting for you" not in page and "It’s your turn" not in page
    assert "1 thing waits for you" in source(signed_in(asked).get("/clubs"))
    other = bob if asked == ann else ann
    assert lobby.own_matches(other, timezone.now())[0].question == ""
    assert "Place this card" not in source(signed_in(other).get("/play"))


def test_only_the_first_few_games_say_what_they_ask(ann):
    for _ in range(5):
        Match.objects.filter(pk=seated("ann", "bob", **DAILY).pk).update(mover=0)
    assert [bool(table.question) for table in lobby.own_matches(ann, timezone.now())] == [True] * 3 + [False] * 2


def test_the_last_games_stand_there_with_their_result_and_a_way_to_review_them(signed_in, ann):
    assert "No game is running." in source(signed_in(ann).get("/play")) and lobby.last_games(ann) == []
    for sitting in (("ann", "bob"), ("ann", "bob", "dan"), ("ann",)):
        for _ in range(2):
            game = played(seated(*sitting, bots=1)) if len(sitting) == 1 else played(seated(*sitting))
    page = source(signed_in(ann).get("/play"))
    last = lobby.last_games(ann)
    assert len(last) == 3 and last[0].line.row.match == game.key
    for each in last:
        row = each.line.row
        assert (each.said.startswith("Won against")) == row.won
        assert f'href="/m/{row.match}"' in page and each.said in page
    rivals = ", ".join(rival.name for rival in last[2].line.rivals)
    assert last[2].said in (f"Won against {rivals}", f"Place {last[2].line.row.place} of 3, with {rivals}")


def test_what_others_play_leaves_out_ones_own_games(signed_in, ann, bob):
    mine, theirs = seated("ann", "bob"), seated("bob", "dan")
    page = source(signed_in(ann).get("/play"))
    boards = page[page.index('id="watched-matches"') :]
    assert theirs.key in boards and mine.key not in boards


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (59_000, "less than a minute left"),
        (391_000, "6 min left"),
        (22.5 * 3_600_000, "22 h left"),
        (28 * 3_600_000, "1 d 4 h left"),
        (-5, "less than a minute left"),
    ],
)
def test_times_are_told_roughly(ms, words):
    now = timezone.now()
    assert times.left(now + timedelta(milliseconds=ms), now) == words


def test_the_lobby_asks_no_more_for_many_tables_than_for_few(static_files, ann, bob, django_assert_num_queries):
    def fill():
        for _ in range(2):
            opened(bob, 3, **DAILY)
            seated("ann", "bob")
            seated("bob", "dan")
            opened(ann, **DAILY)

    def cost():
        with django_assert_num_queries(23):
            lobby.regions(person("ann"), timezone.now(), title())

    fill()
    cost()
    fill()
    cost()


def test_a_page_that_does_not_show_how_many_games_wait_does_not_count_them(rf, ann, django_assert_num_queries):
    seated("ann", "bob")
    Match.objects.update(mover=0)
    request = rf.get("/")
    request.user = ann
    shown = Context(context.waiting(request))
    with django_assert_num_queries(0):
        Template("-").render(shown)
    words = "{% blocktranslate count n=waiting %}{{ n }} game{% plural %}{{ n }} games{% endblocktranslate %}"
    with django_assert_num_queries(1):
        assert Template("{% load i18n %}{% if waiting %}" + words + "{% endif %}").render(shown) == "1 game"


# The pages


def test_everybody_sees_the_lobby_and_only_members_the_form(client, signed_in, ann):
    page = source(client.get("/play"))
    assert "Create your account" in page and "Create a table" not in page
    page = source(signed_in(ann).get("/play"))
    assert "Create a table" in page and 'ws-connect="/ws/play?since=' in page


def test_a_full_room_says_whom_it_waits_for_and_how_long_the_game_takes(signed_in, ann, bob):
    match = open_matches.join(opened(ann, **LIVE), bob)
    hosts, guests = (source(signed_in(user).get(f"/m/{match.key}")) for user in (ann, bob))
    assert "Waiting for you: press I’m ready." in guests and "Waiting for you" not in hosts
    assert "The game starts when everyone is ready." in hosts and "about 20 min" in hosts


def test_a_form_opens_the_table_that_it_describes(signed_in, ann):
    response = signed_in(ann).post("/play/new", FORM | {"places": "3", "access": "link"})
    match = Match.objects.get()
    assert response.url == f"/m/{match.key}"
    assert (match.host, match.places, match.rated, match.listed, match.watch) == (ann, 3, True, False, "all")
    assert (match.pace, match.bank_ms, match.increment_ms, match.days) == ("live", 600_000, 15_000, 0)


def test_a_rated_game_that_nobody_may_watch_is_refused_beside_that_choice(signed_in, ann):
    response = signed_in(ann).post("/play/new", FORM | {"watch": "none"})
    assert response.status_code == 422
    assert "Anyone can watch a rated game. To play unwatched, choose a casual game." in response.content.decode()
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"time": "5+10"}, {"bank_ms": 300_000, "increment_ms": 10_000}),
        ({"time": "own", "minutes": "60", "seconds": "0"}, {"bank_ms": 3_600_000, "increment_ms": 0}),
        ({"pace": "daily", "days": "7"}, {"pace": "daily", "days": 7, "bank_ms": 0, "rated": True}),
        ({"pace": "none"}, {"pace": "none", "rated": False, "bank_ms": 0, "days": 0}),
        ({"bots": "1"}, {"status": "running", "rated": False}),
        ({"kind": "casual", "watch": "none"}, {"rated": False, "watch": "none"}),
        ({"bots": "1", "watch": "none"}, {"rated": False, "watch": "none"}),
        ({"preset": "persian"}, {"options": {"final_tie": "totals"}}),
        (
            {"preset": "custom", "option_penalty": "honest", "option_start_die": "1"},
            {"options": {"penalty": "honest", "start_die": 1}},
        ),
        ({"preset": "custom", "option_default_on_purpose": "false"}, {"options": {"default_on_purpose": False}}),
        ({"preset": "rulebook", "option_penalty": "honest"}, {"options": {"penalty": "transfer"}}),
    ],
)
def test_choices_mean_what_they_say(signed_in, ann, choice, expected):
    assert signed_in(ann).post("/play/new", FORM | choice).status_code == 302
    match = Match.objects.get()
    for name, value in expected.items():
        if name == "options":
            assert match.options | value == match.options
        else:
            assert getattr(match, name) == value


@pytest.mark.parametrize(
    ("choice", "complaint"),
    [
        ({"time": "own", "minutes": "61", "seconds": "5"}, "At most 60."),
        ({"time": "own", "minutes": "", "seconds": "5"}, "Please enter a whole number."),
        ({"bots": "2"}, "One of the seats is yours"),
        ({"places": "5"}, "5 is not one of the available choices"),
        ({"preset": "finnish"}, "finnish is not one of the available choices"),
        ({"preset": "custom", "option_penalty": "none"}, "none is not one of the available choices"),
        ({"pace": ""}, "This field is required."),
    ],
)
def test_a_wrong_form_says_so_beside_the_field_and_keeps_what_was_chosen(signed_in, ann, choice, complaint):
    response = signed_in(ann).post("/play/new", FORM | {"access": "link"} | choice)
    assert response.status_code == 422
    assert complaint in source(response)
    assert re.search(r'value="link"[^>]* checked', source(response))
    if choice.get("minutes"):
        assert f'value="{choice["minutes"]}"' in source(response)
    assert not Match.objects.exists()


def test_a_guest_is_not_told_to_do_what_they_cannot(signed_in, ann):
    assert "Create one: others see it right away." in source(signed_in(ann).get("/play"))
    ann.guest = True
    ann.save()
    page = source(signed_in(ann).get("/play"))
    assert "No open tables right now." in page and "Get a link" in page
    assert "Create one" not in page and "create one" not in page


def test_a_table_too_many_is_refused_on_the_form(signed_in, ann):
    for _ in range(3):
        opened(ann, **LIVE)
    response = signed_in(ann).post("/play/new", FORM)
    assert response.status_code == 422
    assert "three open live tables already" in source(response)


def test_nobody_opens_more_than_ten_tables_a_minute(signed_in, ann):
    client = signed_in(ann)
    for _ in range(10):
        assert client.post("/play/new", FORM | {"pace": "daily"}).status_code == 302
    response = client.post("/play/new", FORM | {"pace": "daily"})
    assert response.status_code == 429 and "Try again in" in source(response)
    client.post("/play/bots", {"places": "2"})
    assert Match.objects.count() == 10


@pytest.mark.parametrize("path", ["/play/new", "/play/quick", "/m/KEY/join"])
def test_whoever_has_no_account_is_asked_to_sign_up_and_comes_back(client, signed_in, ann, path):
    match = opened(ann)
    back = f"/m/{match.key}" if "KEY" in path else "/play"
    path = path.replace("KEY", match.key)
    expected = "/sign-up?next=" + back.replace("/", "%2F")
    assert client.post(path, FORM).url == expected
    assert signed_in(User.objects.create_user("guest-7k2abc", guest=True)).post(path, FORM).url == expected


def test_the_page_of_notices_leads_to_games_that_wait(signed_in, ann):
    for _ in range(3):
        seated("ann", "bob")
    Match.objects.update(mover=0)
    html = source(signed_in(ann).get("/notices"))
    assert '<a class="leaf awaits" href="/play">' in html
    assert "<b>3 games are waiting for you</b>" in html


# The waiting room


def test_an_invited_visitor_sees_the_room_and_how_to_take_the_seat(client, ann):
    match = opened(ann, listed=False)
    page = source(client.get(f"/m/{match.key}"))
    assert "Sign up to take this seat" in page
    assert f'href="/sign-up?next=%2Fm%2F{match.key}"' in page, "the header leads back, too"
    assert match.commitment in page


def test_the_link_lets_anybody_with_an_account_sit_down(signed_in, ann, cho):
    match = opened(ann, 3, listed=False)
    signed_in(cho).post(f"/m/{match.key}/join")
    assert match.seats.get(user=cho).index == 1


def test_no_page_of_a_room_holds_a_secret(signed_in, ann, bob):
    match = opened(ann, 3, **LIVE)
    open_matches.join(match, bob)
    shuffle.give_ahead(match, ann, bytes.fromhex("ab" * 16))
    shuffle.give_ahead(match, bob, bytes.fromhex("cd" * 16))
    for user in (ann, bob):
        page = signed_in(user).get(f"/m/{match.key}").content.decode()
        assert bytes(match.secret).hex() not in page
        assert "ab" * 16 not in page and "cd" * 16 not in page


def test_one_joins_gets_ready_and_is_at_the_table(signed_in, ann, bob):
    match = opened(ann, **LIVE)
    client = signed_in(bob)
    client.post(f"/m/{match.key}/join")
    assert "Ready" in source(client.get(f"/m/{match.key}"))
    assert client.post(f"/m/{match.key}/ready", {"ready": "yes"}).url == f"/m/{match.key}"
    match.refresh_from_db()
    assert match.status == "running"


def test_a_refusal_is_a_sentence_in_the_room(signed_in, ann, bob, cho):
    match = opened(ann, **LIVE)
    open_matches.join(match, bob)
    response = signed_in(cho).post(f"/m/{match.key}/join")
    assert response.url == f"/m/{match.key}"
    assert messages(response) == ["Someone was faster: there’s no free seat any more."]


def test_the_host_sends_away_adds_bots_and_closes_by_getting_up(signed_in, ann, bob):
    match = opened(ann, 3, **LIVE)
    open_matches.join(match, bob)
    client = signed_in(ann)
    client.post(f"/m/{match.key}/kick", {"seat": "1"})
    client.post(f"/m/{match.key}/bot")
    assert [seat.bot for seat in match.seats.all()] == ["", "greedy", ""]
    assert client.post(f"/m/{match.key}/stand").url == "/play"
    page = source(client.get(f"/m/{match.key}"))
    assert "This table has been closed." in page and "/ws/play" not in page


def test_an_outsider_changes_nothing_at_a_table(signed_in, ann, bob, cho):
    match = opened(ann, 3, **LIVE)
    open_matches.join(match, bob)
    client = signed_in(cho)
    for act in ("ready", "stand", "kick", "bot"):
        client.post(f"/m/{match.key}/{act}", {"seat": "1"})
    assert [seat.user for seat in match.seats.all()] == [ann, bob, None]
    assert client.post(f"/m/{match.key}/rematch").status_code == 404


@pytest.mark.parametrize("act", ["", "/join", "/ready", "/stand", "/kick", "/bot", "/rematch"])
def test_an_unknown_address_is_not_there(signed_in, ann, act):
    client = signed_in(ann)
    assert (client.post if act else client.get)(f"/m/abcdefghijkm{act}").status_code == 404


def test_a_room_of_four_asks_no_more_than_a_room_of_three(signed_in, ann, bob, cho, django_assert_num_queries):
    client = signed_in(cho)
    client.get("/play")  # the session notes that it is in use
    for places in (3, 4):
        match = open_matches.join(opened(ann, places, **LIVE), bob)
        with django_assert_num_queries(6):
            client.get(f"/m/{match.key}")


# Bots at once


@pytest.mark.parametrize("places", ["2", "3", "4"])
def test_a_visitor_plays_against_bots_at_once(client, places):
    response = client.post("/play/bots", {"places": places})
    match = Match.objects.get()
    assert response.url == f"/m/{match.key}"
    assert (match.status, match.rated, match.pace, match.places, match.guided) == (
        "running",
        False,
        "none",
        int(places),
        False,
    )
    assert match.host.guest and match.seats.get(index=0).user == match.host


def test_a_visitor_begins_the_guided_game(client):
    client.post("/play/guided")
    match = Match.objects.get()
    assert (match.guided, match.places, match.status) == (True, 3, "running")


def test_a_guest_who_asks_for_a_second_game_goes_on_with_the_first_or_resigns_it(client):
    first = client.post("/play/bots", {"places": "3"}).url
    asked = client.post("/play/bots", {"places": "4", "resign": "other"}).url
    page = client.get(asked).content.decode()
    assert f'href="{first}"' in page and "You’re still in this game" in page and "Resign it and start anew" in page
    assert client.get("/play/another", {"begin": "/account/close"}).url == "/play"
    assert Match.objects.count() == 1 and User.objects.filter(guest=True).count() == 1
    second = client.post("/play/bots", {"places": "4", "resign": first.removeprefix("/m/")}).url
    assert Match.objects.get(key=second.removeprefix("/m/")).places == 4
    assert Match.objects.get(key=first.removeprefix("/m/")).status == "aborted"


@pytest.mark.parametrize("places", ["", "1", "5", "x", "²"])
@pytest.mark.parametrize("path", ["/play/bots", "/play/quick"])
def test_there_are_no_games_of_other_sizes(signed_in, ann, path, places):
    assert signed_in(ann).post(path, {"places": places}).status_code == 404


# Quick match


def test_one_waits_on_the_page_and_may_stop(signed_in, ann, bob):
    client = signed_in(ann)
    assert client.post("/play/quick", {"places": "2"}).url == "/play"
    page = source(client.get("/play"))
    assert "Looking for a game of Biblios for 2" in page
    assert '<noscript><meta http-equiv="refresh"' in page, "also a browser without scripts says that somebody is there"
    assert "1 waiting" in source(signed_in(bob).get("/play"))
    signed_in(ann).post("/play/quick/stop")
    assert not Seek.objects.exists()


def test_whoever_is_awaited_goes_to_the_table_at_once(signed_in, ann, bob):
    quick.seek(ann, title(), 2)
    response = signed_in(bob).post("/play/quick", {"places": "2"})
    assert response.url == Match.objects.get().get_absolute_url()


def test_without_a_socket_the_page_asks_for_news(signed_in, ann, bob, rewriting):
    client = signed_in(ann)
    since = re.search(r"news\?since=(\d+)", source(client.get("/play")))[1]
    quick.seek(ann, title(), 2)
    Seek.objects.update(seen_at=timezone.now() - timedelta(seconds=20))
    assert 'id="quick"' in source(client.get("/play/news", {"since": since}))
    assert Seek.objects.get().seen_at > timezone.now() - timedelta(seconds=5)
    Match.objects.filter(pk=quick.seek(bob, title(), 2).pk).update(started_at=timezone.now() + timedelta(seconds=1))
    assert client.get("/play/news", {"since": since})["HX-Redirect"] == Match.objects.get().get_absolute_url()


def test_a_room_without_a_socket_asks_for_news(signed_in, ann, bob, cho):
    match = opened(ann, 3, watch="none", **LIVE)
    news = {"room": match.key}
    assert 'id="room"' in source(signed_in(ann).get("/play/news", news))
    open_matches.join(match, bob)
    open_matches.ready(match, bob)
    open_matches.add_bot(match, ann)
    assert signed_in(bob).get("/play/news", news)["HX-Redirect"] == f"/m/{match.key}"
    assert signed_in(cho).get("/play/news", news)["HX-Redirect"] == "/play"
    assert signed_in(cho).get("/play/news", {"room": "abcdefghijkm"})["HX-Refresh"] == "true"


# Sockets


class LobbyPage(Page):
    """A page of the lobby or of a room."""

    async def regions(self):
        """The ids of the regions in the next message that brings some, and the message."""
        message = await self.until(lambda text: " hx-swap-oob=" in text)
        return re.findall(r'<div hx-swap-oob="morph" id="([a-z-]+)"', message), message


@pytest.fixture
async def pages(static_files):
    """Opens pages: pages(name, query), connected; closed when the test is over."""
    async with opening(LobbyPage) as opener:
        yield lambda name=None, query="": opener(f"/ws/play{query}", name)


EVERYTHING = ["waits", "online", "own-matches", "quick", "open-matches", "watched-matches"]


@pytest.mark.django_db(transaction=True)
async def test_every_change_reaches_all_who_are_in_the_lobby_and_only_what_changed(pages):
    ann, stranger = await pages("ann"), await pages()
    assert (await ann.regions())[0] == (await stranger.regions())[0] == EVERYTHING
    match = await sync_to_async(lambda: opened(person("bob"), **LIVE))()
    for page in (ann, stranger):
        ids, message = await page.regions()
        assert ids == ["open-matches"]
        assert match.key in message
    assert "/join" in message or "To the table" in message
    await sync_to_async(lambda: open_matches.leave(match, person("bob")))()
    assert match.key not in (await ann.regions())[1]


@pytest.mark.django_db(transaction=True)
async def test_a_change_is_drawn_once_for_all_strangers_of_a_language(pages, monkeypatch):
    monkeypatch.setattr(hub, "TICK_S", 3600)
    monkeypatch.setattr(hub, "STRANGERS_PAUSE_S", 0)
    drawn, news = [], lobby.news

    def drawing(user, page):
        drawn.append(user)
        return news(user, page)

    monkeypatch.setattr(lobby, "news", drawing)
    strangers = [await pages(query="?since=1" if number % 2 else "") for number in range(9)]
    for page in strangers:
        assert (await page.regions())[0] == EVERYTHING
    assert len(drawn) == 1
    match = await sync_to_async(lambda: opened(person("bob"), **LIVE))()
    for page in strangers:
        assert match.key in (await page.regions())[1]
    assert len(drawn) == 2
    late, other = await pages(), await pages(query="?game=exlibris")
    assert match.key in (await late.regions())[1] and match.key in (await other.regions())[1]
    assert len(drawn) == 3


@pytest.mark.django_db(transaction=True)
async def test_whoever_finds_a_quick_match_is_led_to_it_and_nobody_else(pages):
    ann, bob, cho = await pages("ann"), await pages("bob"), await pages("cho")
    for page in (ann, bob, cho):
        await page.regions()
    await sync_to_async(lambda: quick.seek(person("ann"), title(), 2))()
    assert (await ann.regions())[0] == ["quick"]
    match = await sync_to_async(lambda: quick.seek(person("bob"), title(), 2))()
    assert await ann.goes() == await bob.goes() == f"/m/{match.key}"
    later = await sync_to_async(lambda: opened(person("dan"), **LIVE))()
    while later.key not in (message := await cho.receive_from()):
        assert 'id="go"' not in message


@pytest.mark.django_db(transaction=True)
async def test_a_match_that_began_while_the_page_came_is_not_missed(pages):
    before = timezone.now() - timedelta(seconds=5)
    match = await sync_to_async(lambda: seated("ann", "bob", **LIVE))()
    page = await pages("ann", f"?since={int(before.timestamp() * 1000)}")
    assert await page.goes() == f"/m/{match.key}"


def test_the_page_says_how_long_one_has_looked(signed_in, ann):
    quick.seek(ann, title(), 3)
    Seek.objects.update(since=timezone.now() - timedelta(seconds=125))
    page = source(signed_in(ann).get("/play"))
    assert re.search(r'data-waited="12[5-9]">2:0[5-9]<', page)  # some seconds may pass before it is asked for


def test_who_plays_bots_meanwhile_goes_on_looking_and_nobody_else_is_told_so(signed_in, ann, bob):
    quick.seek(ann, title(), 3)
    client = signed_in(ann)
    bots = client.post("/play/bots", {"places": 3}).url
    assert Seek.objects.filter(user=ann).exists()
    match = Match.objects.get()
    shuffle.do_without(match, ann)
    assert "Looking for players" in source(client.get(bots))
    assert "Looking for players" in source(client.get("/play/news?seeking=1"))
    assert "Looking for players" not in source(signed_in(bob).get(bots))
    people = seated("ann", "bob", **LIVE)
    assert "Looking for players" not in source(signed_in(ann).get(f"/m/{people.key}"))


@pytest.mark.django_db(transaction=True)
async def test_who_plays_bots_meanwhile_is_led_to_the_match_that_was_found(pages):
    await sync_to_async(lambda: quick.seek(person("ann"), title(), 2))()
    page = await pages("ann", f"?seeking=1&since={int(timezone.now().timestamp() * 1000)}")
    assert "data-waited" in await page.until(lambda text: 'id="seeking"' in text)
    match = await sync_to_async(lambda: quick.seek(person("bob"), title(), 2))()
    assert await page.goes() == f"/m/{match.key}"


@pytest.mark.django_db(transaction=True)
async def test_those_in_the_room_see_who_comes_and_go_to_the_table_together(pages):
    match = await sync_to_async(lambda: opened(person("ann"), **LIVE))()
    ann, visitor = await pages("ann", f"?room={match.key}"), await pages(None, f"?room={match.key}")
    assert (await ann.regions())[0] == ["room", "terms", "shuffle", "talk"]
    await visitor.regions()
    await sync_to_async(lambda: open_matches.join(match, person("bob")))()
    ids, message = await ann.regions()
    assert ids == ["room", "talk"] and "bob" in message and "Remove" in message
    assert "Remove" not in (await visitor.regions())[1]
    await sync_to_async(lambda: open_matches.ready(match, person("bob")))()
    assert await ann.goes() == await visitor.goes() == f"/m/{match.key}"


@pytest.mark.django_db(transaction=True)
async def test_a_room_that_is_not_there_closes_its_socket(pages):
    page = await pages("ann", "?room=abcdefghijkm")
    assert await page.closed_with() == 4404


def test_a_visitor_chooses_how_many_bots(client):
    page = source(client.get("/play"))
    group = page[page.index('class="quick bots"') :]
    assert re.findall(r'value="(\d)".*?</b><span>\s*(\d bots?)', group, re.DOTALL)[:3] == [
        ("2", "1 bot"),
        ("3", "2 bots"),
        ("4", "3 bots"),
    ]
    client.post("/play/bots", {"places": "4"})
    assert Match.objects.get().seats.exclude(bot="").count() == 3
