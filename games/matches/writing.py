"""How turns get into the log: on PostgreSQL by one prepared statement, on SQLite by a short transaction.

Written by hand, because it is on the path of every answer: the ORM would take four times as long.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from games.matches import chain
from games.matches.turn import Turn

POSTGRESQL = """
WITH claimed AS (
  SELECT turn.* FROM games_match AS now
  JOIN json_to_recordset(%s) AS turn(
    match integer, ply integer, revision integer,
    reached integer, link text, asks boolean, mover smallint, asked_at timestamptz, wake_at timestamptz
  ) ON now.id = turn.match AND now.ply = turn.ply AND now.revision = turn.revision AND now.status = 'running'
  WHERE now.id = ANY ((SELECT %s::integer[])::integer[])
  ORDER BY now.id FOR NO KEY UPDATE OF now
), header AS (
  UPDATE games_match SET
    ply = reached,
    link = decode(claimed.link, 'hex'),
    mover = CASE WHEN asks THEN claimed.mover ELSE games_match.mover END,
    asked_at = CASE WHEN asks THEN claimed.asked_at ELSE games_match.asked_at END,
    wake_at = CASE WHEN asks THEN claimed.wake_at ELSE games_match.wake_at END
  FROM claimed WHERE id = match
), clocks AS (
  UPDATE games_seat SET bank_ms = clock.bank_ms
  FROM claimed JOIN json_to_recordset(%s) AS clock(match integer, seat bigint, bank_ms integer) USING (match)
  WHERE id = seat
), entries AS (
  INSERT INTO games_logentry (match_id, ply, at, seat, by, move, link)
  SELECT match, entry.ply, at, seat, nullif(by, 0), move, decode(entry.link, 'hex')
  FROM claimed JOIN json_to_recordset(%s) AS entry(
    match integer, ply smallint, at bigint, seat smallint, by smallint, move text, link text
  ) USING (match)
)
SELECT match FROM claimed
"""
"""Claims matches, the lowest first, like everything that locks several: otherwise two batches could wait for each
other. Writes the headers, clocks and rows of those that nobody else has changed.

The matches are named twice, because the planner cannot guess what JSON holds: it would read through a thousand matches
rather than look in the index. The array is a query of its own, or each execution would be planned anew."""


BRACES = str.maketrans("[]", "{}")
"""From an array of JSON to one of PostgreSQL."""
ASKED = ("mover", "asked_at", "wake_at")
"""The fields of a header that a turn changes together, when it puts a question."""


def write(turns: Sequence[Turn]) -> list[Turn]:
    """Append these turns of different matches to their logs, in one transaction: the caller's, if there is one.

    Returns those whose matches were still as the turn knows them; nothing of the others is written."""
    connection.ensure_connection()
    if connection.vendor == "postgresql":
        return _by_one_statement(turns)
    # Django's own cursor would rewrite the text each time; sqlite3 remembers what it has prepared.
    execute = connection.connection.execute
    with connection.wrap_database_errors, transaction.atomic() if connection.in_atomic_block else _by_hand(execute):
        return [turn for turn in turns if _written(turn, execute)]


def _by_one_statement(turns: Sequence[Turn]) -> list[Turn]:
    from psycopg import Cursor  # there may be none where SQLite is used

    matches: list[dict[str, Any]] = []
    clocks: list[dict[str, int]] = []
    entries: list[dict[str, Any]] = []
    for turn in turns:
        pk, header, seats = turn.match.pk, turn.header, turn.match.sitting
        found = {"match": pk, "ply": turn.ply, "revision": turn.revision, "reached": header["ply"]}
        asked = {name: header[name] for name in ASKED} if "mover" in header else {}
        matches.append({**found, "link": header["link"].hex(), "asks": bool(asked), **asked})
        clocks += [{"match": pk, "seat": seats[index].pk, "bank_ms": ms} for index, ms in turn.banks.items()]
        for ply, (row, link) in enumerate(zip(turn.rows, turn.links, strict=True), turn.ply):
            kept = chain.kept(ply, link)
            entries.append({"match": pk, "ply": ply, "link": kept and kept.hex(), **row._asdict()})
    named = json.dumps([turn.match.pk for turn in turns]).translate(BRACES)
    values = [json.dumps(found, default=str) for found in (matches, clocks, entries)]
    values.insert(1, named)
    with connection.wrap_database_errors:
        # Django's own cursor would put the values into the text, and the database plan it each time.
        claimed = {pk for (pk,) in Cursor(connection.connection).execute(POSTGRESQL, values, prepare=True)}
    return [turn for turn in turns if turn.match.pk in claimed]


@contextmanager
def _by_hand(execute: Callable[..., Any]) -> Iterator[None]:
    """A transaction of SQLite: one of Django's costs as much as what a turn writes."""
    execute("BEGIN IMMEDIATE")
    try:
        yield
        execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.OperationalError):  # after some faults SQLite has done so itself
            execute("ROLLBACK")
        raise


def _written(turn: Turn, execute: Callable[..., Any]) -> bool:
    """Claim a match and write its turn, inside a transaction of SQLite; False if the match has changed."""
    header, pk = turn.header, turn.match.pk
    fields = ", ".join(f"{name} = ?" for name in header)
    # Moments as Django's adapter writes them: UTC, without saying so.
    values = [str(value.replace(tzinfo=None)) if isinstance(value, datetime) else value for value in header.values()]
    claim = f"UPDATE games_match SET {fields} WHERE id = ? AND ply = ? AND revision = ? AND status = 'running'"
    if not execute(claim, [*values, pk, turn.ply, turn.revision]).rowcount:
        return False
    seats = turn.match.sitting
    for index, left_ms in turn.banks.items():
        execute("UPDATE games_seat SET bank_ms = ? WHERE id = ?", [left_ms, seats[index].pk])
    for ply, (row, link) in enumerate(zip(turn.rows, turn.links, strict=True), turn.ply):
        execute(
            "INSERT INTO games_logentry (match_id, ply, at, seat, by, move, link) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [pk, ply, row.at, row.seat, row.by or None, row.move, chain.kept(ply, link)],
        )
    return True
