"""Trees grow, and prove what is in them, as RFC 9162 says."""

import hashlib
from random import Random

import pytest

from games.transparency import tree
from games.transparency.tree import Growth, Span

pytestmark = pytest.mark.once

SIZES = range(0, 40)
ENTRIES = [bytes([number]) * number for number in range(40)]


def merkle(entries):
    """MTH of RFC 9162, section 2.1.1, as it stands there."""
    if not entries:
        return hashlib.sha256().digest()
    if len(entries) == 1:
        return hashlib.sha256(b"\0" + entries[0]).digest()
    middle = 1
    while middle * 2 < len(entries):
        middle *= 2
    return hashlib.sha256(b"\1" + merkle(entries[:middle]) + merkle(entries[middle:])).digest()


def grown(size):
    """The tree over the first entries, and all its nodes."""
    growth, nodes = Growth(), {}
    for entry in ENTRIES[:size]:
        nodes.update(growth.append(tree.leaf_hash(entry)))
    return growth, nodes


def hashed(spans):
    return [merkle(ENTRIES[span.start : span.end]) for span in spans]


@pytest.mark.parametrize("size", SIZES)
def test_the_root_is_that_of_the_rfc(size):
    assert grown(size)[0].root == merkle(ENTRIES[:size])


@pytest.mark.parametrize("size", SIZES)
def test_a_tree_grows_on_from_the_nodes_that_cover_it(size):
    whole, nodes = grown(len(ENTRIES))
    growth = Growth(size, [nodes[node] for node in tree.cover(Span(0, size))])
    for entry in ENTRIES[size:]:
        growth.append(tree.leaf_hash(entry))
    assert growth.root == whole.root


def test_a_cover_gives_the_hash_of_each_span_of_a_proof():
    _, nodes = grown(len(ENTRIES))
    rng = Random(1)
    for _ in range(200):
        new = rng.randint(1, len(ENTRIES))
        spans = tree.inclusion(rng.randrange(new), new) + tree.consistency(rng.randint(0, new), new)
        assert [tree.root([nodes[node] for node in tree.cover(span)]) for span in spans] == hashed(spans)


def test_a_proof_of_inclusion_leads_to_the_root():
    """The example of RFC 9162, section 2.1.5: a tree of seven."""
    assert tree.inclusion(0, 7) == [Span(1, 2), Span(2, 4), Span(4, 7)]
    assert tree.inclusion(3, 7) == [Span(2, 3), Span(0, 2), Span(4, 7)]
    assert tree.inclusion(4, 7) == [Span(5, 6), Span(6, 7), Span(0, 4)]
    assert tree.inclusion(6, 7) == [Span(4, 6), Span(0, 4)]


def test_a_proof_of_consistency_has_what_the_old_tree_lacks():
    """The example of RFC 9162, section 2.1.5."""
    assert tree.consistency(3, 7) == [Span(2, 3), Span(3, 4), Span(0, 2), Span(4, 7)]
    assert tree.consistency(4, 7) == [Span(4, 7)]
    assert tree.consistency(6, 7) == [Span(4, 6), Span(6, 7), Span(0, 4)]
    assert tree.consistency(7, 7) == tree.consistency(0, 7) == []
