"""Runs the tests twice: on SQLite in one process, then on PostgreSQL and Redis what touches a database or a socket.

Arguments go to pytest in both runs. Where PostgreSQL or Redis is not installed, the second run is left out, which is
said; with CI=true in the environment that is a failure.
"""

import os
import subprocess
import sys

from tests.components import Postgres, Redis, missing

ONCE = [
    "tests/engine",
    "tests/biblios_site/test_deployment.py",
    "tests/e2e/test_every_page.py",
    "tests/e2e/test_guide.py",
    "tests/e2e/test_home.py",
    "tests/e2e/test_messages.py",
    "tests/e2e/test_review.py",
    "tests/games/test_proxy.py",
    "tests/security/test_bounds.py",
    "tests/security/test_headers.py",
    "tests/test_backup.py",
    "tests/test_locks.py",
    "tests/test_run.py",
    "tests/test_style.py",
    "tests/test_walls.py",
]
"""What no database can change, or what starts its own."""
OK, INTERRUPTED, NOTHING_COLLECTED = 0, 2, 5


def run(title: str, *arguments: str, **environment: str) -> int:
    """pytest's exit code; that nothing was chosen is no fault of one run."""
    print(f"== {title}", flush=True)
    return subprocess.call([sys.executable, "-m", "pytest", *arguments], env={**os.environ, **environment})


def main(*arguments: str) -> int:
    codes = [run("SQLite, in one process", *arguments, DATABASE_URL="", REDIS_URL="")]
    if codes == [INTERRUPTED]:
        return INTERRUPTED
    if reason := missing():
        print(f"== Not tried on PostgreSQL and Redis. {reason}", flush=True)
        codes.append(1 if os.environ.get("CI") else OK)
    else:
        with Postgres(fsync=False) as postgres, Redis() as redis:
            ignored = [f"--ignore={path}" for path in ONCE]
            codes.append(
                run("PostgreSQL and Redis", *ignored, *arguments, DATABASE_URL=postgres.url, REDIS_URL=redis.url)
            )
    if NOTHING_COLLECTED in codes and OK in codes:
        codes.remove(NOTHING_COLLECTED)
    return max(codes)


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
