"""Every benchmark runs, in its smallest form: what it measures is not asked here."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.player import outermost

pytestmark = [pytest.mark.once, pytest.mark.slow]

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
SMALL = "--start embedded --tables 1x2"
LOAD = f"{SMALL} --rounds 1 --rate 300 --thinking 0 --idle 2 --crowd 1x2 --answers 3"
RUNS = "idle connects saturation rate review evening"
"""All but `start`, with which two checkouts are compared."""
COMMANDS = {
    "analysis --games 1": "exlibris, 4 players",
    "board --games 1 --players 2": "random, 2 players",
    f"compare --before . {SMALL} --english --alternate 1 start": "start: first page, ms of CPU",
    "engine --rounds 1 --games 2": "exlibris, librarian players",
    "halves --halves 5 --pages 2": "the same address",
    f"load {LOAD} {RUNS}": "longest stall of the loop, ms",
    "losses --games 1 --pairs 1": "found",
    "luck --games 6": "s a game",
    "passwords --at-once 1 --at-least 0.1 --endless 0.1": "right without end",
    "peers.boardgameio --help": "bgio-postgres",
    "rounds --entrants 4 --rounds 1 --at-least 0.1": "round 1 begins",
    "sampling --games 2 --each 1 2": "each further one",
    "stalls --help": "milliseconds",
    "storm --tables 1x2 --storms 1 --first 0.2 --restart 0.2": "ms of CPU a socket",
}
"""What is run, and something that it prints at its end."""


def test_each_is_here():
    found = {
        ".".join(path.relative_to(FOLDER).with_suffix("").parts)
        for path in FOLDER.rglob("*.py")
        if "\ndef main(" in path.read_text()
    }
    assert found == {command.partition(" ")[0] for command in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.partition(" ")[0])
def test_it_runs(command):
    done = subprocess.run(
        [sys.executable, "-m", *f"tests.bench.{command}".split()], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert COMMANDS[command] in done.stdout


def test_outermost_elements_are_found_around_elements_without_an_end():
    message = '<p id="a"><input><svg><use href="#x"/></svg><wbr id="c"></p>text<!-- --><ol id="b"><li>1</li></ol>'
    assert [html[:9] for html in outermost(message)] == ['<p id="a"', '<ol id="b']
