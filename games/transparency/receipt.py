"""A receipt: what the site says of a match at one moment, signed, for its players and watchers to keep.

Everything in it may be known by everybody who may see the match. docs/chain.md says how to compare it later, and who
answers for the key that signs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from accounts.journal.chain import canonical
from games.matches import chain, history
from games.matches.clocks import instant, now_ms
from games.matches.models import Match
from games.transparency import checkpoint, documents, keys, stored
from games.transparency.checkpoint import Checkpoint


class Forged(ValueError):
    """A receipt that nobody answers for as it is; the text says why."""


def document(match: Match) -> dict[str, Any]:
    """The receipt of a match that has begun, as JSON: its header, the lines of its rows, its last link, and the head of
    the public log that was the latest."""
    key, last = keys.of_receipts(settings.SECRET_KEY), stored.latest()
    said = {
        "format": chain.RECEIPT,
        "site": urlsplit(settings.SITE_URL).netloc,
        "match": match.key,
        "at": instant(now_ms()).isoformat(timespec="seconds"),
        "header": match.header,
        "rows": history.replay(match).chained(match.ply)[: match.ply],
        "ply": match.ply,
        "link": bytes(match.link).hex(),
        "head": documents.head(last) if last else None,
        "key": checkpoint.written(checkpoint.public(key)),
    }
    return said | {"signature": checkpoint.written(key.sign(canonical(said)))}


def answering(receipt: Mapping[str, Any]) -> Checkpoint | None:
    """The head in a receipt that names the key of its signature; None if none in it does. Raises Forged.

    Whoever knows the key of that head to be the site's knows that the site has said this.
    """
    said = {name: value for name, value in receipt.items() if name != "signature"}
    try:
        key, signature = checkpoint.read(receipt["key"]), checkpoint.read(receipt["signature"])
        note = receipt["head"]["note"] if receipt["head"] else ""
        head = Checkpoint.read(note) if note else None
        log = f"{receipt['site']}/log"
        right = checkpoint.verifies(key, canonical(said), signature)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Forged(f"it is not complete: {type(error).__name__} {error}") from error
    if not right:
        raise Forged("its signature is not that of its key: it was changed, or the site has not made it")
    # After a site has moved to another address, only its next head answers for what it says there.
    if head is None or (head.origin, head.receipts) != (log, key):
        return None
    if not checkpoint.is_signed(note, head.key):
        raise Forged(f"the key that the head of {head.day} in it names has not signed that")
    return head
