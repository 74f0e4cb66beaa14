"""Every registered game and version keeps the promises of `games.engine.core`."""

import subprocess
import sys
from random import Random

import pytest

from games.engine.biblios.rules import Position
from games.engine.core import IllegalMove, RulesError
from games.engine.exlibris.rules import Position as Shelves
from games.engine.registry import FORMATS, game_of
from tests.engine import promises
from tests.engine.games import EVERY

EVERY_GAME = pytest.mark.parametrize("game", EVERY.values(), ids=lambda game: f"{game.slug}-{game.version}")


@EVERY_GAME
def test_legal_moves_are_sorted_distinct_and_the_only_ones_accepted(game):
    rng = Random(1)
    for _ in range(3):
        positions = list(promises.random_game(game, rng).positions())
        for state in [positions[-1], *rng.sample(positions, min(25, len(positions)))]:
            promises.check_legal(game, state)


@EVERY_GAME
def test_every_move_reads_back_from_its_text(game):
    promises.check_texts(game)


@EVERY_GAME
def test_its_codes_fit_where_they_are_kept(game):
    promises.check_names(game)


@EVERY_GAME
def test_a_result_says_who_has_won(game):
    rng = Random(8)
    for _ in range(20):
        promises.check_result(game, promises.random_game(game, rng).end)


@EVERY_GAME
def test_random_games_end_within_the_bound(game):
    rng = Random(2)
    for _ in range(60):
        promises.check_length(game, promises.random_game(game, rng))


@EVERY_GAME
def test_playing_on_a_copy_leaves_the_original(game):
    rng = Random(3)
    for _ in range(3):
        positions = list(promises.random_game(game, rng).positions())
        for state in rng.sample(positions, min(40, len(positions))):
            promises.check_copy(state, rng)


@EVERY_GAME
def test_the_same_seed_and_moves_give_the_same_position(game):
    for number in range(15):
        rng = Random(number)
        seats = rng.choice(game.seats)
        seed = rng.randbytes(32)
        start = game.start(seats, seed, promises.random_options(game, rng))
        promises.check_repeats(game, promises.Played(start, *promises.random_moves(start, rng)), seed)


REPLAY = """
import sys
from random import Random
from tests.engine import promises
from tests.engine.games import EVERY
played = promises.random_game(EVERY[sys.argv[1], int(sys.argv[2])], Random(7))
print(played.end.key()[:20], played.moves)
"""


@EVERY_GAME
def test_a_fresh_process_plays_the_same_game(game):
    """Nothing depends on the order of sets or on hashes, which differ from process to process."""
    played = promises.random_game(game, Random(7))
    arguments = [sys.executable, "-c", REPLAY, game.slug, str(game.version)]
    fresh = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    assert fresh.strip() == f"{played.end.key()[:20]} {played.moves}"


@EVERY_GAME
def test_a_view_made_from_that_of_a_watcher_is_the_one_made_by_itself(game):
    rng = Random(9)
    for _ in range(5):
        for state in promises.random_game(game, rng).positions():
            promises.check_views(state)


@EVERY_GAME
def test_what_a_seat_cannot_know_changes_nothing_that_it_is_shown(game):
    rng = Random(4)
    for _ in range(5):
        for state in promises.random_game(game, rng).positions():
            if rng.random() < 0.2:
                for me in promises.viewers(state):
                    promises.check_blind(game, state, me, rng)


@EVERY_GAME
@pytest.mark.slow
def test_whether_an_answer_is_accepted_tells_nothing_that_its_player_cannot_know(game):
    """For all numbers of players, all presets and every value of every option."""
    rng = Random(9)
    settings = [*game.presets.values(), *({name: value} for name, values in game.choices.items() for value in values)]
    for seats in game.seats:
        for options in settings:
            start = game.start(seats, rng.randbytes(32), promises.random_options(game, rng) | options)
            positions = list(promises.Played(start, *promises.random_moves(start, rng)).positions())
            for state in rng.sample(positions, min(3, len(positions))):
                promises.check_acceptance(game, state, rng.choice([state.seat or 0, rng.randrange(seats)]), rng)


# Leaks, planted: an answer that goes on to the next question, one that asks the deck whether it may, and a question
# whose answers depend on what is hidden.


def goes_on_to_every_question(monkeypatch, kind):
    monkeypatch.setattr(kind, "same_answer", property(lambda state: True))


def goes_on_if_something_hidden_allows_it(monkeypatch, kind):
    monkeypatch.setattr(kind, "same_answer", property(lambda state: bool(hash(hidden(state)) & 1)))


def refuses_in_other_words(monkeypatch, kind):
    check = kind.check

    def checked(state, move, seat=None):
        try:
            check(state, move, seat)
        except IllegalMove as refusal:
            raise IllegalMove(f"{refusal}; {hidden(state)}") from refusal

    monkeypatch.setattr(kind, "check", checked)


def forbids_what_does_not_fit(monkeypatch, kind):
    legal = kind.legal

    def fitting(state):
        moves = legal(state)
        return moves[hash(hidden(state)) & 1 :] if len(moves) > 1 else moves

    monkeypatch.setattr(kind, "legal", fitting)


def hidden(state):
    """Something that no seat knows of most positions."""
    if isinstance(state, Position):
        return state.deal.deck[state.placed + 1 : state.placed + 2]
    if isinstance(state, Shelves):
        return state.deck[state.drawn :]
    return state.deal.prizes[-1], state.deal.house


@EVERY_GAME
@pytest.mark.parametrize(
    "leak",
    [
        goes_on_to_every_question,
        goes_on_if_something_hidden_allows_it,
        refuses_in_other_words,
        forbids_what_does_not_fit,
    ],
)
def test_an_acceptance_that_tells_is_caught(game, leak, monkeypatch):
    rng = Random(10)
    positions = [state for _ in range(4) for state in promises.random_game(game, rng).positions()]
    leak(monkeypatch, type(positions[0]))
    with pytest.raises(AssertionError, match="learns from"):
        for state in positions:
            if state.seat is not None:
                promises.check_acceptance(game, state, state.seat, rng)


@EVERY_GAME
def test_samples_have_the_same_view_and_play_to_the_end(game):
    rng = Random(5)
    for _ in range(12):
        played = promises.random_game(game, rng)
        for state in played.positions():
            if rng.random() < 0.05:
                promises.check_sample(game, state, rng.choice(promises.viewers(state)), rng)
        promises.check_sample(game, played.end, 0, rng)


@EVERY_GAME
def test_records_round_trip(game, monkeypatch):
    monkeypatch.setitem(FORMATS, game.format, game)
    rng = Random(6)
    for _ in range(40):
        played = promises.random_game(game, rng)
        promises.check_record(game, played, ["Ann", "Bob", "Cho", "Дан"][: len(played.start.scores())])


def test_an_unknown_game_is_named_with_those_there_are():
    with pytest.raises(RulesError, match=r"unknown game chess/1; expected one of: biblios/1"):
        game_of("chess", 1)
