"""The hand of the day: in each title one deal that everybody plays once, alone with bots, and one table of the day.

Days are those of UTC, so that they are the same for all. The secret of a hand is drawn, and its commitment published,
the day before; the matches of a hand all have this secret, and no browser takes part in their shuffle: so all have the
same deal. The bots at the table are those of the rules, choose by what they see alone, and draw nothing: who answers as
another did meets the same answers. That changes only if the site itself gets other bots in the middle of a day.

Its games are hidden (`Match.hidden`), as those of tournaments in which the deal is the same for all, and not rated.
Whoever begins before the day ends can finish within `models.LATE`. Then the hand closes: what is still being played is
cancelled, the table is final, and all of it is open to everybody.

One try a person: a constraint of the database. A guest is a person, who keeps their try when they sign up; but only
accounts stand in the table. That nobody plays a second time with another account cannot be known: so nothing hangs on a
place but the pleasure of it.
"""

from __future__ import annotations

import logging
import secrets
from datetime import UTC, date, datetime, time, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notices
from accounts.web.refused import Refused
from games.engine import chance
from games.engine.core import Game
from games.engine.registry import titles
from games.faces.registry import face_of
from games.hands.models import ROOM, Hand, HandReader, HandTry
from games.lobby import open_matches, rematches
from games.matches import finish, reveal
from games.matches.clocks import NO_CLOCK, ms_of
from games.matches.models import Match
from games.matches.play import cancel

log = logging.getLogger(__name__)

SEAT = 0
"""Where the person sits."""
AT_ONCE = 20
"""So many games are opened in one transaction."""


def today(now: datetime) -> date:
    """The day at a moment."""
    return now.astimezone(UTC).date()


def next_day(now: datetime) -> datetime:
    """When the next hands begin."""
    return datetime.combine(today(now) + timedelta(days=1), time(), UTC)


def hand(game: Game, day: date) -> Hand:
    """The hand of a title on a day; it is drawn when it is first asked for."""
    known = Hand.objects.filter(game=game.slug, day=day)
    if (found := known.first()) is not None:
        return found
    secret = secrets.token_bytes(chance.SECRET_BYTES)
    drawn = Hand(
        game=game.slug,
        day=day,
        version=game.version,
        options=game.options(),
        places=face_of(game).hand_places,
        secret=secret,
        commitment=chance.commitment(secret),
    )
    Hand.objects.bulk_create([drawn], ignore_conflicts=True)  # of two that are drawn at once, one counts
    return known.get()


def find(game: Game, day: date, now: datetime) -> Hand | None:
    """The hand of a title on a day, if people may know of it by now."""
    if day == today(now):
        return hand(game, day)
    return Hand.objects.filter(game=game.slug, day=day).first() if day < today(now) else None


def draw(now: datetime) -> None:
    """Draw the hands of this day and of the next one, and so publish their commitments."""
    for game in titles():
        for day in (today(now), today(now) + timedelta(days=1)):
            hand(game, day)


def try_of(hand: Hand, user: User) -> HandTry | None:
    """Somebody's try, with its match."""
    return HandTry.objects.filter(hand=hand, user=user).select_related("match", "user").first()


def check_open(hand: Hand, now: datetime) -> None:
    """Raises Refused if nobody can begin a hand at this moment."""
    if not hand.begins <= now < hand.ends:
        raise Refused(_("This day is over: it ended at midnight UTC. The hand of the new day is waiting for you."))


@transaction.atomic
def play(hand: Hand, user: User, now: datetime) -> Match:
    """The game of somebody's one try, which begins now if it has not. Raises Refused."""
    open_matches.hold(user)  # another page of theirs may begin it at this very moment
    if found := try_of(hand, user):
        return found.match
    check_open(hand, now)
    rematches.make_room(user)
    match, seats = open_matches.arranged(
        hand.rules,
        [user],
        [user],
        hand.places - 1,
        hidden=True,
        listed=False,
        watch=Match.Watch.LINK,
        secret=bytes(hand.secret),
        agreed=hand.page,
        options=hand.options,
        clock=NO_CLOCK,
    )
    open_matches.begin_all([(match, seats)], ms_of(now))
    HandTry.objects.create(hand=hand, user=user, match=match)
    return match


def ended(match: Match) -> None:
    """A match has ended: if it was somebody's try and they have finished it in time, it stands in the table from now
    on. In the same transaction."""
    if not match.agreed.startswith(f"{ROOM}/"):
        return
    found = HandTry.objects.filter(match=match).select_related("hand").first()
    if found:
        found.place, found.points, found.won = told(found.hand, match)
        found.save(update_fields=["place", "points", "won"])


def told(hand: Hand, match: Match) -> tuple[int | None, int | None, str]:
    """What the table of a hand says of a game: place, points, and what was won; nothing if it does not count."""
    if match.result is None or "ended" in match.result or match.ended_at is None or match.ended_at >= hand.closes:
        return None, None, ""
    place, points = match.result["places"][SEAT], match.result["points"][SEAT]
    return place, points, finish.categories_won(match.rules, match.result, SEAT)


def table(hand: Hand) -> QuerySet[HandTry]:
    """Who has finished a hand, the best first: first by the place at their own table, then by points. Who is level in
    both shares the place."""
    finished = HandTry.objects.filter(hand=hand, place__isnull=False, apart=False, user__guest=False)
    return finished.order_by("place", F("points").desc(), "pk")


def better(mine: HandTry) -> Q:
    """Who is above a finished try in its table."""
    return Q(place__lt=mine.place) | Q(place=mine.place, points__gt=mine.points)


def close_due(now: datetime) -> None:
    """Close the hands whose time is over at `now`."""
    for each in Hand.objects.filter(closed_at=None, day__lt=today(now)).order_by("day", "pk"):
        if each.closes <= now:
            try:
                while not _close_some(each, now):
                    pass
            except Exception:
                log.exception("The hand %s cannot be closed; it is tried again.", each)


@transaction.atomic
def _close_some(hand: Hand, now: datetime) -> bool:
    """Cancel some games of a hand that are still being played; once there are none, open some; once all are open,
    close it. Returns whether it is closed. Any number of workers may: those who come second find nothing to do."""
    mine = HandTry.objects.filter(hand=hand).values("match")
    hidden = Match.objects.filter(pk__in=mine, hidden=True).order_by("pk").select_for_update(of=("self",))
    if played := list(hidden.filter(status=Match.Status.RUNNING)[:AT_ONCE]):
        for match in played:
            cancel(match, ms_of(hand.closes))
        return False
    if some := list(hidden[:AT_ONCE]):
        reveal.reveal(some, hand.closes)
        return False
    if Hand.objects.filter(pk=hand.pk, closed_at=None).update(closed_at=now):
        HandTry.objects.filter(hand=hand, user__guest=True).update(apart=True)
        _tell(hand, now)
    return True


def _tell(hand: Hand, now: datetime) -> None:
    """Tell those who want to know which place they have in a table that is final."""
    rows = list(table(hand).values_list("user", "place", "points"))
    places: dict[int, int] = {}
    for number, (user, *got) in enumerate(rows, 1):
        level = number > 1 and [*rows[number - 2][1:]] == got
        places[user] = places[rows[number - 2][0]] if level else number
    readers = User.objects.filter(pk__in=HandReader.objects.filter(user__in=places).values("user"))
    own = {user.pk: {"position": places[user.pk]} for user in readers}
    name = str(face_of(hand.rules).name)
    notices.notify(readers, "hand", hand.get_absolute_url(), now, by=None, own=own, game=name, number=len(rows))


def wants_to_know(user: User) -> bool:
    """Whether somebody wants to be told of the hand of the day."""
    return HandReader.objects.filter(user=user).exists()


def tell(user: User, yes: bool) -> None:
    """Let somebody be told of the hand of the day, or no longer."""
    if yes:
        HandReader.objects.get_or_create(user=user)
    else:
        HandReader.objects.filter(user=user).delete()


def days_of(user: User) -> list[date]:
    """The days on which somebody has finished a hand, the first one first."""
    finished = HandTry.objects.filter(user=user, place__isnull=False)
    return list(finished.order_by("hand__day").values_list("hand__day", flat=True).distinct())
