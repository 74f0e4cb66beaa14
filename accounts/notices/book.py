"""What people are told: at the bell of every page, in a mail, or not at all, as each chooses by topic.

A notice is kept as its kind and the values in its sentence. The sentence is made when somebody reads it, in his
language. Nothing that is hidden from a player may ever stand in a notice.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, ngettext_lazy

from accounts.models import Notice, User

log = logging.getLogger(__name__)

TOPICS = {
    "turn": _("It is your turn, and you have not seen it"),
    "challenge": _("Somebody challenges you"),
    "answer": _("Your challenge is answered"),
    "deadline": _("A deadline is near"),
    "table": _("A table of yours is open"),
    "result": _("A game moves you on a ladder"),
    "season": _("A season begins or ends, a steward changes the ladder"),
    "club": _("Your clubs"),
}
"""What one may choose not to be told, in the order of the settings."""
MAIL_AFTER = timedelta(seconds=30)
"""What has been seen by then needs no mail."""
MOST_UNSEEN = 100
"""So many unseen notices are counted, and no more."""
KEPT = timedelta(days=60)
"""Notices that have been seen are deleted so long after they were told, ..."""
KEPT_UNSEEN = timedelta(days=365)
"""... and those that nobody wants to see at last, too."""


@dataclass(frozen=True)
class Bell:
    """What the bell shows to one person."""

    number: int

    @property
    def shown(self) -> str:
        """The number, for the eye."""
        return str(self.number) if self.number < MOST_UNSEEN else f"{MOST_UNSEEN - 1}+"

    @property
    def label(self) -> str:
        """The number in words, for the ear."""
        if not self.number:
            return str(_("Notices"))
        return ngettext("Notices: %(number)s new", "Notices: %(number)s new", self.number) % {"number": self.shown}


@dataclass(frozen=True)
class Kind:
    """A sentence, and what it is about."""

    topic: str
    sentence: Any
    """With the values in named placeholders."""
    stands: bool = False
    """It says how something stands: told again before it was seen, it takes the place of what it said before."""
    first: str = ""
    """Of such a kind, the value that stays what it was when it was told first."""
    bare: Any = ""
    """The sentence if that value is None."""

    def say(self, values: dict[str, Any]) -> str:
        """The sentence with these values, in the language of the moment."""
        bare = self.first and values[self.first] is None
        return str((self.bare if bare else self.sentence) % values)


KINDS = {
    "turn": Kind("turn", _("It is your turn in the game with %(names)s."), stands=True),
    "challenged": Kind("challenge", _("%(name)s challenges you on the ladder of %(club)s.")),
    "countered": Kind("challenge", _("%(name)s proposes other terms for your game on the ladder of %(club)s.")),
    "accepted": Kind("answer", _("%(name)s has accepted the challenge on the ladder of %(club)s.")),
    "declined": Kind("answer", _("%(name)s has declined the challenge on the ladder of %(club)s.")),
    "withdrawn": Kind("answer", _("%(name)s has withdrawn the challenge on the ladder of %(club)s.")),
    "left": Kind(
        "answer", _("%(name)s has left the ladder of %(club)s. What you had to play does not count any more.")
    ),
    "unanswered": Kind("answer", _("%(name)s did not answer the challenge on the ladder of %(club)s in time.")),
    "missed": Kind("answer", _("You did not answer %(name)s on the ladder of %(club)s in time.")),
    "answer-soon": Kind(
        "deadline",
        ngettext_lazy(
            "%(hours)d hour is left to answer %(name)s on the ladder of %(club)s.",
            "%(hours)d hours are left to answer %(name)s on the ladder of %(club)s.",
            "hours",
        ),
        stands=True,
    ),
    "finish-soon": Kind(
        "deadline",
        ngettext_lazy(
            "%(hours)d hour is left to finish the game with %(name)s on the ladder of %(club)s.",
            "%(hours)d hours are left to finish the game with %(name)s on the ladder of %(club)s.",
            "hours",
        ),
        stands=True,
    ),
    "table": Kind("table", _("Your table with %(names)s is open: a game on the ladder of %(club)s."), stands=True),
    "unfinished": Kind(
        "table", _("The game with %(names)s was not over in time. It does not count on the ladder of %(club)s.")
    ),
    "result": Kind(
        "result",
        _("You have moved from rung %(before)s to rung %(position)s on the ladder of %(club)s."),
        stands=True,
        first="before",
        bare=_("You stand on rung %(position)s on the ladder of %(club)s now."),
    ),
    "off": Kind("result", _("You are off the ladder of %(club)s until you say that you are back."), stands=True),
    "sunk": Kind(
        "result",
        _("You have not played for a while and stand on rung %(position)s on the ladder of %(club)s now."),
        stands=True,
    ),
    "season-begun": Kind("season", _("Season %(number)s has begun on the ladder of %(club)s.")),
    "season-ended": Kind("season", _("Season %(number)s of %(club)s is over. You finished on rung %(position)s.")),
    "added": Kind(
        "season",
        _("A steward has put you on the ladder of %(club)s. You stand on rung %(position)s now."),
        stands=True,
    ),
    "corrected": Kind(
        "season", _("A steward has put you on rung %(position)s on the ladder of %(club)s. The reason: %(reason)s")
    ),
    "undone": Kind(
        "season", _("A steward has undone something that moved you on the ladder of %(club)s. The reason: %(reason)s")
    ),
    "invited": Kind("club", _("%(name)s invites you to the club %(club)s.")),
    "asked": Kind("club", _("%(name)s asks to join the club %(club)s.")),
    "approved": Kind("club", _("You are a member of the club %(club)s now.")),
    "expelled": Kind("club", _("You are no member of the club %(club)s any more. The reason: %(reason)s")),
    "announced": Kind("club", _("There is an announcement in the club %(club)s."), stands=True),
    "appointed": Kind("club", _("You are a steward of the club %(club)s now.")),
}

told: list[Callable[[set[int]], None]] = []
"""Called with the ids of people, after the commit, when there is something new at their bells, or less."""


@transaction.atomic
def tell(users: Iterable[User], kind: str, address: str, now: datetime, **values: str | int | None) -> None:
    """Tell people something that a page has more about. In `names`, several are joined by ", "."""
    about = KINDS[kind]
    about.say(values)  # the values are there
    people = {user.pk: user for user in users if user.is_active and not user.closed and not user.guest}
    waiting = _waiting(people, kind, address, values)
    for pk, user in people.items():
        here = about.topic not in user.silenced
        mail = by_mail(user, kind)
        before = waiting.get(pk)
        if before is not None:
            _again(before, about, now, values)
        elif here or mail:
            Notice.objects.create(
                user=user,
                kind=kind,
                values=values,
                address=address,
                at=now,
                seen_at=None if here else now,
                mail_at=now + MAIL_AFTER if mail else None,
            )
    _changed(set(people))


def _waiting(people: Collection[int], kind: str, address: str, values: dict[str, Any]) -> dict[int, Notice]:
    """By person, an unseen notice of the same."""
    same = Notice.objects.select_for_update().filter(user__in=people, kind=kind, address=address, seen_at=None)
    return {notice.user_id: notice for notice in same if KINDS[kind].stands or notice.values == values}


def _again(notice: Notice, about: Kind, now: datetime, values: dict[str, Any]) -> None:
    """The same once more: no second notice, and no second mail."""
    notice.values = {**values, about.first: notice.values[about.first]} if about.first else values
    notice.at = now
    notice.save(update_fields=["values", "at"])


@transaction.atomic
def seen(user: User, now: datetime, address: str = "") -> int:
    """The user has seen his notices, or those that lead to this page; how many he had not seen before."""
    unseen = Notice.objects.filter(user=user, seen_at=None)
    if address:
        unseen = unseen.filter(address=address)
    number = unseen.update(seen_at=now)
    if number:
        _changed({user.pk})
    return number


def _changed(users: set[int]) -> None:
    if users:
        transaction.on_commit(lambda: [call(users) for call in told])


def unseen(user: User) -> list[Notice]:
    """What a person has not seen yet, the newest first: at most MOST_UNSEEN."""
    return list(Notice.objects.filter(user=user, seen_at=None).order_by("-at", "-id")[:MOST_UNSEEN])


def bell(user: User, page: str, now: datetime) -> Bell:
    """The bell of a page that is being opened: what leads there is seen by that."""
    rows = Notice.objects.filter(user=user, seen_at=None).values_list("pk", "address")[:MOST_UNSEEN]
    here = [pk for pk, address in rows if address.partition("#")[0].partition("?")[0] == page]
    if here and Notice.objects.filter(pk__in=here, seen_at=None).update(seen_at=now):
        _changed({user.pk})
    return Bell(len(rows) - len(here))


def forget(now: datetime) -> None:
    """Delete what is old."""
    Notice.objects.filter(seen_at__isnull=False, mail_at=None, at__lt=now - KEPT).delete()
    Notice.objects.filter(at__lt=now - KEPT_UNSEEN).delete()


def rename(old: str, new: str) -> None:
    """Name a person otherwise in what others were told."""
    named = Q(values__name=old) | Q(values__names__icontains=old)
    for notice in Notice.objects.select_for_update().filter(named):
        for key in {"name", "names"} & notice.values.keys():
            names = notice.values[key].split(", ")
            notice.values[key] = ", ".join(new if name == old else name for name in names)
        notice.save(update_fields=["values"])


def by_mail(user: User, kind: str) -> bool:
    """Whether a person wants to be told of this by mail, and can be."""
    return bool(user.email) and f"{KINDS[kind].topic}:mail" not in user.silenced


@transaction.atomic
def choose(user: User, silenced: Collection[str], now: datetime) -> None:
    """What a person does not want to be told: "topic" in the site, "topic:mail" by mail."""
    known = [name for topic in TOPICS for name in (topic, f"{topic}:mail")]
    user.silenced = [name for name in known if name in silenced]
    user.save(update_fields=["silenced"])
    if Notice.objects.filter(user=user, seen_at=None, kind__in=hidden_kinds(user)).update(seen_at=now):
        _changed({user.pk})


def topics(user: User) -> list[tuple[str, Any, bool, bool]]:
    """What one may choose: each topic, what it is called, whether it is told in the site, and by mail."""
    return [
        (topic, name, topic not in user.silenced, f"{topic}:mail" not in user.silenced)
        for topic, name in TOPICS.items()
    ]


def hidden_kinds(user: User) -> list[str]:
    """The kinds of notices that a person does not want in the site."""
    return [kind for kind, about in KINDS.items() if about.topic in user.silenced]


def in_text(notice: Notice) -> str:
    """The sentence of a notice as plain text, in one line, in the language of the moment."""
    return re.sub(r"\s+", " ", KINDS[notice.kind].say(notice.values))


def in_page(notice: Notice) -> SafeString:
    """The sentence of a notice for a page: what people wrote is escaped, and stands by itself in any direction."""
    values = {name: _marked(name, value) for name, value in notice.values.items()}
    return mark_safe(KINDS[notice.kind].say(values))  # the values are escaped, the rest is ours


def _marked(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if name == "names":
        return format_html_join(", ", "<bdi>{}</bdi>", ((each,) for each in value.split(", ")))
    return format_html("<bdi>{}</bdi>" if name != "reason" else '<bdi class="reason">{}</bdi>', value)
