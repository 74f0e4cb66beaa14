"""Makes matches, before anybody sits down."""

from __future__ import annotations

import secrets
from typing import Any

from games.engine import chance
from games.engine.core import Game
from games.matches.models import Match


def new(game: Game, *, secret: bytes | None = None, **fields: Any) -> Match:
    """An open match, to be saved, whose shuffle nobody can choose any more: its secret is drawn, the commitment public.

    `secret`: one that was drawn before, for tables with the same deal. Its bots are as fast as its host likes."""
    secret = secret or secrets.token_bytes(chance.SECRET_BYTES)
    return Match(
        game=game.slug,
        version=game.version,
        tempo=fields["host"].tempo,
        secret=secret,
        commitment=chance.commitment(secret),
        **fields,
    )


def create(game: Game, **fields: Any) -> Match:
    """Create a `new` match."""
    match = new(game, **fields)
    match.save()
    return match
