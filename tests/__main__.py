"""Runs all tests, in parts that go on at the same time: each is a process with a data folder of its own.

What a database can change is tried twice: on SQLite in some processes, and on PostgreSQL with Redis in another. Tests
marked `once` run on SQLite alone, and so do those that read pages. What the first part says is shown while it runs,
what the others say when they have ended. Arguments go to pytest in each part. Where PostgreSQL or Redis is missing,
that part is left out, which is said; with CI=true in the environment that is a failure.

--quick runs what asks no database and is not marked `slow`, and what is marked `quick`: rules, words, sources, pages.
"""

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, NamedTuple

from tests.components import Postgres, Redis, missing
from tests.prepared import fill, prepared

OK, NOTHING_COLLECTED = 0, 5
EMBEDDED = "site", "play", "clubs", "security"
"""The parts of the tests that need no server of their own: on SQLite each has a process."""


class Part(NamedTuple):
    title: str
    options: tuple[str, ...]
    real: bool = False
    """Whether it runs on PostgreSQL and Redis."""


WHOLE = (
    Part("SQLite: the site", ("--part=site",)),
    Part("SQLite: the rules, matches and tables", ("--part=play",)),
    Part("SQLite: clubs, ladders and tournaments", ("--part=clubs",)),
    Part("SQLite: attacks", ("--part=security",)),
    Part("PostgreSQL and Redis", (*(f"--part={part}" for part in EMBEDDED), "-m", "not once"), real=True),
    Part("In a browser", ("--part=browser",)),
    Part("While parts of the site are killed", ("--part=faults",), real=True),
)
QUICK = tuple(
    part._replace(options=(*part.options, "-m", "in_memory and not slow or quick")) for part in WHOLE[: len(EMBEDDED)]
)


def pytest(*arguments: str, output: IO[bytes] | None = None, **environment: str) -> subprocess.Popen[bytes]:
    """The tests, being run in an environment."""
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.Popen(command, stdout=output, stderr=output, env={**os.environ, **environment})


def main(*arguments: str) -> int:
    quick = "--quick" in arguments
    arguments = tuple(argument for argument in arguments if argument != "--quick")
    reason = "" if quick else missing()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # some hundred processes would compile the whole site
    prepared()
    parts = [part for part in (QUICK if quick else WHOLE) if not (part.real and reason)]
    with ExitStack() as stack:
        running = []
        for part in parts:
            said = stack.enter_context(TemporaryFile()) if running else None
            folder = stack.enter_context(TemporaryDirectory(prefix="biblios-"))
            fill(Path(folder))
            environment = {"BIBLIOS_DATA": folder, "DATABASE_URL": "", "REDIS_URL": ""}
            if part.real:
                postgres, redis = stack.enter_context(Postgres(fsync=False)), stack.enter_context(Redis())
                environment |= {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
            process = stack.enter_context(pytest(*part.options, *arguments, output=said, **environment))
            running.append((part, said, process))
        codes = []
        for part, said, process in running:
            print(f"== {part.title}", flush=True)
            codes.append(process.wait())
            if said:
                said.seek(0)
                shutil.copyfileobj(said, sys.stdout.buffer)
                sys.stdout.flush()
    if reason:
        print(f"== Not tried on PostgreSQL and Redis. {reason}", flush=True)
        codes.append(1 if os.environ.get("CI") else OK)
    return next((code for code in sorted(codes, key=abs, reverse=True) if code != NOTHING_COLLECTED), NOTHING_COLLECTED)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
