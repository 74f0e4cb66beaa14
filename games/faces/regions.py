"""Elements of a page that are sent again when they have changed, and only then.

A Region is an element with an id, and may hold others. A page holds it whole. A message that brings a page up
to date (static/js/morph.js applies it) holds only the differences:
- `hx-swap-oob="morph"`: an element. An unchanged region inside it is a mere `<wbr id>`.
- `hx-swap-oob="tag"`: the attributes of an element; its contents stay.
- `hx-swap-oob="beforeend"`: elements to add at the end of another; `data-at`: in place of all from this number on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

PLAIN = re.compile(r"<!--plain-->.*?<!--/plain-->", re.S)
"""Only for browsers without scripts; messages go to scripts."""


class Region:
    """An element of the page. Immutable, so pages may share it."""

    __slots__ = ("id", "parts")

    def __init__(self, id: str, *parts: str | Region):
        """`parts` follow each other; the first is text and begins with the tag that has the id."""
        self.id = id
        self.parts = parts

    def __str__(self) -> str:
        """The whole element."""
        parts = self.parts
        if len(parts) == 1:
            return str(parts[0])
        return "".join([part if isinstance(part, str) else str(part) for part in parts])


class RowRegion(Region):
    """An element of items without ids, to whose end some are added now and then."""

    __slots__ = ()

    def __init__(self, id: str, tag: str, items: Sequence[str], end: str):
        """Each item is one element."""
        super().__init__(id, tag, *items, end)


def changes(before: Region | None, now: Region) -> list[str]:
    """The elements of the message that turns one element into the other."""
    found: list[str] = []
    if before is None:
        found.append(sent(str(now)))
    elif before is not now:
        _compare(before, now, found)
    return found


def sent(html: str) -> str:
    """An element for a message: it replaces the one with its id."""
    space = html.index(" ")
    html = f'{html[:space]} hx-swap-oob="morph"{html[space:]}'
    if "<!--plain-->" in html:
        html = PLAIN.sub("", html)
    # The parser would drop the row of a table on its own.
    return f"<table>{html}</table>" if html.startswith("<tr") else html


def appended(id: str, elements: Sequence[str]) -> str:
    """The message that adds elements to the one with this id."""
    return f'<ol id="{id}" hx-swap-oob="beforeend">{"".join(elements)}</ol>' if elements else ""


def _compare(before: Region, now: Region, found: list[str]) -> None:
    if len(now.parts) == 1:
        if before.parts != now.parts:
            found.append(sent(str(now.parts[0])))
        return
    inside = _inside(before.parts, now.parts)
    if inside is None:
        if type(now) is RowRegion:
            found += _grown(before, now)
            return
        tag = _tag(before.parts, now.parts)
        if not tag:
            found.append(sent(_patch(before, now)))
            return
        found.append(tag)
        inside = _inside(before.parts[1:], now.parts[1:])
    for old, new in inside or ():
        _compare(old, new, found)


Parts = tuple[str | Region, ...]


def _inside(before: Parts, now: Parts) -> list[tuple[Region, Region]] | None:
    """The regions inside two elements that may differ, if nothing else does; otherwise None."""
    if len(before) != len(now):
        return None
    found = []
    for old, new in zip(before, now, strict=True):
        if old is new:
            continue
        if isinstance(new, str) or isinstance(old, str):
            if old != new:
                return None
        elif old.id == new.id:
            found.append((old, new))
        else:
            return None
    return found


def _grown(before: Region, now: RowRegion) -> list[str]:
    """The message that replaces the items of a row from the first different one on."""
    old, new = before.parts, now.parts
    same = 0
    while same < len(new) and same < len(old) and new[same] == old[same]:
        same += 1
    if same == len(new) == len(old):
        return []
    if same < 2 or old[-1] != new[-1]:
        return [sent(str(now))]
    same = min(same, len(new) - 1, len(old) - 1)
    tag = str(new[-1])[2:-1]
    return [
        f'<{tag} hx-swap-oob="beforeend" id="{now.id}" data-at="{same - 1}">{"".join(map(str, new[same:-1]))}</{tag}>'
    ]


def _tag(before: Parts, now: Parts) -> str:
    """The message with an element's own tag alone, if two elements differ in nothing else; otherwise ""."""
    old, new = str(before[0]), str(now[0])
    if len(before) != len(now):
        return ""
    end = new.index(">") + 1
    if old[old.index(">") + 1 :] != new[end:] or _inside(before[1:], now[1:]) is None:
        return ""
    name, _space, attributes = new[1:end].partition(" ")
    return f'<{name} hx-swap-oob="tag" {attributes}</{name}>'


def _patch(before: Region, now: Region) -> str:
    """The element, with marks for the unchanged regions inside it."""
    if len(now.parts) == 1:
        return str(now)
    known = {part.id: part for part in before.parts if not isinstance(part, str)}
    texts = []
    for part in now.parts:
        if isinstance(part, str):
            texts.append(part)
        elif part.id not in known or str(part.parts[0]).startswith("<tr"):  # in a table the parser wants no mark
            texts.append(str(part))
        elif _same(known[part.id], part):
            texts.append(f'<wbr id="{part.id}">')
        else:
            texts.append(_patch(known[part.id], part))
    return "".join(texts)


def _same(before: Region, now: Region) -> bool:
    if before is now or len(now.parts) == 1:
        return before.parts == now.parts
    inside = _inside(before.parts, now.parts)
    return inside is not None and all(_same(old, new) for old, new in inside)


class Lines:
    """A list that only grows, though its last items may still change. A line is drawn when it is sent."""

    __slots__ = ("draw", "id", "items", "setting")

    def __init__(self, id: str, items: Sequence[Any], setting: Any, draw: Callable[[Any, Any], Region]):
        """`draw(item, setting)` returns the line of an item, which has an `id`."""
        self.id, self.items, self.setting, self.draw = id, items, setting, draw

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Ids and lines."""
        return ((item.id, str(self.draw(item, self.setting))) for item in self.items)

    def __str__(self) -> str:
        """The whole list."""
        return f'<ol id="{self.id}" class="log">{"".join([line for _id, line in self])}</ol>'

    def changes(self, before: Lines | None) -> list[str]:
        """The message that brings a list up to date; without a list before, the whole list."""
        items, setting = self.items, self.setting
        if before is None or before.setting != setting or len(before.items) > len(items) or not before.items:
            return [sent(str(self))]
        if before.items is items:
            return []
        known = len(before.items)
        pairs = [(old, new) for old, new in zip(before.items, items, strict=False) if old is not new]
        if any(old.id != new.id for old, new in pairs):
            return [sent(str(self))]
        found = []
        for old, new in pairs:
            found += changes(self.draw(old, setting), self.draw(new, setting))
        if len(items) > known:
            found.append(appended(self.id, [str(self.draw(item, setting)) for item in items[known:]]))
        return found
