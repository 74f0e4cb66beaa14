"""The guided first game, played alone: the aim, each kind of question when it first comes up, the signs of the table.

All from what the player may know.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.exlibris import frames as f
from games.engine.exlibris.libraries import LIBRARIES, NO_LIBRARY
from games.engine.exlibris.shelf import face_up
from games.engine.exlibris.tiles import TILES
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.art import SOURCES_IN_WORDS
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.words import (
    ASKED_BY,
    ASKED_OF,
    TILE_EFFECTS,
    ability,
    assistant_name,
    category_name,
    tile_name,
)
from games.faces.face import Lesson

AIM = "welcome"
"""The lesson that comes before all others."""
DECISIONS = {
    f.CHOOSE_LIBRARY: "library",
    f.PLACE: "place",
    f.HOME_ACTION: "home",
    f.MAY_DRAW: "home",
    f.MAY_SHELVE: "shelve",
    f.CHOOSE_CELL: "shelve",
    f.MUST_DISCARD: "discard",
    f.DROP_TILE: "drop",
    f.TURN: "flip",
}


def lessons(scene: Scene) -> tuple[Lesson, ...]:
    """The lessons that the viewer has had in this game, in order: the aim first, then one at most for each question.

    Those that explain what they face now are `due`. Each was told of the position at that time.
    """
    if scene.me is None or scene.status == "aborted":
        return ()
    told, answered = {AIM: scene.steps[0].before if scene.steps else scene.view}, False
    for step in scene.steps:
        if step.seat == scene.me and not step.forced and not step.move.startswith("!"):
            answered = True
            if name := _next(step.before, told):
                told[name] = step.before
    due = set() if answered else {AIM}
    view = scene.view
    asked = view.seat == scene.me and scene.playing
    if name := ("" if scene.ended else "end") if view.over else _next(view, told) if asked else "":
        told[name] = view
        due.add(name)
    return tuple([_lesson(scene, name, at, name in due) for name, at in told.items()])


def _next(view: ExLibrisView, told: Container[str]) -> str:
    """The lesson that a question brings: the decision, else a sign of the table; empty for none."""
    asked = decision(view)
    if asked not in told:
        return asked
    return next((name for name, there in SIGNS.items() if name not in told and there(view)), "")


def decision(view: ExLibrisView) -> str:
    """The kind of question that a view asks of its owner, as lessons are named."""
    question = view.question
    if question in ASKED_OF:
        return f"tile-{ASKED_OF[question]}"
    return "special" if question in ASKED_BY else DECISIONS.get(question, "shelve")


def _lesson(scene: Scene, name: str, view: ExLibrisView, due: bool) -> Lesson:
    kind, _dash, tile = name.partition("-")
    if tile:
        it = TILES[int(tile)]
        text = [str(TILE_EFFECTS[it.number]), SOURCES_IN_WORDS[it.source]()]
        return Lesson(name, tile_name(it.number), " ".join(text), "tiles", "#stage", due)
    explains, anchor, write = LESSONS[kind]
    title, text = write(scene, view)
    return Lesson(name, title, " ".join(text), anchor, explains, due)


Texts = tuple[str, list[str]]
"""Title and sentences."""


def _library_of(view: ExLibrisView) -> int:
    return NO_LIBRARY if view.me is None else view.libraries[view.me]


def _welcome(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("Collect cards with books and put them on your shelf. At the end it is read row by row, like a page."),
        _("A card that is out of order then is turned down, and its books are lost. The books that are left score."),
    ]
    if view.setup.solo:
        text.append(_("You play five rounds against the public library: every card that is discarded belongs to it."))
    return _("How you win"), text


def _library(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("Keep one of these two libraries. With it comes a special assistant, who can do what stands there."),
        ngettext(
            "Besides, you have %(count)s standard assistant.",
            "Besides, you have %(count)s standard assistants.",
            view.setup.assistants,
        )
        % {"count": view.setup.assistants},
        _("The letter says how sure we are of the text: S sourced, I inferred, R reconstructed by us."),
    ]
    return _("Your library"), text


def _place(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("Send one assistant: choose a pawn at one of the tiles, then press the button."),
        _("Or send one home, to draw a card or to shelve one. That is always possible."),
        _("When all are out, the round ends."),
    ]
    return _("Send an assistant"), text


def _home(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("Draw a card, or shelve one: choose it in your hand, then a dashed cell of your shelf."),
        _("Each assistant that comes home does one of the two."),
    ]
    return _("At home"), text


def _shelve(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("Choose a card, then one of the dashed cells. Cards lie beside each other, in three rows at most."),
        _("A tick: it is in order there. A number: so many more cards would lie face down at the end."),
        _("Order counts only at the end, so leave gaps for what may come."),
    ]
    return _("Put a card on the shelf"), text


def _discard(scene: Scene, view: ExLibrisView) -> Texts:
    text = [_("Choose a card of your hand. It goes on top of the discard pile, where all see it.")]
    if view.setup.solo:
        text.append(_("The public library gets its books: give it those that you and it need least."))
    return _("Discard a card"), text


def _drop(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("The round is over. Drop two tiles that help you least; then a new one comes into town."),
        _("So there are fewer tiles in each round: six, five, four, three, two."),
    ]
    return _("Two tiles go"), text


def _flip(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("This is the last step. Each card is a switch: what stays up must rise from the first row to the last."),
        _("The row that scores most is set already. A card that is turned down still fills its cell."),
        _("Press the button when you agree."),
    ]
    return _("Turn cards down"), text


def _end(scene: Scene, view: ExLibrisView) -> Texts:
    text = []
    result = scene.result
    if result and scene.me is not None:
        points = result["points"][scene.me]
        text.append(ngettext("You have %(count)s point.", "You have %(count)s points.", points) % {"count": points})
        if public := result.get("public"):
            text.append(_("The public library has %(points)s.") % {"points": public["points"]})
            if not result["winners"]:
                text.append(_("You would have needed more than it has."))
        if scene.me in result["winners"]:
            text.append(_("You win!"))
    text.append(_("The table shows the five lines and what each comes from; below it are the shelves."))
    return _("The result"), text


# Signs


def _hand(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("The label of a card is its place in the alphabet: A1 comes first, Z2 last."),
        _("Below it are its books, of two to four categories, each with its colour, sign and height."),
    ]
    return _("Your cards"), text


def _signs(scene: Scene, view: ExLibrisView) -> Texts:
    assert view.prominent is not None and view.banned is not None
    text = [
        _("Star: %(books)s are prominent. Whoever has most of them gets 15 points.")
        % {"books": category_name(view.prominent)},
        _("Struck through: %(books)s are banned, 1 point off for each.") % {"books": category_name(view.banned)},
    ]
    focus = None if view.me is None else view.focus[view.me]
    if focus is not None:
        text.append(_("Lock: %(books)s are your secret focus, 2 points for each.") % {"books": category_name(focus)})
    return _("What the books are worth"), text


def _marks(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("Lightning and a green edge: the tile acts at once. Clock and a red edge: it acts at the end of the round."),
        _("Then tiles act in the order of their numbers. A dashed circle is a free space."),
    ]
    if not view.setup.solo:
        text.append(_("A tile with a pin stays in town."))
    return _("The tiles"), text


def _special(scene: Scene, view: ExLibrisView) -> Texts:
    library = _library_of(view)
    if library == NO_LIBRARY:
        return _("An assistant acts"), [_("What is asked comes from the ability of a special assistant.")]
    text = [ability(library), SOURCES_IN_WORDS[LIBRARIES[library].source]()]
    return assistant_name(library), text


def _score(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("This would be your score if the game ended now, line by line, with the reasons."),
        _("Stability: a full block of cells. Variety: 3 for each book of the category that you have fewest of."),
        _("Choose a card and a cell, and you see what would change."),
    ]
    return _("Your score"), text


def _order(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("A card with a dashed edge is out of order: it would be turned down now."),
        _("This is advice only. A new card, or another place for this one, may mend it."),
    ]
    return _("Out of order"), text


def _public(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("The public library has every card of the discard pile. It scores like you, but has no shelf and no order."),
        _("It has a secret focus too. Beat its points: with as many it wins."),
    ]
    return _("Your rival"), text


def _pile(scene: Scene, view: ExLibrisView) -> Texts:
    return _("The discard pile"), [
        _("Press the number of discards to see the pile, the newest card first. Some tiles take cards from it.")
    ]


def _spare(scene: Scene, view: ExLibrisView) -> Texts:
    text = [
        _("A category was shown that is nobody’s focus: %(books)s.") % {"books": category_name(view.spare[-1])},
        _("So you know a little more about what the public library collects."),
    ]
    return _("Nobody’s focus"), text


def _moves(scene: Scene, view: ExLibrisView) -> Texts:
    return _("The moves"), [_("Everything that happens is written down here, in words or in short notation.")]


SIGNS: dict[str, Callable[[ExLibrisView], bool]] = {
    "hand": lambda view: True,
    "signs": lambda view: view.prominent is not None,
    "marks": lambda view: True,
    "special": lambda view: _library_of(view) != NO_LIBRARY,
    "score": lambda view: bool(_own(view)),
    "order": lambda view: any(card > after for card, after in pairwise(_own(view))),
    "public": lambda view: view.setup.solo,
    "spare": lambda view: bool(view.spare),
    "pile": lambda view: bool(view.discard),
    "moves": lambda view: view.round > 1,
}
"""Lessons about the signs of the table, at questions that need no words of their own: when there is one to see."""


def _own(view: ExLibrisView) -> list[int]:
    """The cards face up on the own shelf, in reading order."""
    return [] if view.me is None else face_up(view.shelves[view.me])


QUESTION = "#stage"
LESSONS: dict[str, tuple[str, str, Callable[[Scene, ExLibrisView], Texts]]] = {
    AIM: ("#facts", "goal", _welcome),
    "library": (QUESTION, "start", _library),
    "place": ("#town", "round", _place),
    "home": (QUESTION, "round", _home),
    "shelve": ("#shelf", "shelving", _shelve),
    "discard": ("#hand", "round", _discard),
    "drop": ("#town", "solo", _drop),
    "flip": (QUESTION, "end", _flip),
    "end": (QUESTION, "end", _end),
    "hand": ("#hand", "cards", _hand),
    "signs": ("#facts", "end", _signs),
    "marks": ("#town", "tiles", _marks),
    "special": (QUESTION, "assistants", _special),
    "score": ("#worth", "end", _score),
    "order": ("#shelf", "shelving", _order),
    "public": ("#people", "solo", _public),
    "spare": ("#facts", "solo", _spare),
    "pile": ("#facts", "solo", _pile),
    "moves": ("[data-pane=moves]", "notation", _moves),
}
"""By name: a selector of what it explains, the section of the rules page, and what it says. Tiles have theirs too."""
