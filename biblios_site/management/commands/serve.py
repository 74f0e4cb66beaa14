import resource
import signal
import socket
from contextlib import nullcontext, suppress
from ipaddress import ip_address
from typing import Any

import uvicorn
from asgiref.typing import ASGI3Application
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from biblios_site import bounds, starting
from games.hub import metrics, nudges, relay
from games.matches import outage
from games.table import writer
from games.worker import working

FILES = 10_240
"""The number of files and connections that the process may have open, if the system allows it."""
LAST_S = 10
"""The time that running requests have to finish at the end."""


AT_ONCE = 64
"""The number of connections taken up before the bounds look at the first of them."""
QUEUE = 1024
"""The number of connections that the system keeps for the server meanwhile."""


class SiteServer(uvicorn.Server):
    """Takes connections up in small portions, so that a burst cannot use up all files. Ends in the time that running
    requests have, even if a client does not read."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(QUEUE)  # asyncio has one number for both

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await super().shutdown(sockets)
        finally:
            # What is cancelled would wait for such a client again, to tell it so.
            for connection in list(self.server_state.connections):
                if connection.transport:
                    connection.transport.abort()


def server_of(application: ASGI3Application) -> SiteServer:
    """A server of the site, which runs on a socket that listens."""
    return SiteServer(
        uvicorn.Config(
            application,
            http=bounds.Connection,
            ws=bounds.Socket,
            ws_max_size=bounds.MESSAGE_BYTES,
            # The texts are short, and each socket would need memory of its own for it.
            ws_per_message_deflate=False,
            timeout_keep_alive=bounds.ARRIVAL_S,
            timeout_graceful_shutdown=LAST_S,
            backlog=AT_ONCE,
            lifespan="off",
            # uvloop, where it is installed, saves nothing that can be measured.
            loop="asyncio",
            # The settings say whom to believe about an address, and what to log.
            proxy_headers=False,
            server_header=False,
            log_config=None,
            access_log=False,
        )
    )


def allow_files() -> None:
    """Allow the process as many open files as the system lets it have, FILES at most."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Command(BaseCommand):
    help = "Serve the site, with its worker in the same process or without."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--prepare", action="store_true", help="first run the command prepare")
        parser.add_argument(
            "--no-worker", action="store_true", help="leave the work to `manage.py worker`: needs REDIS_URL"
        )
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
        parser.add_argument(
            "--port",
            type=int,
            default=8000,
            help="port to listen on, 0 for any free one (default: %(default)s)",
        )

    def handle(self, *, prepare: bool, no_worker: bool, host: str, port: int, **_: Any) -> None:
        if no_worker and not settings.REDIS_URL:
            raise CommandError("Without REDIS_URL this process would not hear of a worker's moves.")
        if prepare:
            call_command("prepare")
        starting.check(several=no_worker)
        allow_files()
        metrics.serve()
        # It looks at the static files when it is imported.
        from biblios_site.asgi import application

        try:
            # "::" is every address, those of IPv4 too.
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listener = socket.create_server((host, port), family=family, dualstack_ipv6=host == "::")
        except OSError as fault:
            raise CommandError(f"Cannot listen: {fault.strerror}. Choose another port with --port.") from fault
        listens, port = listener.getsockname()[:2]
        # Nobody can go to the address that stands for all of this machine's.
        name = f"[{listens}]" if ":" in listens else listens
        at = f"http://{'localhost' if ip_address(listens).is_unspecified else name}:{port}"
        if not settings.NAMED:
            settings.SITE_URL = at
        # uvicorn lets the running requests finish and then raises the signal again: from here on TERM is a Ctrl-C.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        heart = outage.Heart()
        with (
            relay.connected(nudges.heard, nudges.missed),
            writer.finishing(),
            nullcontext() if no_worker else working(),
        ):
            self.stdout.write(f"Armarium is at {at}/ (Ctrl-C ends it)")
            self.stdout.flush()
            heart.start()
            try:
                with suppress(KeyboardInterrupt):
                    server_of(application).run(sockets=[listener])
            finally:
                heart.stop()
