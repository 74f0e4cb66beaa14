"""Checks a ladder: replays its events and compares the result with everything that is stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeAlias

from accounts.journal.rows import first_changed
from accounts.models import User
from games.engine.core import RulesError
from games.ladders import at_table, overdue
from games.ladders.follow import Written, follow, named
from games.ladders.follow import WrongLadder as WrongLadder
from games.ladders.models import Challenge, Ladder, LadderEvent, TableResult
from games.ladders.payloads import (
    AtTable,
    Declined,
    Event,
    GameResult,
    OfChallenge,
    Overdue,
    Unanswered,
    Voided,
    Withdrawn,
)
from games.ladders.standing import Standing
from games.matches.chain import name_of
from games.matches.clocks import ms_of
from games.matches.finish import left_soon
from games.matches.models import Match, Seat

Status = Challenge.Status
End: TypeAlias = GameResult | OfChallenge
"""What the event says with which a challenge ends."""
EXPECTED: dict[str, tuple[list[str], ...]] = {
    Status.PLAYED: ([GameResult.kind],),
    Status.DECLINED: ([Declined.kind],),
    # Between two seasons nobody gives way; nor does anybody to a challenger who is silent too.
    Status.EXPIRED: ([Unanswered.kind], [Overdue.kind], [Withdrawn.kind], []),
    Status.VOID: ([Voided.kind], []),
    # A season that ends withdraws what has not begun.
    Status.WITHDRAWN: ([Withdrawn.kind], []),
}
"""By status of a challenge, the events that it may have; other statuses have none."""


def check(ladder: Ladder) -> Standing:
    """The result of replaying the events of a ladder, if everything stored agrees with it. Raises WrongLadder.

    Call it in a `snapshot`, so that nothing happens meanwhile.
    """
    ladder = Ladder.objects.get(pk=ladder.pk)
    rows = list(ladder.log.order_by("number"))
    standing, events = replayed(rows)
    if len(rows) != ladder.events:
        raise WrongLadder(
            min(len(rows), ladder.events), "length", f"there are {len(rows)} events, the ladder says {ladder.events}"
        )
    kept = ladder.standing
    if kept != (told := standing.to_json()):
        names = [name for name in told if not isinstance(kept, dict) or kept.get(name) != told[name]]
        raise WrongLadder(None, "standing", f"the ladder does not stand as its events say; look at: {', '.join(names)}")
    if standing.closed != (None if ladder.closed_at is None else ms_of(ladder.closed_at)):
        raise WrongLadder(None, "closed", f"it says it was closed at {ladder.closed_at}, but not so its events")
    members = set(ladder.club.members.values_list("user", flat=True))
    if strangers := sorted(standing.players.keys() - members):
        raise WrongLadder(None, "members", f"there are players who are not members: {strangers}")
    check_challenges(ladder, rows)
    check_entries(ladder, rows)
    check_links(ladder, rows)
    check_names(events)
    return standing


def replayed(rows: Iterable[LadderEvent]) -> tuple[Standing, list[Event]]:
    """The result of replaying these events, and the events themselves: see `follow`. Raises WrongLadder."""
    return follow(Written(row.number, ms_of(row.at), row.kind, row.data, row.steps) for row in rows)


def check_names(events: Iterable[Event]) -> None:
    """Raises WrongLadder for the first player, by id, who is called otherwise than when they were put on the ladder,
    unless their account is closed."""
    said = named(events)
    for user in User.objects.filter(pk__in=said, closed=False).only("salt", "username").order_by("pk"):
        if name_of(user) != said[user.pk]:
            raise WrongLadder(None, "name", f"{user.pk} is called otherwise than when they came on the ladder")


def check_links(ladder: Ladder, rows: Iterable[LadderEvent]) -> None:
    """Raises WrongLadder for the first event whose link does not follow from it and the link before."""
    number = first_changed(rows, ladder.origin)
    if number is not None:
        raise WrongLadder(number, "link", "it, or the ladder's origin, is not as it was written")


def check_challenges(ladder: Ladder, rows: Iterable[LadderEvent]) -> None:
    """Raises WrongLadder for the first challenge, by id, that contradicts the events."""
    ends: dict[int, list[LadderEvent]] = defaultdict(list)
    for row in rows:
        if isinstance(row.payload, End):
            ends[row.payload.challenge].append(row)
    challenges = ladder.challenges.select_related("match").prefetch_related("parties", "match__seats").order_by("pk")
    for challenge in challenges:
        check_challenge(challenge, ends.pop(challenge.pk, []))
    for stray in ends.values():
        raise WrongLadder(stray[0].number, "challenge", "its challenge is not one of this ladder")


def check_challenge(challenge: Challenge, ends: list[LadderEvent]) -> None:
    """Raises WrongLadder if a challenge contradicts the events that ended it."""
    last = ends[-1] if ends else None
    played, players = challenge.match, [party.user_id for party in challenge.parties.all()]

    def wrong(text: str) -> WrongLadder:
        return WrongLadder(last.number if last else None, "challenge", f"challenge {challenge.pk} {text}")

    kinds = [end.kind for end in ends]
    if kinds not in EXPECTED.get(challenge.status, ([],)):
        raise wrong(f"is “{challenge.status}”, but has the events {kinds}")
    if challenge.alive == (challenge.ended_at is not None):
        raise wrong(f"is “{challenge.status}”, but ended at {challenge.ended_at}")
    try:
        sizes = challenge.rules.seats
    except RulesError as error:
        raise wrong(str(error)) from error
    if players[:1] != [challenge.challenger_id] or len(players) < 2 or len(players) not in sizes:
        raise wrong(f"was made by {challenge.challenger_id}, but is to be played by {players}")
    if played and [seat.user_id for seat in played.seats.all()] != players:
        raise wrong(f"is to be played by {players}, but others sit at {played.key}")
    if played and (played.game, played.version) != (challenge.game, challenge.version):
        raise wrong(f"is for {challenge.game}/{challenge.version}, but its match is {played.game}/{played.version}")
    running = played is not None and played.status == Match.Status.RUNNING
    over = played is not None and played.status in (Match.Status.FINISHED, Match.Status.ABORTED)
    wake_at = challenge.ladder.wake_at
    if challenge.alive and played and over and played.ended_at and wake_at and wake_at <= played.ended_at:
        return  # the worker will do it, after what was due before
    if (challenge.status == Status.PLAYING) != (challenge.alive and running) or (challenge.alive and over):
        raise wrong(f"is “{challenge.status}”, but its match is “{played.status if played else 'not there'}”")
    if last is None:
        return
    match last.payload:
        case Withdrawn(player=player, others=others):
            if [player, *others] != players:
                raise wrong("was made by, or to, others than its event says")
        case Unanswered(player=player, other=other) | Declined(player=player, other=other):
            if [player, other] != players[:2]:
                raise wrong("was made by, or to, others than its event says")
        case GameResult() | Voided() | Overdue() as said:
            if ([*said.players], said.match) != (players, played.key if played else ""):
                raise wrong("has a match, or players, others than its event says")
    if isinstance(last.payload, GameResult):
        check_result(last.payload, last.at, played, wrong)
        gone = overdue.gone(challenge, players, last.at) if len(players) > 2 else []
        if [*last.payload.gone] != gone:
            raise wrong(f"counts without {[*last.payload.gone]}, but those who had left the ladder are {gone}")
    elif isinstance(last.payload, Overdue):
        late = overdue.late(challenge, last.at, last.payload.ply)
        if [*last.payload.late] != late:
            raise wrong(f"was not over in time; at fault are {late}, not {[*last.payload.late]}")


def check_entries(ladder: Ladder, rows: Iterable[LadderEvent]) -> None:
    """Raises WrongLadder for the first result from the table that contradicts the events."""
    counted: dict[int, list[LadderEvent]] = defaultdict(list)
    for row in rows:
        if isinstance(row.payload, AtTable):
            counted[row.payload.result].append(row)
    for entry in ladder.table_results.prefetch_related("players").order_by("pk"):
        found = counted.pop(entry.pk, [])
        number = found[-1].number if found else None
        if entry.alive == (entry.ended_at is not None) or len(found) != (entry.status == TableResult.Status.COUNTED):
            told = f"result {entry.pk} is “{entry.status}”, ended at {entry.ended_at}, with {len(found)} events"
            raise WrongLadder(number, "result", told)
        players = list(entry.players.all())
        expected = at_table.payload(entry, players)
        if found and (found[0].payload != expected or found[0].at != entry.ended_at):
            raise WrongLadder(number, "result", f"it has {found[0].payload}, but result {entry.pk} has {expected}")
        silent = [player.user_id for player in players if not player.confirms]
        if found and (found[0].by_id != entry.decided_by_id if entry.decided_by_id else silent):
            raise WrongLadder(number, "result", f"{silent} have not confirmed result {entry.pk}, nor a steward")
    for stray in counted.values():
        raise WrongLadder(stray[0].number, "result", "what was entered is not one of this ladder")


def check_result(said: GameResult, at: datetime, match: Match | None, wrong: Callable[[str], WrongLadder]) -> None:
    """Raises WrongLadder if a result is not that of its match."""
    if match is None or match.status != Match.Status.FINISHED or not match.result:
        raise wrong(f"has a result, but its match is “{match.status if match else 'not there'}”")
    places = match.result["places"]
    seats = list(match.seats.all())
    late = [seat.user_id for seat in seats if seat.left == Seat.Left.TIME]
    soon = [seat.user_id for seat in seats if left_soon(match, seat)]
    if said.link != bytes(match.link).hex():
        raise wrong("has the result of another log than that of its match")
    told = [*said.places], [*said.late], [*said.soon]
    if told != (places, late, soon):
        found = f"{told[0]}, out of time {told[1]}, left soon {told[2]}"
        raise wrong(f"has the result {found}; that of its match is {places}, out of time {late}, left soon {soon}")
    if at != match.ended_at:
        raise wrong(f"has a result of {at}, but its match ended at {match.ended_at}")
