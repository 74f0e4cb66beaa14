"""One network without an account opens the lobby many times, so that every change is drawn as often."""

from contextlib import ExitStack

MANY, FEW = 80, 4
CHANGES = 4


def test_what_all_strangers_see_is_drawn_once(attacked):
    ann = attacked.player("changing_ann")

    def cost(pages):
        """What the changes cost the site while so many strangers look on."""
        with ExitStack() as opened:
            browsers = [attacked.visitor() for _ in range(pages // 16 + 1)]
            sockets = [opened.enter_context(browsers[number // 16].socket("/ws/play")) for number in range(pages)]

            def told(key, there):
                for socket in sockets:
                    while (text := socket.recv(timeout=20)).startswith("{") or (key in text) != there:
                        pass

            for socket in sockets:
                while socket.recv(timeout=20).startswith("{"):
                    pass
            before = attacked.cpu_s()
            for _ in range(CHANGES):
                table = ann.table(access="all")
                told(table, True)
                ann.post(f"{table}/stand")
                told(table, False)
            return attacked.cpu_s() - before

    few = cost(FEW)
    many = cost(MANY)
    assert many < 2.5 * few, (few, many)
