"""Counts and times what is asked of a process by HTTP. Sockets are not: an answer by one has a number of its own."""

from __future__ import annotations

import time

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, Scope

from games.hub import metrics

UNANSWERED = "none"
"""In place of a status: whoever asked has gone before there was one."""


def timed(application: ASGI3Application) -> ASGI3Application:
    """Counts each request by the status of its answer, and measures how long it took, waiting for its turn included."""

    async def answered(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        began, code = time.perf_counter(), UNANSWERED

        async def noted(message: ASGISendEvent) -> None:
            nonlocal code
            if message["type"] == "http.response.start":
                code = str(message["status"])
            await send(message)

        try:
            await application(scope, receive, noted)
        finally:
            metrics.requests.labels(code).inc()
            metrics.request_time.observe(time.perf_counter() - began)

    return answered
