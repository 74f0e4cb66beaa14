"""Whether the triggers are there with which the database keeps the past: games/migrations/0002_append_only.py."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from django.db import connection

MADE = re.compile(r"CREATE TRIGGER (\w+) .*? ON (\w+) ", re.DOTALL)
FUNCTION = re.compile(r"CREATE FUNCTION (\w+)\(\).*?\$\$(.*?)\$\$", re.DOTALL)
OFF = "off"


class TriggerFault(NamedTuple):
    """A trigger that does not do what it is there for."""

    table: str
    trigger: str
    text: str


def wanted() -> dict[str, tuple[str, str]]:
    """By the name of each trigger its table, and what it does, as the migration has them."""
    editor = connection.SchemaEditorClass(connection, collect_sql=True)
    import_module("games.migrations.0002_append_only").refuse(None, editor)
    functions = dict(FUNCTION.findall("\n".join(editor.collected_sql)))
    found = {}
    for statement in editor.collected_sql:
        if made := MADE.match(statement):
            called = re.search(r"EXECUTE FUNCTION (\w+)\(", statement)
            found[made[1]] = made[2], functions[called[1]] if called else statement.rstrip("; ")
    return found


def faults() -> Iterator[TriggerFault]:
    """The triggers that are missing, are switched off, or are not those of the migration."""
    there = {"sqlite": on_sqlite, "postgresql": on_postgresql}[connection.vendor]()
    for name, (table, does) in sorted(wanted().items()):
        found = there.get((table, name))
        if found is None:
            yield TriggerFault(table, name, "it is missing")
        elif found == OFF:
            yield TriggerFault(table, name, "it is switched off")
        elif found != does:
            yield TriggerFault(table, name, "it does something else than what the migration made")


def on_sqlite() -> dict[tuple[str, str], str]:
    """What stands in the database, by table and trigger."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'")
        return {(table, name): sql for table, name, sql in cursor.fetchall()}


def on_postgresql() -> dict[tuple[str, str], str]:
    """The same: what the function does that a trigger calls. When it is called is not compared."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, tgname, CASE WHEN tgenabled IN ('O', 'A') THEN prosrc ELSE %s END FROM pg_trigger"
            " JOIN pg_proc ON pg_proc.oid = tgfoid JOIN pg_class ON pg_class.oid = tgrelid WHERE NOT tgisinternal",
            [OFF],
        )
        return {(table, name): does for table, name, does in cursor.fetchall()}
