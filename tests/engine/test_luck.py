"""What chance did in a game that is over: nothing on average, whatever says what things are worth."""

from random import Random
from statistics import correlation, fmean, stdev

import pytest

from games.engine.biblios.notation import PLACE
from games.engine.core import Chance
from games.engine.judging import Case, PlainGame
from games.engine.luck import favoured, gains, luck, luck_of
from games.engine.registry import game_of
from games.engine.verdicts import WHOLE, Measured, version_of
from tests.engine.test_verdicts import EXPERT, TOY, case
from tests.toy.expert import ToyExpert

BIBLIOS = game_of("biblios", 1)


def game(seed, bot="greedy"):
    """A game of two of Biblios, and the first seat's part of the win."""
    rng = Random(seed)
    start = BIBLIOS.start(2, rng.randbytes(32))
    state, moves = start.copy(), []
    while not state.over:
        moves.append(BIBLIOS.bots[bot](state.view(state.seat), rng))
        state.play(moves[-1])
    places = state.places()
    share = (places[0] == 1) / places.count(1)
    return Case(BIBLIOS, BIBLIOS.expert(2, start.options), start, moves, f"game {seed}"), share


def shares(first, second=None):
    second = first if second is None else second
    return (first, 1 - first), (second, 1 - second)


def test_luck_is_what_came_less_the_mean_of_what_could_have_come():
    came, other = Chance(1, shares(0.9, 0.7)), Chance(3, shares(0.5))
    mine, others = gains([came, other])
    assert mine == pytest.approx((0.3, 0.15)) and others == pytest.approx((-0.3, -0.15))


def test_whom_chance_has_favoured_is_told_beyond_twice_the_error_only():
    assert favoured([Measured(-600, 200), Measured(600, 200)]) == 1
    assert favoured([Measured(-600, 300), Measured(600, 300)]) is None
    assert favoured([]) is None


def test_the_luck_of_all_seats_adds_up_to_nothing_and_is_the_same_again():
    found = case(4)
    first = luck_of(found)
    assert first == luck_of(found) and abs(sum(it.mean for it in first)) <= 1 and first[0].mean
    texts = [TOY.text(move) for move in found.moves]
    assert luck(PlainGame(TOY, found.start, texts, found.key, version_of(EXPERT))) == first


def test_luck_has_the_mean_zero_over_all_that_could_have_come():
    """By construction: over the prizes of the second round, the answers before and all else being the same."""

    class SecondRound(ToyExpert):
        def chances(self, state):
            return super().chances(state) if state.round == 1 else []

    whole = case(4)
    means = []
    for prize in range(1, 7):
        start = whole.start.copy()
        start.deal = start.deal._replace(prizes=(start.deal.prizes[0], prize, start.deal.prizes[2]))
        means.append(luck_of(whole._replace(start=start, expert=SecondRound()))[0].mean)
    assert len(set(means)) > 3 and abs(sum(means)) <= 6


class Silent(ToyExpert):
    def chances(self, state):
        return []


def test_where_nothing_says_what_chance_did_there_is_no_luck():
    assert luck_of(case()._replace(expert=Silent())) == []


def test_in_a_game_of_biblios_each_card_of_the_deck_counts_once():
    found, _share = game(3)
    counted = []
    for _number, state in found.positions(range(len(found.moves))):
        if chances := found.expert.chances(state):
            counted.append(sum(chance.ways for chance in chances))
            assert all(abs(sum(shares) - 1) < 1e-9 for chance in chances for shares in chance.worth)
    assert counted == [*range(len(found.start.deal.deck), 0, -1)]


def test_the_card_with_which_a_game_is_played_on_is_no_luck_of_it():
    whole, _share = game(3)
    drawn = [number for number, state in whole.positions(range(len(whole.moves))) if state.question == PLACE]
    [(at, start)] = whole.positions(drawn[5:6])
    counted = []

    class Counting(type(whole.expert)):
        def chances(self, state):
            found = super().chances(state)
            counted.append(bool(found))
            return found

    luck_of(whole._replace(expert=Counting(2), start=start.copy(), moves=whole.moves[at:]))
    assert sum(counted) == len(drawn) - 6


def test_what_comes_later_has_no_part_in_what_a_card_of_the_deck_is_worth():
    """The rest of the pile in another order: the same figures."""
    found, _share = game(3)
    [(_number, state)] = found.positions([9])
    assert state.deal.deck[state.placed :] and not state.pile
    other = state.copy()
    other.deal = BIBLIOS.deal(2, state.options, bytes(32))
    other.deal.first, other.deal.removed = state.deal.first, state.deal.removed
    placed = state.placed
    rest = sorted(state.deal.deck[placed + 1 :])
    other.deal.deck = (*state.deal.deck[: placed + 1], *rest)
    one, two = (found.expert.chances(it) for it in (state, other))
    assert one[0] == two[0] and sorted(one) == sorted(two) and len(one) > 5


@pytest.mark.slow
def test_over_games_luck_is_none_and_goes_with_results():
    """20 games: the bounds are wide, docs/analysis.md has what more games said."""
    found = [(luck_of(it)[0].mean / WHOLE, share) for it, share in map(game, range(20))]
    mine = [luck for luck, _share in found]
    assert abs(fmean(mine)) < 3 * stdev(mine) / 20**0.5
    assert correlation(mine, [share for _luck, share in found]) > 0
