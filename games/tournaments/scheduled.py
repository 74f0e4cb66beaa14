"""What the calendar of a club opens and begins by the clock. Any number of workers may: each piece of work is done
under the locks of its club and its tournament, and done once.

Who set the event had the right to, and what it opens counts against the limits of the club, not of a person. Nobody
is seated who has not said that they come: at a night by their answer, in a tournament by entering it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import OperationalError, transaction
from django.utils.translation import gettext as _

from accounts.clubs import clubs
from accounts.models import Club, Notice, Right, User
from accounts.notices import notices
from accounts.web.refused import Refused
from accounts.web.throttle import TooMany
from games.calendar.models import CalendarAnswer, CalendarEvent
from games.calendar.services import tell
from games.engine.core import BadOption
from games.engine.registry import title
from games.matches.clocks import Clock
from games.matches.models import Match
from games.tournaments import computing, contests, duplicate, evenings, events, playing, services
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms

log = logging.getLogger(__name__)

AGAIN = timedelta(seconds=30)
"""When a round that could not begin is tried again."""
WAITS = timedelta(minutes=5)
"""A round by the clock waits so long for players who still play a live game elsewhere."""
Kind = Tournament.Kind


def open_due(now: datetime) -> None:
    """Open what is due: nights, with who has said that they come, and tournaments."""
    for event in CalendarEvent.objects.filter(opens_at__lte=now, cancelled_at=None).order_by("opens_at", "pk"):
        try:
            _open(event, None, now)
        except Refused:
            _tell_not_opened(event, now)
        except OperationalError:
            raise  # not the event's fault: the database is away, or gave way to another transaction
        except Exception:
            log.exception("The event %s could not be opened; it is tried again soon.", event.pk)
            CalendarEvent.objects.filter(pk=event.pk).update(opens_at=now + AGAIN)


def open_now(event: CalendarEvent, steward: User, now: datetime) -> Tournament:
    """Open what an event opens, before the clock does. If that was faster, it is what the clock has opened; if another
    steward was, this is refused."""
    tournament = _open(event, steward, now)
    assert tournament
    return tournament


@transaction.atomic
def _open(event: CalendarEvent, steward: User | None, now: datetime) -> Tournament | None:
    """`steward`: None for the clock, which opens nothing if somebody else was first."""
    if steward is None:
        club = Club.objects.select_for_update(no_key=True).get(pk=event.club_id)
    else:
        club = clubs.at_desk(event.club, steward, Right.EVENTS)
    event = CalendarEvent.objects.get(pk=event.pk)
    event.club = club
    if steward is None and (event.opens_at is None or event.opens_at > now or event.cancelled_at):
        return None
    if event.cancelled_at:
        raise Refused(_("This was cancelled."))
    if event.kind == CalendarEvent.Kind.MEET:
        raise Refused(_("Nothing is opened for a meeting."))
    if known := Tournament.objects.filter(calendar=event).select_related("club").first():
        by = known.log.order_by("number")[0].by
        if by and by != steward:
            raise Refused(_("%(name)s has just opened this.") % {"name": by.username})
        return known
    if event.ends_at <= now:
        if steward is not None:
            raise Refused(_("This has passed."))
        CalendarEvent.objects.filter(pk=event.pk).update(opens_at=None)  # the site was away
        return None
    tournament = events.locked(_create(event, steward, now))
    event.opens_at = None
    event.save(update_fields=["opens_at"])
    yes = event.answers.filter(comes=CalendarAnswer.Comes.YES)
    people = User.objects.filter(pk__in=yes.values("user"), memberships__club=club)
    services.expect(tournament, people.order_by("pk"), now)
    events.schedule_wakeup(tournament, now)
    return tournament


def _create(event: CalendarEvent, steward: User | None, now: datetime) -> Tournament:
    opens, club, name = event.opens, event.club, event.title
    game, kind, settings = title(opens["game"]), Kind(opens["kind"]), opens.get("settings", {})
    try:
        options, clock = game.preset(opens["preset"]), Clock.parse(opens["clock"])
    except (BadOption, ValueError):
        raise Refused(_("These rules aren’t played any more. Change the event.")) from None
    terms, ladder = GameTerms(opens["seats"], clock, options, opens.get("rated", False)), opens.get("ladder", 1)
    if kind == Kind.EVENING:
        return evenings.open_evening(club, steward, name, terms, now, game=game, ladder=ladder, calendar=event)
    if kind == Kind.DUPLICATE:
        return duplicate.create(club, steward, kind, name, terms, now, game=game, calendar=event, **settings)
    chosen = contests.Plan(**settings)
    return contests.create(club, steward, kind, name, terms, chosen, now, game=game, ladder=ladder, calendar=event)


@transaction.atomic
def _tell_not_opened(event: CalendarEvent, now: datetime) -> None:
    """The clock tries once; then a steward can, and reads why not."""
    if CalendarEvent.objects.filter(pk=event.pk, opens_at__lte=now).update(opens_at=None):
        stewards = clubs.having(event.club, Right.EVENTS)
        tell(event, stewards, "calendar-not-opened", now, event.club)


def check_opens(event: CalendarEvent) -> None:
    """Check that `_create` can read what an event opens, which another site has written. Raises ValueError, also as
    RulesError, LookupError or TypeError."""
    opens = event.opens
    title(opens["game"])
    kind, settings = Kind(opens["kind"]), opens.get("settings", {})
    if kind == Kind.DEAL or (kind == Kind.EVENING) != (event.kind == CalendarEvent.Kind.NIGHT):
        raise ValueError("opens")
    own: dict[str, Any] = {"rounds": 1, "weekly": False} if kind in Tournament.SAME_DEAL else contests.Plan()._asdict()
    known = {"seats": 2, "clock": "", "preset": "", "rated": False, "ladder": 1, "at_table": False}
    told = {name: value for name, value in opens.items() if name not in ("game", "kind", "settings")}
    if not {"seats", "clock", "preset"} <= told.keys():
        raise ValueError("opens")
    for values, types in ((told, known), (settings, own)):
        if any(name not in types or type(value) is not type(types[name]) for name, value in values.items()):
            raise ValueError("opens")


def begin_due(now: datetime) -> None:
    """Begin the rounds that are due by the clock. Where one cannot begin, as with too few people, the stewards are told
    once, and it is tried again until it can, or the event is over."""
    due = Tournament.objects.filter(clock_at__lte=now).order_by("clock_at", "pk").select_related("club", "calendar")
    for tournament in due:
        try:
            _begin(tournament, now)
        except TooMany as full:
            _again(tournament, now, timedelta(seconds=full.wait_s))
        except computing.Busy:
            _again(tournament, now)
        except Refused:
            _wait(tournament, now)
        except OperationalError:
            raise  # not the tournament's fault: the database is away, or gave way to another transaction
        except Exception:
            log.exception("A round of the tournament %s cannot begin; it is tried again soon.", tournament.pk)
            _again(tournament, now)


def _begin(tournament: Tournament, now: datetime) -> None:
    standing = events.standing(tournament)
    rounds = len(standing.rounds)
    if tournament.kind == Kind.EVENING:
        evenings.seat_everybody(tournament, None, now, rounds=rounds)
    elif tournament.kind == Kind.DUPLICATE:
        duplicate.seat_everybody(tournament, None, now, rounds)
    else:
        if tournament.pace == Match.Pace.LIVE:
            _let_go(tournament, now)
        if standing.groups:
            contests.next_round(tournament, None, now, rounds)
        else:
            contests.begin(tournament, None, now)


@transaction.atomic
def stop_clock(tournament: Tournament, steward: User, now: datetime) -> None:
    """Let the clock begin no more rounds: stewards do."""
    tournament = events.locked(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    if tournament.calendar is None or not tournament.calendar.by_clock:
        raise Refused(_("The rounds of this don’t begin by the clock."))
    tournament.calendar.by_clock = False
    tournament.calendar.save(update_fields=["by_clock"])
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def _let_go(tournament: Tournament, now: datetime) -> None:
    """Note as gone who has played elsewhere for too long while all wait for them. They can come back where one can."""
    tournament = events.locked(tournament)
    standing = events.standing(tournament)
    due = events.clock(tournament, standing)
    if due is None or now < due + WAITS:
        return
    page = tournament.get_absolute_url()
    for person in User.objects.filter(pk__in=playing.playing_live(standing.here)).order_by("pk"):
        services.drop(tournament, person, now)
        notices.notify([person], "gone-by-clock", page, now, by=tournament.club, event=tournament.name)


@transaction.atomic
def _wait(tournament: Tournament, now: datetime) -> None:
    """A round cannot begin: unless somebody else has just begun it, tell the stewards, once."""
    if not _again(tournament, now):
        return
    stewards, page = clubs.having(tournament.club, Right.EVENTS), tournament.get_absolute_url()
    if not Notice.objects.filter(user__in=stewards, kind="round-waits", address=page).exists():
        notices.notify(stewards, "round-waits", page, now, by=tournament.club, event=tournament.name)


def _again(tournament: Tournament, now: datetime, wait: timedelta = AGAIN) -> bool:
    """Try again later, but not once a night is over. Returns whether it is still due: nobody else has begun it."""
    event = tournament.calendar
    over = tournament.kind == Kind.EVENING and event is not None and event.ends_at <= now
    still = Tournament.objects.filter(pk=tournament.pk, clock_at__lte=now)
    return bool(still.update(clock_at=None if over else now + wait))


# What happens to an event in the calendar: in its transaction


def changed(event: CalendarEvent, steward: User, now: datetime) -> None:
    """Heed what a steward has changed of an event whose tournament is open, and tell its players."""
    _of_opened(event, lambda tournament: _tell_players(event, tournament, "calendar-changed", now, steward), now)


def cancelled(event: CalendarEvent, steward: User, now: datetime) -> None:
    """Close the tournament of a cancelled event, and tell its players. Refused once a round has begun."""

    def close(tournament: Tournament) -> None:
        standing = events.standing(tournament)
        if standing.rounds or standing.groups:
            raise Refused(_("This has begun: it can be ended on its own page."))
        if tournament.closed_at is None:
            _tell_players(event, tournament, "calendar-cancelled", now, steward)
            services.end(tournament, (), now, steward)

    _of_opened(event, close, now)


def soon(event: CalendarEvent, now: datetime) -> None:
    """Remind the players of a tournament that it begins soon."""
    _of_opened(event, lambda tournament: _tell_players(event, tournament, "calendar-soon", now, event.club), now)


def _of_opened(event: CalendarEvent, act: Callable[[Tournament], None], now: datetime) -> None:
    """Do something with the tournament of an event, locked, if it has been opened."""
    known = Tournament.objects.filter(calendar=event).first()
    if known is not None:
        tournament = events.locked(known)
        act(tournament)
        events.schedule_wakeup(tournament, now)


def _tell_players(event: CalendarEvent, tournament: Tournament, kind: str, now: datetime, by: User | Club) -> None:
    """Tell who has entered a tournament; the members of a night have been told by the calendar."""
    if tournament.kind == Kind.EVENING:
        return
    players = User.objects.filter(pk__in=events.standing(tournament).here)
    tell(event, players.exclude(pk=by.pk) if isinstance(by, User) else players, kind, now, by)
