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
    ann.post(f"{game}/rematch")
    assert "wants a rematch" in bob.get(game).text and "Another game?" in bob.get("/play").text
    ann.post(f"{game}/rematch", answer="no")
    assert "wants a rematch" not in bob.get(game).text and "Another game?" not in bob.get("/play").text
    assert "again_bob" not in ann.get("/play").text


def test_a_rematch_that_was_given_up_does_not_call_people_again(attacked):
    ann, bob = attacked.player("insisting_ann"), attacked.player("insisting_bob")
    game = over(ann, bob)
    ann.post(f"{game}/rematch")
    assert "Another game?" in bob.get("/play").text
    bob.post(f"{game}/rematch", answer="no")
    ann.post(f"{game}/rematch")
    assert "Another game?" not in bob.get("/play").text and "wants a rematch" not in bob.get(game).text
