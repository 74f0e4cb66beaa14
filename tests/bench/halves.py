"""How long a page takes while somebody holds half requests open, and goes on opening more.

.venv/bin/python -m tests.bench.halves --halves 1100 --addresses 11
"""

import argparse
import resource
import socket
import time
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.security.attacks import outside

HALF = b"GET /rules HTTP/1.1\r\nHost: localhost\r\n"


def pages(visitor: outside.Visitor, times: int) -> str:
    """The time that a page takes, asked for so many times."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        assert visitor.get("/rules").status == 200
        took.append(1000 * (time.perf_counter() - start))
    return f"{median(took):.0f} ms in the median, {max(took):.0f} at most"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--halves", type=int, default=1100)
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--files", type=int, default=1024, help="how many the system allows the site")
    parser.add_argument("--pages", type=int, default=100)
    wanted = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with TemporaryDirectory() as folder, outside.running(Path(folder)) as site:
        resource.prlimit(site.process.pid, resource.RLIMIT_NOFILE, (wanted.files, wanted.files))
        attackers = [site.visitor() for _ in range(wanted.addresses)]
        ann, beside = site.visitor(), attackers[0].beside()
        print("nobody else:", pages(ann, wanted.pages))
        lines = []
        start = time.perf_counter()
        for _, attacker in zip(range(wanted.halves), cycle(attackers), strict=False):
            lines.append(socket.create_connection(("127.0.0.1", site.port), 20, (attacker.address, 0)))
            lines[-1].sendall(HALF)
        print(f"{wanted.halves} half requests opened in {time.perf_counter() - start:.1f} s")
        print("another address:", pages(ann, wanted.pages))
        print("the same address:", pages(beside, wanted.pages))
        for line in lines:
            line.close()


if __name__ == "__main__":
    main()
