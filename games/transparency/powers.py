"""Whether a role of PostgreSQL can rewrite the past, although the triggers are there."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.db import connection

APPENDED = {
    **dict.fromkeys(import_module("games.migrations.0002_append_only").TABLES, ""),
    "accounts_stewarddecision": "reason",
    "accounts_archivedmatch": "names",
}
"""The tables from which the site deletes nothing, and the only column of each that it changes: when an account is
closed. The archive is the ledger of the ratings."""

KEPT = [*APPENDED, "games_match", "games_seat"]
"""The tables that hold the past. Rows of the last two change till a match has ended: there only triggers keep it."""

OWNS = """
SELECT pg_get_userbyid(owner) AS rolname, name FROM (
  SELECT 1, relname, relowner FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(%(kept)s)
  UNION ALL SELECT 2, proname, proowner FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prorettype = 'trigger'::regtype
  UNION ALL SELECT 3, 'the database', datdba FROM pg_database WHERE datname = current_database()
  UNION ALL SELECT 4, 'the schema', nspowner FROM pg_namespace WHERE oid = current_schema()::regnamespace
) AS found (number, name, owner) WHERE pg_has_role(%(role)s, owner, 'MEMBER') ORDER BY number, name LIMIT 1
"""
ON_A_TABLE = """
SELECT rolname, relname FROM pg_roles, pg_class
WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(%(kept)s)
  AND pg_has_role(%(role)s, pg_roles.oid, 'MEMBER') AND {may}
ORDER BY rolname = %(role)s DESC, rolname, relname LIMIT 1
"""
WRITES = """
relname = ANY(%(appended)s) AND (has_table_privilege(pg_roles.oid, pg_class.oid, 'DELETE, TRUNCATE') OR EXISTS (
  SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  AND relname || '.' || attname <> ALL(%(changed)s) AND has_column_privilege(pg_roles.oid, attrelid, attnum, 'UPDATE')))
"""
IS = """
SELECT rolname, NULL FROM pg_roles WHERE pg_has_role(%(role)s, oid, 'MEMBER') AND {so}
ORDER BY rolname = %(role)s DESC, rolname LIMIT 1
"""
REPLICA = """
SELECT %(role)s, NULL FROM pg_db_role_setting WHERE 'session_replication_role=replica' = ANY(setconfig)
  AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = %(role)s))
  AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
"""
POWERS = [
    (IS.format(so="rolsuper AND rolname = %(role)s"), "is a superuser"),
    (OWNS, "owns {}"),
    (ON_A_TABLE.format(may=WRITES), "may change or delete rows of {}"),
    # Who may make triggers may also make others of the same names.
    (
        ON_A_TABLE.format(may="has_table_privilege(pg_roles.oid, pg_class.oid, 'TRIGGER')"),
        "may replace the triggers of {}",
    ),
    (
        IS.format(so="has_parameter_privilege(oid, 'session_replication_role', 'SET')"),
        "may switch triggers off (session_replication_role)",
    ),
    (REPLICA, "has triggers switched off (session_replication_role)"),
    (
        IS.format(so="rolname IN ('pg_execute_server_program', 'pg_write_server_files')"),
        "can do what the server can",
    ),
    (IS.format(so="rolcreaterole"), "may make roles and their members (CREATEROLE)"),
]
"""Who among the roles that a role may take has a power, and over what; and the power in words."""


def of(role: str) -> str:
    """By what a role can rewrite the past, as what follows its name in a sentence; empty if it cannot, or is unknown.

    A role can do whatever another can of which it is a member.
    """
    changed = [f"{table}.{column}" for table, column in APPENDED.items() if column]
    named: dict[str, str | list[str]] = {"role": role, "kept": KEPT, "appended": list(APPENDED), "changed": changed}
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [role])
        if cursor.fetchone() is None:
            return ""
        for query, power in POWERS:
            cursor.execute(query, named)
            if found := cursor.fetchone():
                holder, what = found
                can = power.format(what)
                return can if holder == role else f"is a member of {holder}, which {can}"
    return ""


def of_who_serves() -> tuple[str, str]:
    """The role under which the site serves, and by what it can rewrite the past; empty without roles."""
    if connection.vendor != "postgresql":
        return "", ""
    if settings.MIGRATE_DATABASE_URL:
        role = settings.SITE_DATABASE["USER"]
    else:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_user")
            [role] = cursor.fetchone()
    return role, of(role)
