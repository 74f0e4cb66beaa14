from zlib import crc32

from accounts.names import folded


def avatar(name: str) -> tuple[str, str]:
    """The letter and the pattern class (p1 to p4) that stand for a name at the table."""
    return name[:1].upper(), f"p{crc32(folded(name).encode()) % 4 + 1}"
