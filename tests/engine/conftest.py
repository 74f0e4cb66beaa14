"""Records of every game that is tested can be read."""

import pytest

from games.engine.registry import FORMATS
from tests.engine.games import PLAYABLE


@pytest.fixture(autouse=True)
def every_format(monkeypatch):
    for game in PLAYABLE.values():
        monkeypatch.setitem(FORMATS, game.format, game)
