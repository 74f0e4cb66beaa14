"""Samples of positions in which much was hidden, and some of it shown again; and how well they agree with the truth."""

import json
from dataclasses import replace
from hashlib import sha256
from io import StringIO
from math import sqrt
from random import Random

import pytest
from django.core.management import CommandError, call_command

from games.engine import position
from games.engine.biblios import habits
from games.engine.biblios.cards import DISCARD, GOLD, OF_KIND, gold_in
from games.engine.biblios.habits import HABITS, NEUTRAL
from games.engine.biblios.notation import PAY_GOLD
from games.engine.biblios.purse import best_coins, purses_of
from games.engine.biblios.sample import Sampler
from games.engine.biblios.training import habits_training
from games.engine.biblios.training.habits_training import learn
from games.engine.bots import play_out
from tests.engine import promises
from tests.engine.biblios.agreement import gaps, looks, neutral_game, reliability
from tests.engine.biblios.sitting import GAME, Sitting, lively_game

ANN, BOB, CHO = 0, 1, 2


def greedy_games(seats, number):
    """Games that nothing was learned from."""
    for index in range(number):
        start = GAME.start(seats, Random(f"held out {seats} {index}").randbytes(32))
        yield start, play_out(start.copy(), [GAME.bots["greedy"]] * seats, Random(index))


def drawing(table):
    return lambda view, rng: Sampler(view, table).draw(rng)


# What a view leaves open


@pytest.mark.slow
@pytest.mark.parametrize("penalty", ["transfer", "discard", "honest"])
def test_a_rival_who_is_paying_can_pay_the_rest_in_every_sample(penalty):
    """After long chains of penalties the only card of a hand that may be gold is one that was lost and found."""
    for number in range(40):
        rng = Random(number)
        for state in lively_game(rng, 3, penalty=penalty).positions():
            if state.question == PAY_GOLD and state.due < state.high:
                for me in promises.viewers(state):
                    view = state.view(me)
                    for _ in range(5):
                        assert GAME.sample(view, rng).view(me) == view


def test_the_same_view_and_the_same_chance_give_the_same_sample_whatever_was_drawn_before():
    for number in range(4):
        rng = Random(number)
        for state in rng.sample(list(lively_game(rng).positions()), 12):
            view = state.view(0)
            sampler = Sampler(view, NEUTRAL)
            first = [sampler.draw(Random(seed)).key() for seed in range(4)]
            again = Sampler(view, NEUTRAL)
            assert [again.draw(Random(seed)).key() for seed in reversed(range(4))] == first[::-1]


def test_what_is_dealt_again_changes_no_sample():
    """Whoever cannot tell two positions apart draws the same samples from both."""
    for number in range(4):
        rng = Random(number)
        for state in rng.sample(list(lively_game(rng).positions()), 8):
            view = state.view(1)
            other = GAME.sample(view, rng)
            drawn = [Sampler(at.view(1), HABITS[view.setup.seats]).draw(Random(7)).key() for at in (state, other)]
            assert drawn[0] == drawn[1]


# What was shown is evidence


def share(view, holds, table=NEUTRAL, samples=400):
    """In which part of the samples something holds."""
    sampler, rng = Sampler(view, table), Random(1)
    return sum(holds(sampler.draw(rng)) for _ in range(samples)) / samples


def bob_has(gold):
    return lambda state: gold_in(state.hands[BOB]) >= gold


def bob_has_a_small_coin(state):
    return bool(state.hands[BOB] & (OF_KIND[GOLD] | OF_KIND[GOLD + 1]))


def in_auction(pile="M2A P2A H1A", **options):
    """Bob has five cards that nobody saw."""
    return Sitting.at_auction("G1 G2 M3E", "G1 G1 P3E P3F P3G", "G3 F1A", pile=pile, **options)


def test_who_could_not_pay_is_poor_in_the_samples():
    before = in_auction(default_on_purpose=False).state.view(ANN)
    sitting = in_auction(default_on_purpose=False, draws="P3E P3F")
    sitting.play("1 bid 3", "2 pass", "0 pass", "1 refuse")
    assert share(before, bob_has(3)) > 0.5
    assert share(sitting.state.view(CHO), bob_has(3)) < 0.2


def test_who_bids_much_is_rich_in_the_samples():
    before, after = (in_auction().play(*moves).state.view(ANN) for moves in ([], ["1 bid 6", "2 bid 7", "0 pass"]))
    assert share(after, bob_has(6), HABITS[3]) > share(before, bob_has(6), HABITS[3]) + 0.15
    assert share(after, bob_has(6), HABITS[3]) > 0.9


def test_who_passes_is_poorer_in_the_samples_if_the_rich_seldom_pass():
    sorts = [[[0.02, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9]] * 4] * len(habits.SORTS)
    keen = replace(NEUTRAL, bid=[sorts] * habits.TIMES)
    before, after = (in_auction("M4H P2A").play(*moves).state.view(ANN) for moves in ([], ["1 pass", "2 bid 1"]))
    assert share(after, bob_has(6), keen) < 0.7 * share(before, bob_has(6), keen)


def test_who_pays_with_a_coin_too_dear_has_no_smaller_ones():
    sitting = Sitting.at_auction("G1 M3E", "G3 P3E P3F P3G", "G3 F1A", pile="M2A P2A")
    sitting.play("1 bid 1", "2 pass", "0 pass", "1 pay G3")
    assert share(sitting.state.view(ANN), bob_has_a_small_coin) < 0.3


@pytest.mark.parametrize(
    ("hand", "due", "paid"),
    [("G1 G1 G2 G3", 3, "G3"), ("G1 G1 G2", 3, "G1 G2"), ("G2 G2", 3, "G2 G2"), ("G1", 2, None), ("G3 G3", 1, "G3")],
)
def test_the_coins_that_fit_best(hand, due, paid):
    def coins(text):
        return tuple(text.split().count(f"G{value}") for value in (1, 2, 3))

    assert best_coins(*coins(hand), due) == (paid and coins(paid))


def test_the_auctions_are_told_again_to_the_last_step():
    """Whatever was bid, paid, refused and drawn: what is known of each at the end is what the flow shows."""
    for number in range(30):
        for state in lively_game(Random(number)).positions():
            view = state.view(0)
            for seat, purse in enumerate(purses_of(view, NEUTRAL)):
                paid = [kind for source, target, kind in view.flow if source == seat and target == DISCARD]
                told = [sum(payment.paid[coin] for payment in purse.payments) for coin in range(3)]
                if view.question != PAY_GOLD or view.seat != seat:  # what is not yet paid in full tells nothing
                    assert told == [paid.count(GOLD + coin) for coin in range(3)], (number, seat)


# Agreement with the truth


def neutral_games(seats, number, **options):
    return [neutral_game(Random(f"{seats} {index}"), seats, **options) for index in range(number)]


@pytest.mark.slow
@pytest.mark.parametrize("seats", GAME.seats)
def test_of_players_who_do_not_look_at_their_cards_the_samples_are_exact(seats):
    seen = looks(neutral_games(seats, 120, default_on_purpose=False), 2, Random(2))
    for key, gap in gaps(seen, drawing(NEUTRAL), 6, Random(3)).items():
        assert abs(gap.mean) < 3.3 * gap.error, (key, str(gap))


@pytest.mark.slow
@pytest.mark.parametrize("seats", GAME.seats)
def test_of_players_with_habits_the_samples_agree_with_the_truth(seats):
    """The bounds are a third of what samples without habits are off; `tests.bench.sampling` measures it closely."""
    seen = list(looks(greedy_games(seats, 24), 4, Random(2)))
    found = gaps(seen, drawing(HABITS[seats]), 8, Random(3))
    for (phase, name), gap in found.items():
        assert abs(gap.mean) < 0.35 + 3 * gap.error, (phase, name, str(gap))
    for one in reliability(seen, drawing(HABITS[seats]), 20, Random(4)):
        assert abs(one.said - one.true) < 0.08 + 2 / sqrt(one.number), one


def test_habits_of_another_format_are_refused():
    document = json.loads(habits.HABITS_FILE.read_text())
    assert set(habits.read(json.dumps(document))) == set(GAME.seats)
    with pytest.raises(ValueError, match="expected"):
        habits.read(json.dumps(document | {"format": "0" * 12}))


def test_habits_are_written_as_they_are_read():
    assert habits.read(habits.written(HABITS)) == HABITS


def test_what_is_learned_from_the_same_games_is_the_same_and_spares_what_is_never_paid():
    games = list(greedy_games(2, 4))
    one, other = (learn(games, Random(1), str) for _ in range(2))
    assert one == other
    assert one.pay[habits.SORTS.index("G3")] < 0.7 * max(one.pay)


def test_the_same_views_have_the_samples_that_they_always_had():
    """Whoever changes what is drawn changes the numbers of reviews: then `LOOKING_ON` of the expert, too."""
    drawn = sha256()
    for seats in GAME.seats:
        rng = Random(seats)
        state = GAME.start(seats, rng.randbytes(32), {"penalty": ("transfer", "honest", "discard")[seats - 2]})
        while not state.over:
            state.play(rng.choice(state.legal()))
            if rng.random() < 0.1:
                sample = Sampler(state.view(rng.randrange(seats)), NEUTRAL).draw(rng)
                drawn.update(json.dumps(position.written(GAME, sample)).encode())
    assert drawn.hexdigest()[:16] == "af2354f2c8e92d11"


def test_habits_are_learned_by_a_command_for_one_number_of_players(monkeypatch, tmp_path):
    file, told = tmp_path / "habits.json", StringIO()
    monkeypatch.setattr(habits_training, "HABITS_FILE", file)
    call_command("trainbots", game="biblios", what="habits", players=3, games=2, seed=5, stdout=told)
    found = habits.read(file.read_text())
    assert {seats for seats, of in found.items() if of != HABITS[seats]} == {3}
    assert "of another sort" in told.getvalue()
    with pytest.raises(CommandError, match="exlibris has no habits"):
        call_command("trainbots", game="exlibris", what="habits", players=3)
