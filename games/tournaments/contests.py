"""Tournaments whose rounds follow a plan: round robin, Swiss, knock-out, box league. What comes next says
`games.tournaments.plan`; here it is written and played."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.clubs import decisions
from accounts.models import Club, User
from accounts.notices import notices
from accounts.shown import people_shown
from accounts.web.refused import Refused
from games.calendar.models import CalendarEvent
from games.engine.core import Game
from games.ladders import overdue
from games.matches import history
from games.matches.clocks import instant, ms_of
from games.matches.models import Match
from games.tournaments import computing, evenings, events, payloads, plan, playing, reminders, services, typed
from games.tournaments.formats.core import NextRound
from games.tournaments.models import Tournament
from games.tournaments.payloads import PastEvent
from games.tournaments.playing import Seated
from games.tournaments.services import GameTerms
from games.tournaments.settings import checked
from games.tournaments.standing import TournamentStanding

RUNG, RANDOM = "rung", "random"
HAND = "hand"
MOST_ASKS = 20
"""How often one person can ask for a bye of one tournament, or take it back: every time is an event for good."""
Kind = Tournament.Kind


class Plan(NamedTuple):
    """What is chosen for a tournament with a plan: of `games.tournaments.settings` only what its kind has counts."""

    seeds: str = RUNG
    """By what the players are ordered before the first round."""
    rounds: int = 5
    days: int = 0
    box: int = 5
    group: int = 4
    through: int = 2
    minutes: int = 90
    boards: int = 4
    third: int = 0
    halves: int = 0
    breaks: str = ""


@transaction.atomic
def create(
    club: Club,
    steward: User | None,
    kind: Tournament.Kind,
    name: str,
    terms: GameTerms,
    chosen: Plan,
    now: datetime,
    *,
    game: Game,
    ladder: int = 1,
    calendar: CalendarEvent | None = None,
) -> Tournament:
    """Open a tournament with a plan, and tell the members of the club. `steward`: None for the clock. `ladder`: the
    number of that by whose rungs it can seed. `calendar`: its event."""
    daily = terms.clock.pace == Match.Pace.DAILY
    if plan.FORMATS[kind].for_two and terms.seats != 2:
        raise Refused(_("This kind of tournament is for tables of two."))
    if daily and not plan.FORMATS[kind].daily:
        raise Refused(_("This kind of tournament is played live."))
    if not daily and not plan.FORMATS[kind].live:
        raise Refused(_("This kind of tournament is played by correspondence."))
    if chosen.seeds not in (RUNG, RANDOM):
        raise Refused(_("Choose the order at the beginning."))
    settings = checked(kind, daily, chosen._asdict())
    if daily and chosen.days < terms.clock.days:
        raise Refused(_("There must be at least as many days for a round as for one move."))
    tournament = services.open_tournament(
        club,
        steward,
        kind,
        name,
        terms,
        now,
        game=game,
        calendar=calendar,
        ladder=ladder,
        seeds=chosen.seeds,
        **settings,
    )
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
    rounds: Sequence[NextRound]
    """None if the tournament is over."""
    seed: str
    """What chance was drawn from for these rounds; empty without."""
    how: str = ""
    """`HAND` if a steward has paired them by hand."""
    reason: str = ""
    """Why they did."""


class HandPairing(NamedTuple):
    """A round as a steward has paired it by hand."""

    tables: Sequence[Sequence[int]]
    byes: Sequence[int]
    reason: str
    """Why; everybody who sees the round reads it."""
    seen: int
    """How many events the tournament had when the steward looked."""


def begin(tournament: Tournament, steward: User | None, now: datetime, pairing: HandPairing | None = None) -> None:
    """Begin with those who have entered. `steward`: None for the clock. `pairing`: the first round, by hand."""
    playing.tried(lambda: _begin(tournament, steward, now, pairing))


def _begin(tournament: Tournament, steward: User | None, now: datetime, pairing: HandPairing | None) -> None:
    standing = events.standing(tournament)
    services.check_steward(tournament, steward)
    planned = tournament.kind != Kind.EVENING and not tournament.same_deal
    if not planned or standing.closed is not None or standing.groups:
        raise Refused(_("This has begun already, or is over."))
    people, found = present(standing), plan.of(standing)
    if len(people) < found.least:
        text = ngettext(
            "This kind of tournament needs at least %(least)d player.",
            "This kind of tournament needs at least %(least)d players.",
            found.least,
        )
        raise Refused(text % {"least": found.least})
    if len(people) > found.most:
        text = ngettext(
            "This kind of tournament is for %(most)d player at most.",
            "This kind of tournament is for %(most)d players at most.",
            found.most,
        )
        raise Refused(" ".join((text % {"most": found.most}, _("For more, choose Swiss or a box league."))))
    people, seed = _ordered(tournament, people)
    groups = found.first_groups(standing, people)
    if tournament.kind == Kind.TEAMS and len(groups) < 2:
        raise Refused(_("At least two teams need players. Players choose their teams themselves."))
    playing.check_room(tournament, steward)
    if tournament.pace == Match.Pace.LIVE:
        playing.check_free([player for group in groups for player in group])
    step = _step(tournament, standing, groups, seed)
    if pairing:
        step = _by_hand(standing, step, pairing)
    with transaction.atomic():
        tournament = playing.unmoved(tournament, standing, step.people)
        services.check_steward(tournament, steward)
        if steward:
            decisions.record(tournament.club, "begun", steward, now, says=decisions.Titled(tournament.name))
        _take(tournament, step, now, steward)
        events.schedule_wakeup(tournament, now)


def _ordered(tournament: Tournament, people: list[int]) -> tuple[list[int], str]:
    """The players in their order at the beginning, and what it was drawn from; empty without chance."""
    if tournament.settings["seeds"] != RANDOM:
        return evenings.by_rung(tournament, people), ""
    seed = secrets.token_hex(16)
    return Random(seed).sample(people, len(people)), seed


def next_round(
    tournament: Tournament,
    steward: User | None,
    now: datetime,
    rounds: int | None = None,
    pairing: HandPairing | None = None,
) -> None:
    """Begin the next round of a tournament that is played live. `steward`: None for the clock. `rounds`: how many
    there were when the steward looked; if another steward was faster, this is refused. `pairing`: the round, by
    hand."""
    if tournament.at_table and steward:
        typed.count_before_round(tournament, steward, now, rounds)
    playing.tried(lambda: _next_round(tournament, steward, now, rounds, pairing))


def _next_round(
    tournament: Tournament, steward: User | None, now: datetime, rounds: int | None, pairing: HandPairing | None
) -> None:
    standing = events.standing(tournament)
    services.check_steward(tournament, steward)
    if rounds is not None and rounds != len(standing.rounds):
        raise Refused(_("Someone else has just begun this round."))
    if tournament.kind not in plan.FORMATS:
        raise Refused(_("The rounds of a night are begun on its page."))
    if standing.groups and plan.of(standing).continuous:
        raise Refused(_("An arena has no rounds to begin: whoever is ready is paired."))
    if not standing.waiting:
        raise Refused(_("The next round can begin once all games of this one are over."))
    playing.check_room(tournament, steward)
    step = _step(tournament, standing)
    if pairing:
        step = _by_hand(standing, step, pairing)
    with transaction.atomic():
        tournament = playing.unmoved(tournament, standing, step.people)
        services.check_steward(tournament, steward)
        _take(tournament, step, now, steward)
        events.schedule_wakeup(tournament, now)


def proposed(tournament: Tournament, standing: TournamentStanding) -> NextRound | None:
    """The round that begins next if a steward presses now, the largest tables first; None if none does, or if a round
    of this kind cannot be paired by hand."""
    found, people = plan.FORMATS.get(tournament.kind), present(standing)
    if found is None or not found.by_hand or standing.closed is not None:
        return None
    groups: Sequence[Sequence[int]] = ()
    if standing.groups:
        ready = standing.waiting and tournament.pace == Match.Pace.LIVE
    else:
        ready = found.least <= len(people) <= found.most
        groups = found.first_groups(standing, _ordered(tournament, people)[0])
    rounds = _step(tournament, standing, groups).rounds if ready else ()
    if not rounds:
        return None
    return replace(rounds[0], tables=tuple(sorted(rounds[0].tables, key=len, reverse=True)))


def by_hand(tournament: Tournament, steward: User, pairing: HandPairing, now: datetime) -> None:
    """Begin a tournament, or its next round, with the tables of a steward. Refused if anything has happened since they
    looked."""
    standing = events.standing(tournament)
    _check_seen(standing, pairing)
    if standing.groups:
        next_round(tournament, steward, now, pairing=pairing)
    else:
        begin(tournament, steward, now, pairing)


def _check_seen(standing: TournamentStanding, pairing: HandPairing) -> None:
    if pairing.seen != standing.events:
        raise Refused(
            _("Something has changed since you looked: someone came or left, or began the round. Please pair it again.")
        )


def _by_hand(standing: TournamentStanding, step: NextStep, pairing: HandPairing) -> NextStep:
    """The step with the tables of a steward. Raises Refused unless everybody has one seat."""
    _check_seen(standing, pairing)
    if not plan.of(standing).by_hand or not step.rounds:
        raise Refused(_("This round can’t be paired by hand."))
    reason = pairing.reason.strip()[: services.LONGEST_REASON]
    if not reason:
        raise Refused(_("Please say why you pair this round by hand."))
    usual = step.rounds[0]
    seated = [*(player for table in pairing.tables for player in table), *pairing.byes]
    to_seat = [*(player for table in usual.tables for player in table), *usual.byes]
    for told, players in (
        (_("These can’t be paired in this round: %(names)s."), set(seated) - set(to_seat)),
        (_("These have more than one seat: %(names)s."), {player for player in seated if seated.count(player) > 1}),
        (_("These have no seat and no bye: %(names)s."), set(to_seat) - set(seated)),
    ):
        if players:
            raise Refused(told % {"names": ", ".join(person.name for person in people_shown(players).values())})
    if sorted(map(len, pairing.tables)) != sorted(map(len, usual.tables)):
        raise Refused(_("The tables must be as large as those that were proposed."))
    paired = replace(usual, tables=tuple(tuple(table) for table in pairing.tables), byes=tuple(pairing.byes))
    return step._replace(rounds=[paired], seed="", how=HAND, reason=reason)


@transaction.atomic
def ask_bye(tournament: Tournament, user: User, wants: bool, now: datetime) -> None:
    """Ask for a bye in the next round of a Swiss tournament, which counts as a shared place, or take that back."""
    tournament = events.locked(tournament)
    standing = events.standing(tournament)
    known = standing.entrants.get(user.pk)
    if tournament.closed_at is not None or known is None or not known.here:
        raise Refused(_("Only those who take part can ask for a bye."))
    if known.rests == wants:
        return
    if wants and (told := no_bye(standing, user.pk)):
        raise Refused(told)
    if known.asked >= MOST_ASKS:
        raise Refused(_("You’ve asked for a bye and taken it back too often. Ask a steward."))
    events.write(tournament, payloads.ByeAsked(user.pk, wants), now, user)
    events.schedule_wakeup(tournament, now)


def no_bye(standing: TournamentStanding, player: int) -> str:
    """Why somebody cannot ask for a bye in the next round; empty if they can."""
    most = standing.settings.get("halves", 0)
    if not most:
        return _("In this tournament nobody can ask for a bye.")
    if len(standing.rounds) >= standing.settings["rounds"] - 1:
        return _("Nobody can ask for a bye in the last round.")
    if sum(player in each.halves for each in standing.rounds) >= most:
        return _("You’ve had as many byes as one can ask for.")
    return ""


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
    groups = groups or plan.of(standing).next_groups(standing, people)
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
    if step.how == HAND:
        titled = decisions.Titled(tournament.name)
        decisions.record(tournament.club, "paired", by, now, reason=step.reason, says=titled)
    if step.groups:
        events.write(tournament, _begins(step.groups, step.drawn), now, by)
    standing = events.standing(tournament)
    if plan.of(standing).continuous:
        return
    if not following:
        close(tournament, now, cause)
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
        playing.begin_round(
            *(tournament, seating, each.byes, step.how or standing.kind, seed, now, by),
            until=until,
            halves=each.halves,
            reason=step.reason,
        )
    if tournament.side_by_side:
        told = User.objects.filter(pk__in={player for seated in games for player in seated.players})
        begun = len(events.standing(tournament).rounds)  # each is news, whether the last has been seen or not
        address = tournament.get_absolute_url()
        notices.notify(told, "games", address, now, by=cause, event=tournament.name, begun=begun)


def close(tournament: Tournament, now: datetime, cause: User | Club) -> None:
    """Note that a locked tournament is over, and tell its players."""
    events.write(tournament, payloads.TournamentClosed(), now)
    players = User.objects.filter(pk__in=events.standing(tournament).entrants)
    address = tournament.get_absolute_url()
    notices.notify(players, "tournament-over", address, now, by=cause, event=tournament.name)


def _begins(groups: Sequence[Sequence[int]], drawn: str) -> payloads.Begun:
    """What the event says with which groups begin."""
    return payloads.Begun(tuple(tuple(group) for group in groups), drawn)


def _decide(tournament: Tournament, now: datetime) -> None:
    """Decide the games that were not over in time, as of their deadline."""
    standing = events.standing(tournament)
    if tournament.at_table:
        for number, index in events.overdue(tournament, standing, now):
            typed.void(tournament, number, index, instant(standing.rounds[number].until or 0))
        return
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
