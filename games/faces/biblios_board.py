"""The regions of the board of Biblios."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from markupsafe import Markup

from games.engine.biblios.notation import BID
from games.faces import biblios_stage as stage
from games.faces import biblios_tables
from games.faces.biblios import code_of, paint
from games.faces.biblios_ask import answers
from games.faces.biblios_result import result
from games.faces.biblios_story import Entry, Story, story_of
from games.faces.biblios_table import Person, canon, hand, kept, people, seats
from games.faces.biblios_words import bdi, drawn, sentence
from games.faces.language import _, language, ngettext
from games.scene import Scene

SHOWN_NEWS = 3
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


def regions(scene: Scene) -> tuple[dict[str, str], dict[str, str], dict[str, Any]]:
    """The regions of the page, the lines of the log, and what else the page has to be told (`board.draw`)."""
    story = story_of(scene)
    everybody = people(scene, story)
    state = stage.state_of(scene)
    if state == "wait" and stage.punished(scene, story):
        state = "penalty"
    title = stage.title(state, scene, everybody)
    phase, stretch, done, marks = stage.progress(scene.view)
    news = [sentence(step, [bdi(person.name) for person in everybody], scene.me) for step in scene.news]
    drawn = {
        "phase": kept("biblios/phase.jinja", phase=phase, stretch=stretch),
        "seats": seats(scene, everybody),
        "canon": canon(scene, story, everybody),
        "stage": paint(
            "biblios/stage.jinja",
            scene=scene,
            view=scene.view,
            state=state,
            title=title,
            phase=phase,
            stretch=stretch,
            done=done,
            marks=marks,
            asked=state in ("gift", "choose", "church", "bid", "pay"),
            news=news if state not in ("over", "aborted") else [],
            shown=SHOWN_NEWS,
            **_spread(state, scene, everybody, story),
        ),
        "hand": hand(scene, everybody, stage.tag(state, scene, story) if scene.me is not None else ""),
        "info": _info(scene, everybody, state),
    }
    facts = {
        "state": state,
        "title": title,
        "news": Markup(" ").join(news[-SHOWN_NEWS:]).striptags(),
        "sound": _sound(scene),
        "penalty": state == "penalty",
    }
    return drawn, _log(scene, story, everybody), facts


def _spread(state: str, scene: Scene, everybody: list[Person], story: Story) -> dict[str, Any]:
    view = scene.view
    if state == "over":
        return {"result": result(scene, everybody)}
    if state == "aborted":
        return {}
    spread = {"piles": stage.piles(view), "focus": stage.focus(view, everybody, scene.me)}
    if state in ("wait", "penalty"):
        spread["wait"] = stage.waiting(scene, everybody, story)
        spread["orders"] = _orders(scene) if scene.playing and view.lots else None
        if state == "penalty":
            spread["lost"] = _lost(story, everybody)
    else:
        spread["ask"] = answers(scene, everybody)
        if view.question == BID:
            spread["bids"] = stage.bids_so_far(view, everybody, story)
    if not view.lots:
        spread["space"] = stage.space_cards(view)
    return spread


def _lost(story: Story, everybody: list[Person]) -> list[dict[str, Any]]:
    """What the viewer lost by not paying, and to whom (None: discarded)."""
    return [
        {"code": code_of(kind), "thief": everybody[target] if target >= 0 else None}
        for _source, target, kind in drawn(story.own)
    ]


def _orders(scene: Scene) -> dict[str, Any]:
    """The viewer's own standing orders that still apply, and those that he may give."""
    view = scene.view
    lot = len(view.lots) - 1
    given = dict(scene.orders)
    banned = scene.me is not None and bool(view.out >> scene.me & 1)
    return {
        "lot": lot,
        "limit": given.get(lot),
        "gold": None in given,
        "may_bid": not banned and view.question == BID,
        "high": view.high,
        "highest": view.table.highest_bid,
    }


def _info(scene: Scene, everybody: list[Person], state: str) -> Markup:
    view, table = scene.view, scene.view.table
    phase = "over" if view.over else "auctions" if view.lots else "gifts"
    bank_ms, increment_ms, days = scene.control
    if scene.pace == "live":
        control = _("%(minutes)s + %(seconds)s s") % {"minutes": bank_ms // 60000, "seconds": increment_ms // 1000}
    elif scene.pace == "daily":
        control = ngettext("%(days)s day a move", "%(days)s days a move", days) % {"days": days}
    else:
        control = _("No clock")
    tags = [_("Rated") if scene.rated else _("Casual")]
    tags.append(ngettext("%(count)s player", "%(count)s players", table.seats) % {"count": table.seats})
    tags += [control, *biblios_tables.tags(scene.options)]
    return kept(
        "biblios/info.jinja",
        key=scene.key,
        phase=phase,
        cards=table.seats + 1,
        public=table.seats - 1,
        penalty=table.options["penalty"],
        refuse=table.default_on_purpose,
        tags=tuple(str(tag) for tag in tags),
        playing=scene.playing,
        can_abort=scene.playing and scene.can_abort,
        agreed=tuple(sitter.name for sitter in scene.sitters if sitter.abort and scene.can_abort),
        me_agreed=scene.playing and scene.sitters[scene.me].abort,
        muted=bool(getattr(scene, "muted", False)),
        over=state in ("over", "aborted"),
    )


def _sound(scene: Scene) -> str:
    if scene.view.over:
        return "over"
    move = scene.steps[-1].move if scene.steps else ""
    return SOUNDS.get(move.partition(" ")[0], "")


# The log


def short_names(names: list[str]) -> tuple[str, ...]:
    """The beginnings of names by which they can be told apart: three letters, or as many as it takes."""
    shorts = []
    for name in names:
        length = 3
        while length < len(name) and sum(other.startswith(name[:length]) for other in names) > 1:
            length += 1
        shorts.append(name[:length])
    return tuple(shorts)


@lru_cache(maxsize=20000)
def _line(language: str, entry: Entry, names: tuple[str, ...], shorts: tuple[str, ...], me: int | None, last: bool):
    return paint("biblios/line.jinja", entry=entry, names=names, shorts=shorts, me=me, last=last)


def _log(scene: Scene, story: Story, everybody: list[Person]) -> dict[str, str]:
    names = tuple(person.name for person in everybody)
    shorts = short_names(list(names))
    entries = story.entries
    if scene.view.over and scene.result:
        points = tuple(("points", seat, scene.result["points"][seat]) for seat in range(len(names)))
        entries = [*entries, Entry("d3", 3, -1, ""), Entry("d4", 4, -1, "", points)]
    spoken, newest = language(), len(entries) - 1
    return {entry.id: _line(spoken, entry, names, shorts, scene.me, at == newest) for at, entry in enumerate(entries)}
