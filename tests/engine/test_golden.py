"""Old records replay for ever: each of them was written by the rules of its version."""

import json
from pathlib import Path

import pytest

from games.engine import record
from tests.engine.games import PLAYABLE

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*/*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_record_replays_and_exports_as_it_was(path):
    text = path.read_text()
    read = record.read(text)
    _, moves = read.replay()
    assert record.export(read.game, read.start, moves, read.players) == json.loads(text)


@pytest.mark.parametrize("game", PLAYABLE.values(), ids=lambda game: f"{game.slug}-{game.version}")
def test_the_golden_records_cover_every_table(game):
    documents = [json.loads(path.read_text()) for path in GOLDEN if path.parent.name == f"{game.slug}-{game.version}"]
    assert len(documents) >= 30
    assert {len(document["players"]) for document in documents} == set(game.seats)
    for name, values in game.choices.items():
        # A record leaves out a later option that has its default.
        assert {document["options"].get(name, values[0]) for document in documents} == set(values)
    for preset in game.presets:
        assert game.preset(preset) in [document["options"] for document in documents]
