"""How log lines look: plain, or one JSON object each (`BIBLIOS_LOG=json`). Neither tells a secret or a hidden card."""

import logging
import re
import traceback
from pathlib import Path

from pythonjsonlogger.json import JsonFormatter

GAMES = str(Path(__file__).parent.parent / "games") + "/"
SECRET_PATHS = re.compile(r"(/account/reset/)\S+")


def told(error: BaseException | None) -> str:
    """A traceback, the cause first.

    What Python or the rules say of a fault below `games/` may name a hidden card: of these errors only the type is
    told. Those of the database and the network keep their text.
    """
    parts: list[str] = []
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        own = type(error).__module__.partition(".")[0] in ("builtins", "games") and not isinstance(error, OSError)
        hide = own and any(frame.filename.startswith(GAMES) for frame in frames)
        text = type(error).__qualname__ if hide or not str(error) else f"{type(error).__qualname__}: {error}"
        parts.insert(0, "".join(traceback.format_list(frames)) + text)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n\n".join(parts)


def clean(text: str) -> str:
    """A line of the log without what opens a door."""
    return SECRET_PATHS.sub(r"\1...", text)


class Plain(logging.Formatter):
    """For people who look at a terminal."""

    def formatException(self, exc_info):
        return told(exc_info[1])

    def format(self, record):
        return clean(super().format(record))


class Json(JsonFormatter):
    """For programs: time, level, name, message, and exc_info with a traceback."""

    def __init__(self):
        super().__init__(
            ["levelname", "name", "message"],
            rename_fields={"levelname": "level", "name": "logger"},
            timestamp="time",
        )

    def formatException(self, exc_info):
        return told(exc_info[1])

    def process_log_record(self, log_data):
        """Only these fields: Django adds whole requests to others."""
        names = ("time", "level", "logger", "message", "exc_info", "status_code")
        return {
            name: clean(value) if isinstance(value := log_data[name], str) else value
            for name in names
            if name in log_data
        }
