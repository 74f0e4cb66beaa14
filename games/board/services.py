"""What the members of a club write for each other: who may, who is told, and who may delete it.

Each service is one transaction and raises Refused with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.clubs import closing, clubs, decisions
from accounts.models import LONGEST_TEXT, Block, Club, Right, User
from accounts.notices import notices
from accounts.people import blocks
from accounts.text import plaintext
from accounts.web import throttle
from accounts.web.refused import Refused
from games.board.models import Post
from games.hub import nudges

TOPICS = {"board": notices.Topic(gettext_lazy("Boards of clubs"), "i-chat")}
KINDS = {
    "posted": notices.NoticeKind(
        "board", gettext_lazy("There is something new on the board of %(club)s."), "", mailed=False, stands=True
    ),
    "commented": notices.NoticeKind(
        "board", gettext_lazy("There are new comments on “%(event)s”."), "", mailed=False, stands=True
    ),
}
notices.register(TOPICS, KINDS)
MOST_COMMENTS = 200
"""The most comments on one thing."""


def posts(club: Club, reader: int, under: str = "") -> QuerySet[Post]:
    """What a member, by id, reads there, newest first: nothing by people whom they block."""
    blocked = Block.objects.filter(user=reader).values("blocked")
    return club.posts.filter(under=under).exclude(by__in=blocked).select_related("by").order_by("-pk")


def left_behind(user: User) -> QuerySet[Club]:
    """The clubs that somebody has left, and where posts or comments of theirs still are."""
    return Club.objects.filter(posts__by=user).exclude(members__user=user).distinct()


@transaction.atomic
def write(
    club: Club,
    user: User,
    text: str,
    now: datetime,
    *,
    under: str = "",
    address: str,
    title: str = "",
    takes_part: Iterable[int] = (),
) -> Post:
    """Write on the board; `under`: on something with this title, whose page has this address.

    The members are told at the bell, once until they have looked; of a comment only those who take part or have
    commented before. Raises TooMany.
    """
    text = plaintext.lines(text)
    if not 0 < len(text) <= LONGEST_TEXT:
        raise Refused(_("A post needs 1 to %(most)d characters.") % {"most": LONGEST_TEXT})
    # Whoever is expelled at this moment writes before that, or not at all.
    if not clubs.has_locked_member(club, user):
        raise Refused(_("Only members of the club can write here."))
    if under and club.posts.filter(under=under).count() >= MOST_COMMENTS:
        raise Refused(_("There are %(most)d comments already. Write on the board.") % {"most": MOST_COMMENTS})
    throttle.count("posts", user.pk)
    post = Post.objects.create(club=club, by=user, text=text, at=now, under=under)
    nudges.board_changed(club.pk)
    others = User.objects.filter(memberships__club=club).exclude(pk=user.pk)
    if under:
        before = club.posts.filter(under=under).values("by")
        others = others.filter(Q(pk__in=list(takes_part)) | Q(pk__in=before))
    away = blocks.away_from(user, others.values_list("pk", flat=True))
    people = others.exclude(pk__in=away)
    if under:
        notices.notify(people, "commented", address, now, by=user, event=title)
    else:
        notices.notify(people, "posted", address, now, by=user, club=club.name)
    return post


@transaction.atomic
def delete(post: Post, user: User) -> None:
    """Delete a post: whoever wrote it, and those who may delete announcements, which the log of the club tells."""
    if post.by_id == user.pk:
        post.delete()
        nudges.board_changed(post.club_id)
        return
    club = clubs.at_desk(post.club, user, Right.ANNOUNCEMENTS)
    if not club.posts.filter(pk=post.pk).delete()[0]:
        raise Refused(_("This post was deleted."))
    nudges.board_changed(club.pk)
    decisions.record(club, "unposted", user, people=[post.by])


def forget_closed(now: datetime) -> None:
    """Delete the boards of clubs that cannot be opened again."""
    Post.objects.filter(club__closed_at__lte=now - closing.WAY_BACK).delete()


def forget(user: User) -> None:
    """Delete all that a person has written, because their account is closed."""
    Post.objects.filter(by=user).delete()
