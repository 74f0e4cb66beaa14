"""The headers of every answer: what the browser must forbid, and where cookies go."""

import re
from http.cookies import SimpleCookie

import pytest
from django.conf import settings

from biblios_site import middleware
from tests.security import world
from tests.security.server import get, running
from tests.security.test_who_may import PAGES, TABLES, admin_table, read

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.slow]

ALWAYS = {
    "Content-Security-Policy": middleware.POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FRAMED = {
    "Content-Security-Policy": middleware.POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
    "X-Frame-Options": None,
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""What the one page has instead that other sites may show in a frame."""


def check(headers, address, framed=False):
    """Whether all is there that every answer has."""
    always = ALWAYS | (FRAMED if framed else {})
    # Of a static file nothing can be framed or opened: Django's middleware for that comes after it.
    for name, value in always.items():
        if not (address.startswith("/static/") and name == "X-Frame-Options"):
            assert headers.get(name) == value, (address, name)
    policy = dict(part.split("=") for part in headers["Permissions-Policy"].split(", "))
    assert set(policy.values()) == {"()"} and {"camera", "microphone", "geolocation", "payment"} <= set(policy)


def test_the_policy_lets_nothing_in_from_elsewhere_and_nothing_that_stands_in_the_page():
    policy = dict(part.split(" ", 1) for part in middleware.POLICY.split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert {name for name, allowed in policy.items() if allowed != "'none'" and allowed != "'self'"} == {"img-src"}
    assert policy["img-src"] == "'self' data:"


@pytest.mark.parametrize("role", ["anonymous", "host", "steward"])
def test_every_page_has_them_and_is_kept_by_no_cache_that_others_use(site, role):
    asked = {(route, kind) for _, route, kind in read(PAGES + TABLES)} | {(route, "") for route in admin_table()}
    for route, kind in sorted(asked):
        address = world.address_of(site, route, site.matches.get(kind))
        for method in ("get",) if role == "steward" else ("get", "put"):
            answer = getattr(world.client_of(site, role), method)(address)
            check(answer.headers, address, framed=route.endswith("/embed") and method == "get")
            if route.endswith("/result.png") and answer.status_code == 200:
                assert kind == "finished"  # anybody may see it
                continue
            assert re.search(r"\bprivate\b|\bno-store\b", answer["Cache-Control"]), address
            assert "public" not in answer["Cache-Control"], address


def test_every_static_file_has_them_too(site):
    client = world.browser()
    files = [path for path in settings.STATIC_ROOT.rglob("*") if path.is_file()]
    assert len(files) > 50
    for path in files:
        address = f"/static/{path.relative_to(settings.STATIC_ROOT)}"
        if not address.endswith((".gz", ".br", "staticfiles.json")):
            answer = client.get(address)
            assert answer.status_code == 200, address
            check(answer.headers, address)
            assert "Set-Cookie" not in answer.headers and not answer.cookies, address


@pytest.mark.parametrize("https", [False, True], ids=["embedded", "HTTPS"])
def test_cookies_go_to_this_site_alone(tmp_path, https):
    hosts = {"BIBLIOS_HOSTS": "127.0.0.1"}
    environment = {"BIBLIOS_HTTPS": "1", "BIBLIOS_HSTS": "subdomains", **hosts} if https else {}
    headers = {"X-Forwarded-Proto": "https"} if https else {}
    with running(tmp_path, **environment) as (port, _process):
        for address in ("/", "/sign-in", "/play", "/nowhere", "/static/img/icon.svg", "/admin/", "/licence"):
            answer, _ = get(port, address, **headers)
            check(answer.headers, address)
            assert answer.headers.get("Strict-Transport-Security") == (
                "max-age=31536000; includeSubDomains" if https else None
            )
        answer, html = get(port, "/sign-in", **headers)
        [(name, cookie)] = SimpleCookie(answer.headers["Set-Cookie"]).items()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', html)[1]
        assert name == ("__Host-csrftoken" if https else "csrftoken")
        assert (bool(cookie["secure"]), cookie["path"], cookie["domain"]) == (https, "/", "")
        assert cookie["samesite"] == "Lax"
        # Signed in as a guest, one has a session.
        scheme = "https" if https else "http"
        headers |= {
            "Cookie": f"{name}={cookie.value}",
            "X-CSRFToken": token,
            "Origin": f"{scheme}://127.0.0.1:{port}",
        }
        answer, _ = get(port, "/guest", method="POST", **headers)
        assert answer.status == 302
        jar = SimpleCookie()
        for line in answer.headers.get_all("Set-Cookie"):
            jar.load(line)
        session = jar["__Host-session" if https else "sessionid"]
        assert (bool(session["secure"]), bool(session["httponly"]), session["path"]) == (https, True, "/")
        assert (session["domain"], session["samesite"]) == ("", "Lax")
        if https:
            assert get(port, "/")[0].status == 301
