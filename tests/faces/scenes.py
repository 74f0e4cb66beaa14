"""Scenes of games of Biblios, without a database: what `board` draws from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from random import Random
from typing import Any

from games.engine.biblios.notation import BID
from games.engine.core import BadRecord, State
from games.engine.testing import random_options
from games.faces.scene import Scene, Sitter, Step
from tests.engine.biblios.sitting import GAME, Sitting

NAMES = ("Ann", "Bob", "Dan", "Eve")
NOW = 1_790_000_000_000


def moves_between(states: Sequence[State]) -> list[int]:
    """The moves that lead from each position to the next."""
    return [next(move for move in state.legal() if leads(state, move, then)) for state, then in pairwise(states)]


def leads(state: State, move: int, then: State) -> bool:
    """Whether a move leads from one position to the other."""
    try:
        return state.after(move).key() == then.key()
    except BadRecord:  # a penalty that has not been: nothing says what it draws
        return False


def steps_of(states: Sequence[State], moves: Sequence[int], me: int | None) -> list[Step]:
    """The log of a game as one viewer saw it."""
    views = [state.view(me) for state in states]
    return [
        Step(
            ply=ply,
            seat=states[ply].seat,
            move=GAME.text(move) if states[ply].seat == me else states[ply].shown(move),
            forced=states[ply].forced() == move,
            bot=False,
            at=NOW + 1000 * ply,
            before=views[ply],
            after=views[ply + 1],
        )
        for ply, move in enumerate(moves)
    ]


def scene_of(states: Sequence[State], moves: Sequence[int], me: int | None, **more: Any) -> Scene:
    """The last of the positions for a viewer; `more` replaces what the scene says besides."""
    state = states[-1]
    answers = [ply for ply in range(len(moves)) if states[ply].seat == me]
    sitters = [
        Sitter(seat, NAMES[seat], NAMES[seat].lower(), "1500", False, "", True, 600_000)
        for seat in range(len(state.hands))
    ]
    scene = Scene(
        key="abcdefghijkm",
        game=GAME,
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
        steps=more.pop("steps", None) or steps_of(states, moves, me),
        since=answers[-1] + 1 if answers else 0,
        now=NOW,
        deadline=NOW + 600_000,
        result=GAME.result(state) if state.over else None,
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

    def __init__(self, seed: Any, seats: int | None = None, **options: Any) -> None:
        rng = Random(seed)
        state = GAME.start(seats or rng.choice(GAME.seats), rng.randbytes(32), random_options(GAME, rng) | options)
        self.states: list[Any] = [state]
        self.moves: list[int] = []
        self.steps: dict[int | None, list[Step]] = {}
        while not state.over:
            legal = state.legal()
            self.moves.append(rng.choice(legal[:4] if state.question == BID else legal))
            state = state.after(self.moves[-1])
            self.states.append(state)

    def scene(self, ply: int, me: int | None, **more: Any) -> Scene:
        """The position before the move at `ply` for a viewer."""
        if me not in self.steps:
            self.steps[me] = steps_of(self.states, self.moves, me)
        return scene_of(self.states[: ply + 1], self.moves[:ply], me, steps=self.steps[me][:ply], **more)

    def asked(self, *questions: int) -> Iterator[Scene]:
        """The scenes in which a player is asked one of these questions, as that player sees them."""
        for ply, state in enumerate(self.states):
            if state.question in questions:
                yield self.scene(ply, state.seat)


class Tags(HTMLParser):
    """The elements of some HTML, flat: name and attributes; `errors` names what is not well formed."""

    VOID = {"input", "br", "use", "rect", "circle", "path", "meta", "link", "img"}

    def __init__(self, html: str):
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.errors: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, {name: value or "" for name, value in attrs}))
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
