"""What is signed each day: a checkpoint of the log, as a signed note.

The formats are those of C2SP (c2sp.org/tlog-checkpoint, c2sp.org/signed-note), with lines of our own: the day, the hash
of the text of the day before, the key, so that a new key is signed by the old one, the key of receipts, for which the
first one answers, and, after a restore of an older database, the head that was given up. docs/log.md has every byte.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NOTHING = bytes(32)
"""The `previous` of the first checkpoint."""
ED25519 = b"\x01"
TEXT = re.compile(
    r"(?P<origin>[^\s+]+)\n(?P<size>0|[1-9]\d{0,17})\n(?P<root>\S{44})\n"
    r"day (?P<day>\d{4}-\d\d-\d\d)\nprevious (?P<previous>\S{44})\nkey (?P<key>\S{44})\n"
    r"(?:receipts (?P<receipts>\S{44})\n)?(?:replaces (?P<replaces>\S{44})\n)?",
    re.ASCII,
)


class BadNote(ValueError):
    """A text that is no signed checkpoint."""


class Checkpoint(NamedTuple):
    """The log at the end of a day."""

    origin: str
    """The name of the log: the site's address without its scheme, and `/log`."""
    size: int
    """The number of entries."""
    root: bytes
    """The hash of the tree over them."""
    day: date
    """In UTC."""
    previous: bytes
    """The SHA-256 of the text of the checkpoint before."""
    key: bytes
    """The public key that signs it."""
    receipts: bytes = b""
    """The public key that signs receipts; empty for heads older than such signatures."""
    replaces: bytes = b""
    """The SHA-256 of the text of a head that was signed before and given up; empty for almost all."""

    def __str__(self) -> str:
        """What is signed."""
        receipts = f"receipts {written(self.receipts)}\n" if self.receipts else ""
        replaces = f"replaces {written(self.replaces)}\n" if self.replaces else ""
        return (
            f"{self.origin}\n{self.size}\n{written(self.root)}\n"
            f"day {self.day.isoformat()}\nprevious {written(self.previous)}\nkey {written(self.key)}\n"
            f"{receipts}{replaces}"
        )

    @property
    def digest(self) -> bytes:
        """The `previous` of the next one."""
        return hashlib.sha256(str(self).encode()).digest()

    @classmethod
    def read(cls, note: str) -> Self:
        """The checkpoint of a note, whoever signed it. Raises BadNote."""
        found = TEXT.fullmatch(note.partition("\n\n")[0] + "\n")
        if found is None:
            raise BadNote("this is no checkpoint of the log")
        origin, size, root, day, previous, key, receipts, replaces = found.groups(default="")
        try:
            given = (read(each) for each in (previous, key, receipts, replaces))
            return cls(origin, int(size), read(root), date.fromisoformat(day), *given)
        except ValueError as error:
            raise BadNote(str(error)) from error


def written(value: bytes) -> str:
    """Bytes as base64."""
    return base64.b64encode(value).decode()


def read(text: str) -> bytes:
    """Bytes from base64. Raises BadNote."""
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise BadNote(str(error)) from error


def public(key: Ed25519PrivateKey) -> bytes:
    """The 32 bytes of the public key."""
    return key.public_key().public_bytes_raw()


def signed(checkpoint: Checkpoint, keys: Sequence[Ed25519PrivateKey]) -> str:
    """The note of a checkpoint, signed by these keys."""
    text = str(checkpoint)
    lines = []
    for key in keys:
        signature = key_hash(checkpoint.origin, public(key)) + key.sign(text.encode())
        lines.append(f"— {checkpoint.origin} {written(signature)}\n")
    return f"{text}\n{''.join(lines)}"


def is_signed(note: str, key: bytes) -> bool:
    """Whether a signature of a note is by this public key."""
    text, _, lines = note.partition("\n\n")
    text += "\n"
    for line in lines.splitlines():
        dash, _, rest = line.partition(" ")
        name, _, signature = rest.rpartition(" ")
        try:
            value = read(signature)
            if dash == "—" and value[:4] == key_hash(name, key) and verifies(key, text.encode(), value[4:]):
                return True
        except ValueError:
            continue
    return False


def verifies(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of Ed25519 is by this public key. Raises ValueError if that cannot be a key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def key_hash(name: str, key: bytes) -> bytes:
    """The four bytes by which a signature names its key."""
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + key).digest()[:4]
