"""The registered games, by slug and rules version. Old versions stay, because their logs must replay for ever."""

from __future__ import annotations

from games.engine.biblios.game import Biblios
from games.engine.core import Game, RulesError
from games.engine.exlibris.game import ExLibris

GAMES: dict[tuple[str, int], Game] = {(game.slug, game.version): game for game in (Biblios(), ExLibris())}
FORMATS: dict[str, Game] = {game.format: game for game in GAMES.values()}
"""The game whose records carry a `format`."""


def titles() -> list[Game]:
    """The newest version of each title, for new matches. The first is the default."""
    newest: dict[str, Game] = {}
    for (slug, _version), game in sorted(GAMES.items(), key=lambda known: known[0][1]):
        newest[slug] = game
    return [newest[slug] for slug in dict.fromkeys(slug for slug, _version in GAMES)]


def title(slug: str = "") -> Game:
    """The newest version of a title, by default of the first one. Raises RulesError."""
    for game in titles():
        if slug in ("", game.slug):
            return game
    raise RulesError(f"unknown title {slug}; expected one of: {', '.join(game.slug for game in titles())}")


def game_of(slug: str, version: int) -> Game:
    """The game of a slug and rules version. Raises RulesError."""
    try:
        return GAMES[slug, version]
    except KeyError:
        known = ", ".join(f"{slug}/{version}" for slug, version in GAMES)
        raise RulesError(f"unknown game {slug}/{version}; expected one of: {known}") from None
