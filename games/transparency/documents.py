"""The public log as documents: JSON for programs, lines of hashes for mirrors."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, TypeAlias

from games.transparency import stored
from games.transparency.models import TreeHead, TreeLeaf, TreeNode

Bytes: TypeAlias = bytes | memoryview
HEADS = 100
"""The number of heads in one document."""
HASHES = 1000
"""The number of hashes of leaves on one page."""


def head(found: TreeHead) -> dict[str, Any]:
    """A head, with the proof that the tree of the head before begins its own."""
    return {"day": found.day.isoformat(), "note": found.note, "consistency": split(found.consistency)}


def heads(before: date | None) -> dict[str, Any]:
    """The latest heads, or those before a day, oldest first; `older` says whether there are some before them."""
    rows = TreeHead.objects.order_by("-day")
    if before:
        rows = rows.filter(day__lt=before)
    found = list(rows[: HEADS + 1])
    return {"heads": [head(each) for each in reversed(found[:HEADS])], "older": len(found) > HEADS}


def inclusion(leaf: TreeLeaf, last: TreeHead) -> dict[str, Any]:
    """The proof that a leaf is in the tree of a head."""
    return {
        "entry": leaf.text,
        "index": leaf.index,
        "size": last.size,
        "inclusion": written(stored.inclusion(leaf.index, last.size)),
        "head": head(last),
    }


def consistency(old: int, new: int) -> dict[str, Any]:
    """The proof that the tree of one size begins the tree of another."""
    return {"old": old, "new": new, "consistency": written(stored.consistency(old, new))}


def hashes(page: int, size: int) -> list[str]:
    """A page of the hashes of the first leaves, in their order."""
    start = page * HASHES
    rows = TreeNode.objects.filter(level=0, number__gte=start, number__lt=min(size, start + HASHES))
    return written(rows.order_by("number").values_list("digest", flat=True))


def split(hashes: Bytes) -> list[str]:
    """Hashes that are kept one after the other."""
    return written(hashes[at : at + 32] for at in range(0, len(hashes), 32))


def written(hashes: Iterable[Bytes]) -> list[str]:
    """Hashes as hexadecimal digits."""
    return [bytes(digest).hex() for digest in hashes]
