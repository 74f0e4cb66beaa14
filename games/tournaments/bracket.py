"""The bracket of a knock-out, as it is drawn: who meets whom in each round of it. Pure."""

from __future__ import annotations

from typing import NamedTuple

from games.tournaments.pairing import knockout
from games.tournaments.standing import RoundTable, TournamentStanding

NOBODY = -1


class Pairing(NamedTuple):
    """A place of the bracket where two meet."""

    sides: tuple[int | None, ...]
    """Those who meet, from above to below; None: who that is has not been decided. Only one if they have a bye, none if
    all who could have met there have withdrawn."""
    winner: int | None
    """Who goes on, as far as that has been decided."""
    table: tuple[int, int] | None
    """The number of their round, and their table in it, from 0; None if they have none."""


def goes_on(standing: TournamentStanding, table: RoundTable) -> int:
    """Who goes on after a game that is over: the better seed if the place was shared or the game does not count."""
    placed = zip(table.players, table.places, strict=False)
    return min([player for player, place in placed if place == 1] or table.players, key=standing.groups[0].index)


def third_place(standing: TournamentStanding, number: int, table: RoundTable) -> bool:
    """Whether a table of a round is that for the third place: both had lost before."""
    before = standing.rounds[standing.turn_began : number]
    lost = {
        player
        for each in before
        for past in each.tables
        if past.over
        for player in past.players
        if player != goes_on(standing, past)
    }
    return lost.issuperset(table.players)


def rounds_won(standing: TournamentStanding) -> dict[int, int]:
    """How many rounds of the bracket each has come through, with and without a game: the winner all of them."""
    [seeds] = standing.groups
    won = dict.fromkeys(seeds, 0)
    for level in levels(standing):
        for each in level:
            if each.winner is not None:
                won[each.winner] += 1
    return won


def levels(standing: TournamentStanding) -> list[list[Pairing]]:
    """The bracket of a knock-out that has begun, from the first round to the final, each from above to below."""
    [seeds] = standing.groups
    spots: list[int | None] = [seeds[seed] if seed < len(seeds) else NOBODY for seed in knockout.bracket(len(seeds))]
    position = {player: spot for spot, player in enumerate(spots) if player is not None and player != NOBODY}
    tables, through = dict[tuple[int, int], tuple[int, int]](), dict[tuple[int, int], int]()
    """By level and slot: the game there; who is known to have gone on from there."""
    for number, each in enumerate(standing.this_turn, standing.turn_began):
        level = 0
        for index, table in enumerate(each.tables):
            if third_place(standing, number, table):
                continue
            one, other = (position[player] for player in table.players)
            level = (one ^ other).bit_length() - 1  # two meet where their halves of the bracket do
            tables[level, one >> (level + 1)] = number, index
            through |= {(low, position[p] >> (low + 1)): p for p in table.players for low in range(level)}
        through |= {(low, position[p] >> (low + 1)): p for p in each.byes for low in range(level + 1)}
    found = list[list[Pairing]]()
    while len(spots) > 1:
        pairings = list[Pairing]()
        winners = list[int | None]()
        for slot, (above, below) in enumerate(zip(spots[::2], spots[1::2], strict=True)):
            sides = tuple(side for side in (above, below) if side != NOBODY)
            at = tables.get((len(found), slot))
            if at is not None:
                table = standing.rounds[at[0]].tables[at[1]]
                winner = goes_on(standing, table) if table.over else None
            else:
                winner = through.get((len(found), slot)) or _walkover(standing, sides)
            pairings.append(Pairing(sides, None if winner == NOBODY else winner, at))
            winners.append(winner)
        found.append(pairings)
        spots = winners
    return found


def _walkover(standing: TournamentStanding, sides: tuple[int | None, ...]) -> int | None:
    """Who goes on without a game: the only one who is left; NOBODY if nobody is, None if there are two."""
    left = [side for side in sides if side is None or standing.entrants[side].here]
    if not left:
        return NOBODY
    return left[0] if len(left) == 1 and (left[0] is not None or len(sides) == 1) else None
