"""The live table as HTML: which regions it has, and what of them has changed.

A region is an element with an id (`regions`), drawn from a Scene: from what one viewer may know, and nothing else. It
changes only if something that it shows has changed. What changes at every ply stands in the region `ply`, as attributes
for the script of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from importlib import import_module
from typing import Any

from django.template import engines
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.faces.biblios.guide import lesson
from games.faces.language import drawing
from games.faces.regions import Lines, Region, appended, changes
from games.faces.scene import Scene
from games.matches.models import ChatLine

FACES = {"biblios": "games.faces.biblios.board"}
"""The module that draws each game: its `draw` gives regions, the log, some facts, and what it remembers."""
LINES = "log-lines"
"""The id of the list that holds the lines of the log."""
CHAT = "chat-lines"
"""The id of the list that holds the chat."""
CSRF = "<!--csrf-->"
"""Stands in each form for the token that the whole page fills in; scripts send it as a header."""


class Board(Mapping[str, str]):
    """A table as it is drawn for one viewer: HTML by id, first the regions in page order, then the lines of the log.

    It holds little of its own: what other boards show too, they share.
    """

    __slots__ = ("language", "lines", "memory", "regions", "title")

    def __init__(self, language: str, regions: dict[str, Region], lines: Lines, title: str, memory: Any):
        self.language = language
        self.regions = regions
        self.lines = lines
        self.title = title
        """What the page is called."""
        self.memory = memory
        """From what the face of the game goes on when it draws the next one."""

    def __getitem__(self, id: str) -> str:
        if id in self.regions:
            return str(self.regions[id])
        return dict(self.lines)[id]

    def __iter__(self) -> Iterator[str]:
        yield from self.regions
        yield from (item.id for item in self.lines.items)

    def __len__(self) -> int:
        return len(self.regions) + len(self.lines.items)


def draw(scene: Scene, before: Board | None = None) -> Board:
    """The board of a scene; drawing goes on from an older board of the same viewer, if there is one."""
    with drawing() as language:
        face = import_module(FACES[scene.game.slug])
        regions, lines, facts, memory = face.draw(scene, before and before.memory, LINES)
        mover = scene.view.seat if scene.status == "running" else None
        asked = scene.playing and mover == scene.me and mover is not None
        title = _("Your turn: %(title)s") % {"title": facts["title"]} if asked else facts["title"]
        ply = _ply(scene, facts | {"title": f"{title} · Biblios"}, mover, asked)
        if scene.guided:
            regions["lesson"] = Region("lesson", _template("lesson.jinja").render(lesson=lesson(scene)))
    return Board(language, {"ply": ply, **regions}, lines, title, memory)


def update(before: Board | None, now: Board, says: str = "") -> str:
    """The message that turns a page with the board `before` into one with the board `now`; of None, all.

    `says` tells the viewer why what he sent was not accepted.
    """
    message: list[str] = []
    with drawing(now.language):
        for id, region in now.regions.items():
            if id != "ply":
                message += changes(None if before is None else before.regions.get(id), region)
        message += now.lines.changes(None if before is None else before.lines)
        # If nothing but the time of the day is new, something has happened that this viewer does not learn of (an
        # order, say): not even by a message.
        ply = None if before is None else before.regions["ply"]
        if message or ply is None or _timeless(ply) != _timeless(now.regions["ply"]):
            message[:0] = changes(ply, now.regions["ply"])
    if says:
        message.append(format_html('<p id="says" role="alert">{}</p>', says))
    return "".join(message)


def chat_update(lines: Iterable[ChatLine]) -> str:
    """The message that adds lines to the chat of a page."""
    return appended(CHAT, [chat_line(line) for line in lines])


def chat_line(line: ChatLine) -> SafeString:
    """A line of the chat."""
    if line.user is None:
        return format_html('<li id="c{}" class="sys">{}</li>', line.pk, line.text)
    return format_html('<li id="c{}"><b><bdi>{}</bdi></b> {}</li>', line.pk, line.user.username, line.text)


def table(scene: Scene) -> dict[str, Any]:
    """The context of `templates/games/table.html`: every region drawn, so that the page works without scripts."""
    board = draw(scene)
    regions = {id: str(region) for id, region in board.regions.items()} | {LINES: str(board.lines)}
    return {"scene": scene, "regions": regions, "title": board.title}


def _ply(scene: Scene, facts: Mapping[str, Any], mover: int | None, asked: bool) -> Region:
    values = {
        "ply": scene.ply,
        "mover": "" if mover is None else mover,
        "me": "" if scene.me is None else scene.me,
        "asked": "1" if asked else "",
        "deadline": scene.deadline,
        "now": scene.now,
        "over": "1" if scene.status != "running" else "",
        "state": facts["state"],
        "title": facts["title"],
        "news": facts["news"],
        "sound": facts["sound"] or None,
        "penalty": "1" if facts["penalty"] else None,
    }
    data = "".join([f' data-{name}="{escape(str(value))}"' for name, value in values.items() if value is not None])
    return Region("ply", f'<div id="ply" hidden{data}></div>')


def _timeless(region: Region) -> str:
    """The region `ply` but for the time of the day."""
    return re.sub(r' data-now="\d+"', "", str(region))


def _template(name: str):
    return engines["jinja2"].env.get_template(name)
