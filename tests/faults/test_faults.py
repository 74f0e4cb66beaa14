"""A short run of `python -m tests.faults`: one kill of each kind."""

import os

import pytest

from tests.components import do_without, missing
from tests.faults.__main__ import KINDS, runs


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="It brings its own servers: one run with Redis is enough.")
async def test_nothing_is_lost_whatever_is_killed():
    do_without(missing())
    assert await runs(1, kills=6, seed="short", scale=0.2, kinds=KINDS[:4]) == []
