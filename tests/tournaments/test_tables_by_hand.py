"""The tables of the site beside those that a script of its own counts from the rounds alone."""

from fractions import Fraction
from random import Random

import pytest

from games.tournaments import deals, plan
from games.tournaments.payloads import PastEvent, payload_of
from games.tournaments.standing import TournamentStanding
from tests.tournaments import tables_by_hand


class Played:
    """A tournament of players 1 to n without a database, with results by chance: ties, games that do not count,
    byes, and people who withdraw."""

    def __init__(self, kind, players, seats, seed, **settings):
        self.chance, self.standing, self.seats = Random(seed), TournamentStanding(), seats
        self.add("open", tournament=kind, seats=seats, settings=settings)
        for player in range(1, players + 1):
            self.add("enter", player=player, guest=False, ticked=False)

    def add(self, kind, /, **data):
        self.standing.apply(PastEvent(0, 0, payload_of(kind, data)))

    def begin(self, groups):
        self.add("begin", groups=groups, seed="")

    def leave(self, player):
        self.add("leave", player=player, out=False, agrees=False)

    def play(self, found, deal=None):
        """A round; whoever has withdrawn loses their games."""
        tables = [{"players": [*table], "bots": 0, "match": ""} for table in found.tables]
        halves = [*getattr(found, "halves", ())]
        self.add("round", tables=tables, byes=[*found.byes], how="", seed="", halves=halves, deal=deal)
        number = len(self.standing.rounds) - 1
        for index, table in enumerate(found.tables):
            at = {"round": number, "table": index}
            late = [player for player in table if not self.standing.entrants[player].here]
            if late:
                on_time = len(table) - len(late)
                places = [1 + on_time * (player in late) for player in table] if on_time else []
                self.add("forfeit", **at, places=places, late=late, ply=0)
            elif deal is None and self.chance.random() < 0.1:
                self.add("void", **at)
            else:
                points = [self.chance.randrange(6) for _player in table]
                places = [1 + sum(other > each for other in points) for each in points]
                self.add("result", **at, places=places, points=points)

    def next(self):
        return plan.next_rounds(self.standing, self.standing.here, self.chance)

    def plain(self, players):
        """What the script reads."""
        rounds = [
            {
                "byes": [*each.byes],
                "halves": [*each.halves],
                "tables": [
                    {
                        "players": [*table.players],
                        "places": [*table.places],
                        "points": [*table.points],
                        "absent": [*table.late],
                    }
                    for table in each.tables
                ],
            }
            for each in self.standing.rounds
        ]
        left = [player for player, entrant in self.standing.entrants.items() if not entrant.here]
        return {"seats": self.seats, "players": [*players], "left": left, "rounds": rounds}


def same(rows, counted):
    """Whether both tables have the same places, points and tie-breaks."""
    ours = {row.player: (row.place, row.points, [*row.ties.values()]) for row in rows}
    theirs = {player: (place, points, ties) for place, player, points, ties in counted}
    assert ours.keys() == theirs.keys()
    for player, (place, points, ties) in ours.items():
        other_place, other_points, other_ties = theirs[player]
        assert (place, points) == (other_place, pytest.approx(float(other_points)))
        for one, other in zip(ties, other_ties, strict=True):
            assert one == (None if other is None else pytest.approx(float(other)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("players", "seats"), [(4, 2), (9, 2), (20, 2), (7, 3), (17, 4)])
def test_swiss(players, seats, seed):
    cup = Played("swiss", players, seats, seed, rounds=5, halves=1)
    cup.begin([[*range(1, players + 1)]])
    for number in range(5):
        if number and players > 4:
            cup.leave(cup.chance.choice(cup.standing.here))
            cup.add("rest", player=cup.chance.choice(cup.standing.here), wants=True)
        for found in cup.next():
            cup.play(found)
        [group] = plan.of(cup.standing).tables(cup.standing)
        same(plan.rows(cup.standing, group), tables_by_hand.swiss(cup.plain(group)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("players", [3, 4, 7, 12])
def test_round_robin(players, seed):
    cup = Played("round_robin", players, 2, seed)
    cup.begin([[*range(1, players + 1)]])
    for number, found in enumerate(cup.next()):
        if number in (1, players // 2 + 1) and players > 4:
            cup.leave(cup.chance.choice(cup.standing.here))
        cup.play(found)
        [group] = cup.standing.groups
        same(plan.rows(cup.standing, group), tables_by_hand.robin(cup.plain(group)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("players", [8, 15])
def test_boxes(players, seed):
    cup = Played("boxes", players, 2, seed, box=4)
    cup.begin([[*group] for group in plan.of(cup.standing).first_groups(cup.standing, range(1, players + 1))])
    for number, found in enumerate(cup.next()):
        if number == 1:
            cup.leave(cup.chance.choice(cup.standing.here))
        cup.play(found)
        for group in cup.standing.groups:
            same(plan.rows(cup.standing, group), tables_by_hand.robin(cup.plain(range(1, players + 1)), group))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("players", [2, 5, 8, 13])
def test_cup(players, seed):
    cup = Played("knockout", players, 2, seed)
    cup.begin([[*range(1, players + 1)]])
    gone = False
    while found := cup.next():
        cup.play(found[0])
        still = [player for player in cup.standing.here if player not in plan.lost(cup.standing)]
        if len(still) >= 4 and not gone:
            gone = True
            cup.leave(cup.chance.choice(still))
    [group] = cup.standing.groups
    same(plan.rows(cup.standing, group), tables_by_hand.cup(cup.plain(group)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("players", "seats"), [(4, 2), (9, 2), (11, 3)])
def test_same_deal(players, seats, seed):
    night = Played("duplicate", players, seats, seed, rounds=4)
    met, sat = deals.groups.meetings(()), deals.sat(night.standing)
    for number in range(4):
        found = deals.seating(night.standing.here, seats, str(seed), met, night.standing.byes, sat)
        night.play(found, deal=number)
    counted = {player: (place, mean) for place, player, mean, _ties in tables_by_hand.same_deal(night.plain(()))}
    rows = {row.player: (row.place, Fraction(row.percent)) for row in deals.table(night.standing)}
    assert rows == counted
