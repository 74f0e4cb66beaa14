"""The regions of the board of Biblios."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from games.engine.biblios.options import Table
from games.faces.biblios import stage, terms
from games.faces.biblios.art import paint
from games.faces.biblios.log import Names, line, short_names
from games.faces.biblios.scriptorium import canon, hand, people, seats
from games.faces.biblios.spread import SHOWN_NEWS, News, said, spread
from games.faces.biblios.story import Entry, Story, begins, story_of
from games.faces.biblios.words import bdi, sentence
from games.faces.language import _, language, ngettext
from games.faces.regions import Lines, Region
from games.faces.scene import Scene

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
    """What the next board of the same viewer goes on from."""

    story: Story
    names: Names
    language: str
    since: int
    told: tuple[News, ...]
    """What happened from the ply `since` on."""


class Drawn(NamedTuple):
    """A board."""

    regions: dict[str, Region]
    lines: Lines
    facts: dict[str, Any]
    """What the page has to be told: see `board`."""
    memory: Memory


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
        "phase": Region("phase", f'<p id="phase" class="ph-line"><b>{phase}</b> {stretch}</p>'),
        "seats": seats(scene, everybody),
        "canon": canon(scene, story, everybody),
        "stage": spread(scene, state, title, everybody, story, news),
        "hand": hand(scene, story, everybody, stage.tag(state, scene, story) if scene.me is not None else ""),
        "info": _info(scene, state),
    }
    facts = {
        "state": state,
        "title": title,
        "news": None if news else Markup(" ".join([one.html for one in told[-SHOWN_NEWS:]])).striptags(),
        "sound": _sound(scene),
        "penalty": state == "penalty",
    }
    log = Lines(lines, _entries(scene, story), names, line)
    return Drawn(regions, log, facts, Memory(story, names, language(), scene.since, told))


@lru_cache(maxsize=1000)
def _names(names: tuple[str, ...], me: int | None) -> Names:
    return Names(names, short_names(names), me)


@lru_cache(maxsize=1000)
def _marked(names: tuple[str, ...]) -> tuple[Markup, ...]:
    return tuple([bdi(name) for name in names])


def _told(scene: Scene, names: Names, before: Memory | None) -> tuple[News, ...]:
    """What happened since the viewer's last answer."""
    told: tuple[News, ...] = ()
    ply, steps = scene.since, scene.steps
    same = before and before.since <= ply and (before.names, before.language) == (names, language())
    if same and begins(steps, before.story):
        told, ply = before.told, max(ply, before.story.count)
    if told and told[0].ply < scene.since:
        told = tuple([one for one in told if one.ply >= scene.since])
    if ply < len(steps):
        marked = _marked(names.full)
        new = [step for step in steps[ply:] if not step.quiet]
        told += tuple([said(step.ply, str(sentence(step, marked, scene.me))) for step in new])
    return told


def _entries(scene: Scene, story: Story) -> Sequence[Entry]:
    """The lines of the log; at the end the points come after them."""
    entries = [entry for entry in story.entries if not entry.quiet]
    if scene.view.over and scene.result:
        points = tuple([("points", seat, points) for seat, points in enumerate(scene.result["points"])])
        entries += [Entry("d3", 3, -1, ""), Entry("d4", 4, -1, "", points)]
    return entries


@lru_cache(maxsize=1000)
def _tags(language: str, table: Table, rated: bool, pace: str, control: tuple[int, int, int]) -> tuple[str, ...]:
    bank_ms, increment_ms, days = control
    if pace == "live":
        clock = _("%(minutes)s + %(seconds)s s") % {"minutes": bank_ms // 60000, "seconds": increment_ms // 1000}
    elif pace == "daily":
        clock = ngettext("%(days)s day a move", "%(days)s days a move", days) % {"days": days}
    else:
        clock = _("No clock")
    players = ngettext("%(count)s player", "%(count)s players", table.seats) % {"count": table.seats}
    kind = _("Rated") if rated else _("Casual")
    return (kind, players, clock, *map(str, terms.tags(table.options)))


def _info(scene: Scene, state: str) -> Region:
    view, table = scene.view, scene.view.table
    tags = _tags(language(), table, scene.rated, scene.pace, tuple(scene.control))
    return _reminder(
        language(),
        key=scene.key,
        phase="over" if view.over else "auctions" if view.lots else "gifts",
        cards=table.seats + 1,
        public=table.seats - 1,
        penalty=table.options["penalty"],
        refuse=table.default_on_purpose,
        tags=tags,
        playing=scene.playing,
        can_abort=scene.playing and scene.can_abort,
        agreed=tuple([sitter.name for sitter in scene.sitters if sitter.abort and scene.can_abort]),
        me_agreed=scene.playing and scene.sitters[scene.me].abort,
        over=state in ("over", "aborted"),
    )


@lru_cache(maxsize=4000)
def _reminder(language: str, **context: Any) -> Region:
    return Region("info", str(paint("biblios/info.jinja", **context)))


def _sound(scene: Scene) -> str:
    if scene.view.over:
        return "over"
    move = scene.steps[-1].move if scene.steps else ""
    return SOUNDS.get(move.partition(" ")[0], "")
