"""Leafing through matches in a browser: by pointer, keys, without scripts; checking a shuffle."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from playwright.sync_api import expect

from games.engine.registry import title
from games.matches import access, clocks, history, outage
from tests.e2e.axe import in_every_look
from tests.e2e.tables import sign_up
from tests.matches.matches import rushed, seated

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "shuffle.json").read_text())


@pytest.fixture
def match(database):
    return rushed(seated("ann", "bob", rated=True, pace="daily", days=1), seed=5)


def at(page):
    """The ply that is shown, by the position and by the address."""
    shown = page.locator("#position").get_attribute("data-ply")
    page.wait_for_url(re.compile(rf"/{shown}\?"))
    return int(shown)


def arrived(page, ply):
    page.locator(f"#position[data-ply='{ply}']").wait_for()


def test_every_position_is_whole_quiet_and_open_to_everybody(page, site, match):
    auctions = next(ply for ply in range(match.ply) if history.replay(match).view(ply, None).lots)
    for address in ("30", f"{auctions + 3}?as=1", str(match.ply)):
        page.goto(f"{site}/m/{match.key}/{address}", wait_until="networkidle")
        assert page.get_by_role("heading", level=1).is_visible()
        assert in_every_look(page) == []
    assert page.complaints == []


def test_the_keys_lead_to_and_fro(page, site, match):
    page.goto(f"{site}/m/{match.key}/10?as=public")
    stops = [*map(int, page.locator("#phases[data-stops]").get_attribute("data-stops").split())]
    for key, ply in {
        "ArrowRight": 11,
        "ArrowLeft": 10,
        "ArrowDown": min(stop for stop in stops if stop > 10),
        "PageUp": max(stop for stop in stops if stop < min(stop for stop in stops if stop > 10)),
        "PageDown": min(stop for stop in stops if stop > 10),
        "End": match.ply,
        "ArrowUp": stops[-2],
        "Home": 0,
    }.items():
        page.keyboard.press(key)
        arrived(page, ply)
        assert at(page) == ply
        assert page.locator("#slider").input_value() == str(ply)
        assert page.locator("#moves-list [aria-current]").count() == (ply > 0)
    page.keyboard.press("ArrowLeft")  # before the beginning is nothing
    assert at(page) == 0
    assert page.complaints == []


def test_what_happened_is_read_out_at_each_step(page, site, match):
    page.goto(f"{site}/m/{match.key}/0")
    page.keyboard.press("ArrowRight")
    arrived(page, 1)
    assert page.locator("#live").inner_text() == page.locator("#said").inner_text()
    assert page.locator("#slider").get_attribute("aria-valuetext").startswith("Gifts, turn 1 of 20")


def test_v_shows_the_same_position_as_the_next_one_saw_it(page, site, match):
    page.goto(f"{site}/m/{match.key}/40")
    for name in ("ann", "bob", "Public", "All"):
        page.keyboard.press("v")
        page.locator("#position [data-as][aria-current]", has_text=name).wait_for()
        assert at(page) == 40
    page.get_by_role("navigation", name="Viewpoint").get_by_role("link", name="bob").click()
    page.wait_for_url(f"**/m/{match.key}/40?as=1")
    # The list is that player's too: cards that they did not see are not named.
    assert page.locator("#moves-list").get_by_text("keeps a card", exact=True).count() > 3
    page.keyboard.press("ArrowRight")
    arrived(page, 41)
    assert page.url.endswith("/41?as=1")


def test_space_plays_on_until_it_is_pressed_again(page, site, match):
    page.goto(f"{site}/m/{match.key}/0")
    page.clock.install(time=0)
    page.clock.pause_at(60)
    page.keyboard.press("Space")
    arrived(page, 1)
    page.clock.run_for(1200)
    arrived(page, 2)
    page.keyboard.press("Space")
    expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "false")
    page.locator("[data-play]").click()
    arrived(page, 3)
    page.keyboard.press("End")
    arrived(page, match.ply)
    assert page.locator("[data-play]").get_attribute("aria-pressed") == "false"


def test_a_turn_a_phase_and_a_single_move_are_a_click_away(page, site, match):
    page.goto(f"{site}/m/{match.key}/0")
    page.get_by_role("link", name="Auctions").click()
    page.locator("#position[data-where^='Auctions, lot 1 of']").wait_for()
    page.get_by_title("To the beginning of turn 3").click()
    page.locator("#position[data-where^='Gifts, turn 3 of 20, card 1']").wait_for()
    page.locator("#moves-list [data-ply='5']").click()
    arrived(page, 5)
    page.get_by_text("Notation").click()
    page.locator("#moves-list [data-ply='6']").click()
    arrived(page, 6)
    page.reload()
    assert page.get_by_role("radio", name="Notation").is_checked()
    page.locator("#slider").fill("50")
    arrived(page, 50)
    assert at(page) == 50


def test_the_link_to_a_move_is_copied(site, match, browser):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{site}/m/{match.key}/0?as=1")
    page.keyboard.press("ArrowRight")
    arrived(page, 1)
    page.get_by_role("button", name="Copy link to this move").click()
    page.get_by_text("Copied", exact=True).wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == f"{site}/m/{match.key}/1?as=1"
    context.close()


def test_without_scripts_links_and_the_slider_lead_on(site, match, visitor):
    page = visitor(java_script_enabled=False)
    page.goto(f"{site}/m/{match.key}/7?as=0")
    page.get_by_role("link", name="Next (right arrow)").click()
    assert page.url == f"{site}/m/{match.key}/8?as=0"
    page.get_by_role("link", name="Last (End)").click()
    expect(page.get_by_role("list", name="Die by die")).to_be_visible()
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Go", exact=True).click()
    assert page.url == f"{site}/m/{match.key}/0?as=0"
    page.get_by_role("link", name="Public", exact=True).click()
    assert page.url == f"{site}/m/{match.key}/0?as=public"
    assert not page.locator("[data-play]").is_visible()


def test_while_the_game_runs_a_player_leafs_through_their_own_part(page, site, database):
    sign_up(page, site, "ann", next="/account")  # Play itself leads to a game that starts
    running = rushed(seated("ann", "bob"), lambda state: state.placed > 20 and state.forced() is None)
    page.goto(f"{site}/m/{running.key}/{running.ply}")
    page.keyboard.press("ArrowLeft")
    arrived(page, running.ply - 1)
    page.keyboard.press("v")
    page.keyboard.press("End")
    arrived(page, running.ply)
    assert page.url.endswith("?as=0")
    assert page.locator("[data-verify]").count() == 0
    assert page.get_by_role("navigation", name="Viewpoint").count() == 0
    assert page.complaints == []


# The shuffle


@pytest.fixture
def verify(page, site, match):
    """The module of the page that checks a shuffle, as a function body with `verify` in it."""
    page.goto(f"{site}/m/{match.key}/{match.ply}")
    one, other = map(staticfiles_storage.url, ("js/verify.js", "biblios/shuffle.js"))
    both = f"const verify = {{ ...(await import('{one}')), ...(await import('{other}')) }};"
    return lambda body, argument=None: page.evaluate(f"async (given) => {{ {both} {body} }}", argument)


def test_the_browser_shuffles_as_the_vectors_say(verify):
    assert verify("return verify.CARDS") == VECTORS["cards"]
    found = verify(
        """
        const all = [];
        for (const game of given) {
          const seed = await verify.seedOf(game.secret, game.players);
          const chance = verify.shuffleOf(await verify.chanceOf(seed));
          const { removed, deck } = await chance.deal(game.seats);
          const written = (cards) => cards.map((card) => verify.CARDS[card]);
          const steals = [];
          for (const [i, { hand }] of game.steals.entries()) steals.push({ hand, card: await chance.steal(i, hand) });
          const first = await chance.first(game.seats);
          const auction = await chance.auction();
          all.push({ seed, first, removed: written(removed), deck: written(deck), auction, steals });
        }
        return all;
        """,
        VECTORS["games"],
    )
    for mine, game in zip(found, VECTORS["games"], strict=True):
        assert mine == {key: game[key] for key in mine}


def test_the_browser_seals_as_the_vectors_say(verify):
    seals = "return Promise.all(given.map(({ match, seat, share }) => verify.sealOf(match, seat, share)));"
    assert verify(seals, VECTORS["seals"]) == [vector["seal"] for vector in VECTORS["seals"]]
    shares = "return Promise.all(given.players.map((_, seat) => verify.siteShare(given.secret, seat)));"
    with_beacon = "return verify.seedOf(given.secret, given.players, given.beacon);"
    for game in VECTORS["games"]:
        assert verify(shares, game) == game["site"]
        assert verify(with_beacon, game) == game["seed_with_beacon"]


def verdict(page):
    page.get_by_role("button", name="Verify in this browser").click()
    page.locator("[data-verify]:is([data-outcome=verified], [data-outcome=differs])").wait_for()
    return page.locator("[data-verify]").get_attribute("data-outcome")


def test_a_real_match_is_verified(page, site, match):
    page.goto(f"{site}/m/{match.key}/{match.ply}")
    assert verdict(page) == "verified"
    assert page.get_by_text("Verified: everything comes out as it was played.").is_visible()
    assert page.locator("[data-check][data-holds=true]").count() == 7
    assert page.complaints == []


def test_a_match_in_which_time_was_given_back_is_verified(page, site, database):
    match = seated("ann", "bob", pace="daily", days=1)
    asked_at = clocks.ms_of(match.asked_at)
    outage.beat(asked_at)
    outage.beat(asked_at + 80_000)
    outage.credit_all()
    match = rushed(access.find(match.key), seed=5)
    page.goto(f"{site}/m/{match.key}/{match.ply}")
    page.locator("#moves-list").get_by_text("was given 1:20 back").wait_for(state="attached")
    assert verdict(page) == "verified"


def a_byte(record):
    header = record["proof"]["header"]
    header["commitment"] = f"{int(header['commitment'][:2], 16) ^ 1:02x}" + header["commitment"][2:]


def two_cards_of_the_deck(record):
    deck = record["deck"]
    at = next(i for i in range(len(deck)) if deck[i] != deck[0])
    deck[0], deck[at] = deck[at], deck[0]


def a_card_removed(record):
    record["removed"][-1] = "M2A" if record["removed"][-1] != "M2A" else "M2B"


def the_first_player(record):
    record["first"] = 1 - record["first"]


def the_auction(record):
    record["auction"].reverse()


def a_bid(record):
    bid = next(entry for entry in record["moves"] if entry.get("move", "").startswith("bid"))
    bid["move"] = "pass"


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (a_byte, ["commitment", "log"]),
        (two_cards_of_the_deck, ["deck"]),
        (a_card_removed, ["removed"]),
        (the_first_player, ["first"]),
        (the_auction, ["auction"]),
        (a_bid, ["log"]),
    ],
)
def test_a_record_in_which_something_is_changed_differs(page, site, match, change, wrong):
    def changed(route):
        record = route.fetch().json()
        change(record)
        route.fulfill(json=record)

    page.route("**/record.json", changed)
    page.goto(f"{site}/m/{match.key}/{match.ply}")
    assert verdict(page) == "differs"
    lines = page.locator("[data-check][data-holds=false]").all()
    assert [line.get_attribute("data-check") for line in lines] == wrong


@pytest.mark.parametrize("name", ["commitment", "secret", "share", "link"])
def test_one_byte_changed_in_what_is_served_differs(page, site, match, name):
    def changed(route):
        answer = route.fetch()
        html = re.sub(
            rf'(data-proof="{name}">)(..)', lambda m: m[1] + f"{int(m[2], 16) ^ 1:02x}", answer.text(), count=1
        )
        route.fulfill(response=answer, body=html)

    page.route(
        f"**/m/{match.key}/*", lambda route: route.fallback() if "record" in route.request.url else changed(route)
    )
    page.goto(f"{site}/m/{match.key}/{match.ply}")
    assert verdict(page) == "differs"


SEEN_AT_ONCE = """() => {
    const bar = document.querySelector(".review-controls").getBoundingClientRect();
    const parts = [".review-head", ".canon-frame, .ex-facts", ".review-stage", ".hands", ".review-controls"];
    return parts.filter(part => {
      const box = [...document.querySelectorAll(part)].find(found => found.checkVisibility())?.getBoundingClientRect();
      const end = box?.top < bar.top ? bar.top : innerHeight;
      return box && (box.top < 0 || box.bottom > end + 1 || box.right > innerWidth);
    });
  }"""
"""The parts of a position that reach out of the window."""
CUT = """() => [...document.querySelectorAll("#position, .review-stage, .hands, .ex-table")]
    .filter(box => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1)
    .map(box => box.className || box.id)"""
"""The parts that would have to be scrolled inside."""


@pytest.mark.usefixtures("same_cards")
@pytest.mark.parametrize("width, height", [(1366, 625), (1920, 1080), (390, 664)])
def test_a_position_fits_the_window_with_its_bar_of_44_pixels(visitor, site, database, width, height):
    page = visitor(viewport={"width": width, "height": height})
    four = rushed(seated("ann", "bob", "dan", "Notker-the-Stammerer", pace="daily", days=1), seed=5)
    auctions = next(ply for ply in range(four.ply) if history.replay(four).view(ply, None).lots)
    # On a phone a hand of eighteen takes two lines, so that the end may be a line too high.
    for ply in (20, auctions + 3, *([four.ply] if width > 1000 else [])):
        page.goto(f"{site}/m/{four.key}/{ply}?as=all")
        assert page.evaluate(SEEN_AT_ONCE) == [] and page.evaluate(CUT) == [], ply
        assert page.locator(".review-controls").bounding_box()["height"] == 44
    if width > 1000:
        alone = rushed(seated("ann", "bob", game=title("exlibris"), pace="daily", days=1), seed=5)
        for ply in (20, alone.ply // 2, alone.ply):
            page.goto(f"{site}/m/{alone.key}/{ply}?as=all")
            assert page.evaluate(SEEN_AT_ONCE) == [] and page.evaluate(CUT) == [], ply
    assert page.complaints == []


def test_without_scripts_the_bar_covers_nothing(visitor, site, match):
    page = visitor(java_script_enabled=False, viewport={"width": 390, "height": 664})
    page.goto(f"{site}/m/{match.key}/40?as=all")
    bar = page.locator(".review-controls").bounding_box()
    assert page.locator(".hands").bounding_box()["y"] + page.locator(".hands").bounding_box()["height"] <= bar["y"]
    assert page.get_by_role("button", name="Go", exact=True).is_visible() and bar["y"] + bar["height"] <= 664
