"""What is called in the process that thinks: this module imports nothing of the site."""

import os
import signal
import sys


def modules():
    return {name.partition(".")[0] for name in sys.modules}


def environment():
    return dict(os.environ)


def die(*_given):
    os.kill(os.getpid(), signal.SIGKILL)


def fail():
    raise ValueError("none such")
