"""The registered faces: one for each title of `games.engine.registry`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.engine.core import Game
from games.faces.biblios.face import BibliosFace
from games.faces.exlibris.face import ExLibrisFace
from games.faces.face import CUSTOM, Face, Preset

FACES: dict[str, Face[Any]] = {face.slug: face for face in (BibliosFace(), ExLibrisFace())}


def face_of(game: Game) -> Face[Any]:
    """The face of a game."""
    return FACES[game.slug]


def rules_address(game: Game) -> str:
    """Where the rules page of a game is."""
    return f"/rules/{game.slug}"


def tags_of(game: Game, places: int, options: Mapping[str, Any]) -> list[str]:
    """The rules of a table in a word or two; of a game of one player, how hard it is."""
    level = game.level(places, options)
    if not level:
        return face_of(game).tags(options)
    return [_("Difficulty %(level)d") % {"level": level}] if len(game.levels) > 1 else []


def terms_of(game: Game, places: int, options: Mapping[str, Any]) -> list[str]:
    """The terms of a table, a sentence for each option that means something to so many players."""
    level = game.level(places, options)
    if not level:
        return face_of(game).terms(options)
    explained = face_of(game).choices.get(game.difficulty)
    return [*tags_of(game, places, options), *([str(explained.explanation[level])] if explained else [])]


def preset_of(game: Game, options: Mapping[str, Any]) -> Preset:
    """The preset with these options, in words; CUSTOM if there is none."""
    return face_of(game).presets.get(game.preset_of(options), CUSTOM)
