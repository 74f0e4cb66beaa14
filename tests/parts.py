"""The parts of the tests, by where they stand: each is run by a process of its own, side by side with the others."""

from pathlib import Path

TESTS = Path(__file__).parent
PLACES = {
    "play": ("engine/", "faces/", "matches/", "table/", "review/", "lobby/", "toy/"),
    "clubs": ("clubs/", "ladders/", "tournaments/"),
    "security": ("security/",),
    "looks": ("e2e/test_every_page", "e2e/test_exlibris", "e2e/test_messages", "e2e/test_reach"),
    "browser": ("e2e/",),
    "faults": ("faults/", "drills/"),
}
"""How the paths of a part begin; the first that fits counts. `looks` is half of what is tried in a browser."""
PARTS = ("site", *PLACES)
"""`site` is what stands in no other part."""


def part_of(path: Path) -> str:
    """The part in which a file of tests stands."""
    place = path.relative_to(TESTS).as_posix()
    return next((part for part, beginnings in PLACES.items() if place.startswith(beginnings)), "site")
