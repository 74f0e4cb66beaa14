"""Whether the triggers are there with which the database keeps the past: games/migrations/0002_append_only.py."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from django.db import DatabaseError, connection, transaction

from games.transparency.powers import KEPT

ON_POSTGRESQL = re.compile(
    r"CREATE TRIGGER (?P<name>\w+) BEFORE (?P<events>[^.;]+?) ON (?:\S+\.)?(?P<table>\w+) (?P<each>FOR EACH \w+)"
    r"(?: WHEN \((?P<when>.*)\))? EXECUTE FUNCTION (?P<call>.*\))",
    re.DOTALL,
)
FUNCTION = re.compile(
    r"CREATE FUNCTION (?P<name>\w+)\(\) RETURNS trigger LANGUAGE plpgsql(?: SET (?P<path>.*?))? AS\s"
    r"\$\$(?P<body>.*?)\$\$",
    re.DOTALL,
)
ON_SQLITE = re.compile(r"CREATE TRIGGER (\w+) .*? ON (\w+) ", re.DOTALL)
OFF = "off"
MORE = "no migration made it: it could change what is written"


class TriggerFault(NamedTuple):
    """A trigger that does not do what it is there for, or a trigger or rule that could undo what another does."""

    table: str
    name: str
    text: str
    kind: str = "trigger"


class Does(NamedTuple):
    """What a trigger does, as far as two that do the same can be compared as texts."""

    text: str
    """On PostgreSQL `OFF` if it is switched off."""
    when: str = ""
    """Its condition on PostgreSQL, which writes conditions in a way of its own."""


def faults() -> Iterator[TriggerFault]:
    """The triggers that are missing, are switched off, or are not those of the migration, and what else is there."""
    there = {"sqlite": on_sqlite, "postgresql": on_postgresql}[connection.vendor]()
    made = wanted()
    for (table, name), does in sorted(made.items()):
        found = there.get((table, name))
        if found is None:
            yield TriggerFault(table, name, "it is missing")
        elif found.text == OFF:
            yield TriggerFault(table, name, "it is switched off")
        elif found.text != does.text or not same_condition(table, found.when, does.when):
            yield TriggerFault(table, name, "it does something else than what the migration made")
    for table, name in sorted(there.keys() - made.keys()):
        if table in KEPT:
            yield TriggerFault(table, name, MORE)
    for table, name in rules():
        yield TriggerFault(table, name, MORE, "rule")


def wanted() -> dict[tuple[str, str], Does]:
    """By table and name what each trigger does, as the migration has them."""
    editor = connection.SchemaEditorClass(connection, collect_sql=True)
    import_module("games.migrations.0002_append_only").refuse(None, editor)
    statements = [statement.rstrip("; ") for statement in editor.collected_sql]
    if connection.vendor == "sqlite":
        return {(made[2], made[1]): Does(made.string) for made in map(ON_SQLITE.match, statements) if made}
    functions = {
        made["name"]: called(made["body"], made["path"] or "") for made in FUNCTION.finditer("\n".join(statements))
    }
    made = filter(None, map(ON_POSTGRESQL.match, statements))
    return {(each["table"], each["name"]): does(each, functions[each["call"].partition("(")[0]]) for each in made}


def on_sqlite() -> dict[tuple[str, str], Does]:
    """The same as it stands in the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'")
        return {(table, name): Does(sql) for table, name, sql in cursor.fetchall()}


def on_postgresql() -> dict[tuple[str, str], Does]:
    """The same as it stands in the database."""
    found = {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, tgname, pg_get_triggerdef(pg_trigger.oid), prosrc, array_to_string(proconfig, ';'),"
            " tgenabled = 'A' OR tgenabled = 'O' AND current_setting('session_replication_role') <> 'replica',"
            " lanname = 'plpgsql' AND NOT prosecdef FROM pg_trigger"
            " JOIN pg_proc ON pg_proc.oid = tgfoid JOIN pg_language ON pg_language.oid = prolang"
            " JOIN pg_class ON pg_class.oid = tgrelid"
            " WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal"
        )
        for table, name, text, body, path, on, plain in cursor.fetchall():
            made = ON_POSTGRESQL.match(text)
            said = does(made, called(body, path or "") if plain else "") if made else Does(text)
            found[table, name] = said if on else Does(OFF)
    return found


def rules() -> list[tuple[str, str]]:
    """The rules on the tables that hold the past, by table and name: PostgreSQL does something else by them."""
    if connection.vendor == "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, rulename FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(%s) ORDER BY relname, rulename",
            [KEPT],
        )
        return list(cursor.fetchall())


def does(made: re.Match[str], function: str) -> Does:
    """What a statement does that makes a trigger of PostgreSQL, with what the function does that it calls."""
    events, _of, columns = made["events"].replace('"', "").partition(" OF ")
    parts = sorted(events.split(" OR ")), sorted(columns.split(", ")), made["each"], made["call"], function
    return Does(repr(parts), made["when"] or "")


def called(body: str, path: str) -> str:
    """What a function of PostgreSQL does, and where it looks for tables."""
    return f"{path.replace(' = ', '=')}: {body}"


def same_condition(table: str, one: str, other: str) -> bool:
    """Whether two conditions of triggers are the same to PostgreSQL, once it has simplified both."""
    if one == other:
        return True
    asked = f"SELECT ({one}), ({other}) FROM {table} AS old, {table} AS new"
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (VERBOSE, COSTS OFF, FORMAT JSON) {asked}")
            [[plan]] = cursor.fetchone()
    except DatabaseError:
        return False
    first, second = (json.loads(plan) if isinstance(plan, str) else plan)["Plan"]["Output"]
    return bool(first == second)
