"""How long a stranger waits for a bot's answer, while games that everybody has left lie about and guests play.

    .venv/bin/python -m tests.bench.deserted

prints the waits, the rows that the deserted games have left in the logs, and the processor time of the site meanwhile.
BIBLIOS_ATTACKED is the checkout whose site is measured, by default this one.
"""

from __future__ import annotations

import sqlite3
import tempfile
import threading
import time
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random

from tests.bench.meter import cpu_s, part
from tests.security.attacks import outside


def play(visitor: outside.Visitor, address: str, rng: Random) -> bool:
    """Give one answer, if the visitor is asked. Returns whether they were."""
    board = visitor.board(address)
    if not board.asked or not board.offers:
        return False
    visitor.play(address, rng.choice(board.offers), ply=board.ply)
    return True


def waits(visitor: outside.Visitor, answers: int) -> list[float]:
    """Seconds from an answer of the visitor until a bot has answered, sorted: so many times."""
    rng, found = Random(7), []
    address = visitor.against_bots()
    while len(found) < answers:
        board = visitor.board(address)
        if board.over:
            address = visitor.against_bots()
        elif play(visitor, address, rng):
            after = visitor.board(address)
            began = time.monotonic()
            if after.asked or after.over:
                continue
            while visitor.board(address).ply == after.ply:
                time.sleep(0.02)
            found.append(time.monotonic() - began)
    return sorted(found)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--deserted", type=int, default=140, help="games opened and left at once")
    parser.add_argument("--running", type=int, default=40, help="games that guests play meanwhile")
    parser.add_argument("--answers", type=int, default=20, help="waits that are measured")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, outside.running(Path(folder), BIBLIOS_NEWCOMERS="100000") as site:
        guests = [site.visitor() for _ in range(chosen.running)]
        tables = [guest.against_bots(places=4) for guest in guests]
        over = threading.Event()

        def keep_playing() -> None:
            rng = Random(3)
            while not over.is_set():
                for guest, table in zip(guests, tables, strict=True):
                    if not over.wait(0.02):
                        play(guest, table, rng)

        began, used = time.monotonic(), cpu_s(site.process.pid)

        def desert(guest: outside.Visitor) -> str:
            address = guest.against_bots(places=4)
            guest.post(f"{address}/resign")
            return address

        with ThreadPoolExecutor(4) as pool:
            left = list(pool.map(desert, [site.visitor() for _ in range(chosen.deserted)]))
        print(f"{chosen.deserted} games opened and left in {time.monotonic() - began:.1f} s")
        player = threading.Thread(target=keep_playing)
        player.start()
        try:
            found = waits(site.visitor(), chosen.answers)
        finally:
            over.set()
            player.join()
        used = cpu_s(site.process.pid) - used
        with closing(sqlite3.connect(f"file:{folder}/biblios.sqlite3?mode=ro", uri=True)) as database:
            keys = [address.rpartition("/")[2] for address in left]
            marks = ", ".join("?" * len(keys))
            rows = database.execute(f"SELECT sum(ply) FROM games_match WHERE key IN ({marks})", keys).fetchone()[0]
    print(f"a bot's answer: median {part(found, 0.5):.2f} s, longest {found[-1]:.2f} s of {len(found)}")
    print(f"rows of the deserted games: {rows}; {used:.1f} s of processor time in {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main()
