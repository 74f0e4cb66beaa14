"""What is measured from outside: processor time and memory of processes, bytes in a database."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
LOG = "games_logentry"


def family(pid: int) -> list[int]:
    """A process and all that it has started, and what these have started."""
    found = [pid]
    for child in found:
        for listing in Path(f"/proc/{child}/task").glob("*/children"):
            try:
                found += map(int, listing.read_text().split())
            except OSError:
                continue
    return found


def cpu_s(pid: int) -> float:
    """Seconds of processor time that a process and its children have used, also those that have ended."""
    total = 0.0
    for member in family(pid):
        try:
            ended = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()[13:15]
            # The clock of a process by its id, as clock_getcpuclockid(3) has it: far finer than the ticks beside it.
            total += time.clock_gettime(~member << 3 | 2) + sum(map(int, ended)) / TICKS
        except OSError:
            continue
    return total


def memory_kib(pid: int) -> float:
    """KiB of memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1024


def part(values: Sequence[float], share: float) -> float:
    """The value below which this share of the sorted values lies."""
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


class Database:
    """How large the database of a site is: `postgresql://...` or the path of a SQLite file."""

    def __init__(self, where: str):
        self.where = where
        self.server = urlsplit(where).scheme in ("postgres", "postgresql")

    def sizes(self) -> tuple[int, int, int]:
        """Bytes of it all, bytes of the table of the log with its indexes, rows of the log."""
        if self.server:
            import psycopg

            with psycopg.connect(self.where) as connection:
                return connection.execute(
                    f"SELECT pg_database_size(current_database()), pg_total_relation_size('{LOG}'), "
                    f"(SELECT count(*) FROM {LOG})"
                ).fetchone()
        with sqlite3.connect(f"file:{self.where}?mode=ro", uri=True) as connection:
            pages, size, rows = (
                connection.execute(question).fetchone()[0]
                for question in ("PRAGMA page_count", "PRAGMA page_size", f"SELECT count(*) FROM {LOG}")
            )
            log = connection.execute(
                "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?)",
                [LOG],
            ).fetchone()[0]
            return pages * size, log, rows
