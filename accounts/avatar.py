from zlib import crc32

from accounts.names import folded


def avatar(name: str) -> tuple[str, str]:
    """The letter and the class of the pattern (p1 to p4) by which a name is known at the table."""
    return name[:1].upper(), f"p{crc32(folded(name).encode()) % 4 + 1}"
