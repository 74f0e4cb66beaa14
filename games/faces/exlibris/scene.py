"""A match of Ex Libris as a page shows it to one viewer."""

from __future__ import annotations

from games.engine.exlibris import frames
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.art import Signs
from games.matches import scene

Scene = scene.Scene[ExLibrisView]
Step = scene.Step[ExLibrisView]


def signs_of(view: ExLibrisView, me: int | None) -> Signs:
    """What is marked on the cards: the prominent and banned categories, and a player's own focus."""
    return view.prominent, view.banned, None if me is None else view.focus[me]


def state_of(scene: Scene) -> str:
    """The kind of page: `place`, `shelve`, `flip`, `ask`, `wait`, `over`, `aborted`."""
    if scene.state != "asked":
        return scene.state
    return {
        frames.PLACE: "place",
        frames.TURN: "flip",
        frames.HOME_ACTION: "shelve",
        frames.MAY_SHELVE: "shelve",
        frames.CHOOSE_CELL: "shelve",
        frames.SMUGGLE: "shelve",
        frames.REBUILD: "shelve",
        frames.MAY_MOVE: "shelve",
        frames.CHOOSE_NEW_CELL: "shelve",
    }.get(scene.view.question, "ask")
