"""What is told of a ladder, and its desk, in a browser: open to everybody, by pointer, finger, keys and plain forms."""

import re
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.ladders import events
from games.ladders.payloads import Corrected, GameResult
from tests.clubs.clubs import DAY, club_of, met, order
from tests.e2e.axe import faults
from tests.e2e.conftest import LOOKS
from tests.e2e.tables import signed_in
from tests.people import person

HOUR = timedelta(hours=1)
NAMES = ("ann", "bob", "dan", "eve", "fay", "gus", "hal", "ivo")
LADDER = "/c/st-gall/ladders/1"
PUBLIC = ("/history", "/player/eve", "/player/hal?span=all", "/seasons", "/seasons/1", "/print", "/embed")
DESK = ("/history?event=12", "/desk", "/desk/rules", "/desk/order?by=club", "/desk/undo/12")
SMALL = "a.button, button, summary, select, input:not([type=hidden], .check input), .check, .segments a, textarea"


@pytest.fixture
def ladder(database):
    """A ladder on which some things have happened, so lately that nothing is due."""
    began = timezone.now() - DAY
    ladder = club_of(*NAMES, now=began)
    ann = person("ann")
    met(ladder, "eve", "bob", now=began + 2 * HOUR)
    met(ladder, "hal", "dan", "gus", places=(1, 3, 2), now=began + 4 * HOUR)
    met(ladder, "ivo", "fay", late=("fay",), now=began + 6 * HOUR)
    result = ladder.log.filter(kind=GameResult.kind).first()
    events.correct(ladder, ann, person("ivo").pk, 2, "Was forgotten.", began + 8 * HOUR)
    events.undo(ladder, ann, result.number, "They had agreed to play it again.", began + 9 * HOUR)
    events.vacation(ladder, person("bob"), began + 2 * DAY, began + 5 * DAY, began + 10 * HOUR)
    ladder.refresh_from_db()
    assert ladder.log.get(number=12).kind == Corrected.kind
    return ladder


def open_page(visitor, site, path, name="ann", **look):
    page = visitor(reduced_motion="reduce", **look)
    if name:
        signed_in(page, site, name)
    page.goto(f"{site}{LADDER}{path}")
    return page


def names(page):
    return page.locator(".movable .name").all_inner_texts()


def test_every_page_is_open_to_everybody_and_quiet(visitor, site, ladder):
    found = {}
    for name, paths in (("", PUBLIC), ("ann", DESK)):
        page = open_page(visitor, site, "/history", name, viewport={"width": 1440, "height": 900})
        for path in paths:
            status = page.goto(f"{site}{LADDER}{path}").status
            found[path] = faults(page) + [f"status {status}"] * (status != 200) + page.complaints
            page.complaints.clear()
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_on_small_screens_nothing_is_too_wide_or_too_small_to_tap(visitor, site, ladder):
    page = open_page(visitor, site, "/history", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    found = {}
    for path in PUBLIC + DESK:
        page.goto(f"{site}{LADDER}{path}")
        found[path] = page.evaluate(
            """(small) => [...document.querySelectorAll(`main :is(${small})`)]
            .filter((control) => control.checkVisibility() && control.getBoundingClientRect().height < 31.9)
            .map((control) => `${control.textContent.trim() || control.name}: low`)
            .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : [])""",
            SMALL,
        )
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_why_somebody_stands_where_they_do_is_told_from_event_to_event(visitor, site, ladder):
    page = open_page(visitor, site, "/player/eve", "")
    why = page.locator(".events").first
    expect(why.locator(".event").nth(0)).to_contain_text("ann undid: “eve beat bob.”")
    expect(page.locator("svg.chart")).to_have_attribute("aria-label", re.compile("Rung from .* best 2"))
    why.locator(".event").nth(2).locator(".event-time").click()
    expect(page.locator(".event:target")).to_be_in_viewport()


def saved(page, ladder, *wanted):
    expect(page.locator(".movable .name")).to_have_text(list(wanted))
    page.get_by_label("Reason").fill("So it was agreed.")
    page.get_by_role("button", name="Save the order").click()
    expect(page.get_by_text("Order saved.")).to_be_visible()
    assert order(ladder) == list(wanted)


NOW = ("ann", "ivo", "bob", "hal", "gus", "dan", "eve", "fay")
"""How the ladder stands."""


def test_the_ladder_is_ordered_by_dragging(visitor, site, ladder):
    page = open_page(visitor, site, "/desk/order", **LOOKS["light"])
    assert tuple(names(page)) == NOW
    expect(page.get_by_text("Not saved yet.")).to_be_hidden()
    grip, goal = page.locator("[data-grip]").nth(4), page.locator(".movable li").nth(1).bounding_box()
    grip.hover()
    page.mouse.down()
    page.mouse.move(goal["x"] + 20, goal["y"] + 5, steps=4)
    expect(page.locator(".movable li").nth(1)).to_contain_text("gus")
    page.mouse.up()
    expect(page.get_by_text("Not saved yet.")).to_be_visible()
    expect(page.locator("[data-said]")).to_have_text("gus: rung 2")
    saved(page, ladder, "ann", "gus", "ivo", "bob", "hal", "dan", "eve", "fay")
    assert page.complaints == []


def test_what_is_dragged_goes_back_with_escape(visitor, site, ladder):
    page = open_page(visitor, site, "/desk/order", **LOOKS["light"])
    page.locator("[data-grip]").nth(4).hover()
    page.mouse.down()
    page.mouse.move(300, page.locator(".movable li").nth(1).bounding_box()["y"] + 5, steps=4)
    expect(page.locator(".movable li").nth(1)).to_contain_text("gus")
    page.keyboard.press("Escape")
    assert tuple(names(page)) == NOW
    page.mouse.up()
    expect(page.get_by_text("Not saved yet.")).to_be_hidden()


def test_the_ladder_is_ordered_by_a_finger(visitor, site, ladder):
    page = open_page(
        visitor, site, "/desk/order", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page.locator(".movable li").nth(3).evaluate("row => row.scrollIntoView({ block: 'center' })")
    touch = page.context.new_cdp_session(page)
    box = page.locator("[data-grip]").nth(3).bounding_box()
    x, y = box["x"] + 20, box["y"] + 20
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 12):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - 10 * step}]})
    expect(page.locator(".movable li").nth(1)).to_contain_text("hal")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    saved(page, ladder, "ann", "hal", "ivo", "bob", "gus", "dan", "eve", "fay")


def test_the_ladder_is_ordered_by_keys(visitor, site, ladder):
    page = open_page(visitor, site, "/desk/order", **LOOKS["light"])
    page.get_by_role("button", name="fay one rung up").focus()
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="fay one rung up")).to_be_focused()
    expect(page.locator("[data-said]")).to_have_text("fay: rung 5")
    page.get_by_role("button", name="ann one rung up").focus()
    page.keyboard.press("Space")
    saved(page, ladder, "ann", "ivo", "bob", "hal", "fay", "gus", "dan", "eve")


def test_the_ladder_is_ordered_without_a_script(visitor, site, ladder):
    page = open_page(visitor, site, "/desk/order", java_script_enabled=False)
    assert page.locator("[data-grip]:not([hidden])").count() == 0
    page.get_by_role("button", name="ivo one rung up").click()
    page.get_by_role("button", name="ivo one rung down").click()
    page.get_by_role("button", name="ivo one rung down").click()
    expect(page.get_by_role("button", name="ivo one rung down")).to_be_focused()
    expect(page.get_by_text("Not saved yet.")).to_be_visible()
    page.get_by_label("Reason").fill("So it was agreed.")
    page.get_by_role("button", name="Save the order").click()
    assert order(ladder) == ["ann", "bob", "ivo", "hal", "gus", "dan", "eve", "fay"]


def test_a_list_is_looked_at_before_it_is_saved(visitor, site, ladder):
    page = open_page(visitor, site, "/desk/order", **LOOKS["phone"])
    page.get_by_label("Names, first at the top").fill("eve\nnobody\nEve")
    page.get_by_role("button", name="Show this order").click()
    expect(page.get_by_text("nobody isn’t on this ladder.")).to_be_visible()
    expect(page.get_by_text("Eve is in the list more than once.")).to_be_visible()
    page.get_by_label("Names, first at the top").fill("1. eve\n2. fay")
    page.get_by_role("button", name="Show this order").click()
    saved(page, ladder, "eve", "fay", "ann", "ivo", "bob", "hal", "gus", "dan")


@pytest.fixture
def elsewhere():
    """The address of another site, whose only page is to be set: elsewhere.page."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(server.page.encode())

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_other_sites_may_show_the_ladder_in_a_frame_and_no_other_page(visitor, site, ladder, elsewhere):
    page, address = visitor(), f"http://127.0.0.1:{elsewhere.server_port}/"
    elsewhere.page = f'<iframe src="{site}{LADDER}/embed"></iframe>'
    page.goto(address)
    expect(page.frame_locator("iframe").get_by_role("heading", level=1)).to_have_text("St Gall")
    assert page.frame_locator("iframe").locator("tbody tr").count() == len(NAMES)
    assert page.context.cookies() == []
    elsewhere.page = f'<iframe src="{site}{LADDER}"></iframe>'
    page.goto(address, wait_until="networkidle")
    expect(page.frame_locator("iframe").get_by_role("heading", level=1)).to_have_count(0)
    assert "frame-ancestors" in " ".join(page.complaints)


def test_a_ladder_of_thirty_fits_a_sheet_of_paper(visitor, site, database):
    club_of(*(f"player-{number}" for number in range(30)))
    page = open_page(visitor, site, "/print", "")
    sheets = page.pdf(prefer_css_page_size=True)
    assert sheets.count(b"/Type /Page\n") == 1
    page.emulate_media(media="print", color_scheme="dark")
    colours = page.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    expect(page.get_by_text("Back to the ladder")).to_be_hidden()
