"""What players have won and lost on a ladder, against whom, and the awards of its seasons, for its pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.ladders import tally
from games.ladders.awards import Award, Won, awards
from games.ladders.models import Ladder, past
from games.ladders.pages.results import undone_of
from games.ladders.pages.seasons import Season, within
from games.ladders.payloads import GAME_KINDS
from games.ladders.standing import outcome
from games.ladders.tally import LadderTally, WonLost


def of_season(ladder: Ladder, season: Season, order: Iterable[int]) -> tuple[dict[int, LadderTally], dict[Award, Won]]:
    """By player, the tally of a season that ended, or stands by now, in this order; and its awards. Two queries."""
    order = list(order)
    rows, undone = past(within(ladder.log.exclude(pk=season.began.pk), season)), undone_of(ladder)
    return tally.tallies(rows, undone, order), awards(rows, undone, order)


def of_player(ladder: Ladder, player: int) -> tuple[WonLost, dict[int, WonLost]]:
    """The games of a player since the ladder began, and those against each other player. Two queries."""
    events, undone, own = past(ladder.log.filter(kind__in=GAME_KINDS)), undone_of(ladder), WonLost()
    for _event, places in tally.results(events, undone):
        if player in places:
            own.count(outcome(places, player))
    return own, tally.head_to_head(events, undone).get(player, {})


def best_of_all(ladder: Ladder, seasons: Sequence[Season]) -> dict[Award, list[tuple[Season, Won]]]:
    """By award, the seasons that ended in which its best value was reached, oldest first. Two queries."""
    rows, undone = past(ladder.log.all()) if any(season.ended for season in seasons) else [], undone_of(ladder)
    found: dict[Award, list[tuple[Season, Won]]] = {}
    for season in reversed(seasons):
        if season.ended is None:
            continue
        own = rows[season.began.number + 1 : season.ended.number]
        for award, won in awards(own, undone, [player for player, *_ in season.final]).items():
            best = found.get(award, [])
            if not best or won.key >= best[0][1].key:
                found[award] = [*(best if best and won.key == best[0][1].key else []), (season, won)]
    return found
