"""The review of a match: the positions and viewpoints that somebody may see, and what is shown there.

A viewpoint is a seat, with what that seat then knew; the public; or all seats together, once the match has ended.
While it runs there is only one's own, and nothing later than now.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from weakref import proxy

from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from markupsafe import Markup

from accounts.web import throttle
from accounts.web.requests import Visitor
from games.engine.core import View
from games.faces.face import Face
from games.faces.language import drawing
from games.faces.registry import face_of
from games.matches import access, history
from games.matches.history import Replay
from games.matches.models import LogEntry, Match
from games.matches.scene import Scene, Sitter, Step
from games.table import present

ALL, PUBLIC = "all", "public"
ENDED = (Match.Status.FINISHED, Match.Status.ABORTED)
KEPT = 48
"""The number of viewpoints of matches whose lists of moves are kept."""
LATEST = 6
"""So many of the games that were played on from a match are named."""
KEPT_VIEWS = 16
"""The number of plies whose open views are kept, of each viewpoint."""


def viewpoints(match: Match, user: Visitor) -> list[str]:
    """The viewpoints open to a user who may see the match, the usual one first."""
    if match.status in ENDED:
        return [ALL, *map(str, range(match.places)), PUBLIC]
    seat = access.seat_of(match, user)
    return [str(seat.index) if seat else PUBLIC]


class Open(Step[View]):
    """A row of the log as all seats together saw it, as long as somebody holds the reading."""

    reading: Reading
    """Held weakly: see `history.Seen`."""

    def __init__(self, reading: Reading, ply: int) -> None:
        row = reading.replay.rows[ply]
        self.__dict__.update(ply=ply, seat=row.seat, move=row.move, at=row.at, reading=proxy(reading))
        self.__dict__.update(forced=row.by == LogEntry.By.SERVER, bot=row.by == LogEntry.By.BOT)

    @property
    def before(self) -> View:
        return self.reading.view(self.ply)

    @property
    def after(self) -> View:
        return self.reading.view(self.ply + 1)


class Reading:
    """A match as read from one viewpoint, as far as somebody wanted to know."""

    def __init__(self, replay: Replay, viewpoint: str) -> None:
        self.replay = replay
        self.viewpoint = viewpoint
        self.seat = int(viewpoint) if viewpoint.isdecimal() else None
        self.face = face_of(replay.rules)
        self.chronicle = self.face.chronicle()
        self.lists: dict[tuple[Any, ...], Markup] = {}
        self.opened: dict[int, View] = {}
        """What all seats together knew before some plies, made last at the end."""
        self.lock = threading.RLock()

    def view(self, ply: int) -> View:
        """What was known from this viewpoint before the row at `ply`."""
        if self.viewpoint != ALL:
            return self.replay.view(ply, self.seat)
        view = self.opened.get(ply)
        if view is None:
            with self.lock:
                view = self.opened[ply] = self.replay.state(ply).opened()
                if len(self.opened) > KEPT_VIEWS:
                    del self.opened[next(iter(self.opened))]
        return view

    def read(self, ply: int) -> None:
        """Read on to the rows before `ply`."""
        with self.lock:
            done = len(self.chronicle.steps)
            if self.viewpoint == ALL:
                steps: Sequence[Step[View]] = [Open(self, at) for at in range(done, ply)]
            else:
                steps = self.replay.seen_by(self.seat, ply)[done:]
            for step in steps:
                self.chronicle.add(step)
            if steps:
                self.lists.clear()

    def listed(self, names: Sequence[str], me: int | None, address: str) -> Markup:
        """The list of all moves so far, with links."""
        key = (get_language(), tuple(names), me, address)
        with self.lock:
            if key not in self.lists:
                with drawing():
                    self.lists[key] = self.face.listed(self.chronicle, names, me, address)
            return self.lists[key]


class Beside(NamedTuple):
    """Where the same deal was played as well: the keys of the games before and after one; empty at the ends."""

    before: str
    after: str


def beside(match: Match) -> Beside | None:
    """The games at other tables of an event with the same deal as this one; None if it has its own."""
    if not match.agreed.startswith("tournaments/"):
        return None
    same = Match.objects.filter(club=match.club_id, agreed=match.agreed, commitment=match.commitment)
    keys = list(same.filter(hidden=False, status__in=ENDED).order_by("pk").values_list("key", flat=True))
    if len(keys) < 2 or match.key not in keys:
        return None
    at = keys.index(match.key)
    return Beside(keys[at - 1] if at else "", keys[at + 1] if at + 1 < len(keys) else "")


def played_on(match: Match, user: Visitor) -> list[Match]:
    """The newest games that the user has played on from a match: nobody else finds them in a list."""
    if not user.is_authenticated:
        return []
    found = match.played_on.filter(host=user.pk).select_related("host")
    return list(found.defer("header", "result").order_by("-pk")[:LATEST])


_readings: OrderedDict[tuple[str, str], Reading] = OrderedDict()
_lock = threading.RLock()


def reading(match: Match, viewpoint: str, ply: int | None = None) -> Reading:
    """The match from a viewpoint, read up to the row at `ply`, and perhaps further; without one, to its present end."""
    replay = history.replay(match)
    with _lock:
        found = _readings.get((match.key, viewpoint))
        if found is None or found.replay is not replay:
            found = _readings[match.key, viewpoint] = Reading(replay, viewpoint)
        _readings.move_to_end((match.key, viewpoint))
        while len(_readings) > KEPT:
            _readings.popitem(last=False)
    found.read(match.ply if ply is None else min(ply + 1, match.ply))
    return found


def remembered(match: Match, viewpoint: str) -> bool:
    """Whether this process has read the match from this viewpoint: then showing a position costs little."""
    found = _readings.get((match.key, viewpoint))
    return found is not None and history.known(match) and found.replay is history.replay(match)


def count(request: HttpRequest, match: Match, viewpoint: str) -> None:
    """Count a match that has to be read for this request. Raises TooMany beyond the limit."""
    if not remembered(match, viewpoint):
        throttle.count("reviews", throttle.visitor(request))


@dataclass
class Review:
    """One position of a match from one viewpoint, with the ways to others."""

    match: Match
    viewpoint: str
    """A seat, `public` or `all`."""
    ply: int
    """The number of rows of the log that have been played."""
    own: int | None = None
    """The seat of the user."""
    choices: Sequence[str] = ()
    """The viewpoints open to them."""
    listed: bool = False
    """Whether the page has the list of moves: the script asks for it later, what comes after a position takes long."""

    @cached_property
    def reading(self) -> Reading:
        """What was known here."""
        return reading(self.match, self.viewpoint, self.ply)

    @cached_property
    def whole(self) -> Reading:
        """The same up to the present ply."""
        return reading(self.match, self.viewpoint)

    @property
    def face(self) -> Face[Any]:
        """The face of the game that was played."""
        return face_of(self.match.rules)

    @property
    def me(self) -> int | None:
        """The seat that is addressed as “you”: the user's own, if they look from there."""
        return self.own if self.viewpoint == str(self.own) else None

    @property
    def for_seat(self) -> int:
        """The seat for which one would play on: one's own, that of the viewpoint, or the one that was asked."""
        if self.own is not None:
            return self.own
        return int(self.viewpoint) if self.viewpoint.isdecimal() else self.reading.view(self.ply).seat or 0

    @property
    def last(self) -> int:
        return self.match.ply

    @property
    def ended(self) -> bool:
        return self.match.status in ENDED

    @cached_property
    def names(self) -> list[str]:
        return [seat.shown_name for seat in self.match.sitting]

    def address(self, ply: int | str, viewpoint: str | None = None) -> str:
        """The address of another position, or viewpoint."""
        more = "&list=1" if self.listed else ""
        return f"{self.match.get_absolute_url()}/{ply}?as={viewpoint or self.viewpoint}{more}"

    @property
    def scene(self) -> Scene[View]:
        """The scene at this position."""
        view, steps = self.reading.view(self.ply), self.reading.chronicle.steps[: self.ply]
        ratings = present.rating_changes(self.match) if self.ply == self.last else ()
        return self._scene(self.ply, view, steps).with_(me=self.me, ratings=ratings)

    @property
    def newest(self) -> Scene[View]:
        """The scene at the present ply as anybody sees it who may see the match, without what came before."""
        view, finished = self.reading.replay.view(self.last, None), self.match.status == Match.Status.FINISHED
        return self._scene(self.last, view, ()).with_(shared=finished and access.may_see(self.match, None))

    def _scene(self, ply: int, view: View, steps: Sequence[Step[View]]) -> Scene[View]:
        match, at_end = self.match, ply == self.last
        rows = self.reading.replay.rows
        return Scene(
            key=match.key,
            game=match.rules,
            options=match.options,
            rated=match.rated,
            pace=match.pace,
            control=match.clock[1:],
            status=match.status if at_end else Match.Status.RUNNING,
            sitters=self.sitters(ply),
            me=None,
            playing=False,
            ply=ply,
            view=view,
            steps=steps,
            since=ply,
            now=rows[ply - 1].at if ply else match.began_ms,
            result=match.result if at_end else None,
        )

    def sitters(self, ply: int) -> list[Sitter]:
        """The people at the table, and who had left it by then."""
        return [
            Sitter(
                index=seat.index,
                person=seat.person,
                left=seat.left if seat.left_ply is not None and seat.left_ply < ply else "",
                here=True,
                left_ms=None,
            )
            for seat in self.match.sitting
        ]

    @property
    def position(self) -> Markup:
        """The position, drawn."""
        choices = self.ways() if len(self.choices) > 1 else []
        with drawing():
            return self.reading.face.position(self.scene, self.reading.chronicle, choices)

    def ways(self) -> list[dict[str, Any]]:
        """The possible viewpoints, with their addresses."""
        names = {ALL: _("All"), PUBLIC: _("Public")}
        return [
            {
                "value": choice,
                "name": names.get(choice) or self.names[int(choice)],
                "seat": choice.isdecimal(),
                "address": self.address(self.ply, choice),
                "here": choice == self.viewpoint,
            }
            for choice in self.choices
        ]

    @property
    def moves(self) -> Markup:
        """The list of moves, the last one played marked as the current step."""
        drawn = self.whole.listed(self.names, self.me, self.address("{ply}"))
        mark = f' data-ply="{self.ply}"'
        return Markup(str(drawn).replace(mark, f'{mark} aria-current="step"', 1))

    @property
    def data(self) -> dict[str, Any]:
        """The data with which the script of the page finds its way."""
        return {
            "ply": self.ply,
            "last": self.last,
            "as": self.viewpoint,
            "viewpoints": list(self.choices),
            "path": self.match.get_absolute_url(),
        }

    @property
    def stops(self) -> str:
        """The plies at which something new begins, ascending."""
        return " ".join(map(str, [0, *self.whole.chronicle.stops, self.last]))

    @property
    def phases(self) -> list[dict[str, Any]]:
        """The phases of the game: name, address, and where they begin, in percent of the whole."""
        return [
            {"name": name, "address": self.address(ply), "ply": ply, "at": round(100 * ply / max(1, self.last), 2)}
            for name, ply in self.whole.chronicle.phases
        ]
