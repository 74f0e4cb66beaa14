"""The table of Ex Libris has its bands where they are, whatever is asked: question, hand, score and clock in view."""

import json

import pytest
from playwright.sync_api import expect

from games.engine.exlibris import frames
from tests.e2e.tables import signed_in
from tests.e2e.test_exlibris import LAY, LIVE, drawn, lay, questions
from tests.matches.matches import seated

LAPTOP, PHONE = (1366, 625), (390, 664)
SIZES = LAPTOP, (1024, 700), PHONE, (820, 1180)
ENLARGED = ((683, 312), ""), ((911, 417), ""), (LAPTOP, "24px"), (PHONE, "24px")
"""Windows of a page enlarged, and large text: the size of a letter."""
WHOLE = {frames.CHOOSE_LIBRARY, frames.TURN}
"""These questions have the table to themselves: there is no shelf yet, or nothing but the shelf."""
pytestmark = pytest.mark.once
BANDS = """() => ["town", "stage", "hand"].map((id) => {
    const { top, bottom } = document.getElementById(id).getBoundingClientRect();
    return [top, bottom];
})"""
"""Where they begin and end, from above."""
HIDDEN = """(parts) => {
    const seen = (element) => {
        const { left, right, top, bottom, width } = element.getBoundingClientRect();
        const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const around = element.closest("section, header, p");
        const inside = width > 5 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        return inside && around.contains(at);
    };
    return Object.entries(parts).flatMap(([part, count]) => {
        const found = [...document.querySelectorAll(part)].filter((element) => !element.closest(".spare, [popover]"));
        if (count && found.length !== count) return [`${found.length} of ${count} ${part}`];
        return found.filter((element) => !seen(element)).map((element) => `hidden: ${part} ${element.textContent}`);
    });
}"""
"""What of these, selectors with how many there must be, is not there to be read; 0: as many as there are."""
CLOCK = {"#mine": 1}
SCORE = {"#worth dd.number:not(.change)": 6}
NAMES = {"#facts .ex-named bdi": 3}
CARDS = {"#hand .ex-held>*": 0}
BUTTONS = {"#stage .ex-buttons:not(.ex-tray) button:not([hidden],.ex-act)": 0}


@pytest.fixture
def table(visitor, site):
    """A table at which four play, on which positions are laid."""
    page = visitor(viewport={"width": 1366, "height": 625}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    page.goto(site + seated("ann", "bob", "cho", "dan", **LIVE).get_absolute_url())
    expect(page.locator("body")).to_have_attribute("data-line", "open")  # from now on nothing changes by itself
    return page


def test_question_and_hand_never_move_and_score_clock_and_categories_are_in_view(table):
    asked, _over = questions()
    bands, faults = {size: set() for size in SIZES}, []
    scenes = {question: drawn(scene) for question, scene in asked.items()}
    for width, height in SIZES:  # another size takes longer than another position
        table.set_viewport_size({"width": width, "height": height})
        for question, scene in scenes.items():
            table.evaluate(LAY, scene)
            wanted = CLOCK if question in WHOLE else CLOCK | SCORE
            if question not in WHOLE:
                bands[width, height].add(json.dumps(table.evaluate(BANDS)))
            if question != frames.CHOOSE_LIBRARY and width > 719:
                wanted = wanted | NAMES
            if (width, height) == LAPTOP and question not in WHOLE:
                wanted = wanted | CARDS
            faults += [f"{question} {width} x {height}: {fault}" for fault in table.evaluate(HIDDEN, wanted)]
    assert not faults, "\n".join(faults)
    for (_width, height), places in bands.items():
        assert len(places) == 1, f"bands move: {places}"
        (_town, town), (stage, under), (hand, end) = json.loads(places.pop())
        assert town <= stage < under == hand < end <= height


def test_names_of_categories_and_reasons_of_points_open_where_there_is_no_room(table):
    asked, _over = questions()
    lay(table, asked[frames.PLACE])
    table.set_viewport_size(dict(zip(("width", "height"), PHONE, strict=True)))
    table.locator(".ex-seals").click()
    expect(table.locator("#categories li")).to_have_count(6)
    assert table.evaluate(HIDDEN, {"#mine": 1}) == []
    for name in table.locator("#categories li").all():
        expect(name).to_be_in_viewport(ratio=1)
    table.keyboard.press("Escape")
    table.locator("#worth button").click()
    for line in table.locator("#reasons tr").all():
        expect(line).to_be_in_viewport(ratio=1)


def test_a_page_enlarged_and_large_text_keep_answers_and_hand_in_the_window(table):
    asked, _over = questions()
    for question in (frames.PLACE, frames.BUY, frames.NAME_BOOKS, frames.HOME_ACTION):
        lay(table, asked[question])
        for size, text in ENLARGED:
            table.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
            table.evaluate("size => { document.documentElement.style.fontSize = size; scrollTo(0, 0); }", text)
            _town, (stage, under), (hand, end) = table.evaluate(BANDS)
            assert 40 <= stage < under <= hand + 0.5 < end <= size[1], (question, size, text)
            assert table.evaluate(HIDDEN, CLOCK | BUTTONS) == []
