"""Numbers have one convention in each language."""

from decimal import Decimal

import pytest
from django.template import Context, Template
from django.utils import translation
from django.utils.translation import gettext_lazy

from accounts.text import numbers

LRM = "\u200e"
LANGUAGES = {
    "en": ("12345", "−3", "1.5", "+7", "62.5%", "1:02:09"),
    "de": ("12345", "−3", "1,5", "+7", "62,5\u00a0%", "1:02:09"),
    "es": ("12345", "−3", "1,5", "+7", "62,5\u00a0%", "1:02:09"),
    "ru": ("12345", "−3", "1,5", "+7", "62,5\u00a0%", "1:02:09"),
    "fa": ("۱۲۳۴۵", f"{LRM}−۳", "۱٫۵", f"{LRM}+۷", "۶۲٫۵٪", "۱:۰۲:۰۹"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_is_written_as_the_language_does(language):
    with translation.override(language):
        found = (
            numbers.number(12345),
            numbers.number(-3),
            numbers.number(1.5, 1),
            numbers.signed(7),
            numbers.percent(62.5, 1),
            numbers.clock(3_728_001),
        )
    assert found == LANGUAGES[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_templates_write_numbers_in_the_same_way(language):
    whole, negative, fraction, *_ = LANGUAGES[language]
    template = Template("{{ a }} {{ b }} {{ c|floatformat }} {{ d|percent:1 }} {{ a|unlocalize }} {{ b|unlocalize }}")
    with translation.override(language):
        found = template.render(Context({"a": 12345, "b": -3, "c": 1.5, "d": 62.5}))
    assert found == f"{whole} {negative} {fraction} {LANGUAGES[language][4]} 12345 -3"


def test_a_number_has_no_more_decimals_than_it_needs():
    assert [numbers.number(value, 2) for value in (2.0, 1.25, 1.005, -0.001)] == ["2", "1.25", "1.01", "0"]
    assert numbers.number(Decimal("10.50"), 2) == "10.5"
    assert numbers.number(2.6) == "3" and numbers.number(100, 1) == "100"
    assert [numbers.signed(value) for value in (0, 3, -3, 0.2)] == ["0", "+3", "−3", "0"]


def test_a_clock_rounds_up():
    assert [numbers.clock(ms) for ms in (-1, 0, 1, 59_001, 600_000)] == ["0:00", "0:00", "0:01", "1:00", "10:00"]


def test_sentences_have_the_digits_of_their_language():
    lazy = gettext_lazy("%(n)d of %(all)s, %(name)s")
    values = {"n": 3, "all": -12, "name": "Ann7"}
    with translation.override("fa"):
        assert translation.gettext("%(n)d of %(all)s, %(name)s") % values == f"۳ of {LRM}−۱۲, Ann7"
        assert lazy % values == f"۳ of {LRM}−۱۲, Ann7"
        assert translation.ngettext("%d card", "%d cards", 2) % 2 == "۲ cards"
        told = Template(
            "{% load i18n %}{% blocktranslate count n=n %}{{ n }} card{% plural %}{{ n }} cards{% endblocktranslate %}"
        )
        assert told.render(Context({"n": 2})) == "۲ cards"
    assert lazy % values == "3 of -12, Ann7"
