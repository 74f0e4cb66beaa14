"""The rematch of a match that is over: who has said yes, who not yet, who no, and until when one may answer.

It is an open match whose seats are kept for those who sat in the match before; `games.lobby.rematches` changes it.
"""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.notices import notices
from games.hub import nudges
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.matches.scene import Offer, Reply

TOPICS = {"rematch": notices.Topic(_("Someone wants a rematch"), "i-turn")}
KINDS = {
    "rematch": notices.NoticeKind(
        "rematch",
        _("%(name)s wants a rematch of %(game)s."),
        _("Someone wants a rematch of %(game)s with you."),
        stands=True,
    ),
    "rematch now": notices.NoticeKind(
        "rematch", _("%(name)s wants a rematch of %(game)s now."), "", stands=True, mailed=False
    ),
}
LATER = timedelta(days=2)
"""How long an offer stands, unless the match was a live one ..."""
LIVE = timedelta(minutes=5)
"""... and how long it stands then: time for a word in the chat, and a look at the game that is over."""


def find(match: Match) -> Match | None:
    """The rematch of a match that is over, with its seats; None if nobody has asked for one."""
    return Match.objects.seated().filter(rematch_of=match.pk).first()


def offer(match: Match) -> Offer:
    """The rematch of a match that is over, as its players may know it."""
    again = find(match)
    if again is None:
        return Offer()
    sits = {seat.user_id: seat for seat in again.sitting if seat.user_id is not None}
    replies = []
    for seat in match.sitting:
        if seat.user is not None:
            kept = sits.get(seat.user.pk)
            said = "no" if kept is None else "yes" if kept.ready else "asked"
            replies.append((seat.index, Reply(seat.person, said)))
    if again.status == Match.Status.OPEN:
        state = "open"
    else:
        state = "closed" if again.status == Match.Status.CLOSED else "begun"
    until = ms_of(again.wake_at) if state == "open" and again.wake_at else None
    return Offer(state, again.key, again.host.username, tuple(replies), until)


def seen_by_watchers(match: Match, offered: Offer) -> Offer:
    """The rematch as those know it who did not play: the address of a game that has begun, if they may watch it."""
    unseen = match.hidden or match.watch == Match.Watch.NOBODY
    return Offer() if unseen else offered.watched


def locked(match: Match) -> Match:
    """A match that has not begun, locked and fresh; before it the one whose rematch it is, which changes with it.

    Whoever asks for a rematch locks the two in this order as well: otherwise they could wait for each other.
    """
    if match.rematch_of_id:
        Match.objects.select_for_update().get(pk=match.rematch_of_id)
    return Match.objects.select_for_update().get(pk=match.pk)


def changed(again: Match) -> None:
    """Tell the pages of the match before that something has changed about its rematch, also those that miss a nudge."""
    if again.rematch_of_id:
        before = Match.objects.filter(pk=again.rematch_of_id)
        before.update(revision=F("revision") + 1)
        nudges.changed(before.values_list("key", flat=True).get())
