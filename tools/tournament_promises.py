"""Whether a tournament held what its kind promises, by its events. Pure.

It shares with the pairing only what has been played: Swiss pairs are compared with all other pairs there could be
(`tools.pairing_promises`), and who met whom is counted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, permutations

from games.tournaments import plan
from games.tournaments.formats.groups import group_phase
from games.tournaments.formats.teams import team_of
from games.tournaments.pairing.arena import AGAIN_MS, FEW
from games.tournaments.pairing.boxes import LEAST, MOST, MOVE
from games.tournaments.pairing.groups import Seating, meetings
from games.tournaments.payloads import Begun, PastEvent, RoundBegun
from games.tournaments.standing import TournamentStanding
from tools import pairing_promises
from tools.pairing_promises import BrokenPromise


def check(events: Iterable[PastEvent]) -> None:
    """Check all rounds of a tournament, of any kind. Raises BrokenPromise."""
    standing = TournamentStanding()
    for event in events:
        match event.payload:
            case Begun(groups=groups) if standing.kind == "boxes":
                _check_boxes(standing, groups)
            case Begun(groups=groups) if standing.kind == "groups" and standing.groups:
                _check_knockout(standing, groups)
            case RoundBegun() as begun:
                _check_round(standing, begun)
                if standing.kind == "arena":
                    _check_wave(standing, [table.players for table in begun.tables], event.at)
        standing.apply(event)
    if standing.kind == "teams" and standing.groups:
        _check_teams_met(standing)
    if standing.kind in ("round_robin", "boxes", "groups") and standing.groups:
        _check_everybody_met(group_phase(standing) if standing.kind == "groups" else standing)


def _check_round(standing: TournamentStanding, begun: RoundBegun) -> None:
    tables = [table.players for table in begun.tables]
    seated, byes = [player for table in tables for player in table], begun.byes
    if len({*seated, *byes}) != len(seated) + len(byes):
        raise BrokenPromise(f"somebody has two seats of a round: {tables}, {byes}")
    beside = begun.until is not None and standing.kind in ("round_robin", "boxes", "groups", "teams")
    if not beside and (twice := standing.busy & set(seated)):
        raise BrokenPromise(f"{sorted(twice)} still play at another table")
    match standing.kind:
        case "knockout" | "double" | "groups":
            if again := plan.lost(standing) & {*seated, *byes}:
                raise BrokenPromise(f"{sorted(again)} go on, and have lost")
        case "swiss" if standing.seats == 2:
            points = {player: round(2 * won) for player, won in plan.scores(standing).items()}
            met = meetings([table.players for table in each.tables] for each in standing.rounds)
            pairing_promises.check_round([*seated, *byes], points, met, standing.byes, Seating(tuple(tables), byes))
        case "swiss" | "evening" | "duplicate":
            had = standing.byes
            most = max((had.get(player, 0) for player in byes), default=0)
            if any(had.get(player, 0) < most for player in seated):
                raise BrokenPromise(f"a bye more than others have had: {byes}")


def _check_wave(standing: TournamentStanding, tables: Sequence[Sequence[int]], at: int) -> None:
    """Who is paired in an arena is there and ready; among many nobody meets the one whom they met last."""
    if away := {player for table in tables for player in table} - set(standing.free):
        raise BrokenPromise(f"{sorted(away)} have paused, left or are playing")
    many = len({*standing.free, *standing.busy}) > FEW
    for table in tables:
        for one, other in permutations(table, 2):
            last = standing.table_of(one)
            waited = at - max(standing.entrants[player].free_at for player in (one, other))
            if many and last and other in last.players and waited < AGAIN_MS:
                raise BrokenPromise(f"{one} and {other} have just met")


def _check_everybody_met(standing: TournamentStanding) -> None:
    """All who are in one group sit together once; and not twice while rounds are missing."""
    met = Counter[tuple[int, ...]](tuple(sorted(table.players)) for each in standing.this_turn for table in each.tables)
    pairs = Counter[tuple[int, ...]](pair for group in standing.groups for pair in combinations(sorted(group), 2))
    if met - pairs or (plan.finished(standing, standing.here) and met != pairs):
        raise BrokenPromise(f"not everybody meets everybody once: {met} of {pairs}")


def _check_teams_met(standing: TournamentStanding) -> None:
    """Every two teams meet once, nobody at two boards, each board with players of both teams."""
    met = Counter[frozenset[int]]()
    for each in standing.rounds:
        pairs = set[frozenset[int]]()
        for table in each.tables:
            pair = frozenset(
                team for team in (team_of(standing, player) for player in table.players) if team is not None
            )
            if len(pair) != 2:
                raise BrokenPromise(f"a board of one team only: {table.players}")
            pairs.add(pair)
        teams = [team for pair in pairs for team in pair]
        if len(set(teams)) != len(teams):
            raise BrokenPromise(f"a team meets two others in a round: {pairs}")
        met.update(pairs)
    if any(times > 1 for times in met.values()):
        raise BrokenPromise(f"two teams meet more than once: {met}")


def _check_knockout(standing: TournamentStanding, groups: Sequence[Sequence[int]]) -> None:
    """Into the knock-out come the first of each group, those passed over who left."""
    [seeds] = groups
    if len(set(seeds)) != len(seeds):
        raise BrokenPromise(f"somebody is in the knock-out twice: {seeds}")
    for group in standing.groups:
        order = [row.player for row in plan.rows(standing, group) if standing.entrants[row.player].here]
        if {*order[: standing.settings["through"]]} != {*group} & {*seeds}:
            raise BrokenPromise(f"into the knock-out from {order} came {seeds}")


def _check_boxes(standing: TournamentStanding, groups: Sequence[Sequence[int]]) -> None:
    """The sizes of the boxes; and two go up and two down, if nobody came or left."""
    sizes = [len(group) for group in groups]
    people = sum(sizes)
    if max(sizes) - min(sizes) > 1 or (
        people >= LEAST and people != 7 and not LEAST <= min(sizes) <= max(sizes) <= MOST
    ):
        raise BrokenPromise(f"boxes of {sizes}")
    if not standing.groups:
        return
    _check_everybody_met(standing)
    before = {player: box for box, group in enumerate(standing.groups) for player in group}
    after = {player: box for box, group in enumerate(groups) for player in group}
    if before.keys() == after.keys() and len(standing.groups) == len(groups):
        moved = Counter((before[player], after[player]) for player in before if before[player] != after[player])
        expected = {
            way: min(MOVE, len(standing.groups[pair[0]]) // 2, len(standing.groups[pair[1]]) // 2)
            for pair in pairwise(range(len(groups)))
            for way in (pair, pair[::-1])
        }
        if moved != expected:
            raise BrokenPromise(f"from box to box went {dict(moved)}")
