"""Challenges on the pages of a ladder: a line for each, and a page for one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Prefetch, QuerySet
from django.template.loader import render_to_string

from accounts.models import User
from accounts.web.requests import Visitor
from games.faces.registry import preset_of, terms_of
from games.ladders import challenges, events, overdue
from games.ladders import rules as ladder
from games.ladders.challenging import Situation
from games.ladders.forms.challenge import TermsForm, terms_form
from games.ladders.models import Challenge, Ladder, LadderEvent, Party
from games.ladders.pages.results import Result, names_of, shown_results
from games.ladders.payloads import END_KINDS, GAME_KINDS, Steps
from games.ladders.standing import Standing, steps
from games.ladders.terms import revision
from games.ladders.words import events as event_words
from games.lobby.times import duration, left, length, time_control
from games.matches import history
from games.matches.clocks import instant, ms_of
from games.matches.models import Match

Status = Challenge.Status


@dataclass(frozen=True)
class ChallengeLine:
    """A challenge, as one person sees it."""

    challenge: Challenge
    rivals: tuple[tuple[User, int | None], ...]
    """With the positions of the players on the ladder."""
    time: str
    length: str
    """About how long the game will take; empty without a live clock."""
    seats: int
    state: str
    """`answer` (the viewer must), `waiting` (others must), `agreed`, `room` (waiting room open), `playing`, or over."""
    left: str
    """The time until the deadline, in words."""
    rules: str
    """The name of the rules it is played by."""
    revision: str
    """Of its terms."""
    quick: bool
    """Whether it can be accepted with no choice to make, and nothing to read but this line."""
    withdraw: bool
    only_time: datetime | None
    """The suggested time, if there is one only."""

    @property
    def mine(self) -> bool:
        """Whether the viewer must do something now."""
        return self.state in ("answer", "room")


def challenges_of(of: Ladder) -> QuerySet[Challenge]:
    """The challenges of a ladder, with their players."""
    return with_players(of.challenges.all())


def with_players(found: QuerySet[Challenge]) -> QuerySet[Challenge]:
    """The same challenges, with their players."""
    parties = Prefetch("parties", Party.objects.select_related("user").order_by("number"))
    return found.select_related("match", "proposed_by", "challenger").prefetch_related(parties)


def my_lines(of: Ladder, situation: Situation, user: Visitor, now: datetime) -> list[ChallengeLine]:
    """The open challenges of a person: those that wait for them first, then by deadline."""
    if not user.is_authenticated:
        return []
    mine = Party.objects.filter(user=user).values("challenge")
    found = challenges_of(of).filter(status__in=Challenge.ALIVE, pk__in=mine)
    lines = [line(challenge, situation, user, now) for challenge in found]
    return sorted(lines, key=lambda each: (not each.mine, each.state == "waiting", deadline(each.challenge) or now))


def line(challenge: Challenge, situation: Situation, user: Visitor, now: datetime) -> ChallengeLine:
    """A challenge as one person sees it."""
    parties = list(challenge.parties.all())
    mine = next((party for party in parties if user.is_authenticated and party.user_id == user.pk), None)
    rivals = [party.user for party in parties if party is not mine]
    until = deadline(challenge)
    times = [at for at in challenge.times if at > situation.at]
    return ChallengeLine(
        challenge=challenge,
        rivals=tuple((rival, situation.standing.position(rival.pk)) for rival in rivals),
        time=time_control(challenge.clock),
        length=length(challenge.clock, len(parties)),
        seats=len(parties),
        state=state(challenge, mine),
        left=left(until, now) if until else "",
        rules=str(preset_of(challenge.rules, challenge.options).label),
        revision=revision(challenge, situation.standing.rules),
        quick=bool(challenge.rules.preset_of(challenge.options))
        and (not challenge.times or challenge.starts_at is not None or len(times) == len(challenge.times) == 1),
        withdraw=challenge.status == Status.OPEN and mine is not None and mine.number == 0,
        only_time=instant(times[0]) if len(times) == len(challenge.times) == 1 else None,
    )


def state(challenge: Challenge, party: Party | None) -> str:
    """The state of a challenge, as one of its players sees it, or an outsider (None)."""
    match challenge.status:
        case Status.OPEN:
            return "answer" if party and not party.agrees else "waiting"
        case Status.AGREED:
            room = challenge.match and challenge.match.status in Match.WAITING
            return "room" if room and party else "agreed"
        case Status.PLAYING:
            return "playing"
    return "over"


def deadline(challenge: Challenge) -> datetime | None:
    """The deadline of the next step; None if there is none."""
    if challenge.status == Status.OPEN:
        return challenge.answer_by
    return challenge.finish_by if challenge.alive else None


# One challenge


class RungMove(NamedTuple):
    """How somebody moves on the ladder."""

    name: str
    """Empty for the viewer."""
    before: int | None
    after: int | None


def moves_of(steps: Steps, names: Mapping[int, str], me: int | None, first: int) -> list[RungMove]:
    """These steps, those of the viewer first, then those of `first`."""
    order = sorted(steps, key=lambda player: (int(player) != me, int(player) != first))
    return [RungMove("" if int(player) == me else names[int(player)], *steps[player]) for player in order]


def giving_way(standing: Standing, challenge: Challenge, at: int) -> Steps:
    """The change of the ladder if the challenged does not answer."""
    challenged = challenge.parties.all()[1].user_id
    return steps(standing, replace(standing, order=standing.given_way(at, challenge.challenger_id, [challenged])))


@dataclass
class Sheet:
    """One challenge, as its page shows it to one person."""

    challenge: Challenge
    rules: ladder.Rules
    line: ChallengeLine
    parties: list[tuple[Party, int | None, str]]
    """With the positions of the players on the ladder, and the time they have used in a game being played."""
    me: Party | None
    terms: list[str]
    times: list[tuple[int, datetime, bool]]
    """The suggested times: milliseconds, moment, whether it can still be chosen."""
    too_late: bool
    """Whether all of them have passed."""
    deadline: datetime | None
    answers: bool
    """Whether the visitor is to answer, and still can."""
    proposes: bool
    """Whether the visitor may propose other terms."""
    asked: bool
    """Whether the visitor is asked to its table beside the challenged."""
    yields: bool
    """Whether the challenged has to answer, and gives way without."""
    silence: list[RungMove]
    """The consequence of no answer."""
    free: bool
    """Whether the visitor may withdraw it as if it had not been made."""
    paused: bool
    """Whether no season is running: a game that ends now does not count."""
    may_open: bool
    """Whether the visitor can open the table again."""
    event: LadderEvent | None
    told: str
    """The event that it led to, as a sentence; empty without one."""
    moves: list[RungMove]
    passed: list[str]
    """The names of those who were asked to its table, and do not sit there."""
    result: Result | None


def sheet(challenge: Challenge, user: Visitor, now: datetime) -> Sheet:
    """The page of one challenge, which comes from `challenges_of`."""
    situation = events.situation(challenge.ladder, now)
    parties = list(challenge.parties.all())
    me = next((party for party in parties if user.is_authenticated and party.user_id == user.pk), None)
    standing, at = situation.standing, ms_of(now)
    shown = line(challenge, situation, user, now)
    event = None
    if not challenge.alive:
        of = challenge.ladder.log.filter(kind__in=END_KINDS, data__challenge=challenge.pk)
        event = of.order_by("-number").first()
    names = {party.user_id: party.user.username for party in parties}
    names |= names_of({*(int(player) for player in event.steps)} - {*names}) if event else {}
    results = shown_results([event], names) if event and event.kind in GAME_KINDS else []
    awaited = challenge.status == Status.OPEN and me is not None and not me.agrees
    answers = awaited and challenge.answer_by > now
    silent = [party.user_id for party in parties if not party.agrees]
    room = challenge.match and challenge.match.status in Match.ALIVE
    spent = used(challenge.match, at) if challenge.status == Status.PLAYING and challenge.match else {}
    yields = challenge.status == Status.OPEN and challenge.challenger_id not in silent and parties[1].user_id in silent
    change = giving_way(standing, challenge, at) if yields else {}
    names |= names_of({*map(int, change), *challenge.passed} - {*names})
    viewer = me.user_id if me else None
    return Sheet(
        challenge=challenge,
        rules=standing.rules,
        line=shown,
        parties=[(party, standing.position(party.user_id), spent.get(party.user_id, "")) for party in parties],
        me=me,
        terms=terms_of(challenge.rules, len(parties), challenge.options),
        times=[(ms, instant(ms), ms > at) for ms in challenge.times],
        too_late=bool(challenge.times) and all(ms <= at for ms in challenge.times),
        deadline=deadline(challenge),
        answers=answers,
        proposes=answers and me is not None and challenges.may_propose(challenge, me.user, now),
        asked=me is not None and me.number > 1,
        yields=yields,
        silence=moves_of(change, names, viewer, parties[1].user_id),
        free=shown.withdraw and standing.withdraws_freely(challenge.challenger_id),
        paused=standing.ends is None,
        may_open=challenge.status == Status.AGREED and me is not None and not challenge.starts_at and not room,
        event=event,
        told=told(event, names) if event else "",
        moves=moves_of(event.steps, names, viewer, challenge.challenger_id) if event else [],
        passed=[names[player] for player in challenge.passed],
        result=results[0] if results else None,
    )


def used(match: Match, at: int) -> dict[int | None, str]:
    """The time that each player of a match that has begun has had the turn, by id."""
    spent = overdue.spent_ms(match, history.replay(match).rows, at)
    return {seat.user_id: duration(ms) for seat, ms in zip(match.sitting, spent, strict=True)}


def told(event: LadderEvent, names: dict[int, str]) -> str:
    """An event of a challenge in words; its players are among `names`."""
    return event_words.sentence(event, {pk: event_words.put("%(name)s", name=name) for pk, name in names.items()})


def context(shown: Sheet, user: Visitor, now: datetime, form: TermsForm | None = None) -> dict[str, Any]:
    """What the page of a challenge and its regions are made of; `form`: the one for other terms that was refused."""
    of = shown.challenge.ladder
    if form is None and shown.proposes:
        form = terms_form(shown.rules, shown.challenge, now)
    return {"sheet": shown, "challenge": shown.challenge, "ladder": of, "club": of.club, "user": user, "form": form}


def regions(shown: Sheet, user: Visitor, now: datetime) -> dict[str, str]:
    """The changing parts of a challenge's page, as HTML, by id."""
    parts = context(shown, user, now)
    names = ("challenge_state", "challenge_next", "challenge_counter", "challenge_players", "challenge_terms")
    return {name.replace("_", "-"): render_to_string(f"ladders/{name}.html", parts) for name in names}
