"""What a member sees below something that their club does."""

from __future__ import annotations

from typing import NamedTuple

from accounts.models import Club, Member, Right
from games.board import services
from games.board.models import Post


class Comments(NamedTuple):
    """The comments on something."""

    under: str
    posts: list[Post]
    """The first one first."""
    may_delete: bool
    """Whether the visitor deletes those of others, too."""
    shut: bool
    """Whether nobody comments yet, because the same deal is still being played."""


def comments(club: Club, member: Member | None, under: str, *, shut: bool = False) -> Comments | None:
    """The comments as a member sees them; None for all others, and once the club is closed. While they are `shut`,
    nobody sees any."""
    if member is None or club.closed_at is not None:
        return None
    posts = [] if shut else list(services.posts(club, member.user_id, under).order_by("pk"))
    return Comments(under, posts, Right.ANNOUNCEMENTS in member.may, shut)
