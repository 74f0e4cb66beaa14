"""People who play as people do: they read their page, and answer what it asks with what it offers."""

from __future__ import annotations

import json
import re
from itertools import combinations
from random import Random

from tests.bench.wire import Browser, Socket

ELEMENT = re.compile(r"(?=<\w+ hx-swap-oob=)")
"""Where an element of an update begins."""
ID = re.compile(r'\bid="([^"]+)"')
SAME = re.compile(r'<wbr id="([^"]+)"')
MOVE = re.compile(r'<[^>]*\bname="move"[^>]*>')
VALUE = re.compile(r'\bvalue="([^"]+)"')
WORTH = re.compile(r'\bdata-worth="(\d+)"')
FORM = re.compile(r"<form[^>]*\bdata-answer=[^>]*>")
OWN, DUE, COUNT = (re.compile(rf'\bdata-{name}="(\d+)"') for name in ("own", "due", "count"))
REFUSAL = re.compile(r'id="says"[^>]*>([^<]+)<')


class Person:
    """Somebody with a browser, and the board as his page shows it."""

    def __init__(self, browser: Browser, name: str, password: str):
        self.browser, self.name, self.password = browser, name, password
        self.socket: Socket | None = None
        self.get_up()

    def get_up(self) -> None:
        """Forget the last table."""
        self.ply, self.asked, self.over, self.refusal = -1, False, False, ""
        self.parts: dict[str, str] = {}
        """The elements that have something to answer with, by id, as they came last."""

    async def sign_up(self) -> None:
        """By the form. Raises RuntimeError if the site does not want him."""
        await self.browser.get("/sign-up")
        answer = await self.browser.post("/sign-up", username=self.name, new_password=self.password)
        if answer.path.startswith("/sign-up"):
            raise RuntimeError(f"{self.name} could not sign up (status {answer.status}); see BIBLIOS_NEWCOMERS.")

    async def sign_in(self) -> None:
        """By the form, unless his cookies are still good."""
        if self.browser.cookies and (await self.browser.get("/account")).path == "/account":
            return
        await self.browser.get("/sign-in")
        answer = await self.browser.post("/sign-in", username=self.name, password=self.password)
        if answer.path.startswith("/sign-in"):
            raise RuntimeError(f"{self.name} could not sign in (status {answer.status}).")

    def take_in(self, message: str) -> bool:
        """Bring the board up to date; whether it shows another ply than before."""
        if message.startswith("{"):
            self.refusal = json.loads(message).get("says") or self.refusal
            return False
        if 'id="says"' in message and (found := REFUSAL.search(message)):
            self.refusal = found[1]
        at = message.find('data-ply="') + len('data-ply="')
        if at < len('data-ply="'):
            self._keep(message, self.parts)
            return False
        tag = message[at : message.index(">", at)]
        before, self.ply = self.ply, int(tag[: tag.index('"')])
        self.asked, self.over = 'data-asked="1"' in tag, 'data-over="1"' in tag
        old = self.parts
        if self.ply != before:
            self.parts = {}  # a new question comes with all that may be answered
        self._keep(message, old)
        return self.ply != before

    def _keep(self, message: str, old: dict[str, str]) -> None:
        if 'name="move"' in message or "data-answer=" in message:
            for part in ELEMENT.split(message):
                if 'name="move"' in part or "data-answer=" in part:
                    # What is inside of it and has not changed is only named.
                    same = [
                        text[text.index(mark) :]
                        for id in SAME.findall(part)
                        for text in old.values()
                        if (mark := f'id="{id}"') in text
                    ]
                    self.parts[ID.search(part)[1]] = part + "".join(same)

    def answer(self, rng: Random) -> list[str]:
        """Moves that answer the question of the page. Raises RuntimeError if it offers none."""
        board = "".join(self.parts.values())
        tags = [tag for tag in MOVE.findall(board) if " disabled" not in tag]
        offers = [(found[1], tag) for tag in tags if (found := VALUE.search(tag))]
        texts = [text for text, _ in offers]
        form = FORM.search(board)
        if not offers or not form:
            raise RuntimeError(f"{self.name} is asked at ply {self.ply}, and his page has nothing to answer with.")
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
    """Different dice that may be moved together, so many of them, in the order of the page; empty if none can be."""
    if count == 1:
        return [rng.choice(dice)]
    pairs = [
        [first, second]
        for first, second in combinations(dice, 2)
        if first[5] != second[5] and (first[6] != second[6] or not both_ways)
    ]
    return rng.choice(pairs) if pairs else []
