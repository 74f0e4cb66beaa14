"""The live table as HTML: which regions it has, and what of them has changed.

A region is an element with an id, drawn from a Scene: from what one viewer may know, and nothing else. It changes only
if something that it shows has changed, for it is sent again if its text differs. What changes at every ply stands in
the region `ply`, as attributes for the script of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from django.template import engines
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.faces.language import drawing
from games.guide import lesson
from games.models import ChatLine
from games.scene import Scene

FACES = {"biblios": "games.faces.biblios_board"}
"""The module that draws each game: `regions(scene)` gives its regions, the lines of its log, and some facts."""
LINES = "log-lines"
"""The id of the list that holds the lines of the log."""
CHAT = "chat-lines"
"""The id of the list that holds the chat."""
CSRF = "<!--csrf-->"
"""Stands in each form for the token that the whole page fills in; scripts send it as a header."""


def draw(scene: Scene) -> dict[str, str]:
    """The regions of a page by their ids, in page order; the lines of the log are regions too, and come last."""
    return _drawn(scene)[0]


def update(before: Mapping[str, str], now: Mapping[str, str], says: str = "") -> str:
    """The message that turns a page with the regions `before` into one with the regions `now`; of nothing, all.

    `says` tells the viewer why what he sent was not accepted.
    """
    message = [_morphed(html) for id, html in now.items() if before.get(id) != html and not is_line(id)]
    lines = {id: html for id, html in now.items() if is_line(id)}
    known = [id for id in before if is_line(id)]
    if not known or any(id not in lines for id in known):
        message.append(_morphed(line_list(lines.values())))
    else:
        message += [_morphed(html) for id, html in lines.items() if id in before and before[id] != html]
        message.append(_appended(LINES, [html for id, html in lines.items() if id not in before]))
    if says:
        message.append(format_html('<p id="says" role="alert">{}</p>', says))
    return "".join(message)


def chat_update(lines: Iterable[ChatLine]) -> str:
    """The message that adds lines to the chat of a page."""
    return _appended(CHAT, [chat_line(line) for line in lines])


def chat_line(line: ChatLine) -> SafeString:
    """A line of the chat."""
    if line.user is None:
        return format_html('<li id="c{}" class="sys">{}</li>', line.pk, line.text)
    return format_html('<li id="c{}"><b><bdi>{}</bdi></b> {}</li>', line.pk, line.user.username, line.text)


def table(scene: Scene) -> dict[str, Any]:
    """The context of `templates/games/table.html`: every region drawn, so that the page works without scripts."""
    drawn, title = _drawn(scene)
    regions = {id: html for id, html in drawn.items() if not is_line(id)}
    regions[LINES] = line_list(html for id, html in drawn.items() if is_line(id))
    return {"scene": scene, "regions": regions, "title": title}


def line_list(lines: Iterable[str]) -> str:
    """The lines of the log as one list."""
    return f'<ol id="{LINES}" class="log">{"".join(lines)}</ol>'


def is_line(id: str) -> bool:
    """Whether a region is a line of the log."""
    return id[:1] in "tlde" and id[1:].isdigit()


def _drawn(scene: Scene) -> tuple[dict[str, str], str]:
    """The regions, and the title of the page."""
    with drawing():
        return _spoken(scene)


def _spoken(scene: Scene) -> tuple[dict[str, str], str]:
    regions, lines, facts = import_module(FACES[scene.game.slug]).regions(scene)
    mover = scene.view.seat if scene.status == "running" else None
    asked = scene.playing and mover == scene.me and mover is not None
    title = _("Your turn: %(title)s") % {"title": facts["title"]} if asked else facts["title"]
    ply = _ply(scene, facts | {"title": f"{title} · Biblios"}, mover, asked)
    if scene.guided:
        regions["lesson"] = _template("lesson.jinja").render(lesson=lesson(scene))
    return {"ply": ply, **regions, **lines}, title


def _ply(scene: Scene, facts: Mapping[str, Any], mover: int | None, asked: bool) -> str:
    return _template("ply.jinja").render(
        scene=scene,
        mover="" if mover is None else mover,
        me="" if scene.me is None else scene.me,
        asked="1" if asked else "",
        **facts,
    )


def _morphed(html: str) -> str:
    # As plain text: in Markup the replacement would be escaped.
    return re.sub(r"^<(\w+)", r'<\1 hx-swap-oob="morph"', str(html), count=1)


def _appended(id: str, lines: list[str]) -> str:
    return f'<ol id="{id}" hx-swap-oob="beforeend">{"".join(lines)}</ol>' if lines else ""


def _template(name: str):
    return engines["jinja2"].env.get_template(name)
