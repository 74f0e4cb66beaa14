import asyncio
import gc
import weakref

import pytest

from biblios_site import stalls
from games.hub import metrics


def measured():
    """How many stalls there were, and how many seconds altogether."""
    samples = {sample.name: sample.value for metric in metrics.loop_stall.collect() for sample in metric.samples}
    return samples["biblios_loop_stall_seconds_count"], samples["biblios_loop_stall_seconds_sum"]


async def test_a_loop_that_is_held_up_says_for_how_long(monkeypatch):
    async def application(scope, receive, send): ...

    loop, late = asyncio.get_running_loop(), 0
    clock = loop.time
    monkeypatch.setattr(loop, "time", lambda: clock() + late)
    count, seconds = measured()
    await stalls.watched(application)({"type": "http"}, None, None)
    late = 7
    while measured()[0] == count:
        await asyncio.sleep(0)
    assert 6 < measured()[1] - seconds < 60


@pytest.fixture
def garbage():
    """Garbage that has survived all rounds of the young; it gives what is left of it."""

    class Match: ...

    match = Match()
    match.seat = match
    gc.collect()
    left = weakref.ref(match)
    del match
    # The collector counts only rounds of its own accord.
    before, threshold = gc.get_count()[2], gc.get_threshold()
    gc.set_threshold(1, 1, 1_000_000)
    kept = []
    while gc.get_count()[2] == before:
        kept.append([])
    gc.set_threshold(*threshold)
    assert left()
    return left


@pytest.mark.parametrize("busy", ["", "answers", "pages"])
async def test_old_garbage_is_collected_while_nobody_plays(garbage, busy):
    watch = stalls.Watch(asyncio.get_running_loop())
    watch.looks = stalls.QUIET - 1
    if busy == "answers":
        metrics.moves.inc()
    elif busy == "pages":
        watch.worked_s -= stalls.IDLE_S
    watch.look()
    assert bool(garbage()) == bool(busy)
