"""The sums of a person's archive, and its rows as pages show them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, cast

from accounts.career.titles import TITLES
from accounts.models import ArchivedMatch, User
from accounts.signals import matches_closed
from accounts.text.numbers import number, signed
from accounts.web.requests import Visitor

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass
class Career:
    """Sums over the matches of one game that a person has played in one kind of company."""

    games: int = 0
    won: int = 0
    whole: int = 0
    """The games that were played to their end: points and categories are theirs."""
    points: int = 0
    by_seats: Counter[int] = field(default_factory=Counter)
    """Games by number of players."""
    won_by_seats: Counter[int] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)
    """The number of games in which they won the category of this code."""

    @property
    def even(self) -> float:
        """The share of all games they would win if all players were equally strong."""
        return sum(games / seats for seats, games in self.by_seats.items()) / self.games if self.games else 0


class Company(NamedTuple):
    """With whom somebody has played."""

    bots: bool
    """Whether bots played too."""
    alone: bool
    """Whether it was a game of one player."""


PEOPLE, BOTS, ALONE = Company(False, False), Company(True, False), Company(False, True)


def careers(user: User) -> defaultdict[tuple[str, Company], Career]:
    """The careers of a person, by game and company, from their tallies; of what was never played, an empty one."""
    careers: defaultdict[tuple[str, Company], Career] = defaultdict(Career)
    for tally in user.tallies.all():  # unique (user, game, seats, pool, bots, early, categories)
        sums = careers[tally.game, Company(tally.bots, tally.seats == 1)]
        sums.games += tally.games
        sums.won += tally.won
        sums.by_seats[tally.seats] += tally.games
        sums.won_by_seats[tally.seats] += tally.won
        if tally.early:
            continue
        sums.whole += tally.games
        sums.points += tally.points
        for code in tally.categories:
            sums.categories[code] += tally.games
    return careers


def closed(keys: Sequence[str], visitor: Visitor) -> set[str]:
    """The matches among those with these keys that a visitor may not look at."""
    answers = matches_closed.send(None, keys=keys, visitor=visitor)
    return {key for _asked, hidden in answers for key in cast(set[str], hidden)}


@dataclass(frozen=True)
class Rival:
    name: str
    address: str = ""
    """The address of the profile, if there is one."""


@dataclass(frozen=True)
class ArchiveLine:
    """A row of the archive as a page shows it."""

    row: ArchivedMatch
    rivals: Sequence[Rival]
    """In playing order after the player."""
    points: int
    theirs: str
    """The points of the rivals, in the same order."""
    change: int | None
    """How far the rating moved, rounded; None if the match was not rated."""
    open: bool
    """Whether the visitor may look at the game itself."""

    @property
    def won(self) -> bool:
        return self.row.won

    @property
    def game(self) -> StrOrPromise:
        """What was played."""
        title = TITLES.get(self.row.game)
        return title.name if title else self.row.game

    @property
    def signed(self) -> str:
        """The change with its sign."""
        return signed(self.change or 0)


def lines(rows: Iterable[ArchivedMatch], visitor: Visitor) -> list[ArchiveLine]:
    """These rows with the other players under their present names, in a fixed number of queries."""
    keys = [row.match for row in rows]
    hidden = closed(keys, visitor) if keys else set()
    seated: defaultdict[str, dict[int, User]] = defaultdict(dict)
    # index accounts_archive_match
    others = ArchivedMatch.objects.filter(match__in=keys).select_related("user")
    for other in others.only("match", "seat", "user__username", "user__guest", "user__guest_name", "user__closed"):
        seated[other.match][other.seat] = other.user
    shown = []
    for row in rows:
        rivals = [(row.seat + step) % row.seats for step in range(1, row.seats)]
        shown.append(
            ArchiveLine(
                row=row,
                rivals=[rival(seated[row.match].get(seat), row.names[seat]) for seat in rivals],
                points=row.points,
                theirs="".join(f"–{number(row.scores[seat])}" for seat in rivals),
                change=None if row.before is None or row.after is None else round(row.after) - round(row.before),
                open=row.match not in hidden,
            )
        )
    return shown


def rival(user: User | None, name: str) -> Rival:
    """Another player: a person under their present name, or a bot under its own."""
    if user is None:
        return Rival(name)
    return Rival(user.shown_name, "" if user.guest or user.closed else user.get_absolute_url())
