"""Sites for tests that need several databases: each its own folder, or a database of PostgreSQL, and its commands."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


class Failed(Exception):
    """A command has ended with an error; the text is what it said."""


class Site:
    def __init__(self, folder: Path, url: str = ""):
        self.folder, self.url = folder, url
        folder.mkdir(exist_ok=True)

    def manage(self, *arguments) -> str:
        """What a command of manage.py writes. Raises Failed."""
        env = os.environ | {"BIBLIOS_DATA": str(self.folder), "DATABASE_URL": self.url, "REDIS_URL": ""}
        command = [sys.executable, "manage.py", *map(str, arguments)]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        if done.returncode:
            raise Failed(done.stdout + done.stderr)
        return done.stdout

    def empty(self) -> "Site":
        """The site with its tables and nothing in them."""
        self.manage("migrate", "-v0", "--skip-checks")
        return self
