"""How a match ended in which some have left: its places, and what its record calls the end. Pure."""

from __future__ import annotations

from collections.abc import Sequence

ENDED = {"resign": "resignation", "time": "time", "leave": "abandoned"}
"""What `ended` says of a game that ended when somebody left, by why they did."""
AGREED = "agreement"
"""What it says of one that those who stayed agreed to end."""
CALLED_OFF = "abandoned"
"""What it says of a match without a result."""
Left = Sequence[tuple[str, int] | None]
"""By seat, why its player left (a key of `ENDED`) and at which ply; None for who stayed."""


def final_places(places: Sequence[int], left: Left) -> list[int]:
    """The places by seat: first the players who stayed, by these places, then those who left, last first."""
    # Leaving alone decides the place: a bot's success with the hand is not its owner's merit.
    keys = [(True, -one[1]) if one else (False, place) for place, one in zip(places, left, strict=True)]
    return [1 + sum(other < key for other in keys) for key in keys]


def stopped_places(bots: Sequence[object], left: Left) -> list[int]:
    """The places of a game that was stopped: a share of first place for the people who stayed, then the bots, then
    those who left; whoever gives up a game alone has lost it. `bots`: by seat, true where a bot sat from the start."""
    if len(left) == 1:
        return [2]
    return final_places([1 + bool(bot) for bot in bots], left)


def how_ended(bots: Sequence[object], left: Left) -> str:
    """How a game was stopped: by agreement, or by the last one to leave if fewer than two people stayed."""
    if sum(not bot and one is None for bot, one in zip(bots, left, strict=True)) > 1:
        return AGREED
    why, _ply = max((one for one in left if one), key=lambda one: one[1])
    return ENDED[why]
