"""A server of the public Internet to test with: HTTPS on this machine, with a certificate that is believed here."""

import ssl
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

NAME = "hooks.example.org"


def certificate(folder, name=NAME):
    """A self-signed certificate with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / f"{name}.pem"
    file.write_bytes(made.public_bytes(pem) + secret)
    return file


class Server:
    """What it was sent, and how it answers: a status, or a fault by name."""

    def __init__(self):
        self.got = []
        self.answers = 204
        self.stopped = threading.Event()


@contextmanager
def serving(file):
    """The server, while it runs; its `port` is any."""
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            server.got.append((self.path, dict(self.headers), body))
            getattr(self, f"answer_{server.answers}", self.answer)()

        do_GET = do_POST

        def answer(self):
            self.send_response(server.answers)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def answer_redirect(self):
            self.send_response(302)
            self.send_header("Location", f"https://{NAME}/elsewhere")
            self.end_headers()

        def answer_megabytes(self):
            self.send_response(200)
            self.end_headers()
            while not server.stopped.is_set():
                self.wfile.write(b"x" * 65536)

        def answer_hangs(self):
            server.stopped.wait(30)

        def answer_drips(self):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while not server.stopped.wait(0.05):
                self.wfile.write(b"X-Drip: 1\r\n")

        def log_message(self, *args):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.daemon_threads = True
    running.handle_error = lambda *args: None  # the other side hangs up, as it should
    running.socket = context.wrap_socket(running.socket, server_side=True)
    server.port = running.server_port
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.stopped.set()
        running.shutdown()
        thread.join()
        running.server_close()


def seconds(act):
    """What an act raised, and how long it took."""
    since = time.monotonic()
    try:
        act()
        fault = None
    except Exception as error:
        fault = str(error)
    return fault, time.monotonic() - since
