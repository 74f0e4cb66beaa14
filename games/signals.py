"""The one place where signals of people and of matches are connected to their consequences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils import timezone

from accounts.models import Announcement, Club, User
from accounts.signals import (
    account_closed,
    club_closed,
    club_founded,
    club_joined,
    club_left,
    journal_appended,
    matches_closed,
    notices_changed,
    seating_withdrawn,
    session_ended,
)
from games.analysis import services as analysis
from games.board import services as board
from games.calendar import services as dates
from games.calendar.models import CalendarEvent
from games.calendar.signals import event_cancelled, event_changed, event_soon
from games.deck import deck
from games.feeds import services as feeds
from games.hands import hands
from games.hub import nudges
from games.ladders import events, leaving, opening, results
from games.ladders.models import LadderEvent
from games.lobby import open_matches
from games.matches import access, chat, rematches
from games.matches.models import ChatLine, Match, Seat, WatcherLine
from games.matches.signals import began, ended, opened
from games.tournaments import differing, playing, scheduled
from games.tournaments import services as tournaments
from games.tournaments.models import TournamentEvent


@receiver(began)
def play_challenge(match: Match, **_signal: object) -> None:
    results.began(match)


@receiver(began)
def begin_rematch(match: Match, **_signal: object) -> None:
    rematches.changed(match)


@receiver(began)
def clear_room(match: Match, **_signal: object) -> None:
    chat.forget_events(match)


@receiver(journal_appended, sender=LadderEvent)
@receiver(journal_appended, sender=TournamentEvent)
def tell_of_events(rows: Sequence[LadderEvent | TournamentEvent], **_signal: object) -> None:
    for row in rows:
        feeds.happened(row, timezone.now())


@receiver(post_save, sender=Announcement)
@receiver(post_save, sender=CalendarEvent)
def tell_members(instance: Announcement | CalendarEvent, update_fields: object, **_signal: object) -> None:
    if update_fields is None:  # more than when to remind of it
        feeds.happened(instance, timezone.now())


@receiver(event_changed)
def heed_changed_event(event: CalendarEvent, by: User, now: datetime, **_signal: object) -> None:
    scheduled.changed(event, by, now)


@receiver(event_cancelled)
def close_cancelled_event(event: CalendarEvent, by: User, now: datetime, **_signal: object) -> None:
    scheduled.cancelled(event, by, now)


@receiver(event_soon)
def remind_players(event: CalendarEvent, now: datetime, **_signal: object) -> None:
    scheduled.soon(event, now)


@receiver(ended)
def count_result(match: Match, **_signal: object) -> None:
    results.ended(match)


@receiver(ended)
def count_in_tournament(match: Match, **_signal: object) -> None:
    playing.ended(match)


@receiver(ended)
def count_try(match: Match, **_signal: object) -> None:
    hands.ended(match)


@receiver(opened)
def look_at_decisions(match: Match, **_signal: object) -> None:
    analysis.opened(match)


@receiver(club_founded)
def create_ladder(club: Club, **_signal: object) -> None:
    events.create(club)


@receiver(club_joined)
def join_ladder(club: Club, user: User, at: datetime, **_signal: object) -> None:
    events.joined(club, user, at)


@receiver(club_left)
def leave_ladder(club: Club, user: User, at: datetime, by: User | None, **_signal: object) -> None:
    leaving.left(club, user, at, by)
    tournaments.left(club, user, at, by)
    dates.left(club, user)
    feeds.left(club)
    open_matches.part(club, user)
    nudges.board_changed(club.pk)
    transaction.on_commit(lambda: nudges.signed_out(user.pk))


@receiver(club_closed)
def end_all(club: Club, at: datetime, by: User | None, **_signal: object) -> None:
    tournaments.end_all(club, at, by)
    dates.cancel_all(club, at, by)
    opening.end_all(club, at, by)
    open_matches.close_all(club)
    nudges.board_changed(club.pk)


@receiver(seating_withdrawn)
def leave_nights(club: Club, user: User, at: datetime, **_signal: object) -> None:
    tournaments.unseat(club, user, at)


@receiver(account_closed)
def forget_words(user: User, **_signal: object) -> None:
    Seat.objects.filter(user=user).update(name="", salt=b"")
    for lines in (ChatLine, WatcherLine):
        lines._default_manager.filter(user=user).delete()
    board.forget(user)
    hands.tell(user, False)
    analysis.forget(user)
    differing.forget(user)
    deck.forget(user)


@receiver(session_ended)
def close_pages(user: int, **_signal: object) -> None:
    nudges.signed_out(user)


@receiver(notices_changed)
def ring_bells(users: set[int], **_signal: object) -> None:
    nudges.told(users)


@receiver(matches_closed)
def closed_matches(keys: Collection[str], visitor: User, **_signal: object) -> set[str]:
    return access.closed_keys(keys, visitor)
