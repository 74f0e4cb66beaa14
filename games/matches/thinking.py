"""Thinking beside the process that serves pages: what takes time is computed by another one, which knows the engine
only.

So a page never waits because a bot thinks: an answer costs this process less time than the fastest bot would take here.
"""

from __future__ import annotations

import pickle
import select
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

from django.conf import settings

R = TypeVar("R")

LONGEST_S = 4
"""Who thinks for longer is stuck: one answer takes some hundredths of a second, and the process a second to begin."""


class Failed(Exception):
    """What was called has raised an exception. The text is its traceback."""


class Lost(Exception):
    """The other process has ended twice, or was stuck, over one call."""


class Thinker:
    """Another process, which is begun with the first call, and again whenever it has died."""

    def __init__(self, niceness: int = 0, longest_s: float = LONGEST_S) -> None:
        self._niceness, self._longest_s = niceness, longest_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def call(self, function: Callable[..., R], *arguments: Any) -> R:
        """What a function of the engine returns, computed there; one call at a time. All can be pickled.

        Raises Failed or Lost.
        """
        # Read there in two steps: what cannot be read leaves no half call behind.
        call = pickle.dumps(pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL))
        with self._lock:
            try:
                answer = self._asked(call)
            except (EOFError, pickle.UnpicklingError, OSError):
                # It may have died long ago: of memory that ran out, or by the hand of whoever runs the site.
                self._end()
                try:
                    answer = self._asked(call)
                except (EOFError, pickle.UnpicklingError, OSError) as error:
                    self._end()
                    raise Lost(f"the process that thinks has ended: {error}") from error
        found, failed = answer
        if failed:
            raise Failed(failed)
        return cast(R, found)

    def close(self) -> None:
        """End the process, if there is one."""
        with self._lock:
            self._end()

    def _asked(self, call: bytes) -> tuple[Any, str]:
        process = self._process = self._process or self._begin()
        assert process.stdin and process.stdout
        process.stdin.write(call)
        process.stdin.flush()
        there = select.poll()
        there.register(process.stdout, select.POLLIN)
        if not there.poll(self._longest_s * 1000):
            self._end()
            raise Lost(f"no answer in {self._longest_s} seconds")
        answer: tuple[Any, str] = pickle.load(process.stdout)
        return answer

    def _begin(self) -> subprocess.Popen[bytes]:
        # It needs no secrets of this process, and iterates over sets in the same order each time.
        return subprocess.Popen(
            [sys.executable, "-m", "games.matches.thinker", str(self._niceness)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=settings.BASE_DIR,
            env={"PYTHONHASHSEED": "0"},
        )

    def _end(self) -> None:
        if process := self._process:
            self._process = None
            process.kill()
            assert process.stdin and process.stdout
            process.stdout.close()
            with suppress(BrokenPipeError):
                process.stdin.close()  # what was still to be written is for nobody
            process.wait()


bots = Thinker()
"""Where bots think."""
