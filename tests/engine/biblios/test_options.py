"""Table options, presets, numbers of players."""

import pytest

from games.engine.core import BadOption, RulesError
from tests.engine.biblios.sitting import GAME

DEFAULTS = {
    "start_die": 3,
    "dual_church": "either",
    "default_on_purpose": True,
    "penalty": "transfer",
    "final_tie": "rulebook",
}
CHOICES = {
    "start_die": (3, 2, 1),
    "dual_church": ("either", "both"),
    "default_on_purpose": (True, False),
    "penalty": ("transfer", "discard", "honest"),
    "final_tie": ("rulebook", "totals", "first_won", "monks"),
}


def test_the_options_and_their_values_are_those_of_the_page():
    assert dict(GAME.choices) == CHOICES


def test_the_defaults_are_the_rulebook():
    assert GAME.options() == GAME.options({}) == GAME.preset("rulebook") == DEFAULTS


@pytest.mark.parametrize(
    ("preset", "differences"),
    [
        ("rulebook", {}),
        ("persian", {"final_tie": "totals"}),
        ("german", {"dual_church": "both", "default_on_purpose": False, "final_tie": "first_won"}),
        ("russian", {"default_on_purpose": False, "final_tie": "monks"}),
    ],
)
def test_each_preset_is_that_of_the_page(preset, differences):
    assert GAME.preset(preset) == DEFAULTS | differences
    assert GAME.start(2, bytes(32), GAME.preset(preset)).options == DEFAULTS | differences


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in CHOICES for value in CHOICES[name]])
def test_every_value_can_be_chosen_alone(name, value):
    assert GAME.start(3, bytes(32), {name: value}).options == DEFAULTS | {name: value}


def test_an_unknown_option_is_named_with_those_there_are():
    with pytest.raises(BadOption, match=r"“dice”.*start_die, dual_church, default_on_purpose"):
        GAME.options({"dice": 3})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("start_die", 4),
        ("start_die", "3"),
        ("start_die", 3.0),
        ("start_die", None),
        ("start_die", [3]),
        ("default_on_purpose", "true"),
        ("default_on_purpose", None),
        ("penalty", "steal"),
        ("penalty", ""),
        ("penalty", "Transfer"),
        ("final_tie", {}),
        ("dual_church", "\ud800"),
    ],
)
def test_an_unknown_value_is_named_with_those_there_are(name, value):
    with pytest.raises(BadOption) as caught:
        GAME.start(2, bytes(32), {name: value})
    message = str(caught.value)
    assert message.encode()
    assert message.startswith(name)
    assert all(str(known).lower() in message for known in CHOICES[name])


@pytest.mark.parametrize(("name", "value"), [("start_die", True), ("default_on_purpose", 1), ("default_on_purpose", 0)])
def test_true_is_not_1(name, value):
    with pytest.raises(BadOption):
        GAME.options({name: value})


@pytest.mark.parametrize("seats", [0, 1, 5, -1, 2.0, True, "2", None])
def test_a_wrong_number_of_players_is_refused(seats):
    with pytest.raises(BadOption, match="expected 2 to 4 players"):
        GAME.start(seats, bytes(32))


def test_an_unknown_preset_is_named_with_those_there_are():
    with pytest.raises(BadOption, match=r"“french”.*rulebook, persian, german, russian"):
        GAME.preset("french")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("start_die", "2", 2),
        ("default_on_purpose", "false", False),
        ("default_on_purpose", "True", True),
        ("penalty", "honest", "honest"),
    ],
)
def test_an_option_reads_from_a_text(name, text, value):
    assert GAME.option(name, text) is value


@pytest.mark.parametrize(("name", "text"), [("start_die", "4"), ("penalty", ""), ("colour", "red")])
def test_a_text_that_names_no_value_is_refused(name, text):
    with pytest.raises(BadOption, match="expected one of"):
        GAME.option(name, text)


def test_a_bad_option_is_of_the_family_of_errors():
    assert issubclass(BadOption, RulesError)


def test_the_options_of_a_match_cannot_be_changed_from_outside():
    given = dict(DEFAULTS)
    start = GAME.start(2, bytes(32), given)
    given["start_die"] = start.options["start_die"] = 1
    assert start.options == DEFAULTS
