"""The live table as HTML: its regions, and which of them have changed.

A region is an element with an id (`regions`), drawn from a Scene: from what one viewer may know, and nothing else. It
changes only if something that it shows has changed. Whatever changes at every ply is in the region `ply`, as attributes
for the script of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from markupsafe import Markup

from games.engine.core import Game, View
from games.faces.face import Facts
from games.faces.language import _, drawing, language, ngettext
from games.faces.paint import CSRF as CSRF
from games.faces.paint import PaintBox
from games.faces.regions import Lines, Region, appended, changes
from games.faces.registry import face_of, rules_address
from games.faces.scene import Scene
from games.matches.models import ChatLine

LINES = "log-lines"
"""The id of the list with the lines of the log."""
CHAT = "chat-lines"
"""The id of the list with the chat."""
SHORT_LINK = 16
"""So many digits of the last link are in every message: what a page has computed must begin with them."""
BESIDE = {"ply", "phase", "info", "lesson", LINES}
"""The regions that are not in the middle of the page."""
box = PaintBox("")
"""For everything beside the board, in any game."""


class Board(Mapping[str, str]):
    """A table as drawn for one viewer: HTML by id, first the regions in page order, then the lines of the log.

    Boards share whatever they show alike.
    """

    __slots__ = ("chain", "language", "lines", "memory", "ply", "regions", "title")

    def __init__(
        self, language: str, regions: dict[str, Region], lines: Lines, title: str, memory: Any, scene: Scene[View]
    ):
        self.language = language
        self.regions = regions
        self.lines = lines
        self.title = title
        """The title of the page."""
        self.memory = memory
        """The starting point of the game's face for the next board."""
        self.ply = scene.ply
        self.chain = scene.lines
        """The rows as the chain has them, at least those before `ply`."""

    def __getitem__(self, id: str) -> str:
        if id in self.regions:
            return str(self.regions[id])
        return dict(self.lines)[id]

    def __iter__(self) -> Iterator[str]:
        yield from self.regions
        yield from (item.id for item in self.lines.items)

    def __len__(self) -> int:
        return len(self.regions) + len(self.lines.items)


def draw(scene: Scene[View], before: Board | None = None) -> Board:
    """The board of a scene; drawing goes on from an older board of the same viewer, if there is one."""
    with drawing() as language:
        face = face_of(scene.game)
        regions, lines, facts, reminder, memory = face.draw(scene, before and before.memory, LINES)
        regions["info"] = _info(scene, facts, reminder)
        mover = scene.view.seat if scene.status == "running" else None
        asked = scene.playing and mover == scene.me and mover is not None
        title = _("Your turn: %(title)s") % {"title": facts.title} if asked else facts.title
        ply = _ply(scene, facts._replace(title=f"{title} · Biblios"), mover, asked)
        if scene.guided:
            regions["lesson"] = Region(
                "lesson", str(box.paint("lesson.jinja", lesson=face.lesson(scene), rules=rules_address(scene.game)))
            )
    return Board(language, {"ply": ply, **regions}, lines, title, memory, scene)


def update(before: Board | None, now: Board, says: str = "") -> str:
    """The message that turns a page with the board `before` into one with the board `now`; without one, all of it.

    `says` tells the viewer why their message was not accepted.
    """
    message: list[str] = []
    with drawing(now.language):
        for id, region in now.regions.items():
            if id != "ply":
                message += changes(None if before is None else before.regions.get(id), region)
        message += now.lines.changes(None if before is None else before.lines)
        # If nothing but the time is new, something has happened that this viewer must not learn of (an
        # order, say): not even by a message.
        ply = None if before is None else before.regions["ply"]
        if message or ply is None or _timeless(ply) != _timeless(now.regions["ply"]):
            message[:0] = changes(ply, now.regions["ply"])
        if before is not None and before.ply < now.ply:
            message.append(rows(now.chain[before.ply : now.ply]))
    if says:
        message.append(format_html('<p id="says" role="alert">{}</p>', says))
    return "".join(message)


def rows(lines: Sequence[str]) -> str:
    """New rows of the log, from which a page computes the links of the chain by itself (static/js/chain.js)."""
    text = escape("\n".join(lines))
    return f'<div id="rows">{text}</div>'


def chat_update(lines: Iterable[ChatLine]) -> str:
    """The message that adds lines to the chat of a page."""
    return appended(CHAT, [chat_line(line) for line in lines])


def chat_line(line: ChatLine) -> SafeString:
    """A line of the chat."""
    if line.user is None:
        return format_html('<li id="c{}" class="system">{}</li>', line.pk, line.text)
    return format_html('<li id="c{}"><b><bdi>{}</bdi></b> {}</li>', line.pk, line.user.username, line.text)


def context(scene: Scene[View]) -> dict[str, Any]:
    """The context of `templates/table/table.html`: every region drawn, so that the page works without scripts."""
    board = draw(scene)
    regions = {id: str(region) for id, region in board.regions.items()} | {LINES: str(board.lines)}
    middle = [id for id in regions if id not in BESIDE]
    face = face_of(scene.game)
    parts = {part: f"board/{face.slug}/{part}.html" for part in ("words", "keys")}
    return {
        "scene": scene,
        "regions": regions,
        "middle": middle,
        "title": board.title,
        "face": face,
        "rules": rules_address(scene.game),
        **parts,
    }


def _ply(scene: Scene[View], facts: Facts, mover: int | None, asked: bool) -> Region:
    values = {
        "ply": scene.ply,
        "mover": "" if mover is None else mover,
        "me": "" if scene.me is None else scene.me,
        "asked": "1" if asked else "",
        "deadline": scene.deadline,
        "now": scene.now,
        "over": "1" if scene.status != "running" else "",
        "state": facts.state,
        "title": facts.title,
        "news": facts.news,
        "sound": facts.sound or None,
        "taken": "1" if facts.taken else None,
        "link": scene.link[:SHORT_LINK] or None,
    }
    data = "".join([f' data-{name}="{escape(str(value))}"' for name, value in values.items() if value is not None])
    return Region("ply", f'<div id="ply" hidden{data}></div>')


def _info(scene: Scene[View], facts: Facts, reminder: Markup) -> Region:
    terms = tuple(scene.options.items()), scene.rated, len(scene.sitters), scene.pace, tuple(scene.control)
    return _panel(
        language(),
        key=scene.key,
        tags=_tags(language(), scene.game, *terms),
        reminder=reminder,
        rules=rules_address(scene.game),
        playing=scene.playing,
        last_one=scene.last_one,
        can_abort=scene.playing and scene.can_abort,
        agreed=tuple([sitter.name for sitter in scene.sitters if sitter.abort and scene.can_abort]),
        me_agreed=scene.me is not None and scene.playing and scene.sitters[scene.me].abort,
        over=facts.state in ("over", "aborted"),
    )


@lru_cache(maxsize=4000)
def _panel(language: str, **context: Any) -> Region:
    return Region("info", str(box.paint("info.jinja", **context)))


@lru_cache(maxsize=1000)
def _tags(
    language: str,
    game: Game,
    options: tuple[tuple[str, Any], ...],
    rated: bool,
    seats: int,
    pace: str,
    control: tuple[int, int, int],
) -> tuple[str, ...]:
    """The terms of the table, in a word or two each."""
    bank_ms, increment_ms, days = control
    if pace == "live":
        words = {"minutes": bank_ms // 60000, "seconds": increment_ms // 1000}
        clock = _("%(minutes)s + %(seconds)s s") % words
    elif pace == "daily":
        clock = ngettext("%(days)s day a move", "%(days)s days a move", days) % {"days": days}
    else:
        clock = _("No clock")
    players = ngettext("%(count)s player", "%(count)s players", seats) % {"count": seats}
    return (_("Rated") if rated else _("Casual"), players, clock, *map(str, face_of(game).tags(dict(options))))


def _timeless(region: Region) -> str:
    """The region `ply` without the time."""
    return re.sub(r' data-now="\d+"', "", str(region))
