"""The counters of this process, for monitoring. `serve` shows them to Prometheus.

Numbers only: they name neither people nor matches, and depend on nothing that is hidden in a game.
An `inc` or an `observe` costs less than a microsecond.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from prometheus_client import Counter, Gauge, Histogram, start_http_server

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

moves = Counter("biblios_moves", "Answers accepted, those of bots and standing orders included")
refused = Counter("biblios_answers_refused", "Answers of players that were not possible, or came too late")
commit_moves = Histogram(
    "biblios_commit_moves", "Answers written by one transaction", buckets=(1, 2, 4, 8, 16, 32, 64, 128)
)
nudge_to_render = Histogram(
    "biblios_nudge_to_render_seconds", "From a change of a match until its pages are drawn", buckets=SECONDS
)
loop_stall = Histogram("biblios_loop_stall_seconds", "How late the event loop did what was due", buckets=SECONDS)
worker_lag = Histogram(
    "biblios_worker_lag_seconds", "How late a worker took up a match that was due", buckets=(*SECONDS, 30, 60)
)
log_refused = Gauge("biblios_log_refused", "1 while the worker of this process refuses to sign the public log")

_sockets = Gauge("biblios_sockets", "Open sockets of this process", ["page"])
table_sockets = _sockets.labels("table")
lobby_sockets = _sockets.labels("lobby")
bell_sockets = _sockets.labels("bell")
ladder_sockets = _sockets.labels("ladder")
tournament_sockets = _sockets.labels("tournament")
board_sockets = _sockets.labels("board")


def answers() -> float:
    """How many answers this process has accepted or refused."""
    told = [sample for counter in (moves, refused) for metric in counter.collect() for sample in metric.samples]
    return sum(sample.value for sample in told if sample.name.endswith("_total"))


def serve() -> None:
    """Show the numbers of this process at BIBLIOS_METRICS, if that is set. Raises OSError if it cannot listen there.

    The address must not be reachable from outside: the numbers are no secret, but nobody's business.
    """
    if settings.METRICS:
        address = urlsplit(f"//{settings.METRICS}")
        start_http_server(address.port or 0, address.hostname or "127.0.0.1")
