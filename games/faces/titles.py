"""What the pages about people need to know of a game."""

from __future__ import annotations

from collections.abc import Mapping

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from accounts.career.titles import Title
from games.engine.core import Game
from games.faces.registry import face_of


def title_of(game: Game) -> Title:
    """The words and figures of a game, to be registered."""
    face = face_of(game)

    def statistics(won: Mapping[str, int], feats: Mapping[str, int], games: int) -> SafeString:
        if not games:
            return SafeString()
        return render_to_string(face.template("statistics"), face.statistics(won, feats, games))

    pools = {pool: face.pools[pool] for pool in game.pools}
    meaning = face.choices.get(game.difficulty)
    return Title(
        game.slug,
        face.name,
        game.seats,
        face.too_late,
        pools,
        game.levels,
        face.usual_level,
        meaning.explanation if meaning else {},
        statistics,
    )
