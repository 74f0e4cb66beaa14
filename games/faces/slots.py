"""The elements of a page that change: each is drawn from its key, and only when that has changed.

A Slot is `(painter, *values)`: its key, and how it is drawn. `painter(*values)` is the HTML of one element, in the
language that is being drawn, and depends on nothing else; the values are small and can be hashed. So equal slots are
equal HTML: one comparison tells that nothing is to be done, and what several viewers see alike is drawn once for all
of them. A key holds nothing that its viewer may not know, shown or not: a page is told whenever it changes.

A board has its slots by name, the id of the element, in parts (`SlotGroup`): nothing in a part that is the same object
as before has changed, and it stays the same one while what it reads does (`Parts`). One slot may stand in the HTML of
another (`placeholder`). A message that brings a page up to date holds only the elements that have changed, as htmx
swaps them out of band (docs/live.md): by its id (`sent`), or at the end of another (`appended`). An element inside one
of them that the page has already is a mere `<wbr id>` there, and comes by itself if it has changed too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

from accounts.web.swaps import morphed

P = TypeVar("P", bound=Callable[..., str])
T = TypeVar("T")
Slot = tuple[Any, ...]
"""The painter, and its values."""
Slots = dict[str, Slot]
"""By name. Where one of a viewer stands inside another of theirs, it comes after it."""
SHEET = re.compile(r'href="[^"#]*/([\w-]+)\.\w+\.svg#')
"""How HTML links to a sheet of pictures. Messages only name it: a page has the address of each from the beginning."""
KEPT = 4096
"""What has not been used while so many other slots were painted is forgotten."""
CSRF = "<!--csrf-->"
"""The mark in each form for the token, which only the whole page has: a script gives it to the others."""
MARK = "\0"
"""Before and after the name in a placeholder. No text has this character."""


def placeholder(name: str) -> str:
    """The mark in the HTML of a slot for another one, which stands there."""
    return f"{MARK}{name}{MARK}"


def paint(slot: Slot) -> str:
    """The HTML of a slot alone, with its placeholders."""
    return str(slot[0](*slot[1:]))


@dataclass
class SlotGroup:
    """Slots of a page in parts: the same ones in the same order at each ply, however empty. None is ever changed."""

    parts: tuple[Slots, ...]

    @cached_property
    def slots(self) -> Slots:
        """All of them."""
        found: Slots = {}
        for part in self.parts:
            found.update(part)
        return found

    # A message needs a few of them, and to merge them all takes longer.

    def get(self, name: object) -> Slot | None:
        """The slot with this name, if there is one."""
        for part in self.parts:
            if name in part:
                return part[name]
        return None

    def __getitem__(self, name: str) -> Slot:
        slot = self.get(name)
        if slot is None:
            raise KeyError(name)
        return slot

    def __contains__(self, name: object) -> bool:
        return self.get(name) is not None


class Parts:
    """The parts of a viewer's boards, by name, as they were made last."""

    __slots__ = ("made",)

    def __init__(self) -> None:
        self.made: dict[str, tuple[tuple[Any, ...], Any]] = {}

    def keep(self, name: str, reads: tuple[Any, ...], make: Callable[[], T]) -> T:
        """A part, or several: those made last under this name, if all that `make` reads is as it was then."""
        made = self.made.get(name)
        if made is None or made[0] != reads:
            made = self.made[name] = reads, make()
        part: T = made[1]
        return part


Named = Slots | SlotGroup
UNCACHED: set[Callable[..., str]] = set()
"""The painters that are marked so."""


def uncached(painter: P) -> P:
    """Mark a painter whose values hardly ever come again: what it has painted is not kept for other tables."""
    UNCACHED.add(painter)
    return painter


class RenderCache:
    """What was painted for messages in one language, at any table, as long as it is used now and then."""

    __slots__ = ("newer", "older")

    def __init__(self) -> None:
        self.newer: dict[Slot, str] = {}
        self.older: dict[Slot, str] = {}

    def paint(self, slot: Slot) -> str:
        """The HTML of a slot, as messages have it."""
        html = self.newer.get(slot)
        if html is None:
            html = self.older.get(slot)
            if html is None:
                html = brief(paint(slot))
            if len(self.newer) >= KEPT:
                self.older, self.newer = self.newer, {}
            self.newer[slot] = html
        return html


class SlotRenderer:
    """What is drawn of a table in one language, each slot once; for messages, with what is `kept` of other tables."""

    __slots__ = ("drawn", "kept")

    def __init__(self, kept: RenderCache | None = None) -> None:
        self.kept = kept
        self.drawn: dict[Slot, str] = {}

    def paint(self, slot: Slot) -> str:
        """The HTML of a slot alone, with its placeholders, painted at the first call."""
        if self.kept and slot[0] not in UNCACHED:
            return self.kept.paint(slot)
        html = self.drawn.get(slot)
        if html is None:
            html = self.drawn[slot] = brief(paint(slot)) if self.kept else paint(slot)
        return html

    def whole(self, slots: Named, name: str, known: Container[object] = ()) -> str:
        """The element with this name and all inside it; of those that are `known`, only a `<wbr id>`."""
        html = self.paint(slots[name])
        return self._filled(html, slots, known) if MARK in html else html

    def _filled(self, html: str, slots: Named, known: Container[object]) -> str:
        """The HTML of a slot with what stands in its placeholders."""
        if html.startswith("<tr") or "<tbody>" in html:
            known = ()  # in a table the parser wants no marks
        parts = html.split(MARK)
        parts[1::2] = [self._inner(slots, name, known) for name in parts[1::2]]
        return "".join(parts)

    def _inner(self, slots: Named, name: str, known: Container[object]) -> str:
        return f'<wbr id="{name}">' if name in known else self.whole(slots, name, known)

    def changes(self, before: SlotGroup, now: SlotGroup, page: SlotGroup, known: SlotGroup) -> dict[str, str]:
        """The elements that are another now than before, for a message, by name.

        `page`: all slots of the page, for what stands inside them; `known`: those that the page had before. An
        element that is new comes inside the one in which it stands.
        """
        found = {}
        for older, part in zip(before.parts, now.parts, strict=True):
            if older is part:
                continue
            for name, slot in part.items():
                old = older.get(name)
                if old is slot:
                    continue
                if old is None and (old := known.get(name)) is None:
                    continue
                if old != slot:
                    found[name] = self._changed(old, slot, page, known)
        return found

    def _changed(self, old: Slot, slot: Slot, page: SlotGroup, known: SlotGroup) -> str:
        if slot[0] is draw_list and (more := self._longer(old, slot, page, known)):
            return more
        html = self.paint(slot)
        if MARK in html:
            return sent(self._filled(html, page, known))
        return sent(html) if slot[0] in UNCACHED else sent_again(html)

    def _longer(self, old: Slot, now: Slot, page: SlotGroup, known: SlotGroup) -> str:
        """The message that adds to the end of a list, if that is all that has changed."""
        if old[0] is not draw_list or now[2][: len(old[2])] != old[2]:
            return ""
        new = now[2][len(old[2]) :]
        return appended(now[1], [self._inner(page, name, known) for name in new])


def scripted(html: str) -> str:
    """The HTML without what is only for browsers without scripts, which stands in `<!--plain-->`."""
    if "<!--plain-->" not in html:
        return html
    return "".join([part.rpartition("<!--/plain-->")[2] for part in html.split("<!--plain-->")])


def brief(html: str) -> str:
    """The HTML of a slot for a message: without what is for other browsers, or known to the page."""
    html = scripted(html).replace(CSRF, "")
    return SHEET.sub(r'href="\1#', html) if ".svg" in html else html


def draw_list(id: str, names: Sequence[str]) -> str:
    """Paints a list of slots. If some come to its end, only they are sent."""
    return f'<ol id="{id}">{"".join([placeholder(name) for name in names])}</ol>'


IN_USE = re.compile(r"<(?:a|button|details|form|input|select|summary|textarea|wbr)[ >]| (?:data-card|tabindex)=")
"""What somebody may be at in an element: then it stays the same one, and is morphed."""


def sent(html: str) -> str:
    """An element as a message brings it: in place of the one with its id, unless it says `morph`."""
    # The parser would drop parts of a table on its own, and misread a shape.
    if html.startswith(("<tr", "<td", "<rect")):
        return _wrapped(html)
    return morphed(html) if IN_USE.search(html) else html


sent_again = lru_cache(maxsize=KEPT)(sent)
"""The same for what a `RenderCache` keeps: its hash is known."""


def _wrapped(html: str) -> str:
    id, tag = html.split(' id="', 1)[1].partition('"')[0], "svg" if html.startswith("<rect") else "table"
    return f'<{tag} hx-swap-oob="morph:#{id}">{html}</{tag}>'


def appended(id: str, elements: Sequence[str], tag: str = "ol") -> str:
    """The message that puts elements at the end of the one with this id."""
    return f'<{tag} hx-swap-oob="beforeend:#{id}">{"".join(elements)}</{tag}>' if elements else ""


class Log(NamedTuple):
    """A list that grows at its end; its lines may still change for a while. A line is drawn when it is sent."""

    lines: Sequence[Any]
    """What there is to tell; each has an `id`, and can be hashed."""
    setting: Any
    """What every line is drawn with besides, such as names."""
    line: Callable[[Any, Any], Slot]
    """`line(line, setting)`: paints the element of a line; the same for all who read it alike."""
    growth: Callable[[Any, Any, Any], Slot]
    """`growth(old, line, setting)`: paints the message that brings the element of a line up to date."""

    def drawn(self, renderer: SlotRenderer) -> Iterator[str]:
        """The elements of all lines."""
        return (renderer.paint(self.line(line, self.setting)) for line in self.lines)

    def whole(self, id: str, renderer: SlotRenderer) -> str:
        """The list as the element with this id."""
        return f'<ol id="{id}" class="log">{"".join(self.drawn(renderer))}</ol>'

    def changes(self, id: str, before: Log, renderer: SlotRenderer) -> str:
        """The message that brings the list with this id up to date."""
        older, lines, setting = before.lines, self.lines, self.setting
        count = len(older)
        if before.setting != setting or count > len(lines):
            return sent(self.whole(id, renderer))
        found = []
        # All but the last ones are the same, as a rule.
        start = max(0, count - 4)
        if older[:start] != lines[:start]:
            start = 0
        for at in range(start, count):
            old, line = older[at], lines[at]
            if old is line or old == line:
                continue
            if old.id != line.id:
                return sent(self.whole(id, renderer))
            found.append(renderer.paint(self.growth(old, line, setting)))
        found.append(appended(id, [renderer.paint(self.line(line, setting)) for line in lines[count:]]))
        return "".join(found)
