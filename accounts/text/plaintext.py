"""The characters that people may write to each other."""

JOINERS = "\u200c\u200d"
"""They are not seen, but Persian and the scripts of India need them between letters."""


def shown(sign: str) -> bool:
    """Whether a character is part of a text that others read: controls, and what turns its direction, are not."""
    return sign.isprintable() or sign in JOINERS


def lines(text: str) -> str:
    """A text of several lines as it is kept: what is no part of it is left out, and so are spaces at ends of lines."""
    text = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return "".join(sign for sign in text if shown(sign) or sign == "\n").strip()
