"""The characters that people may write to each other."""

JOINERS = "\u200c\u200d"
"""They are not seen, but Persian and the scripts of India need them between letters."""


def shown(sign: str) -> bool:
    """Whether a character is part of a text that others read: controls, and what turns its direction, are not."""
    return sign.isprintable() or sign in JOINERS
