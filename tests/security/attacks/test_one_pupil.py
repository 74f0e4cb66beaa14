"""A school has one address. One pupil uses up what the address may do, so that nobody else there comes in."""

from contextlib import ExitStack

from tests.security.attacks.outside import PASSWORD


def test_who_was_there_before_still_signs_in_and_reads(shared):
    site = shared(BIBLIOS_NEWCOMERS="2")
    ann = site.player("schooled_ann")
    bob = ann.beside()
    bob.post("/sign-up", username="schooled_bob", new_password=PASSWORD)
    ann.post("/sign-out")
    pupil = ann.beside()
    pupil.get("/sign-in")
    answers = [pupil.post("/sign-in", username=f"nobody{number}", password="x").status for number in range(11)]
    assert answers == [422] * 10 + [429]
    while pupil.get("/@/schooled_bob/games.jsonl").status == 200:
        pass
    assert ann.post("/sign-in", username="schooled_ann", password=PASSWORD).path == "/play"
    for each in (ann, bob):
        assert each.get("/@/schooled_bob/games.jsonl").status == 200


def test_sockets_of_guests_leave_those_of_people_with_accounts_open(shared):
    site = shared(BIBLIOS_NEWCOMERS="2")
    ann = site.player("listening_ann")
    pupil = ann.beside()
    with ExitStack() as sockets:
        for number in range(20):
            pupil.cookies["sessionid"] = f"made-up-{number}"
            sockets.enter_context(pupil.socket("/ws/play")).recv(timeout=20)
        with ann.socket("/ws/play") as socket:
            assert "open-matches" in socket.recv(timeout=20)
