"""Stand-ins for the images that the Dockerfile and the compose file name, made of Debian's packages.

Each has what its official image promises and the project relies on: names of programs, environment, users, folders,
volumes, what the entrypoint does. It has another version of the program, and nobody's digest.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from tests.compose.podman import CACHE, build, exists, limits, podman

SUITE, BASE = "trixie", "localhost/debian:trixie"

# As in the official images of Debian: nothing that apt has fetched stays.
CLEAN = """
RUN printf '%s\\n' 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb || true"; };' \\
 'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";' >/etc/apt/apt.conf.d/docker-clean
"""
INSTALL = "apt-get update -qq && apt-get install -y -qq --no-install-recommends"

PYTHON = f"""
FROM {BASE}
{CLEAN}
RUN {INSTALL} ca-certificates netbase tzdata python3 python3-venv && rm -rf /var/lib/apt/lists/* \\
 && python3 -m venv /usr/local
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
CMD ["python3"]
"""

POSTGRES = f"""
FROM {BASE}
{CLEAN}
RUN groupadd -r postgres --gid=999 \\
 && useradd -r -g postgres --uid=999 --home-dir=/var/lib/postgresql --shell=/bin/bash postgres \\
 && install -d -o postgres -g postgres /var/lib/postgresql \\
 && install -d /etc/postgresql-common \\
 && echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf \\
 && {INSTALL} gosu postgresql-17 && rm -rf /var/lib/apt/lists/* \\
 && sed -i "s/^#\\?listen_addresses.*/listen_addresses = '*'/" /usr/share/postgresql/17/postgresql.conf.sample \\
 && install -d -m 3777 -o postgres -g postgres /var/run/postgresql \\
 && install -d -m 1777 -o postgres -g postgres /var/lib/postgresql/data
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/17/bin \\
 LANG=C.UTF-8 PGDATA=/var/lib/postgresql/data
COPY entrypoint /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/postgresql/data
ENTRYPOINT ["docker-entrypoint.sh"]
STOPSIGNAL SIGINT
EXPOSE 5432
CMD ["postgres"]
"""
POSTGRES_ENTRYPOINT = """#!/bin/bash
# As root it makes the folder its own, and goes on as postgres; an empty folder becomes a database.
set -Eeuo pipefail
if [ "${1:0:1}" = - ]; then set -- postgres "$@"; fi
if [ "$1" = postgres ]; then
    mkdir -p "$PGDATA" /var/run/postgresql
    chmod 00700 "$PGDATA" || :
    chmod 03775 /var/run/postgresql || :
    if [ "$(id -u)" = 0 ]; then
        find "$PGDATA" \\! -user postgres -exec chown postgres '{}' +
        find /var/run/postgresql \\! -user postgres -exec chown postgres '{}' +
        exec gosu postgres "$0" "$@"
    fi
    if [ ! -s "$PGDATA/PG_VERSION" ]; then
        : "${POSTGRES_PASSWORD:?}"
        user="${POSTGRES_USER:-postgres}" db="${POSTGRES_DB:-${POSTGRES_USER:-postgres}}"
        initdb --username="$user" --pwfile=<(printf '%s\\n' "$POSTGRES_PASSWORD")
        printf '\\nhost all all all scram-sha-256\\n' >>"$PGDATA/pg_hba.conf"
        PGUSER="$user" pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
        [ "$db" = postgres ] || createdb --username="$user" --no-password --owner="$user" "$db"
        PGUSER="$user" pg_ctl -D "$PGDATA" -m fast -w stop
    fi
fi
exec "$@"
"""

REDIS = f"""
FROM {BASE}
{CLEAN}
RUN groupadd -r -g 999 redis && useradd -r -g redis -u 999 redis \\
 && {INSTALL} gosu redis-server redis-tools && rm -rf /var/lib/apt/lists/* && install -d -o redis -g redis /data
COPY entrypoint /usr/local/bin/docker-entrypoint.sh
VOLUME /data
WORKDIR /data
ENTRYPOINT ["docker-entrypoint.sh"]
EXPOSE 6379
CMD ["redis-server"]
"""
REDIS_ENTRYPOINT = """#!/bin/sh
# As root it makes the folder its own, and goes on as redis. It listens everywhere, without a password.
set -e
if [ "${1#-}" != "$1" ] || [ "${1%.conf}" != "$1" ]; then set -- redis-server "$@"; fi
if [ "$1" = redis-server ]; then
    if [ "$(id -u)" = 0 ]; then
        find . \\! -user redis -exec chown redis '{}' +
        exec gosu redis "$0" "$@"
    fi
    # The official image is compiled so.
    set -- "$@" --protected-mode no
fi
exec "$@"
"""

CADDY = f"""
FROM {BASE}
{CLEAN}
RUN {INSTALL} ca-certificates caddy busybox libcap2-bin && rm -rf /var/lib/apt/lists/* \\
 && ln -s /bin/busybox /usr/local/bin/wget && ln -s /bin/busybox /usr/local/bin/netstat \\
 && mkdir -p /config/caddy /data/caddy /etc/caddy /srv && setcap cap_net_bind_service=ep /usr/bin/caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
WORKDIR /srv
EXPOSE 80 443 443/udp 2019
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
"""

FILES = {
    "python": (PYTHON, ""),
    "postgres": (POSTGRES, POSTGRES_ENTRYPOINT),
    "redis": (REDIS, REDIS_ENTRYPOINT),
    "caddy": (CADDY, ""),
}
VERSIONS = {
    "python": "python --version",
    "postgres": "postgres --version",
    "redis": "redis-server --version",
    "caddy": "caddy version",
}


def mirror() -> str:
    """The mirror in the sources of this machine's apt."""
    for file in (Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))):
        text = file.read_text() if file.is_file() else ""
        for line in text.splitlines():
            if found := re.match(r"(?:deb(?: \[[^]]*\])?|URIs:)\s+(\S+/debian/?)(?:\s|$)", line):
                return found[1]
    raise RuntimeError("The sources of apt name no mirror of Debian.")


def lay_base() -> None:
    """Make the base of the stand-ins, unless it is there."""
    if exists(BASE):
        return
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE, prefix="debian-") as folder:
        root = Path(folder) / "root"
        command = ["debootstrap", "--variant=minbase", SUITE, root, mirror()]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"debootstrap failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        for old in root.glob("var/cache/apt/archives/*.deb"):
            old.unlink()
        packed = subprocess.Popen(["tar", "-C", root, "-c", "."], stdout=subprocess.PIPE)
        podman("import", "-", BASE, stdin=packed.stdout)
        if packed.wait():
            raise RuntimeError("The base could not be packed.")


def make(image: str) -> str:
    """Make the stand-in of an image, and tag it so; which version of its program it has."""
    name = image.partition(":")[0]
    if name not in FILES:
        raise RuntimeError(f"{image}: of this image there is no stand-in; tests/compose/standins.py has {list(FILES)}.")
    file, entrypoint = FILES[name]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "Dockerfile").write_text(file)
        if entrypoint:
            (Path(folder) / "entrypoint").write_text(entrypoint)
            (Path(folder) / "entrypoint").chmod(0o755)
        build(Path(folder), f"docker.io/library/{image}")
    command = ["--entrypoint", "", f"docker.io/library/{image}", *VERSIONS[name].split()]
    return podman("run", "--rm", "--network=none", *limits(), *command).splitlines()[0]
