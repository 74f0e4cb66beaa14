"""Which user names are allowed, and which are the same."""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SHAPE = re.compile(r"[^\W\d_][\w-]{1,19}")
RESERVED = ("guest-", "closed-", "bot-")
"""Prefixes of the names that the site gives itself."""
ALIKE = {"LATIN", "CYRILLIC", "GREEK"}
"""Alphabets with letters that look the same."""


def normal(name: str) -> str:
    """The name as it is stored: one spelling for what looks the same."""
    return unicodedata.normalize("NFKC", name.strip())


def folded(name: str) -> str:
    """The name folded to one case."""
    return normal(name).casefold()


def validate(name: str) -> None:
    """Raises ValidationError if nobody may choose this name. Expects it normalised."""
    if not SHAPE.fullmatch(name):
        raise ValidationError(
            _("Please use 2 to 20 letters, digits, hyphens or underscores, the first a letter."), code="shape"
        )
    if folded(name).startswith(RESERVED):
        raise ValidationError(_("Names that begin like this are given by the site. Please choose another."), "reserved")
    if len({unicodedata.name(sign, "").split(" ")[0] for sign in name if sign.isalpha()} & ALIKE) > 1:
        raise ValidationError(_("Please keep to one alphabet, so that names cannot be mistaken."), "alike")
