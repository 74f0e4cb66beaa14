"""The square that stands for a player: a letter on a pattern."""

from functools import lru_cache
from zlib import crc32

from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.names import folded


def letter_and_pattern(name: str) -> tuple[str, str]:
    """The letter and the pattern class (pattern-1 to pattern-4) that stand for a name."""
    return name[:1].upper(), f"pattern-{crc32(folded(name).encode()) % 4 + 1}"


@lru_cache(maxsize=4000)
def avatar(name: str) -> SafeString:
    """The square of a player. The name itself must stand beside it."""
    letter, pattern = letter_and_pattern(name)
    return format_html('<span class="avatar {}" aria-hidden="true">{}</span>', pattern, letter)
