"""Once a day: what has ended goes into the tree, and its head is signed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from operator import itemgetter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Max, Q

from games.ladders.models import Ladder
from games.matches.models import Match
from games.transparency import checkpoint, heads, kept, keys, stored, tree
from games.transparency.checkpoint import Checkpoint
from games.transparency.kept import OtherPast
from games.transparency.models import TreeHead, TreeLeaf, TreeNode

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SETTLED = timedelta(minutes=5)
"""How long after midnight the day is closed: what ended just before it has been committed by then."""
AT_ONCE = 500


def daily(now: datetime, give_up: bool = False) -> TreeHead | None:
    """Close the day before `now` (UTC), if that has not been done: take in what ended, sign the head, and return it.

    After a time in which no worker ran, one head closes all the days since, as soon as what was due in them is done: a
    standing order that was in time may end a game as of then. Raises BadKey, and OtherPast if the database is not the
    one for which the last head was signed; to `give_up` that head is to go on all the same, and the new one says so.
    """
    last, replaces = stored.latest(), b""
    try:
        note = kept.unpublished(settings.LOG_KEY)
    except OtherPast:
        if not give_up:
            raise
        note, replaces = "", Checkpoint.read(kept.last(settings.LOG_KEY)).digest
    midnight = datetime(now.year, now.month, now.day, tzinfo=UTC)
    day = midnight.date() - timedelta(days=1)
    try:
        if note:
            return publish(note, last)
        if now < midnight + SETTLED or (last and last.day >= day):
            return None
        # index games_match_due
        if Match.objects.filter(wake_at__lt=midnight).exists():
            return None
        # Before the transaction, which keeps others from writing: every game is replayed for its entry.
        return close(day, list(leaves_of_matches(midnight)), last, replaces)
    except IntegrityError:
        return None  # another worker was first


def close(day: date, matches: Iterable[TreeLeaf], last: TreeHead | None, replaces: bytes = b"") -> TreeHead:
    """Take in these matches and what has changed, and sign the head of the day. Raises BadKey, OtherPast.

    `replaces`: the digest of a head that is given up.
    """
    before = Checkpoint.read(last.note) if last else None
    if before and not stored.begins(before):
        raise OtherPast(f"its entries are not those of its head of {before.day}")
    signers = signing(before.key) if before else keys.made(settings.LOG_KEY)[:1]
    kept.check_room(settings.LOG_KEY)
    with transaction.atomic():
        # Committed by itself: whatever happens after the signature, the entries are there.
        size = take_in(matches)
    said = Checkpoint(
        origin=f"{urlsplit(settings.SITE_URL).netloc}/log",
        size=size,
        root=stored.growth(size).root,
        day=day,
        previous=before.digest if before else checkpoint.NOTHING,
        key=checkpoint.public(signers[0]),
        receipts=checkpoint.public(keys.of_receipts(settings.SECRET_KEY)),
        replaces=replaces,
    )
    return publish(checkpoint.signed(said, signers), last)


def publish(note: str, last: TreeHead | None) -> TreeHead:
    """Keep a signed head beside the key, and publish it after the last one. Raises BadKey.

    Of two workers the second waits for the row of the first, and keeps nothing.
    """
    said = Checkpoint.read(note)
    with transaction.atomic():
        head = TreeHead.objects.create(
            day=said.day,
            size=said.size,
            note=note,
            consistency=b"".join(stored.consistency(last.size, said.size)) if last else b"",
        )
        kept.keep(settings.LOG_KEY, note)
    return head


def signing(last: bytes) -> list[Ed25519PrivateKey]:
    """The key that signs now, and the one that signed last if that is another. Raises BadKey."""
    known = {checkpoint.public(key): key for key in keys.kept(settings.LOG_KEY)}
    if last not in known:
        raise keys.BadKey(f"the key that signed the log last is not in {settings.LOG_KEY}")
    return [known[name] for name in dict.fromkeys((next(iter(known)), last))]


def take_in(matches: Iterable[TreeLeaf]) -> int:
    """Append these leaves of matches, and one for every ladder that has changed.

    Those of one day stand in the order of their hashes, which nobody can choose or read anything from. Returns how many
    leaves there are. Belongs to a transaction: of two at once one fails.
    """
    growth = stored.growth(TreeLeaf.objects.count())
    leaves, nodes = [], []
    for digest, leaf in sorted(
        ((tree.leaf_hash(leaf.text.encode()), leaf) for leaf in (*matches, *leaves_of_ladders())), key=itemgetter(0)
    ):
        leaf.index = growth.size
        leaves.append(leaf)
        nodes += [TreeNode(level=node.level, number=node.number, digest=new) for node, new in growth.append(digest)]
    TreeLeaf.objects.bulk_create(leaves, AT_ONCE)
    TreeNode.objects.bulk_create(nodes, AT_ONCE)
    return growth.size


def leaves_of_matches(until: datetime) -> Iterator[TreeLeaf]:
    """The missing leaves of matches that ended before `until`."""
    matches = Match.objects.filter(status__in=heads.ENDED, ended_at__lt=until, leaf=None).order_by("pk")
    for match, record in heads.with_records(matches.only(*heads.COLUMNS).iterator(AT_ONCE)):
        yield TreeLeaf(match=match, text=heads.of_match(match, record))


def leaves_of_ladders() -> Iterator[TreeLeaf]:
    """The missing leaves of ladders."""
    ladders = Ladder.objects.annotate(taken=Max("leaves__events"))
    for ladder in ladders.filter(Q(taken=None, events__gt=0) | Q(taken__lt=F("events"))):
        link = bytes(ladder.log.get(number=ladder.events - 1).link)
        yield TreeLeaf(ladder=ladder, events=ladder.events, text=heads.of_ladder(ladder, ladder.events, link))
