"""Records: what is written, and what is refused before the first move."""

import json
from random import Random

import pytest

from games.engine import record
from tests.engine.biblios.records import good, index_of_chance, plies, refused
from tests.engine.biblios.sitting import GAME, NAMES, Sitting, lively_game, recorded

# What is written


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_record_holds_what_the_page_names_and_replays(seats):
    document = good(1, seats)
    assert list(document) == [
        "format", "options", "players", "first", "removed", "deck", "auction", "moves", "result",
    ]  # fmt: skip
    assert document["format"] == "biblios-record/1"
    assert list(document["options"]) == list(GAME.choices)
    assert document["players"] == list(NAMES[:seats])
    assert len(document["removed"]) + len(document["deck"]) == 87
    assert set(document["result"]) == {
        "points", "gold", "places", "winners", "dice", "category_winners", "totals",
    }  # fmt: skip
    end, moves = record.read(json.dumps(document)).replay()
    assert end.over
    assert [GAME.text(move) for move in moves] == [entry["move"] for entry in plies(document)]
    assert GAME.result(end) == document["result"]


@pytest.mark.parametrize(("penalty", "keys"), [("transfer", "chance from to card"), ("discard", "chance from card")])
def test_what_chance_took_in_a_penalty_stands_after_the_refusal(penalty, keys):
    document = good(penalty=penalty)
    index = index_of_chance(document)
    assert document["moves"][index - 1]["move"] == "refuse"
    assert document["moves"][index]["chance"] == {"transfer": "steal", "discard": "discard"}[penalty]
    assert document["moves"][index]["from"] == document["moves"][index - 1]["seat"]
    assert list(document["moves"][index]) == keys.split()


def test_further_keys_may_be_added():
    document = good() | {"date": "2026-11-21", "ratings": [1500, 1500, None]}
    document["moves"][0]["at"] = 12.5
    document["result"]["comment"] = {"by": ["Ann"]}
    assert record.read(json.dumps(document)).replay()[0].over


@pytest.mark.parametrize("text", ["bytes", "spaced"])
def test_a_record_reads_from_text_and_from_bytes_in_utf_8(text):
    document = good() | {"players": ["Ünë", "Боб", "🎲"]}
    plain = json.dumps(document, ensure_ascii=False, indent=1)
    assert record.read(plain if text == "spaced" else plain.encode()).players == ["Ünë", "Боб", "🎲"]


@pytest.mark.parametrize("count", [0, 1, 40, 90])
def test_a_game_that_ended_early_stops_there(count):
    played = lively_game(Random(1), 3)
    document = recorded(played._replace(moves=played.moves[:count]), ended="resignation")
    assert document["result"] == {"ended": "resignation"}
    end, moves = record.read(json.dumps(document)).replay()
    assert (len(moves), end.over) == (count, False)


def test_a_record_from_elsewhere_with_equal_cards_in_any_order_replays():
    sitting = Sitting(2, "G1 C+ G3 C+ G1 G2").play_on()
    document = json.loads(json.dumps(record.export(GAME, sitting.start, sitting.moves, ["Ann", "Bob"])))
    document["removed"][:6] = ["G3", "G1", "G2", "G2", "G1", "G3"]
    assert record.read(json.dumps(document)).replay()[0].over


# What is refused before the first move


@pytest.mark.parametrize(
    "key", ["format", "options", "players", "first", "removed", "deck", "auction", "moves", "result"]
)
def test_a_missing_key_is_named(key):
    document = good()
    del document[key]
    assert key in str(refused(document))


@pytest.mark.parametrize("option", list(GAME.choices))
def test_a_missing_option_is_named(option):
    document = good()
    del document["options"][option]
    assert option in str(refused(document))


@pytest.mark.parametrize(
    ("option", "value"), [("colour", "red"), ("penalty", "none"), ("start_die", True), ("start_die", 3.0)]
)
def test_an_unknown_option_or_value_is_named(option, value):
    document = good()
    document["options"][option] = value
    assert option in str(refused(document))


JUNK = [None, True, -1, 3, 1.5, float("nan"), float("inf"), 10**4000, "", "M1A", "\ud800", [], [[]], {}, {"a": 1}]


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: ascii(junk)[:12])
@pytest.mark.parametrize(
    "key", ["format", "options", "players", "first", "removed", "deck", "auction", "moves", "result"]
)
def test_a_value_of_another_kind_is_refused(key, junk):
    refused(good() | {key: junk})


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: ascii(junk)[:12])
@pytest.mark.parametrize("key", ["removed", "deck", "auction", "players", "moves"])
def test_an_element_of_another_kind_is_refused(key, junk):
    if key == "players" and junk in ("", "M1A"):
        return
    document = good()
    document[key][5 % len(document[key])] = junk
    refused(document)


@pytest.mark.parametrize("key", ["removed", "deck"])
def test_a_card_that_is_there_twice_is_refused(key):
    document = good()
    spot = document[key].index(next(card for card in document[key][3:] if card[0] in "MPHSF"))
    other = next(i for i, card in enumerate(document["deck"]) if card[0] in "MPHSF" and i != spot)
    document[key][spot] = document["deck"][other]
    assert "too often" in str(refused(document))


@pytest.mark.parametrize("key", ["removed", "deck"])
@pytest.mark.parametrize("change", ["more", "less"])
def test_a_wrong_number_of_cards_is_refused(key, change):
    document = good()
    document[key] = document[key][:-1] if change == "less" else [*document[key], "S1A"]
    assert f"{key} has {len(document[key])} cards; expected" in str(refused(document))


def test_the_cards_removed_begin_with_the_fixed_gold():
    document = good()
    document["removed"][0], document["deck"][0] = "M2A", "G1"
    assert "removed must begin with G1 G2 G3" in str(refused(document))


@pytest.mark.parametrize("players", [[], ["Ann"], ["A", "B", "C", "D", "E"], "Ann", [1, 2, 3]])
def test_a_wrong_number_of_players_is_refused(players):
    refused(good() | {"players": players})


@pytest.mark.parametrize("first", [-1, 3, 1.0, True, "0", None])
def test_a_wrong_first_player_is_refused(first):
    assert "first" in str(refused(good() | {"first": first}))
