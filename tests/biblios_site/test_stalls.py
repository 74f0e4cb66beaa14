import asyncio
import gc
import sys
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


class Match: ...


def garbage(kept):
    """Something that only the collector would find, and that it kept before, if so; it gives what is left of it."""
    match = Match()
    match.seat = match
    if kept:
        gc.freeze()
    return weakref.ref(match)


@pytest.fixture
def watch():
    """That of this loop; what it keeps is not kept any longer afterwards."""
    yield lambda: stalls.Watch(asyncio.get_running_loop())
    gc.unfreeze()


async def test_what_has_become_old_is_looked_through_once(watch, monkeypatch):
    watch, left = watch(), garbage(kept=False)
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, stalls.ROUNDS - 1))
    watch.look()
    assert left()
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, stalls.ROUNDS))
    watch.look()
    assert not left()
    assert len(gc.get_objects()) < 1_000, "all that is still there is kept"


@pytest.mark.parametrize("busy", ["", "answers", "pages", "little more"])
async def test_what_was_kept_is_collected_while_nobody_plays(watch, busy):
    left, watch = garbage(kept=True), watch()
    watch.looks = stalls.QUIET - 1
    watch.blocks -= 0 if busy == "little more" else stalls.MANY + 10_000
    if busy == "answers":
        metrics.moves.inc()
    elif busy == "pages":
        watch.worked_s -= stalls.IDLE_S
    watch.look()
    assert bool(left()) == bool(busy)


async def test_what_has_gone_by_itself_leaves_no_room_for_garbage(watch):
    watch = watch()
    watch.blocks += stalls.MANY
    watch.looks = stalls.QUIET - 1
    watch.look()
    assert watch.blocks <= sys.getallocatedblocks() + 10_000
