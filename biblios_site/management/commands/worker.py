import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from biblios_site import starting
from games.hub import metrics, nudges, relay
from games.worker import working

ENDS = {signal.SIGTERM, signal.SIGINT}


class Command(BaseCommand):
    help = "Do everything that is due without anybody asking, until SIGTERM or SIGINT. Any number of workers may run."

    def handle(self, **_: Any) -> None:
        if not settings.REDIS_URL:
            raise CommandError("Without REDIS_URL no process would hear of this one's work.")
        starting.check(several=True)
        # Waited for, not handled: a handler could interrupt the very lock that it needs. Threads inherit this.
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
        metrics.serve()
        with relay.connected(nudges.heard, nudges.missed), working():
            self.stdout.write("The worker is running (Ctrl-C ends it)")
            self.stdout.flush()
            signal.sigwait(ENDS)
