"""How long the event loop of a site stands still: `python -m tests.bench.stalls --site http://127.0.0.1:8000`.

Pings a socket of the lobby a hundred times a second until its input ends, and prints the longest times until the
answer, in milliseconds. The server answers a ping in its event loop, before anything of the site is asked; so a late
answer is a loop that stood still, or a machine that was busy. It is a process of its own, without garbage collection,
so that it is not late itself.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from argparse import ArgumentParser

from tests.bench.wire import Browser

EVERY_S = 0.01
SHOWN = 5


async def watch(site: str) -> list[float]:
    """Seconds until each ping was answered, the longest first."""
    socket = await Browser(site).socket("/ws/play?lang=en", lambda text: None, lambda code: None)
    ended = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    took = []
    while not ended.done() and not socket.gone.done():
        took.append(await socket.ping())
        await asyncio.sleep(EVERY_S)
    await socket.close()
    return sorted(took, reverse=True)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--site", required=True)
    site = parser.parse_args().site
    gc.disable()
    took = asyncio.run(watch(site))
    print(*(f"{1000 * each:.1f}" for each in took[:SHOWN]))


if __name__ == "__main__":
    main()
