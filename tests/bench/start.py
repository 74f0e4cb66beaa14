"""Throw-away sites to measure: embedded (SQLite, one process), or PostgreSQL, Redis, a web process and a worker."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from tests.components import Postgres, Redis

ROOT = Path(__file__).resolve().parents[2]
UNLIMITED = {"BIBLIOS_NEWCOMERS": "1000000", "BIBLIOS_MESSAGES": "1000000"}


@dataclass
class Site:
    """Where a site is, and what to measure of it."""

    url: str
    pids: dict[str, int] = field(default_factory=dict)
    """Processes by their names; `web` is that whose memory is measured."""
    database: str = ""


def manage(folder: Path, environment: dict[str, str], *arguments: str) -> subprocess.Popen:
    """A command of manage.py, in a process of its own that says all it has to say in a file."""
    with open(folder / "log", "ab") as log:
        return subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**os.environ, "BIBLIOS_DATA": str(folder), **UNLIMITED, **environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


@contextmanager
def started(kind: str):
    """A new site, `real` or `embedded`, which is removed afterwards."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="load-")))
        environment, pids, others = {}, {}, []
        database = str(folder / "biblios.sqlite3")
        if kind == "real":
            postgres, redis = stack.enter_context(Postgres()), stack.enter_context(Redis())
            pids = {"postgres": postgres.pid, "redis": redis.pid}
            database = postgres.url
            environment = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
            others = ["--no-worker"]
        if manage(folder, environment, "prepare").wait():
            raise RuntimeError(f"The site cannot be prepared:\n{(folder / 'log').read_text()}")
        began = time.monotonic()
        web = start(stack, folder, environment, "serve", "--port", "0", *others)
        url = address(web, folder / "log")
        urlopen(url).read()
        print(f"The site, {kind}, gave its first page after {time.monotonic() - began:.1f} s.")
        pids["web"] = web.pid
        if kind == "real":
            pids["worker"] = start(stack, folder, environment, "worker").pid
        yield Site(url, pids, database)


def start(stack: ExitStack, folder: Path, environment: dict[str, str], *arguments: str) -> subprocess.Popen:
    process = manage(folder, environment, *arguments)
    stack.callback(end, process)
    return process


def end(process: subprocess.Popen) -> None:
    process.terminate()
    process.wait()


def address(web: subprocess.Popen, log: Path) -> str:
    """The address that it prints. Raises RuntimeError if it ends before."""
    while web.poll() is None:
        if found := re.search(r"http://[\d.]+:\d+", log.read_text()):
            return found[0]
        time.sleep(0.02)
    raise RuntimeError(f"The site does not start:\n{log.read_text()}")
