"""Sites for tests that need several databases: each its own folder, or a database of PostgreSQL, and its commands.

    with Site(folder) as site:
        site.manage("migrate")

Each command runs in a process of its own. That process is forked from one that has loaded the site already
(`python -m tests.sites`), because loading takes longer than most commands.
"""

import json
import os
import subprocess
import sys
import traceback
from io import StringIO
from pathlib import Path
from tempfile import TemporaryFile

import django
from django.core.management import call_command, execute_from_command_line

from tests.prepared import fill

ROOT = Path(__file__).parent.parent


class Failed(Exception):
    """A command has ended with an error; the text is what it said."""


class Site:
    def __init__(self, folder: Path, url: str = ""):
        self.folder, self.url = folder, url
        folder.mkdir(exist_ok=True)
        self.loaded = subprocess.Popen(
            [sys.executable, "-m", "tests.sites"],
            cwd=ROOT,
            env=os.environ | self.environment | {"DJANGO_SETTINGS_MODULE": "biblios_site.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @property
    def environment(self) -> dict[str, str]:
        return {"BIBLIOS_DATA": str(self.folder), "DATABASE_URL": self.url, "REDIS_URL": ""}

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *exception) -> None:
        self.loaded.communicate()

    def manage(self, *arguments) -> str:
        """What a command of manage.py writes. Raises Failed."""
        print(json.dumps([os.environ["PATH"], *map(str, arguments)]), file=self.loaded.stdin, flush=True)
        status, output, errors = json.loads(self.loaded.stdout.readline())
        if status:
            raise Failed(output + errors)
        return output

    def empty(self) -> "Site":
        """The site with its tables and nothing in them."""
        if self.url:
            self.manage("migrate", "-v0", "--skip-checks")
        else:
            fill(self.folder)
        return self


def forked(path: str, *arguments: str) -> tuple[int, str, str]:
    """Run a command in a fork of this process: its status, what it has written, and its errors."""
    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
        child = os.fork()
        if not child:
            os.environ["PATH"] = path
            os.dup2(output.fileno(), sys.stdout.fileno())
            os.dup2(errors.fileno(), sys.stderr.fileno())
            run("manage.py", *arguments)
        status = os.waitpid(child, 0)[1]
        output.seek(0)
        errors.seek(0)
        return status, output.read(), errors.read()


def run(*command: str) -> None:
    """Run a command and end this process as manage.py does."""
    status = 1
    try:
        execute_from_command_line(command)
        status = 0
    except SystemExit as ended:
        status = ended.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    django.setup()
    call_command("check", stdout=StringIO())  # it loads all modules
    for line in sys.stdin:
        print(json.dumps(forked(*json.loads(line))), flush=True)
