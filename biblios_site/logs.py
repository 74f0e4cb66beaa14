"""Formats log lines, plain or as one JSON object each (`BIBLIOS_LOG=json`), without secrets and hidden cards."""

import copy
import logging
import re
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

from pythonjsonlogger.json import JsonFormatter

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
GAMES = str(Path(__file__).parent.parent / "games") + "/"
NOT_TOLD = [
    # Links that open an account, a club, an evening, a calendar or a feed, or end mails to somebody.
    # In the query of another address, such as that of the page where one signs in first, their slashes are escaped.
    (
        re.compile(r"((?:/|%2F)(?:account(?:/|%2F)reset|(?:un)?invited|unsubscribe|calendar|feed|come)(?:/|%2F))\S+"),
        r"\1...",
    ),
    # The way asyncio describes a task that has failed.
    (re.compile(r"(exception=[\w:.]+)\(.*"), r"\1(...)"),
]


def told(error: BaseException | None) -> str:
    """A traceback, the cause first.

    The message of an error raised below `games/` may name a hidden card, so only its type is shown. Errors of the
    database and the network keep their first line; further lines may hold a whole row.
    """
    parts: list[str] = []
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        own = type(error).__module__.partition(".")[0] in ("builtins", "games") and not isinstance(error, OSError)
        text = (
            "" if own and any(frame.filename.startswith(GAMES) for frame in frames) else str(error).partition("\n")[0]
        )
        parts.insert(
            0, "".join(traceback.format_list(frames)) + f"{type(error).__qualname__}: {text}".removesuffix(": ")
        )
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n\n".join(parts)


class Discreet(logging.Formatter):
    """Leaves out what opens an account, and what errors reveal of a game."""

    def formatException(self, exc_info: ExceptionInfo) -> str:
        return told(exc_info[1])

    def format(self, record: logging.LogRecord) -> str:
        given = record.args
        if isinstance(given, tuple):
            record = copy.copy(record)
            record.args = tuple(type(each).__qualname__ if isinstance(each, BaseException) else each for each in given)
        return super().format(record)

    @staticmethod
    def clean(text: str) -> str:
        for pattern, instead in NOT_TOLD:
            text = pattern.sub(instead, text)
        return text


class Plain(Discreet):
    """For people at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return self.clean(super().format(record))


class Json(Discreet, JsonFormatter):
    """For programs: time, level, logger, message, with a fault exc_info, with a refused request status_code."""

    def __init__(self) -> None:
        super().__init__(
            ["levelname", "name", "message"],
            rename_fields={"levelname": "level", "name": "logger"},
            timestamp="time",
        )

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Keeps only these: Django adds whole requests to others."""
        names = ("time", "level", "logger", "message", "exc_info", "status_code")
        kept = {name: log_data[name] for name in names if name in log_data}
        return {name: self.clean(value) if isinstance(value, str) else value for name, value in kept.items()}


class Counting(logging.Handler):
    """Counts what it is given by level, for monitoring."""

    def emit(self, record: logging.LogRecord) -> None:
        from games.hub import metrics  # needs the settings, which name this handler

        metrics.log_lines.labels(record.levelname.lower()).inc()
