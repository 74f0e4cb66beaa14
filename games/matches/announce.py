"""Tells everybody who follows a match about its new turns: pages, other processes, the worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, cast

from games.hub import metrics, nudges, relay
from games.matches import history
from games.matches.clocks import ms_of, now_ms
from games.matches.turn import Turn

SOON_MS = 500
"""Work that is due within this time wakes the worker; for anything later it looks by itself."""


class Follower(nudges.Listener, Protocol):
    """What listens to a match."""

    def turned(self, turn: Turn) -> None:
        """A turn is in the log."""


def turned(turns: Sequence[Turn]) -> None:
    """Tell everybody that these turns are in the log. Called after the commit."""
    calls: list[tuple[nudges.Listener, Callable[[], None]]] = []
    soon = now_ms() + SOON_MS
    for turn in turns:
        key = turn.match.key
        history.added(key, turn.ply, turn.rows)
        followers = cast(list[Follower], nudges.listeners(key))
        calls += [(table, partial(table.turned, turn)) for table in followers]
        relay.send(match=key, ply=turn.header["ply"])
        if turn.ends:
            relay.send(lobby=True)
            calls += [(page, page.nudged) for page in nudges.listeners(nudges.LOBBY)]
        wake_at = turn.header.get("wake_at")
        if wake_at is not None and ms_of(wake_at) < soon:
            nudges.wake()
    metrics.moves.inc(len(turns))
    metrics.commit_moves.observe(len(turns))
    nudges.call(calls)
