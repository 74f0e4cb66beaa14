"""The awards of a season, from its events alone."""

import pytest

from accounts.models import Notice
from games.ladders import events
from games.ladders.awards import Award, Won, awards, climbs
from games.ladders.payloads import (
    Corrected,
    Declined,
    Event,
    GameResult,
    JoinedLadder,
    Left,
    Sunk,
    Unanswered,
    Withdrawn,
)
from games.ladders.rules import Rules
from games.ladders.tally import head_to_head
from tests.clubs.clubs import DAY, START, club_of, met, until
from tests.ladders.standings import says
from tests.people import person
from tests.reading import text

ANN, BOB, DAN, EVE = 1, 2, 3, 4


class Season:
    """A season that is made event by event, on a ladder that begins in the order ann, bob, dan, eve."""

    def __init__(self):
        self.order, self.rows, self.undone = [ANN, BOB, DAN, EVE], [], set()

    def add(self, what, order=None, **data):
        before = {player: rung for rung, player in enumerate(self.order, 1)}
        self.order = order or self.order
        after = {player: rung for rung, player in enumerate(self.order, 1)}
        steps = {
            str(one): [before.get(one), after.get(one)] for one in before | after if before.get(one) != after.get(one)
        }
        self.rows.append(Event(len(self.rows), 0, says(what, **data), steps))
        return len(self.rows) - 1

    def won(self, *players, order=None, places=(1, 2, 3, 4), late=(), soon=()):
        places = list(places[: len(players)])
        return self.add(GameResult, order, players=[*players], places=places, late=[*late], soon=[*soon])

    @property
    def awards(self):
        return awards(self.rows, self.undone, self.order)


def test_without_games_nobody_gets_an_award():
    season = Season()
    season.add(Corrected, [EVE, ANN, BOB, DAN], player=EVE, position=1)
    season.add(Sunk, [EVE, BOB, ANN, DAN], player=ANN)
    assert season.awards == {}


def test_the_best_climb_is_by_games_and_rules_and_not_by_stewards():
    season = Season()
    season.won(EVE, BOB, order=[ANN, EVE, BOB, DAN])
    season.add(Corrected, [DAN, ANN, EVE, BOB], player=DAN, position=1)
    season.won(DAN, ANN)
    season.add(Sunk, [ANN, DAN, EVE, BOB], player=DAN)
    assert climbs(season.rows, set()) == {EVE: 2, BOB: -1, DAN: -2, ANN: 1}, "not the three that were given to dan"
    assert season.awards[Award.CLIMB] == Won(2, (EVE,))


def test_whoever_leaves_and_comes_back_has_climbed_nothing_by_it():
    season = Season()
    season.add(Left, [ANN, DAN, EVE], player=BOB)
    season.add(JoinedLadder, [ANN, DAN, EVE, BOB], player=BOB)
    season.won(BOB, DAN, order=[ANN, BOB, DAN, EVE])
    assert climbs(season.rows, set())[BOB] == 0
    assert Award.CLIMB not in season.awards, "dan went one up as bob went, and one down as he came back"


def test_a_shared_place_ends_a_run_and_a_game_undone_is_in_none():
    season = Season()
    season.won(ANN, BOB)
    undone = season.won(BOB, ANN)
    season.won(ANN, BOB)
    season.won(ANN, DAN)
    assert season.awards.get(Award.RUN) is None, "bob won between"
    season.undone = {undone}
    assert season.awards[Award.RUN] == Won(3, (ANN,))
    season.won(ANN, BOB, places=(1, 1))
    season.won(ANN, DAN)
    for _ in range(3):
        season.won(EVE, DAN)
    assert season.awards[Award.RUN] == Won(3, (ANN, EVE)), "both, in the order of the ladder"


def test_the_most_faithful_let_nobody_wait():
    season = Season()
    for _ in range(4):
        season.won(ANN, BOB)
        season.won(DAN, EVE)
    assert season.awards[Award.FAITHFUL] == Won(4, (ANN, BOB, DAN, EVE))
    season.add(Withdrawn, player=ANN, others=[BOB])
    season.add(Unanswered, player=DAN, other=EVE)
    assert season.awards[Award.FAITHFUL] == Won(4, (BOB, DAN))
    season.add(Declined, player=DAN, other=BOB)
    assert season.awards[Award.FAITHFUL] == Won(4, (DAN,))
    season.won(DAN, EVE, late=[DAN])
    assert Award.FAITHFUL not in season.awards


def test_a_giant_is_killed_from_far_below_and_of_equal_ones_the_higher_counts():
    season = Season()
    season.won(DAN, BOB, order=[ANN, DAN, BOB, EVE])
    assert season.awards[Award.GIANT] == Won(1, (DAN,), 2)
    season.won(DAN, ANN, order=[DAN, ANN, BOB, EVE])
    assert season.awards[Award.GIANT] == Won(1, (DAN,), 1), "also one rung, but over the first"
    season.won(BOB, EVE, DAN, places=(1, 2, 3), late=[DAN], order=[BOB, EVE, DAN, ANN])
    assert season.awards[Award.GIANT] == Won(1, (DAN,), 1), "dan had run out of time"
    season.won(ANN, BOB, order=[ANN, BOB, EVE, DAN])
    assert season.awards[Award.GIANT] == Won(3, (ANN,), 1)


def test_who_is_no_longer_on_the_ladder_gets_nothing():
    season = Season()
    for _ in range(3):
        season.won(EVE, ANN)
    season.add(Left, [ANN, BOB, DAN], player=EVE)
    assert season.awards == {Award.FAITHFUL: Won(3, (ANN,))}


def test_head_to_head_the_higher_place_has_won():
    season = Season()
    season.won(ANN, BOB, DAN, places=(1, 2, 2))
    season.won(BOB, ANN)
    season.undone = {season.won(BOB, ANN)}
    met = head_to_head(season.rows, season.undone)
    score = {
        pair: (met[pair[0]][pair[1]].won, met[pair[0]][pair[1]].shared, met[pair[0]][pair[1]].lost)
        for pair in ((ANN, BOB), (BOB, ANN), (BOB, DAN), (DAN, ANN))
    }
    assert score == {(ANN, BOB): (1, 0, 1), (BOB, ANN): (1, 0, 1), (BOB, DAN): (0, 1, 0), (DAN, ANN): (0, 0, 1)}


@pytest.mark.django_db
def test_when_a_season_ends_those_with_an_award_are_told_once(client):
    ladder = club_of("ann", "bob", "dan", rules=Rules(season_weeks=1, rest_days=0))
    met(ladder, "dan", "ann")
    for day in (1, 2):
        met(ladder, "ann", "dan", places=(2, 1), now=START + day * DAY)
    for days in (8, 9, 16):
        until(ladder, START + days * DAY)
    told = Notice.objects.filter(kind__startswith="award-").order_by("user__username", "kind")
    assert [(notice.user.username, notice.kind, notice.values["value"]) for notice in told] == [
        ("ann", "award-faithful", 3),
        ("dan", "award-climb", 2),
        ("dan", "award-faithful", 3),
        ("dan", "award-giant", 2),
        ("dan", "award-run", 3),
    ]
    assert {notice.address for notice in told} == {"/c/st-gall/ladders/1/seasons/1"}
    client.force_login(person("dan"), backend="django.contrib.auth.backends.ModelBackend")
    words = text(client.get("/notices"))
    assert "You were the giant-killer of season 1 in St Gall: you beat a player 2 rungs above you." in words
    words = text(client.get("/c/st-gall/ladders/1/seasons/1"))
    assert "Longest run dan 3 wins The most games won in a row, at least 3." in words
    assert "Most faithful dan and ann 3 games" in words
    words = text(client.get("/c/st-gall/ladders/1/seasons/2"))
    assert "Longest run No one" in words
    words = text(client.get("/c/st-gall/ladders/1/seasons"))
    assert "Best climb dan 2 rungs, Season 1" in words


@pytest.mark.django_db
def test_an_award_follows_from_a_game_only_until_it_is_undone(client):
    ladder = club_of("ann", "bob", "dan", rules=Rules(season_weeks=1, rest_days=0))
    met(ladder, "dan", "ann")
    until(ladder, START + 8 * DAY)
    assert "beat rung 1 from 2 below" in text(client.get("/c/st-gall/ladders/1/seasons/1"))
    events.undo(ladder, person("ann"), ladder.log.get(kind=GameResult.kind).number, "No.", START + 9 * DAY)
    assert "Giant-killer No one" in text(client.get("/c/st-gall/ladders/1/seasons/1"))
