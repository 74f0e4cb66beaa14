"""The pace of bots at a table: who sets it, and how the only person skips to their next question."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.web.refused import Refused
from games.hub import nudges
from games.matches import history
from games.matches.clocks import instant, now_ms
from games.matches.models import Match, Seat
from games.matches.play import edited, locked
from games.matches.turn import question


def setter(match: Match) -> int | None:
    """The seat whose player sets the pace: the host's while they play, else that of the first person who does.

    None where no bot plays, and where nobody else does."""
    people = [seat for seat in match.sitting if not seat.plays_itself]
    hosts = [seat.index for seat in people if seat.user_id == match.host_id]
    return next(iter(hosts or [seat.index for seat in people]), None) if len(people) < match.places else None


def alone(match: Match, index: int) -> bool:
    """Whether all others at the table are bots: only then may a player skip."""
    return all(seat.plays_itself != (seat.index == index) for seat in match.sitting)


@transaction.atomic
def choose(match: Match, seat: Seat, tempo: str) -> None:
    """Set the pace for a player at once; it is remembered for the tables that they open. Raises Refused."""
    match = locked(match)
    if match.status != Match.Status.RUNNING or setter(match) != seat.index or tempo not in User.Tempo.values:
        raise Refused(_("The host of the table sets the pace of the bots."))
    User.objects.filter(seats=seat).update(tempo=tempo)
    if tempo != match.tempo:
        _change(match, tempo=tempo)


@transaction.atomic
def skip(match: Match, seat: Seat) -> None:
    """Let the bots answer at once until a player is asked who is alone with them. Raises Refused."""
    match = locked(match)
    if match.status != Match.Status.RUNNING or not alone(match, seat.index):
        raise Refused(_("Only a player who is alone with bots can skip."))
    if match.mover != seat.index:
        _change(match, skipped=match.ply)


def _change(match: Match, **fields: Any) -> None:
    """Change a locked match, and when the bot whose turn it is answers."""
    for name, value in fields.items():
        setattr(match, name, value)
    # In a guided game the bots may wait for somebody to read what it is about.
    if match.wake_at and match.mover is not None and match.sitting[match.mover].plays_itself:
        state = history.replay(match).state(match.ply)
        # Its pause began with its question: who changes the pace again and again does not hold up the others.
        due = question(match, state, match.sitting, {}, match.asked_ms, match.asked_ms)["wake_at"]
        fields |= {"wake_at": max(due, instant(now_ms()))}
    edited(match, **fields)
    transaction.on_commit(nudges.wake)
    nudges.changed(match.key)
