"""Good records to be spoiled, and how it is checked that they are refused then."""

import json
from copy import deepcopy
from functools import cache
from random import Random

import pytest

from games.engine import record
from games.engine.core import BadRecord, RulesError
from tests.engine.biblios.sitting import lively_game, recorded


@cache
def _good(number, seats, penalty):
    return recorded(lively_game(Random(number), seats, penalty=penalty))


def good(number=1, seats=3, penalty="transfer"):
    """A good record with penalties, to be spoiled."""
    return deepcopy(_good(number, seats, penalty))


def refused(document):
    """The error of a bad record, whose message can be printed."""
    text = document if isinstance(document, (str, bytes)) else json.dumps(document)
    with pytest.raises(BadRecord) as caught:
        record.read(text).replay()
    assert isinstance(caught.value, RulesError)
    assert 0 < len(str(caught.value).encode()) < 2000
    return caught.value


def plies(document):
    """The entries that are moves, by ply."""
    return [entry for entry in document["moves"] if "move" in entry]


def index_of_chance(document):
    return next(index for index, entry in enumerate(document["moves"]) if "chance" in entry)
