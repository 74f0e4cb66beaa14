"""A steward opens one event after the other and asks the same stranger to all, so that nothing else is seen of what
waits for them."""

from tests.security.attacks.clubs import club_of, evening_of


def test_a_stranger_is_asked_twice_a_day_and_reads_one_line(attacked):
    steward, stranger = attacked.player("asking_warden"), attacked.player("asked_ann")
    club = club_of(steward, "Asking")
    for _event in range(4):
        steward.post(f"{evening_of(steward, club)}/tick", names="asked_ann")
    assert stranger.get("/play").text.count("asks whether you take part") == 1
    told = stranger.get("/notices").text.partition("<main")[2]
    assert told.count("asks whether you take part") == 2
