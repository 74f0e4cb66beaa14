"""The live table as HTML: its slots, and which of them have changed.

A slot is an element with an id (`games.faces.slots`), made from a Scene: from what one viewer may know, and nothing
else. What all viewers see alike is made once a ply, from the scene of a watcher. Whatever changes at every ply is in
the element `ply`: attributes for the script of the page, and as its text the rows of the log that are new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from types import MappingProxyType
from typing import Any, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from accounts.web.swaps import morphed, refusal
from games.engine.core import View
from games.faces.face import Common, Face, Facts
from games.faces.language import _, drawing, language
from games.faces.paint import CSRF as CSRF
from games.faces.paint import plain
from games.faces.registry import face_of, rules_address
from games.faces.slots import Log, Parts, RenderCache, Slot, SlotGroup, SlotRenderer, Slots, appended, paint
from games.faces.tempo import draw_help
from games.matches import chat
from games.matches.models import Line, Seat, WatcherLine
from games.matches.scene import Scene
from games.table.hints import hint_of
from games.table.leavers import draw_leavers, leavers_of
from games.table.lessons import draw_lessons
from games.table.panel import Votes, draw_info, draw_leave, draw_watchers, tags
from games.table.rematch import draw_rematch

LINES = "log-lines"
"""The id of the list with the lines of the log."""
NOBODY: Mapping[int | None, int] = MappingProxyType({})
CHAT = "chat-lines"
"""The id of the list with the chat."""
WATCHED = "watchers-lines"
"""The id of the list with what watchers have said, on the pages of players. It is filled when the game has ended."""
SHORT_LINK = 16
"""So many digits of the last link are in every message: what a page has computed must begin with them."""


class Board(NamedTuple):
    """A table as one viewer sees it, not drawn yet. Boards share whatever they show alike."""

    common: SlotGroup
    own: SlotGroup
    page: SlotGroup
    """Both."""
    absent: frozenset[str]
    """The common slots that do not stand on this page."""
    log: Log
    made: Parts
    """What the parts were made from, for the next board of the same viewer."""
    roots: Sequence[str]
    """The slots that stand in no other one, in page order, but without `ply`."""
    facts: Slot
    """Paints the attributes of the element `ply`, without the time."""
    now: int
    title: Slot
    """Paints the title of the page, as text."""
    memory: Any
    """The starting point of the game's face for the next board of the same viewer."""
    ply: int
    chain: Sequence[str]
    """The rows as the chain has them, at least those before `ply`."""
    state: str
    """The kind of page, for its styles."""
    deadline: int | None

    @property
    def slots(self) -> Slots:
        """All of them, by name."""
        return self.page.slots


def common(scene: Scene[View], before: Common | None = None) -> Common:
    """What all viewers of a table see alike. `scene`: a watcher's; `before`: the same at an older ply."""
    return face_of(scene.game).common(scene, before and before.memory)


def draw(scene: Scene[View], alike: Common, before: Board | None = None) -> Board:
    """The board of a scene; it goes on from an older board of the same viewer, if there is one.

    The lessons of a guided game are in the language that is being drawn.
    """
    face = face_of(scene.game)
    made = before.made if before else Parts()
    drawn = face.draw(scene, alike, before and before.memory, made)
    facts = drawn.facts
    running = scene.status == "running"
    mover = scene.view.seat if running else None
    asked = scene.playing and mover == scene.me and mover is not None
    sitting = tuple([(it.person, it.left, it.vote) for it in scene.sitters])
    stays = scene.status, scene.playing, scene.can_abort, scene.tempo, scene.watchers
    beside = made.keep("beside", (*stays, drawn.reminder, sitting), lambda: _beside(scene, drawn.reminder))
    at_times: Slots = {"hint": hint_of(scene)}
    if scene.guided:
        at_times["lessons"] = draw_lessons, tuple(face.lessons(scene)), scene.key, rules_address(scene.game)
    if not running:
        at_times["rematch"] = _rematch(scene)
    own = (*drawn.group.parts, beside, at_times)
    title = draw_title, asked, facts.title
    ply = draw_facts, scene.ply, mover, scene.me, asked, scene.status, facts, scene.link
    return Board(
        alike.group,
        SlotGroup(own),
        SlotGroup((*own, *alike.group.parts)),
        drawn.absent,
        drawn.log,
        made,
        _roots(face, scene.guided),
        ply,
        scene.now,
        title,
        drawn.memory,
        scene.ply,
        scene.lines,
        facts.state,
        scene.deadline,
    )


def _beside(scene: Scene[View], reminder: Slot) -> Slots:
    votes = votes_of(scene)
    return {
        "info": (draw_info, scene.game, terms_of(scene), reminder, votes),
        "leave": (draw_leave, scene.key, scene.leaving if scene.playing else "", votes),
        "watchers": (draw_watchers, scene.watchers),
        "pace-set": (draw_help, scene.key, scene.tempo),
        "leavers": (draw_leavers, scene.key, *leavers_of(scene)),
    }


def _rematch(scene: Scene[View]) -> Slot:
    left_ms = scene.offer.until and max(0, scene.offer.until - scene.now)
    asks = None if scene.hidden else scene.me
    return draw_rematch, scene.key, asks, len(scene.sitters), scene.offer, left_ms, scene.hidden


@cache
def _roots(face: Face[View], guided: bool) -> tuple[str, ...]:
    lessons = ("lessons",) if guided else ()
    beside = (*face.beside, "info", "watchers", *lessons, "pace-set", "leavers")
    return (*face.head, "leave", "hint", *face.middle, *beside)


@cache
def kept(language: str) -> RenderCache:
    """What was painted in a language."""
    return RenderCache()


class Update:
    """The messages that bring the pages of one table up to date, in the language that is drawn when it is made.

    It knows common slots by their identity: no board may be thrown away before it.
    """

    def __init__(self) -> None:
        self.renderer = SlotRenderer(kept(language()))
        self.alike: dict[tuple[int, int], dict[str, str]] = {}
        """What has changed for all, by the common slots before and now."""

    def message(self, before: Board | None, now: Board, says: str = "") -> str:
        """What turns a page with the board `before` into one with the board `now`; without one, all of it.

        `says` tells the viewer why their message was not accepted.
        """
        parts = self._whole(now) if before is None else self._changes(before, now)
        if says:
            parts.append(refusal(says))
        return "".join(parts)

    def _whole(self, now: Board) -> list[str]:
        parts = [ply_of(now), *[self.renderer.whole(now.slots, name) for name in now.roots]]
        # An answer to a request must say of each element that it is one to be swapped out of band.
        return [morphed(html) for html in (*parts, now.log.whole(LINES, self.renderer))]

    def _changes(self, before: Board, now: Board) -> list[str]:
        key = id(before.common), id(now.common)
        alike = self.alike.get(key)
        if alike is None:
            alike = self.alike[key] = self.renderer.changes(before.common, now.common, now.common, before.common)
        parts = [html for name, html in alike.items() if name not in now.absent]
        parts += self.renderer.changes(before.own, now.own, now.page, known(before, now)).values()
        if lines := now.log.changes(LINES, before.log, self.renderer):
            parts.append(lines)
        # If nothing but the time is new, something has happened that this viewer must not learn of (an
        # order, say): not even by a message.
        if parts or before.facts != now.facts or before.deadline != now.deadline:
            parts.insert(0, ply_of(now, now.chain[before.ply : now.ply]))
        return parts


def known(before: Board, now: Board) -> SlotGroup:
    """The slots that stand on a page."""
    if before.absent <= now.absent:
        return before.page
    # Whoever has left sees their own seat as others do: it has not stood on their page.
    return SlotGroup(({name: slot for name, slot in before.slots.items() if name not in before.absent},))


def update(before: Board | None, now: Board, language: str, says: str = "") -> str:
    """The message for one page."""
    with drawing(language):
        return Update().message(before, now, says)


def ply_of(board: Board, rows: Sequence[str] = (), now: int | None = None) -> str:
    """The element `ply`, with new rows of the log, from which a page computes the links of the chain by itself
    (static/js/chain.js). `now`: the time, if the board was made for an earlier one, in milliseconds since 1970."""
    remaining = "" if board.deadline is None else f' data-remaining="{board.deadline - (now or board.now)}"'
    text = escape("\n".join(rows), quote=False)
    return f'<div id="ply" hidden{remaining}{paint(board.facts)}>{text}</div>'


def chat_update(id: str, lines: Sequence[Line], first: bool, seats: Mapping[int | None, int] = NOBODY) -> str:
    """The message that adds lines to a chat of a page, which has shown none since it came if these are the `first`.

    `seats`: by the ids of people, where the page shows what they say for a moment (static/js/bubbles.js).
    """
    html = [chat_lines(lines, seats)] if lines else []
    return f'<ol id="{id}" hx-swap-oob="innerHTML">{html[0]}</ol>' if first and html else appended(id, html)


def seats_of(sitting: Sequence[Seat]) -> dict[int | None, int]:
    """Where people sit, by their ids, for `chat_update`."""
    return {seat.user_id: seat.index for seat in sitting if seat.user_id is not None}


def chat_lines(lines: Iterable[Line], seats: Mapping[int | None, int] = NOBODY) -> SafeString:
    """Lines of a chat, in the language of the page; `seats` as for `chat_update`."""
    return format_html_join("", "{}", ((chat_line(line, seats.get(line.user_id)),) for line in lines))


def chat_line(line: Line, seat: int | None) -> SafeString:
    """A line of a chat; `seat`: where its writer sits."""
    # The ids of two tables may be the same; no page has lines of both in one list.
    id = f"{'w' if isinstance(line, WatcherLine) else 'c'}{line.pk}"
    quiet = line.phrase in chat.EVENTS
    marks = mark_safe(' class="system"') if quiet else "" if seat is None else format_html(' data-by="{}"', seat)
    return format_html('<li id="{}"{}>{}</li>', id, marks, chat.words(line))


def elements(board: Board, language: str) -> dict[str, str]:
    """Every root of a page and the log, drawn whole: HTML by id."""
    renderer, slots = SlotRenderer(), board.slots
    with drawing(language):
        found = {"ply": ply_of(board)} | {name: renderer.whole(slots, name) for name in board.roots}
        return found | {LINES: board.log.whole(LINES, renderer)}


def context(scene: Scene[View], alike: Common, language: str) -> dict[str, Any]:
    """The context of `templates/table/table.html`: every element drawn, so that the page works without scripts."""
    face = face_of(scene.game)
    board = draw(scene, alike)
    with drawing(language):
        title = paint(board.title)
        terms = tags(scene.game, *terms_of(scene))
    return {
        "scene": scene,
        "elements": elements(board, language),
        "head": face.head,
        "middle": face.middle,
        "beside": face.beside.items(),
        "title": title,
        "state": board.state,
        "face": face,
        "notation": f"{rules_address(scene.game)}#notation",
        "terms": terms,
    } | {part: face.template(part) for part in ("words", "keys", "flights")}


def draw_title(asked: bool, title: Slot) -> str:
    """The title of the page."""
    return _("Your turn: %(title)s") % {"title": paint(title)} if asked else paint(title)


def draw_facts(
    ply: int,
    mover: int | None,
    me: int | None,
    asked: bool,
    status: str,
    facts: Facts,
    link: str,
) -> str:
    """The attributes of the element `ply`, without the time."""
    shown = [f' data-ply="{ply}"']
    if mover is not None:
        shown.append(f' data-mover="{mover}"')
    if me is not None:
        shown.append(f' data-me="{me}"')
    if asked:
        shown.append(' data-asked="1"')
    if status != "running":
        shown.append(' data-over="1"')
    if facts.state != "wait":
        shown.append(f' data-state="{plain(facts.state)}"')
    if facts.news:
        shown.append(f' data-news="{plain(paint(facts.news))}"')
    if facts.sound:
        shown.append(f' data-sound="{plain(facts.sound)}"')
    if facts.flights:
        shown.append(f' data-flights="{" ".join(facts.flights)}"')
    if link:
        shown.append(f' data-link="{link[:SHORT_LINK]}"')
    return "".join(shown)


def terms_of(scene: Scene[View]) -> tuple[Any, ...]:
    """The terms of the table, for `tags`."""
    bots = tuple([it.person.bot for it in scene.sitters if it.person.bot])
    return tuple(scene.options.items()), scene.rated, len(scene.sitters), scene.pace, tuple(scene.control), bots


def votes_of(scene: Scene[View]) -> Votes:
    """How a running game may be stopped, and who agrees to it; the viewer may agree if they play."""
    if scene.status != "running":
        return ()
    me = scene.sitters[scene.me].vote if scene.playing and scene.me is not None else None
    open_ = [name for name, may in (("end", scene.can_end), ("abort", scene.can_abort)) if may]
    agreed = {
        name: tuple([it.person.name for it in scene.sitters if it.vote == name and not it.left]) for name in open_
    }
    return tuple([(name, agreed[name], None if me is None else me == name, len(scene.others)) for name in open_])
