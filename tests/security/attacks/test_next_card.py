"""An answer of several moves, of which the later ones fit only certain cards, asks the deck which card comes next."""

import json

LISTS = ["auction", "keep", "public"], ["public", "keep", "dice none"], ["public", "auction", "keep"]
TABLES = 3


def test_no_list_of_places_is_taken_for_cards_that_its_player_has_not_seen(attacked):
    ann = attacked.player("peeking_ann")
    for _ in range(TABLES):
        table = ann.against_bots()
        before = ann.asked(table)
        for moves in LISTS:
            assert ann.play(table, *moves, ply=before.ply).status == 409
        after = ann.board(table)
        assert (after.ply, after.offers) == (before.ply, before.offers)


def test_nor_by_the_socket_and_all_are_refused_with_the_same_words(attacked):
    bob, said = attacked.player("peeking_bob"), set()
    for _ in range(TABLES):
        table = bob.against_bots()
        before = bob.asked(table)
        with bob.socket(f"/ws{table}") as page:
            for moves in LISTS:
                page.send(json.dumps({"ply": str(before.ply), "move": moves}))
                while "says" not in (text := page.recv(timeout=20)):
                    assert f'data-ply="{before.ply}"' in text or "data-ply" not in text
                said.add(text)
        assert bob.board(table).ply == before.ply
    assert len(said) == 1
