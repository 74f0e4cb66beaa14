"""Two friends keep somebody's challenges taken: they challenge, withdraw in time and challenge again, for ever."""

from tests.security.attacks.outside import until

TERMS = {"seats": "2", "pace": "daily", "preset": "rulebook", "begins": "now", "days": "1"}


def test_whoever_withdraws_makes_room_for_others(attacked):
    top, one, two, eve = (attacked.player(f"rung_{name}") for name in ("top", "one", "two", "eve"))
    club = top.post("/clubs/new", clubname="Shield", visible="all", joining="free", game="biblios").path
    for player in (one, two, eve):
        player.post(f"{club}/join")
    for player in (top, one, two, eve):
        player.post(f"{club}/ladders/1/join")
    top.post(f"{club}/ladders/1/desk/season", do="start")
    until(lambda: "rung_eve" in eve.get(f"{club}/ladders/1").text, "all stand on the ladder")
    challenge = f"{club}/ladders/1/challenge?to=rung_top"
    made = [friend.post(challenge, **TERMS).path for friend in (one, two)]
    assert "/challenges/" not in eve.post(challenge, **TERMS).path
    for friend, page in zip((one, two), made, strict=True):
        friend.post(f"{page}/withdraw")
        again = friend.post(challenge, **TERMS).path
        assert "/challenges/" in again, "one a season is free"
        friend.post(f"{again}/withdraw")
        assert "/challenges/" not in friend.post(challenge, **TERMS).path, "they take the place again"
    assert "/challenges/" in eve.post(challenge, **TERMS).path
