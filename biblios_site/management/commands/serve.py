# Daphne installs its reactor on import and must come before anything else of Twisted.
import daphne.server  # isort: skip

import asyncio
from contextlib import nullcontext

from daphne.http_protocol import WebRequest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from twisted.internet.defer import Deferred

from biblios_site import bounds
from games.hub import metrics, nudges, relay
from games.matches import outage
from games.table import writer
from games.worker import working

# Daphne looks its factory up there, and gives no other way to choose it.
daphne.server.HTTPFactory = bounds.Factory


class SiteServer(daphne.server.Server):
    """Daphne, which says why it cannot start, answers the running requests before it ends, and has bounds."""

    fault = None

    def listen_success(self, port):
        super().listen_success(port)
        return port

    def listen_error(self, failure):
        self.fault = failure.getErrorMessage()
        self.stop()

    def kill_all_applications(self):
        for listener in self.listeners:
            listener.addCallback(lambda port: port.stopListening())
        return Deferred.fromFuture(asyncio.ensure_future(self.finish()))

    async def finish(self):
        loop = asyncio.get_running_loop()
        # A request that has not arrived in full, or was refused, has no application, for which
        # Daphne's own method would raise KeyError in the middle of the shutdown.
        nothing = loop.create_future()
        nothing.set_result(None)
        for connection in self.connections.values():
            connection.setdefault("application_instance", nothing)
        requests = [
            connection["application_instance"]
            for protocol, connection in self.connections.items()
            if isinstance(protocol, WebRequest)
        ]
        if requests:
            await asyncio.wait(requests, timeout=self.application_close_timeout)
        await super().kill_all_applications().asFuture(loop)


class Command(BaseCommand):
    help = "Serve the site, with its worker in the same process or without."

    def add_arguments(self, parser):
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

    def handle(self, *, prepare, no_worker, host, port, **options):
        if no_worker and not settings.REDIS_URL:
            raise CommandError("Without REDIS_URL this process would not hear of a worker's moves.")
        if prepare:
            call_command("prepare")
        metrics.serve()
        # It looks at the static files when it is imported.
        from biblios_site.asgi import application

        def announce():
            for address in server.listening_addresses:
                self.stdout.write("Biblios is at http://{}:{}/ (Ctrl-C ends it)".format(*address))
                self.stdout.flush()
            heart.start()

        heart = outage.Heart()
        server = SiteServer(
            application,
            endpoints=[f"tcp:{port}:interface={host}"],
            ready_callable=announce,
            websocket_max_message_size=bounds.PIECES_BYTES,
            websocket_max_frame_size=bounds.MESSAGE_BYTES,
        )
        with (
            relay.connected(nudges.heard, nudges.missed),
            writer.finishing(),
            nullcontext() if no_worker else working(),
        ):
            server.run()
            heart.stop()
        if server.fault:
            raise CommandError(f"{server.fault} Choose another port with --port.")
