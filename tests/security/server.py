"""The site as a process of its own, to be treated badly by tests."""

import http.client
import os
import re
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path

from tests.prepared import fill

ROOT = Path(__file__).parent.parent.parent


@contextmanager
def running(folder, **environment):
    """The site with its data in this folder: gives its port, and the process."""
    fill(folder)
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--prepare", "--port", "0"],
        cwd=ROOT,
        env={**os.environ, "BIBLIOS_DATA": str(folder), "DATABASE_URL": "", "REDIS_URL": "", **environment},
        text=True,
        stdout=subprocess.PIPE,
    )
    try:
        yield int(re.search(r":(\d+)/", process.stdout.readline())[1]), process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def get(port, address, *, method="GET", **headers):
    """The answer to a request without a body."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, address, headers=headers)
        answer = connection.getresponse()
        return answer, answer.read().decode()
