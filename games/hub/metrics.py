"""The counters of this process, for monitoring. `serve` shows them to Prometheus.

Numbers only: they name neither people nor matches, and depend on nothing that is hidden in a game.
An `inc` or an `observe` costs a microsecond or two. What has to be asked of the database is up to the worker, now and
then (`games.vitals`); pool and disk are looked at when somebody asks for the numbers.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from prometheus_client import REGISTRY, Counter, Gauge, Histogram, Metric, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

moves = Counter("biblios_moves", "Answers accepted, those of bots and standing orders included")
refused = Counter("biblios_answers_refused", "Answers of players that were not possible, or came too late")
failed = Counter("biblios_answers_failed", "Answers and lines of chats by sockets that could not be written")
answer_time = Histogram(
    "biblios_answer_seconds", "From the arrival of an answer by a socket until it is in the log", buckets=SECONDS
)
requests = Counter("biblios_http_requests", "Requests by the status of their answer", ["code"])
for code in ("500", "503"):
    requests.labels(code)  # from 0 on: Prometheus does not see the first of a number that was not there before
request_time = Histogram(
    "biblios_http_request_seconds", "From the arrival of a request until its answer has gone", buckets=SECONDS
)
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
worker_round = Gauge(
    "biblios_worker_round_timestamp_seconds", "When a thread of the worker was last through with its work", ["work"]
)
due_matches = Gauge("biblios_due_matches", "Matches in which something is due, by who has to act", ["by"])
due_oldest = Gauge("biblios_due_oldest_seconds", "For how long the oldest of them has been due")
running_matches = Gauge("biblios_running_matches", "Matches being played")
mails_due = Gauge("biblios_mails_due", "Mails that are to be sent by now")
mails_oldest = Gauge("biblios_mails_oldest_seconds", "For how long the oldest of them has been due")
log_head = Gauge("biblios_log_head_timestamp_seconds", "The end of the last day of which the public log is signed")
log_refused = Gauge("biblios_log_refused", "1 while the worker of this process refuses to sign the public log")
log_lines = Counter("biblios_log_lines", "Warnings and errors in the log of the process", ["level"])
for level in ("warning", "error", "critical"):
    log_lines.labels(level)
disk_free = Gauge("biblios_data_free_bytes", "What is free on the disk of BIBLIOS_DATA")
disk_free.set_function(lambda: shutil.disk_usage(settings.DATA_DIR).free)
disk_size = Gauge("biblios_data_size_bytes", "The size of the disk of BIBLIOS_DATA")
disk_size.set_function(lambda: shutil.disk_usage(settings.DATA_DIR).total)

_sockets = Gauge("biblios_sockets", "Open sockets of this process", ["page"])
table_sockets = _sockets.labels("table")
lobby_sockets = _sockets.labels("lobby")
bell_sockets = _sockets.labels("bell")
ladder_sockets = _sockets.labels("ladder")
tournament_sockets = _sockets.labels("tournament")
board_sockets = _sockets.labels("board")


class Pool(Collector):
    """The pool of connections to PostgreSQL, but for the one of moves; all 0 on SQLite, which has none."""

    def describe(self) -> Iterator[Metric]:
        """The names, for the registry: to ask the pool for them would open it as soon as this module is imported."""
        return self.told({})

    def collect(self) -> Iterator[Metric]:
        pool = getattr(connection, "pool", None)
        return self.told(pool.get_stats() if pool else {})

    def told(self, stats: dict[str, int]) -> Iterator[Metric]:
        size, idle = stats.get("pool_size", 0), stats.get("pool_available", 0)
        held = GaugeMetricFamily("biblios_database_connections", "Connections of the pool", labels=["state"])
        held.add_metric(["idle"], idle)
        held.add_metric(["used"], size - idle)
        yield held
        most = "biblios_database_connections_max", "How many connections the pool may have"
        yield GaugeMetricFamily(*most, value=stats.get("pool_max", 0))
        waiting = "biblios_database_waiting", "Those who wait for a connection now"
        yield GaugeMetricFamily(*waiting, value=stats.get("requests_waiting", 0))
        waited = "biblios_database_wait_seconds", "How long all have waited for connections"
        yield CounterMetricFamily(*waited, value=stats.get("requests_wait_ms", 0) / 1000)
        errors = "biblios_database_wait_errors", "Those who got no connection in time"
        yield CounterMetricFamily(*errors, value=stats.get("requests_errors", 0))


REGISTRY.register(Pool())


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
