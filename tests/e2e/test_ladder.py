"""Ladders in a browser: a challenge, its game, and what the ladder makes of it."""

import re
from random import Random

from django.utils import timezone
from playwright.sync_api import expect

from games.ladders import challenges
from games.ladders.models import Challenge
from games.ladders.rules import Rules
from games.matches import access, history
from games.matches.models import Match
from tests.clubs.clubs import DAILY, DAY, club_of
from tests.e2e.conftest import LOOKS
from tests.e2e.tables import Pointer, board, led_to_table, signed_in
from tests.matches.matches import rushed
from tests.people import person


def row(page, name):
    return page.locator("#rungs .rung").filter(has=page.get_by_text(name, exact=True))


def names(page):
    return page.locator("#rungs .rung .name").all_inner_texts()


def open_page(visitor, site, name, path, **look):
    page = visitor(**look)
    if name:
        signed_in(page, site, name)
    page.goto(site + path)
    return page


def last_question(match, winner):
    """A seed and a number of random moves after which any answer ends the game and this seat wins."""
    for seed in range(2000):
        rng, state = Random(seed), history.replay(match).state(match.ply).copy()
        moves, asked = 0, None
        while not state.over:
            forced = state.forced()
            if forced is None:
                asked = moves, state.copy()
            state.play(rng.choice(state.legal()) if forced is None else forced)
            moves += 1
        if asked and all(wins(asked[1], move, winner) for move in asked[1].legal()):
            return seed, asked[0]
    raise AssertionError("no game ends so")


def wins(state, move, winner):
    """Whether a game is over after this move, and all that is forced then, with this seat alone in the first place."""
    state = state.copy()
    state.play(move)
    while not state.over and (forced := state.forced()) is not None:
        state.play(forced)
    return state.over and [seat for seat, place in enumerate(state.places()) if place == 1] == [winner]


def nearly_over(match, winner):
    """Play to the last question: whatever the answer, this seat wins."""
    seed, moves = last_question(match, winner)
    left = iter(range(moves))
    rushed(match, until=lambda state: next(left, None) is None, seed=seed)


def test_two_members_play_for_a_rung_and_everybody_sees_the_ladder_move(visitor, site):
    ladder = club_of("ann", "dan", "bob", now=timezone.now() - DAY)
    address = ladder.get_absolute_url()
    watcher = open_page(visitor, site, "cho", address)
    ann = open_page(visitor, site, "ann", address, **LOOKS["phone"])
    bob = open_page(visitor, site, "bob", address, reduced_motion="reduce")
    assert names(watcher) == ["ann", "dan", "bob"]

    # The challenge: it appears before ann without a reload.
    expect(row(ann, "bob").locator(".action-column")).to_have_text("")
    row(bob, "ann").get_by_role("link", name="Challenge ann").click()
    bob.get_by_role("button", name="Challenge ann").click()
    expect(bob.get_by_role("heading", level=1)).to_have_text("bob challenges ann")
    expect(bob.locator("#challenge-next")).to_contain_text("Waiting for an answer")
    expect(row(ann, "bob")).to_contain_text("challenges you")
    ann.get_by_role("button", name="Accept").click()

    # Both are led to the table; the game begins when both are ready.
    for page in (bob, ann):
        expect(page).to_have_url(re.compile(r"/m/\w+$"))
        page.get_by_role("button", name="I’m ready").click()
    for page in (ann, bob):
        led_to_table(page)
    expect(row(watcher, "bob")).to_be_visible()

    match = access.find(Match.objects.get().key)
    nearly_over(match, winner=next(seat.index for seat in match.sitting if seat.shown_name == "bob"))
    for page in (ann, bob):
        page.reload()
    for page in (ann, bob):
        if board(page).get("asked") == "1":
            Pointer(page).answer()
    expect(ann.get_by_role("heading", level=1)).to_contain_text("bob won")
    expect(bob.get_by_role("heading", level=1)).to_contain_text("You won")

    # The ladder has moved on every open page, and says why.
    expect(watcher.locator("#rungs .rung .name")).to_have_text(["bob", "ann", "dan"])
    expect(watcher.locator("#results")).to_contain_text("bob beat ann")
    expect(watcher.locator("#results")).to_contain_text("rung 3 → 1")
    row(watcher, "bob").get_by_role("link", name="bob").click()
    expect(watcher.get_by_role("heading", level=1)).to_contain_text("bob")
    expect(watcher.get_by_role("main")).to_contain_text("bob beat ann.")
    bob.goto(site + Challenge.objects.get().get_absolute_url())
    expect(bob.locator("#challenge-next")).to_contain_text("You: rung 3 → 1")
    assert ann.complaints == bob.complaints == watcher.complaints == []


def test_times_are_typed_and_read_by_the_clock_on_the_wall(visitor, site):
    now = timezone.now()
    ladder = club_of("ann", "bob", now=now - DAY)
    bob = open_page(
        visitor, site, "bob", f"{ladder.get_absolute_url()}/challenge?to=ann", timezone_id="America/New_York"
    )
    bob.get_by_text("At an agreed time").click()
    expect(bob.get_by_text("In your time zone: America/New_York.")).to_be_visible()
    evening = f"{now + 3 * DAY:%Y-%m-%d}T19:00"
    bob.get_by_label("Suggestion 1").fill(evening)
    bob.get_by_role("button", name="Challenge ann").click()
    bob.locator("#challenge-next").wait_for()
    (time,) = Challenge.objects.get().times
    shown = bob.locator("dl time")
    expect(shown).to_contain_text("19:00")
    assert bob.evaluate("moment => new Date(moment).getHours()", time) == 19

    # In Berlin it is another hour; without scripts it is UTC, and says so.
    ann = open_page(visitor, site, "ann", Challenge.objects.get().get_absolute_url(), timezone_id="Europe/Berlin")
    expect(ann.locator("dl time")).not_to_contain_text("19:00")
    ann.get_by_text("Propose other terms").click()
    hour = ann.evaluate("moment => new Date(moment).getHours()", time)
    assert f"T{hour:02}:00" in ann.get_by_label("Suggestion 1").input_value()
    ann.get_by_role("button", name="Propose these terms").click()
    expect(ann.locator("#challenge-players")).to_contain_text("proposes this")
    assert Challenge.objects.get().times == [time], "unchanged from zone to zone"
    plain = open_page(visitor, site, "bob", Challenge.objects.get().get_absolute_url(), java_script_enabled=False)
    expect(plain.locator("dl time")).to_contain_text("UTC")
    assert bob.complaints == ann.complaints == []


def test_without_scripts_everything_is_a_form(visitor, site):
    now = timezone.now()
    ladder = club_of("ann", "bob", now=now - DAY)
    bob = open_page(visitor, site, "bob", ladder.get_absolute_url(), java_script_enabled=False)
    row(bob, "ann").get_by_role("link", name="Challenge ann").click()
    bob.get_by_text("At an agreed time").click()
    expect(bob.get_by_text("Times are UTC.")).to_be_visible()
    time = f"{now + 2 * DAY:%Y-%m-%d}T19:00"
    bob.get_by_label("Suggestion 2").fill(time)
    bob.get_by_role("button", name="Challenge ann").click()
    ann = open_page(visitor, site, "ann", ladder.get_absolute_url(), java_script_enabled=False)
    ann.get_by_role("button", name="Accept").click()
    expect(ann.get_by_role("heading", name="Everyone has agreed")).to_be_visible()
    challenge = Challenge.objects.get()
    assert challenge.status == "agreed" and f"{challenge.starts_at:%Y-%m-%dT%H:%M}" == time


def test_the_form_shows_what_belongs_to_the_choices_made_and_keeps_them(visitor, site):
    ladder = club_of("ann", "dan", "eve", "bob", rules=Rules(drawn=False), now=timezone.now() - DAY)
    page = open_page(visitor, site, "bob", f"{ladder.get_absolute_url()}/challenge?to=ann")
    expect(page.get_by_label("You also invite")).to_be_hidden()
    page.locator(".segments label", has_text="4").click()
    page.get_by_label("You also invite").select_option(label="2 · dan")
    page.get_by_text("Correspondence").click()
    expect(page.get_by_label("Time each")).to_be_hidden()
    page.get_by_role("button", name="Challenge ann").click()
    expect(page.get_by_text("Choose who to invite.")).to_be_visible()
    expect(page.get_by_label("You also invite")).to_have_value(str(person("dan").pk))
    page.get_by_label("And", exact=True).select_option(label="3 · eve")
    page.get_by_role("button", name="Challenge ann").click()
    expect(page.locator("#challenge-players li")).to_have_count(4)
    assert all("422" in text for text in page.complaints)


def test_the_keyboard_suffices_for_a_challenge_and_its_answer(visitor, site):
    ladder = club_of("ann", "bob", now=timezone.now() - DAY)
    bob = open_page(visitor, site, "bob", ladder.get_absolute_url())
    row(bob, "ann").get_by_role("link", name="Challenge ann").focus()
    bob.keyboard.press("Enter")
    bob.locator("[name=pace][value=live]").focus()
    bob.keyboard.press("ArrowRight")
    bob.get_by_role("button", name="Challenge ann").focus()
    bob.keyboard.press("Enter")
    bob.locator("#challenge-next").wait_for()
    ann = open_page(visitor, site, "ann", Challenge.objects.get().get_absolute_url())
    ann.get_by_role("button", name="Decline").focus()
    ann.keyboard.press("Enter")
    expect(ann.locator("#challenge-next")).to_contain_text("ann declined bob’s challenge.")
    expect(bob.locator("#challenge-next")).to_contain_text("ann declined bob’s challenge.")


def test_what_the_socket_sends_first_leaves_the_buttons_of_the_page(visitor, site):
    now = timezone.now()
    ladder = club_of("ann", "bob", now=now - DAY)
    made = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, now)
    page, heard = visitor(), []
    signed_in(page, site, "ann")
    keep = "window.first = document.querySelector('#decline button')"
    page.add_init_script(f"document.addEventListener('DOMContentLoaded', () => ({keep}))")
    page.on("websocket", lambda line: line.on("framereceived", lambda text: heard.append(text)))
    page.goto(site + made.get_absolute_url())
    while not any("challenge-next" in str(text) for text in heard):
        page.wait_for_timeout(10)
    assert page.evaluate("window.first.isConnected")


def test_times_that_were_good_stay_when_another_one_is_refused(site, visitor):
    club_of("ann", "bob", now=timezone.now() - DAY)
    page = open_page(visitor, site, "bob", "/c/st-gall/ladders/1/challenge?to=ann", timezone_id="Asia/Tehran")
    page.get_by_text("At an agreed time").click()
    good = (timezone.localtime() + DAY).strftime("%Y-%m-%dT%H:%M")
    page.locator("[name=time_0]").fill(good)
    page.locator("[name=time_1]").fill("2020-01-01T10:00")
    page.get_by_role("button", name="Challenge ann").click()
    expect(page.get_by_text("Suggest a time within")).to_be_visible()
    expect(page.locator("[name=time_0]")).to_have_value(good)
    expect(page.locator("[name=time_1]")).to_have_value("2020-01-01T10:00")


def test_nobody_accepts_what_they_have_not_seen(visitor, site):
    ladder = club_of("ann", "bob", now=timezone.now() - DAY)
    made = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, timezone.now())
    ann = open_page(visitor, site, "ann", made.get_absolute_url())
    ann.get_by_text("Propose other terms").click()
    ann.locator("#counter").get_by_text("Live", exact=True).click()

    # Bob's page is open, and follows: the terms, the answer, and the form for his own.
    bob = open_page(visitor, site, "bob", made.get_absolute_url(), timezone_id="America/New_York")
    expect(bob.locator("#challenge-terms")).to_contain_text("1 day a move")
    ann.get_by_text("At an agreed time").click()
    ann.get_by_label("Suggestion 1").fill(f"{timezone.now() + 3 * DAY:%Y-%m-%d}T19:00")
    ann.get_by_role("button", name="Propose these terms").click()
    expect(bob.locator("#challenge-terms")).to_contain_text("10 min + 15 s")
    accept = bob.get_by_role("button", name="Accept")
    expect(accept).to_be_visible()
    bob.get_by_text("Propose other terms").click()
    (time,) = Challenge.objects.get().times
    hour = bob.evaluate("moment => new Date(moment).getHours()", time)
    assert f"T{hour:02}:00" in bob.get_by_label("Suggestion 1").input_value()

    # Without a line it does not, and is told so when it matters.
    bob.route_web_socket("**/ws/**", lambda socket: None)
    bob.reload()
    Challenge.objects.filter(pk=made.pk).update(bank_ms=60_000, increment_ms=0)
    accept.click()
    expect(bob.get_by_text("The terms have changed: look at them again.")).to_be_visible()
    expect(bob.locator("#challenge-terms")).to_contain_text("1 min + 0 s")
    accept.click()
    expect(bob.locator("#challenge-next")).to_contain_text("The game begins automatically")
    assert bob.complaints == []
