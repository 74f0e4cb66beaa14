"""Tournaments whose rounds follow a plan: round robin, Swiss, knock-out, box league. What comes next says
`games.tournaments.plan`; here it is written and played."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.clubs import clubs, decisions
from accounts.models import Club, Right, User
from accounts.notices import notices
from accounts.web.refused import Refused
from games.engine.core import Game
from games.ladders import overdue
from games.matches import history
from games.matches.clocks import instant, ms_of
from games.matches.models import Match
from games.tournaments import computing, evenings, events, payloads, plan, playing, reminders, services
from games.tournaments.models import Tournament
from games.tournaments.payloads import PastEvent
from games.tournaments.playing import Seated
from games.tournaments.services import GameTerms
from games.tournaments.standing import TournamentStanding

RUNG, RANDOM = "rung", "random"
MOST_ROUNDS = 15
ROUND_DAYS = (1, 90)
"""The least and the most days for a round, or a turn of a league, that is played by correspondence."""
BOX = (4, 6)
Kind = Tournament.Kind
FOR_TWO = (Kind.ROUND_ROBIN, Kind.KNOCKOUT, Kind.BOXES)
"""The kinds whose tables are of two."""


class Plan(NamedTuple):
    """The settings of a tournament with a plan."""

    seeds: str = RUNG
    """By what the players are ordered before the first round."""
    rounds: int = 5
    """The number of rounds of a Swiss tournament."""
    days: int = 0
    """How many days there are for a round, for all games of a round robin, for a turn of a league; 0 if it is played
    live."""
    box: int = 5
    """How many people are to be in a box."""


@transaction.atomic
def create(
    club: Club,
    steward: User,
    kind: Tournament.Kind,
    name: str,
    terms: GameTerms,
    chosen: Plan,
    now: datetime,
    *,
    game: Game,
    ladder: int = 1,
) -> Tournament:
    """Open a tournament with a plan, and tell the members of the club. `ladder`: the number of that by whose rungs it
    can seed."""
    daily = terms.clock.pace == Match.Pace.DAILY
    if kind in FOR_TWO and terms.seats != 2:
        raise Refused(_("This kind of tournament is for tables of two."))
    if kind == Kind.BOXES and not daily:
        raise Refused(_("A box league is played by correspondence."))
    if not 1 <= chosen.rounds <= MOST_ROUNDS:
        raise Refused(_("There can be 1 to %(most)d rounds.") % {"most": MOST_ROUNDS})
    if daily and not ROUND_DAYS[0] <= chosen.days <= ROUND_DAYS[1]:
        raise Refused(_("There can be %(least)d to %(most)d days.") % {"least": ROUND_DAYS[0], "most": ROUND_DAYS[1]})
    if daily and chosen.days < terms.clock.days:
        raise Refused(_("There must be at least as many days for a round as for one move."))
    if not BOX[0] <= chosen.box <= BOX[1] or chosen.seeds not in (RUNG, RANDOM):
        raise Refused(_("Boxes are of four to six."))
    settings = {"seeds": chosen.seeds, "rounds": chosen.rounds, "days": chosen.days if daily else 0, "box": chosen.box}
    tournament = services.open_tournament(club, steward, kind, name, terms, now, game=game, ladder=ladder, **settings)
    services.announce(tournament, steward, now)
    return tournament


class NextStep(NamedTuple):
    """What comes next in a tournament with a plan, computed before anybody has to wait for it."""

    people: Sequence[int]
    """Who is present."""
    groups: Sequence[Sequence[int]]
    """The groups of the tournament, or of a new turn of a league, which begins; none if it goes on."""
    drawn: str
    """What the order of the groups was drawn from; empty without chance."""
    rounds: Sequence[plan.NextRound]
    """None if the tournament is over."""
    seed: str
    """What chance was drawn from for these rounds; empty without."""


def begin(tournament: Tournament, steward: User, now: datetime) -> None:
    """Begin with those who have entered."""
    playing.tried(lambda: _begin(tournament, steward, now))


def _begin(tournament: Tournament, steward: User, now: datetime) -> None:
    standing = events.standing(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    planned = tournament.kind != Kind.EVENING and not tournament.same_deal
    if not planned or standing.closed is not None or standing.groups:
        raise Refused(_("This has begun already, or is over."))
    people = present(standing)
    if len(people) < 2:
        raise Refused(_("A tournament needs at least two players."))
    if tournament.kind == Kind.ROUND_ROBIN and len(people) > plan.MOST_ROBIN:
        text = ngettext(
            "A round robin is for %(most)d player at most.",
            "A round robin is for %(most)d players at most.",
            plan.MOST_ROBIN,
        )
        raise Refused(" ".join((text % {"most": plan.MOST_ROBIN}, _("For more, choose Swiss or a box league."))))
    seed = ""
    if tournament.settings["seeds"] == RANDOM:
        seed = secrets.token_hex(16)
        Random(seed).shuffle(people)
    else:
        people = evenings.by_rung(tournament, people)
    groups = plan.first_groups(tournament.kind, people, tournament.settings["box"])
    playing.check_room(tournament, steward)
    if tournament.pace == Match.Pace.LIVE:
        playing.check_free(people)
    step = _step(tournament, standing, groups, seed)
    with transaction.atomic():
        tournament = playing.unmoved(tournament, standing, step.people)
        clubs.check(tournament.club, steward, Right.EVENTS)
        decisions.record(tournament.club, "begun", steward, now, says=decisions.Titled(tournament.name))
        _take(tournament, step, now, steward)
        events.schedule_wakeup(tournament, now)


def next_round(tournament: Tournament, steward: User, now: datetime, rounds: int | None = None) -> None:
    """Begin the next round of a tournament that is played live. `rounds`: how many there were when the steward looked;
    if another steward was faster, this is refused."""
    playing.tried(lambda: _next_round(tournament, steward, now, rounds))


def _next_round(tournament: Tournament, steward: User, now: datetime, rounds: int | None) -> None:
    standing = events.standing(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    if rounds is not None and rounds != len(standing.rounds):
        raise Refused(_("Someone else has just begun this round."))
    if not standing.waiting:
        raise Refused(_("The next round can begin once all games of this one are over."))
    playing.check_room(tournament, steward)
    step = _step(tournament, standing)
    with transaction.atomic():
        tournament = playing.unmoved(tournament, standing, step.people)
        clubs.check(tournament.club, steward, Right.EVENTS)
        _take(tournament, step, now, steward)
        events.schedule_wakeup(tournament, now)


def present(standing: TournamentStanding) -> list[int]:
    """The players who have not left, and whose account is not closed, in the order in which they came."""
    there = set(User.objects.filter(pk__in=standing.here, is_active=True, closed=False).values_list("pk", flat=True))
    return [player for player in standing.here if player in there]


def work(tournament: Tournament, now: datetime) -> None:
    """Decide, in a locked tournament, games that were not over in time, and remind of those that soon must be."""
    _decide(tournament, now)
    reminders.remind(tournament, events.standing(tournament), now)


def resume(tournament: Tournament, now: datetime) -> None:
    """Go on by the clock when all games are over, unless somebody comes or leaves at this moment: then a worker tries
    again. A round that is played live is begun by a steward."""
    standing = events.standing(tournament)
    if not standing.waiting:
        return
    if tournament.pace != Match.Pace.DAILY and not plan.finished(standing, present(standing)):
        return
    step = _step(tournament, standing)
    with suppress(playing.Outdated), transaction.atomic():
        tournament = playing.unmoved(tournament, standing, step.people)
        _take(tournament, step, now, None)
        events.schedule_wakeup(tournament, now)


def _step(
    tournament: Tournament, standing: TournamentStanding, groups: Sequence[Sequence[int]] = (), drawn: str = ""
) -> NextStep:
    """The next rounds, the next turn, or the end, of a tournament with this standing. `groups`, `drawn`: those with
    which it begins."""
    people = present(standing)
    if not groups and tournament.kind == Kind.BOXES and len(people) >= 2 and plan.finished(standing, people):
        groups = plan.next_groups(standing, people, tournament.settings["box"])
    after = copy(standing)
    if groups:
        after.apply(PastEvent(standing.events, 0, _begins(groups, drawn)))
    seed = secrets.token_hex(16) if tournament.seats > 2 else ""
    rounds = computing.computed(len(people), plan.next_rounds, after, people, Random(seed))
    return NextStep(people, groups, drawn, rounds, seed)


def _take(tournament: Tournament, step: NextStep, now: datetime, by: User | None) -> None:
    """Write a step of a locked tournament that is as it was when that was computed. To be settled by the caller."""
    people, following, seed = step.people, step.rounds, step.seed
    cause = by or tournament.club
    if step.groups:
        events.write(tournament, _begins(step.groups, step.drawn), now, by)
    standing = events.standing(tournament)
    if not following:
        events.write(tournament, payloads.TournamentClosed(), now)
        players = User.objects.filter(pk__in=standing.entrants)
        address = tournament.get_absolute_url()
        notices.notify(players, "tournament-over", address, now, by=cause, event=tournament.name)
        return
    daily = tournament.pace == Match.Pace.DAILY
    until = now + timedelta(days=tournament.settings["days"]) if daily else None
    rounds = [
        [Seated(table, absent=[player for player in table if player not in people]) for table in each.tables]
        for each in (following if tournament.side_by_side else following[:1])
    ]
    games = [seated for seating in rounds for seated in seating if not seated.absent]
    playing.count_games(tournament, len(games), by)
    tournament.to_create = tournament.to_create or len(games) > playing.AT_ONCE
    for seating, each in zip(rounds, following, strict=False):
        playing.begin_round(tournament, seating, each.byes, standing.kind, seed, now, by, until=until)
    if tournament.side_by_side:
        told = User.objects.filter(pk__in={player for seated in games for player in seated.players})
        turn = events.standing(tournament).turns  # each is news, whether the last has been seen or not
        address = tournament.get_absolute_url()
        notices.notify(told, "games", address, now, by=cause, event=tournament.name, turn=turn)


def _begins(groups: Sequence[Sequence[int]], drawn: str) -> payloads.Begun:
    """What the event says with which groups begin."""
    return payloads.Begun(tuple(tuple(group) for group in groups), drawn)


def _decide(tournament: Tournament, now: datetime) -> None:
    """Decide the games that were not over in time, as of their deadline."""
    standing = events.standing(tournament)
    for number, each in enumerate(standing.rounds):
        if each.until is None or each.until > ms_of(now):
            continue
        late_tables = [(index, table) for index, table in enumerate(each.tables) if not table.over]
        matches = {
            match.key: match
            for match in Match.objects.seated().filter(key__in=[table.match for _index, table in late_tables])
        }
        for index, table in late_tables:
            match = matches[table.match]
            places = judge(match, each.until, match.ply)
            late = tuple(player for player, place in zip(table.players, places, strict=True) if place > 1)
            decided = payloads.Forfeited(number, index, tuple(places), late, match.ply)
            events.write(tournament, decided, instant(each.until))
            people = [seat.user for seat in match.sitting if seat.user]
            address = tournament.get_absolute_url()
            notices.notify(people, "forfeit", address, now, by=tournament.club, event=tournament.name)


def judge(match: Match, until: int, ply: int) -> list[int]:
    """The places by seat of a game that was not over at a deadline, by the first `ply` rows of its log: see
    `games.tournaments.plan.judged`."""
    rows = history.replay(match).rows[:ply]
    gone = [overdue.leaves(seat, rows, until) for seat in match.sitting]
    return plan.judged(overdue.spent_ms(match, rows, until), overdue.shares_ms(match, rows, until), gone)
