"""The two roles of PostgreSQL: one owns the tables and migrates, the site serves under another.

That other one reads and writes what the site needs, and cannot rewrite the past: not even without the triggers.
"""

from __future__ import annotations

from typing import Any

from django.db import connection, transaction

from games.transparency import powers


class NoRights(Exception):
    """The site cannot be given its rights; the text says why."""


def grant(site: dict[str, Any]) -> None:
    """Give the role by which the site serves its rights, and none else, as the owner of the tables.

    `site`: its database, as in the settings. A superuser also makes the role and sets its password. Can be repeated at
    any time. Raises NoRights, and then changes nothing: also if that role could rewrite the past all the same.
    """
    role, password = site["USER"], site["PASSWORD"]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT current_user, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)")
        owner, superuser = cursor.fetchone()
        if not role:
            raise NoRights("DATABASE_URL must name the role that serves: postgresql://user:password@host:port/name")
        name = connection.ops.quote_name(role)
        if role == owner:
            raise NoRights(f"DATABASE_URL and MIGRATE_DATABASE_URL must name two roles; both name {role}")
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        known = cursor.fetchone()
        if superuser:
            # Hashed here: no log of the server has it.
            hashed = connection.connection.pgconn.encrypt_password(password.encode(), role.encode()).decode()
            cursor.execute(f"{'ALTER' if known else 'CREATE'} ROLE {name} LOGIN PASSWORD '{hashed}'")
        elif not known:
            raise NoRights(f"there is no role {role}; make it as docs/operations.md says")
        # Not on views: the rights of who made one would reach the tables below it.
        cursor.execute(
            "SELECT quote_ident(schemaname), string_agg(quote_ident(tablename), ', ') FROM pg_tables"
            " WHERE schemaname = current_schema() GROUP BY 1"
        )
        schema, tables = cursor.fetchone()
        database = connection.ops.quote_name(connection.settings_dict["NAME"])
        for statement in (
            f"REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC",
            f"REVOKE ALL ON SCHEMA {schema} FROM PUBLIC",
            f"REVOKE ALL ON SCHEMA {schema} FROM {name}",
            f"REVOKE ALL ON ALL SEQUENCES IN SCHEMA {schema} FROM {name}",
            f"GRANT USAGE ON SCHEMA {schema} TO {name}",
            f"REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {name}",
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO {name}",
            f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {name}",
            f"REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {name}",
        ):
            cursor.execute(statement)
        for table, column in powers.APPENDED.items():
            cursor.execute(f"REVOKE UPDATE, DELETE ON {table} FROM {name}")
            if column:
                cursor.execute(f"GRANT UPDATE ({column}) ON {table} TO {name}")
        if power := powers.of(role):
            raise NoRights(
                f"{role} {power}, so it could rewrite the past: see “Roles of PostgreSQL” in docs/operations.md"
            )
