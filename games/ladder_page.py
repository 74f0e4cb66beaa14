"""What the page of a ladder shows to one person: its rungs, his challenges, what was played lately."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Prefetch
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import clubs, ratings
from accounts.models import Club, Member, User
from games import challenge_words, challenging, ladder, ladder_rules, ladder_words, lobby
from games.challenging import Reason, Situation
from games.clocks import instant, ms_of
from games.faces import biblios_tables
from games.ladder import DAY_MS
from games.models import Challenge, Ladder, LadderEvent, Match, Party
from games.services import ladders
from games.standing import Kind, outcome

LATELY = timedelta(days=7)
"""How far back the movement of a rung looks."""
RESULTS = 6
"""How many results the page shows."""
LONG = 24
"""A ladder of more rungs is shown in parts, unless all of it is asked for."""
TOP = 3
"""So many rungs of the top a part shows ..."""
AROUND = 8
"""... and so many above and below the visitor's own."""
BEGINNING = 20
"""What who does not stand on it is shown of a long ladder."""
Status = Challenge.Status


@dataclass(frozen=True)
class Game:
    """One of a player's last games, as a letter."""

    code: str
    letter: str
    word: str


@dataclass(frozen=True)
class Rung:
    """A player of a ladder, as one person sees him."""

    player: int
    position: int | None
    """None for who is taken off."""
    name: str
    rating: str
    moved: int
    """So many places up (or, below zero, down) within the last days."""
    new: bool
    """Stands on the ladder since then only."""
    form: tuple[Game, ...]
    me: bool
    may: bool
    """The visitor can challenge him to a game of two."""
    why: str
    """Why he cannot; empty if he can, and for who does not stand on the ladder."""
    more: tuple[int, ...] = ()
    """At tables of how many he can be challenged, if not to a game of two."""
    mine: Challenge | None = None
    """The challenge in which the visitor and he are together."""
    away: str = ""
    """Until when he is on vacation."""

    @property
    def places(self) -> int:
        return abs(self.moved)


@dataclass(frozen=True)
class Gap:
    """Rungs that are left out."""

    number: int


@dataclass(frozen=True)
class Line:
    """A challenge, as one person sees it."""

    challenge: Challenge
    rivals: tuple[User, ...]
    positions: tuple[tuple[User, int | None], ...]
    time: str
    seats: int
    state: str
    """`answer` he has to, `waiting` others have to, `agreed`, `room` its waiting room is open, `playing`; or over."""
    left: str
    """How long there is until the deadline, in words."""
    quick: bool
    """To accept it, he has nothing to choose."""
    withdraw: bool

    @property
    def mine(self) -> bool:
        """Something is expected of him now."""
        return self.state in ("answer", "room")


@dataclass(frozen=True)
class Result:
    """A game that moved the ladder, or held it."""

    event: LadderEvent
    names: tuple[str, ...]
    """The players, by place."""
    shared: bool
    """The first place is shared."""
    points: tuple[int, ...]
    moves: tuple[tuple[str, int, int], ...]
    """Who went up: name, from, to."""
    late: tuple[str, ...]
    undone: bool
    match: str

    @property
    def rivals(self) -> tuple[str, ...]:
        return self.names[1:]

    @property
    def held(self) -> bool:
        """The winner stood above already."""
        return not self.moves and not self.late


@dataclass
class Place:
    """How the visitor himself stands, and what he may do."""

    member: Member | None
    position: int | None = None
    held: int | None = None
    """He was taken off at this position ..."""
    returns: int | None = None
    """... and would return at this one."""
    vacation: tuple[datetime, datetime] | None = None
    """The vacation that he is on or has announced."""
    away: bool = False
    days_left: int = 0
    """Of vacation this season."""
    bottom: int = 0
    """Where he would stand if he joined."""

    @property
    def on(self) -> bool:
        """He belongs to the ladder."""
        return self.position is not None or self.held is not None

    @property
    def steward(self) -> bool:
        return self.member is not None and self.member.role == Member.Role.STEWARD


@dataclass
class Page:
    """Everything on the page of a ladder."""

    club: Club
    ladder: Ladder
    now: datetime
    situation: Situation
    place: Place
    rungs: list[Rung | Gap]
    off: list[Rung]
    """Who is taken off until he is back."""
    hidden: int
    """How many rungs are left out."""
    lines: list[Line]
    results: list[Result]
    why: str
    """Why the visitor can challenge nobody at all."""
    season: int = 0
    began: datetime | None = None
    ends: datetime | None = None
    ends_in: str = ""
    rules: ladder.Rules = field(default_factory=ladder.Rules)

    @property
    def number(self) -> int:
        """How many stand on the ladder."""
        return len(self.situation.standing.order)

    @property
    def waits(self) -> int:
        """How many challenges wait for the visitor."""
        return sum(line.mine for line in self.lines)

    @property
    def glance(self) -> list[str]:
        return ladder_rules.glance(self.rules)

    @property
    def reach(self) -> str:
        return ngettext(
            "you may challenge %(reach)d rung above you",
            "you may challenge up to %(reach)d rungs above you",
            self.rules.reach,
        ) % {"reach": self.rules.reach}


def find(slug: str, user) -> Ladder | None:
    """The ladder of the club at this address, if a user may know of it."""
    club = clubs.find(slug, user)
    found = club and Ladder.objects.filter(club=club).first()
    if found:
        found.club = club
    return found


def page(of: Ladder, user, now: datetime, everything: bool = False) -> Page:
    """The page of a ladder for one person, now."""
    club = of.club
    situation = ladders.situation(of, now)
    standing = situation.standing
    member = clubs.member(club, user)
    me = user.pk if user.is_authenticated else None
    lines, results = my_lines(of, situation, user, now), list(_results(of))
    names = names_of({*standing.players, *(one for result in results for one in result.data["players"])})
    moved = movements(of, now)
    mine = {
        party.user_id: line.challenge
        for line in lines
        for party in line.challenge.parties.all()
        if party.user_id != me and line.challenge.alive
    }
    places = list(standing.positions().items())
    shown = [
        each
        if isinstance(each, Gap)
        else _rung(situation, me, each[0], each[1], names[each[0]], moved, mine.get(each[0]))
        for each in (places if everything else _part(places, standing.position(me) if me else None))
    ]
    blocked = challenging.may_challenge(situation, me) if me in standing.players else None
    ends = instant(standing.ends) if standing.ends is not None and standing.ends > situation.at else None
    return Page(
        club=club,
        ladder=of,
        now=now,
        situation=situation,
        place=place(situation, member, me),
        rungs=shown,
        off=[_rung(situation, me, player, None, names[player], moved, None) for player in standing.taken_off()],
        hidden=sum(each.number for each in shown if isinstance(each, Gap)),
        lines=lines,
        results=shown_results(of, results, names),
        why=challenge_words.on_row(blocked, situation, me, me) if blocked else "",
        season=standing.season,
        began=instant(standing.began) if standing.season else None,
        ends=ends,
        ends_in=days_to(ends, now) if ends else "",
        rules=standing.rules,
    )


def names_of(players: Iterable[int]) -> dict[int, str]:
    """The names of users by id."""
    return dict(User.objects.filter(pk__in=players).values_list("pk", "username"))


def movements(of: Ladder, now: datetime) -> dict[int, int | None]:
    """By player, where he stood before the first event of the last days that moved him; None: nowhere."""
    before: dict[int, int | None] = {}
    rows = of.log.filter(at__gte=now - LATELY).order_by("number").values_list("steps", flat=True)
    for steps in rows:
        for player, (was, _now) in steps.items():
            before.setdefault(int(player), was)
    return before


def place(situation: Situation, member: Member | None, me: int | None) -> Place:
    """How somebody stands."""
    standing = situation.standing
    known = standing.players.get(me) if me is not None else None
    found = Place(member, bottom=len(standing.order) + 1)
    if known:
        found.position, found.held = standing.position(me), known.held
        if known.held is not None:
            found.returns = ladder.position(ladder.back(standing.order, me, known.held, standing.rules), me)
        if known.vacation and situation.at < known.vacation[1]:
            # Its last moment, as the end of a day is the beginning of the next one.
            found.vacation = instant(known.vacation[0]), instant(known.vacation[1] - 1)
            found.away = known.away(situation.at)
        found.days_left = max(0, standing.rules.vacation_days * DAY_MS - known.vacation_ms) // DAY_MS
    return found


def _rung(
    situation: Situation,
    me: int | None,
    player: int,
    position: int | None,
    name: str,
    moved: dict[int, int | None],
    mine: Challenge | None,
) -> Rung:
    standing = situation.standing
    known = standing.players[player]
    before = moved.get(player, position)
    why, more = None, ()
    if me in standing.players and me != player:
        why = challenging.refusal(situation, me, player)
        if why == Reason.TOO_HIGH:
            more = tuple(seats for seats in (3, 4) if not challenging.refusal(situation, me, player, seats))
            # Of what would not fit at any table the distance says enough.
    return Rung(
        player=player,
        position=position,
        name=name,
        rating=ratings.shown(known.rating, known.games),
        moved=before - position if before and position else 0,
        new=before is None and position is not None,
        form=tuple(Game(code, letter(code), word(code)) for code in known.form),
        me=player == me,
        may=me in standing.players and me != player and why is None,
        why=challenge_words.on_row(why, situation, me, player) if why else "",
        more=more,
        mine=mine,
        away=challenge_words.vacation_ends(situation, player) if known.away(situation.at) else "",
    )


def letter(code: str) -> str:
    """A game in a player's form."""
    return {"w": _("W"), "l": _("L"), "d": _("D")}[code]


def word(code: str) -> str:
    return {"w": _("won"), "l": _("lost"), "d": _("shared")}[code]


def _part(places: list[tuple[int, int]], mine: int | None) -> list[tuple[int, int] | Gap]:
    """The top of a long ladder and what lies around the visitor, with gaps between."""
    if len(places) <= LONG:
        return list(places)
    shown = set(range(1, (TOP if mine else BEGINNING) + 1))
    if mine:
        shown |= set(range(mine - AROUND, mine + AROUND + 1))
    parts: list[tuple[int, int] | Gap] = []
    left_out = 0
    for player, position in places:
        # A gap takes as much room as one rung.
        alone = position - 1 in shown and position + 1 in shown
        if position in shown or alone:
            if left_out:
                parts.append(Gap(left_out))
            left_out = 0
            parts.append((player, position))
        else:
            left_out += 1
    return [*parts, Gap(left_out)] if left_out else parts


# Challenges


def challenges_of(of: Ladder):
    """The challenges of a ladder with who is to play them."""
    parties = Prefetch("parties", Party.objects.select_related("user").order_by("number"))
    found = of.challenges.select_related("match", "proposed_by", "challenger")
    return found.prefetch_related(parties)


def my_lines(of: Ladder, situation: Situation, user, now: datetime) -> list[Line]:
    """The challenges of a person that are alive: what waits for him first, then by deadline."""
    if not user.is_authenticated:
        return []
    mine = Party.objects.filter(user=user).values("challenge")
    found = challenges_of(of).filter(status__in=Challenge.ALIVE, pk__in=mine)
    lines = [line(challenge, situation, user, now) for challenge in found]
    return sorted(lines, key=lambda each: (not each.mine, each.state == "waiting", deadline(each.challenge) or now))


def line(challenge: Challenge, situation: Situation, user, now: datetime) -> Line:
    """A challenge as one person sees it."""
    parties = list(challenge.parties.all())
    mine = next((party for party in parties if user.is_authenticated and party.user_id == user.pk), None)
    rivals = tuple(party.user for party in parties if party is not mine)
    until = deadline(challenge)
    times = [at for at in challenge.times if at > situation.at]
    return Line(
        challenge=challenge,
        rivals=rivals,
        positions=tuple((rival, situation.standing.position(rival.pk)) for rival in rivals),
        time=lobby.time_control(challenge),
        seats=len(parties),
        state=state(challenge, mine),
        left=lobby.left(until, now) if until else "",
        quick=not challenge.times or challenge.starts_at is not None or len(times) == len(challenge.times) == 1,
        withdraw=challenge.status == Status.OPEN and mine is not None and mine.number == 0,
    )


def state(challenge: Challenge, party: Party | None) -> str:
    """What a challenge waits for, as one of its players sees it, or somebody else (None)."""
    match challenge.status:
        case Status.OPEN:
            return "answer" if party and not party.agrees else "waiting"
        case Status.AGREED:
            room = challenge.match and challenge.match.status == Match.Status.OPEN
            return "room" if room and party else "agreed"
        case Status.PLAYING:
            return "playing"
    return "over"


def deadline(challenge: Challenge) -> datetime | None:
    """Until when the next thing has to happen; None once nothing has to."""
    if challenge.status == Status.OPEN:
        return challenge.answer_by
    return challenge.finish_by if challenge.alive else None


# Results


def _results(of: Ladder) -> Iterable[LadderEvent]:
    return of.log.filter(kind=Kind.RESULT).order_by("-number")[:RESULTS]


def shown_results(of: Ladder, events: Sequence[LadderEvent], names: dict[int, str]) -> list[Result]:
    """Results in words and numbers."""
    undone = set(of.log.filter(kind=Kind.UNDO).values_list("data__event", flat=True)) if events else set()
    keys = [event.data["match"] for event in events]
    matches = {match.key: match for match in Match.objects.filter(key__in=keys).only("key", "result")}
    return [_result(event, names, matches.get(event.data["match"]), event.number in undone) for event in events]


def _result(event: LadderEvent, names: dict[int, str], match: Match | None, undone: bool) -> Result:
    players, places = event.data["players"], event.data["places"]
    finished = dict(zip(players, places, strict=True))
    points = match.result["points"] if match and match.result else []
    ranked = sorted(range(len(players)), key=lambda seat: places[seat])
    known = {player: names.get(player, _("somebody")) for player in players}
    return Result(
        event=event,
        names=tuple(known[players[seat]] for seat in ranked),
        shared=outcome(finished, players[ranked[0]]) == "d",
        points=tuple(points[seat] for seat in ranked) if len(points) == len(players) else (),
        moves=tuple(
            (known[players[seat]], *event.steps[str(players[seat])])
            for seat in ranked
            if None not in event.steps.get(str(players[seat]), (None,))
            and event.steps[str(players[seat])][1] < event.steps[str(players[seat])][0]
        ),
        late=tuple(known[player] for player in event.data["late"]),
        undone=undone,
        match=event.data["match"],
    )


def days_to(until: datetime, now: datetime) -> str:
    """How long there is until then, in whole days."""
    days = (until - now).days
    if days < 1:
        return _("today")
    return ngettext("in %(days)d day", "in %(days)d days", days) % {"days": days}


# One challenge


@dataclass(frozen=True)
class Cost:
    """What it would do to the ladder if some gave way to the challenger."""

    counts: bool
    """It would do something by the rules."""
    moves: tuple[tuple[str, int, int], ...]
    """Name, from, to: the challenger first."""


def giving_way(situation: Situation, challenge: Challenge, silent: Iterable[int], names: dict[int, str]) -> Cost:
    """What happens if these do not answer, or decline."""
    order = situation.standing.order
    after = ladder.give_way(order, challenge.challenger_id, list(silent))
    moved = [player for player in after if after.index(player) != order.index(player)]
    moved.sort(key=lambda player: player != challenge.challenger_id)
    return Cost(
        counts=bool(moved),
        moves=tuple((names[player], order.index(player) + 1, after.index(player) + 1) for player in moved),
    )


@dataclass
class Sheet:
    """One challenge, as its page shows it to one person."""

    challenge: Challenge
    rules: ladder.Rules
    line: Line
    parties: list[Party]
    positions: dict[int, int | None]
    me: Party | None
    preset: str
    terms: list[str]
    times: list[tuple[int, datetime, bool]]
    """Suggested times: milliseconds, moment, whether one can still choose it."""
    too_late: bool
    """All of them have gone by."""
    chosen: bool
    """One of the suggested times has been chosen, by the first who agreed."""
    deadline: datetime | None
    answers: bool
    """The visitor is asked to answer, and the time for it is not over."""
    decline: Cost | None
    silence: Cost | None
    may_open: bool
    """He can open the table again."""
    outcome: str
    event: LadderEvent | None
    told: str
    """The event to which it led, as a sentence; empty without one."""
    moves: list[tuple[str, int | None, int | None]]
    result: Result | None


def sheet(challenge: Challenge, user, now: datetime) -> Sheet:
    """The page of one challenge, which comes from `challenges_of`."""
    situation = ladders.situation(challenge.ladder, now)
    parties = list(challenge.parties.all())
    me = next((party for party in parties if user.is_authenticated and party.user_id == user.pk), None)
    standing, at = situation.standing, ms_of(now)
    shown = line(challenge, situation, user, now)
    kinds = (Kind.RESULT, Kind.VOID, Kind.UNANSWERED, Kind.DECLINED)
    event = None
    if not challenge.alive:
        of = challenge.ladder.log.filter(kind__in=kinds, data__challenge=challenge.pk)
        event = of.order_by("-number").first()
    names = {party.user_id: party.user.username for party in parties}
    names |= names_of({*(int(player) for player in event.steps)} - {*names}) if event else {}
    results = shown_results(challenge.ladder, [event], names) if event and event.kind == Kind.RESULT else []
    awaited = challenge.status == Status.OPEN and me is not None and not me.agrees
    answers = awaited and challenge.answer_by > now
    silent = [party.user_id for party in parties if not party.agrees]
    room = challenge.match and challenge.match.status in (Match.Status.OPEN, Match.Status.RUNNING)
    # Who stands between them goes down too; the sheet names those of the challenge only.
    decline = silence = None
    if challenge.status == Status.OPEN and challenge.challenger_id in standing.order:
        between = {**names_of({*standing.order} - {*names}), **names} if silent else names
        if answers and me.number:
            decline = giving_way(situation, challenge, [user.pk] if standing.rules.decline_yields else [], between)
        if challenge.challenger_id not in silent:
            silence = giving_way(situation, challenge, silent, between)
    return Sheet(
        challenge=challenge,
        rules=standing.rules,
        line=shown,
        parties=parties,
        positions={party.user_id: standing.position(party.user_id) for party in parties},
        me=me,
        preset=biblios_tables.PRESET_LABELS[biblios_tables.preset_of(challenge.options)],
        terms=biblios_tables.terms(challenge.options),
        times=[(ms, instant(ms), ms > at) for ms in challenge.times],
        too_late=bool(challenge.times) and all(ms <= at for ms in challenge.times),
        chosen=challenge.starts_at is not None,
        deadline=deadline(challenge),
        answers=answers,
        decline=decline,
        silence=silence,
        may_open=challenge.status == Status.AGREED and me is not None and not challenge.starts_at and not room,
        outcome=str(challenge.get_status_display()),
        event=event,
        told=told(event, names) if event else "",
        moves=[(names[int(player)], was, then) for player, (was, then) in event.steps.items()] if event else [],
        result=results[0] if results else None,
    )


def told(event: LadderEvent, names: dict[int, str]) -> str:
    """An event of a challenge in words; those who took part are among `names`."""
    return ladder_words.sentence(event, {pk: ladder_words.put("%(name)s", name=name) for pk, name in names.items()})


# Regions


def regions(shown: Page, user) -> dict[str, str]:
    """The parts of the page that change, as HTML, by their ids."""
    return {
        name.replace("_", "-"): _region(name, page=shown, user=user)
        for name in ("rungs", "my_place", "my_challenges", "results", "season")
    }


def challenge_regions(shown: Sheet, user) -> dict[str, str]:
    """The parts of the page of a challenge that change, as HTML, by their ids."""
    of = shown.challenge.ladder
    context = {"sheet": shown, "challenge": shown.challenge, "ladder": of, "club": of.club, "user": user}
    names = ("challenge_state", "challenge_next", "challenge_players")
    return {name.replace("_", "-"): render_to_string(f"ladder/{name}.html", context) for name in names}


def _region(name: str, **context: Any) -> str:
    return render_to_string(f"ladder/ladder_{name}.html", context)
