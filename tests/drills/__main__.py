"""Loses the disk in the middle of play, restores what was backed up elsewhere, and says how much is lost.

    python -m tests.drills --seconds 20

PostgreSQL: a base backup, and pg_receivewal that keeps the log of writing on another disk. SQLite: `backup` again and
again. Somebody plays and notes when each answer was acknowledged; then the database is killed and its disk gone. N is
the age of the oldest acknowledged answer that the restored site does not have, 0 if it has all. Ends with 1 if a
restored site has a fault.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.components import Postgres, missing
from tests.prepared import cluster
from tests.security.attacks import outside
from tests.sites import ROOT

KEYS = "from games.models import Match; print(*(f'{m.key} {m.ply}' for m in Match.objects.all()), sep='\\n')"


def manage(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


class Play:
    """Somebody plays against bots, and notes when each answer was acknowledged."""

    def __init__(self, site: outside.Site):
        self.player = site.player("ann")
        self.noted: list[tuple[float, str, int]] = []
        """When, the key of the match, and its ply after the answer."""

    def go_on(self, until: float) -> None:
        while time.monotonic() < until:
            table = self.player.against_bots()
            for player, board in outside.questions(table, self.player):
                if player.play(table, board.offers[0]).status == 200:
                    ply = player.board(table).ply
                    self.noted.append((time.monotonic(), table.rpartition("/")[2], ply))
                if time.monotonic() > until:
                    break

    def lost_s(self, gone: float, environment: dict[str, str]) -> float:
        """N: how long before the end the oldest answer was acknowledged that is not there any more."""
        lines = manage(environment, "shell", "--no-imports", "-c", KEYS).splitlines()
        there = {key: int(ply) for key, ply in (line.split() for line in lines)}
        return max((gone - at for at, key, ply in self.noted if there.get(key, -1) < ply), default=0.0)


def tell(kind: str, play: Play, gone: float, environment: dict[str, str]) -> float:
    checked = manage(environment, "verifylogs").splitlines()
    if checked[-1] != "no fault":
        raise RuntimeError("\n".join(checked))
    lost = play.lost_s(gone, environment)
    print(f"{kind}: {len(play.noted)} answers acknowledged; N = {lost:.2f} s; verifylogs: {checked[0]}, no fault")
    return lost


def on_postgresql(folder: Path, seconds: float) -> float:
    """The disk of PostgreSQL is lost."""
    with Postgres(like=cluster()) as postgres:
        elsewhere = postgres.folder.with_name(postgres.folder.name + "-elsewhere")
        elsewhere.mkdir()
        if postgres.user:
            os.chown(elsewhere, postgres.user.pw_uid, postgres.user.pw_gid)
        at = ["--host=127.0.0.1", f"--port={postgres.port}", "--username=biblios"]
        receiver = None
        try:
            postgres.run("pg_receivewal", *at, "--slot=elsewhere", "--create-slot")
            (elsewhere / "wal").mkdir()
            if postgres.user:
                os.chown(elsewhere / "wal", postgres.user.pw_uid, postgres.user.pw_gid)
            receiver = subprocess.Popen(
                [postgres.programs / "pg_receivewal", *at, "--slot=elsewhere", f"--directory={elsewhere}/wal"],
                env={**os.environ, "PGPASSWORD": postgres.password},
                stderr=subprocess.DEVNULL,
                **postgres.identity(),
            )
            with outside.running(folder, DATABASE_URL=postgres.url) as site:
                play = Play(site)
                play.go_on(time.monotonic() + seconds / 2)
                postgres.run(
                    "pg_basebackup", *at, f"--pgdata={elsewhere}/base", "--wal-method=none", "--checkpoint=fast"
                )
                play.go_on(time.monotonic() + seconds / 2)
                postgres.kill()
                gone = time.monotonic()
                shutil.rmtree(postgres.data)
                receiver.terminate()
                receiver.wait()
            base = elsewhere / "base"
            (base / "recovery.signal").touch()
            for partial in (elsewhere / "wal").glob("*.partial"):
                partial.rename(partial.with_suffix(""))
            base.rename(postgres.data)
            postgres.settings["restore_command"] = f"cp {elsewhere}/wal/%f %p"
            postgres.start()
            return tell("PostgreSQL", play, gone, {"BIBLIOS_DATA": str(folder), "DATABASE_URL": postgres.url})
        finally:
            if receiver:
                receiver.kill()
                receiver.wait()
            shutil.rmtree(elsewhere)


def on_sqlite(folder: Path, seconds: float) -> float:
    """The folder of a site in one process is lost."""
    environment = {"BIBLIOS_DATA": str(folder / "site"), "DATABASE_URL": "", "REDIS_URL": ""}
    file = folder / "site.backup"
    with outside.running(folder / "site") as site:
        play = Play(site)
        play.go_on(time.monotonic() + seconds / 2)
        manage(environment, "backup", str(file))
        play.go_on(time.monotonic() + seconds / 2)
        gone = time.monotonic()
    shutil.rmtree(folder / "site")
    environment["BIBLIOS_DATA"] = str(folder / "again")
    manage(environment, "restore", str(file))
    return tell(f"SQLite, a backup {seconds / 2:.0f} s before", play, gone, environment)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drills", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="how long to play (default: %(default)s)")
    seconds = parser.parse_args().seconds
    if missing():
        sys.exit(missing())
    with tempfile.TemporaryDirectory(prefix="drills-") as folder:
        on_postgresql(Path(folder) / "postgresql", seconds)
        (Path(folder) / "sqlite").mkdir()
        on_sqlite(Path(folder) / "sqlite", seconds)


if __name__ == "__main__":
    main()
