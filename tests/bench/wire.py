"""A browser as small as can be: forms and cookies over HTTP/1.1, text messages over a WebSocket (RFC 6455).

It shares its machine with the server that it loads, so it does only what a test run needs.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode, urljoin, urlsplit

ACCEPTED = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
KEPT_S = 2
"""How long after its last answer a connection is believed to be open."""


@cache
def trust() -> ssl.SSLContext:
    """Whose certificates are believed: those of the machine, or those in the file that SSL_CERT_FILE names."""
    return ssl.create_default_context()


def way(site: str) -> dict:
    """What asyncio has to know to connect to a site."""
    parts = urlsplit(site)
    if parts.scheme == "https":
        return {"host": parts.hostname, "port": parts.port or 443, "ssl": trust()}
    return {"host": parts.hostname, "port": parts.port}


@dataclass(frozen=True)
class Answer:
    """What came back: the path is where the redirects led to."""

    status: int
    path: str
    text: str


class Browser:
    """Somebody's cookies, and a connection that is kept for the next request."""

    def __init__(self, site: str, cookies: dict[str, str] | None = None):
        self.site = site
        self.host = urlsplit(site).netloc
        self.cookies = dict(cookies or {})
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.used_at = 0.0

    async def get(self, path: str, headers: str = "") -> Answer:
        """The page at this path; each line of further headers ends as HTTP has it."""
        return await self._follow("GET", path, headers=headers)

    async def post(self, path: str, **fields: str | list[str]) -> Answer:
        """Send a form, with the token of the site; the page that one is led to."""
        return await self._follow("POST", path, urlencode(fields, doseq=True).encode())

    async def socket(self, path: str, heard: Callable[[str], None], closed: Callable[[int], None]) -> Socket:
        """An open WebSocket. Raises ConnectionError if the server refuses it."""
        loop = asyncio.get_running_loop()
        socket = Socket(heard, closed)
        await loop.create_connection(lambda: socket, **way(self.site))
        await socket.greet(path, f"Host: {self.host}\r\nOrigin: {self.site}\r\n{self._cookie_line()}")
        return socket

    async def close(self) -> None:
        """Keep the connection no longer."""
        if self.streams:
            self.streams[1].close()
            self.streams = None

    def _cookie_line(self) -> str:
        pairs = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return f"Cookie: {pairs}\r\n" if pairs else ""

    async def _follow(self, method: str, path: str, body: bytes = b"", headers: str = "") -> Answer:
        while True:
            status, answered, text = await self._ask(method, path, body, headers)
            if status not in (301, 302, 303):
                return Answer(status, path, text.decode())
            parts = urlsplit(urljoin(path, answered["location"]))
            method, path, body = "GET", parts.path + (f"?{parts.query}" if parts.query else ""), b""

    async def _ask(self, method: str, path: str, body: bytes, more: str) -> tuple[int, dict[str, str], bytes]:
        lines = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\n{self._cookie_line()}{more}"
        if method == "POST":
            token = self.cookies.get("__Host-csrftoken" if self.site.startswith("https:") else "csrftoken", "")
            lines += f"Origin: {self.site}\r\nX-CSRFToken: {token}\r\n"
            lines += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        if time.monotonic() - self.used_at > KEPT_S:
            await self.close()
        if self.streams is None:
            self.streams = await asyncio.open_connection(**way(self.site))
        reader, writer = self.streams
        writer.write(f"{lines}\r\n".encode() + body)
        status, headers = await self._head(reader)
        if headers.get("transfer-encoding") == "chunked":
            text = b""
            while size := int(await reader.readline(), 16):
                text += (await reader.readexactly(size + 2))[:-2]
            await reader.readline()
        else:
            text = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection", "").lower() == "close":
            await self.close()
        self.used_at = time.monotonic()
        return status, headers, text

    async def _head(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
        status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").rstrip().split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                name, _, value = value.partition(";")[0].partition("=")
                self.cookies[name] = value
            else:
                headers[name.lower()] = value
        return int(status.split(" ")[1]), headers


class Socket(asyncio.Protocol):
    """The client's end of a WebSocket: `heard(text)` gets each message, `closed(code)` is called once at the end."""

    def __init__(self, heard: Callable[[str], None], closed: Callable[[int], None]):
        self.heard, self.closed = heard, closed
        self.rest = b""
        self.parts: list[bytes] = []
        self.code = 1006
        self.greeted: asyncio.Future | None = asyncio.get_running_loop().create_future()
        self.gone = asyncio.get_running_loop().create_future()
        self.got_bytes = 0
        self.pong: asyncio.Future | None = None

    async def greet(self, path: str, headers: str) -> None:
        """Ask for a WebSocket. Raises ConnectionError if it is refused."""
        key = base64.b64encode(os.urandom(16))
        self.expected = base64.b64encode(hashlib.sha1(key + ACCEPTED).digest())
        upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        self.transport.write(
            f"GET {path} HTTP/1.1\r\n{headers}{upgrade}Sec-WebSocket-Key: {key.decode()}\r\n\r\n".encode()
        )
        await self.greeted

    def send(self, text: str) -> None:
        """Send a message."""
        self._frame(TEXT, text.encode())

    async def ping(self) -> float:
        """Seconds until the other side has answered a ping."""
        self.pong, began = asyncio.get_running_loop().create_future(), time.perf_counter()
        self._frame(PING, b"")
        await self.pong
        return time.perf_counter() - began

    async def close(self) -> None:
        """Close, and wait for the other side to do so."""
        if not self.transport.is_closing():
            self._frame(CLOSE, (1000).to_bytes(2))
        await self.gone

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, exc):
        if self.greeted:
            if not self.greeted.done():
                self.greeted.set_exception(ConnectionError("The connection ended before the socket was open."))
            self.greeted = None
        else:
            self.closed(self.code)
        for waiting in (self.gone, self.pong):
            if waiting and not waiting.done():
                waiting.set_result(None)

    def data_received(self, data):
        self.got_bytes += len(data)
        if self.rest:
            data, self.rest = self.rest + data, b""
        if self.greeted:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self.rest = head
                return
            self._welcome(head)
        at, end = 0, len(data)
        while end - at >= 2:
            start, size = at + 2, data[at + 1]
            if size == 126:
                start, size = at + 4, int.from_bytes(data[at + 2 : at + 4])
            elif size == 127:
                start, size = at + 10, int.from_bytes(data[at + 2 : at + 10])
            if end < start or end < start + size:
                break
            self._take_in(data[at], data[start : start + size])
            at = start + size
        if at < end:
            self.rest = data[at:]

    def _welcome(self, head: bytes) -> None:
        greeted, self.greeted = self.greeted, None
        if head.startswith(b"HTTP/1.1 101") and self.expected in head:
            greeted.set_result(None)
            return
        greeted.set_exception(ConnectionError(head.partition(b"\r\n")[0].decode("latin-1")))
        self.transport.close()

    def _take_in(self, first: int, payload: bytes) -> None:
        kind = first & 15
        if kind <= TEXT:
            if first & 128 and not self.parts:
                self.heard(payload.decode())
                return
            self.parts.append(payload)
            if first & 128:
                parts, self.parts = self.parts, []
                self.heard(b"".join(parts).decode())
        elif kind == PING:
            self._frame(PONG, payload)
        elif kind == PONG and self.pong and not self.pong.done():
            self.pong.set_result(None)
        elif kind == CLOSE:
            self.code = int.from_bytes(payload[:2]) if payload else 1005
            if not self.transport.is_closing():
                self._frame(CLOSE, payload[:2])
                self.transport.close()

    def _frame(self, kind: int, payload: bytes) -> None:
        """Send a frame. One of a client is masked."""
        size = len(payload)
        head = bytes([128 | kind, 128 | size]) if size < 126 else bytes([128 | kind, 254]) + size.to_bytes(2)
        mask = os.urandom(4)
        long_mask = int.from_bytes((mask * (size // 4 + 1))[:size])
        self.transport.write(head + mask + (int.from_bytes(payload) ^ long_mask).to_bytes(size))
