"""Many computers guess at one name; then somebody does so only to keep its owner out."""

from tests.security.attacks.outside import PASSWORD


def test_many_addresses_guess_slowly_and_do_not_keep_the_owner_out(attacked):
    ann = attacked.player("sought_ann")
    ann.post("/sign-out")
    answers = [
        attacked.visitor().post("/sign-in", username="sought_ann", password=f"guess {number}").status
        for number in range(33)
    ]
    assert answers == [422] * 30 + [429] * 3
    assert attacked.visitor().post("/sign-in", username="sought_ann", password=PASSWORD).status == 429
    assert ann.post("/sign-in", username="sought_ann", password=PASSWORD).path == "/play"
