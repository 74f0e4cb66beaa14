"""What the statistics of people count in a game of Ex Libris."""

from random import Random

import pytest

from games.engine.bots import choose_random
from games.engine.exlibris.game import ExLibris

GAME = ExLibris()


def play(seats, seed):
    """The first position, the moves and the end of a random game, and who made each move."""
    rng, start = Random(seed), GAME.start(seats, bytes(31) + bytes([seed]))
    state, moves, by = start.copy(), [], []
    while not state.over:
        move = choose_random(state.view(state.seat), rng)
        moves.append(move)
        by.append(state.seat)
        state.play(move)
    return start, moves, state, by


@pytest.mark.parametrize("seats", [1, 3])
def test_whoever_played_to_the_end_has_the_lines_of_the_score(seats):
    start, moves, end, _by = play(seats, seats)
    result = GAME.result(end)
    for seat, count in enumerate(GAME.feats(start, moves, [len(moves)] * seats)):
        names = "stability", "prominent", "banned", "variety", "focus"
        assert [count[name] for name in names] == [abs(points) for points in result["lines"][seat]]
        assert count["whole"] == 1
        assert all(number > 0 for number in count.values())
        assert count["down"] >= len(result["down"][seat])


def test_what_a_bot_did_for_somebody_who_left_is_not_theirs():
    start, moves, _end, by = play(2, 7)
    texts = [GAME.text(move) for move in moves]
    half = len(moves) // 2
    stayed, left = GAME.feats(start, moves, [len(moves), half])
    assert stayed["whole"] == 1 and not left["whole"] and not left["variety"]

    def visits(seat, until):
        sent = [text for text, who in zip(texts[:until], by[:until], strict=True) if who == seat]
        return sum(text.startswith(("send ", "special ")) and not text.endswith("home") for text in sent)

    assert (stayed["visits"], left["visits"]) == (visits(0, len(moves)), visits(1, half))


def test_of_a_game_that_was_stopped_there_are_no_points():
    start, moves, _end, _by = play(2, 7)
    for count in GAME.feats(start, moves[:-1], [len(moves) - 1] * 2):
        assert count["shelved"] and not count["whole"] and not count["stability"]
