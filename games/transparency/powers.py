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
HOLDERS = """
(SELECT oid, rolname FROM pg_roles WHERE pg_has_role(%(role)s, oid, 'MEMBER') UNION ALL SELECT 0, 'public') AS holders
"""
"""Whose rights a role has: PostgreSQL knows PUBLIC as a role with the number 0, and lets none be called so."""
FIRST = "ORDER BY rolname = 'public' DESC, rolname = %(role)s DESC, rolname"
ON_A_TABLE = f"""
SELECT rolname, relname FROM {HOLDERS}, pg_class
WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(%(kept)s) AND {{may}}
{FIRST}, relname LIMIT 1
"""
WRITES = """
relname = ANY(%(appended)s) AND (has_table_privilege(holders.oid, pg_class.oid, 'DELETE, TRUNCATE') OR EXISTS (
  SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  AND relname || '.' || attname <> ALL(%(changed)s) AND has_column_privilege(holders.oid, attrelid, attnum, 'UPDATE')))
"""
LENT = f"""
SELECT rolname, proname || ' with the rights of ' || pg_get_userbyid(proowner) FROM {HOLDERS}, pg_proc
WHERE prosecdef AND prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
  AND EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(%(kept)s)
    AND pg_has_role(proowner, relowner, 'MEMBER'))
  AND EXISTS (SELECT FROM pg_roles
    WHERE pg_has_role(%(role)s, oid, 'MEMBER') AND has_schema_privilege(oid, pronamespace, 'USAGE'))
  AND has_function_privilege(holders.oid, pg_proc.oid, 'EXECUTE')
{FIRST}, proname LIMIT 1
"""
"""A function with SECURITY DEFINER does what its owner may."""
IS = f"""
SELECT rolname, NULL FROM {HOLDERS} LEFT JOIN pg_roles AS known USING (oid, rolname) WHERE {{so}}
{FIRST} LIMIT 1
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
        ON_A_TABLE.format(may="has_table_privilege(holders.oid, pg_class.oid, 'TRIGGER')"),
        "may replace the triggers of {}",
    ),
    (LENT, "may run the function {} (SECURITY DEFINER)"),
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
                if holder == "public":
                    return f"{can}, as every role may (PUBLIC)"
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
