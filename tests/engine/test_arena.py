"""The arena: shares, intervals, and the same games by the same seed."""

from io import StringIO
from itertools import count

import pytest
from django.core.management import CommandError, call_command

from games.engine import arena
from games.engine.arena import Bout
from tests.engine.games import EVERY
from tests.toy.game import Toy

TOY = EVERY["toy", 1]


def bouts(game=TOY, seats=3, names=("random", "random"), seed="x", deals=6):
    ticks = count(step=1_000_000)
    return [
        arena.bout(game, seats, game.options(), names, seed, number, lambda: next(ticks)) for number in range(deals)
    ]


def arena_says(*arguments):
    said = StringIO()
    call_command("arena", *arguments, stdout=said)
    return said.getvalue()


def shares_in(text):
    return [line.split(" +- ")[0] for line in text.splitlines() if "+-" in line]


def test_the_same_seed_gives_the_same_shares_and_another_one_others():
    assert bouts() == bouts()
    assert [each.share for each in bouts()] != [each.share for each in bouts(seed="y")]


def test_a_bot_that_draws_nothing_wins_its_part_of_each_deal_against_itself():
    assert [each.share for each in bouts(names=("strong", "strong"))] == [pytest.approx(1 / 3)] * 6


def test_the_better_of_the_levels_of_the_toy_wins():
    assert arena.strength(bouts(names=("strong", "fair"), seats=2, deals=50), 2).share > 0.6


def test_decisions_are_timed_for_each_of_the_two():
    mine, others = bouts(names=("fair", "random"), deals=1)[0].times
    assert len(others) > len(mine) >= 9
    assert arena.speed(mine) == (1, 1)


def test_a_shared_win_counts_for_its_part():
    class Drawn(Toy):
        def result(self, state):
            return {"winners": [0, 2]}

    assert bouts(Drawn(), deals=1)[0].share == pytest.approx((0.5 + 0 + 0.5) / 3)


def test_the_interval_is_that_of_the_deals():
    found = arena.strength([Bout(share, ([], [])) for share in (0.0, 0.5, 1.0, 0.5)], 2)
    assert (found.share, found.games) == (0.5, 8)
    assert found.either_side == pytest.approx(1.96 * 0.408248 / 2, abs=1e-5)


def test_ninety_nine_of_a_hundred_decisions_are_as_fast_as_it_says():
    assert arena.speed([1_000_000] * 99 + [101_000_000]) == (2, 1)


def test_processes_share_the_work_and_change_no_game():
    given = "--game", "biblios", "--seats", "2", "--bots", "greedy,random", "--deals", "2", "--seed", "s"
    alone, shared = arena_says(*given), arena_says(*given, "--processes", "2")
    assert shares_in(alone) == shares_in(shared)
    assert "greedy against random" in alone


def test_several_bots_meet_each_the_next():
    said = arena_says("--game", "biblios", "--seats", "2", "--bots", "random,random,random", "--deals", "2")
    assert said.count("random against random") == 2


def test_alone_a_bot_meets_the_game_at_its_difficulty():
    said = arena_says(
        "--game", "exlibris", "--seats", "1", "--bots", "random", "--deals", "2", "--option", "difficulty=7"
    )
    assert "0.000 +- 0.000" in said and "difficulty 7" in said


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("--seats 2 --bots greedy,nobody", "unknown bot “nobody”"),
        ("--seats 2 --bots greedy", "needs another one"),
        ("--seats 9 --bots greedy,random", "cannot be played by 9"),
        ("--seats 2 --bots greedy,random --deals 1", "expected 2 or more"),
        ("--seats 2 --bots greedy,random --processes 0", "expected 1 or more"),
        ("--seats 2 --bots greedy,random --option speed=1", "speed"),
        ("--game chess --seats 2 --bots greedy,random", "unknown title"),
    ],
)
def test_wrong_arguments_are_refused(given, says):
    with pytest.raises(CommandError, match=says):
        arena_says(*given.split())
