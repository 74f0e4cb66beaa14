"""A rematch seats people who were not asked, makes one of them its host, and is offered again and again."""

import pytest

pytestmark = pytest.mark.once


def over(ann, bob):
    """The address of a game of two that both have agreed to call off."""
    table = ann.table()
    bob.post(f"{table}/join")
    ann.begun(table)
    for player in (ann, bob):
        player.post(f"{table}/vote", vote="abort")
    return table


def test_nobody_becomes_the_host_of_a_rematch_at_which_they_never_sat_down(attacked):
    ann, bob = attacked.player("again_ann"), attacked.player("again_bob")
    game = over(ann, bob)
    again = ann.post(f"{game}/rematch").path
    assert again != game
    ann.post(f"{again}/stand")
    assert "This table has been closed" in bob.get(again).text
    assert again not in bob.get("/play").text


def test_a_rematch_that_was_given_up_does_not_call_people_again(attacked):
    ann, bob = attacked.player("insisting_ann"), attacked.player("insisting_bob")
    game = over(ann, bob)
    first = ann.post(f"{game}/rematch").path
    for player in (bob, ann):
        player.post(f"{first}/stand")
    assert ann.post(f"{game}/rematch").path == game
    assert "Another game?" not in bob.get("/play").text
