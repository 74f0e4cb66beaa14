"""Results from the real table: a line for each that waits, and a page for one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q, QuerySet
from django.utils.safestring import SafeString

from accounts.clubs import clubs
from accounts.models import Right, User
from accounts.web.requests import Visitor
from games.ladders.models import Ladder, LadderEvent, TablePlayer, TableResult
from games.ladders.payloads import AtTable
from games.ladders.words import events
from games.lobby.times import left

Status = TableResult.Status


@dataclass(frozen=True)
class EntryLine:
    """A result that waits, as one person sees it."""

    entry: TableResult
    told: SafeString
    """The result, in words."""
    state: str
    """`confirm` (the viewer can), `decide` (they can, as a steward), `waiting` (for others), or `over`."""
    left: str
    """The time until it lapses, in words."""
    missing: tuple[str, ...]
    """The names of those who have not confirmed it."""

    @property
    def mine(self) -> bool:
        """Whether the viewer should do something now."""
        return self.state in ("confirm", "decide")


def entries() -> QuerySet[TableResult]:
    """Results from the table, with their players."""
    players = Prefetch("players", TablePlayer.objects.select_related("user").order_by("number"))
    found = TableResult.objects.select_related("ladder__club", "entered_by", "called_by", "decided_by")
    return found.defer("ladder__standing").prefetch_related(players)


def find(of: Ladder, pk: int, user: Visitor) -> TableResult | None:
    """A result of this ladder, for those who may see it: its players, whoever entered it, and the stewards."""
    entry = entries().filter(ladder=of, pk=pk).first()
    if entry is None or not user.is_authenticated:
        return None
    entry.ladder = of
    concerned = {entry.entered_by_id, *(player.user_id for player in entry.players.all())}
    return entry if user.pk in concerned or clubs.may(of.club, user, Right.LADDER) else None


def waiting(of: Ladder, user: User, decides: bool, now: datetime) -> list[EntryLine]:
    """The results of a ladder that wait, and concern a person: as a player, or as a steward who `decides`."""
    found = entries().filter(ladder=of, status__in=TableResult.ALIVE, until__gt=now)
    if not decides:
        mine = TablePlayer.objects.filter(user=user).values("result")
        found = found.filter(Q(entered_by=user) | Q(pk__in=mine))
    lines = [line(entry, user, decides, now) for entry in found.order_by("until", "pk")]
    for each in lines:
        each.entry.ladder = of
    return sorted(lines, key=lambda each: not each.mine)


def line(entry: TableResult, user: Visitor, decides: bool, now: datetime) -> EntryLine:
    """A result as one person sees it."""
    players = list(entry.players.all())
    names = {player.user_id: events.put("%(name)s", name=player.user.username) for player in players}
    mine = next((player for player in players if player.user_id == user.pk), None)
    state = "over"
    if entry.alive and entry.until > now:
        confirms = mine is not None and not mine.confirms and entry.status != Status.DISPUTED
        able = decides and mine is None and entry.status in TableResult.DECIDED
        state = "confirm" if confirms else "decide" if able else "waiting"
    ids, places = [player.user_id for player in players], [player.place for player in players]
    return EntryLine(
        entry=entry,
        told=events.finished(names, ids, places),
        state=state,
        left=left(entry.until, now) if entry.alive else "",
        missing=tuple(player.user.username for player in players if not player.confirms),
    )


@dataclass(frozen=True)
class EntrySheet:
    """One result, as its page shows it to one person."""

    line: EntryLine
    players: list[TablePlayer]
    positions: dict[int, int]
    disputes: bool
    """Whether the visitor can dispute it."""
    asks: bool
    """Whether the visitor can ask a steward to decide."""
    withdraws: bool
    partial: bool
    """Whether the visitor could decide as a steward, had they not played."""
    early: bool
    """Whether the visitor could decide as a steward, had a player asked for it."""
    event: LadderEvent | None

    @property
    def steps(self) -> list[tuple[str, int | None, int | None]]:
        """The players who have moved by it: name, from, to."""
        names = {str(player.user_id): player.user.username for player in self.players}
        steps = self.event.steps if self.event else {}
        return [(names[player], *steps[player]) for player in names if player in steps]


def sheet(entry: TableResult, user: User, now: datetime) -> EntrySheet:
    """The page of one result, which comes from `find`."""
    players = list(entry.players.all())
    decides = clubs.may(entry.ladder.club, user, Right.LADDER)
    shown = line(entry, user, decides, now)
    played, alive = any(player.user_id == user.pk for player in players), shown.state != "over"
    counted = entry.ladder.log.filter(kind=AtTable.kind, data__result=entry.pk)
    return EntrySheet(
        line=shown,
        players=players,
        positions=entry.ladder.now_standing().positions(),
        disputes=alive and played and entry.status != Status.DISPUTED and user != entry.entered_by,
        asks=alive
        and entry.status == Status.WAITING
        and any(one.user_id == user.pk and one.confirms for one in players),
        withdraws=alive and user == entry.entered_by,
        partial=alive and played and decides and entry.status in TableResult.DECIDED,
        early=alive and not played and decides and entry.status == Status.WAITING,
        event=counted.first() if entry.status == Status.COUNTED else None,
    )
