"""What validators ask of every page, of which nothing else takes care."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from tests.people import person

LANDMARKS = {"nav", "aside", "header", "footer", "main", "form", "section"}
PAGES = ("/", "/play", "/create", "/watch", "/clubs", "/leaders", "/rules", "/log", "/sign-up", "/sign-in", "/none")


class Markup(HTMLParser):
    """The buttons without a type and the names of the landmarks of a page."""

    def __init__(self, page):
        super().__init__()
        self.untyped, self.named = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "button" and "type" not in attrs:
            self.untyped.append(attrs)
        name = attrs.get("aria-label") or attrs.get("aria-labelledby")
        if tag in LANDMARKS and name:
            self.named.append((tag, name))


@pytest.mark.django_db
@pytest.mark.quick
@pytest.mark.parametrize("signed_in", [False, True])
@pytest.mark.parametrize("path", PAGES)
def test_every_button_has_a_type_and_every_landmark_a_name_of_its_own(client, path, signed_in):
    if signed_in:
        client.force_login(person("ann"))
    markup = Markup(client.get(path, follow=True).text)
    assert markup.untyped == []
    assert sorted(set(markup.named)) == sorted(markup.named)


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES[:-1])
def test_every_page_says_what_it_is_to_search_engines_and_messengers(client, path, static_files):
    page = client.get(path, follow=True).text
    assert len(re.findall(r'<meta name="description" content="[^"]{40,160}">', page)) == 1
    assert re.search(r'<meta property="og:image" content="http://[^"/]+/static/icons/512\.[0-9a-f]{12}\.png">', page)


def test_robots_stay_away_from_what_is_one_persons_own(client):
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    assert "Disallow: /account" in answer.text.splitlines()


def test_a_device_can_keep_the_site_beside_its_apps(client, static_files):
    kept = client.get("/manifest.webmanifest").json()
    assert (kept["name"], kept["display"]) == ("Armarium", "standalone")
    for icon in kept["icons"]:
        made = Path(finders.find(re.sub(r"^/static/|\.[0-9a-f]{12}", "", icon["src"])))
        size = int(icon["sizes"].partition("x")[0]).to_bytes(4, "big")
        assert made.read_bytes()[16:24] == size + size  # width and height in a PNG's head
