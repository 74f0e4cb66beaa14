"""Runs all tests, in parts: each is a process with a data folder of its own, and a few of them go on at the same time.

What reads pages runs on SQLite, in some processes, and what else asks a database on PostgreSQL with Redis, in another;
what commits is tried on both. What a part says is shown when it has ended. Arguments go to pytest in each part. Where
PostgreSQL or Redis is missing, all runs on SQLite, which is said; with CI=true in the environment that is a failure.

--quick runs what asks no database and is not marked `slow`, and what is marked `quick`: rules, words, sources, pages.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.components import Postgres, Redis, missing
from tests.prepared import cluster, fill, prepared

OK, NOTHING_COLLECTED = 0, 5
EMBEDDED = "site", "play", "clubs", "security"
"""The parts of the tests that need no server of their own: on SQLite each has a process."""
AT_ONCE = (os.cpu_count() or 1) + 1
"""How many parts go on at the same time: some of them wait now and then."""


class Part(NamedTuple):
    title: str
    options: tuple[str, ...]
    real: bool = False
    """Whether it runs on PostgreSQL and Redis."""
    shared: bool = False
    """Whether it leaves to PostgreSQL what need not run on SQLite too."""


WHOLE = (
    Part("In a browser: how pages look", ("--part=looks",)),
    Part("In a browser: what people do", ("--part=browser",)),
    Part("PostgreSQL and Redis", (*(f"--part={part}" for part in EMBEDDED), "-m", "not once"), real=True),
    Part("SQLite: attacks", ("--part=security",), shared=True),
    Part("SQLite: the site", ("--part=site",), shared=True),
    Part("SQLite: the rules, matches and tables", ("--part=play",), shared=True),
    Part("SQLite: clubs, ladders and tournaments", ("--part=clubs",), shared=True),
    Part("While parts of the site are killed", ("--part=faults",), real=True),
)
"""The longest first."""
ON_SQLITE = "-m", "once or twice"
QUICK = tuple(Part(f"Quick: {part}", (f"--part={part}", "-m", "in_memory and not slow or quick")) for part in EMBEDDED)


def run(part: Part, arguments: tuple[str, ...]) -> tuple[int, str]:
    """The exit code of a part, and what it has said."""
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="biblios-"))
        fill(Path(folder))
        environment = {**os.environ, "BIBLIOS_DATA": folder, "DATABASE_URL": "", "REDIS_URL": ""}
        if part.real:
            postgres, redis = stack.enter_context(Postgres(fsync=False)), stack.enter_context(Redis())
            environment |= {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        command = [sys.executable, "-m", "pytest", *part.options, *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True)
    return done.returncode, done.stdout


def main(*arguments: str) -> int:
    quick = "--quick" in arguments
    arguments = tuple(argument for argument in arguments if argument != "--quick")
    reason = "" if quick else missing()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # some hundred processes would compile the whole site
    prepared()
    if not quick and not reason:
        cluster()
    parts = [part for part in (QUICK if quick else WHOLE) if not (part.real and reason)]
    if not reason:
        parts = [part._replace(options=(*part.options, *ON_SQLITE)) if part.shared else part for part in parts]
    codes = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        running = {pool.submit(run, part, arguments): part for part in parts}
        for future in as_completed(running):
            code, said = future.result()
            print(f"== {running[future].title}", said, sep="\n", flush=True)
            codes.append(code)
    if reason:
        print(f"== Not tried on PostgreSQL and Redis. {reason}", flush=True)
        codes.append(1 if os.environ.get("CI") else OK)
    return next((code for code in sorted(codes, key=abs, reverse=True) if code != NOTHING_COLLECTED), NOTHING_COLLECTED)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
