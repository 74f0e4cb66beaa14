"""The small game on the site: its files beside the site's own, and its places in the registries."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from accounts.career.titles import TITLES
from games.engine.registry import FORMATS, GAMES
from games.faces.registry import FACES
from games.faces.titles import title_of
from tests.toy.face import ToyFace
from tests.toy.game import Toy

FOLDER = Path(__file__).parent


def lay_out() -> None:
    """Let the site find the templates and static files of the game. Before the first page is drawn."""
    pages, board = settings.TEMPLATES
    pages["DIRS"].append(FOLDER / "templates")
    board["DIRS"].append(FOLDER / "templates" / "board")
    settings.STATICFILES_DIRS.append(FOLDER / "static")


def register(monkeypatch) -> Toy:
    """The game, among those that the site knows until the test is over."""
    game = Toy()
    monkeypatch.setitem(GAMES, (game.slug, game.version), game)
    monkeypatch.setitem(FORMATS, game.format, game)
    monkeypatch.setitem(FACES, game.slug, ToyFace())
    monkeypatch.setitem(TITLES, game.slug, title_of(game))
    monkeypatch.setitem(TITLES, game.slug, title_of(game))
    return game
