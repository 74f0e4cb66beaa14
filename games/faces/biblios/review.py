"""The review of a match of Biblios: any position, and the list of all moves."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from markupsafe import Markup

from games.engine.biblios.cards import PILE
from games.engine.biblios.notation import DIE, PLACE, SECOND_DIE, TAKE_GIFT
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import code_of, mini, paint
from games.faces.biblios.ending import dice_columns, standing_list
from games.faces.biblios.log import HEADINGS, SeatNames, noted, short_names
from games.faces.biblios.result import Ending
from games.faces.biblios.scene import Scene, Step
from games.faces.biblios.scriptorium import (
    Cards,
    by_category,
    dice,
    fan_of,
    known,
    own_seat,
    placing,
    seats,
    sums_of,
    totals_table,
)
from games.faces.biblios.spread import piles
from games.faces.biblios.stage import Focus, bids_so_far, focus, progress, space_cards, stretch_of, waiting_for
from games.faces.biblios.story import Story
from games.faces.biblios.words import LogItem, in_words, item_of, told
from games.faces.biblios.words import listed as in_list
from games.faces.language import _
from games.faces.paint import marked
from games.faces.paint import plain as plain_text
from games.faces.review import Chronicle, Links, ListedMove
from games.faces.slots import SlotGroup, SlotRenderer
from games.faces.slots import paint as paint_slot
from games.matches.scene import Sitter

# The list of moves


class Chapter(NamedTuple):
    """A turn of the gift phase, a lot, or the heading of a phase; an event that comes before all of them."""

    id: str
    """`t3` the third turn, `l3` the third lot, `d1` the heading of the first phase, `e0` an event."""
    ply: int
    """The position with which it begins."""
    number: int = 0
    who: int = -1
    """The active player of a turn."""
    lot: str = ""
    """The code of the card of a lot."""


class BibliosChronicle(Chronicle[BibliosView]):
    """A match in turns and lots."""

    def __init__(self) -> None:
        super().__init__()
        self.items: list[LogItem] = []
        """What each step did."""
        self.chapters: list[Chapter] = []
        self.turns = self.lots = 0
        """The numbers of turns and lots so far."""
        self.dice: list[tuple[int, dict[str, tuple[int, int]]]] = []
        """After which ply the newest Church card had moved which dice: letter to (from, to)."""

    def add(self, step: Step) -> None:
        item, ply = item_of(step), len(self.steps)
        if item.move[0] != "!":
            self._begin(step.before, ply)
        elif not self.chapters:
            self.chapters.append(Chapter(f"e{ply}", ply))
        if item.die:
            letter, old, new = item.die
            second = self.dice[-1][1] if step.before.question == SECOND_DIE else {}
            self.dice.append((ply + 1, {**second, letter: (old, new)}))
        super().add(step)
        self.items.append(item)

    def _begin(self, view: BibliosView, ply: int) -> None:
        """Begin a chapter, if a move at this position is the first of one."""
        if len(view.lots) > self.lots:
            if not self.lots:
                self.chapters.append(Chapter("d2", ply))
            self.lots = len(view.lots)
            lot = code_of(view.lots[-1], view.setup.both_ways)
            self.chapters.append(Chapter(f"l{self.lots}", ply, self.lots, lot=lot))
        elif view.question == PLACE and view.room == view.setup.places:
            if not self.turns:
                self.chapters.append(Chapter("d1", ply))
            self.turns += 1
            self.chapters.append(Chapter(f"t{self.turns}", ply, self.turns, view.active))

    def story_at(self, ply: int) -> Story:
        """What the story of the rows before `ply` says of the present turn or lot, and of the dice."""
        story, stops = Story(), self.stops
        begin = bisect(stops, ply)
        for step in self.steps[stops[begin - 1] if begin else 0 : ply]:
            story.read(step)
        changed = bisect(self.dice, ply, key=lambda change: change[0])
        story.changes = self.dice[changed - 1][1] if changed else {}
        return story

    @property
    def stops(self) -> list[int]:
        return [chapter.ply for chapter in self.chapters if chapter.id[0] in "tl"]

    @property
    def phases(self) -> list[tuple[str, int]]:
        names = {"d1": _("Gifts"), "d2": _("Auctions")}
        return [(names[chapter.id], chapter.ply) for chapter in self.chapters if chapter.id in names]

    def in_chapters(self) -> Iterator[tuple[Chapter, list[tuple[int, LogItem]]]]:
        """The chapters, with what was done in each and the ply after it."""
        for chapter, following in pairwise([*self.chapters, Chapter("", len(self.items))]):
            yield chapter, list(enumerate(self.items[chapter.ply : following.ply], chapter.ply + 1))


def listed(chronicle: BibliosChronicle, names: Sequence[str], me: int | None, address: str) -> Markup:
    """The list of moves, in words and in notation; each leads to `address` with its ply for `{ply}`."""
    links = Links(address)
    named = SeatNames(marked(tuple(names)), short_names(names), me)
    parts = []
    for chapter, items in chronicle.in_chapters():
        if chapter.id in HEADINGS:
            parts.append(f'<li class="divider">{_(HEADINGS[chapter.id])}</li>\n')
            continue
        number, title, about = _beginning(chapter, names, me)
        told = [
            ListedMove(
                ply, in_list(item, named.full, me, chapter.who), "" if item.move[0] == "!" else noted(item, named)
            )
            for ply, item in items
        ]
        parts.append(
            f'<li class="turn-lines"><a class="number turn-number" {links.to(chapter.ply)} title="{title}">'
            f'{number}</a>\n<span class="turn-title">{about}</span>\n'
            f'<ol class="turn-moves">{links.rows(told)}</ol></li>\n'
        )
    return links.listed(parts)


def _beginning(chapter: Chapter, names: Sequence[str], me: int | None) -> tuple[str, str, str]:
    """The number of a chapter, the title of its link, and what it is about, as HTML."""
    words = {"turn": chapter.number, "lot": chapter.number}
    if chapter.lot:
        return f"L{chapter.number}", _("To the beginning of lot %(lot)s") % words, mini(chapter.lot)
    if chapter.number:
        name = _("You") if chapter.who == me else f"<bdi>{plain_text(names[chapter.who])}</bdi>"
        return str(chapter.number), _("To the beginning of turn %(turn)s") % words, name
    return "!", _("To this moment"), ""


def plain(chronicle: BibliosChronicle, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The moves as text: headings, and what happened under each."""
    return [
        (_heading(chapter, names), [in_words(item, names, None) for _ply, item in items])
        for chapter, items in chronicle.in_chapters()
    ]


def answer(step: Step, names: Sequence[str], me: int | None) -> str:
    """What one answer does, as text."""
    return in_words(item_of(step), names, me)


def _heading(chapter: Chapter, names: Sequence[str]) -> str:
    if chapter.id in HEADINGS:
        return _(HEADINGS[chapter.id])
    if chapter.lot:
        return _("Lot %(lot)s, %(card)s") % {"lot": chapter.number, "card": chapter.lot}
    if chapter.number:
        return _("Turn %(turn)s, %(name)s") % {"turn": chapter.number, "name": names[chapter.who]}
    return ""


# A position


class Held(NamedTuple):
    """A hand."""

    sitter: Sitter
    groups: Sequence[Cards]
    """The cards in it that the viewer knows."""
    unknown: int


def where(view: BibliosView) -> str:
    """The part of the game: `Gifts, turn 14 of 18, card 2 of 4`."""
    phase, stretch = progress(*stretch_of(view))
    words = {"phase": phase, "stretch": stretch, "card": placing(view), "cards": view.setup.seats + 1}
    if view.question == PLACE:
        return _("%(phase)s, %(stretch)s, card %(card)s of %(cards)s") % words
    return _("%(phase)s, %(stretch)s") % words


def position(scene: Scene, chronicle: BibliosChronicle, viewpoints: Sequence[dict[str, Any]] = ()) -> Markup:
    """One position: Scriptorium, the question, the hands."""
    view, story = scene.view, chronicle.story_at(scene.ply)
    over = view.over or scene.status == "finished"
    ending = Ending.of(scene) if over else None
    return paint(
        "review.jinja",
        scene=scene,
        view=view,
        canon=Markup(_scriptorium(scene, story)),
        where=where(view),
        last=Markup(told(chronicle.items[scene.ply - 1], marked(scene.names), scene.me)) if scene.ply else "",
        first=scene.names[view.first],
        focus=None if over else _focus(view, scene.me),
        next=None if over or scene.status != "running" else _who_acts(scene),
        wells=_wells(view, scene.steps[-1] if scene.steps else None) if _giving(view) else [],
        space=space_cards(view) if view.question == TAKE_GIFT or (not view.lots and view.space) else [],
        bids=bids_so_far(scene, story) if view.lots and not over else [],
        judged=Markup(dice_columns(ending)) if ending else "",
        order=Markup(standing_list(ending)) if ending else "",
        hands=[_held(view, it) for it in scene.sitters],
        viewpoints=viewpoints,
    )


def _scriptorium(scene: Scene, story: Story) -> str:
    view = scene.view
    table = totals_table(scene.me, view.over, view.hands, sums_of(story, view))
    own = {} if scene.me is None else own_seat(scene, scene.me)
    common = piles(view), dice(view, story), seats(scene, story)
    return SlotRenderer().whole(SlotGroup((*common, own, *table)).slots, "canon")


def _who_acts(scene: Scene) -> str:
    seat = scene.view.seat
    return paint_slot(waiting_for(scene.view, "" if seat is None or seat == scene.me else scene.names[seat]))


def _giving(view: BibliosView) -> bool:
    """Whether the active player still has cards to place."""
    return view.question == PLACE or (view.question in (DIE, SECOND_DIE) and not view.lots and bool(view.room))


def _focus(view: BibliosView, me: int | None) -> Focus | None:
    if view.question != PLACE:
        return focus(view, me)
    assert view.drawn is not None
    code = code_of(view.drawn, view.setup.both_ways)
    return Focus(code, ("placed", placing(view), view.setup.seats + 1))


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


def _held(view: BibliosView, sitter: Sitter) -> Held:
    hand, count = view.hands[sitter.index], view.counts[sitter.index]
    if hand is not None:
        return Held(sitter, [fan_of(kinds) for kinds in by_category(hand).values()], 0)
    seen, doubt = known(view)[sitter.index]
    cards = [] if doubt else list(seen.elements())
    return Held(sitter, [fan_of(kinds) for kinds in by_category(cards).values()], count - len(cards))
