"""Changes to tournaments. Each function is one transaction: it locks the tournament and appends events.

`Refused` tells the person who asked why something is not possible.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.crypto import constant_time_compare, get_random_string
from django.utils.translation import gettext as _

from accounts.clubs import clubs, decisions
from accounts.models import Club, Right, User
from accounts.notices import notices
from accounts.people import blocks
from accounts.text import plaintext
from accounts.text.names import normal, validate_claim
from accounts.web.refused import Refused
from games.calendar import conditions
from games.calendar.models import CalendarEvent
from games.calendar.services import tell
from games.engine.core import Game
from games.engine.registry import title
from games.lobby import open_matches
from games.matches import reveal
from games.matches.clocks import USUAL, Clock, ms_of
from games.matches.models import Match
from games.tournaments import deals, events, invitations, newcomers, payloads, plan, ties
from games.tournaments.events import write
from games.tournaments.models import EventInvitation, Tournament
from games.tournaments.payloads import PastEvent
from games.tournaments.standing import Entrant, TournamentStanding
from games.tournaments.ties import Ties

log = logging.getLogger(__name__)

MOST_OPEN = 20
"""The number of tournaments of a club that are not over."""
MOST_PLAYERS = 200
"""The number of people in a tournament."""
MOST_COMINGS = 10
"""How often one person can come to one event, or be let in."""
LONGEST_REASON = 500
TOKEN_LENGTH = 16


class GameTerms(NamedTuple):
    """By what rules and clocks the games of a tournament are played."""

    seats: int
    """How many people a table is to have."""
    clock: Clock = USUAL
    options: dict[str, Any] | None = None
    """Table options; those not named have their defaults."""
    rated: bool = False


# Stewards


@transaction.atomic
def open_tournament(
    club: Club,
    steward: User | None,
    kind: Tournament.Kind,
    name: str,
    terms: GameTerms,
    now: datetime,
    *,
    game: Game | None = None,
    **settings: Any,
) -> Tournament:
    """Open a tournament of a club, which nobody has entered yet. `settings`: of its kind, as `create` takes them."""
    game = game or title()
    club = check_terms(club, steward, terms, game)
    return create(club, steward, kind, name, terms, now, game=game, **settings)


def check_terms(club: Club, steward: User | None, terms: GameTerms, game: Game) -> Club:
    """The club, locked, if a steward, or the clock, can open a tournament with these terms. Raises Refused."""
    if steward is None:
        club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    else:
        club = clubs.at_desk(club, steward, Right.EVENTS)
    if club.tournaments.filter(closed_at=None).count() >= MOST_OPEN:
        raise Refused(_("Too many events of this club are going on. Close one of them first."))
    if not terms.clock.runs:
        raise Refused(_("These games need a clock."))
    if terms.seats not in game.seats or terms.seats < 2:
        raise Refused(_("The game can’t be played by so many."))
    return club


def create(
    club: Club,
    by: User | None,
    kind: Tournament.Kind,
    name: str,
    terms: GameTerms,
    now: datetime,
    *,
    game: Game,
    secret: bytes = b"",
    calendar: CalendarEvent | None = None,
    **settings: Any,
) -> Tournament:
    """Open a tournament of a locked club; `by` is None for the clock. `secret`: what its deals follow from. `calendar`:
    its event, which says whether it is played with real cards."""
    name = " ".join(plaintext.lines(name).split())
    if not name:
        raise Refused(_("Please enter a name."))
    try:
        validate_claim(normal(name))
    except ValidationError as wrong:
        raise Refused(" ".join(wrong.messages)) from None
    at_table = bool(calendar and calendar.opens.get("at_table"))
    if at_table and kind in Tournament.SAME_DEAL:
        raise Refused(_("The same deal can’t be dealt at a real table. Play it here, or choose another kind."))
    tournament = events.create(
        club,
        kind,
        name=name,
        game=game.slug,
        version=game.version,
        seats=terms.seats,
        clock=terms.clock,
        options=game.options(terms.options or {}),
        rated=terms.rated,
        settings=settings,
        secret=secret,
        calendar=calendar,
        at_table=at_table,
        token="" if kind in Tournament.SAME_DEAL else get_random_string(TOKEN_LENGTH),
    )
    write(tournament, payloads.Opened(kind.value, terms.seats, settings), now, by)
    if by is not None:
        decisions.record(club, "created", by, now, says=decisions.Titled(name))
    events.schedule_wakeup(tournament, now)
    return tournament


def announce(tournament: Tournament, steward: User | None, now: datetime) -> None:
    """Tell the members of its club that a tournament has been opened by a steward, or by the clock for the one who
    has set it; of a night those who have not said whether they come."""
    club, event, night = tournament.club, tournament.calendar, tournament.kind == Tournament.Kind.EVENING
    members, cause = User.objects.filter(memberships__club=club), steward or club
    if knows := steward.pk if steward else event and event.by_id:
        members = members.exclude(pk=knows)
    if event and night:
        members = members.exclude(pk__in=event.answers.filter(comes__in=("yes", "no")).values("user"))
    if event and not night and event.starts_at > now:
        tell(event, members, "calendar-opened", now, cause)
        return
    kind = "evening" if night else "tournament"
    address = tournament.get_absolute_url()
    notices.notify(members, kind, address, now, by=cause, event=tournament.name, club=club.name)


def check_steward(tournament: Tournament, steward: User | None) -> None:
    """Raises Refused for who may not lead the events of its club; None is the clock, which does what a steward has
    set."""
    if steward is not None:
        clubs.check(tournament.club, steward, Right.EVENTS)


class Ticked(NamedTuple):
    """What became of the people whom a steward has ticked and who were not there."""

    here: int
    """How many are there now."""
    asked: int
    """How many come when they say yes."""


@transaction.atomic
def tick(tournament: Tournament, steward: User, people: Iterable[User], now: datetime) -> Ticked:
    """Let people take part for a steward, members and others.

    Nobody is taken in unasked: who has not agreed to it before is invited, and comes by saying yes themselves
    (`enter`). Refused for who is apart from the steward by a block.
    """
    tournament = _open(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    _check_not_alone(tournament)
    standing = events.standing(tournament)
    here = set(standing.here)
    new = [person for person in people if person.pk not in here]
    away = blocks.away_from(steward, [person.pk for person in new])
    seatable = set(tournament.club.members.filter(seatable=True).values_list("user", flat=True))
    known = ties.of(tournament, [person.pk for person in new])
    seatable -= set(tournament.invitations.filter(declined=True).values_list("user", flat=True))
    came, asked, told = list[User](), list[User](), list[payloads.Entered]()
    for person in new:
        if person.pk in away:
            raise Refused(
                _("You can’t let %(name)s take part: they have to come by themselves.") % {"name": person.shown_name}
            )
        guest = check_can_come(tournament, standing, known, person, steward, now)
        if person == steward or agreed(tournament, standing.entrants.get(person.pk), person.pk in seatable):
            told.append(_come(standing, person, guest, now, steward))
            came.append(person)
        else:
            asked.append(person)
    _write_coming(tournament, told, now, steward)
    notices.notify(came, "ticked", tournament.get_absolute_url(), now, by=steward, event=tournament.name)
    found = Ticked(len(came), invitations.invite(tournament, steward, asked, now))
    events.schedule_wakeup(tournament, now)
    return found


def agreed(tournament: Tournament, entrant: Entrant | None, seatable: bool) -> bool:
    """Whether a steward may take somebody in without asking: at a club night, members who allow it (`seatable`);
    anywhere, whom a steward had taken out. Not who has said no since, or left by themselves, or left the club."""
    if entrant and (not entrant.ticked or not entrant.agrees):
        return entrant.agrees
    return seatable and tournament.kind == Tournament.Kind.EVENING


@transaction.atomic
def untick(tournament: Tournament, steward: User, person: User, now: datetime) -> None:
    """Let somebody go for a steward, or take back their invitation. Who goes is told."""
    clubs.check(tournament.club, steward, Right.EVENTS)
    open_matches.decline_called(person, tournament.club, tournament.page)
    tournament = _open(tournament)
    entrant = events.standing(tournament).entrants.get(person.pk)
    if entrant and entrant.here:
        if shuts_out(tournament, person):
            decisions.record(
                tournament.club, "removed", steward, now, people=[person], says=decisions.Titled(tournament.name)
            )
        if person != steward:
            page = tournament.get_absolute_url()
            notices.notify([person], "unticked", page, now, by=steward, event=tournament.name)
    _leave(tournament, person, now, steward, agrees=True)
    invitations.take_back(tournament, [person.pk])
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def correct(
    tournament: Tournament,
    steward: User,
    number: int,
    index: int,
    places: Sequence[int],
    reason: str,
    now: datetime,
    seen: Sequence[int] | None = None,
) -> None:
    """Set the places of a table, by seat, whose game is over; without places it does not count. `seen`: the places that
    the steward was shown, refused if they are not the present ones; None: the present ones."""
    tournament = events.locked(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    if tournament.same_deal and (tournament.closed_at is None or places):
        raise Refused(_("Once it’s over, you can strike out a table; its points can’t be set."))
    standing = events.standing(tournament)
    try:
        table = standing.rounds[number].tables[index]
    except IndexError:
        raise Refused(_("There’s no such table.")) from None
    if not table.over:
        raise Refused(_("This game is still going on. You can correct its result once it’s over."))
    if places and not are_places(places, table.size):
        raise Refused(_("These places can’t be: after a shared place the next ones are left out, as in 1, 2, 2, 4."))
    if seen is not None and tuple(seen) != table.places:
        if not table.places:
            raise Refused(_("This has changed since you looked: the game doesn’t count now. Is your result right?"))
        text = _("This has changed since you looked: the places are now %(places)s. Is your result right?")
        raise Refused(text % {"places": ", ".join(map(str, table.places))})
    if not reason.strip():
        raise Refused(_("Say why: everyone can read it."))
    if tuple(places) == table.places and not table.left:
        return
    changed = replace(table, places=tuple(places))
    if tournament.kind in plan.FORMATS and plan.of(standing).fixed(standing, number, changed):
        raise Refused(_("A later round has begun with those who went on: who goes on can’t change any more."))
    said = reason.strip()[:LONGEST_REASON]
    write(tournament, payloads.TableCorrected(number, index, tuple(places)), now, steward, said)
    decisions.record(tournament.club, "corrected", steward, now, reason=said, says=decisions.Titled(tournament.name))
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def renew_link(tournament: Tournament, steward: User, now: datetime) -> None:
    """Give guests a new link; the old one stops working."""
    tournament = _open(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    if tournament.same_deal:
        raise Refused(_("Only members of the club can take part: nobody is to play the same deal twice."))
    tournament.token = get_random_string(TOKEN_LENGTH)
    tournament.save(update_fields=["token"])
    decisions.record(tournament.club, "relinked", steward, now, says=decisions.Titled(tournament.name))


@transaction.atomic
def close(tournament: Tournament, steward: User, now: datetime) -> None:
    """End a tournament. Games that are being played go on, and still count for its table. Where the deal is the same,
    it is refused until they are over, or a steward could strike out what goes against them."""
    hidden = hidden_matches(tournament)
    tournament = _open(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    if tournament.same_deal and events.standing(tournament).busy:
        raise Refused(_("Games of the same deal are still being played. Close it when they are over."))
    end(tournament, hidden, now, steward)
    decisions.record(tournament.club, "ended", steward, now, says=decisions.Titled(tournament.name))
    events.schedule_wakeup(tournament, now)


def hidden_matches(tournament: Tournament) -> list[Match]:
    """The hidden matches of a tournament, locked. They are locked before the tournament itself, as at the end of a
    match: otherwise the two could wait for each other."""
    if not tournament.same_deal:
        return []
    found = Match.objects.filter(club=tournament.club_id, agreed=tournament.page, hidden=True)
    return list(found.order_by("pk").select_for_update(of=("self",)))


def end(tournament: Tournament, hidden: Iterable[Match], now: datetime, by: User | None) -> None:
    """Close a locked tournament. Where the deal is the same for all, games that are not over are cancelled, and all are
    opened. To be settled by the caller."""
    if tournament.same_deal:
        unfinished = [
            payloads.Unfinished(number, index)
            for number, each in enumerate(events.standing(tournament).rounds)
            for index, table in enumerate(each.tables)
            if not table.over
        ]
        events.write_all(tournament, unfinished, now)
    write(tournament, payloads.TournamentClosed(), now, by)
    if tournament.same_deal:
        known = {match.pk for match in hidden}
        hidden = [*hidden, *(match for match in hidden_matches(tournament) if match.pk not in known)]
        reveal.reveal(hidden, now)
        players = User.objects.filter(pk__in=events.standing(tournament).entrants)
        address, cause = tournament.get_absolute_url(), by or tournament.club
        kind = "deal-over" if deals.comparable(events.standing(tournament)) else "tournament-over"
        notices.notify(players, kind, address, now, by=cause, event=tournament.name)


@transaction.atomic
def end_all(club: Club, now: datetime, by: User | None) -> None:
    """The club closes: `accounts.signals.club_closed`. What nobody has begun is over. Refused to a steward while one
    is being played; when the last member has left, that is ended by the clock, as anywhere."""
    for found in club.tournaments.filter(closed_at=None).order_by("pk"):
        tournament = events.locked(found)
        standing = events.standing(tournament)
        if tournament.closed_at is not None:
            continue
        if not (standing.rounds or standing.groups):
            end(tournament, (), now, by)
            events.schedule_wakeup(tournament, now)
        elif by:
            raise Refused(_("%(event)s isn’t over. End it first.") % {"event": tournament.name})


# Players


@transaction.atomic
def enter(tournament: Tournament, user: User, now: datetime, token: str = "") -> None:
    """Let a member of the club take part, or somebody who has the link (`token`)."""
    tournament = _open(tournament)
    _check_not_alone(tournament)
    standing = events.standing(tournament)
    if user.pk in standing.here:
        return
    mine = ties.of(tournament, [user.pk])
    _check_not_expelled(mine, user, user)
    entrant, invited = standing.entrants.get(user.pk), user.pk in mine.invited
    if entrant and entrant.out and not invited and shuts_out(tournament, user):
        raise Refused(_("A steward has taken you out, and only a steward can let you in again."))
    known = invited or (entrant is not None and entrant.guest)
    if not known and user.pk not in mine.members and not opens(tournament, token):
        raise Refused(_("Only members of the club can take part. Ask a steward for the link for guests."))
    admit(tournament, standing, user, now, user)
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def decline(tournament: Tournament, user: User, now: datetime) -> None:
    """Say no to a steward's invitation, or to being let in again by the one who has taken one out, or as a member to
    what stands open; no steward can ask again."""
    tournament = _open(tournament)
    entrant = events.standing(tournament).entrants.get(user.pk)
    if entrant and entrant.agrees:
        _leave(tournament, user, now, user)
        invitations.note_no(tournament, user, now)
    elif entrant is None and clubs.member(tournament.club, user) and not invitations.find(tournament, user):
        invitations.note_no(tournament, user, now)
    else:
        invitations.decline(tournament, user)
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def leave(tournament: Tournament, user: User, now: datetime) -> None:
    """Let somebody go: they get no seat any more. A game that they have begun goes on; one to which they
    are called, and have not said yes, does not begin."""
    open_matches.decline_called(user, tournament.club, tournament.page)
    _leave(_open(tournament), user, now, user)


@transaction.atomic
def left(club: Club, user: User, now: datetime, by: User | None) -> None:
    """Somebody is no member of the club any more: `accounts.signals.club_left`."""
    EventInvitation.objects.filter(tournament__club=club, user=user, declined=False).delete()  # a no stays
    for each in club.tournaments.filter(closed_at=None).order_by("pk"):
        open_matches.decline_called(user, club, each.page)
        tournament = events.locked(each)
        if tournament.closed_at is None:
            _leave(tournament, user, now, by)


@transaction.atomic
def unseat(club: Club, user: User, now: datetime) -> None:
    """A member no longer lets the stewards seat them: they leave the nights to which they have not said yes themselves:
    `accounts.signals.seating_withdrawn`."""
    for each in club.tournaments.filter(closed_at=None, kind=Tournament.Kind.EVENING).order_by("pk"):
        open_matches.decline_called(user, club, each.page)
        tournament = events.locked(each)
        entrant = events.standing(tournament).entrants.get(user.pk)
        if tournament.closed_at is None and entrant and entrant.ticked:
            _leave(tournament, user, now, user)


def shuts_out(tournament: Tournament, user: User) -> bool:
    """Whether somebody whom a steward takes out can only come back by a steward: all but members at an evening."""
    return tournament.kind != Tournament.Kind.EVENING or clubs.member(tournament.club, user) is None


def opens(tournament: Tournament, token: str) -> bool:
    """Whether this is the token of the link by which guests come."""
    return bool(tournament.token) and constant_time_compare(tournament.token, token)


def are_places(places: Sequence[int], size: int) -> bool:
    """Whether these are the places of so many: shared ones are counted on from as in 1, 2, 2, 4."""
    return len(places) == size and all(place == 1 + sum(other < place for other in places) for place in places)


def _open(tournament: Tournament) -> Tournament:
    """The tournament, locked and fresh, if it is not over."""
    tournament = events.locked(tournament)
    if tournament.closed_at is not None:
        raise Refused(_("This is over."))
    return tournament


def _check_not_alone(tournament: Tournament) -> None:
    if tournament.kind == Tournament.Kind.DEAL:
        raise Refused(_("Everyone begins this game by themselves."))


def admit(tournament: Tournament, standing: TournamentStanding, person: User, now: datetime, by: User) -> None:
    """Let somebody take part in a locked tournament with this standing. To be settled by the caller."""
    guest = check_can_come(tournament, standing, ties.of(tournament, [person.pk]), person, by, now)
    _write_coming(tournament, [_come(standing, person, guest, now, by)], now, by)


def _come(standing: TournamentStanding, person: User, guest: bool, now: datetime, by: User | None) -> payloads.Entered:
    """Let somebody come in a standing. Returns the event, which is yet to be written."""
    entrant = standing.entrants.get(person.pk)
    ticked = person != by and (entrant is None or entrant.ticked)
    event = payloads.Entered(person.pk, guest, ticked)
    standing.apply(PastEvent(standing.events, ms_of(now), event))
    return event


def _write_coming(tournament: Tournament, told: Sequence[payloads.Entered], now: datetime, by: User | None) -> None:
    """Write that people have come, however many, in a few queries; none if nobody has."""
    if told:
        events.write_all(tournament, told, now, by)
        invitations.take_back(tournament, [event.player for event in told])


def admit_all(tournament: Tournament, people: Iterable[User], now: datetime, by: User) -> int:
    """Let people take part in a locked tournament for a steward. Returns how many. To be settled by the caller."""
    found = list(people)
    standing, known = events.standing(tournament), ties.of(tournament, [person.pk for person in found])
    told = [
        _come(standing, person, check_can_come(tournament, standing, known, person, by, now), now, by)
        for person in found
    ]
    _write_coming(tournament, told, now, by)
    return len(told)


def expect(tournament: Tournament, people: Iterable[User], now: datetime) -> list[User]:
    """Let people take part in a locked tournament who have said beforehand that they come: as ticked, for they have not
    said that they are there. Who cannot is left out. Returns who has come. To be settled by the caller."""
    found = list(people)
    standing, known = events.standing(tournament), ties.of(tournament, [person.pk for person in found])
    came, told = list[User](), list[payloads.Entered]()
    for person in found:
        try:
            guest = check_can_come(tournament, standing, known, person, person, now)
        except Refused:
            continue
        came.append(person)
        told.append(_come(standing, person, guest, now, None))
    _write_coming(tournament, told, now, None)
    return came


def check_can_come(
    tournament: Tournament, standing: TournamentStanding, known: Ties, person: User, by: User, now: datetime
) -> bool:
    """Raises Refused if somebody cannot take part. Returns whether they are no member of the club."""
    if standing.groups and plan.of(standing).shut:
        raise Refused(_("This has begun, and nobody can come in any more."))
    if len(standing.here) >= MOST_PLAYERS:
        raise Refused(_("There’s no room for more people."))
    _check_comings(standing, person, by)
    if event := tournament.calendar:
        _check_event(event, standing, person, person == by and person.pk not in known.invited, now)
    if not person.is_active or person.closed:
        raise Refused(_("This account is closed."))
    if person.guest and tournament.pace == Match.Pace.DAILY:
        raise Refused(_("Games by correspondence need an account. Sign up first."))
    _check_not_expelled(known, person, by)
    guest = person.pk not in known.members
    if guest and tournament.same_deal:
        raise Refused(_("Only members of the club can take part: nobody is to play the same deal twice."))
    if tournament.same_deal and person == by and person.pk not in known.invited and person.pk not in standing.entrants:
        newcomers.check(tournament, standing, person)
    return guest


def _check_event(
    event: CalendarEvent, standing: TournamentStanding, person: User, by_themselves: bool, now: datetime
) -> None:
    """Raises Refused for who may not take part by what the calendar says. Stewards let in anybody, but not more than
    there is room for; who has been in can come back."""
    if event.most is not None and len(standing.here) >= event.most:
        raise Refused(_("There’s no room for more people: at most %(most)d take part.") % {"most": event.most})
    if by_themselves and person.pk not in standing.entrants:
        if event.entry_until and event.entry_until <= now:
            raise Refused(_("Entry has ended. A steward can still let you in."))
        conditions.check(event, person)


def _check_comings(standing: TournamentStanding, person: User, by: User) -> None:
    """Raises Refused for who has come and gone too often: every time is an event for good."""
    entrant = standing.entrants.get(person.pk)
    if entrant is None or entrant.comings < MOST_COMINGS:
        return
    if person == by:
        raise Refused(_("You’ve come here %(n)d times, and can’t come again to this event.") % {"n": MOST_COMINGS})
    told = _("%(name)s has come here %(n)d times, and can’t come again to this event.")
    raise Refused(told % {"name": person.shown_name, "n": MOST_COMINGS})


def drop(tournament: Tournament, person: User, now: datetime) -> None:
    """Note, in a locked tournament, that somebody is there no more: by the clock."""
    _leave(tournament, person, now, None)


def _check_not_expelled(known: Ties, person: User, by: User) -> None:
    if person.pk in known.expelled:
        if person == by:
            raise Refused(_("You’ve been expelled from this club."))
        raise Refused(_("%(name)s has been expelled from this club.") % {"name": person.shown_name})


def _leave(tournament: Tournament, person: User, now: datetime, by: User | None, *, agrees: bool = False) -> None:
    """Note that somebody is there no more, or, if a steward has taken them out, that they agree no more."""
    entrant = events.standing(tournament).entrants.get(person.pk)
    if entrant and (entrant.here or (entrant.agrees and not agrees)):
        out = by is not None and by != person
        write(tournament, payloads.EntrantLeft(person.pk, out, agrees), now, by)
        events.schedule_wakeup(tournament, now)
