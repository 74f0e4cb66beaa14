"""No word of a title stands outside its own folders: everything else goes through `Game` and `Face`."""

import re
from pathlib import Path

import pytest

from tests.reading import text

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent
SLUGS = ("biblios", "exlibris")
OWN = (
    *(f"{room}/{slug}" for room in ("games/engine", "games/faces", "templates/board", "static") for slug in SLUGS),
    *("static/img", "games/migrations", "accounts/migrations"),
)
"""The folders of the titles; pictures, and what the database once looked like."""
WORDS = re.compile(
    r"(?<![\w-])(dice|die|auctions?|gold|gifts?|bids?|bidding|bidders?|church|bishop|scriptorium|monks?|pigments?|"
    r"manuscripts?|tomes?|bluffs?|penalty|lots|scribes?|rulebook|canon|data-cat|MPHSF)(?![\w-])",
    re.IGNORECASE,
)
SLUG = re.compile(r"biblios|ex ?libris", re.IGNORECASE)
NAMED = {
    r"biblios_site|BIBLIOS_[A-Z]+": "the package that joins all, and its settings",
    r"biblios\.sqlite3": "the file of the database",
    r"\"biblios_[a-z_]+\"|CHANNEL = \"biblios\"|\"biblios\.[a-z]+\"": "what others than people read: measures, cookies",
    r'"biblios", "exlibris"': "names that nobody may take",
}
"""Where the name of a title stands that is none, and why."""
REGISTRIES = ("games/engine/registry.py", "games/faces/registry.py")
"""The two files that say which titles there are."""


def files():
    """The texts of the site, but for those of the title itself."""
    for folder in ("accounts", "biblios_site", "games", "static", "templates"):
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in (".py", ".html", ".jinja", ".txt", ".js", ".css") and not name.startswith(OWN):
                yield name, path.read_text()


def betrays(name, line):
    """Whether a line of a file speaks of the title."""
    for named in NAMED:
        line = re.sub(named, "", line)
    return bool(WORDS.search(line) or (SLUG.search(line) and name not in REGISTRIES))


def test_no_word_of_a_title_stands_outside_its_folders():
    found = [
        f"{name}:{number}: {line.strip()[:120]}"
        for name, text in files()
        for number, line in enumerate(text.splitlines(), 1)
        if betrays(name, line)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line", ["the highest bid", '<b data-cat="M">', 'if game == "biblios":', "a Church card", "Ex Libris", "· Biblios"]
)
def test_a_word_of_a_title_is_found(line):
    assert betrays("templates/any.html", line)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/watch", "/clubs", "/leaders", "/sign-up", "/sign-in", "/account/forgot", "/log", "/nowhere"]
)
def test_a_page_for_all_titles_shows_no_word_of_one_and_names_all_or_none(client, address):
    said = text(client.get(address).content.decode())
    assert not WORDS.findall(said)
    assert len({found.lower() for found in SLUG.findall(said)}) in (0, len(SLUGS))
