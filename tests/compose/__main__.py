"""Starts the whole docker-compose.yml as written, and plays through it while it is upgraded, killed and ill-treated.

    python -m tests.compose

It makes stand-ins for the images that are named (tests/compose/standins.py), builds the image of this checkout and that
of a next release (tests/compose/release.py), and starts the file by podman. Through Caddy, by TLS, people sign up and
play. Redis has no memory, the disk is full, the site is started wrongly and without a certificate
(tests/compose/bad_input.py); they meet an upgrade, its way back, the upgrade again; each container is killed in turn;
`web` is scaled to 1 and back. After each step every page shows what the database says, every confirmed answer is in the
log, none twice, and `verifylogs` finds nothing. At the end a backup, first one cut short, is the other way back. With
`--before COMMIT` the upgrade is from that commit to this checkout. Needs root and packages of Debian; images are kept
in ~/.cache/armarium-compose. Ends with 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

from tests.compose import bad_input, release, standins
from tests.compose.podman import build, limits, missing, podman, size
from tests.compose.reader import Compose
from tests.compose.site import PROJECT, Site
from tests.faults.__main__ import LIVE, Kind, Run
from tests.faults.people import AWAY

ROOT = Path(__file__).resolve().parents[2]
THIS, BEFORE, NEXT = "localhost/biblios:latest", "localhost/biblios:before", "localhost/biblios:next"
ADDRESSES = re.compile(rf"/static/(?:{release.SCRIPT}|{release.SHEET})".replace(".", r"\.[0-9a-f]{12}\."))
MIB = 2**20
MOST_MIB = 250
"""How much the image may add to its base."""
RIGHT_S = 15
"""How soon after a part is back every page must show what the database says: the longest pause of a page, and a bit."""
END_S = 150
QUICKLY_S, SLOWLY_S = (0.3, 0.4), (0.8, 1.6)
"""How long people think: a page may send 40 messages in 10 s, and here nobody has raised that."""
KINDS = [Kind(3, LIVE), Kind(2, LIVE), Kind(1, LIVE, bots=1)]
NOT_SHOWN = """What stand-ins cannot show:
- the official images themselves: their versions (here those above), musl and busybox of Caddy's, Python 3.11 of its own
- Docker: its own reading of the file, its network, its IPv6 and the address of a visitor behind it, its restarts after
  the machine has started, logs of several files; checks of health were run by this test, not by a clock
- a certificate of a public authority, HTTP/3, ports that are open to the outside"""


class Play(Run):
    """People who play while the parts of a site of containers are killed."""

    async def right(self, what: str) -> None:
        """After something has happened: all pages show how things stand, play on, and nothing is lost."""
        self.hold(True)
        took, lacks = await self.until(self.wrong, RIGHT_S)
        for text in lacks:
            self.fault(f"{RIGHT_S} s after {what}: {text}")
        self.say(f"{what}: all {len(self.pages)} pages right {took:.1f} s later, {self.count()} answers confirmed")
        await self.clear()
        await self.play_on(10)
        await self.check()

    async def begin(self) -> None:
        self.began_ms = time.time_ns() // 1_000_000
        for page in self.pages:
            await page.sign_up()
            await page.browser.close()
        for table in self.tables:
            await self.sit_down(table)
        await self.play_on(10)
        self.say(f"{len(self.pages)} people signed up by TLS and play at {len(self.tables)} tables")

    async def end(self) -> None:
        self.hold(False)
        for page in self.pages:
            page.thinking = QUICKLY_S
        running = (await self.until(lambda heads: [one for one, head in heads.items() if head[2] == "running"], END_S))[
            1
        ]
        for address in running:
            self.fault(f"{address} has not ended {END_S} s after the last step")
        for text in (await self.until(self.wrong, RIGHT_S))[1]:
            self.fault(text)
        for page in self.pages:
            await page.close()
        await self.check()


class Steps:
    """Prints each step with its seconds."""

    def __init__(self) -> None:
        self.began = time.monotonic()

    def __call__(self, text: str, work: Callable, *arguments):
        began = time.monotonic()
        result = work(*arguments)
        now = time.monotonic()
        print(f"{now - self.began:6.0f} s  {now - began:6.1f} s  {text}{f': {result}' if result else ''}", flush=True)
        return result


def pip_options(folder: Path) -> list[str]:
    """Give a build the configuration of this machine's pip, and the files that it names."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    settings: dict[str, list[str]] = {}
    for line in told.splitlines():
        name, _, value = line.partition("=")
        settings.setdefault(name.rpartition(".")[2], []).extend(value.strip("'").split())
    lines = [f"{name} = {' '.join(dict.fromkeys(values))}" for name, values in settings.items()]
    (folder / "pip.conf").write_text("\n".join(["[global]", *lines, ""]))
    values = [value for values in settings.values() for value in values]
    # An index in a folder leads to files beside it.
    indexes = [str(Path(value.removeprefix("file://")).parent) for value in values if value.startswith("file://")]
    paths = {*indexes, *(value for value in values if not value.startswith("file://"))}
    named = sorted(path for path in paths if path.startswith("/") and Path(path).exists())
    return [f"--volume={folder / 'pip.conf'}:/etc/pip.conf:ro", *(f"--volume={path}:{path}:ro" for path in named)]


def build_image(tag: str, revision: str = "") -> str:
    """Build the image of this checkout, of a commit, or of `next`, the next release; how much it adds to its base."""
    with tempfile.TemporaryDirectory() as name:
        folder, source = Path(name), ROOT
        if revision:
            source = folder / "source"
            source.mkdir()
        if revision == "next":
            release.make(source)
        elif revision:
            packed = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", source], input=packed, check=True)
        build(source, tag, *pip_options(folder))
    return f"{(size(tag) - size(base_of(ROOT))) / MIB:.0f} MiB over its base"


def base_of(source: Path) -> str:
    """The image that the Dockerfile names last."""
    lines = [line for line in (source / "Dockerfile").read_text().splitlines() if line.startswith("FROM ")]
    return f"docker.io/library/{lines[-1].split()[1].partition('@')[0]}"


def inspect_image() -> str:
    """Raises RuntimeError if there is something in the image that must not be."""
    added = (size(THIS) - size(base_of(ROOT))) / MIB
    if added > MOST_MIB:
        raise RuntimeError(f"The image adds {added:.0f} MiB to its base; {MOST_MIB} are allowed.")
    look = (
        "for one in gcc cc g++ clang make perl5.40; do command -v $one; done;"
        "for one in tests .git /venv/bin/pip; do [ ! -e $one ] || echo $one; done;"
        "find / -xdev -path /proc -prune -o -writable -type d -not -path '/tmp*' -not -path '/dev*' -print 2>/dev/null"
        " | grep -vE '^/(data|run/lock|var/tmp)';"
        f"python -c '{BILL}'; id -u"
    )
    said = podman(
        *("run", "--rm", "--read-only", "--network=none", "--cap-drop=all", "--security-opt=no-new-privileges"),
        *(*limits(), THIS, "sh", "-c", look),
    )
    if said != "10001":
        raise RuntimeError(f"In the image is what should not be there:\n{said}")
    return f"adds {added:.0f} MiB; no compiler, no tests, nothing to write but /data, user {said}"


BILL = """
import json, re
from importlib.metadata import distributions
plain = lambda name: re.sub("[-_.]+", "-", name).lower()
there = {(plain(one.name), one.version) for one in distributions()}
named = {(plain(one["name"]), one["version"]) for one in json.load(open("/venv/sbom.cdx.json"))["components"]}
for name, version in there ^ named: print(name, version)
"""
"""Prints the packages that are in the image or in its list, and not in both."""


async def go(options: argparse.Namespace) -> list[str]:
    """Do all that; the faults."""
    step = Steps()
    variables = {
        "BIBLIOS_HOST": "localhost",
        "POSTGRES_PASSWORD": secrets.token_hex(24),
        "POSTGRES_SITE_PASSWORD": secrets.token_hex(24),
        "BIBLIOS_SECRET_KEY": secrets.token_hex(32),
    }
    compose = Compose(ROOT / "docker-compose.yml", PROJECT, variables)
    images = {one.image for one in compose.services.values() if not one.built}
    step("base of the stand-ins", standins.lay_base)
    for image in (base_of(ROOT).rpartition("/")[2], *sorted(images)):
        step(f"stand-in for {image}", standins.make, image)
    step("image of this checkout", build_image, THIS)
    step("what is in it", inspect_image)
    older, newer = (BEFORE, THIS) if options.before else (THIS, NEXT)
    if options.before:
        step(f"image of {options.before}", build_image, BEFORE, options.before)
    else:
        step("image of the next release", build_image, NEXT, "next")
    site = Site(compose, variables["POSTGRES_PASSWORD"], older)
    site.down()
    run: Play | None = None
    try:
        step("networks and volumes", site.prepare)
        step("the whole file up and healthy", site.up)
        with tempfile.NamedTemporaryFile(suffix=".crt") as root, tempfile.TemporaryDirectory() as backups:
            podman("cp", f"{site.running['proxy'][0]}:/data/caddy/pki/authorities/local/root.crt", root.name)
            os.environ["SSL_CERT_FILE"] = root.name
            run = Play(site, 1, "c", KINDS, 1)
            try:
                await run.begin()
            except (RuntimeError, psycopg.Error, *AWAY) as error:
                for containers in site.running.values():
                    for container in containers:
                        print(f"--- {container}\n{site.said(container)[-800:]}")
                raise RuntimeError(f"{type(error).__name__}: {error}") from error
            await play(run, site, step, Path(backups), newer)
    except (RuntimeError, psycopg.Error, subprocess.TimeoutExpired, *AWAY) as error:
        print(f"FAULT: {type(error).__name__}: {error}", flush=True)
        return [str(error)]
    finally:
        if run:
            await run.close()
        if not options.keep:
            step("all removed", site.down)
    notes = {f"- {name}: {note}" for name, one in compose.services.items() for note in one.notes}
    print(NOT_SHOWN, *sorted(notes), sep="\n")
    return run.tally.faults


async def play(run: Play, site: Site, step: Steps, backups: Path, newer: str) -> None:
    """All that happens while people play."""

    async def while_playing(text: str, *work) -> None:
        for page in run.pages:
            page.thinking = SLOWLY_S  # so that games do not end before it is done
        run.hold(False)
        try:
            await asyncio.to_thread(step, text, *work)
        except RuntimeError as error:
            run.fault(f"{text}: {error}")
        for page in run.pages:
            page.thinking = QUICKLY_S
        await run.right(text)

    async def statics() -> set[str]:
        """Where the script and the style sheet are that the page of a table names."""
        page = run.pages[0]
        return set(ADDRESSES.findall((await page.request("get", page.address)).text))

    backups.chmod(0o700)
    os.chown(backups, 10001, 10001)
    volume, older = f"{backups}:/backups", site.image
    await asyncio.to_thread(step, "backup", lambda: site.once("worker", "backup", "/backups/one.dump", volume=volume))
    await while_playing("Redis without memory", bad_input.no_memory, site)
    await while_playing("Redis with memory", bad_input.memory, site)
    try:
        run.say(f"a full disk: {await bad_input.full_disk(run, site)}")
    except RuntimeError as error:
        run.fault(f"a full disk: {error}")
    await run.right("the disk has room again")
    await while_playing("wrong starts", bad_input.wrong_starts, site)
    await while_playing("a proxy without a certificate", bad_input.no_certificate, site)
    before = migrated(site)
    old = await statics()
    site.image = newer
    await while_playing("upgrade", site.replace)
    new = await statics()
    for address in sorted(old | new):
        if (status := (await run.pages[0].request("get", address)).status) != 200:
            run.fault(f"{address} is answered by {status} after the upgrade")
    if added := migrated(site) - before:
        run.say(f"{len(added)} migrations, {len(new - old)} new static files; the old ones are served too")
        await while_playing("the older release on the newer schema", too_old, site, older)
        await while_playing("the way back: migrations taken back, then the older image", taken_back, site, older)
        if left := migrated(site) - before:
            run.fault(f"{left} are still there")
        site.image = newer
        await while_playing("upgrade again", site.replace)
    for name in ("proxy", "web", "worker", "redis", "postgres"):
        for container in site.running[name]:
            await while_playing(
                f"{container} killed", lambda one=container, of=name: (site.kill(one), site.healthy(of))[1]
            )
    last = site.running["web"][-1]
    await while_playing("web scaled to 1", site.remove, "web", last)
    await while_playing("web scaled to 2", lambda: (site.start("web", 2), site.healthy("web"))[1])
    await run.end()
    run.say(f"all games over; verifylogs: {site.manage('verifylogs').splitlines()[0]}")
    text = "the other way back: the backup, first cut short, with the older image"
    await asyncio.to_thread(step, text, restored, site, older, backups)


def migrated(site: Site) -> set[tuple[str, str]]:
    """The migrations that the database has had, by app and name."""
    with psycopg.connect(site.url) as database:
        return set(database.execute("SELECT app, name FROM django_migrations").fetchall())


def too_old(site: Site, older: str) -> str:
    """Start the older image on the newer schema: each service refuses, and those that run are left alone."""
    says = "This release is older than its database"
    said = {site.refused(name, says, image=older) for name in ("prepare", "web", "worker")}
    return said.pop()


def taken_back(site: Site, older: str) -> None:
    """As docs/operations.md has it: what the refusal of the older image names is taken back by the newer one."""
    commands = re.findall(r"manage\.py (migrate \w+ \w+)", too_old(site, older))
    for name in ("proxy", "web", "worker"):
        site.remove(name)
    for command in commands:
        site.once("prepare", *command.split())
    started(site, older)


def restored(site: Site, older: str, backups: Path) -> str:
    """As docs/operations.md has it, after a backup that lacks its end has been refused."""
    volume = f"{backups}:/backups"
    for name in ("proxy", "web", "worker"):
        site.remove(name)
    site.image = older
    whole, before = (backups / "one.dump").read_bytes(), migrated(site)
    (backups / "torn.dump").write_bytes(whole[: len(whole) // 2])
    os.chown(backups / "torn.dump", 10001, 10001)
    try:
        site.once("prepare", "restore", "--overwrite", "/backups/torn.dump", volume=volume)
    except RuntimeError as error:
        said = str(error).splitlines()
        if len(said) != 2 or "CommandError" not in said[1] or migrated(site) != before:
            raise
    else:
        raise RuntimeError("Half a backup was restored.")
    site.once("prepare", "restore", "--overwrite", "/backups/one.dump", volume=volume)
    started(site, older)
    return f"{said[1]}; then {site.manage('verifylogs').splitlines()[0]}"


def started(site: Site, image: str) -> None:
    """`docker compose up --detach --wait` with this image, where only PostgreSQL and Redis run."""
    site.image = image
    site.remove("prepare")
    for name in ("prepare", "web", "worker", "proxy"):
        site.start(name)
        if site.compose.services[name].check:
            site.healthy(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--before",
        default="",
        help="commit from which people at play are upgraded to this checkout, by its compose file "
        "(default: from this checkout to a next release that is made of it)",
    )
    parser.add_argument("--keep", action="store_true", help="leave the containers as they are")
    options = parser.parse_args()
    if lacks := missing():
        sys.exit(lacks)
    sys.exit(1 if asyncio.run(go(options)) else 0)


if __name__ == "__main__":
    main()
