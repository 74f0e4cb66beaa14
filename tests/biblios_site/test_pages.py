import re
import sqlite3
from contextlib import closing
from tempfile import NamedTemporaryFile

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import connection
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.test import override_settings
from django.urls import path

from biblios_site.urls import handler500  # noqa: F401  (of these addresses too)
from biblios_site.urls import urlpatterns as site

pytestmark = [pytest.mark.django_db, pytest.mark.once]

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))


def broken(request):
    raise ZeroDivisionError


def held_up(request, what):
    """Somebody else is writing, and does not end."""
    with NamedTemporaryFile() as file, closing(sqlite3.connect(file.name)) as other:
        other.execute("CREATE TABLE rows (number)")
        other.execute("BEGIN IMMEDIATE")
        mine = DatabaseWrapper({**connection.settings_dict, "NAME": file.name, "OPTIONS": {"timeout": 0}})
        with closing(mine), mine.cursor() as cursor:
            cursor.execute(f"INSERT INTO {what} VALUES (1)")


urlpatterns = [*site, path("broken", broken), path("held-up/<what>", held_up)]


def page(client, address, status=200):
    response = client.get(address)
    assert response.status_code == status
    return response.content.decode()


def test_the_home_page_shows_each_game_with_its_picture_and_ways_to_begin(client):
    html = page(client, "/")
    assert "Outbid your friends for the best library." in html
    assert html.count('class="die"') == html.count('class="ex-card"') == 5
    assert html.count('class="card"') == 5 + 3  # three are sold at auction
    assert "Being played now" not in html
    assert 'aria-label="Monks 2, tie letter B"' in html
    assert 'aria-label="Forbidden Tomes die: 4"' in html
    for slug in ("biblios", "exlibris"):
        assert html.count(f'name="game" value="{slug}"') == 3  # to be chosen; against bots, and to learn it
        assert f'href="/rules/{slug}"' in html and f'href="/play?game={slug}"' in html


def test_every_symbol_and_static_file_of_the_home_page_exists(client):
    html = page(client, "/")
    for sheet in ("img/sprite", "biblios/pictures"):
        with open(finders.find(f"{sheet}.svg")) as file:
            symbols = set(re.findall(r'<symbol id="([^"]+)"', file.read()))
        assert set() < set(re.findall(rf'{sheet}\.\w+\.svg#([^"]+)"', html)) <= symbols
    for address in set(re.findall(r'"(/static/[^"#]+)', html)):
        response = client.get(address)
        assert response.status_code == 200
        assert response["Cache-Control"] == "max-age=315360000, public, immutable"


def test_a_static_file_can_be_asked_for_in_part_and_by_head(client):
    address = re.search(r"/static/css/base\S+\.css", page(client, "/"))[0]
    whole = client.get(address)
    assert whole["Content-Type"] == 'text/css; charset="utf-8"'
    assert client.get(address, headers={"range": "bytes=0-9"}).content == whole.content[:10]
    head = client.head(address)
    assert (head.content, head["Content-Length"]) == (b"", str(len(whole.content)))


@pytest.mark.parametrize("address", ["/", "/licence", "/nowhere", "/static/nothing.css", "/admin/login/"])
def test_every_answer_has_the_strict_policy_and_the_secure_headers(client, address):
    headers = client.get(address).headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_inline_style_or_script(template):
    text = template.read_text()
    assert not re.search(r"""\sstyle\s*=|<style|\son[a-z]+\s*=|\shx-on|javascript:|\|\s*safe\b""", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_title_of_a_page_has_markup_which_a_browser_would_show(template):
    titles = re.findall(r"block title %}(.*?){% endblock %}|<title>(.*?)</title>", template.read_text(), re.DOTALL)
    assert not re.search(r"<[a-z]", "".join(first or second for first, second in titles))


def test_a_page_that_is_not_there_says_so_in_the_same_dress(client):
    html = page(client, "/nowhere", 404)
    assert "This page isn’t in the library." in html
    assert "#wordmark" in html


@override_settings(ROOT_URLCONF=__name__)
def test_a_fault_shows_nothing_of_itself(client):
    client.raise_request_exception = False
    html = page(client, "/broken", 500)
    assert "Something went wrong here." in html
    assert "ZeroDivision" not in html


@override_settings(ROOT_URLCONF=__name__)
@pytest.mark.parametrize(("what", "status"), [("rows", 503), ("nothing", 500)])
def test_whoever_waited_in_vain_for_the_database_is_asked_to_try_again(client, what, status):
    client.raise_request_exception = False
    response = client.get(f"/held-up/{what}")
    assert (response.status_code, response.headers.get("Retry-After")) == (status, "5" if status == 503 else None)
    assert ("Go back and try again in a few seconds." in response.text) == (status == 503)


def test_the_licence_is_there_in_full(client):
    text = page(client, "/licence")
    assert text.lstrip().startswith("GNU AFFERO GENERAL PUBLIC LICENSE")
    assert "13. Remote Network Interaction" in text


def test_the_footer_links_the_source_code_where_its_address_is_known(client):
    assert "Source code" not in page(client, "/")
    with override_settings(SOURCE_URL="https://example.org/biblios"):
        assert '<a href="https://example.org/biblios">Source code</a>' in page(client, "/")


@pytest.mark.parametrize("address", ["/", "/licence"])
def test_the_pages_only_let_themselves_be_read(client, address):
    assert client.post(address).status_code == 405


def test_the_icon_is_found_where_browsers_look_for_it(client):
    response = client.get("/favicon.ico", follow=True)
    assert response.headers["Content-Type"] == "image/svg+xml"
