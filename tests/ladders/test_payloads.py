"""What the events of ladders and tournaments say comes back from their rows as it was, and nothing else does."""

import json
from dataclasses import FrozenInstanceError

import pytest

from games.ladders import payloads
from games.ladders.payloads import AtTable, GameResult, MovedHere, Ranked, SeasonBegun
from games.ladders.rules import Rules
from games.ladders.standing import Standing
from games.tournaments import payloads as of_tournaments
from games.tournaments.payloads import RoundBegun, SeatedTable

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("module", "payload"),
    [
        (payloads, GameResult(1, "m", "ab", (1, 2), (2, 1), (), (2,), gone=(3,))),
        (payloads, AtTable(1, (1, 2), (1, 1), None, "2026-11-25", 1)),
        (payloads, AtTable(1, (1, 2), (1, 2), (9, 7), "2026-11-25", 1)),
        (payloads, SeasonBegun(1, 2, Rules(sizes=(2,), presets=("custom",)))),
        (payloads, MovedHere("site", "ab", 3, Rules(), (Ranked(1, 1500.5, 7),), ("cd",))),
        (of_tournaments, RoundBegun((SeatedTable((1, 2), 1, "m"),), (3,), "swiss", "", deal=0)),
    ],
)
def test_a_payload_comes_back_from_its_row(module, payload):
    kept = json.loads(json.dumps(payload.to_json()))
    assert module.payload_of(payload.kind, kept) == payload
    assert kept.keys() == vars(payload).keys(), "every field is written"


@pytest.mark.parametrize(
    ("kind", "data"),
    [("join", {"player": 1}), ("join", {"player": 1, "name": "", "nmae": ""}), ("joined", {"player": 1, "name": ""})],
)
def test_fields_and_kinds_that_nobody_knows_are_refused(kind, data):
    with pytest.raises((TypeError, LookupError)):
        payloads.payload_of(kind, data)


def test_what_was_said_is_never_changed():
    with pytest.raises(FrozenInstanceError):
        payloads.Left(1).player = 2


def test_only_a_replay_undoes():
    with pytest.raises(ValueError, match="replay"):
        Standing().apply(payloads.Event(0, 0, payloads.Undone(0)))
