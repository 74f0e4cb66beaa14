"""The awards of a season, and the best of all seasons, for a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from games.ladders.awards import Award, Won
from games.ladders.models import Ladder
from games.ladders.pages.seasons import Season
from games.ladders.pages.story import PlayerLinks
from games.ladders.words import awards
from games.ladders.words.events import listed


@dataclass(frozen=True)
class Winners:
    """Those who share the best value."""

    players: SafeString
    value: str
    season: Season | None = None
    """Among the best of all seasons: whose award it was."""


@dataclass(frozen=True)
class AwardLine:
    """An award with those who won it; nobody may have."""

    name: str
    definition: str
    winners: tuple[Winners, ...]


def of_season(ladder: Ladder, won: Mapping[Award, Won]) -> list[AwardLine]:
    """All awards of a season. One query."""
    names = PlayerLinks(ladder, (player for each in won.values() for player in each.players))
    return [_line(award, [_winners(names, award, won[award])] if award in won else []) for award in awards.AWARDS]


def best_of_all(ladder: Ladder, found: Mapping[Award, Sequence[tuple[Season, Won]]]) -> list[AwardLine]:
    """The best of all seasons, of each award that anybody has won. One query."""
    names = PlayerLinks(ladder, (player for each in found.values() for _season, won in each for player in won.players))
    return [
        _line(award, [_winners(names, award, won, season) for season, won in found[award]])
        for award in awards.AWARDS
        if award in found
    ]


def _winners(names: PlayerLinks, award: Award, won: Won, season: Season | None = None) -> Winners:
    return Winners(listed(names[player] for player in won.players), awards.value(award, won), season)


def _line(award: Award, winners: Sequence[Winners]) -> AwardLine:
    return AwardLine(str(awards.AWARDS[award].name), awards.definition(award), tuple(winners))
