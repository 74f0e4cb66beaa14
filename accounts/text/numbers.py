"""Numbers as people read them: one convention for pages, sentences and scripts, in the digits of the language.

`install` makes Django keep to it. In templates `{{ n }}` is a number for people, `{{ n|unlocalize }}` one for programs;
a number that is put into a translated sentence has the digits of its language. Whatever else is shown asks for its
text here. Ids, addresses, values of forms, files and records keep ASCII digits. Scripts do the same in
static/js/numbers.js.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, lru_cache
from typing import Any, NamedTuple

from django.utils import formats
from django.utils.translation import get_language, trans_real

MINUS = "\u2212"
PERCENT = {"en": "%s%%", "fa": "%s\u066a"}
"""How a language writes a percentage; all others put a space before the sign, at which no line breaks."""
POINT = {"fa": "\u066b"}
"""Decimal signs for which Django has another one."""
MARK = {"fa": "\u200e"}
"""What stands before a sign, so that it stays to the left of its number among words from right to left."""
DIGITS = {"fa": "۰۱۲۳۴۵۶۷۸۹"}
"""Languages with digits of their own."""


class Signs(NamedTuple):
    """How a language writes numbers."""

    digits: dict[int, str]
    """From ASCII digits, as `str.translate` takes them; empty for most languages."""
    point: str
    minus: str
    plus: str
    percent: str


@cache
def signs(language: str) -> Signs:
    """How a language writes numbers; English is written for an unknown one."""
    base = language.partition("-")[0]
    mark = MARK.get(base, "")
    return Signs(
        dict(zip(range(ord("0"), ord("9") + 1), DIGITS.get(base, ""), strict=False)),
        POINT.get(base) or formats.get_format("DECIMAL_SEPARATOR", language or "en"),
        mark + MINUS,
        mark + "+",
        PERCENT.get(base, "%s\u00a0%%"),
    )


def number(value: float | Decimal, most: int = 0, language: str = "") -> str:
    """A number, rounded to at most so many decimals: 12, −3, 1.5. Thousands stand together."""
    return _number(value, most, language or get_language() or "en")


def signed(value: float | Decimal, most: int = 0, language: str = "") -> str:
    """A change: with its sign, unless it is 0."""
    language = language or get_language() or "en"
    text = _number(value, most, language)
    return signs(language).plus + text if value > 0 and _number(0, 0, language) != text else text


def percent(value: float | Decimal, most: int = 0, language: str = "") -> str:
    """A number of percent with its sign: 12%, or 12 % where the language wants a space."""
    language = language or get_language() or "en"
    return signs(language).percent % _number(value, most, language)


def clock(ms: int, language: str = "") -> str:
    """Milliseconds on a clock, rounded up to seconds: 7:05, 1:02:09."""
    seconds = max(0, -(-ms // 1000))
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    return digits(f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}", language)


def digits(text: str, language: str = "") -> str:
    """A text without names, such as a day or the value of a card, with the digits of the language."""
    own = signs(language or get_language() or "en").digits
    return str(text).translate(own) if own else text


class Sentence(str):
    """A sentence of a language with digits of its own: numbers that are put in by `%` have them."""

    __slots__ = ()

    def __mod__(self, values: Any) -> str:
        text = re.sub(r"(%(?:\(\w+\))?)d", r"\1s", self)
        if isinstance(values, Mapping):
            return text % {name: shown(value) for name, value in values.items()}
        return text % (tuple(map(shown, values)) if isinstance(values, tuple) else shown(values))


def shown(value: Any) -> Any:
    """A number as people read it; anything else as it is."""
    return number(value, 2) if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool) else value


class Translation(trans_real.DjangoTranslation):
    """A catalogue of Django's, with numbers in the digits of its language."""

    def gettext(self, message: str) -> str:
        return self._said(super().gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._said(super().ngettext(msgid1, msgid2, n))

    def _said(self, text: str) -> str:
        return Sentence(text) if signs(self.language()).digits else text


def install() -> None:
    """From now on Django writes numbers for people like this: `{{ n }}`, `floatformat`, sentences."""
    # It has no setting for digits. Whatever of Django's is for programs asks for no localization.
    django = formats.number_format

    def number_format(
        value: Any, decimal_pos: int | None = None, use_l10n: bool | None = None, force_grouping: bool = False
    ) -> str:
        text = str(django(value, decimal_pos, use_l10n, force_grouping))
        return text if use_l10n is False else _written(text, get_language() or "en")

    formats.number_format = number_format
    trans_real.DjangoTranslation = Translation  # type: ignore[misc]


def _written(text: str, language: str) -> str:
    """A number as Django writes it in a language."""
    own = signs(language)
    if own.digits:
        text = text.translate(own.digits).replace(formats.get_format("DECIMAL_SEPARATOR", language), own.point)
    return own.minus + text[1:] if text[:1] == "-" else text


@lru_cache(maxsize=8192)
def _number(value: float | Decimal, most: int, language: str) -> str:
    own = signs(language)
    if isinstance(value, int):
        text = str(int(value))
    else:
        text = f"{Decimal(str(value)).quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP) + 0:f}"
        text = (text.rstrip("0").rstrip(".") if most else text).replace(".", own.point)
    if own.digits:
        text = text.translate(own.digits)
    if text[0] != "-":
        return text
    return own.minus + text[1:]
