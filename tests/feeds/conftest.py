import socket
import ssl

import pytest

from games.feeds import outbound
from tests.feeds.server import NAME, certificate, serving


@pytest.fixture(scope="session")
def pem(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("server"))


@pytest.fixture
def server(pem, monkeypatch):
    """A server at https://hooks.example.org: names are looked up here, and its certificate is believed."""
    asked = []
    connect = socket.create_connection

    def lookup(host, port, **_options):
        asked.append(host)
        known = {NAME: ["198.18.0.1"], "inside.example.org": ["10.0.0.7"], "both.example.org": ["8.8.8.8", "127.0.0.1"]}
        if host not in known:
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in known[host]]

    with serving(pem) as running:
        running.asked, running.reached = asked, []

        def reach(address, timeout):
            running.reached.append(address)
            assert address == ("198.18.0.1", 443)
            return connect(("127.0.0.1", running.port), timeout)

        context = ssl.create_default_context(cafile=str(pem))
        public = outbound.is_public
        monkeypatch.setattr(outbound, "is_public", lambda found: str(found) == "198.18.0.1" or public(found))
        monkeypatch.setattr(outbound, "getaddrinfo", lookup)
        monkeypatch.setattr(outbound, "create_connection", reach)
        monkeypatch.setattr(outbound, "trusted", lambda: context)
        yield running
