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


FIVE_GAMES = """
from accounts.models import Rating, User
helpers = [User.objects.get(username=name).pk for name in ("helper_ann", "helper_bob")]
user = User.objects.get(username="third_bob")
Rating.objects.create(user=user, game="biblios", pool="2", games=5, opponents=helpers)
"""
"""What a minute of games with two helpers leaves, at best."""


def test_a_few_games_with_helpers_open_no_deal(attacked):
    ann = attacked.player("dealing_dan")
    for name in ("helper_ann", "helper_bob"):
        attacked.player(name)
    club = club_of(ann, "More Deals")
    deal = deal_of(ann, club)
    third = attacked.player("third_bob")
    third.post(f"{club}/join")
    attacked.manage("shell", "-c", FIVE_GAMES)
    answer = third.post(f"{deal}/enter")
    assert answer.path == deal and "joined the club after this deal had opened" in answer.text
