"""The games that are tested: those that the site knows, and those that have no face there."""

from games.engine.core import Game
from games.engine.exlibris.game import ExLibris
from games.engine.registry import GAMES
from tests.toy.game import Toy

EVERY: dict[tuple[str, int], Game] = {("toy", 1): Toy(), ("exlibris", 1): ExLibris()} | GAMES
PLAYABLE: dict[tuple[str, int], Game] = {key: game for key, game in EVERY.items() if key[0] != "toy"}
"""Those that are more than a test."""
