"""The language of what is being drawn, looked up once: asking Django for each word would cost more than the words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import lru_cache

from django.utils import translation

from accounts.text import numbers

_language: ContextVar[str | None] = ContextVar("language", default=None)


def language() -> str:
    """The code of the current language."""
    return _language.get() or translation.get_language() or ""


@contextmanager
def drawing(language: str | None = None) -> Iterator[str]:
    """Draw in one language until the end of the block: by default the active one."""
    active = translation.get_language() or ""
    spoken = language or active
    token = _language.set(spoken)
    try:
        # For texts that were marked for translation beforehand.
        with translation.override(spoken) if spoken != active else nullcontext():
            yield spoken
    finally:
        _language.reset(token)


def _(message: str) -> str:
    """The message in the current language."""
    return _translated(_language.get() or translation.get_language() or "", message)


def N_(message: str) -> str:
    """A message in a table, marked for the catalogue; `_` says it in the language that is drawn."""
    return message


def ngettext(singular: str, plural: str, number: int) -> str:
    """The message in the form that fits a number."""
    return _plural(language(), singular, plural, number)


def number(value: int) -> str:
    """A whole number as it is read in the language that is drawn."""
    return _number(language(), value)


def signed(value: int) -> str:
    """A change as it is read in the language that is drawn: with its sign, unless it is 0."""
    return numbers.signed(value, 0, language())


def digits(text: str) -> str:
    """A text without names, such as the value of a card, with the digits of the language that is drawn."""
    return numbers.digits(text, language())


@lru_cache(maxsize=20000)
def _number(language: str, value: int) -> str:
    return numbers.number(value, 0, language)


@lru_cache(maxsize=20000)
def _translated(language: str, message: str) -> str:
    with translation.override(language):
        return translation.gettext(message)


@lru_cache(maxsize=20000)
def _plural(language: str, singular: str, plural: str, number: int) -> str:
    with translation.override(language):
        return translation.ngettext(singular, plural, number)
