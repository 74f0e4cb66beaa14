import re
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest
from django.db import connections
from django.test import Client

from accounts.web import throttle
from games.engine.biblios.cards import KIND, TEXTS
from games.engine.biblios.notation import BID
from games.matches import access, history, play
from games.matches.models import ChatLine, LogEntry, Match, StandingOrder
from tests.matches.matches import answer, played, rushed, seated
from tests.people import person

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def signed_in(client, name):
    client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def match(db):
    return seated("ann", "bob")


def mover(match):
    return match.seats.all()[match.mover].user.username


def other(match):
    return match.seats.all()[1 - match.mover].user.username


def fresh(match):
    return access.find(match.key)


def post(client, match, what, headers=None, **fields):
    return client.post(f"/m/{match.key}/{what}", fields, headers=headers)


def test_whoever_sits_at_the_table_sees_their_own_hand(client, match):
    match = played(match, until=lambda state: state.placed >= 12)
    state = history.replay(match).state(match.ply)
    html = signed_in(client, "ann").get(f"/m/{match.key}").content.decode()
    assert "ann" in html and "bob" in html
    assert state.hands[0]


def test_an_answer_by_form_leads_back_to_the_table(client, match):
    response = post(signed_in(client, mover(match)), match, "play", ply=0, move="keep")
    assert (response.status_code, response["Location"]) == (302, f"/m/{match.key}")
    assert fresh(match).ply == 1


def test_an_answer_by_script_gets_the_board(client, match):
    response = post(signed_in(client, mover(match)), match, "play", HTMX, ply=0, move="keep")
    assert response.status_code == 200
    assert 'data-ply="1"' in response.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"ply": "5", "move": "keep"},
        {"ply": "x", "move": "keep"},
        {"ply": "", "move": "keep"},
        {"move": "keep"},
        {"ply": "9" * 30, "move": "keep"},
        {"ply": "-1", "move": "keep"},
        {"ply": "0"},
        {"ply": "0", "move": "castle"},
        {"ply": "0", "move": "bid 3"},
        {"ply": "0", "move": ["keep"] * 100},
        {"ply": "0", "move": ["keep", "public", "public"]},
        {"ply": "0", "move": "\x00"},
    ],
)
@pytest.mark.parametrize("headers", [None, HTMX], ids=["form", "script"])
def test_a_stale_or_impossible_answer_gets_a_sentence_and_the_board(client, match, fields, headers):
    response = post(signed_in(client, mover(match)), match, "play", headers, **fields)
    html = response.content.decode()
    assert response.status_code == 409
    assert 'data-ply="0"' in html
    assert 'id="says"' in html
    assert not LogEntry.objects.exists()


def test_the_wrong_player_is_refused(client, match):
    assert post(signed_in(client, other(match)), match, "play", ply=0, move="keep").status_code == 409
    assert not LogEntry.objects.exists()


ACTIONS = {
    "play": {"ply": 0, "move": "keep"},
    "resign": {},
    "vote": {"vote": "abort"},
    "orders": {"order": "gold"},
    "mute": {},
    "tempo": {"tempo": "slow"},
    "skip": {},
}


@pytest.mark.parametrize("what", ACTIONS)
def test_an_outsider_does_nothing_at_a_table(client, match, what):
    assert post(signed_in(client, "cho"), match, what, **ACTIONS[what]).status_code == 404
    assert not LogEntry.objects.exists() and not ChatLine.objects.exists() and not StandingOrder.objects.exists()


@pytest.mark.parametrize("what", ACTIONS)
def test_whoever_is_not_signed_in_is_asked_to(client, match, what):
    response = post(client, match, what, **ACTIONS[what])
    assert response.status_code == 302
    assert response["Location"] == f"/sign-in?next=/m/{match.key}"


@pytest.mark.parametrize("what", ACTIONS)
def test_actions_are_posted(client, match, what):
    assert signed_in(client, "ann").get(f"/m/{match.key}/{what}").status_code == 405


@pytest.mark.parametrize("address", ["", "/board", "/0", "/record.json", "/record.txt"])
def test_a_table_that_nobody_may_watch_answers_like_one_that_is_not_there(client, address):
    match = seated("ann", "bob", watch="none")
    signed_in(client, "cho")
    hidden, missing = client.get(f"/m/{match.key}{address}"), client.get(f"/m/{'x' * 12}{address}")
    assert hidden.status_code == missing.status_code == 404
    texts = [
        re.sub(r'value="\w{64}"', "", response.content.decode()).replace(key, "")  # the token against forged requests
        for response, key in ((hidden, match.key), (missing, "x" * 12))
    ]
    assert texts[0] == texts[1]


def test_who_asks_for_news_of_a_room_that_cannot_be_is_to_load_the_page_anew(client, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get("/play/news?room=a%00b").headers["HX-Refresh"] == "true"


@pytest.mark.parametrize("address", ["/m/a%00b", "/m/a%00b/board", "/m/a%00b/3", "/m/a%00b/record.json"])
def test_no_database_is_asked_for_what_cannot_be_a_key(client, db, address, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get(address).status_code == 404


def test_a_watcher_sees_the_table_and_no_hand(client, match):
    match = played(match, until=lambda state: state.placed >= 24)
    state = history.replay(match).state(match.ply)
    html = client.get(f"/m/{match.key}").content.decode().replace(match.key, "")
    html = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", html)
    seen = {kind for cards in state.view(None).seen for kind in cards}
    hidden = {
        TEXTS[KIND[card]]
        for hand in state.hands
        for card in range(87)
        if hand >> card & 1 and KIND[card] not in seen and len(TEXTS[KIND[card]]) == 3
    }
    assert hidden
    public = {TEXTS[kind] for kind in (*state.view(None).space, *state.view(None).discard)}
    assert not [card for card in hidden - public if card in html]
    assert "csrfmiddlewaretoken" not in html or 'name="move"' not in html


def test_without_news_the_board_is_not_sent_again(client, match):
    signed_in(client, "ann")
    assert client.get(f"/m/{match.key}/board?ply=0").status_code == 204
    answer(match, Random(1))
    response = client.get(f"/m/{match.key}/board?ply=0")
    assert response.status_code == 200
    assert 'data-ply="1"' in response.content.decode()


def test_pages_of_a_table_are_kept_by_nobody(client, match):
    assert "no-store" in client.get(f"/m/{match.key}")["Cache-Control"]
    assert "no-store" in post(signed_in(client, "ann"), match, "play")["Cache-Control"]


def test_whoever_has_left_is_told_why_they_only_watch_and_may_play_again_later(client):
    match = seated("ann", "bob", "dan")
    post(signed_in(client, "ann"), match, "resign")
    html = client.get(f"/m/{match.key}").content.decode()
    assert "You’ve resigned. A bot plays on for you, and you come last." in " ".join(html.split())
    assert "Rematch" not in html
    assert "You’ve resigned" not in signed_in(Client(), "bob").get(f"/m/{match.key}").content.decode()

    Match.objects.filter(pk=match.pk).update(status=Match.Status.ABORTED)
    assert "A bot plays on for you" not in client.get(f"/m/{match.key}").content.decode()


def test_resigning_leaves_the_seat_to_a_bot_and_shows_no_more_of_the_hand(client):
    match = seated("ann", "bob", "dan")
    response = post(signed_in(client, "ann"), match, "resign")
    assert response.status_code == 302
    assert fresh(match).seats.all()[0].left == "resign"
    assert "data-me=" not in client.get(f"/m/{match.key}").content.decode()
    rushed(fresh(match))
    assert 'data-me="0"' in client.get(f"/m/{match.key}").content.decode(), "at the end it is their result again"


def test_all_agree_and_the_game_is_aborted(client, match):
    post(signed_in(client, "ann"), match, "vote", vote="abort")
    post(signed_in(client, "bob"), match, "vote", vote="abort")
    assert fresh(match).status == Match.Status.ABORTED


@pytest.mark.parametrize(
    ("fields", "orders"),
    [
        ({"order": "bid", "value": ["0", "4"]}, [("bid", "0 4")]),
        ({"order": "bid", "value": ["0", "0"]}, [("bid", "0 0")]),
        ({"order": "gold"}, [("gold", "")]),
        ({"clear": "bid"}, []),
    ],
)
def test_standing_orders_are_set_by_a_form(client, match, fields, orders):
    match = played(match, until=lambda state: state.question == BID)
    assert post(signed_in(client, "ann"), match, "orders", **fields).status_code == 302
    assert list(StandingOrder.objects.values_list("kind", "value")) == orders


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"order": "bid", "value": ["0", ""]},
        {"order": "bid", "value": ["0", "x"]},
        {"order": "gold", "value": "2"},
        {"clear": "everything"},
        {"clear": "\0"},
    ],
)
def test_an_order_that_says_nothing_is_refused_with_a_sentence(client, match, fields):
    response = post(signed_in(client, "ann"), match, "orders", HTMX, **fields)
    assert response.status_code == 409
    assert "whole number" in response.content.decode()


def test_nobody_elses_bytes_show_an_order(client, match):
    match = played(match, until=lambda state: state.question == BID and state.seat == 1)
    before = {name: signed_in(client, name).get(f"/m/{match.key}/board").content for name in ("bob", "cho")}
    play.set_order(match, match.seats.all()[0], "bid", "0 7")
    play.set_order(match, match.seats.all()[0], "gold")
    for name, html in before.items():
        again = signed_in(client, name).get(f"/m/{match.key}/board").content
        assert timeless(again) == timeless(html)


def timeless(html):
    """The bytes of a board without the time of day."""
    return re.sub(rb'data-remaining="\d+"', b"", html)


def test_what_is_said_is_escaped_and_heard_by_players_only(client, match):
    post(signed_in(client, "ann"), match, "chat", text="<script>1</script>")
    assert "&lt;script&gt;" in signed_in(client, "bob").get(f"/m/{match.key}").content.decode()
    assert "script&gt;1" not in signed_in(client, "cho").get(f"/m/{match.key}").content.decode()


def test_whoever_mutes_the_chat_hears_nothing_until_they_want_to_again(client, match):
    post(signed_in(client, "ann"), match, "chat", text="good luck")
    post(signed_in(client, "bob"), match, "mute")
    assert "good luck" not in client.get(f"/m/{match.key}").content.decode()
    post(client, match, "mute")
    assert "good luck" in client.get(f"/m/{match.key}").content.decode()


def test_whoever_blocks_somebody_does_not_hear_them(client, match):
    post(signed_in(client, "ann"), match, "chat", text="good luck")
    person("bob").blocks.create(blocked=person("ann"))
    assert "good luck" not in signed_in(client, "bob").get(f"/m/{match.key}").content.decode()


def test_a_flood_of_chat_is_refused_with_a_sentence(client, match):
    signed_in(client, "ann")
    codes = [post(client, match, "chat", HTMX, text=f"line {i}").status_code for i in range(8)]
    assert codes[0] == 200 and codes[-1] == 429
    assert ChatLine.objects.count() < 8


@pytest.mark.parametrize("text", ["", "   ", "x" * 201])
def test_an_empty_or_endless_line_is_refused(client, match, text):
    assert post(signed_in(client, "ann"), match, "chat", HTMX, text=text).status_code == 409


def test_secrets_of_a_running_match_are_in_no_page_of_it(client, match):
    match = played(match, until=lambda state: state.question == BID)
    seed = history.seed_of(match, match.seats.all())
    for name in ("ann", "bob", "cho"):
        html = signed_in(client, name).get(f"/m/{match.key}").content.decode()
        assert bytes(match.secret).hex() not in html
        assert seed.hex() not in html


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_one_of_a_hundred_simultaneous_posts_is_accepted(static_files, monkeypatch):
    monkeypatch.setitem(throttle.LIMITS, "moves", throttle.LIMITS["moves"]._replace(times=100))
    match = seated("ann", "bob")
    name = mover(match)
    clients = [signed_in(Client(), name) for _ in range(20)]
    together = Barrier(len(clients))

    def send(client):
        together.wait()
        try:
            return [post(client, match, "play", HTMX, ply=0, move="keep").status_code for _ in range(5)]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(clients)) as pool:
        codes = [code for codes in pool.map(send, clients) for code in codes]
    assert sorted(codes) == [200] + [409] * 99
    assert list(LogEntry.objects.filter(match=match).values_list("ply", flat=True)) == [0]


def test_the_end_says_why_who_left_comes_last(client):
    match = seated("ann", "bob", "dan")
    play.leave(match, 0, "resign")
    rushed(fresh(match))
    html = signed_in(client, "bob").get(f"/m/{match.key}").content.decode()
    assert "Players who left come after those who stayed" in html


def test_the_pace_of_bots_stands_where_one_waits_and_in_the_panel_for_whoever_sets_it(client):
    match = seated("ann", "bob", bots=1)
    match = played(match, until=lambda state: state.seat == 2)
    ann = signed_in(client, "ann").get(f"/m/{match.key}").content.decode()
    assert ann.count(f'action="/m/{match.key}/tempo"') == 2
    assert ann.count('value="normal" aria-current=true') == 2
    assert f"/m/{match.key}/skip" not in ann
    bob = signed_in(client, "bob").get(f"/m/{match.key}").content.decode()
    assert "/tempo" not in bob and "/skip" not in bob


def test_who_is_alone_with_bots_may_skip_unless_they_answer_at_once(client):
    match = played(seated("ann", bots=2), until=lambda state: state.seat == 1)
    page = signed_in(client, "ann")
    assert f'action="/m/{match.key}/skip"' in page.get(f"/m/{match.key}").content.decode()
    post(page, match, "tempo", tempo="instant")
    html = page.get(f"/m/{match.key}").content.decode()
    assert 'value="instant" aria-current=true' in html
    assert "/skip" not in html
