"""Which names people and clubs may have, and which are the same or look it."""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.text import confusables

SHAPE = re.compile(r"[^\W\d_][\w-]{1,19}")
GIVEN = ("guest-", "closed-", "bot-")
"""How the names begin that the site gives itself."""
GAMES = "biblios", "exlibris"
"""What is played."""
OFFICES = (
    *("admin", "administrator", "steward", "moderator", "armarium", "sysop"),
    *("webmaster", "postmaster", "hostmaster", "админ", "администратор", "модератор", "管理员", "管理員"),
)
"""Who speaks for the site: names may not begin with these, nor may words in the names of clubs; names of people not
with GAMES either."""
RESERVED = (
    *("system", "support", "help", "helpdesk", "staff", "mod", "mods", "root", "official", "operator", "owner"),
    *("server", "security", "service", "abuse", "noreply", "bot", "guest", "closed"),
    *("everybody", "nobody", "anonymous"),
)
"""Words that would mislead: no name is one of these, and none has one of them or of OFFICES between its hyphens."""
LIKE_LETTERS = str.maketrans("34578", "eastb")
"""Digits written for letters; the skeleton has taken care of 0 and 1."""
SPEAKS_FOR_US = _("This name could be mistaken for the site itself. Please choose another.")
REPEATING = "々ゝゞーヽヾ"
"""Modifiers that are part of words. All others stand beside letters so small that they are not seen."""
POINTS = " -_'’‘\"“”„«».,:;!?¡¿()[]/&+#*–—·…"
"""What may stand between the letters in the name of a club."""


def normal(name: str) -> str:
    """The name as it is stored: one spelling for what looks the same."""
    return unicodedata.normalize("NFKC", name.strip())


def folded(name: str) -> str:
    """The name folded to one case."""
    return normal(name).casefold()


def skeleton(name: str) -> str:
    """What is equal for names that look the same."""
    return confusables.skeleton(normal(name))


def skeleton_of_club(name: str) -> str:
    """What is equal for names of clubs that look the same, whatever stands between their letters."""
    return "".join(sign for sign in skeleton(name) if sign.isalnum() or unicodedata.combining(sign))


def validate(name: str) -> None:
    """Raises ValidationError if nobody may choose this name. Expects it normalised."""
    if not SHAPE.fullmatch(name):
        raise ValidationError(
            _("Use 2 to 20 letters, digits, hyphens or underscores, starting with a letter."), code="shape"
        )
    validate_letters(name)
    if skeleton(name).startswith(_GIVEN):
        raise ValidationError(_("Names that start like this are reserved. Please choose another."), "reserved")
    if official(name):
        raise ValidationError(SPEAKS_FOR_US, "reserved")


def validate_club(name: str) -> None:
    """Raises ValidationError if no club may have this name. Expects it normalised."""
    validate_words(name)
    if plain(name) in _WORDS or all(speaks(plain(word)) for word in name.split()) or holds_office(name):
        raise ValidationError(SPEAKS_FOR_US, "reserved")


def holds_office(name: str) -> bool:
    """Whether a word of a club's name is an office of the site, also after a hyphen or a capital. What is played there
    is none: clubs are named after it."""
    words = re.split(rf"[\s{re.escape(POINTS)}]+|(?<=[a-z])(?=[A-Z])", name)
    return any(plain(word).startswith(_SITE) for word in words)


def validate_words(name: str) -> None:
    """Raises ValidationError for a name of several words that is not seen, or not as it is written: see
    `validate_letters`. Expects it normalised."""
    validate_letters("".join(sign for sign in name if sign not in POINTS))
    if not skeleton_of_club(name):
        raise ValidationError(_("The name needs letters or digits."), "shape")


def validate_letters(name: str) -> None:
    """Raises ValidationError for letters that look like others or like nothing, and for mixed ones."""
    sign = confusables.unusual(name) or next((sign for sign in name if modifies(sign)), "")
    if sign:
        raise ValidationError(
            _("Please leave out %(sign)s (%(code)s). Names use everyday letters and digits."),
            "unusual",
            {"sign": sign, "code": f"U+{ord(sign):04X}"},
        )
    mixed = confusables.mixed(name)
    if mixed & confusables.ALPHABETS:
        raise ValidationError(_("Please use one alphabet only, so names can’t be confused."), "mixed")
    if mixed:
        raise ValidationError(_("Please use one kind of digits only, so names can’t be confused."), "mixed")


def modifies(sign: str) -> bool:
    """Whether a sign is a small letter beside another, and no part of a word."""
    return unicodedata.category(sign) == "Lm" and sign not in REPEATING


def official(name: str) -> bool:
    """Whether a name seems to speak for the site, with hyphens or capitals between its words."""
    if any(plain(word).startswith(_OFFICES) for word in re.split(r"(?<=[a-z])(?=[A-Z])", name)):
        return True
    return any(speaks(plain(word)) for word in (name, *re.split(r"[-_\d]+", name)))


def speaks(word: str) -> bool:
    """Whether a plain word seems to speak for the site."""
    return word.startswith(_OFFICES) or word in _WORDS


def plain(name: str) -> str:
    """The skeleton of a name without accents and what stands between its letters, and with letters for digits."""
    return "".join(sign for sign in skeleton(name) if sign.isalnum()).translate(LIKE_LETTERS)


_GIVEN = tuple(map(skeleton, GIVEN))
_SITE = tuple(map(plain, OFFICES))
_OFFICES = (*_SITE, *map(plain, GAMES))
_WORDS = {*_OFFICES, *map(plain, RESERVED)}
