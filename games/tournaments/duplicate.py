"""The same deal for all: events of a club in which several tables play the same deal, and are compared seat by seat.

All tables of a deal are created with the same secret, and no browser takes part in their shuffle, so that all have the
same. The secrets follow from one of the tournament, and their commitments stand in its first event: nobody can choose a
deal later. Until the tournament closes its matches are hidden (`Match.hidden`).

In a duplicate tournament a steward seats everybody, round by round; each round has its own deal. A deal of the week is
one deal that each member plays when they like, alone with bots, in the same seat, until its deadline.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.clubs import clubs
from accounts.models import Club, Right, User
from accounts.web.refused import Refused
from games.calendar.models import CalendarEvent
from games.engine import chance
from games.engine.core import Game
from games.lobby import open_matches
from games.matches.clocks import instant, ms_of
from games.matches.models import Match
from games.tournaments import computing, deals, evenings, events, playing, services
from games.tournaments.models import Tournament
from games.tournaments.payloads import Last
from games.tournaments.playing import Seated
from games.tournaments.services import GameTerms
from games.tournaments.standing import TournamentStanding

MOST_ROUNDS = 15
SHORTEST = timedelta(days=3)
"""A deal of the week is open at least so long."""
WEEK_NAME = 9
"""The length of what the name of a deal says of its week."""
Kind = Tournament.Kind


@transaction.atomic
def create(
    club: Club,
    steward: User | None,
    kind: Tournament.Kind,
    name: str,
    terms: GameTerms,
    now: datetime,
    *,
    game: Game,
    rounds: int = 1,
    weekly: bool = False,
    calendar: CalendarEvent | None = None,
) -> Tournament:
    """Open a duplicate tournament of so many rounds, or a deal of the week, and tell the members of the club.

    `steward`: None for the clock. `weekly`: when a deal closes, the next one opens. `calendar`: the event of a
    duplicate one."""
    if terms.clock.pace != Match.Pace.LIVE:
        raise Refused(_("The same deal is played live: choose a time for a live game."))
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refused(_("There can be 1 to %(most)d rounds.") % {"most": MOST_ROUNDS})
    terms = terms._replace(rated=False)
    services.check_terms(club, steward, terms, game)
    if kind == Kind.DEAL:
        tournament = _create_deal(club, steward, name, terms, now, game=game, weekly=weekly)
    else:
        tournament = services.create(
            club, steward, kind, name, terms, now, game=game, calendar=calendar, **_deals(rounds)
        )
    services.announce(tournament, steward, now)
    return tournament


def seat_everybody(tournament: Tournament, steward: User | None, now: datetime, rounds: int | None = None) -> None:
    """Begin the next round of a duplicate tournament: tables of exactly its size, at which people meet whom they have
    not met, in seats in which they have not sat. Who is left over has a bye. `rounds`: how many there were when the
    steward looked; if another steward was faster, this is refused."""
    playing.tried(lambda: _seat_everybody(tournament, steward, now, rounds))


def _seat_everybody(tournament: Tournament, steward: User | None, now: datetime, rounds: int | None) -> None:
    standing = events.standing(tournament)
    services.check_steward(tournament, steward)
    if tournament.kind != Kind.DUPLICATE or standing.closed is not None:
        raise Refused(_("This is over."))
    if rounds is not None and rounds != len(standing.rounds):
        raise Refused(_("Someone else has just begun this round."))
    if standing.busy:
        raise Refused(_("The next round can begin once all games of this one are over."))
    if len(standing.rounds) >= tournament.settings["rounds"]:
        raise Refused(_("All rounds have been played."))
    people, size = evenings.free(standing), tournament.seats
    if len(people) < 2 * size:
        text = ngettext(
            "The same deal needs two tables: at least %(n)d person who is here and isn’t playing.",
            "The same deal needs two tables: at least %(n)d people who are here and aren’t playing.",
            2 * size,
        )
        raise Refused(text % {"n": 2 * size})
    seed = secrets.token_hex(16)
    met, sat = evenings.meetings(standing), deals.sat(standing)
    met.update(evenings.apart(people))
    playing.check_room(tournament, steward)
    seating = computing.computed(len(people), deals.seating, people, size, seed, met, standing.byes, sat)
    tables = [Seated(table) for table in seating.tables]
    deal = len(standing.rounds)
    with transaction.atomic():
        tournament = playing.unmoved(tournament, standing, people)
        services.check_steward(tournament, steward)
        if playing.playing_live(people):
            raise playing.Outdated
        playing.count_games(tournament, len(tables), steward)
        playing.begin_round(tournament, tables, seating.byes, tournament.kind, seed, now, steward, deal=deal)
        events.schedule_wakeup(tournament, now)


@transaction.atomic
def play(tournament: Tournament, user: User, now: datetime) -> Match:
    """Open a table of a deal of the week for a member of the club, alone with bots, and begin."""
    playing.held([user.pk])
    tournament = events.locked(tournament)
    if tournament.kind != Kind.DEAL or over(tournament, now):
        raise Refused(_("This is over."))
    standing = events.standing(tournament)
    if user.pk in standing.entrants:
        raise Refused(_("You have played this deal: everyone plays it once."))
    if playing.playing_live([user.pk]):
        raise Refused(_("You’re playing a live game. Finish it first."))
    open_matches.check_room_for(user)
    services.admit(tournament, standing, user, now, user)
    seated, until = Seated((user.pk,), tournament.seats - 1), instant(tournament.settings["until"])
    playing.count_games(tournament, 1, user)
    playing.begin_round(tournament, [seated], (), tournament.kind, "", now, user, until=until, deal=0)
    events.schedule_wakeup(tournament, now)
    return Match.objects.get(key=events.standing(tournament).rounds[-1].tables[0].match)


@transaction.atomic
def make_last(tournament: Tournament, steward: User, now: datetime) -> None:
    """Let no other deal of the week follow this one."""
    tournament = events.locked(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    if not follows(tournament, events.standing(tournament)):
        raise Refused(_("No other deal follows this one."))
    events.write(tournament, Last(), now, steward)
    events.schedule_wakeup(tournament, now)


def over(tournament: Tournament, now: datetime) -> bool:
    """Whether a tournament is closed, or due to be."""
    until = tournament.settings.get("until")
    return tournament.closed_at is not None or (until is not None and until <= ms_of(now))


def follows(tournament: Tournament, standing: TournamentStanding) -> bool:
    """Whether another deal of the week opens when this one closes by the clock, if anybody has played it."""
    return bool(tournament.settings.get("weekly")) and not standing.last and standing.closed is None


def work(tournament: Tournament, hidden: list[Match], now: datetime) -> None:
    """Do what is due by the clock in a locked tournament, whose matches and club are locked too: close it, and open the
    next deal of the week."""
    standing = events.standing(tournament)
    if tournament.closed_at is not None:
        return
    if tournament.kind == Kind.DEAL:
        if over(tournament, now):
            services.end(tournament, hidden, instant(tournament.settings["until"]), None)
            if follows(tournament, standing) and standing.rounds:
                _create_next(tournament, now)
        return
    if events.played_out(tournament, standing):
        services.end(tournament, hidden, now, None)
    elif events.forgotten(tournament, standing) <= now:
        services.end(tournament, hidden, events.forgotten(tournament, standing), None)


def closing(now: datetime) -> datetime:
    """When a deal closes that opens now: the next Monday, 0:00 UTC, that is far enough."""
    midnight = (now + SHORTEST).astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return midnight + timedelta(days=-midnight.weekday() % 7)


def _create_next(tournament: Tournament, now: datetime) -> None:
    terms = GameTerms(tournament.seats, tournament.clock, tournament.options)
    name = tournament.settings["series"]
    _create_deal(tournament.club, None, name, terms, now, game=tournament.rules, weekly=True)


def _create_deal(
    club: Club, by: User | None, name: str, terms: GameTerms, now: datetime, *, game: Game, weekly: bool
) -> Tournament:
    until = closing(now)
    called = name
    if weekly:
        year, week, _day = (until - timedelta(days=1)).isocalendar()
        called = f"{name[: 60 - WEEK_NAME]} {year}-W{week:02}"
    chosen = {"until": ms_of(until), "weekly": weekly, "series": name, **_deals(1)}
    return services.create(club, by, Kind.DEAL, called, terms, now, game=game, **chosen)


def _deals(rounds: int) -> dict[str, Any]:
    """A new secret for the deals of so many rounds, and what the first event says of them."""
    secret = secrets.token_bytes(chance.SECRET_BYTES)
    commitments = [chance.commitment(playing.deal_secret(secret, deal)) for deal in range(rounds)]
    return {"secret": secret, "rounds": rounds, "commitments": commitments}
