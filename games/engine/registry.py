"""The registered games, by slug and rules version. Old versions stay, because their logs must replay for ever."""

from __future__ import annotations

from games.engine.biblios.game import Biblios
from games.engine.core import Game, RulesError

GAMES: dict[tuple[str, int], Game] = {(game.slug, game.version): game for game in (Biblios(),)}
FORMATS: dict[str, Game] = {game.format: game for game in GAMES.values()}
"""The game whose records carry a `format`."""


def game_of(slug: str, version: int) -> Game:
    """The game of a slug and rules version. Raises RulesError."""
    try:
        return GAMES[slug, version]
    except KeyError:
        known = ", ".join(f"{slug}/{version}" for slug, version in GAMES)
        raise RulesError(f"unknown game {slug}/{version}; expected one of: {known}") from None
