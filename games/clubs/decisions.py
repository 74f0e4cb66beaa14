"""The log of the stewards' decisions, as a page shows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.utils.translation import pgettext_lazy as named

from accounts.clubs.clubs import LANGUAGES
from accounts.clubs.decisions import (
    KINDS,
    AnyDecision,
    Entitled,
    InvitationsMailed,
    LadderNamed,
    OfAnnouncement,
    OfLadder,
    OfSite,
    SettingsChanged,
    Titled,
    said,
)
from accounts.models import Club, Right, StewardDecision, User
from games.ladders.pages import story
from games.ladders.words.events import put

PAGE = 40
"""The number of decisions on a page."""
SETTINGS = {
    "name": named("setting of a club", "Name"),
    "slug": named("setting of a club", "Address"),
    "description": named("setting of a club", "Description"),
    "language": named("setting of a club", "Language"),
    "private": named("setting of a club", "Who sees it"),
    "joining": named("setting of a club", "Who can join"),
}
NOBODY = gettext_lazy("Nobody")


@dataclass
class ToldDecision:
    """A decision as the page shows it."""

    decision: StewardDecision
    sentence: SafeString
    changes: list[tuple[str, str, str]] = field(default_factory=list)
    """Of settings: what, before, and after."""
    text: str = ""
    """Of an announcement that is still there."""
    address: str = ""
    """The page of the event of a ladder ..."""
    ladder: str = ""
    """... and the name of that ladder, if it has one."""
    reason: str = ""


def narrate(club: Club, rows: Sequence[StewardDecision]) -> list[ToldDecision]:
    """These decisions of a club in words. At most five queries, and four for each further ladder."""
    of_ladder = _of_ladders(club, [row for row in rows if row.kind == "ladder"])
    written = [says.announcement for row in rows if isinstance(says := said(row), OfAnnouncement)]
    texts = dict(club.announcements.filter(pk__in=written).values_list("pk", "text")) if written else {}
    return [_told(row, of_ladder, texts) for row in rows]


def _of_ladders(club: Club, rows: Sequence[StewardDecision]) -> dict[tuple[int, int], ToldDecision]:
    """The decisions that are events of ladders, by the numbers of ladder and event."""
    wanted: dict[int, dict[int, StewardDecision]] = defaultdict(dict)
    for row in rows:
        says = said(row)
        assert isinstance(says, OfLadder)
        wanted[says.ladder][says.event] = row
    told = {}
    for ladder in club.ladders.filter(number__in=wanted):
        ladder.club, of = club, wanted[ladder.number]
        for event in story.narrate(ladder, list(ladder.log.filter(number__in=of).select_related("by"))):
            page = f"{ladder.address('ladder_history')}?event={event.number}#e{event.number}"
            one = ToldDecision(of[event.number], event.sentence, address=page, reason=event.event.reason)
            one.ladder = ladder.name
            told[ladder.number, event.number] = one
    return told


def _told(row: StewardDecision, of_ladder: dict[tuple[int, int], ToldDecision], texts: dict[int, str]) -> ToldDecision:
    says = said(row)
    if isinstance(says, OfLadder) and (event := of_ladder.get((says.ladder, says.event))):
        return event
    number = says.number if isinstance(says, InvitationsMailed) else 0
    told = ToldDecision(row, put(str(KINDS[row.kind].sentence % _Values(number=number)), **_words(row, says)))
    told.reason = row.reason
    if isinstance(says, SettingsChanged):
        known = [change for change in says.changes if change[0] in SETTINGS]
        told.changes = [(str(SETTINGS[name]), _value(name, old), _value(name, new)) for name, old, new in known]
    if isinstance(says, OfAnnouncement):
        told.text = texts.get(says.announcement, "")
    return told


class _Values(dict[str, Any]):
    """Numbers go into a sentence at once, to choose its plural; names are put in afterwards, escaped."""

    def __missing__(self, key: str) -> str:
        return f"%({key})s"


def _words(row: StewardDecision, says: AnyDecision) -> dict[str, SafeString | str]:
    named: dict[str, SafeString | str] = {"by": _name(row.by), "name": _name(row.user)}
    match says:
        case Entitled(rights=rights):
            named["rights"] = ", ".join(str(right.label) for right in Right if right in rights)
        case OfSite(site=site):
            named["site"] = site
        case Titled(title=title):
            named["title"] = format_html("<bdi>{}</bdi>", title)
        case LadderNamed(ladder=ladder, title=title):
            named |= {"ladder": str(ladder), "title": format_html("<bdi>{}</bdi>", title)}
    return named


def _name(user: User | None) -> SafeString:
    return format_html("<bdi>{}</bdi>", user.username if user else NOBODY)


def _value(name: str, value: str | bool) -> str:
    """The value of a setting in words."""
    if name == "private":
        return _("Members only") if value else _("Everyone")
    if name == "joining":
        return str(dict(Club.Joining.choices).get(str(value), value))
    if name == "language":
        return str(translation.get_language_info(str(value))["name_local"]) if value in LANGUAGES else _("Any")
    return str(value)
