"""Posts to addresses that people have entered, without letting them reach what only this machine can reach.

The name is looked up once; each address that it has must be one of the public Internet, and the connection goes to an
address that was checked, so that a second answer of the name server changes nothing (DNS rebinding). No redirect is
followed, and everything has a time and a size.
"""

from __future__ import annotations

import ssl
from contextlib import suppress
from http.client import HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from socket import SHUT_RDWR, SOCK_STREAM, create_connection, getaddrinfo, socket
from threading import Event, Thread, Timer
from urllib.parse import urlsplit

PORT = 443
LOOKUP_S = 4.0
"""How long the name server may take ..."""
CONNECT_S = 4.0
"""... then a connection ..."""
WHOLE_S = 8.0
"""... and this with everything after it."""
MOST_BYTES = 4096
"""How much of an answer is read."""
UNICAST = ip_network("2000::/3")
"""The addresses of IPv6 that are given out."""
SPECIAL = [
    ip_network(text)
    for text in ("192.0.0.0/24", "192.88.99.0/24", "64:ff9b::/96", "2002::/16", "2001::/23", "3fff::/20")
]
"""What the library takes for public and is not (IANA), or leads to addresses of IPv4, which may be private."""


class Unreachable(Exception):
    """Nothing was sent, or no answer came: the text says why, in a word or two."""


def wrong(address: str) -> bool:
    """Whether this cannot be the address of a webhook, as far as one sees without looking it up."""
    try:
        parts = urlsplit(address)
        fine = parts.scheme == "https" and parts.port in (None, PORT) and parts.username is None and parts.hostname
        printable = address.isascii() and address.isprintable() and " " not in address
    except ValueError:
        return True
    if not fine or not printable or parts.fragment:
        return True
    try:
        return not is_public(ip_address(parts.hostname or ""))
    except ValueError:
        return "." not in (parts.hostname or "")


def host_of(address: str) -> str:
    """The name of the server of an address that is not wrong."""
    return urlsplit(address).hostname or ""


def is_public(found: IPv4Address | IPv6Address) -> bool:
    """Whether an address belongs to the public Internet, and to one machine there."""
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return is_public(found.ipv4_mapped)
        if found not in UNICAST or found.scope_id:
            return False
    return found.is_global and not found.is_multicast and not any(found in network for network in SPECIAL)


def addresses(host: str) -> list[str]:
    """The addresses of a host, if all of them are public. Raises Unreachable."""
    found = list[str]()
    asking = Thread(target=_look_up, args=[host, found], name="lookup", daemon=True)
    asking.start()
    asking.join(LOOKUP_S)  # the library has no limit, and cannot be interrupted
    if asking.is_alive():
        raise Unreachable("too slow")
    if not found:
        raise Unreachable("name not found")
    if not all(is_public(ip_address(each)) for each in found):
        raise Unreachable("not a public address")
    return found


def _look_up(host: str, found: list[str]) -> None:
    with suppress(OSError, UnicodeError):
        rows = getaddrinfo(host, PORT, type=SOCK_STREAM)
        found += dict.fromkeys(str(row[4][0]) for row in rows)


class Checked(HTTPSConnection):
    """A connection to an address that was checked, with the certificate of the name."""

    def __init__(self, host: str, at: str) -> None:
        super().__init__(host, PORT, timeout=CONNECT_S)
        self.at = at

    def connect(self) -> None:
        plain = create_connection((self.at, self.port), CONNECT_S)
        # The handshake may be hung up on, too.
        self.sock = trusted().wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock.do_handshake()


def trusted() -> ssl.SSLContext:
    """Whose certificates are believed."""
    return ssl.create_default_context()


def post(address: str, body: bytes, headers: dict[str, str]) -> int:
    """Post to an address. Returns the status of the answer; raises Unreachable if there is none."""
    if wrong(address):
        raise Unreachable("not a public address")
    parts = urlsplit(address)
    host = host_of(address)
    connection, late = Checked(host, addresses(host)[0]), Event()
    hangs_up = Timer(WHOLE_S, _hang_up, [connection, late])
    hangs_up.start()
    try:
        connection.connect()
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read(MOST_BYTES)
    except (OSError, HTTPException, ValueError) as error:
        slow = late.is_set() or isinstance(error, TimeoutError)
        raise Unreachable("too slow" if slow else type(error).__name__) from error
    finally:
        hangs_up.cancel()
        connection.close()
    if late.is_set():
        raise Unreachable("too slow")  # what had come by then was taken for a whole answer
    return answer.status


def _hang_up(connection: Checked, late: Event) -> None:
    late.set()
    with suppress(OSError):  # it has just been closed
        if connection.sock is not None:
            # Below TLS: another thread still reads from that.
            socket.shutdown(connection.sock, SHUT_RDWR)
