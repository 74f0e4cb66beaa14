"""What a process that serves or works looks at before it begins, so that nothing is served half."""

from __future__ import annotations

import logging
from pathlib import Path
from pkgutil import iter_modules

from django.apps import apps
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from biblios_site import health

log = logging.getLogger(__name__)

PASSING = "the database system is", "too many clients", "connection slots are reserved", "terminating connection"
"""Of what PostgreSQL calls fatal: what time mends, a start, an end and a crowd."""


def migrations() -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The migrations, by app and name, that the database lacks, and those that it has had and this release does not
    know. `migrate` would first import all of them."""
    known = known_migrations()
    applied = set(MigrationRecorder(connection).applied_migrations())
    return known - applied, applied - known


def known_migrations() -> set[tuple[str, str]]:
    """Those of this release, by app and name."""
    folders = {app.label: Path(app.path) / "migrations" for app in apps.get_app_configs()}
    return {(label, module.name) for label, at in folders.items() for module in iter_modules([str(at)])}


def refuse_newer(unknown: set[tuple[str, str]]) -> None:
    """Raise CommandError if the database has had migrations that this release does not know."""
    if unknown:
        known = known_migrations()
        last = {label: max((name for app, name in known if app == label), default="zero") for label, _ in unknown}
        back = " and ".join(f"`manage.py migrate {label} {name}`" for label, name in sorted(last.items()))
        raise CommandError(
            f"This release is older than its database, which has had {named(unknown)}: start the newer release, take "
            f"that back by it with {back}, or restore a backup that was made before."
        )


def named(found: set[tuple[str, str]]) -> str:
    return ", ".join(f"{label}.{name}" for label, name in sorted(found))


def check(several: bool) -> None:
    """Raise CommandError if this process must not begin; `several`: it is one of several processes of the site.

    A database that is away is no reason: it may come back.
    """
    if settings.MIGRATE_DATABASE_URL:
        raise CommandError("MIGRATE_DATABASE_URL is only for prepare and restore: what serves must not own the tables.")
    if several and not settings.DATABASE_URL:
        raise CommandError("Without DATABASE_URL each process would have a database of its own.")
    try:
        # Before the first look by way of the pool, which does not say why it gets no connection.
        if connection.vendor == "postgresql":
            health.direct().close()
        lacks, unknown = migrations()
        refuse_newer(unknown)
        if lacks:
            raise CommandError(f"The database lacks {named(lacks)}: run `manage.py prepare` first.")
        health.database()
    except health.Unfit as error:
        raise CommandError(f"The database cannot be used: {error}") from error
    except CommandError:
        raise
    except Exception as error:
        if connection.vendor == "sqlite" or (
            "FATAL" in (said := str(error)) and not any(each in said for each in PASSING)
        ):
            raise CommandError(f"The database cannot be used: {health.line(error)}") from error
        log.warning("The database is away: %s", health.line(error))
    finally:
        connection.close()
