"""The tree as it is kept: hashes of spans, from the nodes that cover them."""

from __future__ import annotations

from collections.abc import Iterable

from games.transparency import tree
from games.transparency.checkpoint import Checkpoint
from games.transparency.models import TreeHead, TreeNode
from games.transparency.tree import Growth, Span


def hashes(spans: Iterable[Span]) -> list[bytes]:
    """The hash of each span, in one query."""
    covers = [tree.cover(span) for span in spans]
    wanted = sorted({tuple(node) for nodes in covers for node in nodes})
    rows = TreeNode.objects.filter(pk__in=wanted).values_list("level", "number", "digest") if wanted else ()
    found = {(level, number): bytes(digest) for level, number, digest in rows}
    return [tree.root([found[node] for node in nodes]) for nodes in covers]


def growth(size: int) -> Growth:
    """The tree over the first leaves, to append more."""
    nodes = tree.cover(Span(0, size))
    return Growth(size, hashes(Span(number << level, (number + 1) << level) for level, number in nodes))


def begins(head: Checkpoint) -> bool:
    """Whether the first nodes of the tree give the root of this head."""
    try:
        return growth(head.size).root == head.root
    except KeyError:
        return False  # some are missing


def inclusion(index: int, size: int) -> list[bytes]:
    """The proof that a leaf is in the tree of this size."""
    return hashes(tree.inclusion(index, size))


def consistency(old: int, new: int) -> list[bytes]:
    """The proof that the tree of one size begins the tree of another."""
    return hashes(tree.consistency(old, new))


def latest() -> TreeHead | None:
    """The latest head."""
    return TreeHead.objects.order_by("-day").first()
