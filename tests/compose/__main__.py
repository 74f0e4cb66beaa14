"""Starts the whole docker-compose.yml as written, and plays through it while parts are killed and replaced.

    python -m tests.compose --before HEAD~1

It makes stand-ins for the images that are named (tests/compose/standins.py), builds the image of this checkout, and
starts the file by podman. With `--before` the image is first that of an older commit, and people who play meet an
upgrade. Through Caddy, by TLS, they sign up and play. Each container is killed in turn, `web` is scaled to 1 and back,
a backup is made, and is the way back to the older image. After each step every page shows what the database says, every
confirmed answer is in the log, none twice, and `verifylogs` finds nothing. Needs root and packages of Debian; images
are kept in ~/.cache/armarium-compose. Ends with 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psycopg

from tests.compose import standins
from tests.compose.podman import build, limits, missing, podman, size
from tests.compose.reader import Compose, Service
from tests.faults.__main__ import LIVE, Kind, Run
from tests.faults.people import AWAY

ROOT = Path(__file__).resolve().parents[2]
PROJECT = "armarium"
NEW, OLD = "localhost/biblios:latest", "localhost/biblios:before"
MIB = 2**20
MOST_MIB = 250
"""How much the image may add to its base."""
UP_S = 60
"""So long a service may take until it is healthy."""
RIGHT_S = 15
"""How soon after a part is back every page must show what the database says: the longest pause of a page, and a bit."""
END_S = 150
ADDRESS = "https://localhost"
KINDS = [Kind(3, LIVE), Kind(2, LIVE), Kind(1, LIVE, bots=1)]
NOT_SHOWN = """What stand-ins cannot show:
- the official images themselves: their versions (here those above), musl and busybox of Caddy's, Python 3.11 of its own
- Docker: its own reading of the file, its network, its IPv6 and the address of a visitor behind it, its restarts after
  the machine has started, logs of several files; checks of health were run by this test, not by a clock
- a certificate of a public authority, HTTP/3, ports that are open to the outside"""


class Site:
    """The services of the compose file, each in its containers."""

    def __init__(self, compose: Compose):
        self.compose = compose
        self.image = NEW
        self.running: dict[str, list[str]] = {}
        """The containers of each service."""
        self.webs = [SimpleNamespace(url=ADDRESS)]
        self.postgres = self

    @property
    def url(self) -> str:
        """Where the database is, seen from this machine."""
        found = json.loads(podman("inspect", self.running["postgres"][0]))[0]["NetworkSettings"]["Networks"]
        address = found[f"{PROJECT}_data"]["IPAddress"]
        return f"postgresql://biblios:{self.password}@{address}/biblios?connect_timeout=5"

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py where the worker is."""
        return podman("exec", self.running["worker"][0], "python", "manage.py", *arguments)

    def prepare(self) -> None:
        """Networks and volumes."""
        for name in self.compose.networks:
            podman("network", "create", *self.compose.network_options(name), f"{PROJECT}_{name}")
        for name in self.compose.volumes:
            podman("volume", "create", f"{PROJECT}_{name}")

    def down(self) -> None:
        """Nothing of it stays but images."""
        for name in podman("ps", "--all", "--quiet", f"--filter=label=project={PROJECT}").split():
            podman("rm", "--force", "--volumes", "--time=0", name)
        for kind in ("volume", "network"):
            there = podman(kind, "ls", "--format={{.Name}}").split()
            for name in there:
                if name.startswith(f"{PROJECT}_"):
                    podman(kind, "rm", "--force", name)

    def up(self) -> None:
        """All services in their order, each when those are up that it waits for."""
        for service in self.compose.order():
            for name, how in service.waits.items():
                if how == "service_healthy":
                    self.healthy(name)
            self.start(service.name)
        for name in self.running:
            if self.compose.services[name].check:
                self.healthy(name)

    def start(self, name: str, number: int = 0) -> None:
        """All containers of a service, or one; one that is to end has then ended well."""
        service = self.compose.services[name]
        for one in [number] if number else range(1, service.replicas + 1):
            container = f"{PROJECT}-{name}-{one}"
            ends = service.restarts.startswith("on-failure")
            podman(
                "run", "--detach", f"--name={container}", *self.of(service), self.image_of(service), *service.command
            )
            if ends and (code := podman("wait", container)) != "0":
                raise RuntimeError(f"{container} ended with {code}:\n{self.said(container)}")
            self.running.setdefault(name, []).append(container)

    def of(self, service: Service) -> list[str]:
        """What podman has to know of each container of a service."""
        return [*limits(), f"--label=project={PROJECT}", "--pull=never", *service.arguments]

    def image_of(self, service: Service) -> str:
        return self.image if service.built else f"docker.io/library/{service.image}"

    def remove(self, name: str, container: str = "") -> None:
        """Stop a service, or one of its containers, as compose does."""
        for one in [container] if container else list(self.running.get(name, [])):
            podman("stop", one)
            podman("rm", "--volumes", one)
            self.running[name].remove(one)

    def healthy(self, name: str) -> None:
        """Wait until every container of a service says it is well."""
        service, end = self.compose.services[name], time.monotonic() + UP_S
        for container in self.running[name]:
            while True:
                try:
                    podman("exec", container, *service.check, timeout=service.patience)
                    break
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    if time.monotonic() > end:
                        raise RuntimeError(f"{container} is not healthy: {error}\n{self.said(container)}") from None
                    time.sleep(0.3)

    def kill(self, container: str) -> None:
        """End the first process of a container as the kernel does: what restarts it is for its policy."""
        before = podman("inspect", "--format={{.State.Pid}} {{.RestartCount}}", container)
        os.kill(int(before.split()[0]), signal.SIGKILL)
        end = time.monotonic() + 30
        while podman("inspect", "--format={{.State.Running}}", container) != "true" or before == podman(
            "inspect", "--format={{.State.Pid}} {{.RestartCount}}", container
        ):
            if time.monotonic() > end:
                raise RuntimeError(f"{container} was not started again within 30 s.\n{self.said(container)}")
            time.sleep(0.1)

    def said(self, container: str) -> str:
        """The last of its log."""
        return podman("logs", "--tail=30", container, errors=subprocess.STDOUT)[-3000:]

    def replace(self) -> None:
        """What `docker compose up --detach` does when the image is another one."""
        built = [service for service in self.compose.order() if service.built]
        for service in built:
            self.remove(service.name)
            self.start(service.name)
            if service.check:
                self.healthy(service.name)

    def once(self, service_name: str, *arguments: str, volume: str) -> None:
        """`docker compose run --rm --no-deps --volume ... SERVICE`."""
        service = self.compose.services[service_name]
        options = [option for option in self.of(service) if not option.startswith("--restart")]
        podman("run", "--rm", *options, f"--volume={volume}", self.image, "python", "manage.py", *arguments)


class Play(Run):
    """People who play while the parts of a site of containers are killed."""

    async def right(self, what: str) -> None:
        """After something has happened: all pages show how things stand, play on, and nothing is lost."""
        self.hold(True)
        took, lacks = await self.until(self.wrong, RIGHT_S)
        for text in lacks:
            self.fault(f"{RIGHT_S} s after {what}: {text}")
        self.say(f"{what}: all {len(self.pages)} pages right {took:.1f} s later, {self.count()} answers confirmed")
        await self.play_on(10)
        await self.check()
        await self.clear()

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
            page.thinking = (0.3, 0.4)  # a page may send 40 messages in 10 s, and here nobody has raised that
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
    """Build the image of this checkout, or of a commit; how much it adds to its base."""
    with tempfile.TemporaryDirectory() as name:
        folder, source = Path(name), ROOT
        if revision:
            source = folder / "source"
            source.mkdir()
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
    added = (size(NEW) - size(base_of(ROOT))) / MIB
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
        *(*limits(), NEW, "sh", "-c", look),
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
    step("image of this checkout", build_image, NEW)
    step("what is in it", inspect_image)
    if options.before:
        step(f"image of {options.before}", build_image, OLD, options.before)
    site = Site(compose)
    site.password = variables["POSTGRES_PASSWORD"]
    site.down()
    run: Play | None = None
    try:
        site.image = OLD if options.before else NEW
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
            await play(run, site, step, Path(backups), bool(options.before))
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


async def play(run: Play, site: Site, step: Steps, backups: Path, upgrade: bool) -> None:
    """All that happens while people play."""

    async def while_playing(text: str, *work) -> None:
        run.hold(False)
        await asyncio.to_thread(step, text, *work)
        await run.right(text)

    backups.chmod(0o700)
    os.chown(backups, 10001, 10001)
    volume = f"{backups}:/backups"
    await asyncio.to_thread(step, "backup", lambda: site.once("worker", "backup", "/backups/one.dump", volume=volume))
    if upgrade:
        site.image = NEW
        await while_playing("upgrade", site.replace)
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
    if upgrade:
        await asyncio.to_thread(step, "the way back: the backup, with the older image", way_back, site, volume)


def way_back(site: Site, volume: str) -> str:
    """As docs/operations.md has it."""
    for name in ("proxy", "web", "worker"):
        site.remove(name)
    site.image = OLD
    site.once("prepare", "restore", "--overwrite", "/backups/one.dump", volume=volume)
    site.remove("prepare")
    for name in ("prepare", "web", "worker", "proxy"):
        site.start(name)
        if site.compose.services[name].check:
            site.healthy(name)
    return site.manage("verifylogs").splitlines()[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--before",
        default="",
        help="commit from which people at play are upgraded, by the compose file of today (default: none)",
    )
    parser.add_argument("--keep", action="store_true", help="leave the containers as they are")
    options = parser.parse_args()
    if lacks := missing():
        sys.exit(lacks)
    sys.exit(1 if asyncio.run(go(options)) else 0)


if __name__ == "__main__":
    main()
