"""A few networks that may guess at nothing any more go on all the same, to keep people out of new browsers."""

from tests.security.attacks.outside import PASSWORD


def test_what_is_refused_uses_up_nothing_of_a_name(shared):
    site = shared(BIBLIOS_NEWCOMERS="1")
    site.player("Ann")
    for network in range(6):
        attacker = site.visitor()
        for number in range(5):
            attacker.post("/sign-in", username=f"nobody{network}x{number}", password="guess")
        for _ in range(5):
            assert attacker.post("/sign-in", username="Ann", password="guess").status == 429
    assert site.visitor().post("/sign-in", username="Ann", password=PASSWORD).path == "/play"
