from zlib import crc32

from accounts.names import folded


def avatar(name: str) -> tuple[str, str]:
    """The letter and the pattern class (pattern-1 to pattern-4) that stand for a name at the table."""
    return name[:1].upper(), f"pattern-{crc32(folded(name).encode()) % 4 + 1}"
