"""What an operator, a disk or a clock does wrong, tried on a site of containers while people play.

Each is refused at the start, or told by /readyz and one line of the log, and nothing is served half.
"""

from __future__ import annotations

import asyncio
import http.client
import re
import socket
import ssl
import subprocess
import time

import psycopg

from tests.compose.podman import limits, podman
from tests.compose.site import PROJECT, Site
from tests.faults.__main__ import Run

OFF = """
import runpy, sys, time
now = time.time_ns
time.time_ns = lambda: now() + {off_s} * 10**9
sys.argv = ["manage.py", "serve", "--no-worker"]
runpy.run_path("manage.py", run_name="__main__")
"""
"""Serves with another clock: containers have that of the machine."""
NOWHERE = "armarium.invalid"
"""A name of which nobody gives a certificate."""
SOON_S = 60


def wrong_starts(site: Site) -> str:
    """Start with wrong variables and clocks, each of which is refused in one line."""
    url, owner = site.given("web", "DATABASE_URL"), site.given("prepare", "MIGRATE_DATABASE_URL")
    wrong = re.sub(r":[^:@]+@", ":wrong@", url)
    hour = [("python", "-c", OFF.format(off_s=off_s)) for off_s in (3600, -3600)]
    lines = [
        site.refused("web", "BIBLIOS_HTTPS needs BIBLIOS_HOSTS", BIBLIOS_HOSTS=""),
        site.refused("web", "Without DATABASE_URL", DATABASE_URL=""),
        site.refused("web", "password authentication failed", DATABASE_URL=wrong),
        site.refused("worker", "password authentication failed", DATABASE_URL=wrong),
        site.refused("prepare", "password authentication failed", MIGRATE_DATABASE_URL=wrong),
        site.refused("web", "MIGRATE_DATABASE_URL is only for prepare", MIGRATE_DATABASE_URL=owner),
        site.refused("web", "its clock is -3600 s from the clock of this machine", *hour[0]),
        site.refused("web", "its clock is +3600 s from the clock of this machine", *hour[1]),
    ]
    secret = re.findall(r":([^:@]+)@", url + owner)
    if told := [line for line in lines if any(one in line for one in secret)]:
        raise RuntimeError(f"A password stands in what is said: {told}")
    return f"{len(lines)} refused, each in a line"


def no_certificate(site: Site) -> str:
    """Start a proxy of which nobody can get a certificate; what it says."""
    service, container = site.compose.services["proxy"], f"{PROJECT}-nowhere"
    podman(
        *("run", "--detach", f"--name={container}", f"--label=project={PROJECT}", "--pull=never", *limits()),
        *(f"--network={PROJECT}_data", f"--env=BIBLIOS_HOST={NOWHERE}", "--cap-drop=all", "--cap-add=net_bind_service"),
        *(f"--volume={site.compose.folder / 'Caddyfile'}:/etc/caddy/Caddyfile:ro", site.image_of(service)),
    )
    try:
        end = time.monotonic() + SOON_S
        while "could not get certificate from issuer" not in podman("logs", container, errors=subprocess.STDOUT):
            if time.monotonic() > end:
                raise RuntimeError(f"The proxy does not say that it has no certificate:\n{site.said(container)}")
            time.sleep(0.5)
        address = site.address(container)
        plain = http.client.HTTPConnection(address, 80, timeout=10)
        plain.request("GET", "/", headers={"Host": NOWHERE})
        answer = plain.getresponse()
        if (answer.status, answer.headers["Location"]) != (308, f"https://{NOWHERE}/"):
            raise RuntimeError(f"Without a certificate the proxy answers {answer.status} by HTTP.")
        try:
            with socket.create_connection((address, 443), timeout=10) as line:
                ssl.create_default_context().wrap_socket(line, server_hostname=NOWHERE)
        except ssl.SSLError as error:
            return f"{error.reason} by HTTPS, a redirection by HTTP"
        raise RuntimeError("Without a certificate the proxy speaks TLS.")
    finally:
        podman("rm", "--force", "--volumes", "--time=0", container)


def no_memory(site: Site) -> str:
    """Leave Redis no memory; what /readyz says."""
    site.redis("config", "set", "maxmemory-policy", "noeviction")
    site.redis("config", "set", "maxmemory", "1mb")
    site.redis("eval", "return redis.call('set', 'ballast', string.rep('x', 2^20))", "0")
    return expect(site, "503 away: redis", "command not allowed when used memory")


def memory(site: Site) -> str:
    """Give Redis back what the file gives it."""
    site.redis("config", "set", "maxmemory", "128mb")
    site.redis("config", "set", "maxmemory-policy", "volatile-ttl")
    site.redis("del", "ballast")
    return expect(site, "200 ready")


def expect(site: Site, ready: str, line: str = "") -> str:
    """Wait until /readyz says so, and the log in a line; raises RuntimeError if it does not."""
    end = time.monotonic() + SOON_S
    while (found := site.ready()) != ready:
        if time.monotonic() > end:
            raise RuntimeError(f"/readyz says “{found}”, and not “{ready}”.")
        time.sleep(0.5)
    web = site.running["web"][0]
    said = [one for one in podman("logs", web, errors=subprocess.STDOUT).splitlines() if "Not ready" in one]
    if line and not any(line in one for one in said):
        raise RuntimeError(f"The log does not say “{line}”: {said}")
    return f"/readyz: {found}"


async def full_disk(run: Run, site: Site) -> str:
    """Fill the disk of PostgreSQL while people play, until moves are refused and the server ends; make room again."""
    before, refusals = run.count(), sum(len(page.refused) for page in run.pages)
    run.hold(False)
    filled = await asyncio.to_thread(site.fill)
    try:
        end = time.monotonic() + SOON_S
        while sum(len(page.refused) for page in run.pages) == refusals:
            if time.monotonic() > end:
                raise RuntimeError(f"{SOON_S} s after the disk was full no move has been refused.")
            await asyncio.sleep(0.1)
        taken = run.count() - before
        sentences = {sentence for page in run.pages for sentence in page.refused[-1:]}
        ready = await asyncio.to_thread(expect, site, "503 away: database", "No space left on device")
        ended = await asyncio.to_thread(out_of_log, site)
        await asyncio.sleep(5)
    finally:
        await asyncio.to_thread(site.make_room)
    await asyncio.to_thread(site.healthy, "postgres")
    await asyncio.to_thread(expect, site, "200 ready")
    return f"{filled} written, {taken} more answers taken, then “{' / '.join(sentences)}”; {ready}; PostgreSQL: {ended}"


def out_of_log(site: Site) -> str:
    """Let PostgreSQL need another file of its log of writing, for which there is no room; what it says."""
    try:
        with psycopg.connect(site.url, autocommit=True) as database:
            database.execute("SELECT pg_switch_wal()")
            database.execute("CHECKPOINT")
    except psycopg.Error as error:
        return str(error).splitlines()[0]
    return "goes on"
