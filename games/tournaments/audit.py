"""Checks a tournament: replays its events and compares them with their links and with the matches that were played."""

from __future__ import annotations

from typing import Any

from games.engine import chance
from games.matches.models import Match
from games.tournaments import contests, events, playing
from games.tournaments.models import Tournament
from games.tournaments.standing import EventKind, TournamentStanding


class WrongTournament(Exception):
    """A disagreement between a tournament, its events and its matches."""

    def __init__(self, number: int | None, text: str) -> None:
        super().__init__(text if number is None else f"event {number}: {text}")


def check(tournament: Tournament) -> TournamentStanding:
    """The standing of a tournament, if everything stored agrees with it. Raises WrongTournament."""
    standing, link = TournamentStanding(), events.first_link(tournament)
    rows = list(tournament.log.order_by("number"))
    for number, row in enumerate(rows):
        if row.number != number:
            raise WrongTournament(number, f"it is missing: the next one is {row.number}")
        link = events.next_link(link, row)
        if bytes(row.link) != link:
            raise WrongTournament(number, "it, or the tournament's origin, is not as it was written")
        try:
            standing.apply(events.plain(row))
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            raise WrongTournament(number, f"its data is impossible: {type(error).__name__} {error}") from error
        if row.kind in (EventKind.RESULT, EventKind.VOID):
            key = standing.rounds[row.data["round"]].tables[row.data["table"]].match
            match = Match.objects.filter(key=key, club=tournament.club_id, agreed=tournament.page).first()
            if match is None:
                raise WrongTournament(number, f"there is no match {key} of this tournament")
            if _wrong(tournament, match, row.data):
                raise WrongTournament(number, f"it has a result that is not that of match {key}")
        if row.kind == EventKind.ROUND and "deal" in row.data:
            _check_deal(tournament, standing, number)
        if row.kind == EventKind.FORFEIT:
            round_ = standing.rounds[row.data["round"]]
            key = round_.tables[row.data["table"]].match
            match = Match.objects.seated().filter(key=key).first() if key else None
            if key and match is None:
                raise WrongTournament(number, f"there is no match {key}")
            if match and contests.judge(match, round_.until or 0, row.data["ply"]) != row.data["places"]:
                raise WrongTournament(number, f"the clocks of match {match.key} do not decide so")
    if len(rows) != tournament.events:
        raise WrongTournament(None, f"there are {len(rows)} events, the tournament says {tournament.events}")
    if TournamentStanding.from_json(tournament.standing) != standing:
        raise WrongTournament(None, "it does not stand as its events say")
    if (standing.closed is None) != (tournament.closed_at is None):
        raise WrongTournament(None, "it is closed, or open, against its events")
    return standing


def _wrong(tournament: Tournament, match: Match, data: dict[str, Any]) -> bool:
    """Whether the data of an event is not what the match says."""
    if tournament.same_deal:
        return any(data[name] != value for name, value in playing.scored(match).items())
    return (match.result or {}).get("places") != data.get("places")


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
