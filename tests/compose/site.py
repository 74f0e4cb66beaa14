"""A site of containers: what `docker compose` would do with the services of the file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from types import SimpleNamespace

from tests.compose.podman import CACHE, limits, podman
from tests.compose.reader import Compose, Service

PROJECT = "armarium"
UP_S = 60
"""So long a service may take until it is healthy."""
ADDRESS = "https://localhost"
DISK = CACHE / "disk"
DISK_MIB = 512
"""Of the disk of PostgreSQL alone, so that it can be filled."""
BALLAST = "ballast"
READY = """
from urllib.error import HTTPError
from urllib.request import urlopen
try: answer = urlopen("http://127.0.0.1:8000/readyz", timeout=10)
except HTTPError as error: answer = error
print(answer.status, answer.read().decode().strip())
"""


class Site:
    """The services of the compose file, each in its containers."""

    def __init__(self, compose: Compose, password: str, image: str):
        self.compose, self.password, self.image = compose, password, image
        self.running: dict[str, list[str]] = {}
        """The containers of each service."""
        self.webs = [SimpleNamespace(url=ADDRESS)]
        self.postgres = self

    @property
    def url(self) -> str:
        """Where the database is, seen from this machine."""
        address = self.address(self.running["postgres"][0])
        return f"postgresql://biblios:{self.password}@{address}/biblios?connect_timeout=5"

    def address(self, container: str) -> str:
        """Where a container is in the network of data, seen from this machine."""
        found: str = json.loads(podman("inspect", container))[0]["NetworkSettings"]["Networks"][f"{PROJECT}_data"][
            "IPAddress"
        ]
        return found

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py where the worker is."""
        return podman("exec", self.running["worker"][0], "python", "manage.py", *arguments)

    def prepare(self) -> None:
        """Networks and volumes."""
        for name in self.compose.networks:
            podman("network", "create", *self.compose.network_options(name), f"{PROJECT}_{name}")
        DISK.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "tmpfs", DISK], check=True)
        own = {"postgres": ["--opt=type=none", "--opt=o=bind", f"--opt=device={DISK}"]}
        for name in self.compose.volumes:
            podman("volume", "create", *own.get(name, []), f"{PROJECT}_{name}")

    def down(self) -> None:
        """Nothing of it stays but images."""
        for name in podman("ps", "--all", "--quiet", f"--filter=label=project={PROJECT}").split():
            podman("rm", "--force", "--volumes", "--time=0", name)
        for kind in ("volume", "network"):
            there = podman(kind, "ls", "--format={{.Name}}").split()
            for name in there:
                if name.startswith(f"{PROJECT}_"):
                    podman(kind, "rm", "--force", name)
        if DISK.is_mount():
            subprocess.run(["umount", DISK], check=True)

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

    def once(self, service_name: str, *arguments: str, volume: str = "") -> str:
        """`docker compose run --rm --no-deps [--volume ...] SERVICE python manage.py ...`; what it said."""
        options = [f"--volume={volume}"] if volume else []
        options += self.of_once(self.compose.services[service_name])
        return podman("run", "--rm", *options, self.image, "python", "manage.py", *arguments)

    def of_once(self, service: Service) -> list[str]:
        """What podman has to know of a container that is not started again when it has ended."""
        return [option for option in self.of(service) if not option.startswith("--restart")]

    def refused(self, name: str, says: str, *command: str, image: str = "", **environment: str) -> str:
        """Start one more container of a service, wrongly: the only line with which it ends.

        Raises RuntimeError if it does not end so, or its line lacks `says`.
        """
        service, container = self.compose.services[name], f"{PROJECT}-refused"
        options = [*self.of_once(service), *(f"--env={key}={value}" for key, value in environment.items())]
        arguments = [image or self.image, *(command or service.command)]
        podman("run", "--detach", f"--name={container}", *options, *arguments)
        try:
            code = podman("wait", container, timeout=UP_S)
            lines = podman("logs", container, errors=subprocess.STDOUT).splitlines()
        finally:
            podman("rm", "--force", "--volumes", "--time=0", container)
        if code == "0" or len(lines) != 1 or says not in lines[0]:
            raise RuntimeError(f"{name} should have been refused ({says}); it ended with {code}:\n{lines[-9:]}")
        return lines[0]

    def given(self, name: str, variable: str) -> str:
        """What the file gives to a service as an environment variable."""
        value: str = self.compose.services[name].text["environment"][variable]
        return value

    def ready(self) -> str:
        """What the first web process says at /readyz."""
        return podman("exec", self.running["web"][0], "python", "-c", READY)

    def redis(self, *arguments: str) -> str:
        return podman("exec", self.running["redis"][0], "redis-cli", *arguments)

    def fill(self) -> str:
        """Write the disk of PostgreSQL full."""
        with open(DISK / BALLAST, "wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        return f"{(DISK / BALLAST).stat().st_size >> 20} MiB"

    def make_room(self) -> None:
        (DISK / BALLAST).unlink()
