"""Lists of people as somebody has them: with numbers, bullets, telephone numbers, mail addresses and columns."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

PART = re.compile(r'(?:"[^"]*"|[^,;])+')
"""What stands between commas and semicolons, but for those in quotes."""
COLUMNS = re.compile(r"\t|\||\s{2,}")
PROFILE = re.compile(r"(?:^|/)@/([^\s/?#]+)")
LONGEST_ADDRESS = 254
AROUND = "<>()[]\"'"


class Pasted(NamedTuple):
    """One person of a list."""

    text: str
    """As it is written."""
    name: str
    """The name in it; empty if there is none."""
    address: str
    """The mail address in it; empty if there is none."""


def entries(text: str) -> list[Pasted]:
    """The people in a text, one a line or separated by commas or semicolons.

    Names begin with a letter. Whatever else stands on a line is no person: its number, a bullet, a telephone number.
    """
    found: list[Pasted] = []
    for line in text.splitlines():
        parts = [part.strip() for part in PART.findall(line) if part.strip()]
        told = [part for part in parts if _has_letters(part)]
        for part in told or parts:
            found += _entries(part)
    return found


def _entries(part: str) -> Iterator[Pasted]:
    columns, addresses = [], []
    for column in COLUMNS.split(part):
        words = []
        for word in column.split():
            if profile := PROFILE.search(word):
                words.append(unquote(profile[1]))
            elif address := _address(word):
                addresses.append(address)
            else:
                words.append(word)
        if name := _name(words):
            columns.append(name)
    if columns or not addresses:
        yield Pasted(part, columns[0] if columns else part, addresses.pop(0) if addresses else "")
    for address in addresses:
        yield Pasted(address, "", address)


def _name(words: list[str]) -> str:
    """The words that hold letters, without a number, a bullet and other signs around them. Digits that belong to a word
    stay, so that no other person is meant."""
    text = " ".join(word for word in words if _has_letters(word))
    return re.sub(r"[^\w-]+$", "", re.sub(r"^\W*(?:\d+[.):]\W*)*", "", text))


def _has_letters(text: str) -> bool:
    return any(sign.isalpha() for sign in text)


def _address(word: str) -> str:
    """The mail address that a word is; empty if it is none."""
    address = word.strip(AROUND).removeprefix("mailto:")
    try:
        validate_email(address)
    except ValidationError:
        return ""
    return address if len(address) <= LONGEST_ADDRESS else ""
