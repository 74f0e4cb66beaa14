from contextlib import ExitStack
from functools import cache

import pytest

from tests.security.attacks import outside


@pytest.fixture(scope="session")
def attacked(tmp_path_factory):
    """A site with the settings of `./run`, which all attackers share; each has a network address of their own."""
    with outside.running(tmp_path_factory.mktemp("attacked")) as site:
        yield site


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """Starts a site with settings of its own, which all share who ask for the same: `shared(BIBLIOS_NEWCOMERS="2")`."""
    with ExitStack() as opened:

        @cache
        def shared(**environment):
            return opened.enter_context(outside.running(tmp_path_factory.mktemp("shared"), **environment))

        yield shared


@pytest.fixture
def attack(tmp_path):
    """Starts a site of the test's own, with settings of its own: `attack(BIBLIOS_NEWCOMERS="5")`."""
    opened = []

    def attack(**environment):
        running = outside.running(tmp_path / str(len(opened)), **environment)
        opened.append(running)
        return running.__enter__()

    yield attack
    for running in opened:
        running.__exit__(None, None, None)
