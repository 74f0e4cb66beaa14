"""Podman with images, containers and volumes of its own, apart from those of the machine."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "armarium-compose"
PROGRAMS = {
    "podman": "podman",
    "debootstrap": "debootstrap",
    "netavark": "netavark",
    "aardvark-dns": "aardvark-dns",
    "runc": "runc",
}
"""Debian's packages, by a program of each. Netavark and its names are no commands: they stand in /usr/lib/podman."""


def missing() -> str:
    """A sentence about what has to be there first; empty if nothing has."""
    folders = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/lib/podman", "/usr/libexec/podman"))
    lacks = [package for program, package in PROGRAMS.items() if not shutil.which(program, path=folders)]
    if lacks:
        return f"Not installed here (Debian's packages): {', '.join(lacks)}."
    return "" if os.geteuid() == 0 else "Containers with the networks of the file need root here."


def podman(*arguments: str | Path, timeout: float = 580, stdin=subprocess.DEVNULL, errors=subprocess.PIPE) -> str:
    """What a command of podman says; with `errors=subprocess.STDOUT`, on its other output too.

    Raises RuntimeError, with all that was said, if it fails.
    """
    command = [
        *("podman", "--root", CACHE / "images", "--runroot", CACHE / "run", "--network-config-dir", CACHE / "networks"),
        *("--runtime", "runc", "--cgroup-manager", "cgroupfs", "--log-level", "error"),
        *arguments,
    ]
    # Without systemd nobody runs the checks of health by a clock: the test does.
    environment = {**os.environ, "DISABLE_HC_SYSTEMD": "true"}
    done = subprocess.run(
        command, stdin=stdin, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment, timeout=timeout
    )
    if done.returncode:
        raise RuntimeError(
            f"podman {' '.join(map(str, arguments))[:300]}:\n{done.stdout[-3000:]}{(done.stderr or '')[-3000:]}"
        )
    return done.stdout.strip()


def limits() -> list[str]:
    """The limits of this machine, named: podman would raise them, which not every machine allows."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    processes = min(4096, resource.getrlimit(resource.RLIMIT_NPROC)[1] % 2**63 or 4096)
    return [f"--ulimit=nofile={files}:{files}", f"--ulimit=nproc={processes}:{processes}"]


def build(context: Path, tag: str, *options: str) -> None:
    """Build an image from the Dockerfile of a folder."""
    podman("build", *limits(), "--network=host", "--pull=never", "--format=docker", *options, "--tag", tag, context)


def size(image: str) -> int:
    """The bytes of an image with its base."""
    return int(podman("image", "inspect", "--format={{.Size}}", image))


def exists(image: str) -> bool:
    return bool(podman("images", "--quiet", image))
