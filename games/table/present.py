"""A match as one viewer may see it: makes the `Scene` of the present; `review` makes those of earlier positions."""

from __future__ import annotations

from accounts.models import ArchivedMatch
from accounts.web.requests import Visitor
from games.engine.core import View
from games.hub import nudges
from games.matches import access, clocks, history, rematches, tempo
from games.matches.clocks import now_ms
from games.matches.models import LogEntry, Match
from games.matches.scene import Offer, Scene, Sitter

NEWS_FOR_WATCHERS = 3
"""The number of rows of the log shown to spectators as news."""


def standings(keys: list[str]) -> dict[str, tuple[int, int, str]]:
    """The state of these matches, by key: ply, revision, status."""
    rows = Match.objects.filter(key__in=keys).values_list("key", "ply", "revision", "status")
    return {key: (ply, revision, status) for key, ply, revision, status in rows}


class MatchSnapshot:
    """A match as it stands now."""

    def __init__(self, match: Match) -> None:
        self.match, self.replay = match, history.replay(match)
        running = match.status == Match.Status.RUNNING
        ply = match.ply
        self.offer = Offer() if running else rematches.offer(match)
        """The rematch, as the players may know it."""
        self.watched: Scene[View] = Scene(
            key=match.key,
            game=match.rules,
            options=match.options,
            rated=match.rated,
            pace=match.pace,
            control=match.clock[1:],
            status=match.status,
            sitters=sitters(match),
            me=None,
            playing=False,
            ply=ply,
            view=self.replay.view(ply, None),
            steps=self.replay.seen_by(None, ply),
            since=max(0, ply - NEWS_FOR_WATCHERS),
            now=now_ms(),
            deadline=match.deadline,
            can_abort=running and self.replay.state(ply).early,
            counts=match.counts,
            guided=match.guided,
            watchers=nudges.watchers(match.key, {seat.user_id for seat in match.sitting}),
            result=match.result,
            offer=rematches.seen_by_watchers(match, self.offer),
            ratings=rating_changes(match),
            hidden=match.hidden,
            shared=match.status == Match.Status.FINISHED and access.may_see(match, None),
            link=bytes(match.link).hex(),
            lines=self.replay.chained(ply),
        )
        """What a watcher sees."""

    def scene(self, index: int | None, came_from: access.MatchContext | None = None) -> Scene[View]:
        """What the seat `index` sees, or a watcher (None).

        `came_from`: what the viewer may know of the match; needed when it is over.
        """
        match, replay, ply = self.match, self.replay, self.match.ply
        running = match.status == Match.Status.RUNNING
        ladder = came_from.challenge if came_from and not running else ""
        if index is None:
            return self.watched.with_(ladder=ladder)
        view, steps = replay.view(ply, index), replay.seen_by(index, ply)
        seat = match.sitting[index]
        if seat.left or not running:
            return self.watched.with_(ladder=ladder, me=index, view=view, steps=steps, offer=self.offer)
        orders = tuple([kept.order for kept in seat.kept_orders])
        since = last_answer(replay, index, ply)
        return self.watched.with_(
            me=index,
            view=view,
            steps=steps,
            playing=True,
            since=since,
            orders=orders,
            tempo=match.tempo if tempo.setter(match) == index else "",
            skips=tempo.alone(match, index),
        )


def context_at_end(match: Match, user: Visitor) -> access.MatchContext | None:
    """The same for a board, which links to it when the match is over; None while it runs, without a query."""
    return None if match.status == Match.Status.RUNNING else access.context(match, user)


def last_answer(replay: history.Replay, index: int, ply: int) -> int:
    """The ply after the last answer that the player of a seat gave in person."""
    for at in range(ply - 1, -1, -1):
        if replay.rows[at].seat == index and replay.rows[at].by == LogEntry.By.PLAYER:
            return at + 1
    return 0


def sitters(match: Match) -> list[Sitter]:
    """The players at the table, in seat order."""
    here = nudges.here(match.key)
    correspondence = match.pace == Match.Pace.DAILY
    full_ms = match.days * clocks.DAY_MS
    return [
        Sitter(
            index=seat.index,
            person=seat.occupant,
            left=seat.left,
            here=None if correspondence else seat.plays_itself or seat.user_id in here,
            left_ms=(full_ms or seat.bank_ms) if match.pace != Match.Pace.NONE else None,
            vote=seat.vote,
        )
        for seat in match.sitting
    ]


def rating_changes(match: Match) -> tuple[tuple[float, float] | None, ...]:
    """By seat, the rating before and after a rated match; empty for others."""
    if not match.rated or match.status != Match.Status.FINISHED:
        return ()
    rows = ArchivedMatch.objects.filter(match=match.key).values_list("seat", "before", "after")
    changes = {seat: (before, after) for seat, before, after in rows if before is not None and after is not None}
    return tuple(changes.get(seat.index) for seat in match.sitting)
