"""What comes next in a tournament whose rounds follow a plan, and how it stands: round robin, Swiss, knock-out, box
league. Pure: both follow from its standing.

In games of two a win is two points, and a shared one is one. At larger tables the points are matchpoints
(`games.tournaments.placepoints`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from games.tournaments.pairing import berger, boxes, groups, knockout, swiss
from games.tournaments.placepoints import AVERAGE, matchpoints
from games.tournaments.standing import RoundTable, TournamentStanding
from games.tournaments.tiebreaks import CountedGame, Scores, TableRow, TieBreak, ranked

WIN = 2
MOST_ROBIN = 16
"""The most people of a round robin: each of them plays all others."""
BREAKS: dict[str, tuple[TieBreak, ...]] = {
    "round_robin": (TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER, TieBreak.GAME),
    "boxes": (TieBreak.DIRECT, TieBreak.SONNEBORN_BERGER, TieBreak.GAME),
    "swiss": (TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.GAME),
    "knockout": (),
}
"""The tie-breaks of each kind, in their order."""


@dataclass(frozen=True)
class NextRound:
    """A round to begin."""

    tables: tuple[groups.Table, ...]
    byes: tuple[int, ...] = ()


def first_groups(kind: str, order: Sequence[int], size: int) -> tuple[tuple[int, ...], ...]:
    """The players in the groups in which they play, the best first: the boxes of about `size`, or all together."""
    return boxes.divide(order, size) if kind == "boxes" else (tuple(order),)


def next_groups(standing: TournamentStanding, present: Collection[int], size: int) -> tuple[tuple[int, ...], ...]:
    """The boxes of the next turn: two went up and two down, who left is left out, and who is new comes last."""
    finals = [tuple(row.player for row in rows(standing, group)) for group in standing.groups]
    order = [player for box in boxes.move(finals) for player in box if player in present]
    return boxes.divide(
        [*order, *(player for player in standing.here if player in present and player not in order)], size
    )


def rounds_left(standing: TournamentStanding) -> list[NextRound]:
    """The rounds of a round robin, or of the turn of a league, that have not begun: those of all boxes side by side."""
    plans = [(group, berger.rounds(len(group))) for group in standing.groups]
    found = []
    for number in range(standing.turn_rounds, max((len(plan) for _group, plan in plans), default=0)):
        pairs = [(group[a], group[b]) for group, plan in plans if number < len(plan) for a, b in plan[number]]
        playing = {player for pair in pairs for player in pair}
        byes = tuple(player for group, plan in plans if number < len(plan) for player in group if player not in playing)
        found.append(NextRound(tuple(pairs), byes))
    return found


def next_rounds(standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
    """The rounds that can begin once all tables are over; none if the tournament, or a turn of a league, is at its end.

    Among them may be pairs of whom one or both are not `present`. Of a round robin and a league these are all that are
    left, else it is one.
    """
    if standing.kind in ("round_robin", "boxes"):
        return rounds_left(standing)
    if finished(standing, present):
        return []
    seeds = [*standing.groups[0], *(player for player in standing.here if player not in standing.groups[0])]
    if standing.kind == "knockout":
        seating = knockout.pair(standing.groups[0], lost(standing) | (set(standing.groups[0]) - set(present)))
        return [NextRound(seating.tables, seating.byes)]
    order = [row.player for row in rows(standing, seeds) if row.player in present]
    points = {player: round(2 * won) for player, won in scores(standing).items()}
    met = groups.meetings([table.players for table in each.tables] for each in standing.rounds)
    if standing.seats == 2:
        seating = swiss.pair(order, points, met, standing.byes)
    else:
        seating = swiss.tables(order, standing.seats, points, chance, met=met, byes=standing.byes)
    return [NextRound(seating.tables, seating.byes)]


def finished(standing: TournamentStanding, present: Collection[int]) -> bool:
    """Whether no round follows, or no turn but by a new one: asked when all tables are over."""
    match standing.kind:
        case "round_robin" | "boxes":
            return not rounds_left(standing)
        case "swiss":
            return len(standing.rounds) >= standing.settings["rounds"] or len(present) < 2
        case _:
            out = lost(standing) | (set(standing.groups[0]) - set(present))
            return not knockout.pair(standing.groups[0], out).tables


def winner(standing: TournamentStanding, table: RoundTable) -> int:
    """Who goes on after a game of a knock-out: the better seed if the place was shared or the game does not count."""
    best = [player for player, place in zip(table.players, table.places, strict=False) if place == 1] or table.players
    return min(best, key=standing.groups[0].index)


def lost(standing: TournamentStanding) -> set[int]:
    """Who is out of a knock-out, because they lost."""
    tables = [table for each in standing.rounds for table in each.tables if table.over]
    return {player for table in tables for player in table.players if player != winner(standing, table)}


def gained(standing: TournamentStanding, table: RoundTable) -> list[float]:
    """The points by seat of a table with a result."""
    won = matchpoints(table.places)
    return won if standing.seats > 2 else [WIN * each / (2 * AVERAGE) for each in won]


def scores(standing: TournamentStanding) -> dict[int, float]:
    """The points of everybody in this turn; in a Swiss tournament a bye is worth a win, or the average of a table."""
    points = dict.fromkeys([*standing.entrants, *(player for group in standing.groups for player in group)], 0.0)
    for each in standing.this_turn:
        for table in each.tables:
            if table.places:
                for player, won in zip(table.players, gained(standing, table), strict=True):
                    points[player] += won
        if standing.kind == "swiss":
            for player in each.byes:
                points[player] += WIN if standing.seats == 2 else AVERAGE
    return points


def rows(standing: TournamentStanding, players: Sequence[int]) -> list[TableRow]:
    """The table of these players, who are given by their seeds: of a group, in this turn."""
    if standing.kind == "knockout":
        return _knockout_rows(standing, players)
    played = [table for each in standing.this_turn for table in each.tables if table.over]
    unplayed = dict.fromkeys(players, 0)
    for each in standing.this_turn:
        for player in [
            *each.byes,
            *(p for table in each.tables if table.over and not table.places for p in table.players),
        ]:
            unplayed[player] = unplayed.get(player, 0) + 1
    games = [CountedGame(table.players, table.places, table.points) for table in played if table.places]
    return ranked(Scores(scores(standing), games, unplayed), players, BREAKS[standing.kind])


def _knockout_rows(standing: TournamentStanding, players: Sequence[int]) -> list[TableRow]:
    """By the number of rounds that they have survived, with and without a game; then who has lost or withdrawn comes
    after the others."""
    survived, out = dict.fromkeys(players, 0), lost(standing)
    for each in standing.rounds:
        for player in [*each.byes, *(winner(standing, table) for table in each.tables if table.over)]:
            survived[player] += 1
    still = {player: player not in out and standing.entrants[player].here for player in players}
    key = {player: (survived[player], still[player]) for player in players}
    return [
        TableRow(1 + sum(other > key[player] for other in key.values()), player, survived[player], {})
        for player in sorted(players, key=lambda player: key[player], reverse=True)
    ]


def judged(spent: Sequence[int], shares: Sequence[Fraction], gone: Sequence[bool]) -> list[int]:
    """The places by seat of a game that is not over in time: who has left, or has used more than their share of the
    time, comes after the others. All share the first place if that is nobody or everybody."""
    late = [left or ms > share for ms, share, left in zip(spent, shares, gone, strict=True)]
    on_time = late.count(False)
    return [1 + on_time if on_time and each else 1 for each in late]
