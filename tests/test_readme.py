"""What the README says can be done: its Python runs, its commands take these options, its files are there."""

import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"\./run manage (\w+)([^`#\n]*)", README)
MODULES = re.findall(r"python -m ([\w.]+)", README)
FILES = sorted(set(re.findall(r"(?<![\w/.-])[\w/-]+\.(?:py|js|json|md|yml)\b", README)))

pytestmark = pytest.mark.once


def test_it_names_what_is_tried_here():
    assert EXAMPLES and COMMANDS and MODULES and FILES


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example):
    exec(example, {})


@pytest.mark.parametrize(("command", "arguments"), COMMANDS)
def test_a_command_takes_these_arguments(command, arguments):
    parser = load_command_class(get_commands()[command], command).create_parser("manage.py", command)
    assert parser.parse_args(shlex.split(arguments))


@pytest.mark.parametrize("module", MODULES)
def test_a_module_to_run_is_there(module):
    assert find_spec(module)


@pytest.mark.parametrize("file", FILES)
def test_a_file_is_there(file):
    """By its path, by its path below games/, or by its name where the sentence says in which folder."""
    assert (ROOT / file).is_file() or any((ROOT / "games").rglob(file))
