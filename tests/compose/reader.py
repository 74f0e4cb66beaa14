"""Reads a compose file and says what podman has to be told, key by key. A key that it does not know is an error."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
SECONDS = re.compile(r"(\d+)s")
TOP = {"services", "networks", "volumes"}


class Unknown(Exception):
    """The file says something that this reader does not understand."""


def filled(value: Any, variables: dict[str, str]) -> Any:
    """The value with `${NAME}`, `${NAME:-default}` and `${NAME:?}` replaced, as compose does."""

    def one(found: re.Match[str]) -> str:
        name, kind, default = found.groups()
        if given := variables.get(name):
            return given
        if kind == "?":
            raise Unknown(f"{name} must be set.")
        return default or ""

    if isinstance(value, str):
        return VARIABLE.sub(one, value)
    if isinstance(value, list):
        return [filled(part, variables) for part in value]
    if isinstance(value, dict):
        return {key: filled(part, variables) for key, part in value.items()}
    return value


def seconds(text: str) -> int:
    """Of a duration; raises Unknown for other units."""
    if found := SECONDS.fullmatch(text):
        return int(found[1])
    raise Unknown(f"{text}: only seconds are understood.")


def words(command: str | list[str]) -> list[str]:
    return shlex.split(command) if isinstance(command, str) else list(command)


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


@dataclass
class Service:
    """A service of the file."""

    name: str
    project: str
    folder: Path
    volumes: set[str]
    text: dict[str, Any]
    image: str = ""
    built: str = ""
    """The folder from which the image is built, or nothing."""
    replicas: int = 1
    command: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    networks: list[str] = field(default_factory=list)
    waits: dict[str, str] = field(default_factory=dict)
    """What has to be up before, by the condition."""
    check: list[str] = field(default_factory=list)
    """The command that says whether a container is well."""
    patience: int = 30
    """Seconds that it may take."""
    grace: int = 10
    restarts: str = "no"
    notes: list[str] = field(default_factory=list)
    """What podman does not know, or does otherwise."""

    def __post_init__(self) -> None:
        for key, value in self.text.items():
            read = getattr(self, f"_{key}", None)
            if read is None:
                raise Unknown(f"{self.name}: {key} is not understood.")
            read(value)
        # Docker has no temporary folders beside those named, and copies nothing into these.
        self.options += ["--read-only-tmpfs=false"] if self.text.get("read_only") else []
        self.networks = self.networks or ["default"]

    @property
    def arguments(self) -> list[str]:
        """Of `podman run`, without names."""
        networks = [f"--network={self.project}_{name}:alias={self.name}" for name in self.networks]
        return [*self.options, *networks]

    def _image(self, value: str) -> None:
        self.image = value

    def _build(self, value: str) -> None:
        if not isinstance(value, str):
            raise Unknown(f"{self.name}: build: only a folder is understood.")
        self.built = value

    def _restart(self, value: str) -> None:
        if not re.fullmatch(r"unless-stopped|on-failure:\d+", value):
            raise Unknown(f"{self.name}: restart: {value} is not understood.")
        self.restarts = value
        self.options.append(f"--restart={value}")

    def _security_opt(self, value: list[str]) -> None:
        if value != ["no-new-privileges:true"]:
            raise Unknown(f"{self.name}: security_opt: {value} is not understood.")
        self.options.append("--security-opt=no-new-privileges")

    def _cap_drop(self, value: list[str]) -> None:
        self.options += [f"--cap-drop={name.lower()}" for name in value]

    def _cap_add(self, value: list[str]) -> None:
        self.options += [f"--cap-add={name.lower()}" for name in value]

    def _read_only(self, value: bool) -> None:
        self.options += ["--read-only"] if value else []

    def _tmpfs(self, value: str | list[str]) -> None:
        self.options += [f"--tmpfs={path}:notmpcopyup" for path in listed(value)]

    def _logging(self, value: dict[str, Any]) -> None:
        if value.keys() != {"driver", "options"} or value["driver"] != "json-file":
            raise Unknown(f"{self.name}: logging: {value} is not understood.")
        self.options += ["--log-driver=k8s-file", f"--log-opt=max-size={value['options']['max-size']}"]
        if rest := value["options"].keys() - {"max-size"}:
            self.notes.append(f"logging: podman knows no {', '.join(rest)}")

    def _environment(self, value: dict[str, str]) -> None:
        self.options += [f"--env={name}={text}" for name, text in value.items()]

    def _depends_on(self, value: dict[str, dict[str, str]]) -> None:
        for name, how in value.items():
            if how.keys() != {"condition"} or how["condition"] not in (
                "service_healthy",
                "service_completed_successfully",
            ):
                raise Unknown(f"{self.name}: depends_on: {how} is not understood.")
            self.waits[name] = how["condition"]

    def _networks(self, value: list[str]) -> None:
        self.networks = list(value)

    def _stop_grace_period(self, value: str) -> None:
        self.grace = seconds(value)
        self.options.append(f"--stop-timeout={self.grace}")

    def _ports(self, value: list[str]) -> None:
        for port in value:
            if not re.fullmatch(r"\d+:\d+(/udp)?", port):
                raise Unknown(f"{self.name}: ports: {port} is not understood.")
            self.options.append(f"--publish=127.0.0.1:{port}")
        self.notes.append("ports: published on the loopback only")

    def _volumes(self, value: list[str]) -> None:
        for volume in value:
            found = re.fullmatch(r"(\.?[\w./]+):(/[\w./]+)(:ro)?", volume)
            if not found:
                raise Unknown(f"{self.name}: volumes: {volume} is not understood.")
            source, target, mode = found.groups()
            if source.startswith("."):
                source = str(self.folder / source)
            elif source in self.volumes:
                source = f"{self.project}_{source}"
            else:
                raise Unknown(f"{self.name}: volumes: {source} is not among those of the file.")
            self.options.append(f"--volume={source}:{target}{mode or ''}")

    def _healthcheck(self, value: dict[str, Any]) -> None:
        self.options.append("--no-healthcheck")  # the test does it: there is no clock for it
        if value == {"disable": True}:
            return
        if rest := value.keys() - {"test", "interval", "timeout", "start_period", "retries"}:
            raise Unknown(f"{self.name}: healthcheck: {rest} is not understood.")
        if value["test"][0] != "CMD":
            raise Unknown(f"{self.name}: healthcheck: {value['test']} is not understood.")
        self.check = list(value["test"][1:])
        self.patience = seconds(value["timeout"])

    def _command(self, value: str | list[str]) -> None:
        self.command = words(value)

    def _deploy(self, value: dict[str, Any]) -> None:
        if value.keys() != {"replicas"}:
            raise Unknown(f"{self.name}: deploy: {value} is not understood.")
        self.replicas = int(value["replicas"])

    def _shm_size(self, value: str) -> None:
        self.options.append(f"--shm-size={value}")

    def _user(self, value: str) -> None:
        self.options.append(f"--user={value}")


class Compose:
    """A compose file, filled in."""

    def __init__(self, file: Path, project: str, variables: dict[str, str]):
        self.folder, self.project = file.parent, project
        text = filled(yaml.safe_load(file.read_text()), variables)
        if rest := {key for key in text if not key.startswith("x-")} - TOP:
            raise Unknown(f"{rest} is not understood.")
        self.networks = {"default": None} | (text.get("networks") or {})
        for name in self.networks:
            self.network_options(name)
        volumes = text.get("volumes") or {}
        if any(volumes.values()):
            raise Unknown("volumes: no options are understood.")
        self.volumes = list(volumes)
        self.services = {
            name: Service(name, project, self.folder, set(volumes), one) for name, one in text["services"].items()
        }

    def network_options(self, name: str) -> list[str]:
        """Of `podman network create`."""
        known, options = {"enable_ipv6": "--ipv6", "internal": "--internal"}, []
        for key, value in (self.networks[name] or {}).items():
            if key not in known or value is not True:
                raise Unknown(f"networks: {name}: {key}: {value} is not understood.")
            options.append(known[key])
        return options

    def order(self) -> Iterator[Service]:
        """The services, each after those that it waits for."""
        left = dict(self.services)
        while left:
            ready = [name for name, one in left.items() if not one.waits.keys() & left.keys()]
            if not ready:
                raise Unknown(f"{list(left)} wait for each other.")
            yield from (left.pop(name) for name in ready)
