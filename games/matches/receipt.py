"""A receipt: what the site says of a match at one moment, for its players and watchers to keep.

Everything in it may be known by everybody who may see the match. docs/chain.md says how to compare it later.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from games.matches import chain, history
from games.matches.clocks import instant, now_ms
from games.matches.models import Match


def document(match: Match) -> dict[str, Any]:
    """The receipt of a match that has begun, as JSON: its header, the lines of its rows, and its last link."""
    return {
        "format": chain.RECEIPT,
        "site": urlsplit(settings.SITE_URL).netloc,
        "match": match.key,
        "at": instant(now_ms()).isoformat(timespec="seconds"),
        "header": match.header,
        "rows": history.replay(match).chained(match.ply)[: match.ply],
        "ply": match.ply,
        "link": bytes(match.link).hex(),
    }
