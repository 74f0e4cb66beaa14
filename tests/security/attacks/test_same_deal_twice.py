"""Somebody makes a second account, looks at all cards of the deal of the week with it, and plays it with the first."""

from tests.security.attacks.clubs import club_of, deal_of


def test_a_new_account_sees_no_deal_that_had_opened_before(attacked):
    ann, bob = attacked.player("dealing_ann"), attacked.player("dealing_bob")
    club = club_of(ann, "Deals")
    bob.post(f"{club}/join")
    deal = deal_of(ann, club)
    second = attacked.player("second_bob")
    second.post(f"{club}/join")
    answer = second.post(f"{deal}/enter")
    assert answer.path == deal and "joined the club after this deal had opened" in answer.text
    assert bob.post(f"{deal}/enter").path.startswith("/m/")
