"""The story of a ladder's events for a page: sentences, players who moved, and what was undone by what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.database import keyset
from accounts.database.keyset import BadCursor, Page
from accounts.models import User
from games.ladders.models import Ladder, LadderEvent, past
from games.ladders.pages.results import undone_of
from games.ladders.payloads import UNDOABLE, Event, GameResult, Ordered, RulesSet, Undone
from games.ladders.rules import Rules
from games.ladders.standing import replay, steps
from games.ladders.words import events as event_words
from games.matches.clocks import ms_of

PAGE = 20
"""The number of events on a page."""

# Names


class PlayerLinks(dict[int, SafeString]):
    """The players' names by id, as links to their pages on a ladder."""

    def __init__(self, ladder: Ladder, ids: Iterable[int]) -> None:
        found = User.objects.filter(pk__in=set(ids)).values_list("pk", "username")
        self.plain = dict(found)
        super().__init__(
            (pk, format_html('<a href="{}"><bdi>{}</bdi></a>', player_address(ladder, name), name))
            for pk, name in self.plain.items()
        )


def player_address(ladder: Ladder, name: str) -> str:
    """The address of a player's page on a ladder."""
    return ladder.address("ladder_player", name)


# Events


@dataclass(frozen=True)
class Movement:
    """The movement of one player."""

    player: int
    name: SafeString
    before: int | None
    after: int | None

    @property
    def words(self) -> str:
        return event_words.step(self.before, self.after)

    @property
    def way(self) -> str:
        """`up` or `down`; empty for a player who came or went."""
        if self.before is None or self.after is None:
            return ""
        return "up" if self.after < self.before else "down"


@dataclass(frozen=True)
class Told:
    """An event as a page shows it."""

    event: LadderEvent
    sentence: SafeString
    steps: list[Movement]
    """The movements of the players concerned."""
    others: list[Movement] = field(default_factory=list)
    """The movements of players who were passed, or moved up because somebody else went."""
    undone: LadderEvent | None = None
    """The event that undid this one."""
    mine: Movement | None = None
    """The movement of the player whose page it is."""
    passing: bool = False
    """Whether it moved that player without being about them."""

    @property
    def number(self) -> int:
        return self.event.number

    @property
    def match(self) -> str:
        """The address of the game, if it counted and was played here."""
        return f"/m/{self.event.payload.match}" if isinstance(self.event.payload, GameResult) else ""

    @property
    def still(self) -> bool:
        """Whether it could have moved somebody, and did not."""
        return self.event.kind in UNDOABLE and not self.event.steps

    @property
    def undoable(self) -> bool:
        return self.event.kind in UNDOABLE and self.undone is None


def narrate(ladder: Ladder, events: Sequence[LadderEvent], about: int | None = None) -> list[Told]:
    """These events of a ladder as a page shows them; `about`: the player whose page it is. Two queries."""
    if not events:
        return []
    undoing, undone, rules = _context(events)
    seen = [*events, *undone.values()]
    people = {event.by_id for event in seen if event.by_id} | {int(key) for event in events for key in event.steps}
    names = PlayerLinks(ladder, people | {player for event in seen for player in event_words.players(event)})
    told = []
    for event in events:
        was = undone.get(event.payload.event) if isinstance(event.payload, Undone) else None
        concerned = event_words.players(was or event)
        steps = {
            int(key): Movement(int(key), names[int(key)], before, after) for key, (before, after) in event.steps.items()
        }
        order = sorted(steps.values(), key=lambda step: (step.after is None, step.after or step.before))
        told.append(
            Told(
                event,
                event_words.sentence(event, names, undone=was, rules=rules.get(event.number)),
                steps=[step for step in order if step.player in concerned],
                others=[step for step in order if step.player not in concerned],
                undone=undoing.get(event.number),
                mine=steps.get(about) if about is not None else None,
                passing=about is not None and about not in concerned,
            )
        )
    return told


def _context(
    events: Sequence[LadderEvent],
) -> tuple[dict[int, LadderEvent], dict[int, LadderEvent], dict[int, Rules]]:
    """The context of each event, by number: what undid it; itself, if one of `events` undid it; the rules before it."""
    numbers = {event.number for event in events}
    targets = {event.payload.event for event in events if isinstance(event.payload, Undone)}
    wanted = Q(number__in=targets) | Q(kind=Undone.kind, data__event__in=numbers)
    if set_ := [event.number for event in events if event.kind == RulesSet.kind]:
        wanted |= Q(kind=RulesSet.kind, number__lte=max(set_))
    near = list(LadderEvent.objects.filter(wanted, ladder=events[0].ladder_id).order_by("number").select_related("by"))
    undoing = {event.payload.event: event for event in near if isinstance(event.payload, Undone)}
    undone = {event.number: event for event in near if event.number in targets}
    rules, last = {}, Rules()
    for event in near:
        if isinstance(event.payload, RulesSet):
            rules[event.number], last = last, event.payload.rules
    return undoing, undone, rules


def page(rows: QuerySet[LadderEvent], older: str = "", newer: str = "") -> Page[LadderEvent]:
    """A page of a ladder's events, newest first: from the top, or those older or newer than the event with a
    number. Raises BadCursor."""
    return keyset.page(rows, PAGE, "number", older=older, newer=newer)  # unique (ladder, number)


def around(rows: QuerySet[LadderEvent], text: str) -> Page[LadderEvent]:
    """The page that begins with the event of this number. Raises BadCursor if there is none."""
    [number] = keyset.place(rows, text, "number")
    found = page(rows, older=str(number + 1))
    if not found.rows or found.rows[0].number != number:
        raise BadCursor(text)
    newer = text if rows.filter(number__gt=number).exists() else ""
    return Page(found.rows, newer, found.older)


def last_order(ladder: Ladder, number: int) -> list[LadderEvent]:
    """The last order by a steward after the event with a number, if there is one that still counts: it stays whatever
    is undone before it."""
    later = list(ladder.log.filter(kind=Ordered.kind, number__gt=number).order_by("-number").select_related("by"))
    undone = undone_of(ladder) if later else set()
    return [event for event in later if event.number not in undone][:1]


def without(ladder: Ladder, event: LadderEvent) -> list[Movement]:
    """The players who would move if an event were undone."""
    undo = Event(ladder.events, ms_of(timezone.now()), Undone(event.number))
    moves = steps(ladder.now_standing(), replay([*past(ladder.log.all()), undo]))
    names = PlayerLinks(ladder, map(int, moves))
    found = [Movement(int(key), names[int(key)], before, after) for key, (before, after) in moves.items()]
    return sorted(found, key=lambda step: (step.after is None, step.after or step.before))
