"""What pages of strangers share is drawn once, after what is being drawn, and not when nobody waits for it any more."""

import asyncio

import pytest

from games.hub.page import Drawing

NEW = ("", {"region": "new"})


class Desk:
    """Where it is drawn, one after the other."""

    def __init__(self):
        self.begun, self.done, self.free = 0, 0, asyncio.Event()

    async def draw(self):
        self.begun += 1
        await self.free.wait()
        self.done += 1
        return NEW


async def looking(drawing, desk, pages):
    """So many pages that wait for what is new."""
    drawing.changed = asyncio.get_running_loop().time()
    tasks = [asyncio.create_task(drawing.look(0, desk.draw)) for _ in range(pages)]
    await asyncio.sleep(0)
    return tasks


async def test_changes_meanwhile_are_drawn_once_more():
    drawing, desk = Drawing(), Desk()
    pages = [page for _ in range(5) for page in await looking(drawing, desk, 2)]
    assert desk.begun == 1
    desk.free.set()
    assert await asyncio.gather(*pages) == [NEW] * 10
    assert desk.done == 2


async def test_it_is_dropped_when_all_have_gone_and_not_before():
    drawing, desk = Drawing(), Desk()
    first, second = await looking(drawing, desk, 2)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert drawing.task and not drawing.task.cancelled()
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    [third] = await looking(drawing, desk, 1)
    desk.free.set()
    assert await third == NEW
    assert (desk.begun, desk.done) == (2, 1)
