"""Texts that look like others, by Unicode Technical Standard 39 (Security Mechanisms), from the data in ICU."""

import icu

CHECKS = icu.USpoofChecks
ALPHABETS = CHECKS.RESTRICTION_LEVEL
"""Letters of several scripts, more than the level *Highly Restrictive* lets stand together (section 5.2)."""
DIGITS = CHECKS.MIXED_NUMBERS
"""Digits of several scripts (section 5.3)."""

checker = icu.SpoofChecker()
checker.setChecks(ALPHABETS | DIGITS)
checker.setRestrictionLevel(icu.URestrictionLevel.HIGHLY_RESTRICTIVE)
everyday = checker.getRecommendedUnicodeSet()
"""Characters in everyday use: those with Identifier_Status=Allowed (section 3), but for signs between letters.

What nobody sees (Default_Ignorable_Code_Point) is not among them.
"""


def mixed(text: str) -> int:
    """What is mixed in a text: ALPHABETS, DIGITS, both, or 0."""
    found: int = checker.check(text.replace("-", ""))
    return found


def unusual(text: str) -> str:
    """The first character that is in no everyday use; empty if there is none. Hyphens may stand anywhere."""
    return next((sign for sign in text if sign != "-" and not everyday.contains(sign)), "")


def skeleton(text: str) -> str:
    """A text that is equal for texts that look the same in some case (section 4). It is not for showing."""
    # Once more, since a small letter may look like others than the capital did.
    for _ in range(2):
        text = checker.getSkeleton(0, text).casefold()
    # A capital i looks like a small L, and is the same letter as a small i.
    return text.replace("l", "i")
