"""The board of Biblios as slots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.engine.biblios.view import BibliosView
from games.faces.biblios import stage
from games.faces.biblios.art import box
from games.faces.biblios.count import count, gone, moved
from games.faces.biblios.flights import HAMMER, flights
from games.faces.biblios.log import SeatNames, growth, line, short_names
from games.faces.biblios.penalty import penalties
from games.faces.biblios.result import Ending, headline, outcome
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import NO_HAND, dice, hand, own_seat, seats, sums_of, totals_table
from games.faces.biblios.spread import piles, spread
from games.faces.biblios.story import Entry, Story, own_story, watched_story
from games.faces.biblios.words import LogItem
from games.faces.face import Common, Drawn, Facts, sound_of
from games.faces.paint import marked
from games.faces.slots import Log, Parts, Slot, SlotGroup

SOUNDS = {
    **dict.fromkeys(("keep", "public", "auction"), "place"),
    **{word: word for word in ("take", "dice", "bid", "pass", "pay")},
    "refuse": "penalty",
}


class Shared(NamedTuple):
    """What is read once for all viewers."""

    story: Story
    flights: tuple[str, ...]


def table(scene: Scene, before: Shared | None) -> Common:
    """What all viewers see alike, from the scene of a watcher."""
    story = watched_story(scene, before and before.story)
    ended = scene.status != "running"
    parts = piles(scene.view, ended), dice(scene.view, story), seats(scene, story), gone(story.gone)
    return Common(SlotGroup(parts), Shared(story, flights(scene)))


def draw(scene: Scene, common: Common, before: Story | None, made: Parts) -> Drawn:
    """The board of one viewer."""
    view, me = scene.view, scene.me
    watched: Story = common.memory.story
    story = own_story(scene, watched, before)
    names = scene.names
    state = stage.state_of(scene)
    # What the viewer's own last answer took from them is news too.
    fined = bool(story.fines) and story.fines[-1].ply == scene.since - 1
    news = story.since(scene.since - fined, watched)
    ended = state in stage.ENDED
    sums, fines = sums_of(story, view), story.fines
    title = stage.title_of(state, scene)
    parts = (
        {} if me is None else own_seat(scene, me),
        *made.keep("totals", (view.over, view.hands, sums), lambda: totals_table(me, view.over, view.hands, sums)),
        *spread(scene, state, title, names, story, sums, () if ended else news, made),
        made.keep("penalties", (fines, names, ended), lambda: penalties(fines, me, names, ended)),
        *made.keep("count", (moved(view), names), lambda: count(view, story, names)),
        *(NO_HAND if me is None else hand(scene, story)),
    )
    heard: Slot | None = None  # the page has its news
    if ended:
        end = Ending.of(scene)
        title, heard = (headline, end), (outcome, end)
    flying = common.memory.flights
    facts = Facts(state, title, heard, HAMMER if HAMMER in flying else sound_of(scene, SOUNDS), flying)
    log = Log(_entries(scene, story), _names(names, me), line, growth)
    phase = "over" if view.over or scene.status != "running" else "auctions" if view.lots else "gifts"
    reminder = made.keep("reminder", (phase,), lambda: _reminder(view, phase))
    return Drawn(SlotGroup(parts), _absent(me, ended), log, facts, reminder, None if me is None else story)


@lru_cache(maxsize=1000)
def _names(names: tuple[str, ...], me: int | None) -> SeatNames:
    return SeatNames(marked(names), short_names(names), me)


@lru_cache
def _absent(me: int | None, ended: bool) -> frozenset[str]:
    """The slots that stand nowhere on the viewer's page."""
    own = () if me is None else (f"seat-{me}",)
    return frozenset((*own, "prick", "done")) if ended else frozenset(own)


def _entries(scene: Scene, story: Story) -> Sequence[Entry]:
    """The lines of the log; at the end of the game, followed by the points."""
    entries = story.shown
    if scene.view.over and scene.result and not scene.ended:
        points = tuple([LogItem(seat, f"points {points}") for seat, points in enumerate(scene.result["points"])])
        entries += [Entry("d3", 3, -1, ""), Entry("d4", 4, -1, "", points)]
    return entries


def _reminder(view: BibliosView, phase: str) -> Slot:
    setup = view.setup
    rules = {"seats": setup.seats, "penalty": setup.options["penalty"], "refuse": setup.default_on_purpose}
    return box.slot("reminder.jinja", phase=phase, **rules)
