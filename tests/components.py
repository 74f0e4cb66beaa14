"""Throw-away PostgreSQL and Redis for tests, from the programs that Debian's packages bring.

    with Postgres() as postgres, Redis() as redis:
        ...  # postgres.url, redis.url
        postgres.kill()
        postgres.start()

Each listens on a random port of the loopback and keeps its data in a temporary folder, which `close` removes.
"""

from __future__ import annotations

import os
import pwd
import secrets
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PATIENCE_S = 60
"""A server that is not there after this time will not come."""


def postgres_programs() -> Path | None:
    """The folder of the newest PostgreSQL of this machine."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if not found and (initdb := shutil.which("initdb")):
        found = [Path(initdb).resolve().parent]
    return max(found, key=lambda folder: int(folder.parent.name) if folder.parent.name.isdigit() else 0, default=None)


def missing() -> str:
    """A sentence about what has to be installed first; empty if nothing has."""
    packages = [] if postgres_programs() else ["postgresql"]
    if not shutil.which("redis-server"):
        packages.append("redis-server")
    return f"Not installed here (Debian's packages): {', '.join(packages)}." if packages else ""


def do_without(reason: str) -> None:
    """End a test for which something is not installed, for this reason, if there is one.

    It is skipped; where all checks have to run (CI=true), that is a failure.
    """
    if reason:
        import pytest  # the load run does without

        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


def free_port() -> int:
    """A port nobody uses, below those that the system gives to outgoing connections.

    From these it could take the port of a server that was killed, before it is started again.
    """
    while True:
        port = 10_000 + secrets.randbelow(20_000)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == pid:
            found.append(int(stat.parent.name))
    return found


class Component:
    """A server in a process of its own. `kill` and `start` may be called again and again; the data stay."""

    def __init__(self):
        self.port = free_port()
        self.password = secrets.token_hex(16)
        self.folder = Path(tempfile.mkdtemp(prefix=f"{type(self).__name__.lower()}-"))
        self.user = None
        self.process: subprocess.Popen | None = None

    @property
    def pid(self) -> int:
        """The id of its first process."""
        return self.process.pid

    @property
    def log(self) -> str:
        """What it has said so far."""
        return (self.folder / "log").read_text(errors="replace")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, **self.identity()
            )
        end = time.monotonic() + PATIENCE_S
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise RuntimeError(f"{type(self).__name__} does not start:\n{self.log}")
            time.sleep(0.02)

    def kill(self) -> None:
        """End all of its processes at once, as a power cut would, and wait until they are gone."""
        if not self.process:
            return
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGSTOP)  # it starts no more
            ends = []
            for pid in children(self.process.pid):
                try:
                    ends.append(os.pidfd_open(pid))
                except ProcessLookupError:
                    continue
                signal.pidfd_send_signal(ends[-1], signal.SIGKILL)
            self.process.kill()
            for end in ends:
                poller = select.poll()  # `select` takes no number above 1,023
                poller.register(end)
                poller.poll()
                os.close(end)
        self.process.wait()
        self.process = None

    def close(self) -> None:
        """End it and remove its data."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *fault):
        self.close()

    def identity(self) -> dict:
        """Who runs it, as arguments of Popen."""
        if not self.user:
            return {}
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}

    def command(self) -> list:
        raise NotImplementedError

    def answers(self) -> bool:
        raise NotImplementedError


class Postgres(Component):
    """PostgreSQL with one database, whose owner may create others.

    `fsync=False` is for tests that nothing interrupts; `like` is the folder of one that has ended, with whose data this
    one begins (`tests.prepared.cluster`); `settings` are those of postgresql.conf.
    """

    def __init__(self, *, fsync: bool = True, like: Path | None = None, **settings):
        super().__init__()
        self.programs = postgres_programs()
        self.like, self.settings = like, settings
        if not fsync:
            self.settings |= {
                "fsync": "off",
                "full_page_writes": "off",
                "synchronous_commit": "off",
                "autovacuum": "off",
            }
        if os.geteuid() == 0:
            # It refuses to run as root.
            names = {user.pw_name: user for user in pwd.getpwall()}
            self.user = names.get("postgres") or names["nobody"]
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)

    @property
    def url(self) -> str:
        return f"postgresql://biblios:{self.password}@127.0.0.1:{self.port}/biblios"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, program: str, *arguments) -> None:
        """Run one of PostgreSQL's own programs as its owner."""
        done = subprocess.run(
            [self.programs / program, *arguments],
            cwd=self.folder,
            env={**os.environ, "PGPASSWORD": self.password, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            **self.identity(),
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed:\n{done.stdout}{done.stderr}")

    def start(self) -> None:
        secret = self.folder / "password"
        if self.like and not self.data.exists():
            subprocess.run(["cp", "-a", self.like / "data", self.like / "password", self.folder], check=True)
            self.password = secret.read_text()
        new = not self.data.exists()
        if new:
            secret.write_text(self.password)
            options = ["--username=biblios", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
            self.run("initdb", f"--pgdata={self.data}", f"--pwfile={secret}", *options)
        super().start()
        if new:
            self.run("createdb", "--host=127.0.0.1", f"--port={self.port}", "--username=biblios", "biblios")

    def command(self) -> list:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "log_min_messages": "warning",
            **self.settings,
        }
        return [
            self.programs / "postgres",
            *("-D", self.data),
            *(part for name, value in settings.items() for part in ("-c", f"{name}={value}")),
        ]

    def answers(self) -> bool:
        # The line in which pg_ctl looks, too.
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return lines[:1] == [str(self.pid)] and lines[7:8] == ["ready   "]


class Redis(Component):
    """Redis that keeps nothing: what it held is lost when it ends."""

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def command(self) -> list:
        return [
            "redis-server",
            *("--bind", "127.0.0.1"),
            *("--port", str(self.port)),
            *("--requirepass", self.password),
            *("--save", ""),
            *("--appendonly", "no"),
            *("--dir", str(self.folder)),
        ]

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self.password}\r\n".encode())
                return connection.recv(3) == b"+OK"
        except OSError:
            return False
