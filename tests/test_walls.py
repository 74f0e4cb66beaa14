import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ENGINE = sorted((ROOT / "games" / "engine").rglob("*.py"))
ACCOUNTS = sorted((ROOT / "accounts").rglob("*.py"))


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path):
    """The full names of the modules that a file imports, wherever in it."""
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package.pop()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join(above + ([node.module] if node.module else []))
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def within(name, package):
    return name == package or name.startswith(package + ".")


@pytest.mark.parametrize("path", ACCOUNTS, ids=module_name)
def test_accounts_never_imports_games(path):
    assert not [name for name in imports(path) if within(name, "games")]


@pytest.mark.parametrize("path", ENGINE, ids=module_name)
def test_the_engine_imports_only_the_standard_library_and_itself(path):
    foreign = [
        name
        for name in imports(path)
        if not within(name, "games.engine") and name.partition(".")[0] not in sys.stdlib_module_names
    ]
    assert not foreign


def test_a_fresh_process_with_the_whole_engine_has_no_django():
    names = [module_name(path) for path in ENGINE]
    code = (
        "import importlib, sys\n"
        f"for name in {names}: importlib.import_module(name)\n"
        "print([name for name in sys.modules if name.partition('.')[0] in ('django', 'channels', 'accounts')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
