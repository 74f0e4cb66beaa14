"""A tournament of games of two as a report in the format of the chess federation FIDE (TRF16), which the programs of
arbiters read: lines of fixed columns. `docs/tournaments.md` says what of a tournament it cannot tell."""

from __future__ import annotations

from typing import NamedTuple

from games.matches.clocks import instant
from games.tournaments import words
from games.tournaments.contest import TournamentPage
from games.tournaments.models import Tournament
from games.tournaments.standing import Round

WORTH = {"1": 1.0, "+": 1.0, "U": 1.0, "=": 0.5, "H": 0.5}
"""The points of each result; the others give none."""


class TrfCell(NamedTuple):
    """What a player did in a round."""

    result: str
    rival: int = 0
    """Their starting rank; 0 without a game."""


def written(page: TournamentPage) -> str:
    """The report of a tournament that has one (`TournamentPage.fide`). Each line ends with a carriage return and a line
    feed."""
    standing, tournament = page.standing, page.tournament
    places = {row.player: row.place for group in page.groups for row in group.rows}
    seeds = [player for group in standing.first_groups for player in group]
    players = [*seeds, *(player for player in standing.entrants if player in places and player not in seeds)]
    ranks = {player: rank for rank, player in enumerate(players, 1)}
    byes = "Z" if tournament.kind == Tournament.Kind.ROUND_ROBIN else "U"
    lines = [f"012 {_line(tournament.name)}"]
    if page.calendar and page.calendar.place:
        lines.append(f"022 {_line(page.calendar.place)}")
    for code, ms in (("042", standing.began), ("052", standing.closed)):
        if ms is not None:
            lines.append(f"{code} {instant(ms):%Y/%m/%d}")
    lines += [f"062 {len(players)}", "072 0", "082 0", f"092 {words.FIDE[tournament.kind]}"]
    dates = "".join(f"  {instant(each.at):%y/%m/%d}" for each in standing.rounds)
    lines.append(f"{'132':89}{dates}")
    for player in players:
        cells = [_cell(each, player, ranks, byes) for each in standing.rounds]
        points = sum(WORTH.get(cell.result, 0) for cell in cells)
        name = _line(page.shown[player].name)[:33]
        rounds = "".join(f"  {cell.rival:04} - {cell.result}" for cell in cells)
        lines.append(f"001 {ranks[player]:4}      {name:33}{'':32}{points:5.1f} {places.get(player, 0):4}{rounds}")
    return "".join(f"{line.rstrip()}\r\n" for line in lines)


def _cell(round_: Round, player: int, ranks: dict[int, int], bye: str) -> TrfCell:
    if player in round_.halves:
        return TrfCell("H")
    if player in round_.byes:
        return TrfCell(bye)
    table = next((each for each in round_.tables if player in each.players), None)
    if table is None:
        return TrfCell("Z")
    [rival] = (ranks[other] for other in table.players if other != player)
    if not table.over:
        return TrfCell(" ", rival)
    if not table.places:
        return TrfCell("-", rival)
    mine = table.places[table.players.index(player)]
    if table.late:
        return TrfCell("-" if player in table.late else "+", rival)
    return TrfCell("=" if table.places == (1, 1) else "1" if mine == 1 else "0", rival)


def _line(text: str) -> str:
    """Text in one line."""
    return " ".join(text.split())
