"""Checks a tournament: replays its events and compares them with their links and with the matches that were played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accounts.journal.rows import first_changed
from games.engine import chance
from games.matches.models import Match
from games.tournaments import contests, events, playing
from games.tournaments.models import Tournament, TournamentEvent
from games.tournaments.payloads import (
    AnyPayload,
    EntrantPaused,
    Forfeited,
    RoundBegun,
    TableFinished,
    TableVoided,
    TeamChosen,
)
from games.tournaments.standing import TournamentStanding


class WrongTournament(Exception):
    """A disagreement between a tournament, its events and its matches."""

    def __init__(self, number: int | None, text: str) -> None:
        super().__init__(text if number is None else f"event {number}: {text}")


def check(tournament: Tournament) -> TournamentStanding:
    """The standing of a tournament, if everything stored agrees with it. Raises WrongTournament."""
    standing, rows = TournamentStanding(), list(tournament.log.order_by("number"))
    for standing, row in _steps(rows, bytes(tournament.origin)):
        _check_event(tournament, standing, row.number, row.payload)
    if len(rows) != tournament.events:
        raise WrongTournament(None, f"there are {len(rows)} events, the tournament says {tournament.events}")
    if TournamentStanding.from_json(tournament.standing) != standing:
        raise WrongTournament(None, "it does not stand as its events say")
    if (standing.closed is None) != (tournament.closed_at is None):
        raise WrongTournament(None, "it is closed, or open, against its events")
    return standing


def replayed(rows: Sequence[TournamentEvent], origin: bytes) -> TournamentStanding:
    """The standing to which events lead whose matches are elsewhere. Raises WrongTournament."""
    steps = list(_steps(rows, origin))
    if not steps:
        raise WrongTournament(None, "it has no events")
    return steps[-1][0]


def _steps(rows: Sequence[TournamentEvent], origin: bytes) -> Iterator[tuple[TournamentStanding, TournamentEvent]]:
    """Each event, and the standing after it, if it is one that could follow and its link is right."""
    standing, changed = TournamentStanding(), first_changed(rows, origin)
    for number, row in enumerate(rows):
        if row.number != number:
            raise WrongTournament(number, f"it is missing: the next one is {row.number}")
        if number == changed:
            raise WrongTournament(number, "it, or the tournament's origin, is not as it was written")
        free = set(standing.free)
        try:
            standing.apply(events.plain(row))
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            raise WrongTournament(number, f"its data is impossible: {type(error).__name__} {error}") from error
        if isinstance(row.payload, TeamChosen) and row.by_id != row.payload.player:
            raise WrongTournament(number, f"{row.payload.player} has not chosen their team themselves")
        if standing.kind == Tournament.Kind.ARENA and isinstance(row.payload, RoundBegun):
            _check_wave(free, number, row.payload)
        yield standing, row


def _check_wave(free: set[int], number: int, payload: RoundBegun) -> None:
    """Whether those who get a table of an arena were ready before."""
    if away := {player for table in payload.tables for player in table.players} - free:
        raise WrongTournament(number, f"{sorted(away)} were not ready, or were playing")


def _check_event(tournament: Tournament, standing: TournamentStanding, number: int, payload: AnyPayload) -> None:
    """Whether the matches of a tournament say so too. `standing`: after the event."""
    match payload:
        case TableFinished() | TableVoided() if tournament.at_table:
            pass  # at the real table nothing but people's word says how a game ended
        case TableFinished() | TableVoided():
            key = standing.rounds[payload.round].tables[payload.table].match
            played = Match.objects.filter(key=key, club=tournament.club_id, agreed=tournament.page).first()
            if played is None:
                raise WrongTournament(number, f"there is no match {key} of this tournament")
            if _wrong(tournament, played, payload):
                raise WrongTournament(number, f"it has a result that is not that of match {key}")
        case EntrantPaused(absent=True):
            table = standing.table_of(payload.player)
            missed = Match.objects.filter(key=table.match).first() if table else None
            if missed is None or payload.player not in playing.absent(missed):
                raise WrongTournament(number, f"{payload.player} has not missed a table")
        case RoundBegun(deal=int()):
            _check_deal(tournament, standing, number)
        case Forfeited():
            round_ = standing.rounds[payload.round]
            key = round_.tables[payload.table].match
            played = Match.objects.seated().filter(key=key).first() if key else None
            if key and played is None:
                raise WrongTournament(number, f"there is no match {key}")
            if played and contests.judge(played, round_.until or 0, payload.ply) != [*payload.places]:
                raise WrongTournament(number, f"the clocks of match {played.key} do not decide so")


def _wrong(tournament: Tournament, match: Match, payload: TableFinished | TableVoided) -> bool:
    """Whether an event is not what the match says."""
    if tournament.same_deal:
        return payload != playing.scored(match, payload.round, payload.table)
    places = [*payload.places] if isinstance(payload, TableFinished) else None
    return (match.result or {}).get("places") != places


def _check_deal(tournament: Tournament, standing: TournamentStanding, number: int) -> None:
    """Whether the tables of the last round have the deal to which the first event commits the site, and are hidden
    before the close and not after."""
    round_ = standing.rounds[-1]
    assert round_.deal is not None
    secret = playing.deal_secret(bytes(tournament.secret), round_.deal)
    if chance.commitment(secret) != standing.settings["commitments"][round_.deal]:
        raise WrongTournament(number, f"deal {round_.deal} is not the one that was fixed when it opened")
    for match in Match.objects.filter(key__in=[table.match for table in round_.tables]):
        if bytes(match.secret) != secret:
            raise WrongTournament(number, f"match {match.key} does not have deal {round_.deal}")
        if match.hidden != (tournament.closed_at is None):
            raise WrongTournament(number, f"match {match.key} is hidden, or open, at the wrong time")
