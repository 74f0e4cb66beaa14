"""Throw-away sites to measure: embedded (SQLite, one process), or PostgreSQL, Redis, a web process and a worker.

The site may be that of any checkout, run by its own Python. It differs from one as it is installed in three things: one
network address may do anything as often as it likes; passwords are hashed in no time; beside English the site speaks
two languages that say every sentence between marks, in the place of real translations. An older checkout gets the
sentences of this one: where its own differ, they are English in all languages.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

import polib

from tests.components import Postgres, Redis, free_port
from tests.prepared import fill

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("real", "embedded")
SERVERS = ("serve", "daphne")
UNLIMITED = {"BIBLIOS_NEWCOMERS": "1000000", "BIBLIOS_MESSAGES": "1000000"}
MARKS = {"de": "«%s»", "fr": "‹%s›"}
"""How the languages beside English say a sentence."""
LANGUAGES = ["en", *MARKS]
SETTINGS = """
from biblios_site.settings import *
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LANGUAGES = [(code, code) for code in %s]
LOCALE_PATHS = [DATA_DIR / "locale"]
"""


@dataclass
class Site:
    """Where a site is, and what to measure of it."""

    url: str
    pids: dict[str, int] = field(default_factory=dict)
    """Processes by their names; `web` is that whose memory is measured."""
    database: str = ""
    restart: Callable[[], float] | None = None
    """Ends the web process and starts a new one at the same address; seconds to its first page."""
    others: list[str] = field(default_factory=list)
    """Addresses of further web processes."""

    @property
    def urls(self) -> list[str]:
        """The addresses of all web processes."""
        return [self.url, *self.others]


class Parts:
    """The processes of a site, and where it keeps its data."""

    def __init__(self, root: Path, folder: Path, components: dict[str, str], english: bool = False):
        self.root, self.folder = root, folder
        if root == ROOT:
            fill(folder)
        own = root / ".venv" / "bin" / "python"
        self.python = str(own) if own.exists() else sys.executable
        settings = {"DJANGO_SETTINGS_MODULE": "bench_settings", "PYTHONPATH": str(folder), "BIBLIOS_DATA": str(folder)}
        self.environment = {**os.environ, "DATABASE_URL": "", "REDIS_URL": "", **components, **settings, **UNLIMITED}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", "")  # a second start finds the modules compiled
        (folder / "bench_settings.py").write_text(SETTINGS % (LANGUAGES[:1] if english else LANGUAGES,))
        if not english:
            self.learn()

    def learn(self) -> None:
        """Have it speak the other languages."""
        # The command belongs to this checkout: older ones cannot collect their sentences.
        self.ended(self.run("manage.py", "makemessages", *MARKS, root=ROOT, python=sys.executable))
        for code, marks in MARKS.items():
            speak(self.folder / "locale" / code / "LC_MESSAGES" / "django.po", marks)

    def run(self, *arguments: str, root: Path | None = None, python: str = "") -> subprocess.Popen:
        """A Python program of the checkout, in a process of its own that says all it has to say in a file."""
        with open(self.folder / "said", "ab") as said:
            return subprocess.Popen(
                [python or self.python, *arguments],
                cwd=root or self.root,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )

    def ended(self, process: subprocess.Popen) -> None:
        """Wait for its end. Raises RuntimeError, with all that was said, if it failed."""
        if process.wait():
            raise RuntimeError(f"{' '.join(process.args)} failed:\n{(self.folder / 'said').read_text()}")

    def answers(self, process: subprocess.Popen, url: str) -> None:
        """Wait for its first page. Raises RuntimeError if it ends before."""
        while True:
            try:
                urlopen(url, timeout=20).read()
                return
            except OSError:
                if process.poll() is not None:
                    self.ended(process)
                time.sleep(0.005)


def serving(server: str, port: int) -> list[str]:
    """The command by which this server serves the site."""
    if server == "daphne":
        return ["-m", "daphne", "--port", str(port), "biblios_site.asgi:application"]
    return ["manage.py", "serve", "--port", str(port)]


def speak(catalogue: Path, marks: str) -> None:
    """Say every sentence of a catalogue between marks."""
    sentences = polib.pofile(str(catalogue))
    for entry in sentences:
        if entry.msgid_plural:
            entry.msgstr_plural = {n: marks.replace("%s", entry.msgid_plural) for n in entry.msgstr_plural}
        else:
            entry.msgstr = marks.replace("%s", entry.msgid)
    sentences.save_as_mofile(str(catalogue.with_suffix(".mo")))
    catalogue.unlink()


@contextmanager
def started(
    kind: str, root: Path = ROOT, server: str = "serve", processes: int = 1, english: bool = False
) -> Iterator[Site]:
    """A new site of a checkout, which is removed afterwards: `real` or `embedded`, by `manage.py serve` or `daphne`.

    A real one may have several web processes; `restart` is then for the first. `english`: it speaks no other language.
    """
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # for both ends of a thousand sockets
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        components, pids, database = {}, {}, str(folder / "biblios.sqlite3")
        if kind == "real":
            postgres, redis = stack.enter_context(Postgres()), stack.enter_context(Redis())
            pids = {"postgres": postgres.pid, "redis": redis.pid}
            components = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
            database = postgres.url
        parts = Parts(root, folder, components, english)
        if server != "serve":
            parts.ended(parts.run("manage.py", "prepare"))
        port = free_port()
        site = Site(f"http://127.0.0.1:{port}", pids, database)
        alone = ["--no-worker"] if kind == "real" else []
        web: dict[str, subprocess.Popen] = {}

        def start(name: str = "web", port: int = port) -> float:
            prepared = ["--prepare", *alone] if server == "serve" else []
            began = time.monotonic()
            web[name] = parts.run(*serving(server, port), *prepared)
            parts.answers(web[name], f"http://127.0.0.1:{port}")
            site.pids[name] = web[name].pid
            return time.monotonic() - began

        def restart() -> float:
            end(web["web"])
            return start()

        stack.callback(lambda: [end(process) for process in web.values()])
        start()
        for number in range(2, processes + 1):
            port = free_port()
            start(f"web {number}", port)
            site.others.append(f"http://127.0.0.1:{port}")
        site.restart = restart
        if kind == "real":
            worker = parts.run("manage.py", "worker")
            stack.callback(end, worker)
            pids["worker"] = worker.pid
        yield site


def end(process: subprocess.Popen) -> None:
    process.terminate()
    process.wait()
