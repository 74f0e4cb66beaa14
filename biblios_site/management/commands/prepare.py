import os
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from accounts.database.planner import learn_sizes
from biblios_site import health, roles, starting


class Command(BaseCommand):
    help = "Make the site ready to serve: compile catalogues, migrate, give the site its rights, collect static files."

    def handle(self, **_: Any) -> None:
        compile_catalogues()
        try:
            if connection.vendor == "postgresql":
                health.direct().close()  # the pool would not say why it gets no connection
            lacks, unknown = starting.migrations()
            starting.refuse_newer(unknown)
            if lacks:
                call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
            if settings.MIGRATE_DATABASE_URL:
                roles.grant(settings.SITE_DATABASE)
        except roles.NoRights as error:
            raise CommandError(str(error)) from error
        except (OperationalError, health.Away) as error:
            raise CommandError(f"The database cannot be used: {health.line(error)}") from error
        learn_sizes()
        # Collecting takes longer than everything else.
        note, found = settings.STATIC_ROOT / ".collected", fingerprint()
        if not note.exists() or note.read_text() != found:
            call_command("collectstatic", verbosity=0, interactive=False, skip_checks=True)
            note.write_text(found)


def compile_catalogues() -> None:
    """Compile the catalogues that have changed: Django reads only compiled ones."""
    for folder in settings.LOCALE_PATHS:
        for catalogue in folder.glob("*/LC_MESSAGES/*.po"):
            compiled = catalogue.with_suffix(".mo")
            if not compiled.exists() or compiled.stat().st_mtime < catalogue.stat().st_mtime:
                import polib  # the first start alone needs it

                polib.pofile(str(catalogue)).save_as_mofile(str(compiled))


def fingerprint() -> str:
    """A hash that changes whenever a static file is changed, added or removed, also on return to an older release."""
    files = sorted((path, storage.path(path)) for finder in get_finders() for path, storage in finder.list([]))
    digest = sha256()
    for path, place in files:
        stat = os.stat(place)
        digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
