"""`verifylogs` finds whatever was rewritten after its day, however well."""

import pytest

from accounts.journal import chain
from games.matches.models import LogEntry, Match, Seat
from games.transparency import audit, checkpoint, keys, stored, tree
from games.transparency.checkpoint import Checkpoint
from games.transparency.models import TreeHead, TreeLeaf, TreeNode
from games.transparency.tree import Span
from tests.clubs.clubs import club_of
from tests.transparency.days import NOON, close, days, ended
from tests.verifying import verify

pytestmark = pytest.mark.django_db


def found():
    """What is wrong, and where."""
    return [(fault.where, fault.name) for fault in audit.faults()]


def signed_again(head, signer, **changes):
    """Somebody who has the database signs a head again, with other content."""
    said = Checkpoint.read(head.note)._replace(**changes)
    TreeHead.objects.filter(pk=head.pk).update(note=checkpoint.signed(said, [signer]))


def test_a_log_of_some_days_is_right():
    days(4)
    club_of("ann", "bob", now=NOON)
    ended(4)
    close(4)
    ended(5)  # not in the tree yet
    said, wrong = verify()
    assert not wrong, said
    assert "10 leaves and 5 heads of the public log checked" in said


def test_without_any_day_there_is_nothing_to_check():
    ended()
    assert found() == []


def test_a_match_that_was_rewritten_is_not_its_leaf(rewriting):
    """Consistently: the chain of its log, its result and its end are those of another game."""
    match, _ = days(1)
    Match.objects.filter(pk=match.pk).update(link=bytes(32))
    assert found() == [("leaf 0", "match")]


@pytest.mark.parametrize(
    "change", [{"result": {"places": [2, 1]}}, {"ended_at": NOON}, {"key": "another"}, {"status": "running"}], ids=str
)
def test_no_part_of_an_entry_can_change(rewriting, change):
    match, _ = days(1)
    if "result" in change:
        change = {"result": match.result | {"places": match.result["places"][::-1]}}
    Match.objects.filter(pk=match.pk).update(**change)
    assert ("leaf 0", "match") in found()


def test_a_match_that_was_removed_leaves_a_gap(rewriting):
    match, _ = days(1)
    TreeLeaf.objects.filter(match=match).delete()
    assert ("leaf 0", "gap") in found()


def test_a_match_removed_with_all_that_speaks_of_it_does_not_fit_the_head(rewriting):
    """The tree is computed anew without it; the heads are those that were published."""
    matches = days(2)
    for model in (LogEntry, TreeLeaf):
        model.objects.filter(match=matches[3]).delete()
    Seat.objects.filter(match=matches[3]).delete()
    Match.objects.filter(pk=matches[3].pk).delete()
    TreeNode.objects.all().delete()
    growth = tree.Growth()
    for leaf in TreeLeaf.objects.all():
        for node, digest in growth.append(tree.leaf_hash(leaf.text.encode())):
            TreeNode.objects.create(level=node.level, number=node.number, digest=digest)
    assert found() == [("head of 2026-11-21", "root")]


def test_a_match_that_was_put_among_those_of_an_earlier_day_is_missing():
    days(2)
    match = ended(0)
    assert found() == [(f"match {match.key}", "missing")]


def test_a_leaf_that_was_changed_is_neither_its_match_nor_in_the_tree(rewriting):
    days(2)
    TreeLeaf.objects.filter(index=1).update(text="{}")
    assert found() == [("leaf 1", "node"), ("leaf 1", "match")]


def test_a_hash_of_the_tree_that_was_changed_is_found(rewriting):
    days(2)
    TreeNode.objects.filter(level=2).update(digest=bytes(32))
    assert found() == [("leaf 3", "node")]
    TreeNode.objects.filter(level=2).delete()
    assert found() == [("leaf 3", "node")]


def test_a_head_that_was_changed_is_not_signed(rewriting):
    days(2)
    head = stored.latest()
    note = head.note.replace("\n4\n", "\n3\n", 1)
    TreeHead.objects.filter(pk=head.pk).update(note=note, size=3)
    assert ("head of 2026-11-21", "signature") in found()


def test_a_head_that_was_signed_again_breaks_the_chain_of_days(rewriting, log_key):
    days(3)
    second = TreeHead.objects.all()[1]
    signed_again(second, *keys.kept(log_key), root=stored.hashes([Span(0, 3)])[0], size=3)
    TreeHead.objects.filter(pk=second.pk).update(size=3)
    assert ("head of 2026-11-22", "previous") in found()


def test_a_day_that_was_removed_is_missed_by_the_next(rewriting):
    days(3)
    TreeHead.objects.filter(day="2026-11-21").delete()
    assert ("head of 2026-11-22", "previous") in found()


def test_a_head_signed_by_another_key_is_found(rewriting, tmp_path):
    days(2)
    [stranger] = keys.made(tmp_path / "stranger.pem")
    signed_again(stored.latest(), stranger)
    assert found() == [("head of 2026-11-21", "signature")]
    signed_again(stored.latest(), stranger, key=checkpoint.public(stranger))
    assert [name for _, name in found()] == ["key", "key", "kept"]


def test_a_whole_log_signed_by_another_key_is_not_that_of_this_site(rewriting, log_key, tmp_path):
    days(1)
    [stranger] = keys.made(tmp_path / "stranger.pem")
    signed_again(stored.latest(), stranger, key=checkpoint.public(stranger))
    assert found() == [("head of 2026-11-20", "key"), ("the database", "kept")]


def test_a_proof_that_was_changed_is_found(rewriting):
    days(2)
    TreeHead.objects.filter(day="2026-11-21").update(consistency=bytes(32))
    assert found() == [("head of 2026-11-21", "consistency")]


def test_a_ladder_whose_events_were_rewritten_with_their_chain_is_not_its_leaf(rewriting):
    ladder = club_of("ann", "bob", now=NOON)
    close()
    link = chain.first_link(bytes(ladder.origin))
    for event in ladder.log.order_by("number"):
        event.reason = "Because."
        link = chain.next_link(link, event.columns)
        ladder.log.filter(pk=event.pk).update(reason=event.reason, link=link)
    assert found() == [("leaf 0", "ladder")]


def test_verifylogs_tells_each_fault(rewriting):
    days(1)
    TreeLeaf.objects.filter(index=1).update(text="{}")
    said, wrong = verify()
    assert wrong
    assert "public log, leaf 1: node: " in said
    assert "the public log is wrong in 2 ways" in said
