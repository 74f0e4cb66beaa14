"""The state of a match at any ply, and its log as one viewer saw it: replayed from the log, kept for a while."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple
from weakref import WeakValueDictionary, proxy

from games.engine import chance, position
from games.engine.core import State, View
from games.matches import chain, clocks
from games.matches.models import LogEntry, Match, Seat
from games.matches.scene import Step

KEPT_MATCHES = 128
KEPT_VIEWS = 8
"""The number of plies whose views are kept, of each match: most callers ask for those of one answer or two."""
SERVER, BOT = LogEntry.By.SERVER, LogEntry.By.BOT
END = "!end"
"""The event with which a game ends before its last move; those who stayed have won."""
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
    """A Step whose views are computed when they are asked for, as long as somebody holds the replay."""

    replay: Replay
    """Held weakly: a match that is over shall be gone without the collector of garbage."""
    viewer: int | None

    def __init__(self, replay: Replay, viewer: int | None, ply: int):
        row = replay.rows[ply]
        self.__dict__.update(
            ply=ply,
            seat=row.seat,
            move=row.move if row.seat == viewer else replay.shown[ply],
            forced=row.by == SERVER,
            bot=row.by == BOT,
            at=row.at,
            quiet=row.is_event and replay.is_quiet(row),
            replay=proxy(replay),
            viewer=viewer,
        )

    @property
    def before(self) -> View:
        return self.replay.view(self.ply, self.viewer)

    @property
    def after(self) -> View:
        return self.replay.view(self.ply + 1, self.viewer)


class Replay:
    """A match played through from its log. Rows are only added."""

    def __init__(self, match: Match):
        self.rules = match.rules
        self.clock = match.clock
        self.seed = seed_of(match, match.sitting)
        start = start_of(match, self.seed)
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
        self.kept: dict[int, tuple[State, dict[int | None, View]]] = {}
        """Some plies, those made last at the end: the state, and the views that were asked for, the watcher's first."""

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
            elif row.move == END:
                state.stop()
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
        return event == "!outage" and clocks.negligible(self.clock, 1000 * int(seconds))

    def state(self, ply: int) -> State:
        """The state before the row at `ply`; not to be changed."""
        with _lock:
            if ply == len(self.rows):
                self.recent = ply, self.last
            at, state = self.recent
            if at == ply:
                return state
            if not at <= ply < at + STRIDE:
                at, state = ply - ply % STRIDE, self.states[ply // STRIDE]
            state = state.copy()
            for row in self.rows[at:ply]:
                if not row.is_event:
                    state.play(self.rules.move(row.move))
                elif row.move == END:
                    state.stop()
            self.recent = ply, state
            return state

    def view(self, ply: int, viewer: int | None) -> View:
        """What `viewer` knew before the row at `ply`."""
        known = self.kept.get(ply)
        view = known[1].get(viewer) if known else None
        if view is None:
            with _lock:
                state, views = self._known(ply)
                view = views.get(viewer)
                if view is None:
                    assert viewer is not None
                    view = views[viewer] = state.own_view(views[None], viewer)
        return view

    def _known(self, ply: int) -> tuple[State, dict[int | None, View]]:
        """The state before the row at `ply`, and the views of it so far."""
        kept = self.kept
        if ply not in kept:
            # After an answer all plies since the last one are asked for: in order each view goes on from another.
            newest = next(reversed(kept), ply)
            for at in range(newest + 1 if newest < ply <= newest + KEPT_VIEWS else ply, ply + 1):
                if at in kept:
                    continue
                state = self.state(at)
                kept[at] = state, {None: state.view(None)}
                if len(kept) > KEPT_VIEWS:
                    del kept[next(iter(kept))]
        return kept[ply]

    def seen_by(self, viewer: int | None, ply: int) -> list[Seen]:
        """The rows before `ply` as `viewer` saw them when they were made."""
        with _lock:
            steps = self.steps.setdefault(viewer, [])
            steps += [Seen(self, viewer, at) for at in range(len(steps), ply)]
            return steps[:ply]


_replays: WeakValueDictionary[str, Replay] = WeakValueDictionary()
"""All replays in memory: those of tables with open pages, and ..."""
_recent: OrderedDict[str, Replay] = OrderedDict()
"""... those that were asked for last."""
_lock = threading.RLock()


def seed_of(match: Match, seats: Iterable[Seat]) -> bytes:
    """The seed of a match that has begun; nobody may see it before the end."""
    return chance.mix(bytes(match.secret), [bytes(seat.share) for seat in seats], bytes.fromhex(match.beacon))


def start_of(match: Match, seed: bytes) -> State:
    """The first position of a match that has begun: dealt from its seed, or the one from which it is played on."""
    if match.beginning:
        return position.read(match.rules, match.places, match.options, match.beginning["position"])
    return match.rules.start(match.places, seed, match.options)


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
