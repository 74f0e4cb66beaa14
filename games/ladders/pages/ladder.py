"""The page of a ladder as one person sees it: its rungs, their own challenges, recent results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.career import ratings
from accounts.clubs import clubs
from accounts.models import Club, Member, Right
from accounts.people import following
from accounts.shown import PlayerShown, people_shown
from accounts.web.requests import Visitor
from games.faces.registry import face_of
from games.ladders import challenging, events
from games.ladders import rules as ladder
from games.ladders.challenging import ChallengeRefusal, Situation
from games.ladders.models import Challenge, Ladder, LadderEvent
from games.ladders.pages import table_results
from games.ladders.pages.challenge import ChallengeLine, my_lines
from games.ladders.pages.results import Result, game_of, shown_results
from games.ladders.pages.table_results import EntryLine
from games.ladders.payloads import GAME_KINDS, Back, Undone
from games.ladders.rules import DAY_MS, Rules
from games.ladders.tally import BY_STEWARDS
from games.ladders.words import reasons
from games.ladders.words import rules as rule_words
from games.lobby import pending
from games.matches.clocks import instant

LATELY = timedelta(days=7)
"""The period over which the movement of a rung is shown ..."""
LATEST = 300
"""... by so many events at most, the last ones."""
RESULTS = 6
"""The number of results on the page."""
LONG = 60
"""A ladder with more rungs than this is shown in parts, unless all of it is asked for."""
PLAIN = (None, ChallengeRefusal.YOURSELF, ChallengeRefusal.BELOW, ChallengeRefusal.TOO_HIGH)
"""The reasons that anybody sees from where the players stand."""
TOP = 3
"""The rungs of the top that a part shows ..."""
AROUND = 8
"""... and those above and below the visitor's own."""
BEGINNING = 20
"""The rungs of a long ladder shown to somebody who is not on it."""


@dataclass(frozen=True)
class RecentGame:
    """One of a player's last games, as a letter."""

    code: str
    letter: str
    word: str


@dataclass(frozen=True)
class Rung:
    """A player of a ladder, as one person sees them."""

    player: int
    position: int | None
    """None for a player who is taken off."""
    person: PlayerShown
    moved: int
    """The rungs gained (or, below zero, lost) within the last days: see `movements`."""
    new: bool
    """Whether the player joined the ladder within that time."""
    form: tuple[RecentGame, ...]
    me: bool
    may: bool
    """Whether the visitor can challenge the player to a game of the smallest number."""
    why: str
    """Why they cannot, unless that can be seen from where the player stands; empty for visitors off the ladder."""
    more: tuple[int, ...] = ()
    """The larger tables to which the player can be challenged, if not to the smallest."""
    mine: Challenge | None = None
    """The challenge that the visitor and the player have with each other."""
    away: str = ""
    """The end of the player's vacation."""
    online: bool = False
    """Whether they have a page of the site open, as far as the visitor may know."""

    @property
    def places(self) -> int:
        return abs(self.moved)


@dataclass(frozen=True)
class Gap:
    """Rungs that are skipped."""

    number: int


@dataclass
class Place:
    """The visitor's own place, and what they may do."""

    member: Member | None
    position: int | None = None
    held: int | None = None
    """The position at which they were taken off ..."""
    returns: int | None = None
    """... and the one at which they would return."""
    vacation: tuple[datetime, datetime] | None = None
    """The vacation that they are on or have announced: its first and its last moment."""
    away: bool = False
    days_left: int = 0
    """Vacation days left this season."""
    reach: int = 0
    """How many rungs up they can challenge to the smallest table."""
    bottom: int = 0
    """The position that they would get by joining."""
    sinks: datetime | None = None
    """When they sink by a rung unless they finish a game before; None for who stands last, and where nobody sinks."""

    @property
    def on(self) -> bool:
        """Whether they belong to the ladder."""
        return self.position is not None or self.held is not None

    @property
    def steward(self) -> bool:
        """Whether they may change the ladder."""
        return self.member is not None and Right.LADDER in self.member.may


@dataclass
class LadderPage:
    """Everything on the page of a ladder."""

    club: Club
    ladder: Ladder
    now: datetime
    situation: Situation
    place: Place
    rungs: list[Rung | Gap]
    off: list[Rung]
    """Players who are taken off until they are back."""
    hidden: int
    """The number of skipped rungs."""
    lines: list[ChallengeLine]
    results: list[Result]
    why: str
    """Why the visitor cannot challenge anybody at all."""
    season: int = 0
    began: datetime | None = None
    ends: datetime | None = None
    """Its last moment, if it runs."""
    ends_in: str = ""
    resumes: datetime | None = None
    """The last moment of a pause."""
    rules: Rules = field(default_factory=Rules)
    entries: list[EntryLine] = field(default_factory=list)
    """Results from the real table that wait."""
    game: str = ""
    """What is played."""

    @property
    def number(self) -> int:
        """The number of players on the ladder."""
        return len(self.situation.standing.order)

    @property
    def online(self) -> int:
        """The number of other players who are online."""
        return sum(rung.online for rung in self.rungs if isinstance(rung, Rung))

    @property
    def may_enter(self) -> bool:
        """Whether the visitor can enter a result from the real table."""
        running = self.ends is not None and self.resumes is None
        return self.rules.at_table and running and (self.place.position is not None or self.place.steward)

    @property
    def waits(self) -> int:
        """The number of challenges that wait for the visitor."""
        return sum(line.mine for line in self.lines)

    @property
    def tables(self) -> dict[str, bool]:
        return rule_words.tables(self.rules)

    @property
    def reach(self) -> str:
        return ngettext(
            "You can challenge %(reach)d rung above you.",
            "You can challenge up to %(reach)d rungs above you.",
            self.place.reach,
        ) % {"reach": self.place.reach}


def find(slug: str, number: int, user: Visitor) -> Ladder | None:
    """The ladder of this number of the club at this address, if a user may know of it."""
    club = clubs.find(slug, user)
    found = Ladder.objects.filter(club=club, number=number).first() if club else None
    if club and found:
        found.club = club
    return found


def context(of: Ladder, user: Visitor, now: datetime, everything: bool = False) -> LadderPage:
    """The page of a ladder for one person, now."""
    club = of.club
    situation = events.situation(of, now)
    standing = situation.standing
    member = clubs.member(club, user)
    me = user.pk if user.is_authenticated else None
    lines, results = my_lines(of, situation, user, now), _results(of)
    people = people_shown({*standing.players, *(one for result in results for one in game_of(result).players)})
    names = {player: person.name for player, person in people.items()}
    moved, here = movements(of, now), following.here(user, standing.order)
    sizes = challenging.tables_of(of.game_rules, standing.rules) or challenging.SIZES
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
        else _rung(situation, sizes, me, each[0], each[1], people[each[0]], moved, mine.get(each[0]), here)
        for each in (places if everything else _part(places, standing.position(me) if me else None))
    ]
    blocked = None
    if me is not None and me in standing.players:
        blocked = challenging.may_challenge(situation, me)
        if blocked is None and situation.out(me) >= standing.rules.most_out:
            blocked = ChallengeRefusal.YOU_OUT
    why = reasons.on_row(blocked, situation, me, me) if me is not None and blocked else ""
    decides = member is not None and Right.LADDER in member.may
    ends = standing.ends if standing.ends is not None and standing.ends > situation.at else None
    return LadderPage(
        club=club,
        ladder=of,
        now=now,
        situation=situation,
        place=place(situation, member, me),
        rungs=shown,
        off=[
            _rung(situation, sizes, me, player, None, people[player], moved, None, here)
            for player in standing.taken_off()
        ],
        hidden=sum(each.number for each in shown if isinstance(each, Gap)),
        lines=lines,
        results=shown_results(results, names),
        why=_("This ladder is closed.") if why and of.closed_at else why,
        season=standing.season,
        began=instant(standing.began) if standing.season else None,
        ends=instant(ends - 1) if ends else None,
        ends_in=days_to(instant(ends), now) if ends else "",
        resumes=None if standing.resumes is None else instant(standing.resumes - 1),
        rules=standing.rules,
        entries=table_results.waiting(of, user, decides, now) if user.is_authenticated else [],
        game=str(face_of(of.game_rules).name),
    )


def movements(of: Ladder, now: datetime) -> dict[int, int | None]:
    """By player, the rungs gained within the last days by games and by the rules; None for who joined within them.

    What stewards have set, undone or reset is left out, and so is what others lost or gained by it.
    """
    found = of.log.filter(at__gte=now - LATELY).order_by("-number")
    rows = list(found.values_list("number", "kind", "steps", "data__event")[:LATEST])[::-1]
    undone = {event for _number, kind, _steps, event in rows if kind == Undone.kind}
    gained: dict[int, int | None] = {}
    off: dict[int, int] = {}
    for number, kind, steps, _event in rows:
        if kind in BY_STEWARDS or number in undone:
            continue
        for name, (was, then) in steps.items():
            player = int(name)
            if then is None:
                off[player] = was
            elif was is None and kind != Back.kind:
                gained[player] = None
            elif (before := gained.get(player, 0)) is not None:
                gained[player] = before + (off.get(player, then) if was is None else was) - then
    return gained


def place(situation: Situation, member: Member | None, me: int | None) -> Place:
    """The place of a person."""
    standing = situation.standing
    known = standing.players.get(me) if me is not None else None
    found = Place(member, bottom=len(standing.order) + 1)
    if me is not None and known:
        found.position, found.held = standing.position(me), known.held
        found.reach = situation.reach(me, min(standing.rules.sizes))
        if known.held is not None:
            found.returns = ladder.position(ladder.back(standing.order, me, known.held), me)
        if days_off := known.days_off(situation.at):
            found.vacation = instant(days_off[0]), instant(days_off[1])
            found.away = known.away(situation.at)
        above = found.position and found.position < len(standing.order)
        sinks = known.sinks_at(standing.rules)
        if above and standing.ends is not None and standing.resumes is None and situation.at < sinks:
            found.sinks = instant(sinks)
        found.days_left = max(0, standing.rules.vacation_days * DAY_MS - known.vacation_ms) // DAY_MS
    return found


def _rung(
    situation: Situation,
    sizes: Sequence[int],
    me: int | None,
    player: int,
    position: int | None,
    person: PlayerShown,
    moved: dict[int, int | None],
    mine: Challenge | None,
    here: Collection[int],
) -> Rung:
    standing = situation.standing
    known = standing.players[player]
    gained = moved.get(player, 0)
    why: ChallengeRefusal | None = None
    more: tuple[int, ...] = ()
    if me is not None and me in standing.players and me != player:
        why = challenging.refusal(situation, me, player, sizes[0])
        if why == ChallengeRefusal.TOO_HIGH:
            more = tuple(seats for seats in sizes[1:] if not challenging.refusal(situation, me, player, seats))
    return Rung(
        player=player,
        position=position,
        person=person._replace(rating=ratings.shown(known.rating, known.games)),
        moved=gained or 0,
        new=gained is None,
        form=tuple(RecentGame(code, letter(code), word(code)) for code in known.form),
        me=player == me,
        may=me in standing.players and me != player and why is None,
        why=reasons.on_row(why, situation, me, player, sizes[0]) if me is not None and why not in PLAIN else "",
        more=more,
        mine=mine,
        away=reasons.vacation_ends(situation, player) if known.away(situation.at) else "",
        online=player in here,
    )


def letter(code: str) -> str:
    """A game in a player's form."""
    return {"w": _("W"), "l": _("L"), "d": _("D")}[code]


def word(code: str) -> str:
    return {"w": _("won"), "l": _("lost"), "d": _("shared")}[code]


def _part(places: list[tuple[int, int]], mine: int | None) -> list[tuple[int, int] | Gap]:
    """The top of a long ladder and the rungs around the visitor, with gaps between."""
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


def _results(of: Ladder) -> list[LadderEvent]:
    return list(of.log.filter(kind__in=GAME_KINDS).order_by("-number")[:RESULTS])


def days_to(until: datetime, now: datetime) -> str:
    """The time until then, in whole days."""
    days = (until - now).days
    if days < 1:
        return _("today")
    return ngettext("in %(days)d day", "in %(days)d days", days) % {"days": days}


# Regions


def regions(shown: LadderPage, user: Visitor) -> dict[str, str]:
    """The changing parts of the page, as HTML, by id."""
    drawn = {
        name.replace("_", "-"): _region(name, page=shown, user=user)
        for name in ("rungs", "my_place", "my_challenges", "table_results", "results", "this_season")
    }
    return {"waits": pending.line(user, shown.now, shown.ladder.get_absolute_url()), **drawn}


def _region(name: str, **context: Any) -> str:
    return render_to_string(f"ladders/{name}.html", context)
