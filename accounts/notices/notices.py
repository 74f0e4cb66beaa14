"""Notices to people: at the bell of every page, in a mail, or not at all, as each person chooses by topic.

A notice is stored as its kind and the values in its sentence. The sentence is made when its owner reads it, in their
language. Nothing that is hidden from a player may ever stand in a notice.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, ngettext_lazy

from accounts.models import Club, Notice, User
from accounts.signals import notices_changed
from accounts.text.numbers import number
from accounts.web import datetimes

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

log = logging.getLogger(__name__)

Values = Mapping[str, str | int | None]
"""What is put into the sentence of a notice. `until` is a moment and `day` the day of one, in milliseconds since 1970:
each reader has them in their zone."""


class Topic(NamedTuple):
    """A group of notices that can be switched off together."""

    label: StrOrPromise
    """In the settings."""
    symbol: str
    """The id of its sign in the sprite of the site."""


TOPICS = {"club": Topic(_("Your clubs"), "i-user")}
"""The topics that can be switched off, in the order of the settings."""
CALLS_FOR = timedelta(minutes=5)
"""How long a notice that calls to a table is shown on each page."""
MAIL_AFTER = timedelta(seconds=30)
"""A notice seen within this time needs no mail."""
LONGEST = 600
"""The most characters of a notice that is read out while a page is open."""
MOST_UNSEEN = 100
"""The bell counts no further."""
KEPT = timedelta(days=60)
"""How long notices are kept once seen ..."""
KEPT_UNSEEN = timedelta(days=365)
"""... and how long if they are never seen."""


@dataclass(frozen=True)
class Bell:
    """The bell of one person."""

    number: int

    @property
    def shown(self) -> str:
        """The number, for the eye."""
        return number(self.number) if self.number < MOST_UNSEEN else f"{number(MOST_UNSEEN - 1)}+"

    @property
    def label(self) -> str:
        """The number in words, for screen readers."""
        if not self.number:
            return str(_("Notices"))
        return ngettext("Notices: %(number)s new", "Notices: %(number)s new", self.number) % {"number": self.shown}


@dataclass(frozen=True)
class NoticeKind:
    """A kind of notice: its topic and its sentences."""

    topic: str
    sentence: StrOrPromise
    """On the site, with the values in named placeholders."""
    letter: StrOrPromise
    """In mails: without anything that people chose, so without names and texts; but with what the site itself calls a
    `game`."""
    stands: bool = False
    """It reports a state: if told again before it was seen, it replaces the earlier notice."""
    first: str = ""
    """For such a kind, the value that keeps its first content."""
    bare: StrOrPromise = ""
    """The sentence if that value is None."""
    mailed: bool = True
    """Whether there are mails about it; not of what is over before anybody reads them."""
    reminds: bool = False
    """It reminds of a moment to come: its value `until`, in milliseconds since 1970. Each reminder is a notice of its
    own, with its mail unless the moment has gone by, and the earlier one counts as seen."""
    urgent: bool = False
    """Something is lost if it is missed, such as a rung, or time on one's clock: its mails have a bound that no others
    use up, and wait where others are left out."""
    calls: bool = False
    """It calls to a table where others wait: while it is new, and has not been seen, each page shows it with a way
    there."""
    quotes: bool = False
    """Whether its mail holds the name of the `club` and the `text` as well: only for what the members of a club get."""

    def say(self, values: dict[str, Any]) -> str:
        """The sentence with these values, in the active language."""
        bare = self.first and values[self.first] is None
        return str((self.bare if bare else self.sentence) % values)

    def write(self, values: dict[str, Any]) -> str:
        """The sentence for a mail, in the active language."""
        known = {
            name: _plain(name, value) for name, value in values.items() if isinstance(value, int) or name == "game"
        }
        return str(self.letter % known)


KINDS = {
    "invited": NoticeKind("club", _("%(name)s invites you to the club %(club)s."), _("Someone invites you to a club.")),
    "asked": NoticeKind("club", _("%(name)s wants to join the club %(club)s."), _("Someone wants to join your club.")),
    "approved": NoticeKind(
        "club",
        _("You’re now a member of the club %(club)s."),
        _("You’re now a member of a club you asked to join."),
    ),
    "rejected": NoticeKind(
        "club",
        ngettext_lazy(
            "The club %(club)s rejected your request to join. You can ask again after %(number)d day.",
            "The club %(club)s rejected your request to join. You can ask again after %(number)d days.",
            "number",
        ),
        _("Your request to join a club was rejected."),
    ),
    "expelled": NoticeKind(
        "club",
        _("You’re no longer a member of the club %(club)s. The reason: %(reason)s"),
        _("You’re no longer a member of one of your clubs. The page says why."),
    ),
    "announced": NoticeKind(
        "club",
        _("Announcement in the club %(club)s: %(text)s"),
        _("New announcement in one of your clubs."),
        quotes=True,
    ),
    "appointed": NoticeKind(
        "club", _("You’re now a steward of the club %(club)s."), _("You’re now a steward of one of your clubs.")
    ),
    "handing": NoticeKind(
        "club",
        _("%(name)s wants to hand the club %(club)s over to you. Will you take it?"),
        _("Somebody wants to hand one of your clubs over to you."),
    ),
    "handed": NoticeKind(
        "club", _("%(name)s has taken over the club %(club)s."), _("Somebody has taken over one of your clubs.")
    ),
    "declined": NoticeKind(
        "club",
        _("%(name)s has declined to take over the club %(club)s."),
        _("Somebody has declined to take over one of your clubs."),
    ),
    "club-closed": NoticeKind(
        "club",
        _("%(name)s has closed the club %(club)s. Its results and history stay to be read."),
        _("One of your clubs was closed."),
    ),
    "club-reopened": NoticeKind(
        "club", _("%(name)s has opened the club %(club)s again."), _("One of your clubs was opened again.")
    ),
    "entitled": NoticeKind(
        "club",
        _("You can now help to run the club %(club)s. See what you can do there."),
        _("You can now help to run one of your clubs."),
    ),
    "unentitled": NoticeKind(
        "club",
        _("You no longer have rights at the desk of the club %(club)s."),
        _("You no longer have rights at the desk of one of your clubs."),
    ),
}


def register(topics: Mapping[str, Topic], kinds: Mapping[str, NoticeKind]) -> None:
    """Let others tell of these kinds; their topics are shown above those registered before."""
    shown = {**topics, **TOPICS}
    TOPICS.clear()
    TOPICS.update(shown)
    KINDS.update(kinds)


@transaction.atomic
def notify(
    users: Iterable[User],
    kind: str,
    address: str | Mapping[int, str],
    now: datetime,
    *,
    by: User | Club | None,
    own: Mapping[int, Values] | None = None,
    **values: str | int | None,
) -> None:
    """Send people a notice that leads to a page. Several `names` are joined by ", ".

    `address`: of the page; by the id of the person, if each is led elsewhere. `by`: the person who caused it; or, if
    the clock or the rules of a club did, that club. How many mails there are is counted by them: only what is never
    mailed can come from nobody. `own`: further values that differ, by the id of the person who is told.
    Raises TypeError without a causer of what can be mailed.
    """
    about = KINDS[kind]
    if about.mailed and not isinstance(by, User | Club):
        raise TypeError(f"Nobody caused a notice of the kind {kind}.")
    person, club = by if isinstance(by, User) else None, by if isinstance(by, Club) else None
    people = {user.pk: user for user in users if user.is_active and not user.closed and not user.guest}
    told = {pk: {**values, **(own or {}).get(pk, {})} for pk in people}
    for each in told.values():
        about.say(each)  # the values are there
    leads = dict.fromkeys(told, address) if isinstance(address, str) else address
    waiting = _waiting(told, kind, leads)
    new, again, past = list[Notice](), list[Notice](), list[Notice]()
    for pk, user in people.items():
        here = about.topic not in user.silenced
        mail = by_mail(user, kind)
        before = waiting.get(pk)
        if before is not None and about.reminds:
            before.seen_at = now
            past.append(before)
            before = None
        if before is not None:
            # Without a second entry and without a second mail.
            first = {about.first: before.values[about.first]} if about.first else {}
            before.values, before.at = {**told[pk], **first}, now
            before.by, before.club = person, club
            again.append(before)
        elif here or mail:
            new.append(
                Notice(
                    user=user,
                    by=person,
                    club=club,
                    kind=kind,
                    values=told[pk],
                    address=leads[pk],
                    at=now,
                    seen_at=None if here else now,
                    mail_at=now + MAIL_AFTER if mail else None,
                )
            )
    Notice.objects.bulk_create(new)
    Notice.objects.bulk_update(again, ["values", "at", "by", "club"])
    Notice.objects.bulk_update(past, ["seen_at"])
    _changed(set(people))


def _waiting(told: Mapping[int, Values], kind: str, leads: Mapping[int, str]) -> dict[int, Notice]:
    """By person, an unseen notice about the same that leads to the same page."""
    where = set(leads.values())
    same = Notice.objects.select_for_update().filter(user__in=told, kind=kind, address__in=where, seen_at=None)
    return {
        notice.user_id: notice
        for notice in same
        if notice.address == leads[notice.user_id] and (KINDS[kind].stands or notice.values == told[notice.user_id])
    }


@transaction.atomic
def seen(user: User, now: datetime, address: str = "") -> int:
    """Mark the user's notices as seen, or only those that lead to this page. Returns how many were unseen."""
    unseen = Notice.objects.filter(user=user, seen_at=None)
    if address:
        unseen = unseen.filter(address=address)
    number = unseen.update(seen_at=now)
    if number:
        _changed({user.pk})
    return number


@transaction.atomic
def take_back(kind: str, number: int) -> None:
    """Delete the notices of a kind with this `number`, seen or not, and let no mail about them go any more."""
    told = Notice.objects.filter(kind=kind, values__number=number)
    users = set(told.values_list("user", flat=True))
    told.delete()
    _changed(users)


def _changed(users: set[int]) -> None:
    if users:
        transaction.on_commit(lambda: notices_changed.send(Notice, users=users))


def unseen(user: User) -> list[Notice]:
    """The notices that a person has not seen yet, newest first: at most MOST_UNSEEN."""
    return list(Notice.objects.filter(user=user, seen_at=None).order_by("-at", "-id")[:MOST_UNSEEN])


def call(news: Iterable[Notice], now: datetime) -> Notice | None:
    """The latest of these notices that calls its owner to a table; None if none does any more."""
    found = [notice for notice in news if KINDS[notice.kind].calls and notice.at > now - CALLS_FOR]
    return max(found, key=lambda notice: notice.pk, default=None)


def bell(user: User, page: str, now: datetime) -> Bell:
    """The bell of a page that is being opened: notices that lead to it count as seen. Those of private messages do not:
    the page of a conversation marks them before it reads, as another message may come meanwhile."""
    rows = Notice.objects.filter(user=user, seen_at=None).values_list("pk", "address", "kind")[:MOST_UNSEEN]
    here = [pk for pk, address, kind in rows if kind != "wrote" and address.partition("#")[0].partition("?")[0] == page]
    if here and Notice.objects.filter(pk__in=here, seen_at=None).update(seen_at=now):
        _changed({user.pk})
    return Bell(len(rows) - len(here))


def forget(now: datetime) -> None:
    """Delete old notices."""
    Notice.objects.filter(seen_at__isnull=False, mail_at=None, at__lt=now - KEPT).delete()
    Notice.objects.filter(at__lt=now - KEPT_UNSEEN).delete()


def rename(old: str, new: str) -> None:
    """Replace a person's name in the notices of others."""
    named = Q(values__name=old) | Q(values__names__icontains=old)
    for notice in Notice.objects.select_for_update().filter(named):
        for key in {"name", "names"} & notice.values.keys():
            names = notice.values[key].split(", ")
            notice.values[key] = ", ".join(new if name == old else name for name in names)
        notice.save(update_fields=["values"])


def by_mail(user: User, kind: str) -> bool:
    """Whether a person wants mails about this, and can get them."""
    return bool(user.email) and KINDS[kind].mailed and f"{KINDS[kind].topic}:mail" not in user.silenced


@transaction.atomic
def choose(user: User, silenced: Collection[str], now: datetime) -> None:
    """Store what a person does not want to be told: "topic" on the site, "topic:mail" by mail."""
    known = [name for topic in TOPICS for name in (topic, f"{topic}:mail")]
    user.silenced = [name for name in known if name in silenced]
    user.save(update_fields=["silenced"])
    if Notice.objects.filter(user=user, seen_at=None, kind__in=hidden_kinds(user)).update(seen_at=now):
        _changed({user.pk})


def mailed() -> set[str]:
    """The topics of which mails tell."""
    return {about.topic for about in KINDS.values() if about.mailed}


def topics(user: User) -> list[tuple[str, StrOrPromise, bool, bool | None]]:
    """The topics to choose from: each with its name, whether it is told on the site, and whether by mail; None if no
    mail tells of it."""
    posted = mailed()
    return [
        (
            topic,
            about.label,
            topic not in user.silenced,
            f"{topic}:mail" not in user.silenced if topic in posted else None,
        )
        for topic, about in TOPICS.items()
    ]


def hidden_kinds(user: User) -> list[str]:
    """The kinds of notices that a person does not want on the site."""
    return [kind for kind, about in KINDS.items() if about.topic in user.silenced]


def in_text(notice: Notice) -> str:
    """The sentence of a notice as plain text, in one line, in the active language; a long one is cut."""
    values = {name: _plain(name, value) for name, value in notice.values.items()}
    return Truncator(re.sub(r"\s+", " ", KINDS[notice.kind].say(values))).chars(LONGEST)


def in_mail(notice: Notice) -> str:
    """The sentence of a notice as it stands in a mail, in the active language."""
    return KINDS[notice.kind].write(notice.values)


def in_page(notice: Notice) -> SafeString:
    """The sentence of a notice as HTML: what people wrote is escaped, and isolated in its own direction."""
    values = {name: _marked(name, value) for name, value in notice.values.items()}
    return mark_safe(KINDS[notice.kind].say(values))  # the values are escaped, the rest is ours


def _plain(name: str, value: Any) -> Any:
    """A value as it stands in plain text."""
    if name == "day":
        return datetimes.day(_moment(value))
    return strip_tags(datetimes.moment(_moment(value))) if name == "until" else value


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)


def _marked(name: str, value: Any) -> object:
    if name == "day":
        return datetimes.day(_moment(value))
    if name == "until":
        return datetimes.moment(_moment(value))
    if not isinstance(value, str):
        return value
    if name == "names":
        return format_html_join(", ", "<bdi>{}</bdi>", ((each,) for each in value.split(", ")))
    written = name in ("reason", "text")
    return format_html('<bdi class="reason">{}</bdi>' if written else "<bdi>{}</bdi>", value)
