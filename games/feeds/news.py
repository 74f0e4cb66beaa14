"""What happens in a club, as its feeds and webhooks tell it: in the language of the club, in UTC, as plain text.

Whoever has the address of a feed or gets a webhook may pass it on. So of a public club they tell what everybody sees,
and of a private one what its members see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from typing import Any

from django.conf import settings
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils import translation
from django.utils.html import escape, strip_tags
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import Announcement, Club
from accounts.web import datetimes
from games.calendar.models import CalendarEvent
from games.ladders.models import Ladder, LadderEvent
from games.ladders.pages.results import latest, names_of, undone_of
from games.ladders.payloads import GAME_KINDS, Ordered, SeasonBegun, SeasonEnded, Undone, kinds
from games.ladders.words import events as words
from games.tournaments.models import TournamentEvent
from games.tournaments.payloads import Opened, TournamentClosed

MOST = 40
"""The number of items of a feed."""
LOOKED_AT = 200
"""The number of events of ladders among which they are found."""
TOPICS = {
    "result": gettext_lazy("Results"),
    "leader": gettext_lazy("A new leader of the ladder"),
    "season": gettext_lazy("Seasons that begin and end"),
    "tournament": gettext_lazy("Club nights and tournaments that begin and end"),
    "announcement": gettext_lazy("Announcements"),
    "date": gettext_lazy("Calendar"),
}
"""What there is to tell."""
EDGES = Q(kind__in=(Opened.kind, TournamentClosed.kind))
"""The events of tournaments that are told."""
SEASONS = kinds(SeasonBegun, SeasonEnded)


@dataclass(frozen=True)
class NewsItem:
    """One thing that has happened."""

    topic: str
    about: int
    """The id of the row that it tells of."""
    at: datetime
    title: str
    """One line."""
    page: str
    """The path of the page that tells more."""
    text: str = ""

    @property
    def name(self) -> str:
        """What no other item is called."""
        return f"{self.topic}-{self.about}"


def of(club: Club) -> list[NewsItem]:
    """The latest of a club, the newest first."""
    with speaking(club):
        items = [
            *ladder_items(club, latest(Ladder.objects.filter(club=club), LOOKED_AT)),
            *tournament_items(
                club, TournamentEvent.objects.filter(EDGES, tournament__club=club).order_by("-pk")[:MOST]
            ),
            *announcement_items(club, open_to(club, Announcement.objects.filter(club=club)).order_by("-pk")[:MOST]),
            *date_items(club, open_to(club, told_alone(club)).order_by("-pk")[:MOST]),
        ]
    return sorted(items, key=lambda item: (item.at, item.name), reverse=True)[:MOST]


def item(club: Club, topic: str, about: int) -> NewsItem | None:
    """One thing as it is now; None if there is nothing to tell any more."""
    read, model = _READ[topic]
    rows = model._default_manager.filter(pk=about)
    rows = open_to(club, rows) if topic in ("announcement", "date") else rows
    with speaking(club):
        return next((one for one in read(club, rows) if one.topic == topic), None)


def topics_of(row: Model) -> tuple[str, ...]:
    """What a new row may tell of."""
    if isinstance(row, LadderEvent):
        return tuple(_topics(row))
    if isinstance(row, TournamentEvent):
        return ("tournament",) if row.kind in (Opened.kind, TournamentClosed.kind) else ()
    return ("announcement",) if isinstance(row, Announcement) else ("date",)


def club_of(row: Model) -> int:
    """The id of the club in which a row tells of something."""
    if isinstance(row, LadderEvent):
        return row.ladder.club_id
    if isinstance(row, TournamentEvent):
        return row.tournament.club_id
    assert isinstance(row, Announcement | CalendarEvent)
    return row.club_id


@contextmanager
def speaking(club: Club) -> Iterator[None]:
    """Everything is said in the language of the club, if the site has it, whoever asks."""
    known = club.language if club.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(known), datetimes.as_read_by(lambda: datetimes.UNKNOWN):
        yield


def open_to(club: Club, rows: QuerySet[Any]) -> QuerySet[Any]:
    """What may be told outside of the site."""
    return rows if club.private else rows.filter(public=True)


def _topics(event: LadderEvent) -> Iterator[str]:
    if event.kind in GAME_KINDS:
        yield "result"
    if event.kind in SEASONS:
        yield "season"
    elif event.kind not in (Undone.kind, Ordered.kind) and _leader(event) is not None:
        yield "leader"


def _leader(event: LadderEvent) -> int | None:
    """Who came to the top by an event."""
    return next((int(pk) for pk, (before, after) in event.steps.items() if after == 1 and before is not None), None)


def ladder_items(club: Club, events: Iterable[LadderEvent]) -> list[NewsItem]:
    """What events of ladders tell: results, new leaders, seasons. Those that were undone are left out."""
    rows = [event for event in events if tuple(_topics(event))]
    undone = {(ladder.pk, number) for ladder in {event.ladder for event in rows} for number in undone_of(ladder)}
    people = {pk for event in rows for pk in (*words.players(event), *map(int, event.steps), event.by_id) if pk}
    names = {pk: SafeString(escape(name)) for pk, name in names_of(people).items()}
    told = []
    for event in rows:
        ladder = event.ladder
        page = f"{club.address('ladder_history', ladder.number)}?event={event.number}"
        for topic in _topics(event) if (ladder.pk, event.number) not in undone else ():
            if topic == "leader":
                title = _("%(name)s is the new leader of the ladder.") % {"name": names[_leader(event) or 0]}
            else:
                title = words.sentence(event, names)
            moved = sorted(
                (after, f"{names[int(pk)]}: {words.step(before, after)}")
                for pk, (before, after) in event.steps.items()
                if topic == "result" and before and after and after < before
            )
            text = "\n".join([*([escape(ladder.name)] if ladder.name else []), *(line for _after, line in moved)])
            told.append(NewsItem(topic, event.pk, event.at, plain(title), page, plain(text)))
    return told


def tournament_items(club: Club, rows: QuerySet[TournamentEvent]) -> list[NewsItem]:
    """What the first and the last events of tournaments tell."""
    told = []
    for row in rows.select_related("tournament").defer("tournament__standing"):
        tournament = row.tournament
        tournament.club = club
        says = _("%(event)s is open.") if row.kind == Opened.kind else _("%(event)s is over.")
        page, kind = tournament.get_absolute_url(), tournament.get_kind_display()
        told.append(NewsItem("tournament", row.pk, row.at, says % {"event": tournament.name}, page, str(kind)))
    return told


def announcement_items(club: Club, rows: Iterable[Announcement]) -> list[NewsItem]:
    """What announcements tell."""
    return [
        NewsItem(
            "announcement",
            row.pk,
            row.at,
            Truncator(" ".join(row.text.split())).chars(80),
            f"{club.get_absolute_url()}#announcement-{row.pk}",
            row.text,
        )
        for row in rows
    ]


def date_items(club: Club, rows: Iterable[CalendarEvent]) -> list[NewsItem]:
    """What dates tell."""
    told = []
    for row in rows:
        row.club = club
        says = _("%(title)s, %(time)s: cancelled") if row.cancelled_at else _("%(title)s, %(time)s")
        title = says % {"title": row.title, "time": datetimes.full(row.starts_at)}
        text = "\n".join(part for part in (row.place, row.about) if part)
        told.append(NewsItem("date", row.pk, row.changed_at, title, row.get_absolute_url(), text))
    return told


def told_alone(club: Club) -> QuerySet[CalendarEvent]:
    """The events of a club, of those of a series that were set or changed together the first alone."""
    first = CalendarEvent.objects.filter(
        series=OuterRef("series"), changed_at=OuterRef("changed_at"), pk__lt=OuterRef("pk")
    )
    return CalendarEvent.objects.filter(~Exists(first), club=club)


def plain(html: str) -> str:
    """A sentence that was written for a page, as plain text."""
    return unescape(strip_tags(html))


_READ: dict[str, tuple[Callable[[Club, QuerySet[Any]], list[NewsItem]], type[Model]]] = {
    **dict.fromkeys(("result", "leader", "season"), (ladder_items, LadderEvent)),
    "tournament": (tournament_items, TournamentEvent),
    "announcement": (announcement_items, Announcement),
    "date": (date_items, CalendarEvent),
}
