import signal
import threading

from django.core.management.base import BaseCommand

from games import live, worker


class Command(BaseCommand):
    help = "Work for the tables: bots, standing orders, clocks. For installations whose servers run with --no-worker."

    def handle(self, **options):
        stopped = threading.Event()

        def stop(*_):
            stopped.set()
            live.wake()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        worker.run(stopped)
