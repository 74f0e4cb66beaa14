"""What every site has to make first and what takes long: static files, the fonts among them, and empty tables.

It is made once, by `manage.py prepare`, for all processes of a run of the tests. The static files of the small game
are there too.
"""

import atexit
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finder
from django.core.management import call_command

ROOT = Path(__file__).parent.parent
NAME = "PREPARED_FOR_TESTS"
"""Names the folder to the processes that this one starts."""
MADE = ("fonts", "icons")


def prepared() -> Path:
    """The data folder in which all that is. Whoever asks first makes it, and removes it when they end."""
    if NAME not in os.environ:
        folder = mkdtemp(prefix="prepared-")
        atexit.register(shutil.rmtree, folder)
        own = Path(os.environ.get("BIBLIOS_DATA") or ROOT / "var")
        link(own, Path(folder), *MADE)
        settings = {"DJANGO_SETTINGS_MODULE": "biblios_site.settings", "DATABASE_URL": "", "REDIS_URL": ""}
        environment = {**os.environ, **settings, "BIBLIOS_DATA": folder}
        subprocess.run([sys.executable, "-m", "tests.prepared"], cwd=ROOT, env=environment, check=True)
        os.environ[NAME] = folder
    return Path(os.environ[NAME])


def link(source: Path, to: Path, *names: str) -> None:
    for name in names:
        if (source / name).exists():
            (to / name).symlink_to(source / name)


def fill(folder: Path) -> None:
    """Put all that in the data folder of a new site; its keys will be its own."""
    folder.mkdir(exist_ok=True)
    link(prepared(), folder, "static", *MADE)
    shutil.copy(prepared() / "biblios.sqlite3", folder)


def prepare() -> None:
    """Make all that in the data folder of this process."""
    django.setup()
    from biblios_site.management.commands.prepare import fingerprint
    from tests.toy import site

    known = fingerprint()
    get_finder.cache_clear()
    site.lay_out()
    call_command("prepare")
    # A site of its own does not know the small game, and would collect them all again.
    (settings.STATIC_ROOT / ".collected").write_text(known)


if __name__ == "__main__":
    prepare()
