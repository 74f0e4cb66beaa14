"""The ladders of a club in a list, as one person sees them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from accounts.models import Club
from accounts.web.requests import Visitor
from games.ladders.models import Ladder
from games.ladders.pages.results import names_of
from games.ladders.standing import Standing


class OnLadder(NamedTuple):
    """A ladder of a club, as one person sees it in a list."""

    ladder: Ladder
    position: int | None
    """The visitor's rung; None off the ladder."""
    rungs: int
    season: bool
    """Whether a season is running."""
    leader: str
    """The name of whoever stands first; empty if nobody does."""


def of_club(club: Club, user: Visitor) -> list[OnLadder]:
    """All ladders of a club, by their numbers. Two queries."""
    found = list(club.ladders.order_by("number"))
    for ladder in found:
        ladder.club = club
    standings = [ladder.now_standing() for ladder in found]
    names = names_of(leaders(standings))
    return [shown(ladder, standing, user, names) for ladder, standing in zip(found, standings, strict=True)]


def leaders(standings: Iterable[Standing]) -> set[int]:
    """Who stands first on these ladders."""
    return {player for standing in standings for player in standing.order[:1]}


def shown(ladder: Ladder, standing: Standing, user: Visitor, names: dict[int, str]) -> OnLadder:
    """A ladder in a list; `names`: at least that of its leader, if it is to be named."""
    position = standing.position(user.pk) if user.is_authenticated else None
    leader = names.get(standing.order[0], "") if standing.order else ""
    return OnLadder(ladder, position, len(standing.order), standing.ends is not None, leader)
