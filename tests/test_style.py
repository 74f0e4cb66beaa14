import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "command", ["ruff format --check .", "ruff check .", pytest.param("mypy", marks=pytest.mark.slow)]
)
def test_the_code_passes(command):
    done = subprocess.run([sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*.*") if path.suffix in (".html", ".jinja"))
STYLES = sorted((ROOT / "static").rglob("*.css"))


@pytest.mark.parametrize("path", [*TEMPLATES, *STYLES], ids=lambda path: str(path.relative_to(ROOT)))
def test_lines_of_templates_and_styles_fit(path):
    assert [number for number, line in enumerate(path.read_text().splitlines(), 1) if len(line) > 160] == []


def classes(style: Path) -> set[str]:
    text = re.sub(r'/\*.*?\*/|"[^"]*"|url\([^)]*\)', "", style.read_text(), flags=re.S)
    return {name for selector in re.findall(r"([^{};]*)\{", text) for name in re.findall(r"\.([a-z][\w-]*)", selector)}


@cache
def used() -> set[str]:
    """All words in templates, scripts and the code of pages."""
    sources = [*TEMPLATES, *(ROOT / "static").rglob("*.js")]
    sources += [source for folder in ("games", "accounts") for source in (ROOT / folder).rglob("*.py")]
    words = {word for source in sources for word in re.findall(r"[a-z][\w-]*", source.read_text())}
    return words | {"errorlist"}  # Django draws it


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_each_class_of_a_style_is_made_of_words_and_stands_in_a_page(path):
    # with a number that the page knows
    drawn = re.compile(r"(option|rivals|marks|pattern|places?|seats|level|light)-\d+")
    names = classes(path)
    assert [name for name in names if name not in used() and not drawn.fullmatch(name)] == []
    assert [name for name in names for part in name.split("-") if not re.search(r"[aeiouy]|^\d+$", part)] == []
