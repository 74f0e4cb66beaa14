"""Checks the public log: its leaves against the matches and ladders of today, its tree, and the chain of its heads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from django.conf import settings

from accounts.journal.rows import links
from games.ladders.models import Ladder
from games.matches.models import Match
from games.transparency import checkpoint, heads, kept, keys, stored, tree
from games.transparency.checkpoint import BadNote, Checkpoint
from games.transparency.kept import OtherPast
from games.transparency.models import TreeHead, TreeLeaf, TreeNode
from games.transparency.tree import Growth

AT_ONCE = 1000


class LogFault(NamedTuple):
    """A disagreement between the public log and what it is made of."""

    where: str
    """A leaf, or the day of a head."""
    name: str
    """The check that failed: one word."""
    text: str


def faults() -> Iterator[LogFault]:
    """The faults of the public log; to be called in a `snapshot`."""
    signed = list(TreeHead.objects.order_by("day"))
    yield from in_the_heads(signed)
    yield from in_the_tree(signed)
    yield from in_the_leaves()
    if signed:
        yield from missing(signed[-1])
    try:
        kept.unpublished(settings.LOG_KEY)
    except OtherPast as error:
        yield LogFault("the database", "kept", f"{error}, as {kept.beside(settings.LOG_KEY)} says")


def in_the_heads(signed: list[TreeHead]) -> Iterator[LogFault]:
    """Where heads do not follow from each other, or are not signed as they must be."""
    before: Checkpoint | None = None
    for head in signed:
        where = f"head of {head.day}"
        try:
            said = Checkpoint.read(head.note)
        except BadNote as error:
            yield LogFault(where, "note", str(error))
            return
        if (said.day, said.size) != (head.day, head.size):
            yield LogFault(where, "note", f"its note says {said.day} and {said.size} leaves")
        if not checkpoint.is_signed(head.note, said.key):
            yield LogFault(where, "signature", "the key that it names has not signed it")
        if said.previous != (before.digest if before else checkpoint.NOTHING):
            yield LogFault(where, "previous", f"it follows another head than {named(before)}")
        if before and said.size < before.size:
            yield LogFault(where, "size", f"it has {said.size} leaves, the one before {before.size}")
        if before and said.key != before.key and not checkpoint.is_signed(head.note, before.key):
            yield LogFault(where, "key", "its key is new, and the one before has not signed it")
        before = said
    if before and (ours := keys.kept(settings.LOG_KEY)) and before.key not in map(checkpoint.public, ours):
        yield LogFault(named(before), "key", f"it is signed by a key that is not in {settings.LOG_KEY}")


def other_receipts() -> str:
    """In a sentence, that the last head names another key of receipts than this process has; empty if it does not.

    No fault: only the processes that serve need the key, and after a change of it the next head names the new one.
    """
    with suppress(BadNote):
        last = stored.latest()
        said = Checkpoint.read(last.note) if last else None
        if said and said.receipts and said.receipts != checkpoint.public(keys.of_receipts(settings.SECRET_KEY)):
            return (
                f"the {named(said)} names another key of receipts than this process has: either BIBLIOS_SECRET_KEY was "
                "changed since, and the next head names the new one, or it is not the same in all processes"
            )
    return ""


def named(head: Checkpoint | None) -> str:
    return f"head of {head.day}" if head else "nothing"


def in_the_tree(signed: list[TreeHead]) -> Iterator[LogFault]:
    """Where nodes are not those of the leaves, and heads not those of the tree."""
    growth, made = Growth(), 0
    roots, sizes = {0: growth.root}, {head.size for head in signed}
    levels: dict[int, Iterator[tuple[int, bytes]]] = {}
    for index, text in TreeLeaf.objects.order_by("index").values_list("index", "text").iterator(AT_ONCE):
        if index != growth.size:
            yield LogFault(f"leaf {growth.size}", "gap", f"it is missing: the next one is {index}")
            return
        for node, digest in growth.append(tree.leaf_hash(text.encode())):
            made += 1
            level = levels.setdefault(node.level, nodes_of(node.level))
            if next(level, None) != (node.number, digest):
                yield LogFault(f"leaf {index}", "node", "a hash of the tree that ends with it differs")
                return
        if growth.size in sizes:
            roots[growth.size] = growth.root
    if made != (kept := TreeNode.objects.count()):
        yield LogFault("the tree", "node", f"it has {kept} nodes, its leaves give {made}")
        return
    size = 0
    for head in signed:
        where = f"head of {head.day}"
        with suppress(BadNote):
            if roots.get(head.size) != Checkpoint.read(head.note).root:
                yield LogFault(where, "root", f"it is not the root of the first {head.size} leaves")
            elif bytes(head.consistency) != b"".join(stored.consistency(size, head.size)):
                yield LogFault(where, "consistency", "its proof is not the one from the head before")
        size = head.size


def nodes_of(level: int) -> Iterator[tuple[int, bytes]]:
    """The nodes of a level, in order: number and digest."""
    rows = TreeNode.objects.filter(level=level).order_by("number").values_list("number", "digest")
    return ((number, bytes(digest)) for number, digest in rows.iterator(AT_ONCE))


def in_the_leaves() -> Iterator[LogFault]:
    """Where a match or a ladder is not what it was when its leaf was made."""
    for index in TreeLeaf.objects.filter(ladder=None, match=None).order_by("index").values_list("index", flat=True):
        yield LogFault(f"leaf {index}", "match", "it belongs to no match")
    taken = Match.objects.exclude(leaf=None).select_related("leaf").order_by("leaf__index")
    columns = (*heads.COLUMNS, "leaf__index", "leaf__text", "leaf__match")
    for match, record in heads.with_records(taken.only(*columns).iterator(AT_ONCE)):
        if match.status not in heads.ENDED or match.ended_at is None:
            yield LogFault(f"leaf {match.leaf.index}", "match", f"its match {match.key} has not ended")
        elif match.leaf.text != (now := heads.of_match(match, record)):
            text = f"it was {match.leaf.text}, but {match.key} is now {now}"
            yield LogFault(f"leaf {match.leaf.index}", "match", text)
    for ladder in Ladder.objects.filter(leaves__isnull=False).distinct().order_by("pk"):
        chain = links(ladder.log.order_by("number"), ladder.origin)
        texts = {number: heads.of_ladder(ladder, number, link) for number, link in enumerate(chain, 1)}
        for leaf in ladder.leaves.order_by("index"):
            if leaf.text != texts.get(leaf.events or 0):
                text = f"the first {leaf.events} events of {ladder} are not what they were"
                yield LogFault(f"leaf {leaf.index}", "ladder", text)


def missing(last: TreeHead) -> Iterator[LogFault]:
    """The matches that ended before the last head, and have no leaf."""
    until = datetime.combine(last.day, time(), UTC) + timedelta(days=1)
    ended = Match.objects.filter(status__in=heads.ENDED, ended_at__lt=until)
    for key in ended.filter(leaf=None).order_by("pk").values_list("key", flat=True):
        yield LogFault(f"match {key}", "missing", f"it had ended on {last.day}, but is not in the tree of that day")
