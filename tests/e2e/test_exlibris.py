"""Ex Libris as people play it: in three browsers, by the keyboard alone; its questions open to all and within reach."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CARD, LABELS, cards_of
from games.engine.exlibris.game import ExLibris
from games.matches import access, history
from games.table import board as boards
from tests.e2e.axe import faults
from tests.e2e.tables import ASKED, Pointer, board, signed_in
from tests.faces.scenes import Tale
from tests.matches.matches import rushed, seated

GAME = ExLibris()
LIVE = {"pace": "live", "bank_ms": 600_000, "game": GAME}
PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
SIZES = (1366, 625), (1024, 700), (360, 640)
pytestmark = pytest.mark.once


class Librarian(Pointer):
    """Answers by its form what is asked. Sends home, seldom to a tile, and shelves what it can in order."""

    def __init__(self, page, tap=False, seed=1):
        super().__init__(page, tap)
        self.rng = Random(seed)
        self.table = page.locator(".middle")
        self.kinds = []

    def press(self, what):
        if self.tap:  # as in Pointer: the heading is only read out where there is little room
            self.stage.locator(".ex-ask, h1").first.tap()
            return what.tap()
        return super().press(what)

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
        elif (card := self.choice(".ex-choice:has([name=move]), label.ex-ghost")).count():
            self.press(card.first)
        else:
            return self.to_press()
        return self.confirm()

    def to_act(self):
        """A card of the shelf, then what is done with it."""
        self.press(self.choice("#shelf .ex-choice").first)
        self.press(self.choice("#stage .ex-act").last)

    def to_shelve(self):
        card = self.choice("#hand .ex-choice:has(input)")
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
        """Go on with the tab key, or back, and within a group with an arrow, until this has the focus."""
        keys = self.page.keyboard
        for _ in range(120):
            key = goal.evaluate(
                """(goal) => {
                    const here = document.activeElement;
                    const alike = ["type", "name", "form"].every((of) => goal[of] === here[of]);
                    const before = here.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_PRECEDING;
                    if (goal === here) return "";
                    return goal.type === "radio" && alike ? "ArrowDown" : before ? "Shift+Tab" : "Tab";
                }"""
            )
            if not key:
                return
            keys.press(key)
        raise AssertionError(f"the keys do not lead to {goal.evaluate('goal => goal.outerHTML')}")


class Eyes:
    """What a seat has seen of the cards of a match so far."""

    def __init__(self, seat):
        self.seat, self.ply, self.seen = seat, 0, set()

    def secrets(self, match):
        """The cards in the hands of others that this seat has never seen."""
        replay = history.replay(match)
        for ply in range(self.ply, match.ply + 1):
            view = replay.view(ply, self.seat)
            places = *view.hands, view.discard, view.laid, *view.cards
            self.seen |= {card for place in places for card in place}
            self.seen |= {card for shelf in view.shelves for pile in shelf for card in (pile.card, pile.under)}
        told = [step.move.split() for step in replay.seen_by(self.seat, match.ply)[self.ply :]]
        self.seen |= {CARD[word] for words in told for word in words if word in CARD}
        self.ply = match.ply
        hands = enumerate(replay.state(match.ply).hands)
        return {card for seat, hand in hands if seat != self.seat for card in cards_of(hand)} - self.seen


def shown(page):
    """The cards that stand anywhere on a page: in its text, in an attribute, or by number."""
    text = page.evaluate(
        """() => [document.documentElement.textContent, ...[...document.querySelectorAll("*")]
        .filter((element) => element instanceof HTMLElement)
        .flatMap((element) => [...element.attributes].map(({ value }) => value))].join(" ")"""
    )
    numbers = page.locator("[data-n]").evaluate_all("all => all.map((each) => +each.dataset.n)")
    return {CARD[label] for label in re.findall(r"\b[A-Z]\d{1,2}\b", text) if label in CARD} | {*numbers}


def test_three_people_play_a_whole_game_and_no_page_holds_a_hidden_card_of_others(visitor, site, same_cards):
    """They answer at their pages at the beginning and at the end; all pages follow what is played between them."""
    looks = {"viewport": {"width": 1366, "height": 625}}, {"viewport": {"width": 1024, "height": 700}}, PHONE
    match, players = seated("ann", "bob", "cho", pace="daily", days=1, game=GAME), []
    for seat, look in enumerate(looks):
        page = visitor(**look, reduced_motion="reduce")
        signed_in(page, site, ("ann", "bob", "cho")[seat])
        page.goto(site + match.get_absolute_url())
        expect(page.locator("body")).to_have_attribute("data-line", "open")
        players.append((Librarian(page, tap=look is PHONE, seed=seat), Eyes(seat)))

    def state():
        return history.replay(match).state(match.ply)

    def looked():
        """How many cards were hidden, and on no page."""
        hidden = 0
        for player, eyes in players:
            board(player.page, f"[data-ply='{match.ply}']")
            secrets = eyes.secrets(match)
            found = {LABELS[card] for card in secrets & shown(player.page)}
            assert not found, f"seat {eyes.seat} can read what it may not know, at ply {match.ply}"
            hidden += len(secrets)
        return hidden

    hidden = 0
    while not (now := state()).over:
        if match.ply < 24 or now.question == frames.TURN:
            players[now.seat][0].answer()
            match = access.find(match.key)
        else:
            match = rushed(match, lambda then, now=now: then.round > now.round or then.question == frames.TURN)
            hidden += looked()
        for player, _eyes in players:
            board(player.page, f"[data-ply='{match.ply}']")
        if match.ply % 5 == 0:
            hidden += looked()
    assert hidden
    assert {"press", "pick", "shelve", "flip"} <= {kind for player, _eyes in players for kind in player.kinds}
    for player, _eyes in players:
        expect(player.page.locator(".ex-sheet thead th")).to_have_count(3)
        assert player.page.complaints == []


def test_a_solo_game_is_played_by_the_keyboard_alone(visitor, site, same_cards):
    """The first and the last round of it."""
    page = visitor(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    match = seated("ann", **LIVE)
    page.goto(site + match.get_absolute_url())
    expect(page.locator("body")).to_have_attribute("data-line", "open")
    player = Clerk(page)
    while history.replay(match).state(match.ply).round < 2:
        player.answer()
        match = access.find(match.key)
    match = rushed(match, lambda state: state.last)
    board(page, f"[data-ply='{match.ply}']")
    while player.answer() != "over":
        pass
    assert {"press", "pick", "shelve", "flip"} <= set(player.kinds)
    expect(page.locator(".ex-sheet thead th")).to_have_text([re.compile("ann"), "Public library"])
    assert page.complaints == []


def questions():
    """Each of the 38 kinds of question: a scene of whoever is asked it, late in a game of random moves."""
    found, options = {}, {"libraries": "special", "conflict": True}
    games = (6, 4), (3, 4), (0, 1)
    for tale in [Tale(f"reach {seed}", seats, GAME, **options) for seed, seats in games]:
        for question in {state.question for state in tale.states[:-1]} - {*found}:
            *_, found[question] = tale.asked(question)
    assert len(found) == len(frames.QUESTIONS)
    return found, tale.scene(len(tale.moves), 0)


LAY = """([elements, state]) => {
    for (const [id, html] of Object.entries(elements)) document.getElementById(id).outerHTML = html;
    document.body.dataset.state = state;
    for (const event of ["board", "change"]) document.body.dispatchEvent(new Event(event, { bubbles: true }));
}"""


def drawn(scene):
    """This position, to be laid by `LAY`."""
    board = boards.draw(scene, boards.common(scene))
    return [boards.elements(board, "en"), board.state]


def lay(page, scene):
    """Lay this position on the table that is open."""
    page.evaluate(LAY, drawn(scene))


COVERED = """() => {
    const low = document.getElementById("low");
    const read = getComputedStyle(low).clipPath !== "none"; // it is only read out
    const wide = document.documentElement.scrollWidth;
    const above = (control) => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        return control.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    };
    const open = (control) => {
        if (above(control)) return true;
        control.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
        return above(control);
    };
    const name = (control) => `${control.className} ${control.textContent.trim() || control.title}`;
    return [...document.querySelectorAll(".middle :is(button:not(.ex-link), .ex-way, .ex-choice)")]
        .filter((control) => control.checkVisibility({visibilityProperty: true}) && !(read && low.contains(control)))
        .filter((control) => control.matches("button") || control.querySelector("input"))
        .flatMap((control) => {
            const { height, width } = control.getBoundingClientRect();
            const small = Math.min(height, width) < (control.matches(".button") ? 35.9 : 23.9);
            return [...open(control) ? [] : [`covered: ${name(control)}`],
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
    scenes = {question: drawn(scene) for question, scene in [*asked.items(), (None, over)]}
    for width, height in SIZES:  # another size takes longer than another position
        page.set_viewport_size({"width": width, "height": height})
        for question, scene in scenes.items():
            page.evaluate(LAY, scene)
            found[question, width, height] = page.evaluate(COVERED)
    page.set_viewport_size({"width": 1440, "height": 900})
    for scene in (asked[frames.PLACE], asked[frames.HOME_ACTION], asked[frames.TURN], over):
        lay(page, scene)
        found[scene.view.question, "axe"] = faults(page, None if scene is over else ".middle")
    told = [f"{where}: {fault}" for where, faults in found.items() for fault in faults]
    assert not told, "\n".join(told)


def test_cards_are_seen_closer_with_the_titles_of_their_books_and_shelves_of_others_open(visitor, site):
    page = visitor(viewport={"width": 1366, "height": 625}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    page.goto(site + seated("ann", "bob", "cho", "dan", **LIVE).get_absolute_url())
    expect(page.locator("body")).to_have_attribute("data-line", "open")
    *_, scene = Tale("reach 0", 4, GAME, libraries="special", conflict=True).asked(frames.HOME_ACTION)
    lay(page, scene)
    held, peek = page.locator("#hand .ex-choice"), page.locator("#ex-peek")

    def seen(card):
        card.hover()
        expect(peek.locator("li")).to_have_count(card.locator(".ex-book").count())
        titles = peek.locator("li>i").all_text_contents()
        page.mouse.move(2, 2)
        expect(peek).to_have_count(0)
        return titles

    titles = seen(held.first)
    assert all(titles) and seen(held.nth(1)) != titles == seen(held.first)
    page.locator("#hand input").first.focus()
    page.keyboard.press("ArrowRight")
    expect(peek).to_be_visible()
    page.keyboard.press("Escape")
    expect(peek).to_have_count(0)
    shelf = page.locator("[data-enlarge]").first
    shelf.click()
    dialog = page.get_by_role("dialog", name=shelf.get_attribute("aria-label"))
    expect(dialog.locator(".ex-mini .ex-card")).to_have_count(shelf.locator(".ex-card").count())
    expect(dialog.locator(".ex-strip")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
