"""The log of a match as the table notes it: an entry for each turn of the gift phase and for each lot.

An entry consists of plain values, so that its HTML can be kept. A Story grows with the log: it reads each step once.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from games.engine.biblios.cards import CATEGORIES, FORFEIT, HIDDEN, KINDS, PILE, SPACE, TEXTS, VALUES
from games.engine.biblios.notation import DIE, PLACE
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import code_of
from games.faces.biblios.scene import Scene, Step
from games.faces.biblios.words import drawn, goes_unsold, lot_of, moved, placed

Token = tuple[Any, ...]
"""("place", sign, code), ("take", seat, code), ("dice", letter, from, to), ("still",), ("bid", seat, n),
("pass", seat), ("pay", seat, codes), ("refuse", seat), ("draw", from, to, code), ("lose", code), ("unsold",),
("event", what, seat)."""
SIGNS = {"keep": "k", "public": "p", "auction": "a"}


class Entry(NamedTuple):
    """One line of the log."""

    id: str
    """`t3` the third turn, `l3` the third lot, `d1` the heading of the first phase, `e17` an event at ply 17."""
    number: int
    who: int
    """The active player of a turn; -1 if there is none."""
    lot: str
    """The card of a lot."""
    first: tuple[Token, ...] = ()
    """What was placed; what was bid."""
    then: tuple[Token, ...] = ()
    """What was taken; how it was paid, and what followed."""
    quiet: bool = False
    """An entry that the log of the table does not show."""


class Story:
    """The log so far, as one viewer saw it."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.count = 0
        """The number of steps read."""
        self.last: Step | None = None
        self.changes: dict[str, tuple[int, int]] = {}
        """The dice that the newest Church card moved: letter to (from, to)."""
        self.taken: dict[int, str] = {}
        """What each seat took from the public space in the present turn."""
        self.bids: dict[int, int] = {}
        """The last bid of each seat in the present auction; 0 for a pass."""
        self.own: Step | None = None
        """The viewer's last move."""
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

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.entries, new.changes = self.entries[:], dict(self.changes)
        new.taken, new.bids = dict(self.taken), dict(self.bids)
        new.held, new.doubt, new.sums = self.held[:], self.doubt[:], self.sums[:]
        return new

    def know(self, view: BibliosView) -> None:
        """Follow the moves of cards that the viewer has seen since."""
        seats = view.setup.seats
        if not self.held:
            self.held, self.doubt = [Counter()] * seats, [False] * seats
            self.sums = [sums_seen(Counter(), False)] * seats
        changed = set()
        for source, target, kind in view.flow[self.flow :]:
            if source >= 0:
                if kind == HIDDEN:
                    self.doubt[source] = True
                elif self.held[source][kind]:
                    self.held[source] = self.held[source] - Counter((kind,))
                changed.add(source)
            if target >= 0 and kind != HIDDEN and (source in (SPACE, PILE) or source >= 0):
                self.held[target] = self.held[target] + Counter((kind,))
                changed.add(target)
        for seat in changed:
            self.sums[seat] = sums_seen(self.held[seat], self.doubt[seat])
        self.flow = len(view.flow)

    def hand_at(self, steps: Sequence[Step], ply: int, view: BibliosView) -> tuple[int, ...]:
        """The viewer's hand before the row at `ply`; `view` is what they know now."""
        known = self.hand
        if known[0] != ply:
            known = self.hand = (ply, steps[ply].before.hand if ply < len(steps) else view.hand)
        return known[1]

    def add(self, step: Step, me: int | None) -> None:
        """Read the next step."""
        self.count += 1
        self.last = step
        if step.move.startswith("!"):
            event = ("event", step.move[1:], step.seat)
            self.entries.append(Entry(f"e{step.ply}", 0, -1, "", (event,), quiet=step.quiet))
            return
        if step.seat == me:
            self.own = step
        self._open(step)
        verb, _, what = step.move.partition(" ")
        getattr(self, f"_{verb}", self._place)(step, what)
        after = step.after
        if lot_of(after) > self.lot or _is_new_turn(after):
            self.bids, self.taken = {}, {}

    def _open(self, step: Step) -> None:
        before = step.before
        if lot_of(before) > self.lot:
            if self.lot < 0:
                self.entries.append(Entry("d2", 2, -1, ""))
            self.lot = lot_of(before)
            card = code_of(before.lots[-1], before.setup.both_ways)
            self.entries.append(Entry(f"l{self.lot + 1}", self.lot + 1, -1, card))
        elif _is_new_turn(before):
            if not self.turn:
                self.entries.append(Entry("d1", 1, -1, ""))
            self.turn += 1
            self.entries.append(Entry(f"t{self.turn}", self.turn, before.active, ""))

    def _here(self) -> int:
        """The index of the entry of the present turn or lot: events may have come after it."""
        return next(at for at in range(len(self.entries) - 1, -1, -1) if self.entries[at].id[0] in "tl")

    def _note(self, *tokens: Token, then: bool) -> None:
        at = self._here()
        entry = self.entries[at]
        if then:
            self.entries[at] = entry._replace(then=entry.then + tokens)
        else:
            self.entries[at] = entry._replace(first=entry.first + tokens)

    def _place(self, step: Step, what: str) -> None:
        code = code_of(placed(step), step.before.setup.both_ways)
        self._note(("place", SIGNS[step.move], code), then=False)

    def _take(self, step: Step, what: str) -> None:
        code = code_of(KINDS[what], step.before.setup.both_ways)
        self.taken[step.seat] = code
        self._note(("take", step.seat, code), then=True)

    def _dice(self, step: Step, what: str) -> None:
        before = step.before
        changes = moved(step)
        if changes:
            if before.question == DIE:
                self.changes = {}
            self.changes.update({letter: (old, new) for letter, old, new in changes})
        tokens: list[Token] = [("dice", *change) for change in changes]
        tokens = tokens or [("still",)]
        self._note(*tokens, then=bool(before.lots) or step.seat != before.active)

    def _bid(self, step: Step, what: str) -> None:
        self.bids[step.seat] = int(what)
        self._note(("bid", step.seat, int(what)), then=False)

    def _pass(self, step: Step, what: str) -> None:
        self.bids[step.seat] = 0
        self._note(("pass", step.seat), then=False)
        if goes_unsold(step):
            self._note(("unsold",), then=True)

    def _pay(self, step: Step, what: str) -> None:
        code = code_of(KINDS[what]) if what else "back"
        at = self._here()
        entry = self.entries[at]
        if entry.then and entry.then[-1][:2] == ("pay", step.seat) and step.before.due < step.before.high:
            *rest, (_, seat, codes) = entry.then
            self.entries[at] = entry._replace(then=(*rest, ("pay", seat, (*codes, code))))
        else:
            self._note(("pay", step.seat, (code,)), then=True)

    def _refuse(self, step: Step, what: str) -> None:
        tokens: list[Token] = [("refuse", step.seat)]
        for source, target, kind in drawn(step):
            code = code_of(kind)
            tokens.append(("lose", code) if target == FORFEIT else ("draw", source, target, code))
        if goes_unsold(step):
            tokens.append(("unsold",))
        self._note(*tokens, then=False)
        self.bids = {}


def _is_new_turn(view: BibliosView) -> bool:
    return view.question == PLACE and view.room == view.setup.places


def sums_seen(held: Counter[int], doubt: bool) -> tuple[str, ...]:
    """The sums of cards in each category and in gold: `≥5`, or `≈5` in doubt."""
    sums = dict.fromkeys((*CATEGORIES, "G"), 0)
    for kind, count in held.items():
        if TEXTS[kind][0] in sums:
            sums[TEXTS[kind][0]] += VALUES[kind] * count
    return tuple(("≈" if doubt and total else "≥") + str(total) for total in sums.values())


KEPT = 512
_stories: OrderedDict[tuple[str, int | None], Story] = OrderedDict()
_lock = threading.Lock()


def story_of(scene: Scene, before: Story | None = None) -> Story:
    """The log of a scene, read on from `before`, or from where the last reading ended."""
    key, steps = (scene.key, scene.me), scene.steps
    story = before if before is not None and begins(steps, before) else _stories.get(key)
    if story is None or not begins(steps, story):
        story = Story()
    elif story.count < len(steps) or story.flow < len(scene.view.flow):
        story = story.copy()
    for step in steps[story.count :]:
        story.add(step, scene.me)
    if not scene.view.over:
        story.know(scene.view)
    with _lock:
        _stories[key] = story
        _stories.move_to_end(key)
        while len(_stories) > KEPT:
            _stories.popitem(last=False)
    return story


def begins(steps: Sequence[Step], story: Story) -> bool:
    """Whether the log continues from the end of the story."""
    return 0 < story.count <= len(steps) and steps[story.count - 1] is story.last
