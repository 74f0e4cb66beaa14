"""The regions of the board of Biblios."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from games.faces.biblios import stage
from games.faces.biblios.art import kept
from games.faces.biblios.log import SeatNames, line, short_names
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import canon, hand, people, seats
from games.faces.biblios.spread import SHOWN_NEWS, News, said, spread
from games.faces.biblios.story import Entry, Story, begins, story_of
from games.faces.biblios.words import sentence
from games.faces.face import Drawn, Facts
from games.faces.language import language
from games.faces.paint import bdi
from games.faces.regions import Lines, Region

SOUNDS = {
    "keep": "place",
    "public": "place",
    "auction": "place",
    "take": "take",
    "dice": "dice",
    "bid": "bid",
    "pass": "pass",
    "pay": "pay",
    "refuse": "penalty",
}


class Memory(NamedTuple):
    """The starting point for the next board of the same viewer."""

    story: Story
    names: SeatNames
    language: str
    since: int
    told: tuple[News, ...]
    """What happened from the ply `since` on."""


def draw(scene: Scene, before: Memory | None, lines: str) -> Drawn:
    """The regions of the page, and the log as the list with the id `lines`."""
    story = story_of(scene, before and before.story)
    everybody = people(scene, story)
    names = _names(tuple([person.name for person in everybody]), scene.me)
    told = _told(scene, names, before)
    state = stage.state_of(scene)
    if state == "wait" and stage.punished(scene, story):
        state = "penalty"
    title = stage.title(state, scene, everybody)
    phase, stretch, _done, _marks = stage.progress(scene.view)
    news = told if state not in ("over", "aborted") else ()
    regions = {
        "phase": Region("phase", f'<p id="phase" class="phase-line"><b>{phase}</b> {stretch}</p>'),
        "seats": seats(scene, everybody),
        "canon": canon(scene, story, everybody),
        "stage": spread(scene, state, title, everybody, story, news),
        "hand": hand(scene, story, everybody, stage.tag(state, scene, story) if scene.me is not None else ""),
    }
    heard = None if news else Markup(" ".join([one.html for one in told[-SHOWN_NEWS:]])).striptags()
    sound = _sound(scene)
    facts = Facts(state, title, heard, sound, taken=sound in ("take", "pay"))
    log = Lines(lines, _entries(scene, story), names, line)
    return Drawn(regions, log, facts, _reminder(scene), Memory(story, names, language(), scene.since, told))


@lru_cache(maxsize=1000)
def _names(names: tuple[str, ...], me: int | None) -> SeatNames:
    return SeatNames(names, short_names(names), me)


@lru_cache(maxsize=1000)
def _marked(names: tuple[str, ...]) -> tuple[Markup, ...]:
    return tuple([bdi(name) for name in names])


def _told(scene: Scene, names: SeatNames, before: Memory | None) -> tuple[News, ...]:
    """What happened since the viewer's last answer."""
    told: tuple[News, ...] = ()
    ply, steps = scene.since, scene.steps
    same = before is not None and before.since <= ply and (before.names, before.language) == (names, language())
    if before is not None and same and begins(steps, before.story):
        told, ply = before.told, max(ply, before.story.count)
    if told and told[0].ply < scene.since:
        told = tuple([one for one in told if one.ply >= scene.since])
    if ply < len(steps):
        marked = _marked(names.full)
        new = [step for step in steps[ply:] if not step.quiet]
        told += tuple([said(step.ply, str(sentence(step, marked, scene.me))) for step in new])
    return told


def _entries(scene: Scene, story: Story) -> Sequence[Entry]:
    """The lines of the log; at the end of the game, followed by the points."""
    entries = [entry for entry in story.entries if not entry.quiet]
    if scene.view.over and scene.result:
        points = tuple([("points", seat, points) for seat, points in enumerate(scene.result["points"])])
        entries += [Entry("d3", 3, -1, ""), Entry("d4", 4, -1, "", points)]
    return entries


def _reminder(scene: Scene) -> Markup:
    view, setup = scene.view, scene.view.setup
    return kept(
        "reminder.jinja",
        phase="over" if view.over else "auctions" if view.lots else "gifts",
        cards=setup.seats + 1,
        public=setup.seats - 1,
        penalty=setup.options["penalty"],
        refuse=setup.default_on_purpose,
    )


def _sound(scene: Scene) -> str:
    if scene.view.over:
        return "over"
    move = scene.steps[-1].move if scene.steps else ""
    return SOUNDS.get(move.partition(" ")[0], "")
