"""Guided first games: which lessons a player has had, in which order, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from games.engine.core import View
from games.faces.face import Lesson
from games.faces.paint import PaintBox
from games.matches.scene import Scene

V = TypeVar("V", bound=View)
AIM, END = "welcome", "end"
"""The lesson that comes before all others, and the one for whoever has played to the end."""


class Spot(NamedTuple):
    """Where a lesson belongs."""

    explains: str
    """What it stands at, as a selector."""
    anchor: str
    """The section of the rules page that says more."""


class Guide(Generic[V]):
    """The lessons of a title, which it writes in its template `guide.jinja`: a block for each, with its title in the
    first line and then a sentence a line.

    They are made of what the player may know. A block may use `view`, the `names` by seat, the `result` after the end,
    and the tools of the paint box. A name such as `tile-14` is one of a family: its block is `tile`, with `number`.
    """

    def __init__(self, box: PaintBox, places: Mapping[str, Spot], brings: Callable[[V, Container[str]], str]) -> None:
        self.box = box
        self.places = places
        """By the name of a block."""
        self.brings = brings
        """The lesson that a question brings, in a view of whoever is asked, after those told already; empty if none."""

    def lessons(self, scene: Scene[V]) -> tuple[Lesson, ...]:
        """The lessons that the viewer has had in this game, in order: the aim, then one at most for each question.

        Those that explain what they face now are `due`. Each was told of the position at that time.
        """
        if scene.me is None or scene.status == "aborted":
            return ()
        told, answered = {AIM: scene.steps[0].before if scene.steps else scene.view}, False
        for step in scene.steps:
            if step.seat == scene.me and not step.forced and not step.move.startswith("!"):
                answered = True
                if name := self.brings(step.before, told):
                    told[name] = step.before
        due = set() if answered else {AIM}
        view = scene.view
        asked = view.seat == scene.me and scene.playing
        if name := ("" if scene.ended else END) if view.over else self.brings(view, told) if asked else "":
            told[name] = view
            due.add(name)
        return tuple([self._lesson(scene, name, at, name in due) for name, at in told.items()])

    def _lesson(self, scene: Scene[V], name: str, view: V, due: bool) -> Lesson:
        block, _dash, number = name.partition("-")
        facts: dict[str, Any] = {"view": view, "names": scene.names, "result": scene.result}
        title, *text = self.box.lines("guide.jinja", block, number=int(number or 0), **facts)
        place = self.places[block]
        return Lesson(name, title, " ".join(text), place.anchor, place.explains, due)
