"""The places of a match in which some have left. Pure."""

from __future__ import annotations

from collections.abc import Sequence


def final_places(places: Sequence[int], left: Sequence[int | None]) -> list[int]:
    """The places by seat: first the players who stayed, by these places, then those who left, last first.

    `left`: by seat, the ply at which its player left; None for who stayed.
    """
    # Leaving alone decides the place: a bot's success with the hand is not its owner's merit.
    keys = [(True, -when) if when is not None else (False, place) for place, when in zip(places, left, strict=True)]
    return [1 + sum(other < key for other in keys) for key in keys]
