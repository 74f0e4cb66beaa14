"""The sums of the archive: updated when a match ends, or recounted from scratch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db import connection

from accounts.models import ArchivedMatch, Feat, Tally

SUMS = """
SELECT user_id, game, seats, pool, bots, ended <> '' AS early, categories, COUNT(*) AS games,
SUM(CASE WHEN won THEN 1 ELSE 0 END) AS won, SUM(points) AS points
FROM accounts_archivedmatch {where} GROUP BY user_id, game, seats, pool, bots, ended <> '', categories
"""
FOUND = SUMS.format(where="")
INTO = "INSERT INTO accounts_tally (user_id, game, seats, pool, bots, early, categories, games, won, points)"
KEPT = "SELECT user_id, game, seats, pool, bots, early, categories, games, won, points FROM accounts_tally"
CHUNK = 500
"""People per query, because a query takes only so many parameters."""
FEATS = """
SELECT user_id, game, bots, seats = 1 AS alone, each.key AS code, SUM(CAST(each.value AS INTEGER)) AS times
FROM accounts_archivedmatch CROSS JOIN {each} {where} GROUP BY user_id, game, bots, seats = 1, each.key
"""
EACH = {"sqlite": "json_each(feats) AS each", "postgresql": "jsonb_each_text(feats) AS each"}
INTO_FEATS = "INSERT INTO accounts_feat (user_id, game, bots, alone, code, times)"
KEPT_FEATS = "SELECT user_id, game, bots, alone, code, times FROM accounts_feat"


def feats(where: str = "") -> str:
    """The query that counts the feats in the archive."""
    return FEATS.format(each=EACH[connection.vendor], where=where)


def hold(people: Collection[int]) -> None:
    """Lock the sums of these people, by id, in the order of `count`, before several matches are counted in one
    transaction: another match of theirs that ends meanwhile waits, and they do not wait for each other."""
    for sums in (Tally, Feat):
        rows = sums._default_manager.select_for_update().filter(user__in=people).order_by("user", "pk")
        list(rows.values_list("pk", flat=True))


def count(rows: Iterable[ArchivedMatch]) -> None:
    """Add the rows of one match, archived just now. The ORM cannot insert or increment a row in one query."""
    # In the order of the users, to rule out deadlocks.
    rows = sorted(rows, key=lambda row: row.user_id)
    if not rows:
        return
    values = ", ".join(["(%s, %s, %s, %s, %s, %s, %s, 1, %s, %s)"] * len(rows))
    given = [
        value
        for row in rows
        for value in (
            *(row.user_id, row.game, row.seats, row.pool, row.bots, bool(row.ended), row.categories),
            *(int(row.won), row.points),
        )
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            f"{INTO} VALUES {values} "
            "ON CONFLICT (user_id, game, seats, pool, bots, early, categories) DO UPDATE SET "
            "games = accounts_tally.games + 1, "
            "won = accounts_tally.won + excluded.won, points = accounts_tally.points + excluded.points",
            given,
        )
    count_feats(rows)


def count_feats(rows: Iterable[ArchivedMatch]) -> None:
    """Add what people did in one match, in the order of the users."""
    done = [
        (row.user_id, row.game, row.bots, row.seats == 1, code, times)
        for row in rows
        for code, times in sorted(row.feats.items())
    ]
    if not done:
        return
    values = ", ".join(["(%s, %s, %s, %s, %s, %s)"] * len(done))
    with connection.cursor() as cursor:
        cursor.execute(
            f"{INTO_FEATS} VALUES {values} "
            "ON CONFLICT (user_id, game, bots, alone, code) DO UPDATE SET times = accounts_feat.times + excluded.times",
            [value for feat in done for value in feat],
        )


def recount() -> None:
    """Recount all tallies."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_tally")
        cursor.execute(f"{INTO} {FOUND}")
        cursor.execute("DELETE FROM accounts_feat")
        cursor.execute(f"{INTO_FEATS} {feats()}")


def count_new(people: Sequence[int]) -> None:
    """Count the whole archives of these people, given by id, who have no tallies yet."""
    with connection.cursor() as cursor:
        for start in range(0, len(people), CHUNK):
            some = people[start : start + CHUNK]
            where = f"WHERE user_id IN ({', '.join(['%s'] * len(some))})"
            cursor.execute(f"{INTO} {SUMS.format(where=where)}", some)
            cursor.execute(f"{INTO_FEATS} {feats(where)}", some)


def wrong() -> int | None:
    """The id of a user whose tallies do not follow from their archive; None if there is none."""
    with connection.cursor() as cursor:
        found = feats()
        for one, other in ((FOUND, KEPT), (KEPT, FOUND), (found, KEPT_FEATS), (KEPT_FEATS, found)):
            cursor.execute(f"{one} EXCEPT {other} LIMIT 1")
            if row := cursor.fetchone():
                user_id: int = row[0]
                return user_id
    return None
