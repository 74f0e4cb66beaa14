import pytest
from asgiref.testing import ApplicationCommunicator
from django.test import override_settings

from biblios_site.health import health

pytestmark = pytest.mark.django_db(transaction=True)


async def ask(path):
    """Status and text of an answer; another page than the two is "the site"."""

    async def site(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"the site"})

    communicator = ApplicationCommunicator(health(site), {"type": "http", "path": path, "method": "GET", "headers": []})
    await communicator.send_input({"type": "http.request"})
    start = await communicator.receive_output()
    body = await communicator.receive_output()
    assert b"set-cookie" not in dict(start["headers"])
    return start["status"], body["body"].decode()


async def test_a_process_that_answers_is_alive_and_ready():
    assert await ask("/healthz") == (200, "alive\n")
    assert await ask("/readyz") == (200, "ready\n")
    assert await ask("/") == (200, "the site")


async def test_a_process_without_its_redis_is_alive_but_not_ready():
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        assert await ask("/healthz") == (200, "alive\n")
        assert await ask("/readyz") == (503, "away: redis\n")
