"""The table when the line to the server is broken, slow, or of another kind; and for those who only look."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from games.engine.biblios.cards import gold_in
from games.engine.biblios.notation import BID
from games.matches import access
from tests.components import free_port
from tests.e2e.tables import Pointer, board, led_to_table, question, read, signed_in
from tests.matches.matches import rushed, seated
from tests.prepared import fill

ROOT = Path(__file__).parent.parent.parent


def first_seat_may_bid_gold(state):
    """Whether the first seat is asked for the first bid for a card that is sold for gold, and holds some."""
    first = state.question == BID and not state.high + state.seat
    return first and not 45 <= state.view(None).card < 48 and gold_in(state.hands[0])


@pytest.fixture
def serve(tmp_path):
    """Starts the site in a process of its own, again and again with the same data; gives process and address."""
    started = []
    fill(tmp_path)

    def serve(port=None):
        environment = {"BIBLIOS_DATA": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": ""}
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--prepare", "--port", str(port or free_port())],
            cwd=ROOT,
            env={**os.environ, **environment, "DJANGO_SETTINGS_MODULE": "tests.e2e.quick_site"},
            text=True,
            stdout=subprocess.PIPE,
        )
        started.append(process)
        return process, re.search(r"http://[\d.:]+", process.stdout.readline())[0]

    yield serve
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def test_the_site_is_killed_in_the_middle_of_a_game_and_nothing_is_lost(visitor, serve, tmp_path):
    process, site = serve()
    page = visitor(reduced_motion="reduce")
    page.goto(site)
    page.get_by_role("button", name="Play now against bots (Biblios)").click()
    led_to_table(page)
    player = Pointer(page)

    def log():
        connection = sqlite3.connect(tmp_path / "biblios.sqlite3")
        rows = connection.execute("SELECT ply, seat, move, by, link FROM games_logentry ORDER BY ply").fetchall()
        connection.close()
        return rows

    while True:
        player.answer()
        shown = board(page)
        if int(shown["ply"]) > 10 and shown["mover"] != shown["me"]:
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = log()
    assert len(before) >= int(shown["ply"])
    expect(page.locator("#net")).to_contain_text("Reconnecting")

    serve(int(site.rpartition(":")[2]))
    page.locator("body[data-line=open]").wait_for(state="attached")
    expect(page.locator("#ply[data-asked='1']")).to_be_attached()
    expect(page.locator("#net")).to_be_hidden()
    after = log()
    assert after[: len(before)] == before
    assert board(page)["ply"] == str(len(after))
    for _ in range(3):
        player.answer()
    assert len(log()) >= len(after) + 3
    away = ("WebSocket connection", "net::ERR_", "htmx:sendError")
    assert [text for text in page.complaints if not any(words in text for words in away)] == []


def test_what_one_chose_before_the_line_was_open_stays_chosen(visitor, site):
    match = rushed(seated("ann", "bob"), until=first_seat_may_bid_gold)
    page = visitor()
    held = []
    page.route_web_socket(
        "**/ws/**",
        lambda socket: socket.connect_to_server().on_message(lambda message: held.append((socket, message))),
    )
    signed_in(page, site, "ann")
    page.goto(site + match.get_absolute_url())
    read(page)
    page.locator("label:has([data-bluff])").click()
    field = page.get_by_role("spinbutton", name="Your bid")
    field.fill("20")
    while not held:
        page.evaluate("0")
    for socket, message in held:
        socket.send(message)
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(field).to_be_focused()
    expect(field).to_have_value("20")
    expect(page.locator("#stage [data-primary]")).to_contain_text("Bid 20")


def test_without_a_socket_one_plays_against_bots_all_the_same(visitor, site):
    page = visitor(reduced_motion="reduce")
    page.route_web_socket("**/ws/**", lambda socket: socket.close(code=1013))
    page.clock.install()
    page.goto(site)
    page.get_by_role("button", name="Play now against bots (Biblios)").click()
    led_to_table(page)
    player = Pointer(page)
    for _ in range(3):
        while not board(page).get("asked"):
            page.clock.run_for(3000)
        player.answer()
    expect(page.locator("#net")).to_contain_text("You can play")
    assert page.complaints == []


def test_without_scripts_one_plays_by_plain_forms(visitor, site):
    page = visitor(java_script_enabled=False)

    def send(button):
        with page.expect_navigation():
            button.click()

    page.goto(site)
    send(page.get_by_role("button", name="Play now against bots (Biblios)"))
    asked = []
    while not {"gift", "choose"} <= {*asked}:
        while not page.locator("#stage form[data-answer]").count():
            assert '<meta http-equiv="refresh"' in page.content()
            page.reload()  # at once
        asked.append(page.locator("body").get_attribute("data-state"))
        if asked[-1] == "gift":
            send(page.locator(".well:enabled").first)
        elif asked[-1] == "choose":
            page.locator(".card-choice").first.click()
            send(page.get_by_role("button", name="Take it"))
        else:
            assert asked[-1] == "church"
            send(page.get_by_role("button", name="Leave the dice"))
    assert page.complaints == []


def test_without_scripts_one_bids_and_pays(visitor, site):
    page = visitor(java_script_enabled=False)
    match = rushed(seated("ann", "bob"), until=first_seat_may_bid_gold)
    signed_in(page, site, "ann")
    page.goto(site + match.get_absolute_url())
    said = page.locator("#log-lines").get_by_text("You bid 1 gold")
    before = said.count()
    page.locator(".chip", has_text="1").first.click()
    page.get_by_role("button", name="Bid", exact=True).first.click()
    expect(said).to_have_count(before + 1)
    assert page.complaints == []


def test_whoever_watches_sees_the_game_go_on_and_nobodys_hand(visitor, site):
    match = rushed(seated("ann", "bob"), until=lambda state: state.placed >= 12)
    ann, bob, cho = (visitor(reduced_motion="reduce") for _ in range(3))
    for page, name in ((ann, "ann"), (bob, "bob"), (cho, "")):
        if name:
            signed_in(page, site, name)
        page.goto(site + match.get_absolute_url())
    assert ann.locator("#hand .card").count()
    assert cho.get_by_role("heading", name="You’re watching", include_hidden=True).count() == 1
    expect(cho.locator("[data-pane=chat] h2")).to_have_text("Watchers’ chat")
    for _ in range(4):
        for page in (ann, bob):
            if board(page).get("asked"):
                Pointer(page).answer()
                break
        ply = board(page)["ply"]
        for other in (ann, bob, cho):
            expect(other.locator("#ply")).to_have_attribute("data-ply", ply)
        assert cho.locator("#hand .card, form[data-answer], [data-sheet=hand]").count() == 0
    assert ann.complaints == bob.complaints == cho.complaints == []


def test_two_tabs_of_one_player_stay_in_step(visitor, site, settings):
    settings.BOT_DELAY_MS = (10**6, 10**6)
    match = rushed(seated("ann", bots=1), until=lambda state: state.placed >= 4 and state.seat == 0)
    settings.BOT_DELAY_MS = (0, 5)
    one = visitor(reduced_motion="reduce")
    signed_in(one, site, "ann")
    other = one.context.new_page()
    for page in (one, other):
        page.goto(site + match.get_absolute_url())
    for page in (one, other, one):
        question(page)
        Pointer(page).answer()
        question(page)
        ply = board(page)["ply"]
        for tab in (one, other):
            expect(tab.locator("#ply")).to_have_attribute("data-ply", ply)
    assert access.find(match.key).ply == int(ply)
