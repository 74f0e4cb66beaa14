"""Opens hidden matches, once the event is closed in which others played the same deal."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import F

from accounts.career import tallies
from games.hub import nudges
from games.matches import finish, play
from games.matches.clocks import ms_of
from games.matches.models import Match, Seat


def reveal(matches: Iterable[Match], at: datetime) -> None:
    """Open hidden, locked matches to all who may watch, and archive those that are finished, in the order of their
    ends. Those that are still being played are cancelled: the others say what their players hold, and what will be
    drawn. `at`: when the event was closed. In the caller's transaction."""
    found = list(matches)
    people = Seat.objects.filter(match__in=[match.pk for match in found], user__isnull=False)
    tallies.hold(set(people.values_list("user", flat=True)))
    for match in found:
        match.hidden = False
        Match.objects.filter(pk=match.pk).update(hidden=False, revision=F("revision") + 1)
        if match.status == Match.Status.RUNNING:
            play.cancel(match, ms_of(at))
        nudges.changed(match.key)
    # Nobody plays the deal any more: whoever is told that a match is open may look at it.
    finished = [match for match in found if match.status == Match.Status.FINISHED]
    for match in sorted(finished, key=lambda match: match.ended_at or at):
        finish.keep(match)
