"""The review of a match of Biblios: any position, and the list of all moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup

from games.engine.biblios.cards import HIDDEN, PILE
from games.engine.biblios.notation import DIE, PLACE, SECOND_DIE, TAKE_GIFT
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import card_title, code_of, paint
from games.faces.biblios.log import SeatNames, short_names, token
from games.faces.biblios.result import result
from games.faces.biblios.scene import Scene, Step
from games.faces.biblios.scriptorium import Group, Person, canon, groups, known, people, placing
from games.faces.biblios.stage import Focus, bids_so_far, focus, progress, space_cards, waiting
from games.faces.biblios.story import Entry, Story, Token
from games.faces.biblios.words import sentence
from games.faces.language import _
from games.faces.paint import bdi

STRIDE = 16
"""The story is kept every so many plies; the others are read on from there."""


def opened(views: Sequence[BibliosView]) -> BibliosView:
    """What all seats together know, from the view of each."""
    one = views[0]
    # Everybody saw the same moves, but not the kinds of all cards; HIDDEN is less than any kind.
    flow = tuple(map(max, *[view.flow for view in views])) if views[1:] else one.flow
    mover = one if one.seat is None else views[one.seat]
    return replace(
        one,
        me=None,
        legal=(),
        drawn=mover.drawn,
        bound=mover.bound,
        kept=views[one.active].kept,
        hands=tuple([view.hands[seat] for seat, view in enumerate(views)]),
        flow=flow,
    )


# The list of moves


class MoveLine(NamedTuple):
    """The effect of one row of the log."""

    ply: int
    """The position after it."""
    step: Step
    tokens: tuple[Token, ...]


@dataclass
class Chapter:
    """A turn of the gift phase, a lot, an event, or the heading of a phase."""

    entry: Entry
    ply: int
    """The position with which it begins."""
    lines: list[MoveLine] = field(default_factory=list)


class BibliosChronicle:
    """A match as read from one viewpoint. Grows with the log."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.chapters: list[Chapter] = []
        self.story = Story()
        self.kept = [self.story.copy()]

    def add(self, step: Step) -> None:
        """Read the next step."""
        old = self._open_entry()
        count = len(self.story.entries)
        self.story.add(step, None)
        for entry in self.story.entries[count:]:
            if entry.id[0] != "e" or not self.chapters:
                self.chapters.append(Chapter(entry, len(self.steps)))
        now = self._open_entry()
        if step.move.startswith("!"):
            tokens: tuple[Token, ...] = (("event", step.move[1:], step.seat),)
        else:
            assert now is not None
            read = old if old and old.id == now.id else now._replace(first=(), then=())
            tokens = now.first[len(read.first) :] + now.then[len(read.then) :]
            if not tokens:  # one more card of the same payment
                tokens = (("more", now.then[-1][2][-1]),)
        self.steps.append(step)
        self.chapters[-1].lines.append(MoveLine(len(self.steps), step, tokens))
        if len(self.steps) % STRIDE == 0:
            self.kept.append(self.story.copy())

    def _open_entry(self) -> Entry | None:
        return next((entry for entry in reversed(self.story.entries) if entry.id[0] in "tl"), None)

    def story_at(self, ply: int) -> Story:
        """The story of the rows before `ply`."""
        story = self.kept[ply // STRIDE].copy()
        for step in self.steps[ply - ply % STRIDE : ply]:
            story.add(step, None)
        return story

    @property
    def stops(self) -> list[int]:
        """Where the turns and lots begin, ascending."""
        return sorted({chapter.ply for chapter in self.chapters if chapter.entry.id[0] in "tl"})

    @property
    def phases(self) -> list[tuple[str, int]]:
        """The phases, and where they begin."""
        names = {"d1": _("Gifts"), "d2": _("Auctions")}
        return [(names[c.entry.id], c.ply) for c in self.chapters if c.entry.id in names]


def listed(chronicle: BibliosChronicle, names: Sequence[str], me: int | None, address: str) -> Markup:
    """The list of moves, in words and in notation; each leads to `address % {"ply": ...}`."""
    marked = [bdi(name) for name in names]
    words = [sentence(step, marked, me) for step in chronicle.steps]
    return paint(
        "chronicle.jinja",
        chapters=chronicle.chapters,
        words=words,
        names=names,
        token=partial(_token, SeatNames(tuple(names), short_names(names), me)),
        address=address,
    )


def _token(names: SeatNames, it: Token) -> Markup:
    return Markup(token(it, names))


def plain(chronicle: BibliosChronicle, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The moves as text: headings, and what happened under each."""
    return [
        (_heading(chapter, names), [sentence(line.step, names, None).unescape() for line in chapter.lines])
        for chapter in chronicle.chapters
    ]


def _heading(chapter: Chapter, names: Sequence[str]) -> str:
    entry = chapter.entry
    match entry.id[0]:
        case "d":
            return _("I. Gifts") if entry.id == "d1" else _("II. Auctions")
        case "t":
            return _("Turn %(turn)s, %(name)s") % {"turn": entry.number, "name": names[entry.who]}
        case "l":
            return _("Lot %(lot)s, %(card)s") % {"lot": entry.number, "card": entry.lot}
    return ""


# A position


class Held(NamedTuple):
    """A hand."""

    person: Person
    groups: tuple[Group, ...]
    """The cards in it that the viewer knows."""
    unknown: int


def where(view: BibliosView) -> str:
    """The part of the game: `Gifts, turn 14 of 18, card 2 of 4`."""
    phase, stretch, *_marks = progress(view)
    words = {"phase": phase, "stretch": stretch, "card": placing(view), "cards": view.setup.seats + 1}
    if view.question == PLACE:
        return _("%(phase)s, %(stretch)s, card %(card)s of %(cards)s") % words
    return _("%(phase)s, %(stretch)s") % words


def position(scene: Scene, chronicle: BibliosChronicle, viewpoints: Sequence[dict[str, Any]] = ()) -> Markup:
    """One position: Scriptorium, the question, the hands."""
    view, story = scene.view, chronicle.story_at(scene.ply)
    everybody = people(scene, story)
    marked = [bdi(person.name) for person in everybody]
    over = view.over
    return paint(
        "review.jinja",
        scene=scene,
        view=view,
        canon=Markup(canon(scene, story, everybody)),
        where=where(view),
        last=sentence(scene.steps[-1], marked, scene.me) if scene.steps else "",
        first=everybody[view.first],
        focus=None if over else _focus(view, scene.me),
        next=None if over or scene.status != "running" else waiting(scene, everybody, story).lead,
        wells=_wells(view, scene.steps[-1] if scene.steps else None) if _giving(view) else [],
        space=space_cards(view) if view.question == TAKE_GIFT or (not view.lots and view.space) else [],
        bids=bids_so_far(view, everybody, story) if view.lots and not over else [],
        result=result(scene, everybody) if over else None,
        hands=[_held(view, person) for person in everybody],
        viewpoints=viewpoints,
    )


def _giving(view: BibliosView) -> bool:
    """Whether the active player still has cards to place."""
    return view.question == PLACE or (view.question in (DIE, SECOND_DIE) and not view.lots and bool(view.room))


def _focus(view: BibliosView, me: int | None) -> Focus | None:
    if view.question != PLACE:
        return focus(view, me)
    assert view.drawn is not None
    code = code_of(view.drawn, view.setup.both_ways)
    words = {"card": placing(view), "cards": view.setup.seats + 1}
    title = _("A card") if view.drawn == HIDDEN else card_title(code)
    return Focus(code, title, _("Card %(card)s of %(cards)s") % words)


def _wells(view: BibliosView, last: Step | None) -> list[dict[str, Any]]:
    """The places of the present turn, with the cards that lie there."""
    both = view.setup.both_ways
    kept = [] if view.kept is None else [code_of(view.kept, both)]
    given = []
    if not view.room & 2:
        given = [code_of(next(kind for _source, target, kind in reversed(view.flow) if target == PILE), both)]
    space = [code_of(kind, both) for kind in view.space]
    wells = [
        ("keep", _("Keep"), kept, 1),
        ("public", _("Public"), space, view.setup.seats - 1),
        ("auction", _("Auction"), given, 1),
    ]
    return [
        {"place": place, "name": name, "cards": cards, "slots": max(0, room - len(cards)), "new": _is(last, place)}
        for place, name, cards, room in wells
    ]


def _is(last: Step | None, place: str) -> bool:
    return last is not None and last.move == place


def _held(view: BibliosView, person: Person) -> Held:
    hand = view.hands[person.seat]
    if hand is not None:
        return Held(person, groups(hand), 0)
    seen, doubt = known(view)[person.seat]
    cards = [] if doubt else list(seen.elements())
    return Held(person, groups(cards), person.cards - len(cards))
