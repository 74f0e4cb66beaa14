"""Runs the tests twice: on SQLite in one process, and on PostgreSQL and Redis what touches a database or a socket.

Both runs go on at the same time, each with a data folder of its own, and what the second one says is shown when the
first has ended. Arguments go to pytest in both. Where PostgreSQL or Redis is not installed, the second run is left out,
which is said; with CI=true in the environment that is a failure.
"""

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from tests.components import Postgres, Redis, missing

ONCE = [
    "tests/engine",
    "tests/biblios_site/test_deployment.py",
    "tests/e2e/test_accounts.py",
    "tests/e2e/test_client.py",
    "tests/e2e/test_every_page.py",
    "tests/e2e/test_guide.py",
    "tests/e2e/test_home.py",
    "tests/e2e/test_ladder_desk.py",
    "tests/e2e/test_ladder_looks.py",
    "tests/e2e/test_messages.py",
    "tests/e2e/test_podium.py",
    "tests/e2e/test_review.py",
    "tests/ladders/test_challenging.py",
    "tests/ladders/test_ladder_rules.py",
    "tests/biblios_site/test_proxy.py",
    "tests/ladders/test_standing.py",
    "tests/security/test_bounds.py",
    "tests/security/test_headers.py",
    "tests/biblios_site/test_backup.py",
    "tests/test_locks.py",
    "tests/test_run.py",
    "tests/test_style.py",
    "tests/test_walls.py",
]
"""What no database can change, or what starts its own."""
OK, NOTHING_COLLECTED = 0, 5


def pytest(*arguments: str, output: IO[bytes] | None = None, **environment: str) -> subprocess.Popen[bytes]:
    """The tests, being run in an environment."""
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.Popen(command, stdout=output, stderr=output, env={**os.environ, **environment})


def main(*arguments: str) -> int:
    ignored = [f"--ignore={path}" for path in ONCE]
    with ExitStack() as parts:
        reason, other, said = missing(), None, parts.enter_context(TemporaryFile())
        first, second = (parts.enter_context(TemporaryDirectory(prefix="biblios-")) for _run in range(2))
        if not reason:
            postgres, redis = parts.enter_context(Postgres(fsync=False)), parts.enter_context(Redis())
            real = {"BIBLIOS_DATA": second, "DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
            other = parts.enter_context(pytest(*ignored, *arguments, output=said, **real))
        print("== SQLite, in one process", flush=True)
        codes = [pytest(*arguments, BIBLIOS_DATA=first, DATABASE_URL="", REDIS_URL="").wait()]
        if other is None:
            print(f"== Not tried on PostgreSQL and Redis. {reason}", flush=True)
            codes.append(1 if os.environ.get("CI") else OK)
        else:
            codes.append(other.wait())
            print("== PostgreSQL and Redis", flush=True)
            said.seek(0)
            shutil.copyfileobj(said, sys.stdout.buffer)
            sys.stdout.flush()
    if NOTHING_COLLECTED in codes and OK in codes:
        codes.remove(NOTHING_COLLECTED)
    return max(codes)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
