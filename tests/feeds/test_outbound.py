"""Posts leave for the public Internet only, to the address that was checked, and come back in time."""

from ipaddress import ip_address
from threading import Event

import pytest

from games.feeds import outbound
from tests.feeds.server import NAME, seconds

pytestmark = pytest.mark.once

AT = f"https://{NAME}/hook?key=1"


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.9.9.9", "169.254.169.254", "172.31.0.1"),
        *("192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "203.0.113.9", "224.0.0.1"),
        *("240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1"),
        *("2001::1", "2001:db8::1", "2002:7f00:1::1", "3fff::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1"),
    ],
)
def test_special_addresses_are_not_public(address):
    assert not outbound.is_public(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "::ffff:8.8.8.8", "2606:4700::1111", "185.1.2.3"])
def test_others_are(address):
    assert outbound.is_public(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        *("http://example.org/", "ftp://example.org/", "https://", "https:///x", "//example.org", "example.org", ""),
        *("https://localhost/", "https://intranet/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.7/x"),
        *("https://me@example.org/", "https://me:pw@example.org/", "https://example.org:22/", "https://example.org:x/"),
        *("https://exa mple.org/", "https://example.org/\r\nHost: x", "https://bücher.example/", "https://[::1/"),
        *("https://example.org/#part", "https://[fe80::1%25eth0]/"),
    ],
)
def test_what_is_no_address_of_a_webhook_is_seen_at_once(address):
    assert outbound.wrong(address)


def test_a_post_arrives_with_the_name_and_the_certificate_of_its_address(server):
    assert outbound.post(AT, b"hello", {"X-A": "b"}) == 204
    [(path, headers, body)] = server.got
    assert (path, headers["Host"], headers["X-A"], body) == ("/hook?key=1", NAME, "b", b"hello")
    assert server.asked == [NAME] and server.reached == [("198.18.0.1", 443)]  # looked up once


@pytest.mark.parametrize("host", ["inside.example.org", "both.example.org"])
def test_a_name_that_leads_inside_is_not_connected_to(server, host):
    assert seconds(lambda: outbound.post(f"https://{host}/", b"", {}))[0] == "not a public address"
    assert server.reached == []


def test_an_unknown_name_is_said(server):
    assert seconds(lambda: outbound.post("https://nowhere.example.org/", b"", {}))[0] == "name not found"


def test_a_redirect_is_an_answer_and_is_not_followed(server):
    server.answers = "redirect"
    assert outbound.post(AT, b"", {}) == 302 and len(server.got) == 1


def test_of_a_long_answer_little_is_read(server):
    server.answers = "megabytes"
    assert outbound.post(AT, b"", {}) == 200


@pytest.mark.parametrize("answers", ["hangs", "drips"])
def test_a_server_that_takes_its_time_is_hung_up_on(server, answers, monkeypatch):
    monkeypatch.setattr(outbound, "WHOLE_S", 0.5)
    server.answers = answers
    fault, took = seconds(lambda: outbound.post(AT, b"", {}))
    assert fault == "too slow" and took < 3


def test_a_name_server_that_takes_its_time_is_not_waited_for(monkeypatch):
    answered = Event()
    monkeypatch.setattr(outbound, "getaddrinfo", lambda *_args, **_options: answered.wait(30) and [])
    monkeypatch.setattr(outbound, "LOOKUP_S", 0.1)
    fault, took = seconds(lambda: outbound.post(AT, b"", {}))
    answered.set()
    assert fault == "too slow" and took < 3


def test_a_certificate_of_another_name_is_not_believed(server, tmp_path, monkeypatch):
    monkeypatch.setattr(outbound, "trusted", outbound.ssl.create_default_context)
    assert seconds(lambda: outbound.post(AT, b"", {}))[0] == "SSLCertVerificationError" and server.got == []
