"""Sessions that end while the processes of the site do not hear each other."""

from queue import SimpleQueue

import pytest
from asgiref.sync import sync_to_async

from accounts.people import sessions
from games.hub import nudges, relay, sockets
from games.matches.models import ChatLine
from games.table import room
from tests.matches.matches import seated
from tests.people import person
from tests.sockets import opening

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def pages(static_files):
    async with opening() as opener:
        yield opener


@pytest.fixture
async def table(static_files):
    return await sync_to_async(seated)("ann", "bob", watch="none")


@pytest.fixture
def deaf(monkeypatch):
    """There are other processes, and nothing arrives from them."""
    monkeypatch.setattr(relay, "_outbox", SimpleQueue())


@pytest.fixture
def end(monkeypatch):
    """Ends somebody's sessions in another process."""

    @sync_to_async
    def end(name):
        with monkeypatch.context() as patch:
            patch.setattr(nudges, "signed_out", lambda user: None)
            sessions.end(person(name))

    return end


@pytest.mark.parametrize("where", ["table", "/ws/bell", "/ws/play"])
async def test_when_others_are_heard_again_pages_of_ended_sessions_close(pages, table, end, where):
    page = await pages(f"/ws/m/{table.key}" if where == "table" else where, "ann")
    await page.receive_from()
    await end("ann")
    nudges.missed()
    assert await page.closed_with() == sockets.SIGNED_OUT


async def test_while_others_are_not_heard_nothing_is_taken_from_an_ended_session(pages, table, end, deaf):
    page = await pages(
        f"/ws/m/{table.key}", await sync_to_async(lambda: table.seats.all()[table.mover].user.username)()
    )
    assert await page.reaches(0)
    await end("ann")
    await end("bob")
    await page.answers(0, "keep")
    await page.sends(text="still here")
    assert await page.closed_with() == sockets.SIGNED_OUT
    assert not await sync_to_async(table.log.exists)() and not await sync_to_async(ChatLine.objects.exists)()


async def test_while_others_are_not_heard_sessions_are_looked_at_all_the_time(pages, table, end, deaf, monkeypatch):
    monkeypatch.setattr(room, "DEAF_S", 0.01)
    page = await pages(f"/ws/m/{table.key}", "ann")
    assert await page.reaches(0)
    await end("ann")
    assert await page.closed_with() == sockets.SIGNED_OUT
