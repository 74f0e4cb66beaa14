"""Games that are opened and resigned at once, so that bots play hundreds of moves for nobody while others wait."""

import pytest

from tests.security.attacks.outside import until

pytestmark = pytest.mark.once
GAMES = 12


def deserted(visitor):
    """The address of a game with bots that its only player has left at once."""
    address = visitor.against_bots(places=4)
    visitor.post(f"{address}/resign")
    return address


def test_a_game_that_everybody_has_left_costs_two_rows_and_no_bots(attacked):
    guest = attacked.visitor()
    games = [deserted(guest) for _ in range(2)]
    for address in games:
        board = until(lambda address=address: (now := guest.board(address)).over and now, f"{address} ends")
        assert board.ply <= 2
        record = guest.get(f"{address}/record.json").json()
        assert (record["moves"], record["result"]["ended"]) == ([], "abandoned")


def test_bots_answer_a_stranger_before_they_play_for_nobody(attack):
    site = attack(BIBLIOS_NEWCOMERS="100")
    mine, stranger = site.visitor(), site.visitor()
    table = stranger.against_bots()
    board = stranger.asked(table)
    left = [deserted(mine) for _ in range(GAMES // 2)]
    stranger.play(table, board.offers[0])
    stranger.asked(table)
    # All that was left was over before the stranger was asked again.
    assert all(mine.board(address).ply <= 2 for address in left)


def test_a_network_begins_no_end_of_games_with_ever_new_guests(shared):
    site = shared(BIBLIOS_NEWCOMERS="2")
    first = site.visitor()
    second = first.beside()
    statuses = []
    for guest in (first, second) * 6:
        begun = guest.post("/play/bots", places="2")
        statuses.append(begun.status)
        if begun.status == 200:
            guest.post(f"{guest.begun(begun.path)}/resign")
    assert statuses.count(200) == 10 and set(statuses[10:]) == {429}
