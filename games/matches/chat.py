"""The chats of a table: that of its players, from the waiting room on, and that of the watchers of a running game.

No player sees anything of the watchers' chat before the game has ended, not even that there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Block, User
from accounts.text import plaintext
from accounts.web import throttle
from accounts.web.refused import Refused
from accounts.web.requests import Visitor
from games.hub import nudges
from games.matches import access
from games.matches.models import ChatLine, Line, Match, Seat, WatcherLine
from games.matches.play import edited, locked

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONGEST = 200
"""The most characters of a line."""
SHOWN = 200
"""The most lines that a page shows, the latest: more would take long to draw, and to read."""
MOST = 2000
"""The most lines of one chat of a match, its waiting room's included: 1.6 MB, and none is deleted to make room ..."""
MOST_OF_ONE = 500
"""... and the most of one person in it: nobody fills it for the others."""
AFTERWARDS = timedelta(hours=1)
"""How long after the end of a game its watchers may still write."""

PHRASES: dict[str, StrOrPromise] = {
    "hello": gettext_lazy("Hello!"),
    "luck": gettext_lazy("Good luck!"),
    "well": gettext_lazy("Well played!"),
    "thanks": gettext_lazy("Thank you!"),
    "oops": gettext_lazy("Oops!"),
    "moment": gettext_lazy("One moment, please."),
    "game": gettext_lazy("Good game!"),
    "bye": gettext_lazy("Goodbye!"),
}
"""What can be said with one press, by name."""
EVENTS: dict[str, StrOrPromise] = {
    "joined": gettext_lazy("%(name)s has joined."),
    "left": gettext_lazy("%(name)s has left."),
    "declined": gettext_lazy("%(name)s has declined."),
    "ready": gettext_lazy("%(name)s is ready."),
    "resign": gettext_lazy("%(name)s has resigned."),
    "time": gettext_lazy("%(name)s ran out of time."),
    "leave": gettext_lazy("%(name)s has left the game."),
}
"""What a chat says of people in a waiting room, and of those who leave a game (`Seat.Left`), by name."""


class Talk(NamedTuple):
    """What a page of a table shows of its chats."""

    lines: Sequence[Line]
    """Of the chat that its viewer takes part in."""
    watching: bool
    """Whether that is the watchers' chat."""
    may_write: bool
    watched: Sequence[Line] = ()
    """For players when the game has ended: what its watchers said."""


# Who takes part: decided by what everybody may know


def as_watcher(match: Match, user: Visitor | None) -> bool:
    """Whether somebody who may see the match takes part in its watchers' chat: with an account, if they never sat
    there."""
    known = user is not None and user.is_authenticated and not user.guest
    return known and match.started_at is not None and not access.sat(match, user)


def may_write(match: Match, user: Visitor | None) -> bool:
    """Whether somebody who may see the match may write in the chat that they read."""
    if access.seat_of(match, user):
        return match.status != Match.Status.CLOSED
    return as_watcher(match, user) and _lively(match)


def _lively(match: Match) -> bool:
    """Whether watchers may still talk."""
    return match.ended_at is None or match.ended_at > timezone.now() - AFTERWARDS


def talk(match: Match, user: Visitor) -> Talk | None:
    """The chats of a match that has begun, as a user sees them; None if there is none for them.

    A player among bots has nobody to talk to.
    """
    plays = access.seat_of(match, user)
    lines = heard(match, user) if (match.talked if plays else match.watchers_talked) else []
    watched = heard_after(match, user) if match.watchers_talked else []
    if plays and sum(seat.user_id is not None for seat in match.sitting) > 1:
        return Talk(lines, False, may_write(match, user), watched)
    if not access.sat(match, user):
        return Talk(lines, True, may_write(match, user)) if lines or _lively(match) else None
    return Talk((), False, False, watched) if watched else None


def heard(match: Match, user: Visitor, after: int = 0) -> Sequence[Line]:
    """The latest lines, after the one with the id `after`, of the chat that somebody takes part in who may see the
    match: none for a player who has muted it, and none of people whom the reader blocks.

    Lines of those take no room of the `SHOWN` ones.
    """
    seat = access.seat_of(match, user)
    if seat is not None:
        return [] if seat.muted else _latest(ChatLine, match, user, after)
    return _latest(WatcherLine, match, user, after) if as_watcher(match, user) else []


def heard_after(match: Match, user: Visitor, after: int = 0) -> Sequence[Line]:
    """What the watchers said, for those who sat down in the match: nothing before it has ended."""
    ended = match.status in (Match.Status.FINISHED, Match.Status.ABORTED)
    return _latest(WatcherLine, match, user, after) if ended and access.sat(match, user) else []


def _latest(lines: type[ChatLine] | type[WatcherLine], match: Match, user: Visitor, after: int) -> Sequence[Line]:
    blocked = Block.objects.filter(user=user.pk).values("blocked")
    found = lines._default_manager.filter(match=match, pk__gt=after).exclude(user__in=blocked).select_related("user")
    return list(found.order_by("-pk")[:SHOWN])[::-1]


# Words


def words(line: Line) -> SafeString:
    """A line in the language of its reader, as HTML."""
    name = format_html("<bdi>{}</bdi>", line.user.shown_name)
    if line.phrase in EVENTS:
        return mark_safe(escape(EVENTS[line.phrase]) % {"name": name})
    return format_html("<b>{}</b> {}", name, PHRASES.get(line.phrase, line.text))


# Writing


def say(match: Match, user: User, text: str) -> None:
    """Say something in the chat that `user` takes part in. Raises Refused with the reason."""
    text = " ".join("".join(c if plaintext.shown(c) else " " for c in text).split())
    if not text:
        raise Refused(_("The message is empty."))
    if len(text) > LONGEST:
        raise Refused(_("A message has at most %(longest)s characters.") % {"longest": LONGEST})
    _write(match, user, text=text)


def say_phrase(match: Match, user: User, phrase: str) -> None:
    """Say a ready-made phrase in the chat that `user` takes part in. Raises Refused with the reason."""
    if phrase not in PHRASES:
        raise Refused(_("There’s no such phrase."))
    _write(match, user, phrase=phrase)


def _write(match: Match, user: User, text: str = "", phrase: str = "") -> None:
    if not may_write(match, user):
        raise Refused(_("You can’t write here."))
    throttle.count("chat", user.pk)
    lines = ChatLine if access.seat_of(match, user) else WatcherLine
    _check_room(lines, match, user)
    lines._default_manager.create(match=match, user=user, text=text, phrase=phrase)
    nudges.said(match.key)


def _check_room(lines: type[ChatLine] | type[WatcherLine], match: Match, user: User) -> None:
    """Raises Refused if this chat, or the part of it that one person may write, is full."""
    written = lines._default_manager.filter(match=match).exclude(phrase__in=EVENTS)
    counted = written.aggregate(all=Count("pk"), own=Count("pk", filter=Q(user=user)))
    if counted["own"] >= MOST_OF_ONE:
        told = _("You’ve written %(n)d lines at this table, and can’t write more here.")
        raise Refused(told % {"n": MOST_OF_ONE})
    if counted["all"] >= MOST:
        raise Refused(_("This chat is full: it has %(n)d lines.") % {"n": MOST})


def note(match: Match, user: User, event: str) -> bool:
    """Let the chat of a waiting room say what somebody has done, once each: the last time. Returns whether it is the
    first time."""
    said, _each = match.chat.filter(user=user, phrase=event).delete()
    match.chat.create(user=user, phrase=event)
    return not said


def forget_events(match: Match) -> None:
    """Take back all that the chat says of the waiting room: the game begins."""
    match.chat.filter(phrase__in=EVENTS).delete()


def mute(match: Match, seat: Seat) -> None:
    """Mute the chat of this table, or unmute it."""
    with transaction.atomic():
        match = locked(match)
        seat = match.sitting[seat.index]
        seat.muted = not seat.muted
        seat.save(update_fields=["muted"])
        edited(match)
        nudges.changed(match.key)
