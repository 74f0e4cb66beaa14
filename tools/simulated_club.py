"""Evenings and tournaments of a made-up club, beside its ladder: see `tools.simulated_season`."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import Min, QuerySet

from accounts.clubs import clubs
from accounts.models import User
from accounts.web.refused import Refused
from games.calendar import services as calendar
from games.calendar.models import CalendarEvent
from games.calendar.services import EventPlan
from games.engine.core import Game
from games.matches import play
from games.matches.clocks import DAILY, instant, ms_of
from games.matches.models import Match, Seat
from games.tournaments import (
    arenas,
    audit,
    contests,
    due,
    duplicate,
    evenings,
    events,
    plan,
    scheduled,
    services,
    teams,
    typed,
)
from games.tournaments.contests import RANDOM, Plan
from games.tournaments.models import Tournament, TypedResult
from games.tournaments.payloads import TableFinished
from games.tournaments.services import GameTerms
from games.tournaments.standing import TournamentStanding
from tools import rehearsal, tournament_promises
from tools.pairing_promises import BrokenPromise
from tools.simulated_season import CLOCKS, DAY, HOUR, SimulatedPlayer, SimulatedSeason

Kind = Tournament.Kind
MINUTE = timedelta(minutes=1)
AFTERNOON = 15
"""The hour at which live events begin."""
ROUNDS = 3
"""The rounds of an evening."""
SWISS_ROUNDS = 4
PLAYERS = 12
"""The most people who enter a tournament."""
STALLED, UNSEEN = 0.12, 0.04
"""The shares of games by correspondence that are played so slowly that their deadline comes first, and that nobody
plays."""


class PlannedContest(NamedTuple):
    """A tournament that is going to be opened."""

    share: float
    """When, as a share of the season."""
    kind: Tournament.Kind
    name: str
    seats: int
    live: bool
    at_table: bool = False
    """Whether it is played with real cards."""


class EnteredResult(NamedTuple):
    """A result of a table with real cards, as it was entered first."""

    by: int
    at: datetime
    disputed: bool = False


CONTESTS = (
    PlannedContest(0.02, Kind.BOXES, "Boxes of the brethren", 2, False),
    PlannedContest(0.05, Kind.ROUND_ROBIN, "Round of letters", 2, False),
    PlannedContest(0.15, Kind.SWISS, "Swiss of the cloister", 2, True),
    PlannedContest(0.03, Kind.SWISS, "Swiss of oak and candle", 2, True, at_table=True),
    PlannedContest(0.3, Kind.KNOCKOUT, "Cup of letters", 2, False),
    PlannedContest(0.35, Kind.ARENA, "Arena of the abbey", 2, True),
    PlannedContest(0.1, Kind.GROUPS, "Groups of letters", 2, False),
    PlannedContest(0.25, Kind.TEAMS, "Choir against kitchen", 2, True),
    PlannedContest(0.65, Kind.DOUBLE, "Second chance", 2, True),
    PlannedContest(0.4, Kind.ROUND_ROBIN, "Round of the refectory", 2, True),
    PlannedContest(0.5, Kind.SWISS, "Swiss of letters", 2, False),
    PlannedContest(0.6, Kind.SWISS, "Tables of three", 3, True),
    PlannedContest(0.7, Kind.KNOCKOUT, "Cup of St Gall", 2, True),
)
DEALS = (
    PlannedContest(0.45, Kind.DEAL, "Deal for all", 2, True),
    PlannedContest(0.8, Kind.DUPLICATE, "Same deal", 2, True),
)
DEAL_ROUNDS = 2
FATES = ("waits", "confirmed", "disputed", "entered by two")
"""What becomes of the results with real cards, in turn by round and table."""
WAYS = CONFIRMED, DECIDED, BY_STEWARD, BY_TIME = "confirmed", "decided", "counted by a steward", "counted by time"
"""How they come to count."""


class SimulatedClub(SimulatedSeason):
    """A season with evenings and tournaments in it."""

    def __init__(
        self, seed: str, members: int, weeks: int, number: int, until: datetime, game: Game | None = None
    ) -> None:
        self.weeks = weeks
        self.known = set[int]()
        """The matches of which somebody has thought."""
        self.asleep = set[int]()
        """Those in which nobody answers any more: their clocks run out."""
        self.laid = set[tuple[int, int, int]]()
        """The tables with real cards at which people sat down: the tournament, the round and the index of each."""
        self.entered: dict[tuple[int, int, int], EnteredResult] = {}
        """What was entered first at each of these."""
        self.by_kind = defaultdict[str, Counter[str]](Counter)
        """What was played, by what it is called; filled by `check`."""
        super().__init__(seed, members, weeks, number, until, game)

    # Time

    @property
    def open(self) -> QuerySet[Tournament]:
        """The tournaments for which the worker must look again."""
        return self.club.tournaments.exclude(wake_at=None)

    def wake_at(self) -> datetime | None:
        slept = Match.objects.filter(pk__in=self.asleep, status=Match.Status.RUNNING)
        found = [super().wake_at(), *(each.aggregate(next=Min("wake_at"))["next"] for each in (self.open, slept))]
        return min((at for at in found if at), default=None)

    def work(self) -> None:
        super().work()
        slept = Match.objects.filter(pk__in=self.asleep, status=Match.Status.RUNNING, wake_at__lte=self.now)
        for match in slept.playing().order_by("wake_at"):
            assert match.mover is not None
            play.leave(match, match.mover, Seat.Left.TIME, ms_of(self.now))
        for tournament in self.open.filter(wake_at__lte=self.now).order_by("wake_at"):
            due.do(tournament, self.now)
            self.look(tournament)

    def in_the_afternoon(self, at: datetime) -> datetime:
        """The first afternoon from then on."""
        return (at + DAY).replace(hour=AFTERNOON, minute=0, second=0, microsecond=0)

    # What happens

    def plan_all(self, number: int) -> None:
        super().plan_all(number)
        span = self.ends - self.begins
        for week in range(0, self.weeks, 2):
            self.plan(self.in_the_afternoon(self.begins + week * 7 * DAY + 3 * DAY), self.open_evening, week // 2)
        self.plan(self.in_the_afternoon(self.begins + 5 * DAY), self.open_night_at_table)
        for each in CONTESTS:
            self.plan(self.begins + each.share * span, self.open_contest, each)
        for each in DEALS:
            self.plan(self.in_the_afternoon(self.begins + each.share * span), self.open_deal, each)

    def members(self) -> list[SimulatedPlayer]:
        """The members who are ever seen, in an order drawn at random."""
        users = set(self.club.members.values_list("user", flat=True))
        found = [person for person in self.everybody if person.user.pk in users and person.zeal > 0]
        return self.rng.sample(found, len(found))

    def live(self, seats: int) -> GameTerms:
        return GameTerms(seats, self.rng.choice(CLOCKS), rated=True)

    def open_evening(self, number: int) -> None:
        """Open an evening; most members come to it, and some only to its second round."""
        seats = [size for size in self.game.seats if size > 1]
        terms = self.live(seats[number % len(seats)])
        name = f"Club night {number + 1}"
        evening = evenings.open_evening(self.club, self.steward, name, terms, self.now, game=self.game)
        how = (evenings.UNMET, evenings.RUNG, evenings.RANDOM)[number % 3]
        for person in self.members():
            if self.rng.random() < person.zeal:
                wait = self.rng.choice((5, 10, 15, 60)) * MINUTE
                self.plan(self.now + wait, self.enter, evening, person.user)
        self.plan(self.now + 20 * MINUTE, self.seat, evening, how, number % 2 == 0)

    def open_night_at_table(self) -> None:
        """Open a night with real cards, to which everybody comes but the steward, who helps."""
        seats = max(size for size in self.game.seats if size <= 3)
        terms = GameTerms(seats, CLOCKS[0])
        night = self.open_at_table(Kind.EVENING, "Night of the round table", terms, {}, self.now)
        for person in self.members():
            if person.user != self.steward:
                self.plan(self.now + 10 * MINUTE, self.enter, night, person.user)
        self.plan(self.now + 20 * MINUTE, self.seat, night, evenings.UNMET, False)

    def open_at_table(
        self, kind: Tournament.Kind, name: str, terms: GameTerms, settings: dict[str, Any], starts: datetime
    ) -> Tournament:
        """Set an event with real cards in the calendar, and open it."""
        opens = {
            "kind": kind,
            "game": self.game.slug,
            "seats": terms.seats,
            "clock": terms.clock.code,
            "preset": next(iter(self.game.presets)),
            "at_table": True,
            "settings": settings,
        }
        what = CalendarEvent.Kind.NIGHT if kind == Kind.EVENING else CalendarEvent.Kind.TOURNAMENT
        planned = EventPlan(name, starts, 6, "In the refectory", "", False, what, opens=opens)
        [event] = calendar.make(self.club, self.steward, planned, self.now)
        return scheduled.open_now(event, self.steward, self.now)

    def seat(self, evening: Tournament, how: str, fill: bool) -> None:
        """Seat everybody for the next round, or later if too many play elsewhere; after the last one it is over."""
        standing = events.standing(evening)
        if len(standing.rounds) >= ROUNDS or len(standing.here) < 2:
            self.correct_one(evening)
            services.close(evening, self.steward, self.now)
            return
        if standing.rounds and len(standing.here) > 2 and self.rng.random() < 0.5:
            services.leave(evening, self.person_of[standing.here[-1]].user, self.now)
        if len(events.standing(evening).here) > 1:
            try:
                evenings.seat_everybody(evening, self.steward, self.now, how=how, fill=fill)
            except Refused:
                self.plan(self.now + HOUR, self.seat, evening, how, fill)
                return
        self.look(evening, self.seat, evening, how, fill)

    def correct_one(self, tournament: Tournament) -> None:
        """Let the steward correct a result: the last two change their places."""
        for number, each in enumerate(events.standing(tournament).rounds):
            for index, table in enumerate(each.tables):
                if sorted(table.places) == list(range(1, table.size + 1)):
                    turned = [{table.size: table.size - 1, table.size - 1: table.size}.get(p, p) for p in table.places]
                    services.correct(
                        tournament, self.steward, number, index, turned, "They had counted wrong.", self.now
                    )
                    return

    def open_contest(self, planned: PlannedContest) -> None:
        """Open a tournament, which some members enter within two days."""
        long = planned.kind in (Kind.KNOCKOUT, Kind.SWISS, Kind.GROUPS)
        days = max(2, self.weeks * 7 // (12 if long else 3))
        terms = self.live(planned.seats) if planned.live else GameTerms(planned.seats, DAILY[0])
        chosen = Plan(rounds=SWISS_ROUNDS, days=0 if planned.live else days, minutes=240, boards=2)
        if planned.kind == Kind.KNOCKOUT and planned.live:
            chosen = chosen._replace(seeds=RANDOM)
        begins = self.now + 2 * DAY
        if planned.live:
            begins = self.in_the_afternoon(begins)
        people = [person.user for person in self.members()]
        if planned.at_table:
            opened = self.open_at_table(planned.kind, planned.name, terms, chosen._asdict(), begins)
            people.remove(self.steward)  # who decides
        else:
            opened = contests.create(
                self.club, self.steward, planned.kind, planned.name, terms, chosen, self.now, game=self.game
            )
        names = ("Choir", "Kitchen", "Garden") if planned.kind == Kind.TEAMS else ()
        for name in names:
            teams.make(opened, self.steward, name, self.now)
        for number, user in enumerate(people[:PLAYERS]):
            self.plan(self.hours(1, 36), self.enter, opened, user)
            if names:
                self.plan(self.now + 37 * HOUR, self.choose_team, opened, user, number % len(names))
        self.plan(begins, self.begin_contest, opened)
        if planned.kind in (Kind.SWISS, Kind.BOXES):
            for user in people[PLAYERS : PLAYERS + 2]:
                self.plan(begins + (self.ends - begins) / 8, self.enter, opened, user)  # some come late
        if planned.kind == Kind.BOXES:
            self.plan(self.ends - DAY, self.end, opened)

    def open_deal(self, planned: PlannedContest) -> None:
        """Open a tournament in which the deal is the same for all: for that afternoon, or to be played in the mornings
        after it."""
        rounds = DEAL_ROUNDS if planned.kind == Kind.DUPLICATE else 1
        opened = duplicate.create(
            self.club,
            self.steward,
            planned.kind,
            planned.name,
            self.live(planned.seats),
            self.now,
            game=self.game,
            rounds=rounds,
        )
        for person in self.members()[:PLAYERS]:
            if planned.kind == Kind.DUPLICATE:
                self.plan(self.now + self.rng.choice((5, 10, 15)) * MINUTE, self.enter, opened, person.user)
            else:
                day = self.now + self.rng.choice((1, 2)) * DAY
                self.plan(day.replace(hour=self.rng.randrange(7, 12)), self.play_deal, opened, person.user)
        if planned.kind == Kind.DUPLICATE:
            self.plan(self.now + 20 * MINUTE, self.seat_same_deal, opened)

    def seat_same_deal(self, tournament: Tournament) -> None:
        """Seat everybody for the next round, or later if too many play elsewhere; it ends by itself."""
        tournament.refresh_from_db()
        if tournament.closed_at is not None or len(events.standing(tournament).rounds) >= DEAL_ROUNDS:
            return
        try:
            duplicate.seat_everybody(tournament, self.steward, self.now)
        except Refused:
            self.plan(self.now + HOUR, self.seat_same_deal, tournament)
            return
        self.look(tournament, self.seat_same_deal, tournament)

    def play_deal(self, tournament: Tournament, user: User) -> None:
        tournament.refresh_from_db()
        if tournament.closed_at is None and clubs.member(self.club, user):
            self.play_live(duplicate.play(tournament, user, self.now).pk)

    def enter(self, tournament: Tournament, user: User) -> None:
        tournament.refresh_from_db()
        if tournament.closed_at is None and clubs.member(self.club, user):
            services.enter(tournament, user, self.now)

    def choose_team(self, tournament: Tournament, user: User, number: int) -> None:
        if user.pk in events.standing(tournament).here:
            teams.choose(tournament, user, number, self.now)

    def begin_contest(self, tournament: Tournament) -> None:
        """Begin if enough have come, or later if some play elsewhere or all are in one team; give up after some days.
        One of them withdraws meanwhile."""
        standing = events.standing(tournament)
        here = standing.here
        if len(here) < plan.FORMATS[tournament.kind].least or instant(standing.opened) + 4 * DAY < self.now:
            self.end(tournament)
            return
        try:
            contests.begin(tournament, self.steward, self.now)
        except Refused:
            self.plan(self.now + HOUR, self.begin_contest, tournament)
            return
        if tournament.kind == Kind.ARENA:
            user = self.person_of[self.rng.choice(here)].user
            self.plan(self.now + 10 * MINUTE, self.pause, tournament, user)
        elif len(here) > 4:
            later = HOUR if tournament.pace == Match.Pace.LIVE else tournament.settings["days"] * DAY / 2
            self.plan(self.now + later, self.withdraw_from, tournament, self.person_of[self.rng.choice(here)].user)
        self.look(tournament)

    def pause(self, arena: Tournament, user: User) -> None:
        """Pause in an arena for half an hour."""
        arena.refresh_from_db()
        if arena.closed_at is None:
            arenas.pause(arena, user, self.now)
            self.plan(self.now + HOUR / 2, self.be_ready, arena, user)

    def be_ready(self, arena: Tournament, user: User) -> None:
        arena.refresh_from_db()
        if arena.closed_at is None:
            arenas.ready(arena, user, self.now)

    def withdraw_from(self, tournament: Tournament, user: User) -> None:
        tournament.refresh_from_db()
        if tournament.closed_at is None:
            services.leave(tournament, user, self.now)

    def end(self, tournament: Tournament) -> None:
        tournament.refresh_from_db()
        if tournament.closed_at is None:
            try:
                services.close(tournament, self.steward, self.now)
            except Refused:
                self.plan(self.now + HOUR, self.end, tournament)

    # Rounds

    def look(self, tournament: Tournament, *then: Any) -> None:
        """Let the games that have begun be played. `then`: what follows a live round, without it the next one."""
        if tournament.at_table:
            if self.sit_down(tournament):
                do, *about = then or (self.next_round, tournament)
                self.plan(self.now + 2 * HOUR, do, *about)
            return
        begun = Match.objects.filter(club=self.club, agreed=tournament.page, status=Match.Status.RUNNING)
        new = list(begun.exclude(pk__in=self.known).order_by("pk").values_list("pk", flat=True))
        self.known.update(new)
        if tournament.pace == Match.Pace.LIVE:
            for pk in new:
                self.plan(self.now, self.play_live, pk)
            # A round of which nothing can be played is over at once.
            goes_on = new or then or events.standing(tournament).waiting
            if goes_on and tournament.kind != Kind.ARENA:
                self.plan(self.now, self.after_round, tournament, then or (self.next_round, tournament))
            return
        for pk in new:
            length, fate = tournament.settings["days"] * DAY, self.rng.random()
            if fate < UNSEEN:
                self.asleep.add(pk)
            elif fate < UNSEEN + STALLED:
                self.plan(self.now + length - self.rng.uniform(2, 30) * HOUR, self.play_slowly, pk)
            else:
                self.plan(self.now + length * self.rng.uniform(0.1, 0.9), self.play_daily, pk)

    def after_round(self, tournament: Tournament, then: tuple[Any, ...]) -> None:
        """A while after the last table of a live round is over, what follows it."""
        do, *about = then
        self.plan(self.now + 10 * MINUTE, do, *about)

    def next_round(self, tournament: Tournament) -> None:
        """Begin the next round, with real cards once all results count."""
        tournament.refresh_from_db()
        standing = events.standing(tournament)
        if tournament.at_table and standing.busy:
            self.plan(self.now + HOUR, self.next_round, tournament)
        elif tournament.closed_at is None and standing.waiting:
            try:
                contests.next_round(tournament, self.steward, self.now)
            except Refused:  # somebody plays elsewhere
                self.plan(self.now + HOUR, self.next_round, tournament)
                return
            self.look(tournament)

    def play_live(self, pk: int) -> None:
        """Play a game at once. Who does not come, runs out of time."""
        match = Match.objects.seated().get(pk=pk)
        absent = [seat.index for seat in match.sitting if seat.user_id and self.rng.random() < self.late(seat)]
        self.perform(match, leaver=absent[0] if absent else None, why=Seat.Left.TIME)
        match.refresh_from_db(fields=["ended_at"])
        self.now = max(self.now, match.ended_at or self.now)

    def play_daily(self, pk: int) -> None:
        """Play a game by correspondence, which ends now; a few resign."""
        match = Match.objects.seated().get(pk=pk)
        leaver = self.rng.randrange(match.places) if self.rng.random() < 0.03 else None
        self.perform(match, leaver=leaver, ends=ms_of(self.now))

    def play_slowly(self, pk: int) -> None:
        """Play a part of a game until now; then nobody answers any more."""
        self.perform(Match.objects.seated().get(pk=pk), most=self.rng.randrange(10, 40), ends=ms_of(self.now))
        self.asleep.add(pk)

    def perform(self, match: Match, **how: Any) -> None:
        self.moves += rehearsal.perform(match, self.bots(match), self.rng, **how)

    def late(self, seat: Seat) -> float:
        return self.person_of[seat.user_id].late if seat.user_id else 0

    # With real cards

    def sit_down(self, tournament: Tournament) -> bool:
        """Let people play at the new tables with real cards. Returns whether there are any."""
        rounds = events.standing(tournament).rounds
        open_ = [
            (tournament.pk, number, index)
            for number, each in enumerate(rounds)
            for index, table in enumerate(each.tables)
            if not table.over
        ]
        new = [at for at in open_ if at not in self.laid]
        self.laid.update(new)
        for _pk, number, index in new:
            fate = FATES[(number + index) % len(FATES)]
            people = [self.person_of[player] for player in rounds[number].tables[index].players]
            luck = [person.skill + self.rng.gauss(0, 0.3) for person in people]
            places = [1 + sum(other > mine for other in luck) for mine in luck]
            points = [30 - 5 * place for place in places] if self.rng.random() < 0.5 else []
            first, *others = self.rng.sample([person.user for person in people], len(people))
            self.plan(self.now + HOUR, self.type_in, tournament, number, index, first, places, points)
            if fate != "waits":
                answer = self.now + HOUR + self.rng.randint(1, 20) * MINUTE
                self.plan(answer, self.answer_result, tournament, number, index, others[0], fate)
        return bool(new)

    def type_in(
        self, tournament: Tournament, number: int, index: int, user: User, places: list[int], points: list[int]
    ) -> None:
        """Enter a result; for who is no member any more the steward does."""
        by = user if clubs.member(self.club, user) else self.steward
        self.entered[tournament.pk, number, index] = EnteredResult(by.pk, self.now)
        typed.enter(tournament, by, number, index, places, points, "", self.now)

    def answer_result(self, tournament: Tournament, number: int, index: int, user: User, fate: str) -> None:
        """Confirm what waits, enter the same, or dispute it, whereupon the steward decides."""
        waiting = self.waiting_result(tournament, number, index)
        if waiting is None or clubs.member(self.club, user) is None:
            return
        match fate:
            case "confirmed":
                typed.confirm(tournament, user, number, index, waiting.said, self.now)
            case "entered by two":
                typed.enter(tournament, user, number, index, waiting.places, waiting.points, "", self.now)
            case "disputed":
                typed.dispute(tournament, user, number, index, "It was the other way round.", self.now)
                at = tournament.pk, number, index
                self.entered[at] = self.entered[at]._replace(disputed=True)
                self.plan(self.now + 15 * MINUTE, self.decide_result, tournament, number, index)

    def decide_result(self, tournament: Tournament, number: int, index: int) -> None:
        """Decide a result that is disputed: as it was entered, or the other way round."""
        waiting = self.waiting_result(tournament, number, index)
        assert waiting
        places, reason = waiting.places, ""
        if self.rng.random() < 0.5:
            places, reason = [1 + len(places) - place for place in places], "The sheet says so."
        typed.enter(tournament, self.steward, number, index, places, [], reason, self.now)

    def waiting_result(self, tournament: Tournament, number: int, index: int) -> TypedResult | None:
        """The result of a table that does not count yet."""
        return tournament.typed.filter(round=number, table=index).first()

    def check_typed(self, tournament: Tournament, standing: TournamentStanding) -> Counter[str]:
        """That each result with real cards counts by the word of another player of its table, of the steward, or by
        time; one that was disputed by the steward's alone. Returns how many of each."""
        told = Counter[str]()
        for row in tournament.log.filter(kind=TableFinished.kind):
            assert isinstance(row.payload, TableFinished)
            number, index = row.payload.round, row.payload.table
            entered, players = self.entered[tournament.pk, number, index], standing.rounds[number].tables[index].players
            if row.by == self.steward:
                how = DECIDED if entered.disputed else BY_STEWARD
            elif row.by_id != entered.by:
                how = CONFIRMED
            else:
                how = BY_TIME
            early = how == BY_TIME and row.at < entered.at + typed.CONFIRM
            if early or (entered.disputed and how != DECIDED) or (how == CONFIRMED and row.by_id not in players):
                raise BrokenPromise(f"the result of table {index} of round {number} counts by the word of {row.by_id}")
            told[how] += 1
        if tournament.typed.exists():
            raise BrokenPromise("a result still waits")
        return told

    # What it comes to

    def check(self) -> Counter[str]:
        """Replay and audit all tournaments, see whether they held their promises, and that by the clock nobody was at
        two tables of live events at once. Returns what happened. Raises WrongTournament and BrokenPromise."""
        told = Counter[str]()
        for tournament in self.club.tournaments.select_related("club").order_by("number"):
            standing = audit.check(tournament)
            tournament_promises.check(events.events(tournament))
            tables = [table for each in standing.rounds for table in each.tables]
            found = Counter[str](
                evenings=tournament.kind == Kind.EVENING,
                tournaments=tournament.kind != Kind.EVENING,
                rounds=len(standing.rounds),
                tables=len(tables),
                byes=sum(standing.byes.values()),
                forfeits=sum(bool(table.late) for table in tables),
                corrections=sum(table.corrected for table in tables),
                left=sum(not entrant.here for entrant in standing.entrants.values()),
                events=tournament.events,
            )
            told.update(found)
            name = str(Kind(tournament.kind).label)
            if tournament.at_table:
                name += " with real cards"
                found.update(self.check_typed(tournament, standing))
            self.by_kind[name].update(found)
        self.check_seats()
        return told

    def check_seats(self) -> None:
        """That nobody sat down at a live table of an event before the one before it was over."""
        sat = defaultdict(list)
        live = Match.objects.filter(club=self.club, agreed__startswith="tournaments/", pace=Match.Pace.LIVE).seated()
        for match in live:
            for seat in match.sitting:
                if seat.user_id and match.started_at and match.ended_at:
                    sat[seat.user_id].append((match.started_at, match.ended_at, match.key))
        for player, times in sat.items():
            for (_began, ended, one), (begins, _ends, other) in pairwise(sorted(times)):
                if begins < ended:
                    raise BrokenPromise(f"player {player} is at the tables {one} and {other} at once")
