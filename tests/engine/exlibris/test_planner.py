"""The bots that look ahead, and the values by which they choose."""

import json
from random import Random

import pytest

from games.engine.bots import play_out
from games.engine.exlibris.frames import PLACE, TURN
from games.engine.exlibris.model import PATH, BadWeights, models, read, rows
from games.engine.exlibris.planner import tried
from games.engine.exlibris.settling import settle
from games.engine.exlibris.tiles import TILES
from games.engine.exlibris.worth import NAMES
from tests.engine.exlibris.sitting import GAME, Sitting, whole

LEVELS = ("fair", "good", "strong")
LIBRARIAN = GAME.bots["librarian"]


def positions(number, seats, every, **options):
    """Some positions of a game of librarians in which somebody has a choice."""
    rng = Random(number)
    state = GAME.start(seats, rng.randbytes(32), options)
    count = 0
    while not state.over:
        if len(state.legal()) > 1:
            count += 1
            if count % every == 0:
                yield state.copy()
        state.play(LIBRARIAN(state.view(state.seat), rng) if len(state.legal()) > 1 else state.legal()[0])


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_chance_give_the_same_move_whatever_is_hidden(level, seats):
    rng = Random(seats)
    for state in positions(seats, seats, 40):
        view = state.view(state.seat)
        twin = GAME.sample(view, rng).view(state.seat)
        chosen = GAME.bots[level](view, Random(7))
        assert chosen in view.legal
        assert GAME.bots[level](twin, Random(7)) == chosen


@pytest.mark.parametrize("seats", range(3, 5))
def test_with_three_and_four_it_differs_from_the_librarian_in_the_last_round_only(seats):
    differs = {False: 0, True: 0}
    for state in positions(10, seats, 1):
        view = state.view(state.seat)
        if view.last and view.question != PLACE:
            continue
        differs[view.last] += GAME.bots["strong"](view, Random(1)) != LIBRARIAN(view, Random(1))
    assert not differs[False]
    assert differs[True]


def test_at_the_last_visit_it_does_what_scores_most():
    sitting = Sitting(2, tiles=(18,), libraries="basic", categories="CFHMRS")
    sitting.first_answers(lambda it: it.state.question == PLACE and it.asked == 0)
    sitting.state.last = True
    sitting.state.ready = (1, 0)
    sitting.set_shelf(0, {(0, 0): "C5 L1", (1, 0): "M4"}).set_hand(0, "A2 B3 P4 T1 Z1").play("0 send home")
    points = {}
    for answer in sitting.answers():
        end = sitting.state.after(GAME.move(answer))
        play_out(end, [LIBRARIAN] * 2, Random(1))
        points[answer] = end.scores()[0] - end.scores()[1]
    assert len(set(points.values())) > 2
    assert points[GAME.text(GAME.bots["strong"](sitting.state.view(0), Random(1)))] == max(points.values())


@pytest.mark.parametrize("seats", GAME.seats)
def test_what_settles_leaves_nothing_of_the_seat_under_way(seats):
    for state in positions(3, seats, 9):
        seat, settled, before = state.seat, state.copy(), state.key()
        settled.play(settled.legal()[-1])
        settle(settled, seat, Random(2))
        assert state.key() == before
        assert whole(settled)
        assert settled.over or not settled.last
        if not settled.over:
            assert settled.question == PLACE
            assert not [tile for tile in settled.tiles if not TILES[tile].instant and settled.on(tile, seat)]
            play_out(settled, [LIBRARIAN] * seats, Random(1))


@pytest.mark.parametrize("seats", GAME.seats)
def test_in_the_last_round_all_is_played_to_the_end(seats):
    last = [state for state in positions(3, seats, 5) if state.last and state.question != TURN]
    assert last
    for state in last:
        settled = state.copy()
        settled.play(settled.legal()[-1])
        settle(settled, state.seat, Random(2))
        assert settled.over


def test_of_two_wins_that_of_more_points_is_rather_tried_again():
    sitting = Sitting(2, tiles=(18,), libraries="basic", categories="CFHMRS")
    sitting.first_answers(lambda it: it.state.question == PLACE and it.asked == 0)
    sitting.state.last = True
    sitting.set_shelf(0, {(0, 0): "C5 L1", (1, 0): "M4 P4"}).set_hand(0, "A2 B3 T1 Z1")
    view = sitting.state.view(0)
    found = tried(view, view.legal, (0,), Random(1))
    assert all(0.5 < value < 1 for value in found.values())
    assert len(set(found.values())) > 1


@pytest.mark.parametrize("seats", GAME.seats)
def test_shares_add_up_and_are_the_result_at_the_end(seats):
    for model in models(seats):
        for state in positions(5, seats, 20):
            for seat in range(seats):
                shares = model.shares(state.view(seat))
                assert len(shares) == seats
                assert all(0 <= share <= 1 for share in shares)
                assert seats == 1 or sum(shares) == pytest.approx(1)
        end = GAME.start(seats, bytes(32))
        play_out(end, [LIBRARIAN] * seats, Random(1))
        places = end.places()
        won = tuple((place == 1) / max(1, places.count(1)) for place in places)
        assert model.shares(end.view(0)) == won


@pytest.mark.parametrize("preset", GAME.presets)
def test_every_seat_has_its_columns_with_all_options(preset):
    options = GAME.preset(preset)
    for seats in GAME.seats:
        for state in positions(6, seats, 25, **options):
            view = state.view(state.seat)
            if view.prominent is not None:
                assert [len(values) for _, values in rows(view)] == [len(NAMES[part]) for part, _ in rows(view)]


def test_weights_of_other_columns_are_refused():
    document = json.loads(PATH.read_text()) | {"columns": "another"}
    with pytest.raises(BadWeights, match=r"for the columns another.*trainbots --game exlibris --players 3"):
        read(document, 3)
