"""One network without an account opens an event many times, each page with another time zone in its cookie, so that
every change is drawn as often."""

from contextlib import ExitStack
from zoneinfo import available_timezones

from tests.security.attacks.clubs import club_of, evening_of

MANY, FEW = 80, 4
CHANGES = 4


def test_what_all_strangers_see_of_an_event_is_drawn_once(attacked):
    ann = attacked.player("zoned_ann")
    night = evening_of(ann, club_of(ann, "All Zones"))
    zones = sorted(zone for zone in available_timezones() if zone.startswith("A"))

    def cost(pages):
        """What the changes cost the site while so many strangers look on, each with a zone of their own."""
        with ExitStack() as opened:
            sockets = []
            for number, zone in enumerate(zones[:pages]):
                stranger = attacked.visitor() if number % 16 == 0 else stranger.beside()  # noqa: F821
                stranger.cookies["zone"] = zone
                sockets.append(opened.enter_context(stranger.socket(f"/ws{night}")))

            def told(there):
                for socket in sockets:
                    while (text := socket.recv(timeout=20)).startswith("{") or ("zoned_ann" in text) != there:
                        pass

            told(False)
            before = attacked.cpu_s()
            for _ in range(CHANGES):
                ann.post(f"{night}/enter")
                told(True)
                ann.post(f"{night}/leave")
                told(False)
            return attacked.cpu_s() - before

    few = cost(FEW)
    many = cost(MANY)
    assert many < 2.5 * few, (few, many)
