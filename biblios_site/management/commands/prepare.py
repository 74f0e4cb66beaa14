import os
from hashlib import sha256
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from accounts.database.planner import learn_sizes


class Command(BaseCommand):
    help = "Make the site ready to serve: compile catalogues, migrate, collect static files."

    def handle(self, **_: Any) -> None:
        compile_catalogues()
        if not migrated():
            call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
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


def migrated() -> bool:
    """Whether the database has had all migrations of the apps: `migrate` would first import all of them."""
    folders = {app.label: Path(app.path) / "migrations" for app in apps.get_app_configs()}
    known = {(label, module.name) for label, at in folders.items() for module in iter_modules([str(at)])}
    return known <= MigrationRecorder(connection).applied_migrations().keys()


def fingerprint() -> str:
    """A hash that changes whenever a static file is changed, added or removed, also on return to an older release."""
    files = sorted((path, storage.path(path)) for finder in get_finders() for path, storage in finder.list([]))
    digest = sha256()
    for path, place in files:
        stat = os.stat(place)
        digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
