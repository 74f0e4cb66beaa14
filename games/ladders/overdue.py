"""Whose fault it is that the game of a challenge is not over in time.

A game that has not begun is the fault of those who came to its table on fewer than `ENOUGH` days. To come is to be
ready in the open waiting room until it closes by itself, for want of the others: whoever joins meanwhile finds the game
begun, so that nobody can be counted there without being ready to play. Days count, so that nobody gains by a night
alone there; nor by coming on more days than others, or a machine could wait there. A game that has begun is the fault
of those who left it, and of those still there who have used more than their share of the time: those who are there at a
moment share it equally. Either is also the fault of those who have left the ladder since the game was agreed, even if
they have come back to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import pairwise, takewhile

from games.ladders.models import Challenge
from games.ladders.payloads import Left
from games.matches import history
from games.matches.clocks import ms_of
from games.matches.history import Row
from games.matches.models import Match, Seat

ENOUGH = 2
"""Whoever has come to a table on so many days, or on one if there was no more time, is not at fault that its game has
not begun."""
WAITED = timedelta(minutes=10)
"""Who is ready in a waiting room has come once nothing has happened there for this long; it closes soon after."""


def late(challenge: Challenge, at: datetime, ply: int) -> list[int]:
    """The players at fault (ids) in a challenge whose time was up at `at`: possibly all of them, or nobody.

    `ply`: how long the log of its match was when that was found. An answer of before may come to it later, as by a
    standing order after an outage, and changes nothing any more.
    """
    players = [party.user_id for party in challenge.parties.all()]
    fault = {*_fault(challenge, players, at, ply), *gone(challenge, players, at)}
    return [player for player in players if player in fault]


def gone(challenge: Challenge, players: Sequence[int], at: datetime) -> list[int]:
    """Those of the players who have left the ladder between the agreement on a challenge and `at`."""
    leaves = challenge.ladder.log.filter(kind=Left.kind, at__gte=challenge.agreed_at, at__lt=at)
    left = set(leaves.values_list("data__player", flat=True))
    return [player for player in players if player in left]


def _fault(challenge: Challenge, players: list[int], at: datetime, ply: int) -> list[int]:
    match = Match.objects.seated().filter(challenge=challenge).first()
    if match is None or match.started_at is None:
        came = visits(challenge, at)
        assert challenge.finish_by and challenge.agreed_at
        enough = max(1, min(ENOUGH, (challenge.finish_by - challenge.agreed_at).days))
        return [player for player in players if came[player] < enough]
    rows, until = history.replay(match).rows[:ply], ms_of(at)
    spent, shares = spent_ms(match, rows, until), shares_ms(match, rows, until)
    late = [
        seat.user_id
        for seat, ms, share in zip(match.sitting, spent, shares, strict=True)
        if seat.user_id is not None and (ms > share or leaves(seat, rows, until))
    ]
    return late or players


def leaves(seat: Seat, rows: Sequence[Row], until: int) -> bool:
    """Whether the player of a seat has left in these rows, by a moment."""
    return seat.left_ply is not None and seat.left_ply < len(rows) and rows[seat.left_ply].at <= until


def visits(challenge: Challenge, at: datetime) -> Counter[int]:
    """On how many days (UTC) each player has come to the table of a live game in vain; those who never did are left
    out."""
    return all_visits([challenge], at)[challenge.page]


def all_visits(challenges: Sequence[Challenge], at: datetime) -> dict[str, Counter[int]]:
    """The `visits` to the tables of challenges of one ladder, by the page of the challenge: one query."""
    found: dict[str, Counter[int]] = {challenge.page: Counter() for challenge in challenges}
    if challenges:
        club = challenges[0].ladder.club_id
        rooms = Match.objects.filter(club=club, agreed__in=found, asked_at__lte=at - WAITED)
        rooms = rooms.filter(status__in=(Match.Status.OPEN, Match.Status.CLOSED))
        waited = Seat.objects.filter(match__in=rooms, ready=True, user__isnull=False)
        rows = waited.values_list("match__agreed", "match__asked_at", "user")
        for page, _, player in {(page, asked.date(), player) for page, asked, player in rows if asked}:
            found[page][player] += 1
    return found


def spent_ms(match: Match, rows: Sequence[Row], until: int) -> list[int]:
    """For how long each seat of a match that has begun had the turn until a moment, in milliseconds, by the first rows
    of its log."""
    spent, since = [0] * match.places, match.began_ms
    rows = list(takewhile(lambda row: row.at <= until, rows))
    for row in rows:
        if not row.is_event:
            spent[row.seat] += row.at - since
            since = row.at
    mover = history.replay(match).state(len(rows)).seat
    if mover is not None:
        spent[mover] += max(0, until - since)
    return spent


def shares_ms(match: Match, rows: Sequence[Row], until: int) -> list[Fraction]:
    """For how long each seat would have had the turn by then if those still there had always shared it equally."""
    rows = list(takewhile(lambda row: row.at <= until, rows))
    gone = [len(rows) if seat.left_ply is None else seat.left_ply for seat in match.sitting]
    shares = [Fraction() for _ in gone]
    moments = [match.began_ms, *(row.at for row in rows), until]
    for ply, (begins, ends) in enumerate(pairwise(moments)):
        there = [seat for seat, last in enumerate(gone) if ply <= last]
        for seat in there:
            shares[seat] += Fraction(ends - begins, len(there))
    return shares
