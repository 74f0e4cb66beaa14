"""The archive as a ledger: all ratings can be computed from it again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from accounts.career import ratings, tallies
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


class Ledger:
    """The result of replaying the rated rows of the archive in the order in which they were written."""

    def __init__(self) -> None:
        self.balance: dict[Holding, tuple[float, int]] = {}
        """The ratings and their numbers of games; complete when `replay` has ended."""
        self.best: dict[Holding, float] = {}
        """The highest that each has been."""

    def of(self, held: Holding) -> tuple[float, int]:
        """A rating and its number of games so far."""
        return self.balance.get(held, (ratings.START, 0))

    def replay(self) -> Iterator[tuple[ArchivedMatch, float, float]]:
        """Yields each rated row with the right rating before and after it. Raises TornLedger at the end.

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

    def _book(self, match: list[ArchivedMatch]) -> Iterator[tuple[ArchivedMatch, float, float]]:
        players = [ratings.Rated(*self.of(holding(row)), row.place) for row in match]
        for row, player, after in zip(match, players, ratings.after(players), strict=True):
            held = holding(row)
            self.balance[held] = (after, player.games + 1)
            self.best[held] = max(after, player.rating, self.best.get(held, after))
            yield row, player.rating, after


def check() -> tuple[int, int]:
    """Recompute all ratings and compare. Returns how many rated rows and how many people there are.

    Raises WrongLedger, TornLedger. Call it in a `snapshot`, so that no match ends meanwhile.
    """
    ledger, rows = Ledger(), 0
    for row, before, after in ledger.replay():
        rows += 1
        if (row.before, row.after) != (before, after):
            raise WrongLedger(
                f"match {row.match}, {row.user}: the archive says {row.before!r} to {row.after!r},"
                f" it should be {before!r} to {after!r}"
            )
    if (user_id := tallies.wrong()) is not None:
        raise WrongLedger(f"user {user_id}: the tallies do not follow from the archive")
    unseen = set(ledger.balance)
    for rating in Rating.objects.select_related("user").order_by("user_id", "game", "pool").iterator():
        held = holding(rating)
        unseen.discard(held)
        value, games = ledger.of(held)
        if (rating.value, rating.games) != (value, games):
            raise WrongLedger(
                f"{rating.user}, {held}: the rating is {rating.value!r} after {rating.games} games,"
                f" it should be {value!r} after {games}"
            )
        best = ledger.best.get(held, ratings.START)
        if rating.best != best:
            raise WrongLedger(f"{rating.user}, {held}: the best rating is {rating.best!r}, it should be {best!r}")
    for held in sorted(unseen):
        raise WrongLedger(f"user {held.user_id}, {held}: there is no rating, it should be {ledger.of(held)[0]!r}")
    return rows, len({held.user_id for held in ledger.balance})
