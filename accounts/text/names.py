"""Which names people and clubs may have, and which are the same or look it."""

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.text import confusables

SHAPE = re.compile(r"[^\W\d_][\w-]{1,19}")
LONGEST_GUEST = 20
GUEST_SHAPE = re.compile(r"[^\W\d_](?:[\w .'’-]{0,18}[\w.])?")
"""Names of guests may have several words: nothing is made of them but what is shown."""
GIVEN = ("guest-", "closed-", "bot-")
"""How the names begin that the site gives itself."""
GAMES = "biblios", "exlibris"
"""What is played."""
OFFICES = (
    *("admin", "administrator", "steward", "moderator", "armarium", "sysop"),
    *("webmaster", "postmaster", "hostmaster", "админ", "администратор", "модератор", "管理员", "管理員"),
)
"""Who speaks for the site: no word of a name holds one of these, and none stands in words that are joined, from the
beginning of one or to the end of one. Names of people have no words that begin with GAMES either."""
ORDINARY = "badminton", "бадминтон", "Бадминтон", "padmini"
"""Words that hold one of OFFICES by chance."""
RESERVED = (
    *("system", "support", "help", "helpdesk", "staff", "mod", "mods", "root", "official", "operator", "owner"),
    *("site", "officials", "operators", "owners", "moderation", "management"),
    *("server", "security", "service", "abuse", "noreply", "bot", "guest", "closed"),
    *("everybody", "nobody", "anonymous"),
)
"""Words that would mislead: no name consists of these, with GAMES and BESIDE them or without; and names of people have
none between their hyphens and digits."""
BESIDE = "the", "this", "our", "your", "of", "and", "for", "team", "office", "desk", "group", "crew"
"""Words that say nothing by themselves."""
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


def validate_guest(name: str) -> None:
    """Raises ValidationError if no guest may be called this, whoever has an account. Expects it normalised."""
    if len(name) > LONGEST_GUEST:
        raise ValidationError(
            _("“%(name)s” is too long: use at most %(n)d letters."), "shape", {"name": name, "n": LONGEST_GUEST}
        )
    validate_letters("".join(sign for sign in name if sign not in POINTS))
    if not GUEST_SHAPE.fullmatch(name):
        raise ValidationError(
            _("Start with a letter; use only letters, digits, spaces, hyphens, apostrophes and full stops."),
            "shape",
        )
    if leads_elsewhere(name):
        raise ValidationError(_("This could be mistaken for an address. Please leave out the full stop."), "shape")
    if any(each.startswith(_GIVEN) for each in skeletons_of_guest(name)):
        raise ValidationError(_("Names that start like this are reserved. Please choose another."), "reserved")
    if official(name):
        raise ValidationError(SPEAKS_FOR_US, "reserved")


def skeletons_of_guest(name: str) -> set[str]:
    """The skeletons of all names of accounts that the name of a guest looks like, whatever stands between its words."""
    words = [word for word in re.split(r"[\s.'’_-]+", normal(name)) if word]
    return {skeleton(name), *(skeleton(between.join(words)) for between in ("", "-", "_"))}


def validate_club(name: str) -> None:
    """Raises ValidationError if no club may have this name. Expects it normalised."""
    validate_words(name)
    validate_claim(name)


def validate_claim(name: str) -> None:
    """Raises ValidationError for what a club calls itself, or something of its own, as if it were the site's. What is
    played there may be in it: clubs are named after it."""
    own = "".join(word for word in words(name) if word not in _GAMES)
    if holds_office(name) or plain(name) in _GAMES or _CLAIM.fullmatch(own):
        raise ValidationError(SPEAKS_FOR_US, "reserved")


def holds_office(name: str) -> bool:
    """Whether a word of a name holds an office of the site, or words that are joined do, from the beginning of one or
    to the end of one."""
    found = words(name)
    return any(office in _unlike(word) for word in found for office in _SITE) or any(
        "".join(found[: number + 1]).endswith(_SITE) or "".join(found[number:]).startswith(_SITE)
        for number in range(len(found))
    )


def words(name: str) -> list[str]:
    """The plain words of a name; a capital after a small letter begins one too."""
    found = re.split(rf"[\s{re.escape(POINTS)}]+|(?<=[a-z])(?=[A-Z])", name)
    return [word for word in map(plain, found) if word]


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


def leads_elsewhere(name: str) -> bool:
    """Whether a name could be taken for an address or a telephone number: mail programs make links of such."""
    return _ELSEWHERE.search(name) is not None


def modifies(sign: str) -> bool:
    """Whether a sign is a small letter beside another, and no part of a word."""
    return unicodedata.category(sign) == "Lm" and sign not in REPEATING


def official(name: str) -> bool:
    """Whether a person's name seems to speak for the site."""
    found = words(name)
    return (
        holds_office(name)
        or any("".join(found[number:]).startswith(_GAMES) for number in range(len(found)))
        or any(plain(part) in _WORDS for part in re.split(r"[-_\d]+", name))
        or _CLAIM.fullmatch(plain(name)) is not None
    )


def plain(name: str) -> str:
    """The skeleton of a name without accents and what stands between its letters, and with letters for digits."""
    return "".join(sign for sign in skeleton(name) if sign.isalnum()).translate(LIKE_LETTERS)


def _unlike(word: str) -> str:
    """A plain word without what holds an office by chance."""
    for ordinary in _ORDINARY:
        word = word.replace(ordinary, " ")
    return word


_GIVEN = tuple(map(skeleton, GIVEN))
_SITE = tuple(map(plain, OFFICES))
_ORDINARY = tuple(map(plain, ORDINARY))
_GAMES = tuple(map(plain, GAMES))
_WORDS = set(map(plain, RESERVED))
_ELSEWHERE = re.compile(r"[/:@]|\w[.·]\w|\d(?:[\s().+-]*\d){4}")
_ANY = "|".join(map(plain, (*RESERVED, *BESIDE)))
_CLAIM = re.compile(f"(?:{_ANY})*(?:{'|'.join(_WORDS)})(?:{_ANY})*")
"""A plain name that consists of RESERVED and BESIDE."""
