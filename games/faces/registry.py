"""The registered faces: one for each title of `games.engine.registry`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine.core import Game
from games.faces.biblios.face import BibliosFace
from games.faces.exlibris.face import ExLibrisFace
from games.faces.face import CUSTOM, Face, Preset
from games.faces.language import _

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
        preset = preset_of(game, options)
        return [str(preset.label), *(face_of(game).custom_tags(options) if preset is CUSTOM else [])]
    return [_("Difficulty %(level)d") % {"level": level}] if len(game.levels) > 1 else []


def terms_of(game: Game, places: int, options: Mapping[str, Any]) -> list[str]:
    """The terms of a table, a sentence for each option that means something to so many players; for one that came
    later only where it differs from the default."""
    level, face = game.level(places, options), face_of(game)
    if not level:
        meant = options.keys() - {game.difficulty, *face.moot(options)}
        return [str(it.explanation[options[name]]) for name, it in face.choices.items() if name in meant]
    explained = face.choices.get(game.difficulty)
    return [*tags_of(game, places, options), *([str(explained.explanation[level])] if explained else [])]


def options_in_words(game: Game) -> dict[str, Any]:
    """The presets and the options of a game, for its rules page; not how hard it is alone."""
    face = face_of(game)
    return {
        "presets": [*face.presets.values(), CUSTOM],
        "options": [
            {"name": it.label, "values": [(value, it.explanation[key]) for key, value in it.values.items()]}
            for name, it in face.choices.items()
            if name != game.difficulty
        ],
    }


def preset_of(game: Game, options: Mapping[str, Any]) -> Preset:
    """The preset with these options, in words; CUSTOM if there is none."""
    return face_of(game).presets.get(game.preset_of(options), CUSTOM)
