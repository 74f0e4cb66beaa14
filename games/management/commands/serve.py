# Daphne installs its reactor on import and must come before anything else of Twisted.
from daphne.server import Server  # isort: skip

import asyncio

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError


class SiteServer(Server):
    """Daphne, which stops cleanly and says why it could not start."""

    fault = None

    def listen_error(self, failure):
        self.fault = failure.value.socketError.strerror
        self.stop()

    def kill_all_applications(self):
        # For about a second Daphne keeps a connection whose request is finished, without its
        # application, and would raise KeyError for it here, in the middle of the shutdown.
        finished = asyncio.get_event_loop().create_future()
        finished.set_result(None)
        for connection in self.connections.values():
            connection.setdefault("application_instance", finished)
        return super().kill_all_applications()


class Command(BaseCommand):
    help = "Serve the site in one process."

    def add_arguments(self, parser):
        parser.add_argument("--prepare", action="store_true", help="first run the command prepare")
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
        parser.add_argument(
            "--port",
            type=int,
            default=8000,
            help="port to listen on, 0 for any free one (default: %(default)s)",
        )

    def handle(self, *, prepare, host, port, **options):
        if prepare:
            call_command("prepare")
        # It looks at the static files when it is imported.
        from biblios_site.asgi import application

        def announce():
            for address in server.listening_addresses:
                self.stdout.write("Biblios is at http://{}:{}/ (Ctrl-C ends it)".format(*address))
                self.stdout.flush()

        server = SiteServer(application, endpoints=[f"tcp:{port}:interface={host}"], ready_callable=announce)
        server.run()
        if server.fault:
            raise CommandError(
                f"Cannot listen on {host}:{port}: {server.fault}. Choose another port: --port N"
            )
