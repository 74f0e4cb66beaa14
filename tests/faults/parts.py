"""The parts of a whole site, each in processes of its own, any of which can be killed and started again."""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from tests.components import Component, Postgres, Redis
from tests.prepared import cluster, fill

MANAGE = Path(__file__).resolve().parents[2] / "manage.py"


class Python(Component):
    """A command of manage.py."""

    def __init__(self, environment: dict[str, str], *arguments: str):
        super().__init__()
        self.environment, self.arguments = environment, arguments

    def command(self) -> list:
        assignments = [f"{name}={value}" for name, value in self.environment.items()]
        return ["env", *assignments, sys.executable, MANAGE, *self.arguments]


class Web(Python):
    """A process that serves the site, without a worker."""

    def __init__(self, environment: dict[str, str]):
        super().__init__(environment, "serve", "--no-worker")
        self.arguments += ("--port", str(self.port))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True


class Worker(Python):
    """A process that does what has to happen without anybody asking."""

    def __init__(self, environment: dict[str, str]):
        super().__init__(environment, "worker")
        self.starts = 0

    def start(self) -> None:
        self.starts += 1
        super().start()

    def answers(self) -> bool:
        return self.log.count("is running") == self.starts


class Site:
    """PostgreSQL, Redis, two processes that serve, one worker."""

    def __init__(self, stack: ExitStack, folder: Path):
        self.postgres, self.redis = stack.enter_context(Postgres(like=cluster())), stack.enter_context(Redis())
        self.environment = {
            "BIBLIOS_DATA": str(folder),
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": self.redis.url,
            "BIBLIOS_NEWCOMERS": "1000000",
            "BIBLIOS_MESSAGES": "1000000",
        }
        fill(folder)
        self.manage("prepare")
        self.webs = [stack.enter_context(Web(self.environment)) for _ in range(2)]
        self.worker = stack.enter_context(Worker(self.environment))

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py; what it said. Raises RuntimeError if it fails."""
        done = subprocess.run(
            Python(self.environment, *arguments).command(), stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(arguments)}:\n{done.stdout}{done.stderr}")
        return done.stdout
