"""The ladders of a club: opening a further one, naming one, closing one for good. Each service is one transaction."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.clubs import clubs, decisions
from accounts.models import Club, Right, User
from accounts.text.names import folded, normal, validate_claim, validate_words
from accounts.web.refused import Refused
from games.engine.registry import title
from games.ladders import events
from games.ladders.challenging import tables_of
from games.ladders.models import LONGEST_NAME, Challenge, Ladder, TableResult
from games.ladders.payloads import Closed, RulesSet
from games.ladders.rules import Rules

MOST_OPEN = 8
"""The most open ladders of a club ..."""
MOST = 80
"""... and of all that it has ever had: some pages read them all."""


def open_of(club: Club) -> list[Ladder]:
    """The open ladders of a club, by their numbers: at least one."""
    found = list(club.ladders.filter(closed_at=None).order_by("number"))
    for ladder in found:
        ladder.club = club
    return found


@transaction.atomic
def open_further(
    club: Club, steward: User, name: str, game: str, rules: Rules, now: datetime, first: str = ""
) -> Ladder:
    """Open a further ladder of a club, without players and without a season, for the title with this slug.

    `first`: the name of the first one from now on, which it needs if it has none.
    """
    club = clubs.at_desk(club, steward, Right.LADDER)
    ladders = list(club.ladders.order_by("number"))
    if sum(each.closed_at is None for each in ladders) >= MOST_OPEN:
        raise Refused(_("A club has at most %(most)d ladders. Close one of them first.") % {"most": MOST_OPEN})
    if len(ladders) >= MOST:
        raise Refused(_("A club can open at most %(most)d ladders in all.") % {"most": MOST})
    if not tables_of(title(game), rules):
        raise Refused(_("The game can’t be played by so many."))
    for nameless in (each for each in ladders if not each.name):
        _name(nameless, first, ladders, steward, now)
    ladder = events.create(club, game, number=ladders[-1].number + 1, name=_checked(name, ladders))
    decisions.record(club, "opened", steward, now, says=decisions.LadderNamed(ladder.number, ladder.name))
    events.write(ladder, RulesSet(rules), now, steward)
    events.schedule_wakeup(ladder)
    return ladder


@transaction.atomic
def rename(ladder: Ladder, steward: User, name: str, now: datetime) -> None:
    """Name a ladder, which may be closed; events and results keep to its number."""
    club = clubs.at_desk(ladder.club, steward, Right.LADDER)
    ladders = list(club.ladders.select_for_update().order_by("number"))
    _name(next(each for each in ladders if each.pk == ladder.pk), name, ladders, steward, now)


def _name(ladder: Ladder, name: str, ladders: list[Ladder], steward: User, now: datetime) -> None:
    name = _checked(name, [each for each in ladders if each != ladder])
    if name == ladder.name:
        return
    ladder.name = name
    ladder.save(update_fields=["name"])
    decisions.record(ladder.club, "named", steward, now, says=decisions.LadderNamed(ladder.number, name))


def tidied(name: str) -> str:
    """The name as it is kept. Raises Refused for one that no ladder can have."""
    name = normal(" ".join(name.split()))
    if not 2 <= len(name) <= LONGEST_NAME:
        raise Refused(_("The name of a ladder has 2 to %(most)d characters.") % {"most": LONGEST_NAME})
    try:
        validate_words(name)
        validate_claim(name)
    except ValidationError as wrong:
        raise Refused(" ".join(wrong.messages)) from None
    return name


def _checked(name: str, others: list[Ladder]) -> str:
    """The name, `tidied`. Raises Refused also for one that cannot be told from those of the others."""
    name = tidied(name)
    if folded(name) in {folded(each.name) for each in others}:
        raise Refused(_("There is already a ladder of this name in the club: %(name)s.") % {"name": name})
    return name


@transaction.atomic
def close(ladder: Ladder, steward: User, now: datetime) -> None:
    """Close a ladder for good: its season ends, what is open no longer counts, and its history stays."""
    club = clubs.at_desk(ladder.club, steward, Right.LADDER)
    ladder = events.open_ladder(ladder)
    if not club.ladders.filter(closed_at=None).exclude(pk=ladder.pk).exists():
        raise Refused(_("This is the only open ladder of the club. Open another one first."))
    _end(ladder, now, steward)
    events.write(ladder, Closed(), now, steward)
    events.notify(ladder, ladder.now_standing().players, "ladder-closed", now, by=steward)
    ladder.closed_at = now
    ladder.save(update_fields=["closed_at"])
    events.schedule_wakeup(ladder)


@transaction.atomic
def end_all(club: Club, now: datetime, by: User | None) -> None:
    """A club closes: `accounts.signals.club_closed`. Its ladders stay as they stand, without a season; what is open no
    longer counts. When the last member has left, nothing is open."""
    for ladder in events.all_locked(club) if by else ():
        if ladder.closed_at is None:
            _end(ladder, now, by)
            events.schedule_wakeup(ladder)


def _end(ladder: Ladder, now: datetime, steward: User | None) -> None:
    """End the season of a locked ladder, and all that is open on it."""
    if ladder.now_standing().ends is not None:
        events.close_season(ladder, now, steward)
    for challenge in ladder.challenges.filter(status__in=Challenge.ALIVE).select_related("match"):
        events.void(ladder, challenge, now, "season")
    for entry in ladder.table_results.filter(status__in=TableResult.ALIVE):
        events.lapse(entry, now)
