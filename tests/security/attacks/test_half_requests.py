"""Requests of which only the first half is sent: each keeps a connection of the site open."""

import resource
import socket
from contextlib import ExitStack

import pytest

HALF = b"GET /rules HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize("addresses", [1, 11])
def test_eleven_hundred_half_requests_keep_nobody_out(attack, addresses):
    site = attack()
    ann, attackers = site.player("patient_ann"), [site.visitor() for _ in range(addresses)]
    resource.prlimit(site.process.pid, resource.RLIMIT_NOFILE, (1024, 1024))  # what many systems allow
    with ExitStack() as lines, ann.socket("/ws/play") as page, attackers[0].beside().socket("/ws/play") as beside:
        for number in range(1100):
            address = attackers[number % addresses].address, 0
            line = lines.enter_context(socket.create_connection(("127.0.0.1", site.port), 20, address))
            line.sendall(HALF)
        assert ann.get("/rules").status == 200
        assert site.visitor().get("/leaders").status == 200
        assert attackers[0].get("/rules").status == 200
        assert page.recv(timeout=20)
        assert beside.recv(timeout=20)
