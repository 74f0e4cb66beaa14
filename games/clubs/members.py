"""The members of a club as one person sees them: on a page, on paper, and as a file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from accounts.career import ratings
from accounts.models import Club, Member
from accounts.people import following
from accounts.text.names import folded
from accounts.web.requests import Visitor
from games.ladders.models import Ladder, TablePlayer, TableResult
from games.ladders.standing import Standing
from games.matches.models import Match, Seat

A_PAGE = 50
"""The number of members on a page."""
IDLE = timedelta(days=30)
"""Who has not played for so long, and is no newer, is marked."""
ORDERS = {"rung": _("Rung"), "name": _("Name"), "played": _("Last game")}
"""By what the list can be sorted."""
FILE = "rung", "name", "rating", "role", "joined", "last_game"
"""The columns of the file."""


@dataclass(frozen=True)
class Fellow:
    """A member, as the others see them."""

    member: Member
    position: int | None
    rating: str
    """In the club's own pool; empty for a member who is not on the ladder."""

    @property
    def name(self) -> str:
        return self.member.user.username

    @property
    def steward(self) -> bool:
        return self.member.role == Member.Role.STEWARD

    @property
    def rights(self) -> str:
        """The rights of an ordinary member, in words; empty if they have none."""
        return "" if self.steward else ", ".join(str(right.label) for right in self.member.may)


class ListedMember(NamedTuple):
    """A member in the list of a club."""

    fellow: Fellow
    played: datetime | None
    """When their last game for the club ended."""
    idle: bool
    """Whether that is long ago."""
    online: bool
    """As far as the visitor may know."""


def fellows(members: Iterable[Member], standing: Standing) -> list[Fellow]:
    """Members with their places: those on the ladder first, then by name."""
    shown = []
    for member in members:
        known = standing.players.get(member.user_id)
        rating = ratings.shown(known.rating, known.games) if known else ""
        shown.append(Fellow(member, standing.position(member.user_id), rating))
    return sorted(shown, key=lambda each: (each.position is None, each.position, each.member.user.folded))


def last_games(club: Club, people: Collection[int]) -> dict[int, datetime]:
    """When each of these people, by id, last finished a game for the club's ladders or in its tournaments, here or at a
    real table; without who never did. Two queries."""
    seats = Seat.objects.filter(user__in=people, match__club=club, match__status=Match.Status.FINISHED)
    here = seats.exclude(match__agreed="").values_list("user").annotate(last=Max("match__ended_at"))
    counted = TableResult.objects.filter(ladder__club=club, status=TableResult.Status.COUNTED)
    there = TablePlayer.objects.filter(user__in=people, result__in=counted)
    found = dict(here.order_by())
    for player, at in there.order_by().values_list("user").annotate(last=Max("result__entered_at")):
        found[player] = max(at, found.get(player, at))
    return found


def idle(member: Member, played: datetime | None, now: datetime, long: timedelta = IDLE) -> bool:
    """Whether a member has not played for so long, though they could have."""
    return max(member.joined_at, played or member.joined_at) <= now - long


def listed(
    ladder: Ladder, user: Visitor, wanted: str, order: str, number: str, now: datetime
) -> tuple[Page[Fellow], list[ListedMember]]:
    """A page of the members of a club, with their places on this ladder, in one of ORDERS: those whose names contain
    `wanted`, and what else is shown of each on it."""
    rows = fellows(ladder.club.members.select_related("user"), ladder.now_standing())
    rows = [each for each in rows if folded(wanted) in each.member.user.folded]
    last = dict[int, datetime]()
    if order == "played":
        last = last_games(ladder.club, [each.member.user_id for each in rows])
        rows.sort(key=lambda each: last[each.member.user_id].timestamp() if each.member.user_id in last else 0)
        rows.reverse()
    elif order == "name":
        rows.sort(key=lambda each: each.member.user.folded)
    page = Paginator(rows, A_PAGE).get_page(number)
    if order != "played":
        last = last_games(ladder.club, [each.member.user_id for each in page])
    here = (
        following.online(user, [each.member.user for each in page]) if user.is_authenticated and not user.guest else ()
    )
    return page, [_listed(each, last, here, now) for each in page]


def everybody(ladder: Ladder, now: datetime) -> list[ListedMember]:
    """All members of a club, with their places on this ladder."""
    rows = fellows(ladder.club.members.select_related("user"), ladder.now_standing())
    last = last_games(ladder.club, [each.member.user_id for each in rows])
    return [_listed(each, last, (), now) for each in rows]


def _listed(fellow: Fellow, last: dict[int, datetime], here: Collection[int], now: datetime) -> ListedMember:
    pk = fellow.member.user_id
    played = last.get(pk)
    return ListedMember(fellow, played, idle(fellow.member, played, now), pk in here)


def file_rows(members: Sequence[ListedMember]) -> list[dict[str, Any]]:
    """The rows of the file, with the columns of FILE."""
    return [
        {
            "rung": each.fellow.position,
            "name": each.fellow.name,
            "rating": each.fellow.rating,
            "role": each.fellow.member.role,
            "joined": each.fellow.member.joined_at.date().isoformat(),
            "last_game": each.played.date().isoformat() if each.played else None,
        }
        for each in members
    ]
