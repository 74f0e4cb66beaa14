"""The process in which bots think: reads calls from its standard input and writes what comes of them.

It is begun by `thinking`, and imports what it is asked to call: of the engine, so neither Django nor a database.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback


def main(niceness: int) -> None:
    """Answer calls until nobody can ask any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever asks
    os.nice(niceness)
    calls, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    while True:
        try:
            call = pickle.load(calls)
        except EOFError:
            return
        try:
            function, arguments = pickle.loads(call)
            answer = function(*arguments), ""
        except Exception:
            answer = None, traceback.format_exc()
        try:
            pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()
        except BrokenPipeError:
            os._exit(0)  # whoever asked is gone; there is nothing to flush


if __name__ == "__main__":
    main(int(sys.argv[1]))
