"""What every site has to make first and what takes long: static files, the fonts among them, and empty tables.

It is made by `manage.py prepare`, once for all processes and all runs of the tests until what it is made of changes.
The static files of the small game are there too.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finder
from django.core.management import call_command

from tests.components import Postgres, postgres_programs

ROOT = Path(__file__).parent.parent
NAME = "PREPARED_FOR_TESTS"
"""Names the folder to the processes that this one starts."""
MADE = ("fonts", "icons")
OF = (
    *("requirements.txt", "static/**/*", "tests/toy/static/**/*", "*/migrations/*.py", "tests/prepared.py"),
    *(f"biblios_site/{name}.py" for name in ("settings", "storage", "made", "fonts", "icons")),
)
"""The files of what it is made of."""
KEPT_S = 86_400
"""How long what was made of other sources stays: a run that began with it may go on."""


def prepared() -> Path:
    """The data folder in which all that is. Whoever asks first makes it."""
    if NAME not in os.environ:
        own = Path(os.environ.get("BIBLIOS_DATA") or ROOT / "var")
        folder = own / "prepared" / recipe()
        if not folder.exists():
            make(folder, own)
        os.environ[NAME] = str(folder)
    return Path(os.environ[NAME])


def recipe() -> str:
    """A hash that changes whenever something else would come out."""
    sources = sorted(path for of in OF for path in ROOT.glob(of) if path.is_file())
    stats = [(str(path), stat.st_size, stat.st_mtime_ns) for path in sources for stat in [path.stat()]]
    return sha256(repr(stats).encode()).hexdigest()[:16]


def make(folder: Path, own: Path) -> None:
    """Make it, with the fonts and icons of a site's own data folder if they are there."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for other in folder.parent.iterdir():
        if other.stat().st_mtime < time.time() - KEPT_S:
            shutil.rmtree(other)
    unfinished = Path(mkdtemp(dir=folder.parent))
    copy(own, unfinished)
    variables = {"DJANGO_SETTINGS_MODULE": "biblios_site.settings", "DATABASE_URL": "", "REDIS_URL": ""}
    environment = {**os.environ, **variables, "BIBLIOS_DATA": str(unfinished)}
    subprocess.run([sys.executable, "-m", "tests.prepared"], cwd=ROOT, env=environment, check=True)
    copy(unfinished, own)
    try:
        unfinished.rename(folder)
    except OSError:  # another process was at it too
        shutil.rmtree(unfinished)


def copy(source: Path, to: Path) -> None:
    """Copy what is made of the packages alone."""
    for name in MADE:
        if (source / name).exists():
            shutil.copytree(source / name, to / name, dirs_exist_ok=True)


def tables(to: Path) -> None:
    """Write a database with tables and nothing in them."""
    for rest in ("-wal", "-shm"):
        to.with_name(f"{to.name}{rest}").unlink(missing_ok=True)
    shutil.copy(prepared() / "biblios.sqlite3", to)


def cluster() -> Path:
    """The folder of a PostgreSQL that has ended, with tables and nothing in them. Whoever asks first makes it."""
    folder = prepared() / f"postgresql-{postgres_programs().parent.name}"
    if not folder.exists():
        unfinished = Path(mkdtemp(dir=folder.parent))
        with Postgres(fsync=False) as server:
            fill(unfinished / "site")
            environment = {**os.environ, "DATABASE_URL": server.url, "REDIS_URL": ""}
            environment |= {"DJANGO_SETTINGS_MODULE": "biblios_site.settings", "BIBLIOS_DATA": str(unfinished / "site")}
            subprocess.run([sys.executable, "manage.py", "prepare"], cwd=ROOT, env=environment, check=True)
            server.process.send_signal(signal.SIGINT)
            server.process.wait()
            subprocess.run(["cp", "-a", server.folder, unfinished / "cluster"], check=True)
        with suppress(OSError):  # another process was at it too
            (unfinished / "cluster").rename(folder)
        shutil.rmtree(unfinished)
    return folder


def fill(folder: Path) -> None:
    """Put all that in the data folder of a new site; its keys will be its own."""
    folder.mkdir(exist_ok=True)
    for name in ("static", *MADE):
        (folder / name).symlink_to(prepared() / name)
    tables(folder / "biblios.sqlite3")


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
