"""Ex Libris as people play it: by the keyboard alone; its questions open to all and within reach."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from games.engine.exlibris import frames as f
from games.engine.exlibris.game import ExLibris
from games.table import board as boards
from tests.e2e.tables import ASKED, Pointer, board, signed_in
from tests.e2e.test_every_page import faults
from tests.faces.scenes import Tale
from tests.matches.matches import seated

GAME = ExLibris()
LIVE = {"pace": "live", "bank_ms": 600_000, "game": GAME}
SIZES = (1366, 625), (1280, 800), (1024, 700), (390, 664), (360, 640)
pytestmark = pytest.mark.once


class Librarian(Pointer):
    """Answers by its form what is asked. Sends home, seldom to a tile, and shelves what it can in order."""

    def __init__(self, page, tap=False, seed=1):
        super().__init__(page, tap)
        self.rng = Random(seed)
        self.table = page.locator(".middle")
        self.kinds = []

    def answer(self):
        facts = board(self.page, ASKED)
        if "over" not in facts:
            kind = self.page.locator("#answer").get_attribute("data-answer")
            getattr(self, f"to_{kind}")()
            self.kinds.append(kind)
            self.ply = board(self.page, f":not([data-ply='{facts['ply']}'])")["ply"]
        return facts.get("state", "over")

    def choice(self, where):
        """What one presses to choose there: a label lies over its field."""
        return self.table.locator(where).locator("visible=true")

    def to_pick(self):
        ways = self.choice(".ex-town .ex-way")
        home = self.choice("#stage .ex-way")
        if home.count() and (self.rng.random() < 0.75 or not ways.count()):
            self.press(home.first)
        elif ways.count():
            self.press(ways.nth(self.rng.randrange(ways.count())))
        elif (card := self.choice(".ex-choice:has(input)")).count():
            self.press(card.first)
        else:
            return self.to_press()
        return self.confirm()

    def to_shelve(self):
        card = self.choice("#hand .ex-choice:has(input), #stage .ex-choice:has([value^=shelve])")
        if not card.count():
            return self.to_press()
        self.press(card.nth(self.rng.randrange(card.count())))
        if not self.page.locator("#shelf[data-one]").count():
            ok = self.choice("#shelf .ex-ghost.ok")
            self.press((ok if ok.count() else self.choice("#shelf .ex-ghost")).first)
        return self.confirm()

    def to_some(self):
        least = int(self.page.locator("#answer").get_attribute("data-least"))
        for card in self.choice("#hand .ex-choice").all()[:least]:
            self.press(card)
        self.confirm()

    def to_flip(self):
        self.confirm()

    def to_press(self):
        """The last button: the first may be the one that passes."""
        self.press(self.choice("button[name=move]").last)


class Clerk(Librarian):
    """Answers by keys alone: the tab key, arrows among what is chosen from, the space bar and ↵."""

    def press(self, what):
        field = what.locator("input")
        if field.count():
            self.reach(field)
            return self.page.keyboard.press("Space")
        self.reach(what)
        return self.page.keyboard.press("Enter")

    def confirm(self):
        self.page.keyboard.press("Enter")

    def reach(self, goal):
        """Go on with the tab key, and within a group with an arrow, until this has the focus."""
        keys = self.page.keyboard
        for _ in range(120):
            found = goal.evaluate(
                """(goal) => {
                    const here = document.activeElement;
                    const alike = ["type", "name", "form"].every((of) => goal[of] === here[of]);
                    return goal === here ? "here" : goal.type === "radio" && alike ? "group" : "";
                }"""
            )
            if found == "here":
                return
            keys.press("ArrowDown" if found else "Tab")
        raise AssertionError(f"the keys do not lead to {goal.evaluate('goal => goal.outerHTML')}")


def test_a_solo_game_is_played_by_the_keyboard_alone(visitor, site, same_cards):
    page = visitor(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    page.goto(site + seated("ann", **LIVE).get_absolute_url())
    expect(page.locator("body")).to_have_attribute("data-line", "open")
    player = Clerk(page)
    while player.answer() != "over":
        pass
    assert {"press", "pick", "shelve", "flip"} <= set(player.kinds)
    expect(page.locator(".ex-sheet thead th")).to_have_text([re.compile("ann"), "Public library"])
    assert page.complaints == []


def questions():
    """Each of the 38 kinds of question: a scene of whoever is asked it, late in a game of random moves."""
    found, options = {}, {"libraries": "special", "conflict": True}
    games = (0, 4), (1, 3), (2, 2), (9, 3), (3, 1)
    for tale in [Tale(f"reach {seed}", seats, GAME, **options) for seed, seats in games]:
        for question in {state.question for state in tale.states[:-1]} - {*found}:
            *_, found[question] = tale.asked(question)
    assert len(found) == len(f.QUESTIONS)
    return found, tale.scene(len(tale.moves), 0)


def lay(page, scene):
    """Lay this position on the table that is open."""
    drawn = boards.draw(scene, boards.common(scene))
    page.evaluate(
        """([elements, state]) => {
            for (const [id, html] of Object.entries(elements)) document.getElementById(id).outerHTML = html;
            document.body.dataset.state = state;
            for (const event of ["board", "change"]) document.body.dispatchEvent(new Event(event, { bubbles: true }));
        }""",
        [boards.elements(drawn, "en"), drawn.state],
    )


COVERED = """() => {
    const low = document.getElementById("low");
    const read = getComputedStyle(low).clipPath !== "none"; // it is only read out
    const wide = document.documentElement.scrollWidth;
    const name = (control) => `${control.className} ${control.textContent.trim() || control.title}`;
    return [...document.querySelectorAll(".middle :is(button:not(.ex-link), .ex-way, .ex-choice)")]
        .filter((control) => control.checkVisibility({visibilityProperty: true}) && !(read && low.contains(control)))
        .filter((control) => control.matches("button") || control.querySelector("input"))
        .flatMap((control) => {
            control.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
            const { left, right, top, bottom, height, width } = control.getBoundingClientRect();
            const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            const small = Math.min(height, width) < (control.matches(".button") ? 35.9 : 23.9);
            return [...control.contains(there) ? [] : [`covered: ${name(control)}`],
                ...small ? [`${width} x ${height} px: ${name(control)}`] : []];
        })
        .concat(wide > innerWidth ? [`${wide} px wide`] : []);
}"""


def test_every_question_is_within_reach_at_every_size_and_open_to_everybody(visitor, site):
    page = visitor(viewport={"width": 1366, "height": 625}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    page.goto(site + seated("ann", "bob", "cho", "dan", **LIVE).get_absolute_url())
    expect(page.locator("body")).to_have_attribute("data-line", "open")  # from now on nothing changes by itself
    asked, over = questions()
    found = {}
    for question, scene in [*asked.items(), (None, over)]:
        lay(page, scene)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found[question, width, height] = page.evaluate(COVERED)
    page.set_viewport_size({"width": 1440, "height": 900})
    for scene in (asked[f.PLACE], asked[f.HOME_ACTION], asked[f.TURN], over):
        lay(page, scene)
        found[scene.view.question, "axe"] = faults(page)
    told = [f"{where}: {fault}" for where, faults in found.items() for fault in faults]
    assert not told, "\n".join(told)
