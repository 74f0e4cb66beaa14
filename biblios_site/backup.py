"""Writes the database into one file and restores it: SQLite by its backup interface, PostgreSQL by its own programs.

A backup shows the database at one moment, while the site plays on. It holds everything, so guard it like the database.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

from django.db import connection

from accounts.models import User

EMPTIED = (
    b"SET lock_timeout = '10s'; SET client_min_messages = warning; DROP SCHEMA public CASCADE; CREATE SCHEMA public;\n"
)


class Impossible(Exception):
    """A backup or restore is not possible; the text says why."""


def save(file: Path) -> None:
    """Make a backup in a new file that only its owner can read. Raises Impossible."""
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise Impossible(f"cannot write {file}: {error.strerror}") from error
    try:
        if connection.vendor == "sqlite":
            connection.ensure_connection()
            # All pages in one step, so that nothing played meanwhile makes it start over.
            copied(connection.connection, file)
        else:
            with program(
                "pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}", f"--dbname={name()}"
            ) as dump:
                finish(dump)
    except BaseException:
        file.unlink()
        raise


def restore(file: Path, overwrite: bool = False) -> None:
    """Replace the database by a backup, all or nothing. Raises Impossible.

    A database with accounts is replaced only if `overwrite` is set. The site must not run.
    """
    try:
        with open(file, "rb") as opened:
            beginning = opened.read(16)
    except OSError as error:
        raise Impossible(f"cannot read {file}: {error.strerror}") from error
    expected = b"SQLite format 3\0" if connection.vendor == "sqlite" else b"PGDMP"
    if not beginning.startswith(expected):
        raise Impossible(f"{file} is no backup of this kind of database ({connection.vendor})")
    if not overwrite and is_lived_in():
        raise Impossible("there are accounts in this database; say --overwrite to replace it")
    connection.close()
    if connection.vendor == "sqlite":
        restore_sqlite(file, Path(name()))
    else:
        restore_postgresql(file)


def is_lived_in() -> bool:
    """Whether anybody has an account in the database."""
    return User._meta.db_table in connection.introspection.table_names() and User.objects.exists()


def restore_sqlite(file: Path, database: Path) -> None:
    try:
        source = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            # SQLite reads what is missing of the last page as zeros, which may look like an index that is whole.
            pages, size = (source.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
            if file.stat().st_size != pages * size:
                raise sqlite3.DatabaseError(f"the file does not hold {pages} whole pages of {size} bytes")
            check(source)
            copied(source, database)
        finally:
            source.close()
    except sqlite3.Error as error:
        raise Impossible(f"{file} cannot be restored: {error}") from error


def copied(source: sqlite3.Connection, file: Path) -> None:
    """Copy a SQLite database into a file."""
    target = sqlite3.connect(file, timeout=10)
    try:
        source.backup(target)
        check(target)
    except sqlite3.Error as error:
        raise Impossible(f"cannot write {file}: {error}") from error
    finally:
        target.close()


def check(database: sqlite3.Connection) -> None:
    found = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)


def restore_postgresql(file: Path) -> None:
    """Let pg_restore write the backup out, and psql read it: one transaction, committed only by the last line."""
    with program("pg_restore", "--no-owner", "--no-privileges", "--file=-", file, stdout=subprocess.PIPE) as script:
        options = ("--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--dbname={name()}")
        with program("psql", *options, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as writer:
            assert script.stdout and writer.stdin
            try:
                writer.stdin.write(b"BEGIN;\n" + EMPTIED)
                shutil.copyfileobj(script.stdout, writer.stdin)
                finish(script)
                writer.stdin.write(b"COMMIT;\n")
            except Impossible:
                with suppress(BrokenPipeError):  # it may have ended already
                    writer.stdin.close()
                raise
            except BrokenPipeError:
                script.kill()
            finish(writer)


@contextmanager
def program(
    *command: str | Path, stdin: int | None = None, stdout: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """One of PostgreSQL's programs, set up for the site's database. Raises Impossible if it is missing."""
    given = connection.settings_dict
    env = os.environ | {f"PG{key}": str(given[key]) for key in ("HOST", "PORT", "USER", "PASSWORD") if given[key]}
    try:
        process = subprocess.Popen(command, env=env, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE)
    except FileNotFoundError:
        raise Impossible(f"{command[0]} is missing; it comes with the package postgresql-client") from None
    with process:
        yield process


def finish(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a program. Raises Impossible if it has failed."""
    _, said = process.communicate()
    if process.returncode:
        lines = said.decode(errors="replace").split("\n")
        command, *_options = cast(Sequence[str], process.args)
        raise Impossible(f"{command}: {' '.join(' '.join(lines).split())}")


def name() -> str:
    """The name of the database."""
    called: str = connection.settings_dict["NAME"]
    return called
