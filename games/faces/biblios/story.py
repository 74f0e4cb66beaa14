"""The log of a match as the table notes it: an entry for each turn of the gift phase and for each lot.

An entry consists of plain values, so that its HTML can be kept. A Story grows with the log. That of a watcher reads
each step once; those of the seats follow it, and read only the steps of which they saw more.
"""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import NamedTuple, Self
from weakref import ref

from games.engine.biblios.cards import BURIED, CATEGORIES, HIDDEN, LETTERS, PILE, SPACE, TEXTS, VALUES
from games.engine.biblios.notation import PLACE, SECOND_DIE
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import code_of
from games.faces.biblios.scene import Scene, Step
from games.faces.biblios.words import LogItem, gone, involved, item_of, joined, lot_of


class Entry(NamedTuple):
    """One line of the log."""

    id: str
    """`t3` the third turn, `l3` the third lot, `d1` the heading of the first phase, `e17` an event at ply 17."""
    number: int
    who: int
    """The active player of a turn; -1 if there is none."""
    lot: str
    """The card of a lot."""
    first: tuple[LogItem, ...] = ()
    """What was placed; what was bid. Each item may stand for several (`words.joined`)."""
    then: tuple[LogItem, ...] = ()
    """What was taken; how it was paid, and what followed."""
    quiet: bool = False
    """An entry that the log of the table does not show."""


class Fine(NamedTuple):
    """A penalty that concerned the viewer: as the one who did not pay, or because they drew a card."""

    ply: int
    lot: int
    """The number of the lot, from 1."""
    card: str
    """The code of the card up for auction."""
    item: LogItem
    totals: tuple[tuple[str, int], ...]
    """The sums in the viewer's hand after it, by category."""


class StoryRow(NamedTuple):
    """A row of the log as everybody saw it."""

    ply: int
    item: LogItem
    quiet: bool
    """As in `Step`."""
    lot: str = ""
    """The card that is put up for auction with this row."""
    turn: int = -1
    """The active player of the turn that begins with this row."""
    then: bool = False
    """Whether a Church card is not that of the active player's own turn."""
    second: bool = False
    """Whether it answers for the second die of a Church card."""
    ends: bool = False
    """Whether a turn or a lot ends with it."""


def row_of(step: Step, lot: int) -> StoryRow:
    """The row of a step; `lot` is the number of the last card that was put up, from 0."""
    item, before, after = item_of(step), step.before, step.after
    if item.move[0] == "!":
        return StoryRow(step.ply, item, step.quiet)
    now = lot_of(before)
    return StoryRow(
        step.ply,
        item,
        step.quiet,
        code_of(before.lots[-1], before.setup.both_ways) if now > lot else "",
        before.active if now <= lot and _is_new_turn(before) else -1,
        bool(before.lots) or step.seat != before.active,
        before.question == SECOND_DIE,
        lot_of(after) > now or _is_new_turn(after),
    )


class Story:
    """The log so far, as one viewer saw it."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.count = 0
        """The number of steps read."""
        self.last: ref[Step] | None = None
        """The step read last. A strong reference would keep the whole match in memory."""
        self.changes: dict[str, tuple[int, int]] = {}
        """The dice moved, each until the next turn of whoever moved it: letter to (from, to)."""
        self.movers: dict[str, tuple[int, int]] = {}
        """Who moved them, and `here` at that time."""
        self.taken: dict[int, str] = {}
        """What each seat took from the public space in the present turn."""
        self.bids: dict[int, int] = {}
        """The last bid of each seat in the present auction; 0 for a pass."""
        self.rows: list[StoryRow] = []
        """The rows read, of a watcher."""
        self.places: list[int] = []
        """By ply, the index of the entry of the turn or lot, of a watcher."""
        self.here = 0
        """The index of the entry of the present turn or lot: events may have come after it."""
        self.more: dict[int, LogItem] = {}
        """What rows did of which the viewer saw more than a watcher, by ply."""
        self.fines: tuple[Fine, ...] = ()
        """The penalties that concerned the viewer."""
        self.turn = 0
        self.lot = -1
        self.hand: tuple[int, tuple[int, ...]] = (-1, ())
        """A ply, and the viewer's hand before its row."""
        self.flow = 0
        """The number of moves of cards already known."""
        self.held: list[Counter[int]] = []
        """By seat, the cards that the viewer saw the player get and not lose."""
        self.doubt: list[bool] = []
        """By seat, whether the player lost cards unseen."""
        self.sums: list[tuple[str, ...]] = []
        """By seat, the sums of these cards in each category and in gold: `≥5`, or `≈5` in doubt."""
        self.sent: list[int] = []
        self.buried: list[int] = []
        """The cards that the viewer put in the auction pile, and paid face down."""
        self.gone: tuple[str, ...] = ()
        """The codes of the discards, in their order."""
        self.quiet = False
        """Whether there are entries that the log does not show."""

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.entries, new.rows, new.places, new.more = self.entries[:], self.rows[:], self.places[:], dict(self.more)
        new.taken, new.bids = dict(self.taken), dict(self.bids)
        new.held, new.doubt, new.sums = [held.copy() for held in self.held], self.doubt[:], self.sums[:]
        new.sent, new.buried = self.sent[:], self.buried[:]
        return new

    def know(self, view: BibliosView) -> None:
        """Follow the moves of cards that the viewer has seen since."""
        held, doubt = self.held, self.doubt
        if not held:
            seats = view.setup.seats
            held[:], doubt[:] = [Counter() for _ in range(seats)], [False] * seats
            self.sums = [sums_seen(Counter(), False)] * seats
        if self.flow == len(view.flow):
            return
        changed = set()
        for source, target, kind in view.flow[self.flow :]:
            if source >= 0:
                if kind == HIDDEN:
                    doubt[source] = True
                elif held[source][kind]:
                    held[source][kind] -= 1
                changed.add(source)
            if target >= 0 and kind != HIDDEN and (source in (SPACE, PILE) or source >= 0):
                held[target][kind] += 1
                changed.add(target)
            elif kind != HIDDEN and target in (PILE, BURIED):
                (self.sent if target == PILE else self.buried).append(kind)
        for seat in changed:
            self.sums[seat] = sums_seen(held[seat], doubt[seat])
        self.flow = len(view.flow)

    def hand_at(self, steps: Sequence[Step], ply: int, view: BibliosView) -> tuple[int, ...]:
        """The viewer's hand before the row at `ply`; `view` is what they know now."""
        known = self.hand
        if known[0] != ply:
            known = self.hand = (ply, steps[ply].before.hand if ply < len(steps) else view.hand)
        return known[1]

    def read(self, step: Step) -> None:
        """Read the next step, for a watcher."""
        row = row_of(step, self.lot)
        item = row.item
        if item.move[0] == "!":
            self.entries.append(Entry(f"e{row.ply}", 0, -1, "", (item,), quiet=row.quiet))
            self.quiet = self.quiet or row.quiet
        else:
            self._begin(row)
            self.entries[self.here] = noted(self.entries[self.here], row, item)
            self._tell(row, item)
            if len(step.after.discard) > len(step.before.discard):
                both = step.after.setup.both_ways
                self.gone += tuple([code_of(kind, both) for kind in gone(step.after.discard, step.before.discard)])
        self.rows.append(row)
        self.places.append(self.here)
        self.count += 1
        self.last = ref(step)

    def follow(self, watched: Story, steps: Sequence[Step], me: int) -> None:
        """Read on as far as a watcher has read; `steps` are the log as the seat `me` saw it."""
        for row in watched.rows[self.count :]:
            item = row.item
            if _saw_more(item, me):
                item = self.more[row.ply] = item_of(steps[row.ply])
            if item.draws and involved(item, me):
                self.fines += (fine_of(steps[row.ply], item),)
        self.entries[self.here :] = watched.entries[self.here :]
        retold = set()
        for ply in reversed(self.more):
            if watched.places[ply] < self.here:
                break
            retold.add(watched.places[ply])
        for at in retold:
            self.entries[at] = self._retold(watched, at)
        self.here, self.count = watched.here, watched.count
        self.changes, self.taken, self.bids, self.gone = watched.changes, watched.taken, watched.bids, watched.gone
        self.quiet = watched.quiet
        if self.count:
            self.last = ref(steps[self.count - 1])

    @property
    def shown(self) -> list[Entry]:
        """The entries that the log of the table shows."""
        return [entry for entry in self.entries if not entry.quiet] if self.quiet else self.entries[:]

    def since(self, ply: int, watched: Story) -> list[tuple[int, LogItem]]:
        """What players are told of the rows from `ply` on, with their plies."""
        return [(row.ply, self.more.get(row.ply, row.item)) for row in watched.rows[ply:] if not row.quiet]

    def _begin(self, row: StoryRow) -> None:
        """Begin the entry of a turn or a lot, if one begins with this row."""
        if row.lot:
            if self.lot < 0:
                self.entries.append(Entry("d2", 2, -1, ""))
            self.lot += 1
            entry = Entry(f"l{self.lot + 1}", self.lot + 1, -1, row.lot)
        elif row.turn >= 0:
            if not self.turn:
                self.entries.append(Entry("d1", 1, -1, ""))
            self.turn += 1
            entry = Entry(f"t{self.turn}", self.turn, row.turn, "")
        else:
            return
        self.here = len(self.entries)
        self.entries.append(entry)

    def _tell(self, row: StoryRow, item: LogItem) -> None:
        """Follow what is shown beside the log."""
        verb, _space, what = item.move.partition(" ")
        if row.ends:
            self.bids, self.taken = {}, {}
        elif verb == "take":
            self.taken[item.seat] = item.card
        elif verb in ("bid", "pass"):
            self.bids[item.seat] = int(what or 0)
        elif verb == "refuse":
            self.bids = {}
        old = [letter for letter, mover in self.movers.items() if mover[0] == item.seat and mover[1] != self.here]
        if old or item.die:
            self.changes, self.movers = dict(self.changes), dict(self.movers)
        for letter in old:
            del self.changes[letter], self.movers[letter]
        if item.die:
            letter, value, new = item.die
            self.changes[letter], self.movers[letter] = (value, new), (item.seat, self.here)

    def _retold(self, watched: Story, at: int) -> Entry:
        """An entry with what the viewer saw more of."""
        entry = watched.entries[at]._replace(first=(), then=())
        for ply in range(bisect_left(watched.places, at), bisect_right(watched.places, at)):
            row = watched.rows[ply]
            if row.item.move[0] != "!":
                entry = noted(entry, row, self.more.get(ply, row.item))
        return entry


def fine_of(step: Step, item: LogItem) -> Fine:
    """A penalty that concerned the viewer of a step."""
    sums: Counter[str] = Counter()
    for kind in step.after.hand:
        sums[TEXTS[kind][0]] += VALUES[kind]
    totals = tuple([(category, sums[category]) for category in (*CATEGORIES, "G")])
    return Fine(step.ply, lot_of(step.before) + 1, item.lot, item, totals)


def noted(entry: Entry, row: StoryRow, item: LogItem) -> Entry:
    """The entry of a turn or a lot with one more row, of which the viewer saw `item`."""
    verb = item.move.partition(" ")[0]
    if verb in ("take", "pay") or (verb == "dice" and row.then):
        return entry._replace(then=_with(entry.then, item))
    return entry._replace(first=_with(entry.first, item))


def _with(items: tuple[LogItem, ...], item: LogItem) -> tuple[LogItem, ...]:
    both = joined(items[-1], item) if items else None
    return (*items[:-1], both) if both else (*items, item)


def _saw_more(item: LogItem, seat: int) -> bool:
    """Whether a seat saw more of a row than a watcher: its own cards, and what was drawn in a penalty."""
    return bool(item.draws) or (item.seat == seat and not item.card and item.move.startswith(HIDING))


HIDING = ("keep", "auction", "pay")
"""The moves whose cards others may not see."""


def _is_new_turn(view: BibliosView) -> bool:
    return view.question == PLACE and view.room == view.setup.places


def sums_seen(held: Counter[int], doubt: bool) -> tuple[str, ...]:
    """The sums of cards in each category and in gold: `≥5`, or `≈5` in doubt."""
    sums = [0] * (len(CATEGORIES) + 1)
    for kind, count in held.items():
        sums[kind // len(LETTERS)] += VALUES[kind] * count  # gold comes after the categories
    return tuple([f"≈{total}" if doubt and total else f"≥{total}" for total in sums])


KEPT = 512
"""So many stories of watchers are kept for pages that are asked for; none of them is read on."""
_stories: OrderedDict[tuple[str, int | None], Story] = OrderedDict()
_lock = threading.Lock()


def watched_story(scene: Scene, before: Story | None = None) -> Story:
    """The log of a watcher's scene: `before` itself, read on; without one that fits, a new one."""
    if before is not None and begins(scene.steps, before):
        return _read_on(scene, before)
    key = scene.key, scene.me
    known = _stories.get(key)
    story = _read_on(scene, known.copy() if known is not None and begins(scene.steps, known) else Story())
    with _lock:
        _stories[key] = story.copy()
        _stories.move_to_end(key)
        while len(_stories) > KEPT:
            _stories.popitem(last=False)
    return story


def own_story(scene: Scene, watched: Story, before: Story | None = None) -> Story:
    """The log of a scene, as its viewer saw it, whose first rows `before` may have read."""
    if scene.me is None:
        return watched
    story = before if before is not None and begins(scene.steps, before) else Story()
    story.follow(watched, scene.steps, scene.me)
    if not scene.view.over:
        story.know(scene.view)
    return story


def _read_on(scene: Scene, story: Story) -> Story:
    for step in scene.steps[story.count :]:
        story.read(step)
    if not scene.view.over:
        story.know(scene.view)
    return story


def begins(steps: Sequence[Step], story: Story) -> bool:
    """Whether the log continues from the end of the story."""
    return story.last is not None and story.count <= len(steps) and steps[story.count - 1] is story.last()
