"""The scripts of the pages: their types, and what of them runs without a page (`tests/js`).

morph.js and live.js are about elements: tests/e2e/test_morph.py tries them in a browser.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.components import do_without

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent


def run(program: str, *arguments) -> None:
    """Run a program of Debian's packages in the folder of the project; it must find nothing wrong."""
    do_without("" if shutil.which(program) else f"{program} is missing: the scripts were not checked by it")
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_their_types_fit():
    run("tsc", "--project", ".")


@pytest.mark.parametrize("path", sorted(ROOT.glob("tests/js/*.test.js")), ids=lambda path: path.name)
def test_they_do_what_they_should(path):
    run("node", "--test", path)
