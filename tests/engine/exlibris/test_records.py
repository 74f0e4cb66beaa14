"""Records: what is written, and what is refused; the first fault is named."""

import json
from copy import deepcopy
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import record
from games.engine.core import BadRecord
from tests.engine.exlibris.sitting import GAME, NAMES, game_of, recorded
from tests.engine.torn import STEADY, replays_or_is_refused, spoil, tear

KEYS = ["format", "options", "players", "first", "libraries", "categories", "tiles", "deck", "moves", "result"]


@cache
def _good(seats, kind):
    for number in range(1, 60):
        document = recorded(game_of(number, seats, libraries="special", conflict=True))
        if kind in [entry.get("chance") for entry in document["moves"]] or not kind:
            return document
    raise AssertionError("no random game has an entry of chance of this kind")


def good(seats=3, kind=""):
    """A good record, to be spoiled, with an entry of chance of some kind."""
    return deepcopy(_good(seats, kind))


def refused(document):
    """The error of a bad record, whose message can be printed."""
    with pytest.raises(BadRecord) as caught:
        record.read(json.dumps(document)).replay()
    assert 0 < len(str(caught.value).encode()) < 3000
    return caught.value


def plies(document):
    """The entries that are moves, by ply."""
    return [entry for entry in document["moves"] if "move" in entry]


def entry_of(document, kind):
    """The first entry of chance of a kind, and its index."""
    return next((entry, at) for at, entry in enumerate(document["moves"]) if entry.get("chance") == kind)


# What is written


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_record_holds_what_the_page_names_and_replays(seats):
    document = good(seats)
    assert list(document) == KEYS
    assert set(document["options"]) - GAME.later == {"libraries", "conflict", "length", "difficulty"}
    assert all(document["options"].get(name) != GAME.choices[name][0] for name in GAME.later)
    assert document["players"] == list(NAMES[:seats])
    assert [len(pair) for pair in document["libraries"]] == [2] * seats
    assert sorted(document["categories"]) == list("CFHMRS")
    assert len(document["tiles"]) == (10 if seats == 1 else 17)
    assert len(set(document["deck"])) == 152
    result = ["points", "places", "winners", "lines", "books", "down", "hand", "rounds"]
    assert list(document["result"]) == ([*result, "public"] if seats == 1 else result)
    end, moves = record.read(json.dumps(document)).replay()
    assert end.over and GAME.result(end) == document["result"]
    assert [GAME.text(move) for move in moves] == [entry["move"] for entry in plies(document)]


def test_there_are_no_libraries_in_a_record_of_the_beginners_game():
    assert recorded(game_of(1, 2, libraries="basic"))["libraries"] == []


def test_moves_that_the_server_makes_are_marked():
    document = good()
    marked = [entry for entry in plies(document) if entry.get("forced")]
    assert marked and all(entry["forced"] is True for entry in marked)
    assert {entry["move"].split()[0] for entry in marked} <= {"send", "special", "at", "take", "allow", "peek"}


@pytest.mark.parametrize("kind", ["deck", "tiles", "steal"])
def test_what_chance_decided_stands_after_the_move(kind):
    document = good(kind=kind)
    entry, at = entry_of(document, kind)
    assert at > 0
    if kind == "steal":
        assert document["moves"][at - 1]["move"] == "lose"
        assert entry["from"] == document["moves"][at - 1]["seat"] and entry["card"] in document["deck"]
    else:
        things = entry["cards" if kind == "deck" else "tiles"]
        assert len(set(things)) == len(things) > 0


def test_further_keys_may_be_added():
    document = good() | {"date": "2026-11-21"}
    document["moves"][0]["at"] = 12.5
    document["result"]["comment"] = {"by": ["Ann"]}
    assert record.read(json.dumps(document)).replay()[0].over


@pytest.mark.parametrize("count", [0, 1, 40, 90])
def test_a_game_that_ended_early_stops_there(count):
    played = game_of(2, 3)
    document = recorded(played._replace(moves=played.moves[:count]), ended="resignation")
    end, moves = record.read(json.dumps(document)).replay()
    assert (len(moves), end.over) == (count, False)


# What is refused before the first move


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_named(key):
    document = good()
    del document[key]
    assert key in str(refused(document))


@pytest.mark.parametrize("option", list(GAME.choices))
def test_a_missing_option_and_a_wrong_value_are_named(option):
    document = good()
    document["options"][option] = "none"
    assert option in str(refused(document))
    del document["options"][option]
    if option not in GAME.later:
        assert option in str(refused(document))


def test_a_record_from_before_the_later_options_has_their_defaults():
    document = recorded(game_of(1, 2, **{name: GAME.choices[name][0] for name in GAME.later}))
    assert not GAME.later & document["options"].keys()
    assert record.read(json.dumps(document)).start.options == document["options"]


JUNK = [None, True, -1, 9, 1.5, 10**4000, "", "A0", "\ud800", [], [[]], {}, {"a": 1}]


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: ascii(junk)[:12])
@pytest.mark.parametrize("key", KEYS)
def test_a_value_of_another_kind_is_refused(key, junk):
    refused(good() | {key: junk})


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: ascii(junk)[:12])
@pytest.mark.parametrize("key", ["libraries", "categories", "tiles", "deck", "moves"])
def test_an_element_of_another_kind_is_refused(key, junk):
    document = good()
    at = next(at for at, thing in enumerate(document[key]) if type(thing) is not type(junk) or thing != junk)
    document[key][at] = junk
    refused(document)


@pytest.mark.parametrize("key", ["categories", "tiles", "deck"])
def test_a_thing_that_is_there_twice_or_missing_is_named(key):
    document = good()
    document[key][2] = document[key][1]
    assert f"{key}: " in str(refused(document)) and "twice" in str(refused(document))
    del document[key][2]
    assert "it lacks" in str(refused(document))


def test_libraries_are_two_for_each_that_are_in_the_game_and_different():
    document = good()
    document["libraries"][0][0] = "ABC"
    assert "“ABC”" in str(refused(document))
    document["libraries"][0][0] = document["libraries"][1][1]
    assert "twice" in str(refused(document))
    document["libraries"][0] = ["MUM"]
    assert "seat 0" in str(refused(document))
    assert "expected 3" in str(refused(good() | {"libraries": []}))
    solo = good(1)
    solo["libraries"][0] = ["CUB", "MUM"]
    assert "“CUB”" in str(refused(solo))


# What is refused at a move


@pytest.mark.parametrize("ply", [0, 1, 30, 75, -1])
def test_the_first_wrong_move_is_named(ply):
    document = good()
    ply %= len(plies(document))
    plies(document)[ply]["move"] = "give A1" if ply else "send home"
    error = refused(document)
    assert (error.ply, f"move {ply + 1} " in str(error)) == (ply, True)
    assert "is not possible now; expected one of:" in str(error)


@pytest.mark.parametrize("text", ["nonsense", "shelve A0", "at 3,0", "send 3", "send 3:5", "\ud800", "", None, 5, []])
def test_a_text_that_is_no_move_is_refused_at_its_ply(text):
    document = good()
    plies(document)[7]["move"] = text
    error = refused(document)
    assert error.ply == 7 and "is no move" in str(error)


def test_a_move_by_the_wrong_seat_is_refused_at_its_ply():
    document = good()
    entry = plies(document)[20]
    entry["seat"] = (entry["seat"] + 1) % 3
    assert refused(document).ply == 20


def test_a_move_marked_as_forced_though_there_was_a_choice_is_refused():
    document = good()
    at = next(at for at, entry in enumerate(plies(document)) if entry["move"] == "pass")
    plies(document)[at]["forced"] = True
    assert refused(document).ply == at


@pytest.mark.parametrize("kind", ["deck", "tiles", "steal"])
@pytest.mark.parametrize("change", ["missing", "twice", "elsewhere", "other", "shortened", "no list"])
def test_a_wrong_entry_of_chance_is_refused_at_its_ply(kind, change):
    document = good(kind=kind)
    entry, at = entry_of(document, kind)
    ply = sum("move" in other for other in document["moves"][:at]) - 1
    key = {"deck": "cards", "tiles": "tiles", "steal": "card"}[kind]
    if change == "missing":
        del document["moves"][at]
    elif change == "twice":
        document["moves"].insert(at, dict(entry))
    elif change == "elsewhere":
        document["moves"].insert(at - 1, document["moves"].pop(at))
    elif change == "other":
        entry["chance"] = "steal" if kind == "deck" else "deck"
    elif change == "shortened":
        entry[key] = entry[key][:-1]
    else:
        entry[key] = {"A1": 1}
    error = refused(document)
    assert error.ply in (ply - 1, ply, ply + 1)


def test_a_card_that_is_not_in_the_hand_cannot_be_lost():
    document = good(kind="steal")
    entry, _ = entry_of(document, "steal")
    entry["card"] = next(label for label in document["deck"][100:] if label != entry["card"])
    assert "the hand is" in str(refused(document))


@pytest.mark.parametrize("key", ["points", "places", "winners", "lines", "books", "down", "hand", "rounds", "public"])
def test_a_wrong_result_is_refused(key):
    document = good(1)
    document["result"][key] = "other"
    assert key in str(refused(document))
    del document["result"][key]
    assert key in str(refused(document))


# Torn and spoiled at random


@cache
def some():
    """Good records, to be spoiled in copies."""
    return [good(1), good(2), good(3, "steal")]


@STEADY
@given(st.data())
def test_a_spoiled_record_replays_or_is_refused(data):
    document = deepcopy(data.draw(st.sampled_from(some())))
    for _ in range(data.draw(st.integers(1, 3))):
        spoil(document, data.draw)
    replays_or_is_refused(json.dumps(document))


@STEADY
@given(st.data())
def test_a_torn_text_replays_or_is_refused(data):
    text = json.dumps(data.draw(st.sampled_from(some())), ensure_ascii=False)
    replays_or_is_refused(tear(text, data.draw))
