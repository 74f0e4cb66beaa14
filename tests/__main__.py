"""Runs all tests, in parts that go on at the same time: each is a process with a data folder of its own.

What a database can change is tried twice: on SQLite in one process, and on PostgreSQL with Redis. Tests marked `once`
run on SQLite alone. What the first part says is shown while it runs, what the others say when they have ended.
Arguments go to pytest in each part. Where PostgreSQL or Redis is not installed, that part is left out, which is said;
with CI=true in the environment that is a failure.

--quick leaves out the browser, PostgreSQL, and all tests marked `slow`.
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


class Part(NamedTuple):
    title: str
    options: tuple[str, ...]
    real: bool = False
    """Whether it runs on PostgreSQL and Redis."""


WHOLE = (
    Part("SQLite: the site", ("--part=site",)),
    Part("SQLite: the rules, ladders and clubs, attacks", ("--part=rules",)),
    Part("PostgreSQL and Redis", ("--part=site", "--part=rules", "-m", "not once"), real=True),
    Part("In a browser", ("--part=browser",)),
    Part("While parts of the site are killed", ("--part=faults",), real=True),
)
QUICK = tuple(part._replace(options=(*part.options, "-m", "not slow")) for part in WHOLE[:2])


def pytest(*arguments: str, output: IO[bytes] | None = None, **environment: str) -> subprocess.Popen[bytes]:
    """The tests, being run in an environment."""
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.Popen(command, stdout=output, stderr=output, env={**os.environ, **environment})


def main(*arguments: str) -> int:
    quick = "--quick" in arguments
    arguments = tuple(argument for argument in arguments if argument != "--quick")
    reason = "" if quick else missing()
    prepared()
    parts = [part for part in (QUICK if quick else WHOLE) if not (part.real and reason)]
    with ExitStack() as stack:
        embedded = real = {"DATABASE_URL": "", "REDIS_URL": ""}
        if any(part.real for part in parts):
            postgres, redis = stack.enter_context(Postgres(fsync=False)), stack.enter_context(Redis())
            real = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        running = []
        for part in parts:
            said = stack.enter_context(TemporaryFile()) if running else None
            folder = stack.enter_context(TemporaryDirectory(prefix="biblios-"))
            fill(Path(folder))
            environment = {"BIBLIOS_DATA": folder, **(real if part.real else embedded)}
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
