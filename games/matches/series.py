"""Who plays rated games with whom, where a steward may want to look: never a verdict.

Two friends, a parent and a child, or a strong player with a patient pupil look the same as somebody with two accounts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations

from accounts.models import ArchivedMatch, Browser, User

SINCE = timedelta(days=30)
"""How far back the report looks."""
GAMES = 4
"""A series of fewer games between two people is none ..."""
ONE_SIDED = 0.8
"""... and it is one-sided if one of them was ahead in this share of them."""
CUT_SHORT = 0.5
"""... and short if somebody left this share of them."""
MOST = 200
"""The most lines of each table."""


@dataclass
class Series:
    """The rated games of two people in one pool, the one who was ahead more often first."""

    people: tuple[int, int]
    game: str
    pool: str
    keys: list[str] = field(default_factory=list)
    ahead: list[int] = field(default_factory=lambda: [0, 0])
    """How often each was placed before the other."""
    gained: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """What each has gained in these games, from all at the table."""
    left: int = 0
    """The number of games that one of the two left ..."""
    soon: int = 0
    """... and that one of them left while it had hardly begun."""
    shared: bool = False
    """Whether both have signed in with one browser."""
    names: tuple[str, str] = ("", "")

    @property
    def games(self) -> int:
        return len(self.keys)

    @property
    def latest(self) -> list[str]:
        """The keys of the last games, the latest first."""
        return self.keys[:-4:-1]

    @property
    def striking(self) -> bool:
        """Whether the report shows it."""
        if self.shared:
            return True
        one_sided = max(self.ahead) >= ONE_SIDED * self.games
        return self.games >= GAMES and one_sided and self.left >= CUT_SHORT * self.games

    def add(self, rows: tuple[ArchivedMatch, ArchivedMatch]) -> None:
        """Add one game, by the rows of the two in it."""
        one, other = rows
        self.keys.append(one.match)
        self.ahead[0] += one.place < other.place
        self.ahead[1] += other.place < one.place
        for index, row in enumerate(rows):
            self.gained[index] += (row.after or 0) - (row.before or 0)
        self.left += bool(one.left or other.left)
        self.soon += one.soon or other.soon

    def turned(self) -> Series:
        """The same, with whoever was ahead more often first."""
        if self.ahead[0] < self.ahead[1]:
            self.people, self.names = self.people[::-1], self.names[::-1]
            self.ahead.reverse()
            self.gained.reverse()
        return self


def series(now: datetime) -> list[Series]:
    """The striking series of rated games that ended lately: with a shared browser first, then the longest."""
    tables: defaultdict[str, list[ArchivedMatch]] = defaultdict(list)
    rows = ArchivedMatch.objects.filter(ended_at__gte=now - SINCE, ended_at__lte=now).exclude(pool="").order_by("id")
    for row in rows.only("user", "match", "game", "pool", "place", "left", "soon", "before", "after").iterator():
        tables[row.match].append(row)
    found: dict[tuple[int, int, str, str], Series] = {}
    for table in tables.values():
        for one, other in combinations(sorted(table, key=lambda row: row.user_id), 2):
            people = one.user_id, other.user_id
            key = (*people, one.game, one.pool)
            found.setdefault(key, Series(people, one.game, one.pool)).add((one, other))
    together = {frozenset(two) for people in browsers().values() for two in combinations(people, 2)}
    for each in found.values():
        each.shared = frozenset(each.people) in together
    striking = [each for each in found.values() if each.striking]
    striking.sort(key=lambda each: (not each.shared, -each.games, each.people))
    return [each.turned() for each in named(striking[:MOST])]


def named(found: Iterable[Series]) -> list[Series]:
    """These series, with the names of the people."""
    found = list(found)
    names = dict(User.objects.filter(pk__in={pk for each in found for pk in each.people}).values_list("pk", "username"))
    for each in found:
        each.names = names[each.people[0]], names[each.people[1]]
    return found


def browsers() -> dict[str, list[int]]:
    """The people who have signed in with one browser, where there are several: by browser, which has no name."""
    people: defaultdict[str, list[int]] = defaultdict(list)
    for browser, user in Browser.objects.order_by("seen_at").values_list("browser", "user"):
        people[browser].append(user)
    return {browser: users for browser, users in people.items() if len(users) > 1}


def sharing() -> list[tuple[list[str], datetime]]:
    """The names of those who share a browser, and when it was last signed in with; the latest first."""
    people: defaultdict[str, list[Browser]] = defaultdict(list)
    shared = browsers()
    for entry in Browser.objects.filter(browser__in=shared).select_related("user").order_by("user__folded"):
        people[entry.browser].append(entry)
    found = [([each.user.username for each in each_], max(each.seen_at for each in each_)) for each_ in people.values()]
    return sorted(found, key=lambda one: one[1], reverse=True)[:MOST]
