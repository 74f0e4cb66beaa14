"""Open matches, which people open, join, get ready for, leave, and play again.

Each function is one transaction and returns the match as it is then. `Refused` tells the person who asked why
something is not possible.

Rows are locked in one order, so that nobody waits for each other: who sits down (`hold`), the match before a rematch,
open matches by their keys.
"""

import logging
import secrets
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import OperationalError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.clubs import clubs
from accounts.models import Block, Club, Member, User
from accounts.people.avatar import of_bot
from accounts.text.names import skeleton
from accounts.web.refused import Refused
from games.engine.core import Game
from games.engine.registry import title
from games.faces.registry import face_of
from games.hub import nudges
from games.matches import access, chat, play, rematches, shuffle
from games.matches.clocks import NO_CLOCK, Clock, instant, now_ms
from games.matches.creation import create, new
from games.matches.models import Invitation, Match, Seat, Seek
from games.matches.signals import ended

log = logging.getLogger(__name__)

OPEN_LIVE_TABLES = 3
"""The number of live matches that one person may keep open at a time."""
TABLES = 50
"""The number of matches, not over yet, in which one person may sit."""
IDLE = {Match.Pace.LIVE: timedelta(minutes=20), Match.Pace.DAILY: timedelta(days=7), Match.Pace.NONE: timedelta(days=7)}
"""How long without a change until an open match closes by itself."""
REMATCH_WITHIN = timedelta(days=7)
"""How long after its end people may ask to play a match again."""
CLOSED_KEPT = timedelta(days=30)
"""How long after its last change a match that never began is deleted. Longer than anybody may ask for its like."""
READY_WITHIN = timedelta(seconds=60)
"""How long a match to which players are called waits for those who are not ready."""
FORGOTTEN = 500
"""The most matches deleted in one go."""
OFFERED = Q(match__status=Match.Status.OPEN, match__rematch_of__isnull=False, ready=False)
"""The seats of rematches that are kept for people who have not taken them."""


@transaction.atomic
def open_match(
    host: User,
    *,
    places: int,
    options: dict[str, Any],
    rated: bool = False,
    listed: bool = True,
    watch: str = Match.Watch.ANYBODY,
    clock: Clock = NO_CLOCK,
    bots: int = 0,
    bot: str = "",
    guided: bool = False,
    game: Game | None = None,
    club: Club | None = None,
) -> Match:
    """Open a match in which `host` sits, ready; bots take the last seats. If no seat is free, it is shuffled at once.

    `bot`: its name in `Game.bots`; by default the usual one.
    `game`: the title; by default the first one. `club`: its members alone may join, and know of it if it is private.
    Guests may play alone with bots, and open tables by link.
    """
    game = game or title()
    hold(host)
    if club:
        _check_member(club, host)
        watch = Match.Watch.CLUB if club.private else watch
    if rated and (bots or host.guest):
        raise Refused(_("Games with bots or guests are casual."))
    if rated and clock.pace == Match.Pace.NONE:
        raise Refused(_("A rated game needs a clock."))
    if rated and not game.pool(places):
        raise Refused(_("A game for this number of players isn’t rated."))
    if rated and watch != Match.Watch.ANYBODY:
        raise Refused(_("Anyone can watch a rated game. To play unwatched, choose a casual game."))
    if not 0 <= bots < places:
        raise Refused(_("The table has fewer seats."))
    _give_up_waiting(host)
    check_room_for(host, guest=bots == places - 1 or not listed)
    if clock.pace == Match.Pace.LIVE and bots < places - 1:
        hosted = Match.objects.filter(host=host, status=Match.Status.OPEN, pace=clock.pace).count()
        if hosted >= OPEN_LIVE_TABLES:
            raise Refused(_("You have three open live tables already. Close one of them first."))
    match = create(
        game,
        host=host,
        places=places,
        options=game.options(options),
        rated=rated,
        listed=listed,
        watch=watch,
        clock=clock,
        guided=guided,
        club=club,
    )
    seats = [Seat(match=match, index=index) for index in range(places)]
    seats[0].user, seats[0].ready = host, True
    for seat in seats[places - bots :]:
        seat.bot, seat.ready, seat.name = game.bot_at(places, bot), True, _bot_name(game, seats)
    Seat.objects.bulk_create(seats)
    return begin_if_ready(match)


@transaction.atomic
def join(match: Match, user: User) -> Match:
    """Let `user` take a free seat; in a live match they have yet to say that they are ready.

    Whoever takes the last seat of a table by link or challenge is ready: they came for this game, and the others wait.
    Whoever is challenged to the match takes the seat that is kept for them: their challenge is over.
    """
    hold(user)
    if match.club and not match.agreed:
        _check_member(match.club, user)
    _give_up_waiting(user, match)
    match = rematches.locked(match)
    if match.seats.filter(user=user).exists():
        return match
    if match.status in Match.UNDER_WAY and access.may_see(match, None):
        raise Refused(_("Someone else was faster, and the game has begun. You can watch."))
    if match.status != Match.Status.OPEN:
        raise Refused(_("This table is no longer open."))
    Invitation.objects.filter(match=match, user=user).delete()
    if Block.objects.filter(user__seats__match=match, blocked=user).exists():
        raise Refused(_("You can’t sit down at this table."))
    check_room_for(user, guest=not match.rated)
    _check_free(match)
    free = match.seats.filter(user=None, bot="")
    ready = match.pace != Match.Pace.LIVE or (not match.listed and free.count() == 1)
    for pk in list(free.order_by("pk").values_list("pk", flat=True)):
        if free.filter(pk=pk).update(user=user, ready=ready):
            break
    else:
        raise Refused(_("Someone was faster: there’s no free seat any more."))
    _rename_namesakes(match)
    chat.note(match, user, "joined")
    return begin_if_ready(match)


@transaction.atomic
def ready(match: Match, user: User, yes: bool = True) -> Match:
    """Note that `user` is ready to begin, or no longer.

    Only the first time keeps the table open for longer: nobody can make others wait by changing their mind.
    """
    if match.rematch_of_id:
        hold(user)
    match = _open(match)
    seat = _seat_of(match, user)
    if match.rematch_of_id and yes and not seat.ready:
        check_room_for(user, guest=True)  # only now do they sit down
    if seat.ready == yes:
        return match
    seat.ready = yes
    seat.save(update_fields=["ready"])
    return begin_if_ready(match, longer=yes and chat.note(match, user, "ready"))


@transaction.atomic
def leave(match: Match, user: User) -> Match:
    """Free the seat of `user`. If they were the host, the next person is; without any people, the match closes.

    On a table that was agreed on nobody else may play: it closes, unless others are ready there. Those who agreed open
    it again. One to which players are called closes for whoever has not said yes to the game, and only for them.
    """
    match = _open(match)
    seat = _seat_of(match, user)
    if match.called:
        if seat.confirmed:
            raise Refused(_("You came to play, and the game begins in a moment. You can give it up there."))
        match.ended_at = timezone.now()
        match.save(update_fields=["ended_at"])
        match = close(match)
        ended.send(Match, match=match)
        return match
    if match.agreed:
        if match.seats.filter(ready=True).exclude(pk=seat.pk).exists():
            raise Refused(_("Someone is waiting at this table. If you don’t come, it closes by itself."))
        # Nobody has waited there until it closed by itself.
        match.seats.update(ready=False)
        return close(match)
    vacate(seat)
    if match.host_id == user.pk:
        people = match.seats.exclude(user=None)
        if match.rematch_of_id:
            people = people.filter(ready=True)  # nobody is the host of a table at which they have not sat down
        heir = people.filter(index__gt=seat.index).first() or people.first()
        if heir is None or heir.user is None:
            return close(match)
        match.host = heir.user
        match.save(update_fields=["host"])
    return begin_if_ready(match)


@transaction.atomic
def part(club: Club, user: User) -> None:
    """Free the seats of somebody who is no member of a club any more, at the open tables for its members."""
    for match in Match.objects.filter(club=club, agreed="", status=Match.Status.OPEN, seats__user=user).order_by("pk"):
        try:
            leave(match, user)
        except Refused:
            continue  # it has begun at this very moment


@transaction.atomic
def kick(match: Match, host: User, index: int) -> Match:
    """Free a seat for the host, of a person or a bot. The person may come back, unless the host blocks them.

    A guest, whom nobody can block later because they have no profile, is blocked at once.
    """
    match = _open(match)
    _check_host(match, host)
    if match.agreed:
        raise Refused(_("These seats are for the players who agreed on this game."))
    seat = match.seats.filter(index=index).exclude(user=host).exclude(user=None, bot="").first()
    if seat is None:
        raise Refused(_("No one sits there."))
    if seat.user and seat.user.guest:
        Block.objects.get_or_create(user=host, blocked=seat.user)
    vacate(seat)
    return begin_if_ready(match)


@transaction.atomic
def add_bot(match: Match, host: User, bot: str = "") -> Match:
    """Give a free seat to a bot for the host, by default the usual one. A rated match becomes casual, which the others
    must agree to again."""
    match = _open(match)
    _check_host(match, host)
    seats = list(match.seats.select_related("user"))
    seat = next((seat for seat in seats if not seat.user_id and not seat.bot), None)
    if seat is None:
        raise Refused(_("No seat is free."))
    _check_free(match)
    seat.bot, seat.name, seat.ready = match.rules.bot_at(match.places, bot), _bot_name(match.rules, seats), True
    seat.save(update_fields=["bot", "name", "ready"])
    if match.rated:
        match.rated = False
        match.save(update_fields=["rated"])
        match.seats.exclude(user=None).exclude(user=host).update(ready=False)
    return begin_if_ready(match)


def close_idle(now: datetime) -> int:
    """Close the open matches in which nothing has happened for too long (`IDLE`). Returns how many there were."""
    idle = Q(rematch_of__isnull=False, asked_at__lt=now - rematches.LATER)
    for pace, longest in IDLE.items():
        idle |= Q(rematch_of=None, pace=pace, asked_at__lt=now - longest)
    closed = Match.objects.filter(idle, status=Match.Status.OPEN)
    keys = list(closed.values_list("key", flat=True))
    for key in keys:
        if closed.filter(key=key).update(status=Match.Status.CLOSED, wake_at=None):
            rematches.changed(Match.objects.get(key=key))
            nudges.changed(key, lobby=True)
    return len(keys)


def forget_closed(now: datetime) -> int:
    """Delete the matches that were closed long ago before they began (`CLOSED_KEPT`). Returns how many there were.

    They have no log. Those on which people agreed elsewhere stay, because their challenges refer to them.
    """
    closed = Match.objects.filter(status=Match.Status.CLOSED, started_at=None, agreed="")
    keys = list(closed.filter(asked_at__lt=now - CLOSED_KEPT).values_list("pk", flat=True)[:FORGOTTEN])
    Match.objects.filter(pk__in=keys, status=Match.Status.CLOSED).delete()
    return len(keys)


def release_absent() -> int:
    """Free the seats of closed and banned accounts, and those of others than members at the open tables of clubs.
    Returns how many there were.

    They leave open matches; in running ones a bot takes over, so that nobody waits for them for ever.
    """
    absent = Seat.objects.filter(
        user__is_active=False, left="", match__status__in=(Match.Status.OPEN, Match.Status.RUNNING)
    )
    for_members = Seat.objects.filter(match__status=Match.Status.OPEN, match__club__isnull=False, match__agreed="")
    member = Member.objects.filter(club=OuterRef("match__club"), user=OuterRef("user"))
    outside = for_members.filter(~Exists(member), user__isnull=False)
    released = 0
    for seat in [*absent.select_related("user"), *outside.select_related("user")]:
        match = Match.objects.seated().get(pk=seat.match_id)
        try:
            if match.status == Match.Status.OPEN and seat.user:
                leave(match, seat.user)
            else:
                play.leave(match, seat.index, Seat.Left.LEAVE)
        except Refused:
            continue  # the match has changed at this very moment
        except OperationalError:
            raise
        except Exception:
            log.exception("Nobody could leave match %s; this is tried again.", match.key)
            continue
        released += 1
    return released


def blocks(user: User, others: Collection[User]) -> bool:
    """Whether `user` blocks one of `others`, or is blocked by one."""
    either = Block.objects.filter(user=user, blocked__in=others) | Block.objects.filter(user__in=others, blocked=user)
    return either.exists()


def arrange(game: Game, people: Sequence[User], ready: Collection[User], **fields: Any) -> Match:
    """Open a match for these people in this order, who have agreed on it elsewhere: to be settled by the caller.

    `ready`: those who need not say that they are ready to begin; `fields`: columns of Match.
    """
    match, seats = arranged(game, people, ready, **fields)
    match.save()
    Seat.objects.bulk_create(seats)
    return match


def arranged(
    game: Game,
    people: Sequence[User],
    ready: Collection[User],
    bots: int = 0,
    unasked: Collection[User] = (),
    **fields: Any,
) -> tuple[Match, list[Seat]]:
    """A match for these people in this order, and its seats, to be saved. `bots`: how many take the last seats;
    `unasked`: those who have not said yes to this game."""
    match = new(game, host=people[0], places=len(people) + bots, **fields)
    seats = [
        Seat(match=match, index=index, user=person, ready=person in ready, confirmed=person not in unasked)
        for index, person in enumerate(people)
    ]
    for index in range(len(people), match.places):
        seats.append(Seat(match=match, index=index, bot=game.bot, ready=True, name=_bot_name(game, seats)))
    return match, seats


def begin_all(tables: Sequence[tuple[Match, Sequence[Seat]]], at: int) -> None:
    """Begin `arranged` matches, at which everybody is ready. `at`: now, in milliseconds since 1970."""
    live = [(match, seats) for match, seats in tables if match.pace == Match.Pace.LIVE]
    _end_searches_of([seat for _match, seats in live for seat in seats])
    shuffle.begin_all(tables, at)
    nudges.nudge_lobby()


def call(tables: Sequence[tuple[Match, Sequence[Seat]]], now: datetime) -> None:
    """Open `arranged` matches to which those are called who are not ready: they begin when all are, or without waiting
    any longer after READY_WITHIN (`begin_called`). No clock runs until then."""
    for match, _seats in tables:
        match.asked_at, match.wake_at = now, now + READY_WITHIN
    Match.objects.bulk_create([match for match, _seats in tables])
    Seat.objects.bulk_create([seat for _match, seats in tables for seat in seats])
    for _match, seats in tables:
        _end_searches_of(seats)
    nudges.nudge_lobby()


@transaction.atomic
def begin_called(match: Match, at: int) -> Match:
    """Begin a match to which players were called, whoever is ready, if its time has come. `at`: now, in milliseconds
    since 1970. Who is not ready has not said yes to it."""
    match = rematches.locked(match)
    if match.called and match.wake_at and match.wake_at <= instant(at):
        _begin(match, at)
    return match


def decline_called(user: User, club: Club, page: str) -> None:
    """Close the matches to which somebody is called from this page of a club, and has not said yes."""
    mine = Seat.objects.filter(user=user, confirmed=False).values("match")
    for match in Match.objects.filter(Match.CALLED, pk__in=mine, club=club, agreed=page).order_by("pk"):
        try:
            leave(match, user)
        except Refused:
            continue  # it has begun at this very moment


def begin_if_ready(match: Match, at: int | None = None, longer: bool = True) -> Match:
    """Shuffle and begin an open match if everybody is seated and ready; otherwise let it stay open for a while longer.

    Call it in the transaction of every change. `at`: now, in milliseconds since 1970. `longer`: whether the change is
    one that keeps the table open.
    """
    seats = list(match.seats.all())
    if all(seat.ready and (seat.user_id or seat.bot) for seat in seats):
        if outsider := _outsider(match):
            return leave(match, outsider)
        _begin(match, at or now_ms())
        return match
    if longer:
        # Nobody is asked in an open match: the column tells how long nothing has changed.
        match.asked_at = instant(at or now_ms())
        match.save(update_fields=["asked_at"])
    rematches.changed(match)
    nudges.changed(match.key, lobby=True)
    return match


def _begin(match: Match, at: int) -> None:
    """Shuffle and begin an open match. Who is ready has said yes to it."""
    match.seats.filter(ready=True, confirmed=False).update(confirmed=True)
    if match.pace == Match.Pace.LIVE:
        _end_searches_of(match.seats.all())
    shuffle.begin(match, at)
    rematches.changed(match)
    nudges.changed(match.key, lobby=True)


def end_searches(people: Iterable[int]) -> None:
    """End the searches of these people for a quick match."""
    Seek.objects.filter(user__in=list(people)).delete()


def _end_searches_of(seats: Iterable[Seat]) -> None:
    """The same of those who have said yes to these seats."""
    end_searches(seat.user_id for seat in seats if seat.user_id and seat.confirmed)


def _open(match: Match) -> Match:
    """The match, locked and fresh, if it is still open."""
    match = rematches.locked(match)
    if match.status != Match.Status.OPEN:
        raise Refused(_("This table is no longer open."))
    return match


def close(match: Match) -> Match:
    """Give up an open match, in the caller's transaction."""
    match.status, match.wake_at = Match.Status.CLOSED, None
    match.save(update_fields=["status", "wake_at"])
    rematches.changed(match)
    nudges.changed(match.key, lobby=True)
    return match


def close_all(club: Club) -> None:
    """The club closes: `accounts.signals.club_closed`. So do its open tables."""
    for match in Match.objects.filter(club=club, agreed="", status=Match.Status.OPEN).order_by("pk"):
        match = rematches.locked(match)
        if match.status == Match.Status.OPEN:
            close(match)


def _seat_of(match: Match, user: User) -> Seat:
    seat = match.seats.filter(user=user).first()
    if seat is None:
        raise Refused(_("You don’t have a seat at this table."))
    return seat


def kept(match: Match) -> dict[int, str]:
    """The names, by id, of those who are challenged to an open match and have not answered: each is kept a seat."""
    people = User.objects.filter(invitations__match=match, closed=False, is_active=True)
    return dict(people.order_by("invitations__pk").values_list("pk", "username"))


def _outsider(match: Match) -> User | None:
    """Somebody who sits at a table for the members of a club, and is none any more."""
    if match.club_id is None or match.agreed:
        return None
    return User.objects.filter(seats__match=match).exclude(memberships__club=match.club_id).first()


def _check_member(club: Club, user: User) -> None:
    """Raises Refused if somebody is no member of the club for which a table is open. Locks their membership, before the
    match: whoever ends it at this moment frees their seat, too."""
    if not clubs.has_locked_member(club, user):
        raise Refused(_("Only members of the club %(club)s can sit at this table.") % {"club": club.name})


def _check_free(match: Match) -> None:
    """Raises Refused if all free seats are kept for those who are challenged."""
    names = list(kept(match).values())
    if names and match.seats.filter(user=None, bot="").count() <= len(names):
        raise Refused(_("This seat is kept for %(name)s, who has yet to answer.") % {"name": names[0]})


def _check_host(match: Match, user: User) -> None:
    if match.host_id != user.pk:
        raise Refused(_("Only the host can do that."))


def hold(user: User) -> None:
    """Lock the row of somebody who is about to sit down, so that they sit down at one match at a time. Call it before
    any match is locked."""
    # Others may still refer to the row, as the pairing of quick matches does.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)


def check_room_for(user: User, guest: bool = False) -> None:
    """Raises Refused if `user`, whose row is locked, may not join one more match.

    `guest`: whether guests may sit there, one game at a time: alone with bots, or where somebody has asked them."""
    sitting = Seat.objects.filter(left="", user=user, confirmed=True).exclude(OFFERED)
    taken = sitting.filter(match__status__in=Match.ALIVE).count()
    if user.guest and not guest:
        raise Refused(_("This needs an account. Sign up; your games come with you."))
    if user.guest and taken:
        raise Refused(_("Guests play one game at a time. Sign up to play several."))
    if taken >= TABLES:
        raise Refused(_("You sit at fifty tables already. Finish a game first."))


def _give_up_waiting(user: User, instead: Match | None = None) -> None:
    """Close the table at which a guest waits alone, of whom each plays one game at a time. `instead`: where they want
    to sit down, which is locked with it."""
    if not user.guest:
        return
    if instead and instead.rematch_of_id:
        rematches.locked(instead)
    waiting = Match.objects.filter(host=user, status=Match.Status.OPEN, rematch_of=None)
    either = waiting | Match.objects.filter(pk=instead.pk) if instead else waiting
    for match in either.select_for_update().order_by("pk"):
        alone = not match.seats.exclude(user=None).exclude(user=user).exists()
        if match != instead and match.status == Match.Status.OPEN and alone:
            leave(match, user)


def vacate(seat: Seat) -> None:
    """Free a seat of an open match, in the caller's transaction. Its row is a new one: who sits down there has come
    after all others (`Match.avatars`)."""
    if seat.user:
        chat.note(seat.match, seat.user, "left")
    seat.delete()
    Seat.objects.create(match=seat.match, index=seat.index)


def _bot_name(game: Game, seats: list[Seat]) -> str:
    """A name for a bot that looks like nobody's at the table, as its portrait does."""
    taken = {seat.user.skeleton if seat.user else skeleton(seat.name) for seat in seats}
    portraits = {of_bot(seat.name).motif for seat in seats if seat.bot}
    names = [name for name in face_of(game).bot_names if skeleton(name) not in taken]
    return secrets.choice([name for name in names if of_bot(name).motif not in portraits] or names)


def _rename_namesakes(match: Match) -> None:
    """Rename bots whose names look like that of somebody at the table."""
    seats = list(match.seats.select_related("user"))
    people = {seat.user.skeleton for seat in seats if seat.user}
    for seat in seats:
        if seat.bot and skeleton(seat.name) in people:
            seat.name = _bot_name(match.rules, seats)
            seat.save(update_fields=["name"])
