"""Bots see a View and nothing else, and the greedy one plays a decent game."""

from random import Random

import pytest

from games.engine.biblios.greedy import Judge
from games.engine.bots import play_out
from games.engine.registry import game_of
from tests.engine import promises
from tests.engine.games import EVERY

pytestmark = pytest.mark.slow

BIBLIOS = game_of("biblios", 1)
SLOW = {("exlibris", level) for level in ("fair", "good", "strong")}
"""Bots that take their time are asked less often."""
EVERY_BOT = pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in EVERY.values() for name in game.bots], ids=str
)


def asked(game, name, rng):
    """Whether a bot is asked in this position."""
    return rng.random() < (0.02 if (game.slug, name) in SLOW else 0.3)


def wins_of_the_first(names, games, **options):
    """How many of the games the first bot wins (a shared win counts for its part), sitting in every seat in turn."""
    wins = 0.0
    for number in range(games):
        rng = Random(number)
        shift = number % len(names)
        seated = [BIBLIOS.bots[name] for name in names[-shift:] + names[:-shift]]
        state = BIBLIOS.start(len(names), rng.randbytes(32), options)
        play_out(state, seated, rng)
        places = state.places()
        wins += (places[shift] == 1) / places.count(1)
    return wins


@EVERY_BOT
def test_a_bot_chooses_a_legal_move_in_every_position(game, name):
    rng = Random(1)
    for _ in range(6):
        for state in promises.random_game(game, rng).positions():
            if not state.over and asked(game, name, rng):
                assert game.bots[name](state.view(state.seat), rng) in state.legal()


@EVERY_BOT
def test_a_bot_chooses_the_same_when_the_unseen_cards_are_dealt_anew(game, name):
    rng = Random(2)
    for _ in range(4):
        for state in promises.random_game(game, rng).positions():
            if not state.over and asked(game, name, rng):
                view = state.view(state.seat)
                twin = game.sample(view, rng)
                chosen = game.bots[name](view, Random(3))
                assert game.bots[name](twin.view(state.seat), Random(3)) == chosen


def test_greedy_beats_random_in_at_least_85_of_100_games_of_two():
    assert wins_of_the_first(["greedy", "random"], 100) >= 85


def test_greedy_wins_at_least_70_of_100_games_against_three_random_players():
    assert wins_of_the_first(["greedy", "random", "random", "random"], 100) >= 70


def test_greedy_never_bluffs():
    """It bids only what it can pay, so it is never punished, even where refusing is allowed."""
    for number in range(20):
        rng = Random(number)
        start = BIBLIOS.start(3, rng.randbytes(32))
        moves = play_out(start.copy(), [BIBLIOS.bots["greedy"]] * 3, rng)
        assert not [move for move in moves if BIBLIOS.text(move) == "refuse"]


def test_greedy_uses_every_kind_of_answer():
    answers = set()
    for number in range(20):
        rng = Random(number)
        start = BIBLIOS.start(3, rng.randbytes(32))
        answers |= {BIBLIOS.text(move).split()[0] for move in play_out(start, [BIBLIOS.bots["greedy"]] * 3, rng)}
    assert answers == {"keep", "public", "auction", "take", "dice", "bid", "pass", "pay"}


def test_greedy_counts_the_unseen_cards_right():
    """What it thinks it has not seen are the cards whose place it cannot know, where no penalty hid any."""
    for number in range(6):
        rng = Random(number)
        seats = rng.choice(BIBLIOS.seats)
        state = BIBLIOS.start(seats, rng.randbytes(32), {"penalty": "honest"})
        while not state.over:
            view = state.view(state.seat)
            others = [seat for seat in range(seats) if seat != state.seat]
            hidden = [view.counts[seat] - len(view.seen[seat]) for seat in others]
            buried = sum(len(view.buried[seat]) for seat in others)
            mine_to_come = len(view.given) - len(set(view.given) & set(view.lots))
            if state.question != 0 and not buried and len(set(view.given)) == len(view.given):
                removed = {2: 21, 3: 12, 4: 7}[seats]
                pile = view.piled - (mine_to_come if view.lots else len(view.given))
                kept = view.kept == -1
                assert sum(Judge(view).unseen.values()) == sum(hidden) + removed + view.deck + pile + kept
            state.play(state.forced() or BIBLIOS.bots["greedy"](view, rng))
