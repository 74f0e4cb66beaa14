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

OWNERS = """
SELECT name, pg_get_userbyid(owner) FROM (
  SELECT 1, relname, relowner FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(%s)
  UNION ALL SELECT 2, proname, proowner FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prorettype = 'trigger'::regtype
  UNION ALL SELECT 3, 'the database', datdba FROM pg_database WHERE datname = current_database()
  UNION ALL SELECT 4, 'the schema', nspowner FROM pg_namespace WHERE oid = current_schema()::regnamespace
) AS found (number, name, owner) WHERE pg_has_role(%s, owner, 'MEMBER') ORDER BY number, name LIMIT 1
"""
WRITERS = """
SELECT rolname, relname FROM pg_roles, pg_class
WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(%s) AND pg_has_role(%s, pg_roles.oid, 'MEMBER')
  AND has_table_privilege(pg_roles.oid, pg_class.oid, 'UPDATE, DELETE, TRUNCATE')
ORDER BY rolname = %s DESC, rolname, relname LIMIT 1
"""
BEYOND = """
SELECT rolname FROM pg_roles WHERE rolname IN ('pg_execute_server_program', 'pg_write_server_files')
  AND pg_has_role(%s, oid, 'MEMBER') ORDER BY rolname LIMIT 1
"""


def of(role: str) -> str:
    """By what a role can rewrite the past, as what follows its name in a sentence; empty if it cannot, or is unknown.

    A role can do whatever another can of which it is a member.
    """
    tables = list(APPENDED)
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = %s", [role])
        superuser, creates = cursor.fetchone() or (False, None)
        if creates is None:
            return ""
        if superuser:
            return "is a superuser"
        cursor.execute(OWNERS, [tables, role])
        if found := cursor.fetchone():
            name, owner = found
            return f"owns {name}" if owner == role else f"is a member of {owner}, which owns {name}"
        cursor.execute(WRITERS, [tables, role, role])
        if found := cursor.fetchone():
            writer, table = found
            can = f"may change or delete rows of {table}"
            return can if writer == role else f"is a member of {writer}, which {can}"
        cursor.execute(BEYOND, [role])
        if found := cursor.fetchone():
            return f"is a member of {found[0]}, which can do what the server can"
    return "may make roles and their members (CREATEROLE)" if creates else ""


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
