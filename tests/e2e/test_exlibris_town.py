"""The street of Ex Libris on the page: colours that tell apart, signs that open, houses that come into view."""

import pytest
from playwright.sync_api import expect

from games.engine.exlibris import frames
from tests.e2e.tables import signed_in
from tests.e2e.test_exlibris import LIVE, PHONE, lay
from tests.faces.scenes import Tale
from tests.matches.matches import seated

pytestmark = pytest.mark.once
COLOURS = """(kind) => [...document.querySelectorAll(`.${kind} .ex-when > span, .ex-rail .${kind}, .ex-word.${kind}`)]
    .filter((element) => element.checkVisibility())
    .flatMap((element) => {
        const { color, backgroundColor, backgroundImage } = getComputedStyle(element);
        return [element.matches(".ex-word") ? color : backgroundColor, backgroundImage];
    })
    .filter((colour) => !["none", "rgba(0, 0, 0, 0)"].includes(colour))"""
COVERED = """() => [...document.querySelectorAll(".ex-way")].filter((way) => {
    const { left, right, top, bottom } = way.getBoundingClientRect();
    return !way.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).length"""
OPEN = "sign => getComputedStyle(sign.querySelector('.ex-whole')).clipPath"


def busy():
    """A placement with both kinds of tiles, and a resolution of a tile that stands late in the street."""
    tale = Tale("reach 1", 3, LIVE["game"], libraries="special", conflict=True)
    plies = range(len(tale.states) - 1)
    placing = next(p for p in plies if tale.states[p].question == frames.PLACE and len(tale.states[p].tiles) == 7)
    acting = next(p for p in plies if (tale.states[p].view(None).resolving or 0) > 7 and len(tale.states[p].tiles) > 4)
    return tale.scene(placing, tale.states[placing].seat), tale.scene(acting, tale.states[acting].seat)


def table(page, site):
    signed_in(page, site, "ann")
    page.goto(site + seated("ann", "bob", "cho", **LIVE).get_absolute_url())
    expect(page.locator("body")).to_have_attribute("data-line", "open")  # from now on nothing changes by itself


def test_instant_and_delayed_share_no_colour_and_signs_open_without_covering_answers(visitor, site):
    page = visitor(viewport={"width": 1366, "height": 625}, reduced_motion="reduce")
    table(page, site)
    placing, _acting = busy()
    lay(page, placing)
    page.locator(".ex-lot .ex-way").first.click()  # so that the question tells of a tile, too
    for width, height in ((1366, 625), (390, 664)):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            instant, delayed = {*page.evaluate(COLOURS, "inst")}, {*page.evaluate(COLOURS, "del")}
            assert instant and delayed and not instant & delayed, (width, scheme)
    page.set_viewport_size({"width": 1366, "height": 625})
    for sign in page.locator(".ex-sign").all():
        for opens in (sign.hover, sign.focus):
            opens()
            assert sign.evaluate(OPEN) == "none"
            assert page.evaluate(COVERED) == 0
            page.keyboard.press("Escape")
            assert sign.evaluate(OPEN) != "none"
        page.mouse.move(700, 500)
    assert page.complaints == []


def test_on_phones_a_tap_opens_a_sign_and_numbers_and_acts_bring_their_houses(visitor, site):
    page = visitor(**PHONE, reduced_motion="reduce")
    table(page, site)
    placing, acting = busy()
    lay(page, placing)
    page.locator(".ex-rail a").last.tap()
    expect(page.locator(".ex-tile").last).to_be_in_viewport(ratio=0.9)
    sign = page.locator(".ex-sign").last
    sign.tap()
    assert sign.evaluate(OPEN) == "none"
    sign.tap()
    assert sign.evaluate(OPEN) != "none"
    lay(page, acting)
    expect(page.locator(".ex-tile.lit")).to_be_in_viewport(ratio=0.9)
    assert page.complaints == []
