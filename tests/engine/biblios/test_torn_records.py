"""Records that are torn, mistyped or malicious never raise anything but BadRecord."""

import json
from copy import deepcopy
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.biblios.records import refused
from tests.engine.biblios.sitting import lively_game, recorded
from tests.engine.torn import STEADY, replays_or_is_refused, spoil, tear

TABLES = ((2, "transfer"), (3, "discard"), (4, "honest"), (2, "discard"))


@cache
def good():
    """Good records, to be spoiled in copies."""
    return [
        recorded(lively_game(Random(number), seats, penalty=penalty)) for number, (seats, penalty) in enumerate(TABLES)
    ]


def good_text():
    return json.dumps(good()[0] | {"players": ["Zoë", "Боб"]}, ensure_ascii=False)


@pytest.mark.parametrize("length", [0, 1, 2, 100, 5000, -2, -1])
def test_a_truncated_file_is_refused(length):
    assert "complete" in str(refused(good_text()[:length]))
    refused(good_text().encode()[:length])


@pytest.mark.parametrize("text", ["", " ", "null", "5", '"record"', "[]", "[{}]", "{}", "true", "NaN"])
def test_a_text_that_is_no_record_is_refused(text):
    refused(text)


def test_two_records_in_one_text_are_refused():
    refused(good_text() + good_text())


@pytest.mark.parametrize("depth", [50, 900, 5_000, 200_000])
@pytest.mark.parametrize("around", ["[]", '{"a":}'])
def test_deep_nesting_is_refused(depth, around):
    nest = around[:-1] * depth + "0" + around[-1] * depth
    refused(nest)
    for key in ("first", "deck", "moves", "players", "options"):
        refused(json.dumps(good()[0] | {key: "NEST"}).replace('"NEST"', nest))


@pytest.mark.parametrize("encoding", ["latin-1", "cp1251", "utf-16", "utf-32"])
def test_bytes_that_are_not_utf_8_are_refused(encoding):
    refused(good_text().encode(encoding, "replace" if encoding == "cp1251" else "xmlcharrefreplace"))


def test_a_surrogate_written_as_bytes_is_not_utf_8():
    refused(good_text().replace("Zoë", "\ud800").encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "9" * 10_000, "-" + "9" * 10_000, "1e10000"])
@pytest.mark.parametrize("place", ["first", "seat", "points", "from", "start_die"])
def test_a_number_that_is_none_is_refused(number, place):
    document = deepcopy(good()[0])
    index = next(index for index, entry in enumerate(document["moves"]) if "chance" in entry)
    holder = {
        "first": document,
        "seat": document["moves"][2],
        "points": document["result"],
        "from": document["moves"][index],
        "start_die": document["options"],
    }[place]
    holder[place] = "NUMBER"
    refused(json.dumps(document).replace('"NUMBER"', number))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "9" * 10_000])
def test_a_number_that_is_none_is_refused_in_a_further_key_too(number):
    refused(json.dumps(good()[0] | {"rating": "NUMBER"}).replace('"NUMBER"', number))


@pytest.mark.parametrize("place", ["format", "players", "options", "deck", "auction", "move", "card"])
def test_a_lone_surrogate_is_refused(place):
    document = deepcopy(good()[0])
    if place == "options":
        document["options"]["penalty"] = "\ud800"
    elif place in ("move", "card"):
        next(entry for entry in document["moves"] if place in entry)[place] = "\ud800"
    elif place == "format":
        document["format"] = "\ud800"
    else:
        document[place][-1] = "\ud800"
    refused(json.dumps(document))


@STEADY
@given(st.data())
def test_a_spoiled_record_replays_or_is_refused(data):
    document = deepcopy(data.draw(st.sampled_from(good())))
    for _ in range(data.draw(st.integers(1, 3))):
        spoil(document, data.draw)
    replays_or_is_refused(json.dumps(document))


@STEADY
@given(st.data())
def test_a_torn_text_replays_or_is_refused(data):
    text = json.dumps(data.draw(st.sampled_from(good())), ensure_ascii=False)
    replays_or_is_refused(tear(text, data.draw))


def test_a_key_that_stands_twice_is_refused():
    """Another reader might take the first of the two: one file, two games."""
    text = json.dumps(good())
    assert "a key stands twice" in str(refused(text.replace('"first"', '"first": 1, "first"', 1)))
