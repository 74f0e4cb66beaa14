"""Results of a ladder in names and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.models import User
from games.ladders.models import Ladder, LadderEvent
from games.ladders.standing import Kind, outcome
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
    """By place; None if they contradict the places, because a bot finished the game for somebody."""
    moves: tuple[tuple[str, int, int], ...]
    """The players who went up: name, from, to."""
    late: tuple[str, ...]
    undone: bool
    match: str

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


def shown_of(players: Iterable[int]) -> dict[int, tuple[str, str]]:
    """The names and the avatars of users by id."""
    rows = User.objects.filter(pk__in=players).values_list("pk", "username", "avatar")
    return {pk: (name, worn) for pk, name, worn in rows}


def undone_of(ladder: Ladder) -> set[int]:
    """The numbers of the events that were undone."""
    return set(ladder.log.filter(kind=Kind.UNDO).values_list("data__event", flat=True))


def shown_results(of: Ladder, events: Sequence[LadderEvent], names: dict[int, str]) -> list[Result]:
    """Results in words and numbers."""
    undone = undone_of(of) if events else set()
    keys = [event.data["match"] for event in events]
    matches = {match.key: match for match in Match.objects.filter(key__in=keys).only("key", "result")}
    return [_result(event, names, matches[event.data["match"]], event.number in undone) for event in events]


def _result(event: LadderEvent, names: dict[int, str], match: Match, undone: bool) -> Result:
    players, places = event.data["players"], event.data["places"]
    assert match.result is not None
    finished = dict(zip(players, places, strict=True))
    ranked = sorted(range(len(players)), key=lambda seat: places[seat])
    points = tuple(match.result["points"][seat] for seat in ranked)
    known = {player: names.get(player, _("someone")) for player in players}
    return Result(
        event=event,
        names=tuple(known[players[seat]] for seat in ranked),
        shared=outcome(finished, players[ranked[0]]) == "d",
        points=points if "ended" not in match.result and points == tuple(sorted(points, reverse=True)) else (),
        moves=tuple(
            (known[players[seat]], *event.steps[str(players[seat])])
            for seat in ranked
            if None not in event.steps.get(str(players[seat]), (None,))
            and event.steps[str(players[seat])][1] < event.steps[str(players[seat])][0]
        ),
        late=tuple(known[player] for player in event.data["late"]),
        undone=undone,
        match=event.data["match"],
    )
