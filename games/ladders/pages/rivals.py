"""Who has beaten whom on a ladder: the rivals of a player, two players face to face, and the cross table of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.career import ratings
from accounts.models import User
from accounts.shown import PlayerShown, people_shown
from accounts.text.names import folded
from games.ladders import tally
from games.ladders.models import Ladder, LadderEvent, past
from games.ladders.pages import seasons
from games.ladders.pages.results import undone_of
from games.ladders.pages.seasons import Season
from games.ladders.pages.story import PlayerLinks, player_address
from games.ladders.tally import WonLost

MOST = 100
"""The most players of a cross table."""


@dataclass(frozen=True)
class Opponent:
    """An opponent of a player, and the score against them."""

    name: SafeString
    plain: str
    score: WonLost
    duel: str
    """The address of the page of the two."""


def rivals(ladder: Ladder, person: User, against: Mapping[int, WonLost]) -> list[Opponent]:
    """The opponents of a player, those they met most often first. One query."""
    names = PlayerLinks(ladder, against)
    found = [
        Opponent(names[player], name, against[player], duel_address(ladder, person.username, name))
        for player, name in names.plain.items()
    ]
    return sorted(found, key=lambda rival: (-rival.score.games, folded(rival.plain)))


@dataclass(frozen=True)
class Side:
    """One of two players face to face."""

    user: User
    address: str
    position: int | None
    rating: str
    won: int


@dataclass(frozen=True)
class Duel:
    """Two players face to face."""

    first: Side
    second: Side
    shared: int
    games: QuerySet[LadderEvent]
    """Their results, those undone too."""

    @property
    def number(self) -> int:
        """The games that count."""
        return self.first.won + self.second.won + self.shared


def duel(ladder: Ladder, first: User, second: User) -> Duel:
    """Two players who are or were on a ladder. Two queries."""
    both, events = {first.pk, second.pk}, past(seasons.results(ladder))
    events = [event for event, places in tally.results(events, ()) if both <= places.keys()]
    games = ladder.log.filter(number__in=[event.number for event in events])
    score = tally.head_to_head(events, undone_of(ladder)).get(first.pk, {}).get(second.pk, WonLost())
    standing = ladder.now_standing()

    def side(user: User, won: int) -> Side:
        known = standing.players.get(user.pk)
        rating = ratings.shown(known.rating, known.games) if known else ""
        return Side(user, player_address(ladder, user.username), standing.position(user.pk), rating, won)

    return Duel(side(first, score.won), side(second, score.lost), score.shared, games)


@dataclass(frozen=True)
class Cell:
    """The score of one player of a cross table against another."""

    score: WonLost
    address: str
    words: str
    """The score as a sentence; empty, as the address, against themselves."""

    @property
    def lead(self) -> str:
        return "ahead" if self.score.won > self.score.lost else "behind" if self.score.won < self.score.lost else "even"


@dataclass(frozen=True)
class CrossRow:
    """A player of a cross table."""

    player: int
    person: PlayerShown
    address: str
    position: int | None
    score: WonLost
    cells: tuple[Cell | None, ...]
    """Against each player in the order of the rows; None if they have not met."""


@dataclass(frozen=True)
class CrossTable:
    """Who has beaten whom: everybody who has met somebody, in order."""

    rows: tuple[CrossRow, ...]
    more: int
    """The players beyond `MOST`, who are left out."""


SORTS = ("rung", "name", "games")
"""The orders of a cross table."""


def cross_table(ladder: Ladder, season: Season | None, sort: str) -> CrossTable:
    """The cross table of a ladder, or of one of its seasons. Three queries.

    In the order of a season that ended, if it is that season's; players not on the ladder come last.
    """
    met = tally.head_to_head(past(seasons.results(ladder, season)), undone_of(ladder))
    rungs = {player: rung for rung, (player, *_) in enumerate(seasons.ranks(ladder, season), 1)}
    shown = people_shown(met)
    total = {player: _sum(others.values()) for player, others in met.items()}

    def key(player: int) -> tuple[int, str]:
        name = folded(shown[player].name)
        first = {"rung": rungs.get(player, len(rungs) + 1), "name": 0, "games": -total[player].games}
        return first[sort], name

    order = sorted(met, key=key)
    listed = order[:MOST]
    rows = []
    for player in listed:
        person = shown[player]
        address = player_address(ladder, person.name)
        cells = tuple(_cell(ladder, person.name, shown[other].name, met[player].get(other)) for other in listed)
        rows.append(CrossRow(player, person, address, rungs.get(player), total[player], cells))
    return CrossTable(tuple(rows), len(order) - len(listed))


def _cell(ladder: Ladder, name: str, other: str, score: WonLost | None) -> Cell | None:
    if name == other:
        return Cell(WonLost(), "", "")
    if score is None:
        return None
    words = _("%(name)s against %(other)s: %(won)d won, %(lost)d lost, %(shared)d shared") % {
        "name": name,
        "other": other,
        "won": score.won,
        "lost": score.lost,
        "shared": score.shared,
    }
    return Cell(score, duel_address(ladder, name, other), words)


def duel_address(ladder: Ladder, name: str, other: str) -> str:
    """The address of the page of two players."""
    return f"{ladder.address('ladder_head_to_head')}?{urlencode({'one': name, 'two': other})}"


def _sum(scores: Iterable[WonLost]) -> WonLost:
    total = WonLost()
    for score in scores:
        total.won += score.won
        total.shared += score.shared
        total.lost += score.lost
    return total
