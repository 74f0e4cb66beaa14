"""Records whose form is right and whose game is not: the first wrong move is named."""

from random import Random

import pytest

from games.engine import record
from tests.engine.biblios.records import good, index_of_chance, plies, refused
from tests.engine.biblios.sitting import lively_game, recorded

# What is refused at a move


@pytest.mark.parametrize("ply", [0, 1, 30, 75, -1])
def test_the_first_wrong_move_is_named(ply):
    document = good()
    ply %= len(plies(document))
    entry = plies(document)[ply]
    entry["move"] = "pass" if entry["move"] != "pass" else "keep"
    entry.pop("forced", None)
    plies(document)[-1]["move"] = "nonsense" if ply < len(plies(document)) - 1 else entry["move"]
    error = refused(document)
    assert error.ply == ply
    assert f"move {ply + 1} " in str(error)
    assert "is not possible now; expected one of:" in str(error)


@pytest.mark.parametrize("ply", [0, 50])
@pytest.mark.parametrize("text", ["nonsense", "take M1A", "\ud800", "", None, 5, ["pass"], {"bid": 1}])
def test_a_text_that_is_no_move_is_refused_at_its_ply(ply, text):
    document = good()
    plies(document)[ply]["move"] = text
    error = refused(document)
    assert error.ply == ply
    assert "is no move" in str(error)


def test_a_move_by_the_wrong_seat_is_refused_at_its_ply():
    document = good()
    entry = plies(document)[20]
    seat = entry["seat"]
    entry["seat"] = (seat + 1) % 3
    error = refused(document)
    assert error.ply == 20
    assert f"seat {seat} is asked" in str(error)


@pytest.mark.parametrize("seat", [-1, 3, 10**4000, 1.0, True, None, "0", []])
def test_a_seat_that_is_none_is_refused_at_its_ply(seat):
    document = good()
    plies(document)[20]["seat"] = seat
    assert refused(document).ply == 20


@pytest.mark.parametrize("key", ["seat", "move"])
def test_an_entry_without_seat_or_move_is_refused_at_its_ply(key):
    document = good()
    del plies(document)[20][key]
    error = refused(document)
    assert (error.ply, key in str(error)) == (20, True)


def test_a_move_after_the_end_is_refused():
    document = good()
    document["moves"].append({"seat": 0, "move": "pass"})
    error = refused(document)
    assert error.ply == len(plies(document)) - 1
    assert "after the end of the game" in str(error)


def test_moves_that_stop_before_the_end_are_refused():
    document = good()
    ply = len(plies(document)) - 1
    document["moves"].pop()
    error = refused(document)
    assert error.ply == ply
    assert "before the end of the game" in str(error)


def test_a_move_marked_as_forced_though_there_was_a_choice_is_refused():
    document = good()
    ply = next(ply for ply, entry in enumerate(plies(document)) if ply > 9 and "forced" not in entry)
    plies(document)[ply]["forced"] = True
    error = refused(document)
    assert (error.ply, "forced" in str(error)) == (ply, True)


def test_a_mark_on_the_only_answer_to_a_payment_is_harmless():
    """Here it would not be made, for it would tell what the player holds; a finished game keeps no secrets."""
    document = good()
    read = record.record_of(document)
    state = read.start.copy()
    marked = 0
    for entry in plies(document):
        if entry["move"].startswith("pay") and len(state.legal()) == 1:
            entry["forced"] = True
            marked += 1
        state.play(read.game.move(entry["move"]))
    assert marked
    record.record_of(document).replay()


@pytest.mark.parametrize("mark", [1, 0, "true", None, []])
def test_a_mark_that_is_neither_true_nor_false_is_refused(mark):
    document = good()
    plies(document)[4]["forced"] = mark
    assert refused(document).ply == 4


# What is refused of chance


@pytest.mark.parametrize(
    "change",
    [
        {"chance": "discard"},
        {"chance": None},
        {"from": 9},
        {"from": None},
        {"to": 9},
        {"to": None},
        {"to": "0"},
        {"card": "C+"},
        {"card": "nonsense"},
        {"card": None},
        {"card": ["M2A"]},
        {"card": "\ud800"},
    ],
    ids=str,
)
def test_a_wrong_entry_of_chance_is_refused(change):
    document = good()
    document["moves"][index_of_chance(document)] |= change
    refused(document)


def test_a_card_that_is_not_in_the_hand_cannot_be_drawn():
    document = good()
    index = index_of_chance(document)
    document["moves"][index]["card"] = next(card for card in document["removed"] if card[0] in "MPHSF")
    error = refused(document)
    assert error.ply == sum("move" in entry for entry in document["moves"][:index]) - 1
    assert "the hand is" in str(error)


@pytest.mark.parametrize("key", ["from", "to"])
@pytest.mark.parametrize("kind", [bool, float], ids=["true", "1.0"])
def test_in_an_entry_of_chance_true_is_not_1(key, kind):
    document = good()
    entry = next(entry for entry in document["moves"] if entry.get(key) == 1 and "chance" in entry)
    entry[key] = kind(1)
    refused(document)


@pytest.mark.parametrize("change", ["missing", "twice", "elsewhere"])
def test_an_entry_of_chance_out_of_place_is_refused(change):
    document = good()
    index = index_of_chance(document)
    entry = document["moves"][index]
    if change != "twice":
        del document["moves"][index]
    if change != "missing":
        document["moves"].insert(3 if change == "elsewhere" else index, entry)
    assert refused(document).ply is not None


# What is refused at the end


@pytest.mark.parametrize("key", ["points", "gold", "places", "winners", "dice", "category_winners", "totals"])
def test_a_wrong_result_is_refused(key):
    for junk in (None, [], [9, 9, 9], [True], {}, "1", 10**4000):
        document = good()
        document["result"][key] = junk
        assert f"result.{key}" in str(refused(document))
    document = good()
    del document["result"][key]
    assert f"result.{key}" in str(refused(document))


def test_in_a_result_true_is_not_1():
    document = good()
    document["result"]["places"] = [True if place == 1 else place for place in document["result"]["places"]]
    refused(document)


@pytest.mark.parametrize("change", ["swapped", "missing", "added", "foreign"])
def test_a_wrong_auction_pile_is_refused(change):
    document = good()
    auction = document["auction"]
    if change == "swapped":
        other = next(i for i, card in enumerate(auction) if card != auction[0])
        auction[0], auction[other] = auction[other], auction[0]
    elif change == "missing":
        auction.pop()
    elif change == "added":
        auction.append(auction[0])
    else:
        auction[-1] = document["removed"][-1]
    refused(document)


@pytest.mark.parametrize("ended", [None, "", True, 5, [], {}], ids=str)
def test_ended_says_how(ended):
    played = lively_game(Random(1), 3)
    document = recorded(played._replace(moves=played.moves[:10]), ended="time")
    document["result"]["ended"] = ended
    refused(document)


def test_a_finished_game_cannot_have_ended_early():
    document = good()
    document["result"] = {"ended": "resignation", "winners": [1]}
    assert "its moves reach the end" in str(refused(document))


def test_an_error_shows_no_control_characters():
    document = good()
    document["moves"][0]["move"] = "\x1b[31mboo\n"
    assert str(refused(document)).isprintable()
