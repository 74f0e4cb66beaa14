"""The hand of a day as one person sees it, and the tiles that lead there.

Until somebody's own try has ended, their page says no more of those of others than how many have finished.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Follow, User
from accounts.shown import PlayerShown
from accounts.web import datetimes, links
from accounts.web.requests import Visitor
from games.engine.registry import titles
from games.faces.registry import face_of
from games.hands import hands
from games.hands.models import Hand, HandTry
from games.hands.streaks import Streak, streak
from games.matches.models import Match

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ROWS = 50
"""The length of the table on a page. Whoever is further down sees their own row below it."""


class TryState(StrEnum):
    """How far somebody is with their try."""

    NEW = "new"
    PLAYING = "playing"
    FINISHED = "finished"
    LEFT = "left"
    """It has ended, and counts for nothing: they have left it, or not finished in time."""


def state_of(mine: HandTry | None) -> TryState:
    """How far a try is that was queried with its match."""
    if mine is None:
        return TryState.NEW
    if mine.place is not None:
        return TryState.FINISHED
    return TryState.PLAYING if mine.match.status in Match.UNDER_WAY else TryState.LEFT


class HandRow(NamedTuple):
    """Somebody in the table."""

    place: int
    person: PlayerShown
    me: bool
    followed: bool
    gained: str
    seat: int
    """Their place at their own table."""
    match: str
    """The key of their game, once everybody may see it."""

    @property
    def won(self) -> bool:
        """Whether they came first there."""
        return self.seat == 1


class HandPage:
    """The page of a hand, at a moment."""

    def __init__(self, hand: Hand, user: Visitor, now: datetime) -> None:
        self.hand, self.user, self.now = hand, user, now
        self.face = face_of(hand.rules)

    @property
    def open(self) -> bool:
        """Whether it can be begun."""
        return self.now < self.hand.ends

    @property
    def final(self) -> bool:
        return self.hand.closed_at is not None

    @cached_property
    def mine(self) -> HandTry | None:
        return hands.try_of(self.hand, self.user) if self.user.is_authenticated else None

    @property
    def state(self) -> TryState:
        return state_of(self.mine)

    @property
    def gained(self) -> str:
        """What I have at the end of my game."""
        return self._gained(self.mine) if self.mine else ""

    @property
    def shows(self) -> bool:
        """Whether I may see what others have."""
        return self.final or self.state in (TryState.FINISHED, TryState.LEFT)

    @property
    def apart(self) -> bool:
        """Whether my try is a guest's, or was when the table became final: then it is not in the table."""
        return self.mine is not None and (self.mine.apart or self.mine.user.guest)

    @cached_property
    def players(self) -> int:
        """How many stand in the table."""
        return hands.table(self.hand).count()

    @cached_property
    def place(self) -> int:
        """My place, or that of a guest among those who have one; 0 without."""
        mine = self.mine
        if mine is None or mine.place is None:
            return 0
        return 1 + hands.table(self.hand).filter(hands.better(mine)).count()

    @cached_property
    def rows(self) -> list[HandRow]:
        """The table, as far as I may see it; my own row below if it is further down."""
        if not self.shows:
            return []
        found = list(hands.table(self.hand).select_related("user", "match")[:ROWS])
        followed = self._followed()
        rows: list[HandRow] = []
        for number, each in enumerate(found):
            before = found[number - 1] if number else None
            level = before is not None and (before.place, before.points) == (each.place, each.points)
            rows.append(self._row(rows[-1].place if level else number + 1, each, followed))
        mine = self.mine
        if mine and self.place and not self.apart and all(each.pk != mine.pk for each in found):
            rows.append(self._row(self.place, mine, followed))
        return rows

    def _followed(self) -> set[int]:
        """Whom I follow, by id."""
        if not self.user.is_authenticated:
            return set()
        return set(Follow.objects.filter(user=self.user).values_list("followed", flat=True))

    def _row(self, place: int, each: HandTry, followed: set[int]) -> HandRow:
        return HandRow(
            place,
            PlayerShown.of(each.user),
            each.user_id == self.user.pk,
            each.user_id in followed,
            self._gained(each),
            each.place or 0,
            "" if each.match.hidden else each.match.key,
        )

    def _gained(self, each: HandTry) -> str:
        return self.face.gained(each.points or 0, each.won)

    @cached_property
    def streak(self) -> Streak:
        return streak_of(self.user, self.now)

    @property
    def share(self) -> str:
        """My result in words that say nothing of the deal, with the address of this page; empty without a result."""
        if not self.gained or not self.place:
            return ""
        told = {"game": self.face.name, "day": datetimes.short_day(self.hand.day), "gained": self.gained}
        if self.apart:
            said = _("%(game)s, %(day)s: %(gained)s") % told
        else:
            text = _("%(game)s, %(day)s: %(gained)s, place %(place)d of %(players)d")
            said = text % {**told, "place": self.place, "players": self.players}
        days = self.streak.present
        if days > 1:
            said = _("%(result)s · %(streak)s") % {"result": said, "streak": days_text(days)}
        return f"{said}\n{links.full(self.hand.get_absolute_url())}"

    @property
    def secret(self) -> str:
        """What the commitment was to, in hexadecimal, once everybody may see it."""
        return bytes(self.hand.secret).hex() if self.final else ""

    @cached_property
    def before(self) -> Hand | None:
        """The hand of the day before, if there was one."""
        return Hand.objects.filter(game=self.hand.game, day=self.hand.day - timedelta(days=1)).first()

    @cached_property
    def after(self) -> Hand | None:
        """That of the next day, if it has been drawn."""
        return Hand.objects.filter(game=self.hand.game, day=self.hand.day + timedelta(days=1)).first()

    @property
    def next(self) -> datetime:
        """When the next hand begins."""
        return hands.next_day(self.now)

    @property
    def bots(self) -> int:
        """How many sit at the table."""
        return self.hand.places - 1

    @property
    def today(self) -> str:
        """The page of today's hand of this title."""
        return address(self.hand.game, hands.today(self.now))

    @property
    def others(self) -> list[tuple[StrOrPromise, str]]:
        """The other titles, each with the page of its hand of today."""
        return [(tile.name, tile.address) for tile in tiles_of_all(self.now) if tile.game != self.hand.game]


def days_text(days: int) -> str:
    """The length of a streak, in words."""
    return ngettext("streak %(days)d", "streak %(days)d", days) % {"days": days}


def streak_of(user: Visitor, now: datetime) -> Streak:
    """Somebody's streaks; one query."""
    return streak(hands.days_of(user), hands.today(now)) if user.is_authenticated else Streak(0, 0)


class HandTile(NamedTuple):
    """Today's hand of a title, in short."""

    game: str
    name: StrOrPromise
    address: str
    state: TryState = TryState.NEW
    gained: str = ""
    match: str = ""
    """The key of my game, while I play it."""


def address(game: str, day: date) -> str:
    """The page of a hand."""
    return reverse("hand", args=[game, day.isoformat()])


def tiles_of_all(now: datetime) -> list[HandTile]:
    """Today's hands, as everybody sees them; without a query."""
    day = hands.today(now)
    return [HandTile(game.slug, face_of(game).name, address(game.slug, day)) for game in titles()]


class HandTiles(NamedTuple):
    """What leads to the hands of today, for one person."""

    tiles: list[HandTile]
    ends: datetime
    """When those of the next day begin."""
    streak: Streak


def tiles(user: Visitor, now: datetime) -> HandTiles:
    """The tiles of a person; two queries for whoever is known."""
    day, found = hands.today(now), tiles_of_all(now)
    ends = hands.next_day(now)
    if not user.is_authenticated:
        return HandTiles(found, ends, Streak(0, 0))
    mine = {each.hand.game: each for each in _tries(user, day)}
    return HandTiles([_with(tile, mine.get(tile.game)) for tile in found], ends, streak_of(user, now))


def _tries(user: User, day: date) -> list[HandTry]:
    return list(HandTry.objects.filter(user=user, hand__day=day).select_related("hand", "match"))


def _with(tile: HandTile, mine: HandTry | None) -> HandTile:
    state = state_of(mine)
    if mine is None:
        return tile
    gained = face_of(mine.hand.rules).gained(mine.points or 0, mine.won) if state == TryState.FINISHED else ""
    return tile._replace(state=state, gained=gained, match=mine.match.key if state == TryState.PLAYING else "")
