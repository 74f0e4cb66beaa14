"""Merkle trees over an append-only list, as RFC 9162 (section 2.1) has them. Pure.

A perfect tree over 2**level entries never changes once it is full: it is kept as a node. The hash of any other range of
entries follows from the nodes that cover it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Node(NamedTuple):
    """The perfect tree over the entries from `number << level` to before `(number + 1) << level`."""

    level: int
    number: int


class Span(NamedTuple):
    """The entries from `start` to before `end`."""

    start: int
    end: int


def leaf_hash(entry: bytes) -> bytes:
    """The hash of the tree with this entry alone."""
    return hashlib.sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a tree with these two below it."""
    return hashlib.sha256(b"\1" + left + right).digest()


def cover(span: Span) -> list[Node]:
    """The nodes that cover a span, from left to right. It begins where a tree of its size may begin."""
    nodes, start = [], span.start
    while start < span.end:
        level = (span.end - start).bit_length() - 1
        nodes.append(Node(level, start >> level))
        start += 1 << level
    return nodes


def root(hashes: Sequence[bytes]) -> bytes:
    """The hash of the tree over a span, from those of the nodes that cover it."""
    if not hashes:
        return hashlib.sha256().digest()
    *others, last = hashes
    for other in reversed(others):
        last = node_hash(other, last)
    return last


def inclusion(index: int, size: int) -> list[Span]:
    """The spans whose hashes prove that an entry is in the tree of this size, the nearest first (2.1.3)."""
    return _path(index, Span(0, size))


def _path(index: int, span: Span) -> list[Span]:
    if span.end - span.start == 1:
        return []
    left, right = _halves(span)
    return [*_path(index, left), right] if index < left.end else [*_path(index, right), left]


def consistency(old: int, new: int) -> list[Span]:
    """The spans whose hashes prove that the tree of one size begins the tree of another (2.1.4)."""
    return _subproof(old, Span(0, new), True) if old else []


def _subproof(old: int, span: Span, whole: bool) -> list[Span]:
    """As SUBPROOF of the RFC; `whole`: the old tree is known to whoever checks this."""
    if old == span.end:
        return [] if whole else [span]
    left, right = _halves(span)
    if old <= left.end:
        return [*_subproof(old, left, whole), right]
    return [*_subproof(old, right, False), left]


def _halves(span: Span) -> tuple[Span, Span]:
    """The left one has the largest power of two of entries that leaves some to the right."""
    middle = span.start + (1 << (span.end - span.start - 1).bit_length() - 1)
    return Span(span.start, middle), Span(middle, span.end)


class Growth:
    """A tree that entries are appended to."""

    def __init__(self, size: int = 0, hashes: Iterable[bytes] = ()) -> None:
        """`hashes`: those of the nodes that cover the tree as it is."""
        self.size = size
        self.nodes = list(zip(cover(Span(0, size)), hashes, strict=True))

    def append(self, digest: bytes) -> list[tuple[Node, bytes]]:
        """Append the entry with this hash. Returns the nodes that are new by it, with their hashes."""
        node, new = Node(0, self.size), [(Node(0, self.size), digest)]
        while node.number % 2:
            _, left = self.nodes.pop()
            node, digest = Node(node.level + 1, node.number // 2), node_hash(left, digest)
            new.append((node, digest))
        self.nodes.append((node, digest))
        self.size += 1
        return new

    @property
    def root(self) -> bytes:
        """The hash of the whole tree."""
        return root([digest for _, digest in self.nodes])
