"""Matches played in one go by bots in people's seats, with the times that people take: for tools and tests.

It writes what `games.matches.play` writes, answer by answer; only the waiting is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from django.db import transaction

from accounts.models import User
from games.engine.core import Bot, Game
from games.engine.registry import title
from games.matches import clocks, history, play, shuffle
from games.matches.clocks import instant
from games.matches.creation import create
from games.matches.models import LogEntry, Match, Seat

By = LogEntry.By
SECONDS = (1, 25)
"""How long an answer takes at a live table, and without a clock."""
DAILY_SECONDS = (600, 80_000)
"""How long an answer takes in a daily match."""


def among_others(prefix: str) -> bool:
    """Whether accounts exist whose names do not begin like this."""
    return User.objects.exclude(username__startswith=prefix).exists()


def match_of(people: Sequence[User], at: int, game: Game | None = None, **fields: Any) -> Match:
    """A match of a game (without one, of the first title) that these people, in seat order, have begun at `at`.

    `fields`: columns of Match.
    """
    game = game or title()
    options = game.options(fields.pop("options", {}))
    match = create(game, host=people[0], places=len(people), options=options, **fields)
    Seat.objects.bulk_create(Seat(match=match, index=index, user=user, ready=True) for index, user in enumerate(people))
    shuffle.begin_at_once(match, at)
    return Match.objects.seated().get(pk=match.pk)


@transaction.atomic
def perform(
    match: Match,
    bots: Sequence[Bot],
    rng: Random,
    *,
    most: int | None = None,
    leaver: int | None = None,
    why: Seat.Left = Seat.Left.RESIGN,
    ends: int | None = None,
) -> int:
    """Play a match that has just begun to its end, or until it has `most` rows or a few more; one bot for each seat.

    `leaver`: a seat that resigns or leaves halfway, so that a bot goes on, or a game of two ends. `ends`: without a
    bank of time, people hurry so that the last answer is given by then. Returns the number of rows.
    """
    rules, clock, seats = match.rules, match.clock, list(match.seats.all())
    state = history.replay(match).state(0).copy()
    at = asked_at = match.began_ms
    shortest, longest = DAILY_SECONDS if clock.days else SECONDS
    rows: list[history.Row] = []
    shown: list[str] = []

    def add(seat: int, text: str, by: int, public: str = "") -> None:
        rows.append(history.Row(seat, text, by, at))
        shown.append(public or text)

    assert state.seat is not None
    seat = state.seat
    same_answer = True
    while not state.over and (most is None or len(rows) < most):
        if not same_answer:
            # The answer before this one: the very last is left to `append`.
            seats[seat].bank_ms = clocks.bank_after(clock, asked_at, seats[seat].bank_ms, at)
            asked_at = at
        assert state.seat is not None
        seat = state.seat
        if leaver is not None and not state.early and (why != Seat.Left.TIME or seat == leaver):
            until = clocks.deadline(clock, asked_at, seats[leaver].bank_ms)
            at = until + clocks.GRACE_MS if why == Seat.Left.TIME and until is not None else at + 1000
            seats[leaver].left, seats[leaver].left_ply = why, len(rows)
            seats[leaver].save(update_fields=["left", "left_ply"])
            add(leaver, f"!{why}", By.SERVER)
            asked_at = at if seat == leaver else asked_at
            if match.places == 2:
                add(leaver, history.END, By.SERVER)
                state.stop()
                break
            leaver = None
        taken = rng.randrange(shortest * 1000, longest * 1000)
        left = clocks.left(clock, asked_at, seats[seat].bank_ms, at)
        at += taken if left is None else min(taken, left)
        move = bots[seat](state.view(seat), rng)
        add(seat, rules.text(move), By.BOT if seats[seat].plays_itself else By.PLAYER, state.shown(move))
        state.play(move)
        same_answer = state.same_answer
        while (forced := state.forced()) is not None:
            assert state.seat is not None
            add(state.seat, rules.text(forced), By.SERVER)
            state.play(forced)
            same_answer = same_answer and state.same_answer
    if rows:
        if ends is not None and at > ends:
            began, took = match.began_ms, at - match.began_ms
            rows = [row._replace(at=began + (row.at - began) * (ends - began) // took) for row in rows]
            asked_at, at = began + (asked_at - began) * (ends - began) // took, ends
        Seat.objects.bulk_update(seats, ["bank_ms"])
        match.asked_at = instant(asked_at)
        stopped = rows[-1].move == history.END
        play.append(
            match, rows, shown, state, at, answered=None if stopped else seat, same_answer=same_answer and not stopped
        )
    return len(rows)
