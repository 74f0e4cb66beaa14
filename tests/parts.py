"""The parts of the tests, by folder: each part is run by a process of its own, side by side with the others."""

from pathlib import Path

TESTS = Path(__file__).parent
FOLDERS = {
    "play": ("engine", "faces", "matches", "table", "review", "lobby", "toy"),
    "clubs": ("clubs", "ladders", "tournaments"),
    "security": ("security",),
    "browser": ("e2e",),
    "faults": ("faults", "drills"),
}
PARTS = ("site", *FOLDERS)
"""`site` is what stands in no other part."""


def part_of(path: Path) -> str:
    """The part in which a file of tests stands."""
    folder = path.relative_to(TESTS).parts[0]
    return next((part for part, folders in FOLDERS.items() if folder in folders), "site")
