"""An answer of several moves, of which the later ones fit only certain cards, asks the deck which card comes next."""

LISTS = ["auction", "keep", "public"], ["public", "keep", "dice none"], ["public", "auction", "keep"]


def test_no_list_of_places_is_taken_for_cards_that_its_player_has_not_seen(attacked):
    ann = attacked.player("peeking_ann")
    for moves in LISTS * 3:
        table = ann.against_bots()
        before = ann.asked(table)
        assert ann.play(table, *moves).status == 409
        after = ann.board(table)
        assert (after.ply, after.offers) == (before.ply, before.offers)
