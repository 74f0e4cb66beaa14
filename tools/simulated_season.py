"""A made-up club, in which bots play for positions through the services of the site; time passes at once.

A seed decides the people, their strength and their habits; what they do depends on the fall of the cards too.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Q

from accounts.clubs import clubs
from accounts.models import Club, User
from accounts.notices import notices
from accounts.text.names import skeleton, skeleton_of_club
from accounts.web.refused import Refused
from games.engine.core import Bot, Game, Move, View
from games.engine.registry import title
from games.faces.registry import face_of
from games.ladders import at_table, challenges, due
from games.ladders import events as ladders
from games.ladders.challenging import drawn, may_challenge, refusal, table_game_refusal
from games.ladders.models import Challenge, Ladder, TableResult
from games.ladders.payloads import GameResult, Sunk
from games.ladders.rules import Rules, ends_in_time
from games.ladders.standing import Standing
from games.ladders.terms import Terms
from games.matches.clocks import USUAL, Clock, instant, ms_of
from games.matches.models import Match, Seat
from tools import rehearsal

if TYPE_CHECKING:
    from tqdm import tqdm

NAMES = (
    *face_of(title()).bot_names,
    *(
        "Hildegard",
        "Ekkehard",
        "Wiborada",
        "Tuotilo",
        "Mechthild",
        "Gerbert",
        "Dhuoda",
        "Aldhelm",
        "Heloise",
        "Rabanus",
    ),
    *("Jutta", "Otmar", "Gertrud", "Ratpert", "Uta", "Sintram", "Relinde", "Hartmut", "Eufraxia", "Gozbert", "Hilda"),
    *("Cuthbert", "Baudonivia", "Dunstan", "Wulfstan", "Orderic", "Lanfranc", "Suger", "Abelard", "Widukind", "Richer"),
    *("Thietmar", "Liutprand", "Flodoard", "Hincmar", "Moengal", "Iso", "Paschasius", "Rupert", "Godric", "Saxo"),
)
"""People of the Middle Ages who wrote, and some who were written about."""
CLUB = "Library of St Gall"
ABOUT = (
    "We copy by day and play by night. A ladder for everybody who can read and some who cannot: challenge whom you "
    "like, lose with grace, and leave no ink on the table."
)
AFTER = timedelta(days=5)
"""The part of the next season that is played too: a club is nicest to look at when something is going on."""
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
CLOCKS = (USUAL, Clock.live(10, 5), Clock.live(15, 10), Clock.live(5, 10))
"""The clocks of live games."""
LIVE = 0.6
"""The share of live games."""
SEATS = (2, 2, 2, 2, 2, 2, 3, 3, 4)


@dataclass
class SimulatedPlayer:
    """A player's habits; all but the first are shares from 0 to 1."""

    user: User
    skill: float
    """How often they play the good bot's move instead of a random one."""
    zeal: float
    """How likely they are to make the next challenge, relative to the others."""
    silence: float = 0.03
    """How often they do not answer a challenge."""
    declines: float = 0.04
    late: float = 0.01
    """How often they run out of time in a live game."""

    def at_table(self, game: Game) -> Bot:
        """How they choose their moves in a game."""

        def choose(view: View, rng: Random) -> Move:
            return game.bots[game.bot if rng.random() < self.skill else "random"](view, rng)

        return choose


def among_others() -> bool:
    """Whether real people have accounts here: users who can sign in, and guests."""
    return User.objects.filter(~Q(password__startswith=UNUSABLE_PASSWORD_PREFIX) | Q(guest=True)).exists()


def people(rng: Random, number: int) -> list[User]:
    """Made-up people with unused names and without addresses, so that nobody writes to them."""
    taken = set(User.objects.values_list("skeleton", flat=True))
    free = [name for name in NAMES if skeleton(name) not in taken]
    rng.shuffle(free)
    names, count = free[:number], 2
    while len(names) < number:
        more = [f"{name}-{count}" for name in NAMES if skeleton(f"{name}-{count}") not in taken]
        names, count = (names + more)[:number], count + 1
    return [User.objects.create_user(name) for name in names]


def free_club() -> str:
    """A name for the club that no other has."""
    names = itertools.chain([CLUB], (f"{CLUB} {number}" for number in itertools.count(2)))
    return next(name for name in names if not Club.objects.filter(skeleton=skeleton_of_club(name)).exists())


class SimulatedSeason:
    """A club in which time passes: `run` does everything that is planned, and what falls due meanwhile, in order."""

    def __init__(
        self, seed: str, members: int, weeks: int, number: int, until: datetime, game: Game | None = None
    ) -> None:
        self.rng = Random(seed)
        self.game = game or title()
        """What is played for its ladder and in its events."""
        self.rules = Rules(season_weeks=weeks, at_table=True)
        self.until = until
        self.begins = until - timedelta(weeks=weeks) - AFTER
        self.ends = until - AFTER
        self.now = self.begins - 4 * DAY
        self.planned: list[tuple[datetime, int, Callable[..., None], tuple[Any, ...]]] = []
        self.plans = self.made = self.moves = 0
        self.asked = set[tuple[int, int]]()
        """The challenges for which people were asked, with them."""
        self.everybody = [self.person(user, index, members) for index, user in enumerate(people(self.rng, members))]
        self.rng.shuffle(self.everybody)
        self.person_of = {person.user.pk: person for person in self.everybody}
        User.objects.filter(pk__in=self.person_of).update(date_joined=self.now)
        self.steward = next(person for person in self.everybody if person.silence < 0.1 and person.late < 0.1).user
        self.plan_all(number)

    def person(self, user: User, index: int, of: int) -> SimulatedPlayer:
        """The habits of a person, by their index: from strong to weak, some of them with bad habits."""
        rng = self.rng
        person = SimulatedPlayer(user, skill=1 - 0.6 * index / of, zeal=rng.uniform(0.3, 1))
        if index % 11 == 4:
            person.zeal, person.silence = 0, 0.7  # hardly ever seen
        elif index % 13 == 6:
            person.late = 0.75  # always travelling
        elif index % 7 == 3:
            person.declines = 0.25
        return person

    @cached_property
    def ladder(self) -> Ladder:
        return self.club.ladders.get()

    @property
    def standing(self) -> Standing:
        """The present standing."""
        self.ladder.refresh_from_db()
        return self.ladder.now_standing()

    # Time

    def plan(self, at: datetime, do: Callable[..., None], *about: Any) -> None:
        """Do something at a time; what lies beyond the end is never done."""
        self.plans += 1
        heapq.heappush(self.planned, (at, self.plans, do, about))

    def run(self, bar: tqdm[NoReturn]) -> None:
        """Run until the end, or a little beyond it if a game takes longer."""
        self.found()
        while self.now < self.until:
            wake_at = self.wake_at()
            next_at = self.planned[0][0] if self.planned else self.until
            self.now = max(self.now, min(wake_at or self.until, next_at, self.until))
            if wake_at and wake_at <= self.now:
                self.work()
            elif self.planned and next_at <= self.now:
                _, _, do, about = heapq.heappop(self.planned)
                do(*about)
            days = (min(self.now, self.until) - self.begins).days
            bar.update(max(0, days - bar.n))
        self.begin_the_rest()

    def wake_at(self) -> datetime | None:
        """When something is due by the clock; None if nothing is."""
        self.ladder.refresh_from_db(fields=["wake_at"])
        return self.ladder.wake_at

    def work(self) -> None:
        """Do what is due by the clock now."""
        while due.do_next(self.ladder, self.now):
            self.ask_drawn()

    def hours(self, least: float, most: float) -> datetime:
        """A moment this many hours from now, by day."""
        at = self.now + self.rng.uniform(least, most) * HOUR
        return at if 7 <= at.hour < 23 else at + self.rng.uniform(8, 10) * HOUR

    # What happens

    def plan_all(self, number: int) -> None:
        rng, span = self.rng, self.ends - self.begins
        late = max(1, len(self.everybody) // 15)
        others = [person.user for person in self.everybody if person.user != self.steward]
        for index, user in enumerate(others[:-late]):
            self.plan(self.now + (index + 1) * (3 * DAY / len(others)), self.join, user)
        for user in others[-late:]:
            self.plan(self.begins + span * rng.uniform(0.1, 0.6), self.join, user)
        self.plan(self.begins, self.begin)
        rate = span / number
        for index in range(round((span + AFTER) / rate)):
            self.plan(self.begins + rate * (index + rng.random()), self.challenge)
        for index in range(round(number / 10)):
            self.plan(self.begins + 10 * rate * (index + rng.random()), self.meet)
        for share, text in (
            (0.01, "The season is open. May the best hand win, and the second best buy the beer."),
            (0.37, "Please announce your vacations before you pack, not after."),
            (0.71, "Whoever is highest at the end of the season rules the new register."),
            (1.01, "The old table is in the archive, the new season has begun. Congratulations to our first!"),
        ):
            self.plan(self.begins + share * span, self.announce, text)
        plain = [user for user in others[:-late] if self.person_of[user.pk].zeal > 0]
        for user in rng.sample(plain, min(len(plain), max(2, len(plain) // 4))):
            self.plan(self.begins + span * rng.uniform(0.05, 0.9), self.vacation, user)
        if len(plain) > 4:
            second, leaver, rude = rng.sample(plain, 3)
            self.plan(self.begins + 0.2 * span, self.appoint, second)
            self.plan(self.begins + 0.48 * span, self.leave, leaver)
            self.plan(self.begins + 0.66 * span, self.expel, rude)
        self.plan(self.begins + 0.3 * span, self.correct)
        self.plan(self.begins + 0.43 * span, self.undo, GameResult.kind, "Agreed by both: the wrong preset was played.")
        self.plan(self.begins + 0.6 * span, self.undo, Sunk.kind, "Was ill, and could not tell us.")

    def found(self) -> None:
        self.club: Club = clubs.found(
            self.steward,
            name=free_club(),
            slug=clubs.free_slug(CLUB),
            description=ABOUT,
            language="en",
            private=False,
            joining=Club.Joining.FREE,
            now=self.now,
        )
        ladders.choose_title(self.club, self.game.slug)
        ladders.join(self.ladder, self.steward, self.now)
        if self.rules != Rules():
            ladders.set_rules(self.ladder, self.steward, self.rules, self.now)

    def join(self, user: User) -> None:
        clubs.join(self.club, user, self.now)
        ladders.join(self.ladder, user, self.now)

    def begin(self) -> None:
        """The first order reflects what people think of each other, and they do not know each other well."""
        order = sorted(self.standing.order, key=lambda one: -self.person_of[one].skill + self.rng.gauss(0, 0.5))
        ladders.order(self.ladder, self.steward, order, self.now)
        ladders.start_season(self.ladder, self.steward, self.now)

    def announce(self, text: str) -> None:
        clubs.announce(self.club, self.steward, text, self.now)

    def appoint(self, user: User) -> None:
        clubs.appoint(self.club, self.steward, user, self.now)

    def leave(self, user: User) -> None:
        if clubs.member(self.club, user) and not clubs.is_steward(self.club, user):
            clubs.leave(self.club, user, self.now)

    def expel(self, user: User) -> None:
        if clubs.member(self.club, user) and not clubs.is_steward(self.club, user):
            clubs.expel(self.club, self.steward, user, "Wrote in the margins of other people's books, twice.", self.now)

    def vacation(self, user: User) -> None:
        standing = self.standing
        known = standing.players.get(user.pk)
        if known is None or standing.ends is None or (known.vacation and ms_of(self.now) < known.vacation[1]):
            return
        begins = self.now + self.rng.choice((0, 1, 2)) * DAY
        days = self.rng.randint(4, 14)
        if ms_of(begins) < standing.ends and known.vacation_ms == 0:
            ladders.vacation(self.ladder, user, begins, begins + days * DAY, self.now)
            if self.rng.random() < 0.3:
                self.plan(begins + days * DAY / 2, self.back, user)

    def back(self, user: User) -> None:
        known = self.standing.players.get(user.pk)
        if known and (known.held is not None or known.away(ms_of(self.now))):
            ladders.back(self.ladder, user, self.now)

    def correct(self) -> None:
        order = self.standing.order
        if len(order) > 5:
            place = len(order) * 2 // 3
            ladders.correct(
                self.ladder, self.steward, order[place], place - 2, "Entered too low in the first order.", self.now
            )

    def undo(self, kind: str, reason: str) -> None:
        """Undo the last event of a kind that moved somebody."""
        events = self.ladder.log.filter(kind=kind).exclude(steps={}).order_by("-number")
        if event := events.first():
            ladders.undo(self.ladder, self.steward, event.number, reason, self.now)
        elif self.now < self.ends:
            self.plan(self.now + 3 * DAY, self.undo, kind, reason)

    # At a real table

    def meet(self) -> None:
        """Let two meet at a real table, and one of them enter the result; if no two may, nobody does."""
        self.ladder.refresh_from_db()
        rng, situation, today = self.rng, ladders.situation(self.ladder, self.now), self.now.date()
        pairs = list(itertools.pairwise(situation.standing.order))
        for pair in rng.sample(pairs, len(pairs)):
            if table_game_refusal(situation, pair, today.isoformat(), entering=True) is None:
                people = sorted(map(self.person_of.__getitem__, pair), key=lambda one: -one.skill * rng.random())
                finished = [at_table.Finished(one.user, place) for place, one in enumerate(people, 1)]
                with suppress(Refused):  # one of theirs is waiting already
                    entry = at_table.enter(self.ladder, people[0].user, finished, today, self.now)
                    self.plan(self.hours(1, 40), self.respond, entry.pk, people[1])
                return

    def respond(self, pk: int, person: SimulatedPlayer) -> None:
        """Let the other confirm it, if they answer at all; some dispute it, and the steward lets it count."""
        entry = TableResult.objects.select_related("ladder__club").get(pk=pk)
        if self.rng.random() < person.silence:
            return
        with suppress(Refused):  # they have met here meanwhile, or somebody has left
            if self.rng.random() < 0.1:
                at_table.dispute(entry, person.user, "We never counted the last round.", self.now)
                at_table.decide(entry, self.steward, True, "They did: I sat beside them.", self.now)
            else:
                at_table.confirm(entry, person.user, self.now)

    # Challenges

    def challenge(self) -> None:
        """Let somebody make a challenge; if nobody may, try again later."""
        self.ladder.refresh_from_db()
        rng, situation = self.rng, ladders.situation(self.ladder, self.now)
        able = [person for person in self.everybody if may_challenge(situation, person.user.pk) is None]
        for me in sorted(able, key=lambda person: -person.zeal * rng.random()):
            possible = [other for other in situation.standing.order if not refusal(situation, me.user.pk, other)]
            if me.zeal == 0 or not possible:
                continue
            # People aim high, and know who does not answer.
            likely = [(1 - self.person_of[other].silence) ** 2 / (1 + rank) for rank, other in enumerate(possible)]
            [first] = rng.choices(possible, likely)
            seats = rng.choice(SEATS)
            if seats > 2 and drawn(situation, me.user.pk, (first,), seats, rng) is None:
                seats = 2  # too few could join them
            self.made += 1
            made = challenges.challenge(
                self.ladder, me.user, [self.person_of[first].user], self.terms(seats), self.now, seats
            )
            others = list(made.parties.exclude(user=me.user).values_list("user", flat=True))
            self.ask(made, others)
            if rng.random() < 0.03:
                self.plan(self.hours(10, 40), self.withdraw, made.pk)
            return
        self.plan(self.hours(5, 10), self.challenge)

    def terms(self, players: int) -> Terms:
        """Terms that a person would like, for a table of this many."""
        rng, game = self.rng, self.game
        options = game.preset(rng.choice(list(game.presets)))
        if rng.random() > LIVE:
            days = [days for days in (1, 3, 7) if ends_in_time(self.rules, days, players)]
            return Terms(Clock.daily(rng.choice(days)), options)
        evening = (self.now + DAY).replace(hour=0, minute=0, second=0, microsecond=0)
        times = {
            ms_of(evening + rng.randrange(5) * DAY + rng.randrange(36, 44) * HOUR / 2) for _ in range(rng.randint(1, 3))
        }
        return Terms(rng.choice(CLOCKS), options, tuple(times))

    def ask(self, challenge: Challenge, whom: Sequence[int]) -> None:
        """Let them answer once they have seen it, if they answer at all."""
        self.asked |= {(challenge.pk, one) for one in whom}
        for one in whom:
            if self.rng.random() >= self.person_of[one].silence:
                self.plan(self.hours(0.5, 40), self.answer, challenge.pk, self.person_of[one])

    def ask_drawn(self) -> None:
        """Ask those who were drawn in place of others."""
        for challenge in self.ladder.challenges.filter(status=Challenge.Status.OPEN):
            seated = challenge.parties.filter(number__gt=1, agrees=False).values_list("user", flat=True)
            self.ask(challenge, [one for one in seated if (challenge.pk, one) not in self.asked])

    def answer(self, pk: int, person: SimulatedPlayer) -> None:
        rng, challenge = self.rng, Challenge.objects.get(pk=pk)
        notices.seen(person.user, self.now)
        party = challenge.parties.filter(user=person.user).first()
        if challenge.status != Challenge.Status.OPEN or party is None or party.agrees:
            return
        times = [time for time in challenge.times if time > ms_of(self.now)]
        times = [time for time in times if not challenges.engaged(person.user, instant(time))]
        agreed = challenge.starts_at and ms_of(challenge.starts_at) in times
        too_late = challenge.times and not (agreed if challenge.starts_at else times)
        proposes = challenges.may_propose(challenge, person.user, self.now)
        declines = person.user != challenge.challenger and rng.random() < person.declines
        if declines or (too_late and not proposes):
            challenges.decline(challenge, person.user, self.now)
            self.ask_drawn()
        elif too_late or (proposes and rng.random() < 0.08):
            challenges.counter(challenge, person.user, self.terms(challenge.parties.count()), self.now)
            others = challenge.parties.exclude(user=person.user)
            self.ask(challenge, list(others.values_list("user", flat=True)))
        else:
            challenge = challenges.accept(challenge, person.user, self.now, rng.choice(times) if times else None)
            if challenge.status != Challenge.Status.OPEN:
                days = rng.uniform(11, 13) if rng.random() < 0.05 else rng.uniform(1, 8)
                self.plan(challenge.starts_at or self.hours(24 * days, 24 * days + 1), self.play, challenge.pk)

    def withdraw(self, pk: int) -> None:
        challenge = Challenge.objects.get(pk=pk)
        if challenge.status == Challenge.Status.OPEN:
            challenges.withdraw(challenge, challenge.challenger, self.now)

    # Games

    def play(self, pk: int) -> None:
        """Play the game of a challenge, if it has begun: a correspondence game ends now, a live one soon."""
        match = Match.objects.seated().filter(challenge=pk, status=Match.Status.RUNNING).first()
        if match is None:
            return
        rng, leaver, why = self.rng, None, Seat.Left.RESIGN
        for index, seat in enumerate(match.sitting):
            if match.bank_ms and seat.user_id and rng.random() < self.person_of[seat.user_id].late:
                leaver, why = index, Seat.Left.TIME
            elif rng.random() < 0.01:
                leaver = index
        self.moves += rehearsal.perform(
            match, self.bots(match), rng, leaver=leaver, why=why, ends=None if match.bank_ms else ms_of(self.now)
        )
        match.refresh_from_db(fields=["ended_at"])
        self.now = max(self.now, match.ended_at or self.now)
        for player in self.standing.taken_off():
            if player in (seat.user_id for seat in match.sitting):
                self.plan(self.hours(80, 200), self.back, self.person_of[player].user)

    def begin_the_rest(self) -> None:
        """Begin the games that take days, though they cannot end here."""
        for match in Match.objects.seated().filter(challenge__ladder=self.ladder, status=Match.Status.RUNNING):
            if match.days and match.started_at:
                ends = max(ms_of(match.started_at) + 1, ms_of(self.now - match.days * DAY * self.rng.uniform(0, 0.5)))
                most = self.rng.randrange(40, 100)
                self.moves += rehearsal.perform(match, self.bots(match), self.rng, most=most, ends=ends)

    def bots(self, match: Match) -> list[Bot]:
        game = match.rules
        return [
            self.person_of[seat.user_id].at_table(game) if seat.user_id else game.bots[seat.bot]
            for seat in match.sitting
        ]
