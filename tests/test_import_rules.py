"""The floors of the house: an import goes down, never up, and no two packages import each other."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent
FLOORS = [
    {"biblios_site"},
    {"games"},
    {"games.feeds"},
    {"games.clubs", "games.transparency"},
    {"games.tournaments", "games.hands"},
    {"games.calendar", "games.board"},
    {"games.ladders"},
    {"games.deck"},
    {"games.lobby", "games.review"},
    {"games.analysis"},
    {"games.table"},
    {"games.faces"},
    {"games.matches"},
    {"games.hub"},
    {"accounts", "games.engine"},
]
"""From the top floor down. `games` itself is its wiring: the modules at its root, commands, template tags."""
WIRING = {"management", "migrations", "templatetags"}
SOURCES = [
    path
    for top in ("accounts", "biblios_site", "games")
    for path in sorted((ROOT / top).rglob("*.py"))
    if "migrations" not in path.parts
]
ENGINE = [path for path in SOURCES if path.is_relative_to(ROOT / "games" / "engine")]


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_name(path) for path in SOURCES}


@cache
def imports(path):
    """The full names of the modules that a file imports, wherever in it."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} imports by a relative name"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [name if name in MODULES else node.module for name in names]
    return found


def room(name):
    """The room in which a module stands; None for what is not the site's own."""
    parts = name.split(".")
    if parts[0] == "games":
        deeper = len(parts) > 1 and parts[1] not in WIRING and (ROOT / "games" / parts[1]).is_dir()
        return f"games.{parts[1]}" if deeper else "games"
    return parts[0] if parts[0] in ("accounts", "biblios_site") else None


def floor(name):
    return next(number for number, rooms in enumerate(FLOORS) if room(name) in rooms)


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_an_import_goes_to_the_same_room_or_to_a_lower_floor(path):
    here = module_name(path)
    ours = [name for name in imports(path) if room(name)]
    assert [name for name in ours if room(name) != room(here) and floor(name) <= floor(here)] == []


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "accounts").rglob("*.py")), ids=lambda path: path.stem)
def test_the_tests_of_accounts_know_no_game(path):
    assert [name for name in imports(path) if name.split(".")[0] == "games"] == []


def assert_no_circle(graph):
    """`graph`: by name, the names that it imports."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


def test_no_two_packages_import_each_other():
    arrows = {}
    for path in SOURCES:
        here = module_name(path).rpartition(".")[0]
        for name in imports(path):
            there = name if name in MODULES and (ROOT / name.replace(".", "/")).is_dir() else name.rpartition(".")[0]
            if room(name) and there != here:
                arrows.setdefault(here, set()).add(there)
    # A package may be asked for by those inside it, and may ask for them.
    inside = {(a, b) for a in arrows for b in arrows[a] if a.startswith(f"{b}.") or b.startswith(f"{a}.")}
    graph = {a: {b for b in arrows[a] if (a, b) not in inside} for a in arrows}
    assert_no_circle(graph)


def test_no_modules_import_each_other_in_a_circle():
    """Imports inside functions, and those for types only, count too."""
    graph = {module_name(path): MODULES.intersection(imports(path)) for path in SOURCES}
    assert_no_circle(graph)


def test_a_circle_by_an_import_inside_a_function_is_found(tmp_path):
    path = tmp_path / "view.py"
    path.write_text("def sample():\n    from games.engine.biblios.rules import Position\n")
    graph = {"view": set(imports(path)), "games.engine.biblios.rules": {"view"}}
    with pytest.raises(pytest.fail.Exception, match=r"view -> games\.engine\.biblios\.rules -> view|rules -> view -> "):
        assert_no_circle(graph)


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_the_site_imports_neither_tools_nor_tests(path):
    assert [name for name in imports(path) if name.split(".")[0] in ("tools", "tests")] == []


def test_the_root_of_games_is_wiring_only():
    assert len(list((ROOT / "games").glob("*.py"))) <= 11  # ten modules, and __init__


@pytest.mark.parametrize("path", ENGINE, ids=module_name)
def test_the_engine_imports_only_the_standard_library_and_itself(path):
    foreign = [
        name
        for name in imports(path)
        if room(name) != "games.engine" and name.partition(".")[0] not in sys.stdlib_module_names
    ]
    assert foreign == []


def test_a_fresh_process_with_the_whole_engine_has_no_django():
    names = [module_name(path) for path in ENGINE]
    code = (
        "import importlib, sys\n"
        f"for name in {names}: importlib.import_module(name)\n"
        "print([name for name in sys.modules if name.partition('.')[0] in ('django', 'channels', 'accounts')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def title_of(name):
    """The title whose rules or face a module is part of; empty for all else."""
    parts = name.split(".")
    return parts[2] if parts[:2] in (["games", "engine"], ["games", "faces"]) and len(parts) > 3 else ""


def test_no_two_classes_have_the_same_name():
    """What two titles both have, like a deal, has the same name in both."""
    classes = {}
    for path in SOURCES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name != "Command":  # Django finds commands by it
                classes.setdefault(node.name, []).append(module_name(path))
    titles = {name: [title_of(module) for module in modules] for name, modules in classes.items()}
    shared = {name for name, of in titles.items() if len(of) > 1 and ("" in of or len(of) > len(set(of)))}
    assert {name: classes[name] for name in shared} == {}
