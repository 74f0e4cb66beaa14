import polib
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Make the site ready to serve: compile catalogues, migrate, collect static files."

    def handle(self, **options):
        for folder in settings.LOCALE_PATHS:
            for catalogue in folder.glob("*/LC_MESSAGES/*.po"):
                polib.pofile(str(catalogue)).save_as_mofile(str(catalogue.with_suffix(".mo")))
        call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
        if not static_files_are_fresh():
            call_command("collectstatic", verbosity=0, interactive=False, skip_checks=True)


def static_files_are_fresh() -> bool:
    """No file has changed since they were last collected; collecting takes longer than all the rest."""
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    return manifest.exists() and manifest.stat().st_mtime > max(
        storage.get_modified_time(path).timestamp() for finder in get_finders() for path, storage in finder.list([])
    )
