"""The guided first game: what it is about, and each kind of question when it first comes up."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from games.engine.exlibris import frames as f
from games.engine.exlibris.libraries import CODES
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.words import ASKED_BY, ASKED_OF, TILE_EFFECTS, ability, assistant_name, tile_name
from games.faces.face import Lesson

LESSONS: dict[str, tuple[Callable[[], str], Callable[[], str], str, str]] = {
    "welcome": (
        lambda: _("Welcome, librarian"),
        lambda: _(
            "Collect books and put them on your shelf in order. Five things score: full blocks of cells, most books of "
            "the prominent category, few of the banned one, the number of your scarcest category, and your secret "
            "focus."
        ),
        "goal",
        "#facts",
    ),
    "place": (
        lambda: _("Sending an assistant"),
        lambda: _(
            "Choose a pawn at a tile, and press the button. Instant tiles, green, act at once; delayed ones, red, "
            "at the "
            "end of the round. You can always send one home, to draw a card or to shelve one."
        ),
        "round",
        "#town",
    ),
    "home": (
        lambda: _("At home"),
        lambda: _("Draw a card, or shelve one: choose it in your hand, then a dashed cell of your shelf."),
        "round",
        "#hand",
    ),
    "shelve": (
        lambda: _("Shelving"),
        lambda: _(
            "A card goes beside others, in at most three rows. Order counts only at the end, when the shelf is read "
            "row "
            "by row: a tick says that it fits, a number how many more cards would lie face down."
        ),
        "shelving",
        "#shelf",
    ),
    "flip": (
        lambda: _("The last step"),
        lambda: _("You may turn cards down, so that the others are in order. The best row is already chosen."),
        "end",
        "#stage",
    ),
    "end": (
        lambda: _("The result"),
        lambda: _("Here are the five lines of all, and what they come from."),
        "end",
        "#stage",
    ),
}


def lessons(scene: Scene) -> tuple[Lesson, ...]:
    """The lessons that the viewer has had, in order: the aim first, then one for each new question."""
    if scene.me is None or scene.status == "aborted":
        return ()
    found, answered = ["welcome"], False
    for step in scene.steps:
        if step.seat == scene.me and not step.forced and not step.move.startswith("!"):
            answered = True
            name = _named(step.before.question)
            if name and name not in found:
                found.append(name)
    due = set() if answered else {"welcome"}
    view = scene.view
    now = "end" if view.over else _named(view.question) if view.seat == scene.me and scene.playing else ""
    if now and now not in found:
        found.append(now)
        due.add(now)
    return tuple([_lesson(name, name in due) for name in found])


def _named(question: int) -> str:
    names = {f.PLACE: "place", f.HOME_ACTION: "home", f.MAY_SHELVE: "shelve", f.TURN: "flip"}
    if question in names:
        return names[question]
    if question in ASKED_OF:
        return f"tile {ASKED_OF[question]}"
    return f"assistant {ASKED_BY[question]}" if question in ASKED_BY else ""


def _lesson(name: str, due: bool) -> Lesson:
    kind, _space, what = name.partition(" ")
    if kind == "tile":
        text = str(TILE_EFFECTS[int(what)])
        return Lesson(name.replace(" ", "-"), tile_name(int(what)), text, "tiles", "#stage", due)
    if kind == "assistant":
        number = CODES.index(what)
        return Lesson(name.replace(" ", "-"), assistant_name(number), ability(number), "assistants", "#stage", due)
    title, write, anchor, explains = LESSONS[name]
    return Lesson(name, title(), write(), anchor, explains, due)
