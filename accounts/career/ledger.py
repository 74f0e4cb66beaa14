"""The archive as a ledger: all ratings can be computed from it again."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from accounts.career import ratings, tallies
from accounts.career.archive import RatingChange, Two, day, level_of, times, twos
from accounts.models import ArchivedMatch, Rating


class TornLedger(Exception):
    """The archive lacks rows of rated matches. The text names the first."""


class WrongLedger(Exception):
    """A number in the archive, or a rating, does not follow from the games before it. The text names the first."""


class Holding(NamedTuple):
    """Which rating: of whom, and in which pool."""

    user_id: int
    game: str
    pool: str

    def __str__(self) -> str:
        return f"{self.game}, pool {self.pool}"


def holding(row: ArchivedMatch | Rating) -> Holding:
    """The rating that a row of the archive has moved, or that is kept."""
    return Holding(row.user_id, row.game, row.pool)


DAYS = 32
"""Matches are archived as they end, so that those of a day lie together; the meetings of this many days are known."""


class Ledger:
    """The result of replaying the rated rows of the archive in the order in which they were written."""

    def __init__(self) -> None:
        self.balance: dict[Holding, ratings.Level] = {}
        """The ratings; complete when `replay` has ended."""
        self.met: OrderedDict[date, Counter[tuple[str, str, Two]]] = OrderedDict()
        """How often two people have met in a pool of a game, by day."""

    def of(self, held: Holding) -> ratings.Level:
        """A rating so far."""
        return self.balance.get(held, ratings.Level())

    def replay(self) -> Iterator[tuple[ArchivedMatch, RatingChange]]:
        """Yields each rated row with the right change of its rating. Raises TornLedger at the end.

        The rows of two matches may interleave only if the matches share no player, because each match is written under
        the locks of its players' ratings. So a match counts where its last row stands.
        """
        waiting: defaultdict[str, list[ArchivedMatch]] = defaultdict(list)
        rows = ArchivedMatch.objects.exclude(pool="").select_related("user").order_by("id")
        for row in rows.iterator():
            match = waiting[row.match]
            match.append(row)
            if len(match) == row.seats:
                yield from self._book(sorted(waiting.pop(row.match), key=lambda each: each.seat))
        for key, match in waiting.items():
            raise TornLedger(f"match {key}: {len(match)} of {match[0].seats} rows")

    def _book(self, match: list[ArchivedMatch]) -> Iterator[tuple[ArchivedMatch, RatingChange]]:
        first, people = match[0], [row.user_id for row in match]
        today = self._of_day(day(first.ended_at))
        met = Counter({two: today[first.game, first.pool, two] for two in twos(people)})
        before = [self.of(holding(row)) for row in match]
        players = [
            ratings.Rated(held.value, held.games, row.place, row.soon, times(met, people, row.user_id))
            for held, row in zip(before, match, strict=True)
        ]
        today.update((first.game, first.pool, two) for two in twos(people))
        for row, held, pairs in zip(match, before, ratings.changes(players), strict=True):
            after = self.balance[holding(row)] = held.after(pairs, players, people)
            yield row, RatingChange(held.value, after.value, held.games)

    def _of_day(self, on: date) -> Counter[tuple[str, str, Two]]:
        known = self.met.setdefault(on, Counter())
        self.met.move_to_end(on)
        if len(self.met) > DAYS:
            self.met.popitem(last=False)
        return known


def check() -> tuple[int, int]:
    """Recompute all ratings and compare. Returns how many rated rows and how many people there are.

    Raises WrongLedger, TornLedger. Call it in a `snapshot`, so that no match ends meanwhile.
    """
    ledger, rows = Ledger(), 0
    for row, right in ledger.replay():
        rows += 1
        found = row.before, row.after, row.games
        if found != (right.before, right.after, right.games):
            raise WrongLedger(
                f"match {row.match}, {row.user}: the archive says {row.before!r} to {row.after!r} after {row.games}"
                f" games, it should be {right.before!r} to {right.after!r} after {right.games}"
            )
    if (user_id := tallies.wrong()) is not None:
        raise WrongLedger(f"user {user_id}: the tallies do not follow from the archive")
    unseen = set(ledger.balance)
    for rating in Rating.objects.select_related("user").order_by("user_id", "game", "pool").iterator():
        held = holding(rating)
        unseen.discard(held)
        should = ledger.of(held)
        if (rating.value, rating.games) != (should.value, should.games):
            raise WrongLedger(
                f"{rating.user}, {held}: the rating is {rating.value!r} after {rating.games} games,"
                f" it should be {should.value!r} after {should.games}"
            )
        if rating.best != should.best:
            raise WrongLedger(
                f"{rating.user}, {held}: the best rating is {rating.best!r}, it should be {should.best!r}"
            )
        if (level_of(rating), rating.ranked) != (should, should.ranked):
            raise WrongLedger(
                f"{rating.user}, {held}: the opponents are {rating.opponents} (ranked: {rating.ranked}),"
                f" they should be {list(should.opponents)} (ranked: {should.ranked})"
            )
    for held in sorted(unseen):
        raise WrongLedger(f"user {held.user_id}, {held}: there is no rating, it should be {ledger.of(held).value!r}")
    return rows, len({held.user_id for held in ledger.balance})
