import pytest
from django.core.exceptions import ValidationError

from accounts.avatar import letter_and_pattern
from accounts.names import folded, normal, validate


@pytest.mark.parametrize("name", ["Al", "Hildegard", "Ann_2", "jean-luc", "Ørsted", "سارا", "Мария", "x" * 20, "愛子"])
def test_these_names_may_be_chosen(name):
    validate(normal(name))


@pytest.mark.parametrize(
    "name",
    ["", "A", "x" * 21, "2fast", "_ann", "-ann", "ann bob", "ann@home", "ann/", "<b>", "an\u200bn", "ann\n", "Ⅷ."],
)
def test_these_have_the_wrong_shape(name):
    with pytest.raises(ValidationError, match="2 to 20 letters"):
        validate(name)


@pytest.mark.parametrize("name", ["guest-abc", "GUEST-1", "Closed-7", "bot-odo"])
def test_names_that_the_site_gives_are_taken(name):
    with pytest.raises(ValidationError, match="given by the site"):
        validate(name)


def test_letters_that_look_the_same_are_not_mixed():
    with pytest.raises(ValidationError, match="one alphabet"):
        validate("Аnn")  # a Cyrillic A


def test_what_looks_the_same_is_the_same_name():
    assert normal("  Ａｎｎ ") == "Ann"
    assert folded("STRASSE") == folded("Straße")


def test_an_avatar_follows_from_the_name_alone_in_any_case():
    assert letter_and_pattern("ann") == ("A", letter_and_pattern("ANN")[1])
    assert {letter_and_pattern(name)[1] for name in ["ann", "bob", "cho", "dan", "eve", "fay", "gil", "hal"]} == {
        "pattern-1",
        "pattern-2",
        "pattern-3",
        "pattern-4",
    }
