"""People who play as people do: they read their page, and answer what it asks with what it offers."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random
from typing import Self

from games.engine.chance import SHARE_BYTES, seal
from tests.bench.wire import Answer, Browser, Socket

ID = re.compile(r' id="([^"]+)"')
SAME = re.compile(r'<wbr id="([^"]+)">')
"""What stands for an element inside of another one that is as it was."""
NAME = re.compile(r"[\w-]+")
VOID = {"br", "hr", "img", "input", "wbr"}
VALUE = re.compile(r'\bvalue="([^"]+)"')
WORTH = re.compile(r'\bdata-worth="(\d+)"')
FORM = re.compile(r"<form[^>]* data-answer=[^>]*>")
OWN, DUE, COUNT = (re.compile(rf'\bdata-{name}="(\d+)"') for name in ("own", "due", "count"))
MATCH, SEAT, STEP = (re.compile(rf'\bdata-{name}="(\w*)"') for name in ("match", "seat", "step"))
"""What the page of a match that has not begun wants from a browser for the shuffle."""
UNREAD = 30
"""The most messages that may wait until they are needed."""
REFUSAL = re.compile(r'id="says"[^>]*>([^<]+)<')


class Person:
    """Somebody with a browser, and the board as their page shows it."""

    def __init__(self, browser: Browser, name: str, password: str):
        self.browser, self.name, self.password = browser, name, password
        self.language = "en"
        self.socket: Socket | None = None
        self.get_up()

    def get_up(self) -> None:
        """Forget the last table."""
        self.ply, self.asked, self.over, self.refusal = -1, False, False, ""
        self.forms = False
        """Whether answers are sent as htmx sends forms; not so at older checkouts."""
        self.stage = ""
        """The element in which questions are asked, as it was before these messages came:"""
        self.unread: list[str] = []

    def page(self) -> Self:
        """The same person with another page."""
        another = type(self)(self.browser, self.name, self.password)
        another.language = self.language
        return another

    def speak(self, language: str) -> None:
        """Read pages and boards in this language."""
        self.language = self.browser.cookies["django_language"] = language

    async def sign_up(self) -> None:
        """By the form. Raises RuntimeError if the site refuses."""
        await self.browser.get("/sign-up")
        answer = await self.browser.post("/sign-up", username=self.name, new_password=self.password)
        if answer.path.startswith("/sign-up"):
            raise RuntimeError(f"{self.name} could not sign up (status {answer.status}); see BIBLIOS_NEWCOMERS.")

    async def sign_in(self) -> None:
        """By the form, unless the cookies are still good."""
        if self.browser.cookies and (await self.browser.get("/account")).path == "/account":
            return
        await self.browser.get("/sign-in")
        answer = await self.browser.post("/sign-in", username=self.name, password=self.password)
        if answer.path.startswith("/sign-in"):
            raise RuntimeError(f"{self.name} could not sign in (status {answer.status}).")

    async def request(self, method: str, path: str, **fields: str | list[str]) -> Answer:
        """The page that a request leads to."""
        return await getattr(self.browser, method)(path, **fields)

    async def shuffle(self, address: str) -> None:
        """Have a part in the shuffle of a match whose seats are all taken, as sealing.js, until it has begun."""
        share = secrets.token_bytes(SHARE_BYTES)
        while 'data-ply="' not in (page := (await self.request("get", address)).text):
            match, seat, step = (found[1] if (found := part.search(page)) else "" for part in (MATCH, SEAT, STEP))
            if step == "seal":
                await self.request("post", f"{address}/shuffle", seal=seal(match, int(seat), share))
            elif step == "open":
                await self.request("post", f"{address}/shuffle", share=share.hex())
            else:
                await asyncio.sleep(0.1)

    def take_in(self, message: str) -> bool:
        """Bring the board up to date; whether it shows another ply than before."""
        if message.startswith("{"):  # older checkouts
            self.refusal = json.loads(message).get("says") or self.refusal
            return False
        self.forms = self.forms or " hx-swap-oob=" in message
        if 'id="says"' in message and (found := REFUSAL.search(message)):
            self.refusal = found[1]
        self.unread.append(message)
        at = message.find('data-ply="') + len('data-ply="')
        if at < len('data-ply="'):
            return False
        tag = message[at : message.index(">", at)]
        before, self.ply = self.ply, int(tag[: tag.index('"')])
        self.asked, self.over = 'data-asked="1"' in tag, 'data-over="1"' in tag
        if len(self.unread) > UNREAD:
            self.read()
        return self.ply != before

    def read(self) -> None:
        """Bring the stage up to date, as htmx does. What is put at the end of a list asks nothing."""
        for message in self.unread:
            before = self.stage
            for html in outermost(message):
                if "beforeend:" not in html[:40] and (id := ID.search(html)):
                    self._replace(id[1], html, before)
        self.unread = []

    def _replace(self, id: str, html: str, before: str) -> None:
        if id == "stage" and not before:
            self.stage = element(html, id)
        elif old := element(self.stage, id):
            new = element(html, id)
            self.stage = self.stage.replace(old, SAME.sub(lambda mark: element(before, mark[1]), new))

    def greet(self) -> None:
        """Say what has to be said first on an open socket: nothing."""

    def send(self, moves: list[str]) -> None:
        """Send an answer."""
        self.socket.send(json.dumps({"ply": str(self.ply) if self.forms else self.ply, "move": moves}))

    def answer(self, rng: Random) -> list[str]:
        """Moves that answer the question of the page. Raises RuntimeError if it offers none."""
        self.read()
        tags = [tag for tag in tags_with(' name="move"', self.stage) if " disabled" not in tag]
        offers = [(found[1], tag) for tag in tags if (found := VALUE.search(tag))]
        texts = [text for text, _ in offers]
        form = FORM.search(self.stage)
        if not offers or not form:
            raise RuntimeError(f"{self.name} is asked at ply {self.ply}, and their page has nothing to answer with.")
        asked = form[0]
        if payment := [(text, tag) for text, tag in offers if text.startswith("pay ")]:
            chosen = [text for text, tag in payment if " checked" in tag]
            worth = [(text, int(WORTH.search(tag)[1])) for text, tag in payment]
            chosen = chosen or pay(rng.sample(worth, len(worth)), int(DUE.search(asked)[1]))
            return sorted(chosen, key=texts.index)
        if "refuse" in texts:
            return ["refuse"]
        if "pass" in texts:
            return [bid_or_pass([int(text[4:]) for text in texts if text.startswith("bid ")], asked, rng)]
        if dice := [text for text in texts if text.startswith("dice ") and text != "dice none"]:
            return move_dice(dice, int(COUNT.search(asked)[1]), 'data-ways="both"' in asked, rng) or ["dice none"]
        return [rng.choice(texts)]


def tags_with(attribute: str, html: str) -> Iterator[str]:
    """The tags that have this attribute."""
    at = html.find(attribute)
    while at >= 0:
        end = html.index(">", at) + 1
        yield html[html.rindex("<", 0, at) : end]
        at = html.find(attribute, end)


def outermost(html: str) -> Iterator[str]:
    """The elements that stand in no other one."""
    start = html.find("<")
    while start >= 0:
        end = end_of(html, start)
        if html[start + 1] != "!":
            yield html[start:end]
        start = html.find("<", end)


def element(html: str, id: str) -> str:
    """The element with this id; "" if there is none."""
    at = html.find(f' id="{id}"')
    if at < 0:
        return ""
    start = html.rindex("<", 0, at)
    return html[start : end_of(html, start)]


def end_of(html: str, start: int) -> int:
    """Where the element or comment that starts here ends."""
    at = html.index(">", start) + 1
    name = NAME.match(html, start + 1)
    if not name or name[0] in VOID or html[at - 2] == "/":
        return at
    again, close, depth = opening(name[0]), f"</{name[0]}>", 1
    while depth:
        end = html.index(close, at)
        depth += len(again.findall(html, at, end)) - 1
        at = end + len(close)
    return at


@cache
def opening(name: str) -> re.Pattern[str]:
    """The beginning of an element with this name."""
    return re.compile(rf"<{name}[\s>]")


def bid_or_pass(bids: list[int], form: str, rng: Random) -> str:
    """The lowest bid while it is a small part of what one holds; the nearer to all of it the rarer, and no bluff."""
    own = OWN.search(form)
    bid, held = min(bids, default=0), int(own[1]) if own else 0
    return f"bid {bid}" if bid and rng.random() < 0.8 * (1 - (bid - 1) / max(held, 1)) and bid <= held else "pass"


def pay(cards: list[tuple[str, int]], due: int) -> list[str]:
    """Cards that are worth enough, of which none could be left out."""
    chosen: list[tuple[str, int]] = []
    for card in sorted(cards, key=lambda card: -card[1]):
        if sum(worth for _, worth in chosen) < due:
            chosen.append(card)
    for card in reversed(chosen):
        if sum(worth for _, worth in chosen) - card[1] >= due:
            chosen.remove(card)
    return [text for text, _ in chosen]


def move_dice(dice: list[str], count: int, both_ways: bool, rng: Random) -> list[str]:
    """This many different dice that may be moved together, in the order of the page; empty if there are none."""
    if count == 1:
        return [rng.choice(dice)]
    pairs = [
        [first, second]
        for first, second in combinations(dice, 2)
        if first[5] != second[5] and (first[6] != second[6] or not both_ways)
    ]
    return rng.choice(pairs) if pairs else []
