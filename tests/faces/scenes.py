"""Scenes of games, of Biblios unless said, without a database: what `board` draws from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from html.parser import HTMLParser
from itertools import pairwise
from random import Random
from typing import Any

from accounts.shown import PlayerShown
from games.engine.biblios.notation import BID
from games.engine.core import BadRecord, Game, Order, State
from games.faces.language import drawing
from games.faces.slots import SlotRenderer, paint
from games.matches.scene import Scene, Sitter, Step
from games.table import board
from tests.engine.biblios.sitting import GAME, Sitting
from tests.engine.promises import random_options, viewers

NAMES = ("Ann", "Bob", "Dan", "Eve")
NOW = 1_790_000_000_000
EVENTS = ("!time", "!resign", "!leave", "!end", "!abort", "!outage 45")
ORDERS = ((), (Order("gold", ""),), (Order("bid", "0 4"),))
"""Whatever a game makes of them."""


def moves_between(states: Sequence[State]) -> list[int]:
    """The moves that lead from each position to the next."""
    return [next(move for move in state.legal() if leads(state, move, then)) for state, then in pairwise(states)]


def leads(state: State, move: int, then: State) -> bool:
    """Whether a move leads from one position to the other."""
    try:
        return state.after(move).key() == then.key()
    except BadRecord:  # a penalty that has not been: nothing says what it draws
        return False


def steps_of(states: Sequence[State], moves: Sequence[int], me: int | None, game: Game = GAME) -> list[Step]:
    """The log of a game as one viewer saw it."""
    views = [state.view(me) for state in states]
    return [
        Step(
            ply=ply,
            seat=states[ply].seat,
            move=game.text(move) if states[ply].seat == me else states[ply].shown(move),
            forced=states[ply].forced() == move,
            bot=False,
            at=NOW + 1000 * ply,
            before=views[ply],
            after=views[ply + 1],
        )
        for ply, move in enumerate(moves)
    ]


def scene_of(states: Sequence[State], moves: Sequence[int], me: int | None, game: Game = GAME, **more: Any) -> Scene:
    """The last of the positions for a viewer; `more` replaces what the scene says besides."""
    state = states[-1]
    answers = [ply for ply in range(len(moves)) if states[ply].seat == me]
    sitters = [
        Sitter(seat, PlayerShown(NAMES[seat], NAMES[seat].lower(), rating="1500"), "", True, 600_000)
        for seat in range(len(state.scores()))
    ]
    scene = Scene(
        key="abcdefghijkm",
        game=game,
        options=state.options,
        rated=False,
        pace="live",
        control=(600_000, 15_000, 0),
        status="finished" if state.over else "running",
        sitters=sitters,
        me=me,
        playing=me is not None and not state.over,
        ply=len(moves),
        view=state.view(me),
        steps=more.pop("steps", None) or steps_of(states, moves, me, game),
        since=answers[-1] + 1 if answers else 0,
        now=NOW,
        deadline=NOW + 600_000,
        result=game.result(state) if state.over else None,
    )
    return replace(scene, **more)


def scene_at(sitting: Sitting, me: int | None, **more: Any) -> Scene:
    """A sitting as it stands, for a viewer."""
    states = [sitting.start]
    for move in sitting.moves:
        states.append(states[-1].after(move))
    return scene_of(states, sitting.moves, me, **more)


class Tale:
    """A whole game of random moves with low bids, to be looked at from every seat at every ply."""

    def __init__(self, seed: Any, seats: int | None = None, game: Game = GAME, **options: Any) -> None:
        rng = Random(seed)
        state = game.start(seats or rng.choice(game.seats), rng.randbytes(32), random_options(game, rng) | options)
        self.game = game
        self.states: list[Any] = [state]
        self.moves: list[int] = []
        self.steps: dict[int | None, list[Step]] = {}
        self.viewers: Sequence[int | None] = viewers(state)
        while not state.over:
            legal = state.legal()
            self.moves.append(rng.choice(legal[:4] if game is GAME and state.question == BID else legal))
            state = state.after(self.moves[-1])
            self.states.append(state)

    def scene(self, ply: int, me: int | None, **more: Any) -> Scene:
        """The position before the move at `ply` for a viewer."""
        if me not in self.steps:
            self.steps[me] = steps_of(self.states, self.moves, me, self.game)
        return scene_of(self.states[: ply + 1], self.moves[:ply], me, self.game, steps=self.steps[me][:ply], **more)

    def asked(self, *questions: int) -> Iterator[Scene]:
        """The scenes in which a player is asked one of these questions, as that player sees them."""
        for ply, state in enumerate(self.states):
            if state.question in questions:
                yield self.scene(ply, state.seat)


def elsewhere(scene: Scene, seed: Any) -> Scene:
    """The scene at another table: other people, clocks and terms, perhaps an event at the end of its log."""
    rng = Random(seed)
    names = rng.sample(("Ann", "Bob", "Dan", "Eve", "Annika", "<u>\"'&", "Bernhard"), len(scene.sitters))
    sitters = [
        replace(
            sitter,
            person=PlayerShown(
                names[sitter.index],
                username=rng.choice(("", names[sitter.index].lower())),
                rating=rng.choice(("", "1500", "1512?")),
                bot=rng.random() < 0.2,
            ),
            left=rng.choice(("", "", "", "time", "resign", "leave")),
            here=rng.choice((None, True, False)),
            left_ms=rng.choice((None, 0, 1, 59_000, 600_000)),
            vote=rng.choice(("", "", "", "abort", "end")),
        )
        for sitter in scene.sitters
    ]
    pace, control = rng.choice((("live", (600_000, 15_000, 0)), ("daily", (0, 0, 2)), ("none", (0, 0, 0))))
    terms = {"pace": pace, "control": control, "rated": rng.random() < 0.5, "guided": rng.random() < 0.2}
    orders, can_abort = rng.choice(ORDERS), rng.random() < 0.3
    ratings = [rng.choice((None, (1500, 1516.4))) for _ in sitters]
    if scene.view.over:
        return replace(scene, sitters=sitters, **terms, ladder=rng.choice(("", "/c/x/ladders/1/1")), ratings=ratings)
    scene = replace(scene, sitters=sitters, **terms, orders=orders if scene.playing else (), can_abort=can_abort)
    if rng.random() < 0.8:
        return scene
    move = rng.choice(EVENTS)
    event = Step(scene.ply, rng.randrange(len(sitters)), move, False, False, NOW, scene.view, scene.view)
    status = "aborted" if move == "!abort" else "running"
    return replace(scene, status=status, steps=[*scene.steps, event], ply=scene.ply + 1)


class Page(Mapping[str, str]):
    """A board as it stands on a page: HTML by id, the elements of the page and the lines of the log.

    What nobody asks for is not drawn.
    """

    def __init__(self, drawn: board.Board, language: str = "en") -> None:
        self.board, self.language = drawn, language

    @cached_property
    def roots(self) -> dict[str, str]:
        return board.elements(self.board, self.language)

    @cached_property
    def found(self) -> dict[str, str]:
        log = self.board.log
        with drawing(self.language):
            lines = {line.id: paint(log.line(line, log.setting)) for line in log.lines}
        return {id: html for id, html in self.roots.items() if id != board.LINES} | lines

    def __getitem__(self, id: str) -> str:
        if "found" not in vars(self) and id in self.board.roots:
            with drawing(self.language):
                return SlotRenderer().whole(self.board.slots, id)
        return self.found[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def update(self, before: Page | None, says: str = "") -> str:
        """The message that makes it of an older page."""
        return board.update(before and before.board, self.board, self.language, says)


def page_of(scene: Scene, before: Page | None = None, language: str = "en") -> Page:
    """The page of a viewer, drawn on from an older one."""
    with drawing(language):
        return Page(board.draw(scene, board.common(scene), before and before.board), language)


class Tags(HTMLParser):
    """The elements of some HTML, flat: name and attributes; `errors` names what is not well formed."""

    VOID = {"input", "br", "use", "rect", "circle", "path", "meta", "link", "img", "wbr"}

    def __init__(self, html: str):
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.top: list[dict[str, str]] = []
        """The attributes of the elements that stand in no other one."""
        self.open: list[str] = []
        self.errors: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        if not self.open:
            self.top.append(self.found[-1][1])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.errors.append(tag)

    def handle_data(self, data):
        self.words.append(data)

    def __iter__(self) -> Iterator[tuple[str, dict[str, str]]]:
        return iter(self.found)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def offered(html: str) -> list[str]:
    """The answers that the forms of a region offer, in page order."""
    moves = []
    in_select = False
    for tag, attrs in Tags(html):
        if tag == "select":
            in_select = attrs.get("name") == "move"
        if tag == "option" and in_select:
            moves.append(attrs["value"])
        if tag in ("input", "button") and attrs.get("name") == "move" and "disabled" not in attrs and attrs["value"]:
            moves.append(attrs["value"])
    return moves


def words(html: str) -> str:
    """What one reads in some HTML."""
    return Tags(html).text
