"""The bracket of a knock-out, as it is drawn."""

from itertools import pairwise
from random import Random

import pytest

from games.tournaments import plan
from games.tournaments.bracket import levels
from games.tournaments.payloads import PastEvent, payload_of
from games.tournaments.standing import TournamentStanding


class KnockOut:
    """A knock-out of players 1 to n, the best first, without a database."""

    def __init__(self, players):
        self.standing = TournamentStanding()
        self.add("open", tournament="knockout", seats=2, settings={})
        for player in range(1, players + 1):
            self.add("enter", player=player, guest=False, ticked=False)
        self.add("begin", groups=[list(range(1, players + 1))], seed="")

    def add(self, kind, /, **data):
        self.standing.apply(PastEvent(0, 0, payload_of(kind, data)))

    def leave(self, player):
        self.add("leave", player=player, out=False, agrees=False)

    def begin_round(self):
        [following] = plan.next_rounds(self.standing, self.standing.here, Random(1))
        tables = [{"players": [*table], "bots": 0, "match": ""} for table in following.tables]
        self.add("round", tables=tables, byes=[*following.byes], how="", seed="")

    def end(self, index, winner):
        number = len(self.standing.rounds) - 1
        places = [1 if player == winner else 2 for player in self.standing.rounds[number].tables[index].players]
        self.add("result", round=number, table=index, places=places, points=[0, 0])

    def drawn(self):
        return [[(each.sides, each.winner) for each in level] for level in levels(self.standing)]


def test_winners_are_carried_on_and_byes_shown():
    cup = KnockOut(6)
    cup.begin_round()  # 1 and 2 have a bye
    assert cup.drawn() == [
        [((1,), 1), ((4, 5), None), ((2,), 2), ((3, 6), None)],
        [((1, None), None), ((2, None), None)],
        [((None, None), None)],
    ]
    cup.end(0, 5)
    cup.end(1, 3)
    cup.begin_round()
    assert cup.drawn()[1:] == [[((1, 5), None), ((2, 3), None)], [((None, None), None)]]
    cup.end(0, 5)
    cup.end(1, 2)
    cup.begin_round()
    cup.end(0, 5)
    assert cup.drawn()[1:] == [[((1, 5), 5), ((2, 3), 2)], [((5, 2), 5)]]
    assert [each.table for each in levels(cup.standing)[0]] == [None, (0, 0), None, (0, 1)]


def test_whose_rival_has_withdrawn_goes_on_and_both_may_have():
    cup = KnockOut(4)
    cup.begin_round()
    cup.end(0, 1)
    cup.end(1, 2)
    cup.leave(2)
    assert cup.drawn()[1] == [((1, 2), 1)]
    cup.leave(1)
    assert cup.drawn()[1] == [((1, 2), None)]


def test_two_who_are_left_meet_in_the_round_that_the_bracket_says():
    cup = KnockOut(8)
    for player in (3, 4, 5, 6, 7, 8):
        cup.leave(player)
    cup.begin_round()
    assert cup.drawn() == [
        [((1, 8), 1), ((4, 5), None), ((2, 7), 2), ((3, 6), None)],
        [((1,), 1), ((2,), 2)],
        [((1, 2), None)],
    ]


@pytest.mark.parametrize("players", range(2, 20))
def test_every_game_stands_in_it_once_and_the_winner_at_its_end(players):
    chance = Random(players)
    cup = KnockOut(players)
    while not plan.finished(cup.standing, cup.standing.here):
        cup.begin_round()
        for index, table in enumerate(cup.standing.rounds[-1].tables):
            cup.end(index, chance.choice(table.players))
        if chance.random() < 0.3 and len(cup.standing.here) > 2:
            cup.leave(chance.choice(cup.standing.here))
    drawn = levels(cup.standing)
    tables = [(number, index) for number, each in enumerate(cup.standing.rounds) for index in range(len(each.tables))]
    assert sorted(each.table for level in drawn for each in level if each.table) == tables
    for level in drawn:
        for each in level:
            if each.table:
                assert set(each.sides) == set(cup.standing.rounds[each.table[0]].tables[each.table[1]].players)
    for level, following in pairwise(drawn):
        for slot, each in enumerate(level):
            assert each.winner is None or each.winner in following[slot // 2].sides
    first = [row.player for row in plan.rows(cup.standing, cup.standing.groups[0]) if row.place == 1]
    if drawn[-1][0].winner is not None:
        assert first == [drawn[-1][0].winner]
