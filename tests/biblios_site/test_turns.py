"""How requests take turns."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from django.conf import settings

from accounts.web.waiting import gives_way
from biblios_site import turns


@asynccontextmanager
async def gone_on():
    """Lets everything happen that can, afterwards."""
    yield
    for _ in range(10):
        await asyncio.sleep(0)


class Site:
    """A site whose requests are worked on until they are let go; `begun` are the paths of those that were begun."""

    def __init__(self):
        self.begun, self.goes_on = [], {}
        self.application = turns.in_turn(self.answer)

    async def answer(self, scope, receive, send):
        self.begun.append(scope["path"])
        await self.goes_on.setdefault(scope["path"], asyncio.Event()).wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.get_running_loop().create_future()  # whoever reads slowly holds up nobody

    async def asked(self, *paths, by="192.0.2.1"):
        """Requests for these pages."""
        async with gone_on():
            return [asyncio.create_task(self.ask(path, by)) for path in paths]

    async def ask(self, path, by):
        async def nothing(*_):
            pass

        scope = {"type": "http", "path": path, "headers": [], "client": (by, 1)}
        await self.application(scope, nothing, nothing)

    async def lets_go(self, *paths):
        async with gone_on():
            for path in paths:
                self.goes_on.setdefault(path, asyncio.Event()).set()


@pytest.fixture
async def site(monkeypatch):
    monkeypatch.setattr(turns, "AT_ONCE", 2)
    return Site()


async def test_a_few_are_worked_on_at_a_time_and_the_next_when_one_is_answered(site):
    asked = await site.asked("a", "b", "c", "d")
    assert site.begun == ["a", "b"]
    await site.lets_go("b")
    assert site.begun == ["a", "b", "c"]
    await site.lets_go("a", "c", "d")
    assert site.begun == ["a", "b", "c", "d"]
    assert not any(each.done() for each in asked)


async def test_networks_that_wait_come_one_after_the_other(site):
    await site.asked("1", "2", "3", "4", "5", by="192.0.2.1")
    await site.asked("6", "7", by="2001:db8::1")
    await site.asked("8", by="2001:db8::2")
    await site.asked("9", by="192.0.2.9")
    await site.lets_go(*"123456789")
    assert "".join(site.begun) == "123694758"


async def test_who_asks_for_the_status_waits_only_for_others_who_do(site):
    await site.asked("a", "b", "c", turns.STATUS, turns.STATUS)
    assert site.begun == ["a", "b", turns.STATUS]
    await site.lets_go(turns.STATUS)
    assert site.begun == ["a", "b", turns.STATUS, turns.STATUS]


async def test_who_no_longer_waits_takes_no_turn(site):
    await site.asked("a", "b")
    [gone] = await site.asked("gone")
    await site.asked("c")
    async with gone_on():
        gone.cancel()
    await site.lets_go("a")
    assert site.begun == ["a", "b", "c"]


async def test_who_is_called_and_leaves_at_that_moment_calls_the_next(site):
    [_a, _b] = await site.asked("a", "b")
    [gone, _c] = await site.asked("gone", "c")
    line = next(
        each.cell_contents for each in site.application.__closure__ if isinstance(each.cell_contents, turns.WaitingLine)
    )
    async with gone_on():
        line.end(turn=True, place=True)
        gone.cancel()
    assert site.begun == ["a", "b", "c"]


async def test_one_that_fails_leaves_its_turn(site):
    [a, _b] = await site.asked("a", "b")
    await site.asked("c")
    async with gone_on():
        a.cancel()
    assert site.begun == ["a", "b", "c"]


async def test_whoever_waits_for_something_else_gives_way(site, monkeypatch):
    monkeypatch.setattr(turns, "LONGEST_S", 0)
    await site.asked("a", "b", "c")
    assert site.begun == ["a", "b", "c"]


async def test_those_who_wait_for_something_else_leave_connections_to_the_sockets(monkeypatch):
    monkeypatch.setattr(turns, "LONGEST_S", 0)
    monkeypatch.setitem(settings.DATABASES["default"]["OPTIONS"], "pool", {"max_size": turns.RESERVED + 2})
    site = Site()
    await site.asked("a", "b", "c", "d")
    assert site.begun == ["a", "b"]
    await site.lets_go("b")
    assert site.begun == ["a", "b", "c"]
    await site.lets_go("a", "c")
    assert site.begun == ["a", "b", "c", "d"]


async def test_whoever_waits_for_a_password_gives_way_at_once_and_only_once(monkeypatch):
    monkeypatch.setattr(turns, "AT_ONCE", 1)
    begun, goes_on = [], asyncio.Event()

    async def answer(scope, receive, send):
        begun.append(scope["path"])
        if scope["path"] == "password":
            for _ in range(3):  # as when it is changed: it is checked, and the new one is hashed
                await asyncio.to_thread(gives_way.get())
        await goes_on.wait()

    site = Site()
    site.application = turns.in_turn(answer)
    await site.asked("password", "a", "b")
    while len(begun) < 2:
        await asyncio.sleep(0)
    async with gone_on():
        pass
    assert begun == ["password", "a"]
    goes_on.set()
