"""Playing as people do: what a page asks is answered with what the page shows, by pointer, keyboard or plain forms."""

import re

from django.test import Client
from playwright.sync_api import expect

from games.engine.biblios.notation import BID
from games.matches import access
from tests.matches.matches import rushed
from tests.people import person

PASSWORD = "a quiet scriptorium"
TAPPED = "button, summary, .well, .chip, .die-choice, .pay-choice, .card-choice, .dock button, a.button"


def sign_up(page, site, name, next="/play"):
    """Sign up at the form."""
    page.goto(f"{site}/sign-up?next={next}")
    page.get_by_label("Name at the table").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.wait_for_url(f"{site}{next}")


def led_to_table(page):
    """Wait for a table to be loaded, after its shuffle. A form and a socket may lead there both at once."""
    expect(page).to_have_url(re.compile(r"/m/\w+$"))
    expect(page.locator("#ply")).to_be_attached()
    page.wait_for_load_state()


def board(page, when=""):
    """The facts of the board: ply, state, asked, over and so on; as soon as `when` (a selector) holds of them."""
    return page.locator(f"#ply{when}").evaluate("ply => ({...ply.dataset})")


ASKED = ":is([data-asked='1'], [data-over='1'])"


def question(page):
    """What the page asks, once it asks something: gift, choose, church, bid or pay; `over` at the end."""
    return board(page, ASKED)["state"]


def read(page):
    """Say that one has read what penalties took, where that lies over the question."""
    unread = page.locator("#penalty [data-read]:visible")
    while unread.count():
        unread.click()


class Pointer:
    """Clicks, or taps where there is no mouse. `bluff` bids more than one holds in the first auction.

    Otherwise goes up to a bid of `most`.
    """

    def __init__(self, page, tap=False, bluff=False, most=3):
        self.page, self.bluff, self.most = page, bluff, most
        self.stage = page.locator("#stage")
        self.tap = tap
        self.asked = []

    def answer(self):
        """Answer the question that is asked; the question, or `over`."""
        facts = board(self.page, ASKED)
        if facts["state"] != "over":
            read(self.page)
            getattr(self, facts["state"])()
            self.ply = board(self.page, f":not([data-ply='{facts['ply']}'])")["ply"]
        self.asked.append(facts["state"])
        return facts["state"]

    def press(self, what):
        if self.tap:
            # Taps that follow each other in one place are a double tap, whose second half the page ignores.
            self.stage.locator("h1").tap()
            what.tap()
        else:
            what.click()

    def confirm(self):
        self.press(self.stage.locator("[data-primary]"))

    def gift(self):
        self.press(self.stage.locator(".well:enabled").first)

    def choose(self):
        self.press(self.stage.locator(".card-choice").first)
        self.confirm()

    def church(self):
        form = self.stage.locator("form[data-answer]").first
        for _ in range(int(form.get_attribute("data-count"))):
            self.press(form.locator("label.die-choice:not(.off):has(input:enabled:not(:checked))").first)
        self.confirm()

    def bid(self):
        form = self.stage.locator("form[data-answer=bid]")
        if self.bluff and form.locator("[data-bluff]").count() and form.get_attribute("data-unit") == "gold":
            self.bluff = False
            self.press(form.locator("label:has([data-bluff])"))
            field = form.locator("[data-more]")
            field.fill(str(max(int(form.get_attribute("data-own")) + 1, int(field.get_attribute("min")))))
            self.confirm()
            if not form.locator("[data-bid]").count():
                self.confirm()
        elif form.locator("input[name=move][value^='bid ']:checked").count() and self.high() < self.most:
            self.confirm()
        else:
            self.press(self.stage.get_by_role("button", name="Pass"))

    def high(self):
        """The highest bid so far, from the table of bids."""
        return max(
            [0, *(int(text) for text in self.stage.locator(".bids [id^=bid-]>b").all_inner_texts() if text.isdecimal())]
        )

    def pay(self):
        form = self.stage.locator("form[data-answer=pay]")
        cards = form.locator("label.pay-choice")
        if not cards.count():
            return self.press(self.stage.get_by_role("button", name="I can’t pay"))
        due = int(form.get_attribute("data-due"))
        if form.get_attribute("data-unit") == "cards":
            for card in cards.all()[:due]:
                self.press(card)
        self.confirm()


class Keyboard(Pointer):
    """Keys only: 1 2 3, digits, P, the arrows, the space bar and ↵."""

    def __init__(self, page):
        super().__init__(page)
        self.keys = page.keyboard

    def confirm(self):
        self.keys.press("Enter")

    def gift(self):
        self.keys.press(self.stage.locator(".well:enabled").first.get_attribute("data-key"))

    def choose(self):
        self.keys.press("1")
        self.confirm()

    def church(self):
        form = self.stage.locator("form[data-answer]").first
        self.reach(form.locator("input[name=move]:enabled").first)
        self.keys.press("Space")
        if form.get_attribute("data-count") == "2":
            while not form.locator("input:checked:focus").count() or form.locator("input:checked").count() < 2:
                self.keys.press("ArrowRight")
                self.keys.press("Space")
        self.confirm()

    def bid(self):
        form = self.stage.locator("form[data-answer=bid]")
        chip = form.locator("input[name=move][value^='bid ']:not([data-bluff])")
        if chip.count() and self.high() < self.most:
            self.keys.type(re.search(r"\d+", chip.first.get_attribute("value"))[0])
            self.confirm()
        else:
            self.keys.press("p")

    def pay(self):
        form = self.stage.locator("form[data-answer=pay]")
        cards = form.locator("input[name=move]")
        if cards.count() and form.get_attribute("data-unit") == "cards":
            self.reach(cards.first)
            for at in range(int(form.get_attribute("data-due"))):
                if at:
                    self.keys.press("ArrowRight")
                self.keys.press("Space")
        self.confirm()

    def reach(self, goal):
        """Go on with the tab key until this has the focus."""
        for _ in range(60):
            if goal.evaluate("e => e === document.activeElement"):
                return
            self.keys.press("Tab")
        raise AssertionError("the tab key does not lead there")


def play(players, enough=lambda: False):
    """Play on until the game is over or this holds, everybody with a page of their own."""
    while not enough():
        for player in players:
            facts = board(player.page)
            if facts.get("over"):
                return
            if facts.get("asked"):
                player.answer()
                for other in players:
                    board(other.page, f"[data-ply='{player.ply}']")


def bids(seats, last=False):
    """Whether one of these seats may bid in an auction; in one of the last."""
    return lambda state: (
        state.question == BID
        and state.seat in seats
        and state.forced() is None
        and len(state.view(None).lots) >= (state.setup.turns if last else 1)
    )


def go_on(players, until):
    """The game goes on by random answers, without the pages of those who are asked, until this holds of its state."""
    match = rushed(access.find(re.search(r"/m/(\w+)", players[0].page.url)[1]), until)
    for player in players:
        board(player.page, f"[data-ply='{match.ply}']")


def signed_in(page, site, name):
    """Sign somebody in without the form."""
    client = Client()
    client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])


def within_reach(page):
    """What is wrong with the controls that answer once one has scrolled to them; too wide a page."""
    return page.locator("#stage").evaluate(
        """(stage, tapped) => [...stage.querySelectorAll(tapped)]
        .filter((control) => control.checkVisibility() && !control.matches(".off, .news *, .many *, [inert] *"))
        .flatMap((control) => {
            control.scrollIntoView({ block: "nearest", behavior: "instant" });
            const { top, bottom, left, right, height } = control.getBoundingClientRect();
            const shown = [top + 3, bottom - 3].every((y) =>
                control.contains(document.elementFromPoint((left + right) / 2, y)));
            const fault = height < 43.9 ? `only ${height} px high` : left < 0 || right > innerWidth ? "off the side"
                : !shown ? `covered, or off the screen: ${top} to ${bottom}` : "";
            return fault ? [`${control.textContent.trim()}: ${fault}`] : [];
        })
        .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : [])""",
        TAPPED,
    )
