"""The page of an evening, and the one on the wall, as one person sees them: their data and their regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any, Protocol, TypeVar

from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from accounts.clubs import clubs
from accounts.models import Club, Member, Right, User
from accounts.shown import PlayerShown, people_shown
from accounts.text.numbers import number
from accounts.web.requests import Visitor
from games.calendar import shown as calendar_shown
from games.calendar.models import CalendarEvent
from games.faces.registry import face_of, preset_of
from games.lobby import pending, watching
from games.lobby.times import left, time_control
from games.matches.clocks import instant
from games.matches.models import Match, Seat
from games.tournaments import evenings, events, invitations, placepoints, playing
from games.tournaments.models import Tournament, TypedResult
from games.tournaments.payloads import TableCorrected, TableFinished
from games.tournaments.standing import RoundTable, TournamentStanding

T = TypeVar("T")
WALL_ROWS = 10
"""The number of places on the wall at a time ..."""
WALL_TABLES = 12
"""... and of tables."""
WALL_SIZES = ((1, "one"), (2, "two"), (4, "four"), (6, "six"), (WALL_TABLES, "many"))
"""How many tables at most fill the wall in each of the ways of its style sheet."""
TURN_S = 10
"""How long one page of them stands there, in seconds."""
GUESTS_STAY = timedelta(days=1)
"""How long after its end guests of a private club still see the page."""


class ShownPlace(Protocol):
    """What the pages show of a place in the table."""

    @property
    def place(self) -> int: ...
    @property
    def player(self) -> int: ...
    @property
    def games(self) -> int: ...


@dataclass(frozen=True)
class EveningSeat:
    """Somebody at a table of an evening."""

    person: PlayerShown
    turn: bool
    place: int | None
    points: int | None
    me: bool
    reason: str = ""
    """What beside the points has decided their place, in words."""


@dataclass(frozen=True)
class ShownTable:
    """A table of an evening."""

    number: int
    """What it is called on the page."""
    round: int
    index: int
    """Its index in its round."""
    table: RoundTable
    sitters: list[EveningSeat]
    match: Match | None
    """None if it was not played, or has yet to be created."""
    status: str
    """How far its game is, or how it ended, in words."""
    watch: bool
    """Whether the visitor may look at it."""
    reason: str = ""
    """Why a steward has corrected its result."""
    typed: TypedResult | None = None
    """The result that waits to be confirmed, for whoever may answer it."""
    enters: bool = False
    """Whether the visitor may enter its result."""
    said_alone: str = ""
    """Who alone has said its result, and played there with guests who have no device."""
    left: str = ""
    """How long whoever is asked still has, in words; empty if nobody is, or if there is no clock."""

    @property
    def mine(self) -> bool:
        return any(sitter.me for sitter in self.sitters)


@dataclass
class EventPage:
    """An event as one person sees it. An evening is nothing more; other kinds add to it."""

    tournament: Tournament
    standing: TournamentStanding
    user: Visitor
    now: datetime
    member: Member | None

    @property
    def club(self) -> Club:
        return self.tournament.club

    @property
    def may(self) -> bool:
        """Whether the visitor manages it."""
        return self.member is not None and Right.EVENTS in self.member.may

    @property
    def calendar(self) -> CalendarEvent | None:
        """What the calendar says of it; what is for members only, to them and to who takes part."""
        event = self.tournament.calendar
        if event is None or not (event.public or self.member or self.user.pk in self.standing.entrants):
            return None
        event.club = self.club
        return event

    @property
    def conditions(self) -> list[str]:
        return calendar_shown.conditions(self.calendar) if self.calendar else []

    @property
    def changes(self) -> bool:
        """Whether the visitor can change or cancel it in the calendar: until it starts."""
        event = self.calendar
        ahead = event is not None and not event.cancelled_at and event.starts_at > self.now
        return ahead and self.may and not self.standing.rounds and not self.standing.groups

    @property
    def seating(self) -> bool:
        """Whether the visitor may begin a round."""
        return self.may and self.tournament.closed_at is None

    @property
    def known(self) -> bool:
        """Whether the visitor may see the page of the club."""
        return self.member is not None or not self.club.private

    @property
    def sealed(self) -> bool:
        """Whether nobody is told yet how anything stands."""
        return False

    @property
    def me(self) -> int | None:
        return self.user.pk

    @property
    def here(self) -> bool:
        """Whether the visitor takes part."""
        return self.me in self.standing.here

    @property
    def taken_out(self) -> bool:
        """Whether a steward has taken the visitor out, and only a steward lets them in again."""
        known = None if self.me is None else self.standing.entrants.get(self.me)
        shut = self.member is None or self.tournament.kind != Tournament.Kind.EVENING
        return known is not None and known.out and shut and not self.invited

    @property
    def agrees(self) -> bool:
        """Whether a steward has taken the visitor out, and may let them in again without asking."""
        known = None if self.me is None else self.standing.entrants.get(self.me)
        return known is not None and known.agrees

    @property
    def may_come(self) -> bool:
        """Whether the visitor can say that they are there."""
        if self.here or self.taken_out or self.tournament.closed_at or not self.user.is_authenticated:
            return False
        known = self.standing.entrants.get(self.user.pk)
        return self.invited or self.member is not None or (known is not None and known.guest)

    @cached_property
    def invited(self) -> bool:
        """Whether a steward has asked the visitor, who has not answered."""
        return self.user.is_authenticated and invitations.find(self.tournament, self.user) is not None

    @cached_property
    def asked(self) -> list[User]:
        """Those whom a steward has asked and who have not answered; only stewards read who."""
        return invitations.invited(self.tournament) if self.may else []

    @cached_property
    def shown(self) -> dict[int, PlayerShown]:
        """Everybody who was ever there."""
        return people_shown(self.standing.entrants)

    @cached_property
    def matches(self) -> dict[str, Match]:
        keys = [table.match for each in self.standing.rounds for table in each.tables]
        found = Match.objects.filter(key__in=keys).defer("secret", "link").seated() if keys else ()
        return {match.key: match for match in found}

    @cached_property
    def progress(self) -> Mapping[str, str]:
        """By key, how far each running game is."""
        running = [match for match in self.matches.values() if match.status == Match.Status.RUNNING]
        if not running:
            return {}
        moves = watching.moves_in(running, lambda face: face.progress_moves)
        return {
            match.key: face_of(match.rules).progress(match.places, match.options, moves[match.pk]) for match in running
        }

    @cached_property
    def reasons(self) -> dict[tuple[int, int], str]:
        """By round and table, why stewards have corrected results, or decided otherwise than was entered."""
        corrected = any(table.corrected for each in self.standing.rounds for table in each.tables)
        if not corrected and not self.tournament.at_table:
            return {}
        kinds = (TableCorrected.kind, TableFinished.kind)
        rows = self.tournament.log.filter(kind__in=kinds).exclude(reason="").order_by("number")
        return {(row.data["round"], row.data["table"]): row.reason for row in rows}

    @cached_property
    def typed(self) -> dict[tuple[int, int], TypedResult]:
        """By round and table, the results of real tables that wait to be confirmed."""
        if not self.tournament.at_table:
            return {}
        rows = self.tournament.typed.select_related("entered_by")
        return {(row.round, row.table): row for row in rows}

    @property
    def counts_first(self) -> int:
        """How many results that wait to be confirmed count when a steward begins the next round; 0 if one of them is
        disputed."""
        waiting = self.typed.values()
        return 0 if self.own_waits or any(each.disputed_by_id for each in waiting) else len(waiting)

    @property
    def own_waits(self) -> bool:
        """Whether a result that a steward has entered of their own table waits, and so the next round."""
        return self.may and any(each.entered_by_id == self.me for each in self.typed.values())

    @cached_property
    def said_alone(self) -> dict[tuple[int, int], str]:
        """By round and table, who alone has said a result that counts: they play there, and the others have no
        device."""
        named = {*self.tournament.named_guests.values_list("user", flat=True)} if self.tournament.at_table else set()
        said = self.tournament.log.filter(kind=TableFinished.kind, by__isnull=False) if named else ()
        found = {}
        for row in said:
            at = row.data["round"], row.data["table"]
            players = {*self.standing.rounds[at[0]].tables[at[1]].players}
            if row.by_id is not None and row.by_id in players and players - {row.by_id} <= named:
                found[at] = self.shown[row.by_id].name
        return found

    @cached_property
    def rounds(self) -> list[list[ShownTable]]:
        """The tables of each round, in order."""
        return [
            [self._table(number, index, table) for index, table in enumerate(each.tables)]
            for number, each in enumerate(self.standing.rounds)
        ]

    @property
    def tables(self) -> list[ShownTable]:
        """The tables of the last round, and those of earlier rounds at which people still play."""
        late = [table for each in self.rounds[:-1] for table in each if not table.table.over]
        return [*late, *(self.rounds[-1] if self.rounds else [])]

    @property
    def past(self) -> list[list[ShownTable]]:
        """The tables of the rounds before, the latest first."""
        return self.rounds[-2::-1]

    @property
    def mine(self) -> ShownTable | None:
        """The table at which the visitor plays now."""
        real = self.tournament.at_table
        return next((each for each in self.tables if each.mine and (each.match or real) and not each.table.over), None)

    @property
    def playing(self) -> int:
        return sum(not table.table.over for table in self.tables)

    @property
    def done(self) -> int:
        return sum(table.table.over for table in self.tables)

    @cached_property
    def rows(self) -> Sequence[tuple[ShownPlace, PlayerShown, str]]:
        """The table of the evening: row, player, points."""
        return [(row, self.shown[row.player], shown_points(row.points)) for row in placepoints.table(self.standing)]

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of those who have won, once it is over; nobody wins a league."""
        if self.standing.closed is None or self.tournament.kind == Tournament.Kind.BOXES:
            return ()
        return tuple(person.name for row, person, _points in self.rows if row.place == 1 and row.games)

    @cached_property
    def free(self) -> list[int]:
        """Who can be seated."""
        return evenings.free(self.standing)

    @property
    def seats_first(self) -> bool:
        """Whether the next thing to do is to begin a round: else the tables stand before that."""
        return not self.seating or not self.rounds or bool(self.free)

    @property
    def people(self) -> list[tuple[int, PlayerShown, bool, bool]]:
        """Who is there: id, name, whether they are no member of the club, whether they play."""
        busy, entrants = self.standing.busy, self.standing.entrants
        return [(player, self.shown[player], entrants[player].guest, player in busy) for player in self.standing.here]

    @property
    def terms(self) -> list[str]:
        """By what clock and rules the games are played, and whether they are rated."""
        game, options = self.tournament.rules, self.tournament.options
        name, rules = str(face_of(game).name), str(preset_of(game, options).label)
        if self.tournament.at_table:
            return [name, rules, _("at the real table")]
        rated = _("rated") if self.tournament.rated else _("casual")
        return [name, time_control(self.tournament.clock), rules, rated]

    def _table(self, number: int, index: int, table: RoundTable) -> ShownTable:
        match = self.matches.get(table.match)
        reason = self.reasons.get((number, index), "")
        if match is None:
            seats = len(table.players)
            players = [
                EveningSeat(
                    self.shown[player],
                    False,
                    place,
                    points,
                    player == self.me,
                    _("not on time") if player in table.late else "",
                )
                for player, place, points in zip_longest(table.players, table.places[:seats], table.points[:seats])
            ]
            opens = _("At the real table") if self.tournament.at_table else _("Opens in a moment")
            status = ended_as(table) if table.over else opens
            typed = self.typed.get((number, index))
            may = self.may or self.me in table.players
            return ShownTable(
                *(self._number(number, index), number, index, table, players, None, status, False, reason),
                typed=typed if may else None,
                enters=self.tournament.at_table and not table.over and may,
                said_alone=self.said_alone.get((number, index), ""),
            )
        running = match.status == Match.Status.RUNNING
        sitters = []
        for seat in match.sitting:
            sitters.append(
                EveningSeat(
                    person=seat.person,
                    turn=running and match.mover == seat.index,
                    place=table.places[seat.index] if table.places else None,
                    points=table.points[seat.index] if table.points else None,
                    me=seat.user_id is not None and seat.user_id == self.me,
                    reason=why(table, seat),
                )
            )
        if table.places:
            sitters.sort(key=lambda sitter: sitter.place or 0)
        watch = match.watch == Match.Watch.ANYBODY or self.member is not None or any(each.me for each in sitters)
        progress = self.progress.get(match.key) or match.get_status_display()
        status = ended_as(table) if table.over else progress
        until = match.deadline if running else None
        remains = "" if until is None else left(instant(until), self.now)
        name = self._number(number, index)
        return ShownTable(name, number, index, table, sitters, match, status, watch, reason, left=remains)

    def _number(self, number: int, index: int) -> int:
        """What the table with this index is called."""
        return index + 1


def why(table: RoundTable, seat: Seat) -> str:
    """What beside the points has decided the place of a seat, in words; empty if they tell it, and before the end."""
    if not table.places or table.corrected:
        return ""
    if seat.user_id in table.late:
        return _("not on time")
    if seat.left:
        return seat.get_left_display()
    if not table.points:
        return ""
    place, points = table.places[seat.index], table.points[seat.index]
    level = (index for index, each in enumerate(table.points) if each == points and index != seat.index)
    return _("tie-break") if any(table.places[index] > place for index in level) else ""


def ended_as(table: RoundTable) -> str:
    """How the game of a table has ended, in words."""
    if not table.match and table.late:
        return _("Not played")
    if table.late:
        return _("Decided by the clock")
    if not table.places:
        return _("Doesn’t count")
    return _("Finished · corrected") if table.corrected else _("Finished")


def at(slug: str, number: int) -> Tournament | None:
    """The tournament at an address."""
    if not clubs.SLUG.fullmatch(slug):
        return None
    return Tournament.objects.select_related("club", "calendar").filter(club__slug=slug, number=number).first()


def find(slug: str, number: int, user: Visitor) -> Tournament | None:
    """The tournament at an address, if the visitor may know of it: who knows the club does, who is invited, and guests
    who came, for a while."""
    found = at(slug, number)
    if found is None or not found.club.private or clubs.find(slug, user):
        return found
    over = found.closed_at is not None and found.closed_at + GUESTS_STAY < timezone.now()
    if over or not user.is_authenticated or found.club.expulsions.filter(user=user).exists():
        return None
    entrant = events.standing(found).entrants.get(user.pk)
    came = entrant is not None and entrant.guest
    return found if came or invitations.find(found, user) else None


def knows(match: Match, user: Visitor) -> bool:
    """Whether somebody may know of the tournament in which a match is played."""
    found = playing.of(match)
    return found is not None and find(found.club.slug, found.number, user) is not None


def evening(tournament: Tournament, user: Visitor, now: datetime) -> EventPage:
    """An evening as one person sees it."""
    return EventPage(tournament, events.standing(tournament), user, now, clubs.member(tournament.club, user))


def absent(shown: EventPage) -> list[User]:
    """The members of the club who are not there, and guests whom a steward has taken out."""
    out = [player for player, known in shown.standing.entrants.items() if known.guest and known.out]
    people = User.objects.filter(Q(memberships__club=shown.club) | Q(pk__in=out), is_active=True, closed=False)
    asked = [person.pk for person in shown.asked]
    return list(people.exclude(pk__in=[*shown.standing.here, *asked]).distinct().order_by("folded"))


def regions(shown: EventPage) -> dict[str, str]:
    """The changing parts of the page of an evening, as HTML, by id."""
    names = ("me", *(["seats"] if shown.seating else []), "tables", "places", "people")
    drawn = {f"evening-{name}": _region(name, shown) for name in names}
    return {"waits": pending.line(shown.user, shown.now, shown.tournament.get_absolute_url()), **drawn}


def wall(shown: EventPage) -> dict[str, str]:
    """The changing parts of the page on the wall, as HTML, by id. What does not fit takes turns."""
    turn = int(shown.now.timestamp()) // TURN_S
    tables, table_pages = paged(shown.tables, WALL_TABLES, turn)
    rows, row_pages = paged(shown.rows, WALL_ROWS, turn)
    size = next(name for most, name in WALL_SIZES if len(tables) <= most)
    drawn = {"tables": tables, "rows": rows, "turns": row_pages > 1 or table_pages > 1, "size": size}
    return {f"wall-{name}": _region(f"wall_{name}", shown, **drawn) for name in ("head", "tables", "places")}


def shown_points(points: float) -> str:
    """Points, as they are read: without a fraction where there is none."""
    return number(points, 2)


def paged(items: Sequence[T], size: int, turn: int) -> tuple[Sequence[T], int]:
    """The page whose turn it is, and how many there are."""
    pages = max(1, -(-len(items) // size))
    first = turn % pages * size
    return items[first : first + size], pages


def _region(name: str, shown: EventPage, **context: Any) -> str:
    return render_to_string(f"tournaments/{name}.html", {"evening": shown, "user": shown.user, **context})
