"""Forms that htmx sends: what it puts into the page, and where the browser goes by itself."""

import pytest

from tests.people import person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("here", "leads", "code"),
    [
        ("/play", None, 302),
        ("/play?game=biblios", "/play", 204),
        ("/watch", "/play", 204),
        ("", "/play", 204),
        ("[", "/play", 204),
    ],
)
def test_an_answer_that_is_another_page_is_loaded_as_a_page(here, leads, code, client):
    client.force_login(person("ann"))
    headers = {"HX-Request": "true"}
    if here:
        headers["HX-Current-URL"] = "http://[" if here == "[" else f"http://testserver{here}"
    answer = client.post("/play/quick/stop", headers=headers)
    assert (answer.status_code, answer.headers.get("HX-Redirect")) == (code, leads)
    assert answer.headers.get("Location") == (None if leads else "/play")


def test_a_browser_without_scripts_is_led_on_as_ever(client):
    client.force_login(person("ann"))
    assert client.post("/play/quick/stop").headers["Location"] == "/play"
