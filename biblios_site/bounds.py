"""What the server takes in from one connection before the site has a say: so much, and in so much time.

Twisted would write a body of any size to a file before anybody looks at it, and give all the time of the world to who
sends drop by drop.
"""

from io import BytesIO

from daphne.http_protocol import HTTPFactory, WebRequest
from twisted.web import http

BODY_BYTES = 256 * 1024
"""The largest form of ours, a report, is a tenth of it."""
MESSAGE_BYTES = 16 * 1024
"""A message of a socket in one piece: beyond it the connection is closed before it is read."""
PIECES_BYTES = 256 * 1024
"""A message in many pieces. It is also the most that the site can send: the largest boards are a fourth of it."""
ARRIVAL_S = 60
"""After a connection was opened, or the answer before was sent, the next request has to be there in full."""
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Request(WebRequest):
    """A request whose body stays small, in memory, and is read by the site alone."""

    refused = False

    def __init__(self, *args, **kwargs):
        super().__init__(*args, parsePOSTFormSubmission=False, **kwargs)

    def gotLength(self, length):
        self.content = BytesIO()
        if length is not None and length > BODY_BYTES:
            self.refuse()

    def handleContentChunk(self, data):
        if self.refused:
            return
        self.content.write(data)
        if self.content.tell() > BODY_BYTES:
            self.refuse()

    def requestReceived(self, command, path, version):
        if not self.refused:
            super().requestReceived(command, path, version)

    def refuse(self):
        """Answer at once, and read no more."""
        self.refused = True
        self.requestHeaders.removeHeader(b"Expect")  # or the channel would ask for the body
        self.content = BytesIO()
        self.channel.transport.write(TOO_LARGE)
        self.channel.loseConnection()


class Channel(http.HTTPChannel):
    """A connection on which what comes drop by drop gets no more time."""

    def resetTimeout(self):
        pass


class Factory(HTTPFactory):
    """Daphne's, with these bounds."""

    protocol = Channel

    def __init__(self, server):
        super().__init__(server)
        self.timeOut = ARRIVAL_S

    def buildProtocol(self, addr):
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol
