"""The keys that sign the log: a file of Ed25519 private keys in PEM, outside the database. And the key of receipts.

The first key signs. To change it, a new one is put above the old one, which then signs the next checkpoint too.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PEM = re.compile(rb"-----BEGIN PRIVATE KEY-----.*?-----END PRIVATE KEY-----", re.DOTALL)


class BadKey(Exception):
    """The file of keys cannot be used; the text says why."""


def kept(path: Path) -> list[Ed25519PrivateKey]:
    """The keys in a file, none if it does not exist. Raises BadKey."""
    # Once a day one process signs; no other needs this.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        texts = PEM.findall(path.read_bytes())
        keys = [load_pem_private_key(text, None) for text in texts]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise BadKey(f"the key of the log in {path} cannot be read: {error}") from error
    found = [key for key in keys if isinstance(key, Ed25519PrivateKey)]
    if not found or len(found) < len(keys):
        raise BadKey(f"expected only Ed25519 private keys in PEM in {path}, at least one")
    return found


def made(path: Path) -> list[Ed25519PrivateKey]:
    """The keys in a file; a new one, which only its owner may read, if it does not exist. Raises BadKey."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    if not path.exists():
        text = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        try:
            descriptor, whole = mkstemp(dir=path.parent)
            with open(descriptor, "wb") as file:
                file.write(text)
            with suppress(FileExistsError):  # another process was first
                os.link(whole, path)
            os.unlink(whole)
        except OSError as error:
            raise BadKey(f"the key of the log cannot be kept in {path}: {error}") from error
    return kept(path)


@cache
def of_receipts(secret: str) -> Ed25519PrivateKey:
    """The key that signs receipts: every process derives the same from the secret key of the site (HKDF, RFC 5869)."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return Ed25519PrivateKey.from_private_bytes(HKDF(SHA256(), 32, None, b"armarium receipts").derive(secret.encode()))
