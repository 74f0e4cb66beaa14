"""What the documents say is there: the README's Python runs, commands take these options, names in backticks exist."""

import re
import shlex
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve

ROOT = Path(__file__).parent.parent
PATHS = [*(ROOT / name for name in ("README.md", "SECURITY.md", "DECISIONS.md")), *sorted(ROOT.glob("docs/*.md"))]
DOCUMENTS = {path.name: path.read_text() for path in PATHS}
README = DOCUMENTS["README.md"]
ALL = "\n".join(DOCUMENTS.values())
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = sorted(set(re.findall(r"^    .*?(?:\./run manage|manage\.py) (\w+)([^#\n]*)", ALL, re.MULTILINE)))
MODULES = sorted(set(re.findall(r"python -m ([\w.]+)", ALL)))
FILES = sorted(set(re.findall(r"(?<![\w/.-])[\w/-]+\.(?:py|js|json|md|yml)\b", README)))

CODE = ["accounts", "biblios_site", "games", "static", "templates", "tools"]
BESIDE = ["run", "Caddyfile", "Dockerfile", "docker-compose.yml", "pyproject.toml"]
SUFFIXES = {".py", ".html", ".jinja", ".txt", ".js", ".css"}
# Names of other programs and standards, and a file that the reader makes.
ELSEWHERE = {
    *("HttpOnly", "Secure", "UID", "VACUUM", "genesis_time", "max_connections", "noeviction", "pg_basebackup"),
    *("play.example.org", "process_cpu_seconds_total", "process_resident_memory_bytes"),
    "biblios_site/locale/de/LC_MESSAGES/django.po",
}

pytestmark = pytest.mark.once


@cache
def sources():
    """Texts of the code by path, without tests."""
    inside = [path for folder in CODE for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    return {
        path.relative_to(ROOT).as_posix(): path.read_text() for path in [*inside, *(ROOT / name for name in BESIDE)]
    }


@cache
def words():
    found = {word for text in sources().values() for word in re.findall(r"\w+", text)}
    return found | {f"{word}_total" for word in found}  # what Prometheus calls a counter


@cache
def paths():
    """Those of the project, and all ends of them."""
    whole = [path.relative_to(ROOT) for folder in [*CODE, "tests"] for path in (ROOT / folder).rglob("*")]
    return {"/".join(path.parts[start:]) for path in whole for start in range(len(path.parts))}


def in_a_text(name):
    return any(name in text for text in sources().values())


def is_path(name):
    """By its path, by the end of it where the sentence says in which folder, or made under this name by the site."""
    made = "/" not in name.rstrip("/") and not name.endswith((".py", ".js", ".html", ".jinja", ".md"))
    return (ROOT / name).exists() or name.rstrip("/") in paths() or (made and in_a_text(name))


def is_address(name):
    address = name.rstrip("…").replace("KEY", "FM98JsqcdUPR").replace("CLUB", "st-gall").replace("TOKEN", "x" * 32)
    try:
        return bool(resolve(address))
    except Resolver404:
        return is_path(address.removeprefix("/")) or in_a_text(address)


def is_member(name):
    """A package, a module, or something of a module or a class of this name."""
    owner, member = name.split(".")[-2:]
    path = ROOT / name.replace(".", "/")
    return (
        path.is_dir()
        or path.with_suffix(".py").exists()
        or any(
            re.search(rf"\b{member}\b", text)
            for path, text in sources().items()
            if Path(path).stem == owner or re.search(rf"^class {owner}\b", text, re.MULTILINE)
        )
    )


def exists(name):
    if name in ELSEWHERE:
        return True
    if command := re.fullmatch(r"(?:\./run manage|manage\.py) (\w+).*", name):
        return command[1] in get_commands()
    if re.fullmatch(r"/[\w/.-]+…?", name):
        return is_address(name)
    if re.fullmatch(r"[\w-]+(/[\w.-]*)+|[\w-]+\.(py|js|json|html|jinja|md|pem|txt|yml)", name):
        return is_path(name)
    if re.fullmatch(r"\w+(\.\w+)+", name):
        return is_member(name)
    card = re.fullmatch(r"[A-Z]\d+[A-Z]?", name)
    return bool(card) or not re.fullmatch(r"[A-Za-z_]\w\w+", name) or name in words() or name in get_commands()


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


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_name_exists(document):
    prose = re.sub(r"^```.*?^```", "", DOCUMENTS[document], flags=re.MULTILINE | re.DOTALL)
    names = set(re.findall(r"`([^`\n]+)`", prose))
    assert [name for name in sorted(names) if not exists(name)] == []


def test_a_name_is_in_the_file_said():
    """Where a document says "`name` in `file`"."""
    said = re.findall(r"((?:`\w+`(?:, | and ))*`\w+`),? (?:in|of) `([\w/]+\.\w+)`", ALL)
    assert said
    for names, file in said:
        text = next(text for path, text in sources().items() if f"/{path}".endswith(f"/{file}"))
        assert [name for name in re.findall(r"`(\w+)`", names) if not re.search(rf"\b{name}\b", text)] == [], file


def anchors(text):
    """Of its headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", PATHS, ids=DOCUMENTS)
def test_a_link_leads_to_a_file_and_a_heading(path):
    for file, heading in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", path.read_text()):
        there = path.parent / file if file else path
        assert there.exists() and (not heading or heading in anchors(there.read_text())), (file, heading)


def test_the_index_of_decisions_has_them_all():
    index, *entries = re.split(r"^## (?=\d)", DOCUMENTS["DECISIONS.md"], flags=re.MULTILINE)
    numbers = [int(entry.split(".")[0]) for entry in entries]
    gone = [int(number) for number in re.findall(r"(\d+) \(", index.split("No longer there:")[1])]
    assert set(map(int, re.findall(r"^\[(\d+) ", index, re.MULTILINE))) == set(numbers)
    assert sorted(numbers + gone) == list(range(1, max(numbers) + 1))
