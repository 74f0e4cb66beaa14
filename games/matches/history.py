"""The state of a match at any ply, and its log as one viewer saw it: replayed from the log, kept for a while."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple
from weakref import WeakValueDictionary

from games.engine import chance
from games.engine.core import State, View
from games.faces.scene import Step
from games.matches import chain, clocks
from games.matches.models import LogEntry, Match, Seat

KEPT_MATCHES = 128
KEPT_VIEWS = 8
"""The number of plies whose views are kept, of each match: most callers ask for those of one answer."""
STRIDE = 16
"""A state is kept every so many plies; the others are replayed from there."""


class Row(NamedTuple):
    """A row of the log."""

    seat: int
    move: str
    by: int
    at: int

    @property
    def is_event(self) -> bool:
        """Whether it is an event of the match, not a move of the game."""
        return self.move.startswith("!")


class Seen(Step[View]):
    """A Step whose views are computed when they are asked for."""

    replay: Replay
    viewer: int
    """The index of the viewer in `Replay.views`."""

    def __init__(self, replay: Replay, viewer: int, ply: int, move: str):
        row = replay.rows[ply]
        here = self.__dict__
        here.update(ply=ply, seat=row.seat, move=move, at=row.at, replay=replay, viewer=viewer)
        here.update(forced=row.by == LogEntry.By.SERVER, bot=row.by == LogEntry.By.BOT, quiet=replay.is_quiet(row))

    @property
    def before(self) -> View:
        return self.replay.views(self.ply)[self.viewer]

    @property
    def after(self) -> View:
        return self.replay.views(self.ply + 1)[self.viewer]


class Replay:
    """A match played through from its log. Rows are only added."""

    def __init__(self, match: Match):
        self.rules = match.rules
        self.control = match.control
        self.seed = seed_of(match, match.sitting)
        start = self.rules.start(match.places, self.seed, match.options)
        self.rows: list[Row] = []
        self.shown: list[str] = []
        """The move of each row, as the other players read it."""
        self.lines: list[str] = []
        """The first rows as the chain has them."""
        self.states = [start]
        """The states before ply 0, STRIDE, 2 * STRIDE ..."""
        self.recent = 0, start
        """The state that was asked for last, and its ply: most callers ask for one after the other."""
        self.last = start
        self.steps: dict[int | None, list[Seen]] = {}
        self.kept: dict[int, tuple[View, ...]] = {}
        """The views of some plies, those made last at the end."""

    def add(self, rows: Iterable[Row]) -> None:
        """Add rows. Raises RulesError, and then nothing is added."""
        state = self.last.copy()
        added, shown, kept = [], [], []
        for row in rows:
            public = row.move
            if not row.is_event:
                move = self.rules.move(row.move)
                state.check(move, row.seat)
                public = state.shown(move)
                state.play(move)
            added.append(row)
            shown.append(public)
            if (len(self.rows) + len(added)) % STRIDE == 0:
                kept.append(state.copy())
        self.rows += added
        self.shown += shown
        self.states += kept
        self.last = state

    def chained(self, ply: int) -> list[str]:
        """The rows as the chain has them: those before `ply`, and perhaps more. It only grows; nobody may change it."""
        with _lock:
            for at in range(len(self.lines), ply):
                row = self.rows[at]
                self.lines.append(chain.line(self.seed, at, row.seat, row.by, row.at, row.move, self.shown[at]))
            return self.lines

    def is_quiet(self, row: Row) -> bool:
        """Whether a row gives back so little time that nobody at the table is told."""
        event, _space, seconds = row.move.partition(" ")
        return event == "!outage" and clocks.negligible(self.control, 1000 * int(seconds))

    def state(self, ply: int) -> State:
        """The state before the row at `ply`; not to be changed."""
        with _lock:
            if ply == len(self.rows):
                return self.last
            at, state = self.recent
            if not at <= ply < at + STRIDE:
                at, state = ply - ply % STRIDE, self.states[ply // STRIDE]
            state = state.copy()
            for row in self.rows[at:ply]:
                if not row.is_event:
                    state.play(self.rules.move(row.move))
            self.recent = ply, state
            return state

    def views(self, ply: int) -> tuple[View, ...]:
        """What everybody knew before the row at `ply`: each seat, and last a watcher. Made in one pass."""
        views = self.kept.get(ply)
        if views is None:
            with _lock:
                views = self.kept[ply] = self.state(ply).views()
                if len(self.kept) > KEPT_VIEWS:
                    del self.kept[next(iter(self.kept))]
        return views

    def view(self, ply: int, viewer: int | None) -> View:
        """What `viewer` knew before the row at `ply`."""
        return self.views(ply)[-1 if viewer is None else viewer]

    def seen_by(self, viewer: int | None, ply: int) -> list[Seen]:
        """The rows before `ply` as `viewer` saw them when they were made."""
        with _lock:
            steps = self.steps.setdefault(viewer, [])
            for at in range(len(steps), ply):
                mine = self.rows[at].seat == viewer
                index = -1 if viewer is None else viewer
                steps.append(Seen(self, index, at, self.rows[at].move if mine else self.shown[at]))
            return steps[:ply]


_replays: WeakValueDictionary[str, Replay] = WeakValueDictionary()
"""All replays in memory: those of tables with open pages, and ..."""
_recent: OrderedDict[str, Replay] = OrderedDict()
"""... those that were asked for last."""
_lock = threading.RLock()


def seed_of(match: Match, seats: Iterable[Seat]) -> bytes:
    """The seed of a match that has begun; nobody may see it before the end."""
    return chance.mix(bytes(match.secret), [bytes(seat.share) for seat in seats], bytes.fromhex(match.beacon))


def replay(match: Match) -> Replay:
    """The match, replayed at least up to `match.ply`."""
    with _lock:
        found = _replays.get(match.key)
        if found is None:
            found = _replays[match.key] = Replay(match)
        _recent[match.key] = found
        _recent.move_to_end(match.key)
        if len(_recent) > KEPT_MATCHES:
            _recent.popitem(last=False)
        known = len(found.rows)
    if known < match.ply:
        # Outside the lock: the database may take its time.
        entries = LogEntry.objects.filter(match_id=match.pk, ply__gte=known, ply__lt=match.ply).order_by("ply")
        rows = [Row(*row) for row in entries.values_list("seat", "move", "by", "at")]
        with _lock:
            found.add(rows[len(found.rows) - known :])
    return found


def known(match: Match) -> bool:
    """Whether `replay` needs no query."""
    found = _replays.get(match.key)
    return found is not None and len(found.rows) >= match.ply


def added(key: str, ply: int, rows: Iterable[Row]) -> None:
    """Rows from `ply` on were committed: add them, if this process follows the match up to there."""
    with _lock:
        found = _replays.get(key)
        if found is not None and len(found.rows) == ply:
            found.add(rows)
