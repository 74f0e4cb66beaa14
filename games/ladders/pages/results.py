"""Results of ladders in names and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from games.ladders.models import Ladder, LadderEvent
from games.ladders.payloads import AtTable, Game, GameResult, Undone
from games.ladders.standing import outcome
from games.matches.models import Match


@dataclass(frozen=True)
class Result:
    """A game for positions, whether or not it moved anybody."""

    event: LadderEvent
    names: tuple[str, ...]
    """The players, by place."""
    shared: bool
    """Whether the first place is shared."""
    points: tuple[int, ...]
    """By place; none if they contradict the places, because a bot finished the game for somebody, or if nobody told
    those of a game at a real table."""
    moves: tuple[tuple[str, int, int], ...]
    """The players who went up: name, from, to."""
    late: tuple[str, ...]
    undone: bool
    match: str
    """The key of the match; empty for a game at a real table."""

    @property
    def rivals(self) -> tuple[str, ...]:
        return self.names[1:]

    @property
    def held(self) -> bool:
        """Whether the winner stood above already."""
        return not self.moves and not self.late


def names_of(players: Iterable[int]) -> dict[int, str]:
    """The names of users by id."""
    return dict(User.objects.filter(pk__in=players).values_list("pk", "username"))


def latest(ladders: Iterable[Ladder], most: int, **which: Any) -> list[LadderEvent]:
    """The last events of these ladders together, newest first; `which`: a filter. A query for each, by its index."""
    found = [event for ladder in ladders for event in ladder.log.filter(**which).order_by("-number")[:most]]
    return sorted(found, key=lambda event: event.pk, reverse=True)[:most]


def undone_of(ladder: Ladder) -> set[int]:
    """The numbers of the events that were undone."""
    return set(ladder.log.filter(kind=Undone.kind).values_list("data__event", flat=True))


def shown_results(events: Sequence[LadderEvent], names: dict[int, str]) -> list[Result]:
    """Results of one or several ladders in words and numbers. Two queries."""
    of = {event.ladder_id for event in events}
    found = LadderEvent.objects.filter(ladder__in=of, kind=Undone.kind).values_list("ladder", "data__event")
    undone, scored = set(found if events else ()), points_of(events)
    return [_result(event, names, scored[event.pk], (event.ladder_id, event.number) in undone) for event in events]


def points_of(events: Sequence[LadderEvent]) -> dict[int, Sequence[int]]:
    """By id of the event, the points of a game by player in the order of the event; none where nobody told them,
    or where a match ended without a last card, so that they decided nothing. One query."""
    games = {event.pk: game_of(event) for event in events}
    keys = [game.match for game in games.values() if isinstance(game, GameResult)]
    ends = dict(Match.objects.filter(key__in=keys).values_list("key", "result"))
    found: dict[int, Sequence[int]] = {}
    for pk, game in games.items():
        if isinstance(game, AtTable):
            found[pk] = game.points or ()
        else:
            end = ends[game.match]
            assert end is not None
            found[pk] = () if "ended" in end else end["points"]
    return found


def game_of(event: LadderEvent) -> Game:
    """What an event says that is a game for positions."""
    assert isinstance(event.payload, Game)
    return event.payload


def _result(event: LadderEvent, names: dict[int, str], scored: Sequence[int], undone: bool) -> Result:
    game = game_of(event)
    players, places = game.players, game.places
    late, match = (game.late, game.match) if isinstance(game, GameResult) else ((), "")
    finished = dict(zip(players, places, strict=True))
    ranked = sorted(range(len(players)), key=lambda seat: places[seat])
    points = tuple(scored[seat] for seat in ranked) if scored else ()
    known = {player: names.get(player, _("someone")) for player in players}
    return Result(
        event=event,
        names=tuple(known[players[seat]] for seat in ranked),
        shared=outcome(finished, players[ranked[0]]) == "d",
        points=points if points == tuple(sorted(points, reverse=True)) else (),
        moves=tuple(
            (known[players[seat]], *event.steps[str(players[seat])])
            for seat in ranked
            if None not in event.steps.get(str(players[seat]), (None,))
            and event.steps[str(players[seat])][1] < event.steps[str(players[seat])][0]
        ),
        late=tuple(known[player] for player in late),
        undone=undone,
        match=match,
    )
