"""A payment sent card by card: an increment for each of them."""

import re

from tests.security.attacks.outside import questions, sat_down

INCREMENT_MS = 10_000


def time_left(board):
    seat = re.search(r'data-me="(\d)"', board.text)[1]
    return int(re.search(rf'id="clock-{seat}"[^>]*data-left="(\d+)"', board.text)[1])


def test_a_payment_earns_one_increment_however_many_cards_it_is_sent_in(shared):
    site = shared(BIBLIOS_MESSAGES="10000")
    ann, bob = site.player("paying_ann"), site.player("paying_bob")
    table = sat_down(ann, bob, pace="live", time="5+10")
    before, cards = 0, []
    for player, board in questions(table, ann, bob):
        pay = [move for move in board.offers if move.startswith("pay ")]
        if pay and not cards:
            before, payer = time_left(board), player
        elif len(cards) > 1 and not pay:
            break
        if pay:
            # Not each of them can be the next one: nobody may pay with more cards than it takes.
            cards.append(next(card for card in pay[::-1] if player.play(table, card, ply=board.ply).status == 200))
            continue
        cards = []
        wanted = [move for move in ("auction", "bid 4", "pass", "refuse") if move in board.offers]
        assert player.play(table, (wanted or board.offers)[0], ply=board.ply).status == 200
    assert len(cards) > 1
    assert time_left(payer.board(table)) - before <= INCREMENT_MS
