import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.once, pytest.mark.slow]

RUN = Path(__file__).parent.parent / "run"


def test_an_old_python_can_read_it_far_enough_to_find_a_newer_one():
    ast.parse(RUN.read_text(), feature_version=(3, 6))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project that needs no packages, and whose manage.py says how it was called."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(RUN, folder)
    (folder / "requirements.txt").touch()
    (folder / "manage.py").write_text("import sys\nprint(sys.prefix, *sys.argv)")
    return folder


def run(project, *arguments):
    return subprocess.run([sys.executable, project / "run", *arguments], capture_output=True, text=True)


def test_it_sets_up_once_and_again_when_the_lock_file_changes(project):
    first = run(project, "manage", "check", "--deploy")
    assert first.stdout.splitlines() == [
        "Installing requirements.txt ...",
        f"{project / '.venv'} manage.py check --deploy",
    ]
    assert run(project).stdout == f"{project / '.venv'} manage.py serve --prepare\n"
    assert run(project, "--port", "9").stdout == f"{project / '.venv'} manage.py serve --prepare --port 9\n"

    (project / "requirements.txt").write_text("# changed\n")
    assert run(project, "manage").stdout.startswith("Installing")


def test_it_stops_and_says_so_when_a_package_cannot_be_installed(project):
    (project / "requirements.txt").write_text("django==5.2\n")  # no hash
    done = run(project)
    assert done.returncode == 1
    assert "manage.py" not in done.stdout
    assert "requirements.txt could not be installed" in done.stderr


def test_help_is_its_own():
    done = subprocess.run([sys.executable, RUN, "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "./run test [pytest args]" in done.stdout
