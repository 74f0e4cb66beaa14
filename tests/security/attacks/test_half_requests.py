"""Requests of which only the first half is sent: each keeps a connection of the site open."""

import socket
from contextlib import ExitStack

HALF = b"GET /rules HTTP/1.1\r\nHost: localhost\r\n"


def test_eleven_hundred_half_requests_keep_nobody_out(attack):
    site = attack()
    ann, attacker = site.player("patient_ann"), site.visitor()
    with ExitStack() as lines, ann.socket("/ws/play") as page, attacker.beside().socket("/ws/play") as beside:
        for _ in range(1100):
            line = lines.enter_context(socket.create_connection(("127.0.0.1", site.port), 20, (attacker.address, 0)))
            line.sendall(HALF)
        assert ann.get("/rules").status == 200
        assert site.visitor().get("/leaders").status == 200
        assert attacker.get("/rules").status == 200
        assert page.recv(timeout=20)
        assert beside.recv(timeout=20)
