import pytest

from games.faces import biblios


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_has_as_many_pips_as_its_value_each_in_its_own_place(value):
    pips = biblios.die(f"M{value}")["pips"]
    assert len(set(pips)) == len(pips) == value
    assert sorted(pips) == sorted((44 - x, 44 - y) for x, y in pips)


def test_a_card_is_named_for_those_who_hear_it():
    assert biblios.card("H2H")["label"] == "Holy Books 2, tie letter H"
