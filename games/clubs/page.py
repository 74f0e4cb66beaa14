"""The pages of clubs as one person sees them: a list of clubs, one club with its members, its ladder and its games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.clubs import closing, clubs
from accounts.models import Announcement, Asking, Club, Expulsion, Member, Right, User
from accounts.people import following
from accounts.web.requests import Visitor
from games.board import services as board
from games.board.models import Post
from games.calendar.models import CalendarEvent
from games.clubs import coming, members
from games.clubs.calendar import page as calendar
from games.clubs.coming import Coming
from games.clubs.members import Fellow
from games.faces.registry import face_of
from games.ladders import opening
from games.ladders.models import Ladder, TableResult
from games.ladders.pages import ladder as ladder_page
from games.ladders.pages import several
from games.ladders.pages.results import Result, game_of, latest, names_of, shown_results
from games.ladders.pages.several import OnLadder
from games.ladders.payloads import GAME_KINDS
from games.ladders.standing import Standing
from games.ladders.words.events import put
from games.lobby.page import OpenMatch, open_matches_for
from games.matches.clocks import instant, ms_of
from games.matches.models import Match, Seat
from games.tournaments import shown
from games.tournaments.models import Tournament, TypedResult

CLUBS = 100
"""The number of clubs in the list; to find others, people search."""
TOP = 3
"""The number of rungs of the top of the ladder, beside those around the visitor, ..."""
NEXT = 6
"""... of what comes next, ..."""
GAMES = 5
"""... of games that are played, and that have ended, ..."""
NIGHTS = 3
"""... of nights and tournaments that have ended, ..."""
NEWS = 3
"""... and of announcements and of posts on the first page of a club."""
LONG_IDLE = timedelta(days=21)
"""Stewards read how many members have not played for so long, ..."""
SEASON_ENDS = timedelta(days=14)
"""... and, so long before, that the season ends."""


@dataclass(frozen=True)
class ListedClub:
    """A club in a list."""

    club: Club
    members: int
    role: str = ""
    """The visitor's role."""
    ladders: tuple[OnLadder, ...] = ()
    """Its ladders: if there are several, those on which the visitor stands."""


class TopRung(NamedTuple):
    """A rung of the ladder."""

    fellow: Fellow
    gap: bool
    """Whether rungs before it are left out."""


class Ended(NamedTuple):
    """A game for the ladder that has ended, or a night or tournament: one of both."""

    at: datetime
    result: Result | None = None
    tournament: Tournament | None = None
    winners: tuple[str, ...] = ()
    """Who has won the tournament; nobody in a league."""


class NowPlayed(NamedTuple):
    """A game that is being played."""

    match: Match
    names: tuple[str, ...]
    mine: bool
    """Whether the visitor plays it."""


class Todo(NamedTuple):
    """What a steward has to do, in a few words."""

    text: str
    address: str


@dataclass(frozen=True)
class Home:
    """The first page of a club."""

    club: Club
    ladder: Ladder
    """Its first open ladder, ..."""
    standing: Standing
    """... how that stands, ..."""
    ladders: list[OnLadder]
    """... and all open ones."""
    member: Member | None
    asking: Asking | None
    """The visitor's request to join or (with `by`) invitation."""
    expulsion: Expulsion | None
    again: datetime | None
    """When the visitor may ask to join again, if their request was rejected."""
    members: int
    online: int
    """How many of the others are online, as far as the visitor may know."""
    games: list[str]
    """What is played."""
    stewards: list[str]
    announcements: list[Announcement]
    posts: list[Post]
    """The last ones on the board, for members."""
    meets: CalendarEvent | None
    """The next meeting or night."""
    coming: list[Coming]
    todos: list[Todo]
    rungs: list[TopRung]
    """The top of the ladder, and those around the visitor."""
    moved: int
    """How many rungs the visitor has gained lately; less than 0: lost."""
    season_ends: str
    """In how many days the season ends, in words; empty if none is running."""
    lately: list[Ended]
    playing: list[NowPlayed]
    tables: list[OpenMatch]
    """The open tables for members only."""

    @property
    def steward(self) -> bool:
        return Right.CLUB in self.may

    @property
    def may(self) -> tuple[Right, ...]:
        """What the visitor may do for the club."""
        return self.member.may if self.member else ()

    @property
    def reopens(self) -> datetime | None:
        """Until when the visitor can open the closed club again; None if they cannot."""
        if self.club.closed_at is None or self.member is None or not closing.opens(self.club, self.member.user):
            return None
        until = closing.opens_until(self.club)
        return until if timezone.now() < until else None

    @property
    def here(self) -> bool:
        """Whether the visitor is at a night, and led from the page to their table."""
        return any(each.here for each in self.coming)

    @property
    def indispensable(self) -> bool:
        """Whether the visitor is the only steward, so that they cannot leave the others."""
        return self.steward and len(self.stewards) == 1 and self.members > 1 and self.club.closed_at is None

    @property
    def founding(self) -> bool:
        """Whether to show the first steps: the visitor is a steward, and no season has begun."""
        return self.steward and not self.standing.season

    @property
    def several(self) -> bool:
        """Whether the club has several open ladders."""
        return len(self.ladders) > 1

    @property
    def climbing(self) -> bool:
        """Whether the ladder has enough players for a game."""
        return len(self.standing.order) > 1

    @property
    def position(self) -> int | None:
        """The visitor's rung, if the club has one ladder."""
        return self.standing.position(self.member.user_id) if self.member and not self.several else None

    @property
    def last_game(self) -> datetime | None:
        """When the last game for a ladder ended that the visitor may know of; None if there is none lately."""
        return next((each.at for each in self.lately if each.result), None)

    @property
    def lost(self) -> int:
        """How many rungs the visitor has lost lately."""
        return max(0, -self.moved)

    @property
    def climbs(self) -> bool:
        """Whether the visitor belongs to the ladder, even if taken off it for now."""
        return self.member is not None and self.member.user_id in self.standing.players


def mine(user: Visitor) -> list[ListedClub]:
    """The clubs of a person, with their rungs on the ladders."""
    if not user.is_authenticated:
        return []
    rows = Member.objects.filter(user=user).select_related("club").order_by("club__name", "club")
    ladders: dict[int, list[OnLadder]] = defaultdict(list)
    for ladder in Ladder.objects.filter(club__in=[row.club_id for row in rows], closed_at=None).order_by("number"):
        ladders[ladder.club_id].append(several.shown(ladder, ladder.now_standing(), user, {}))
    sizes = dict(
        Member.objects.filter(club__in=[row.club_id for row in rows]).values_list("club").annotate(n=Count("pk"))
    )
    entries = []
    for row in rows:
        found = ladders[row.club_id]
        shown = found if len(found) == 1 else [each for each in found if each.position]
        for each in shown:
            each.ladder.club = row.club
        entries.append(ListedClub(row.club, sizes[row.club_id], row.role, tuple(shown)))
    return entries


def public(wanted: str) -> tuple[list[ListedClub], bool]:
    """The clubs that everybody sees, largest first, and whether there are more; `wanted`: part of the name."""
    found = Club.objects.filter(private=False, closed_at=None).annotate(n=Count("members")).filter(n__gt=0)
    if wanted := wanted.replace("\0", "").strip():
        found = found.filter(Q(name__icontains=wanted) | Q(slug__icontains=wanted))
    rows = list(found.order_by("-n", "name", "pk")[: CLUBS + 1])
    return [ListedClub(club, club.n) for club in rows[:CLUBS]], len(rows) > CLUBS


def home(club: Club, user: Visitor, now: datetime) -> Home:
    """The first page of a club for one person."""
    ladders = {ladder.pk: ladder for ladder in opening.open_of(club)}
    standings = {pk: ladder.now_standing() for pk, ladder in ladders.items()}
    ladder = next(iter(ladders.values()))
    standing = standings[ladder.pk]
    member = clubs.member(club, user)
    people = list(club.members.values_list("user", flat=True))
    next_ones = coming.of_club(club, user, member is not None, now, NEXT)
    ends = instant(standing.ends) if standing.ends is not None and standing.ends > ms_of(now) else None
    moved = ladder_page.movements(ladder, now).get(member.user_id) if member else None
    return Home(
        club=club,
        ladder=ladder,
        standing=standing,
        ladders=several_ladders(ladders, standings, user),
        member=member,
        asking=club.askings.filter(user=user).select_related("by").first() if user.is_authenticated else None,
        expulsion=club.expulsions.filter(user=user).first() if user.is_authenticated else None,
        again=clubs.rejection(club, user, now) if member is None and club.joining == Club.Joining.APPROVAL else None,
        members=len(people),
        online=len(following.here(user, people)),
        games=[str(face_of(rules).name) for rules in dict.fromkeys(each.game_rules for each in ladders.values())],
        stewards=list(
            club.members.filter(role=Member.Role.STEWARD)
            .order_by("joined_at", "pk")
            .values_list("user__username", flat=True)
        ),
        announcements=announcements(club, all_of_them=member is not None)[:NEWS],
        posts=list(board.posts(club, member.user_id)[:NEWS]) if member and club.closed_at is None else [],
        meets=calendar.next_meeting(club, member is not None, now),
        coming=next_ones,
        todos=todos(club, member, ladders.values(), standing, now) if member else [],
        rungs=rungs(club, standing, user),
        moved=moved or 0,
        season_ends=ladder_page.days_to(ends, now) if ends else "",
        lately=lately(club, ladders.values(), user, member, now),
        playing=playing(club, user, member is not None),
        tables=open_matches_for(user, club) if member else [],
    )


def several_ladders(ladders: dict[int, Ladder], standings: dict[int, Standing], user: Visitor) -> list[OnLadder]:
    """The open ladders in a list."""
    names = names_of(several.leaders(standings.values())) if len(ladders) > 1 else {}
    return [several.shown(each, standings[pk], user, names) for pk, each in ladders.items()]


def rungs(club: Club, standing: Standing, user: Visitor) -> list[TopRung]:
    """The top of the ladder, and the rungs around the visitor's."""
    mine = standing.position(user.pk) if user.is_authenticated else None
    wanted = {*range(1, TOP + 1), *(range(mine - 1, mine + 2) if mine else range(TOP, TOP + 3))}
    shown = [player for place, player in enumerate(standing.order, 1) if place in wanted]
    found = members.fellows(club.members.filter(user__in=shown).select_related("user"), standing)
    places = [0, *(each.position or 0 for each in found)]
    return [TopRung(each, place > before + 1) for each, before, place in zip(found, places, places[1:], strict=False)]


def todos(club: Club, member: Member, ladders: Iterable[Ladder], standing: Standing, now: datetime) -> list[Todo]:
    """What a steward with these rights has to do, most urgent first."""
    told = []
    people, climb = Right.PEOPLE in member.may, Right.LADDER in member.may
    if people and (many := club.askings.filter(by=None).count()):
        text = ngettext("%(n)d request to join", "%(n)d requests to join", many) % {"n": many}
        told.append(Todo(text, club.address("club_desk")))
    if climb:
        disputed = TableResult.objects.filter(ladder__in=list(ladders), status__in=TableResult.DECIDED)
        if disputes := list(disputed.select_related("ladder").order_by("until", "pk")):
            disputes[0].ladder.club = club
            many = len(disputes)
            text = ngettext("%(n)d result to decide", "%(n)d results to decide", many) % {"n": many}
            told.append(Todo(text, disputes[0].get_absolute_url()))
    if Right.EVENTS in member.may:
        typed = TypedResult.objects.filter(tournament__club=club).exclude(disputed_by=None)
        if found := list(typed.select_related("tournament").order_by("entered_at", "pk")):
            found[0].tournament.club = club
            told.append(
                Todo(
                    ngettext("%(n)d result of an event to decide", "%(n)d results of events to decide", len(found))
                    % {"n": len(found)},
                    found[0].get_absolute_url(),
                )
            )
    if people or climb:
        rows = list(club.members.all())
        last = members.last_games(club, [row.user_id for row in rows])
        if many := sum(members.idle(row, last.get(row.user_id), now, LONG_IDLE) for row in rows):
            text = ngettext("%(n)d hasn’t played for 3 weeks", "%(n)d haven’t played for 3 weeks", many) % {"n": many}
            told.append(Todo(text, f"{club.address('club_members')}?sort=played"))
    if climb and standing.ends is not None and now < instant(standing.ends) <= now + SEASON_ENDS:
        text = _("the season ends %(when)s") % {"when": ladder_page.days_to(instant(standing.ends), now)}
        told.append(Todo(text, next(iter(ladders)).address("ladder_desk_season")))
    return told


def lately(club: Club, ladders: Iterable[Ladder], user: Visitor, member: Member | None, now: datetime) -> list[Ended]:
    """The last games for the ladders, and the last nights and tournaments with their winners, newest first."""
    games = latest(ladders, GAMES, kind__in=GAME_KINDS)
    results = shown_results(games, names_of({player for event in games for player in game_of(event).players}))
    found = [Ended(result.event.at, result=result) for result in results]
    over = list(club.tournaments.exclude(closed_at=None).order_by("-closed_at", "-pk")[:NIGHTS])
    for tournament in over:
        tournament.club = club
    for page in shown.all_shown(over, user, now, member):
        if page.tournament.closed_at and page.standing.rounds:
            found.append(Ended(page.tournament.closed_at, tournament=page.tournament, winners=page.winners))
    return sorted(found, key=lambda each: each.at, reverse=True)


def playing(club: Club, user: Visitor, member: bool) -> list[NowPlayed]:
    """The games of the club that are being played and that the visitor may watch, the latest first."""
    found = Match.objects.filter(club=club, status=Match.Status.RUNNING, hidden=False, beginning__isnull=True)
    watched = [Match.Watch.ANYBODY, *([Match.Watch.CLUB] if member else [])]
    may = Q(watch__in=watched)
    if user.is_authenticated:
        may |= Q(pk__in=Seat.objects.filter(user=user, left="", match__status=Match.Status.RUNNING).values("match"))
    rows = found.filter(may).defer("secret", "link").seated().order_by("-started_at", "-pk")[:GAMES]
    return [
        NowPlayed(
            match,
            tuple(seat.shown_name for seat in match.sitting),
            any(seat.user_id == user.pk for seat in match.sitting if seat.user_id),
        )
        for match in rows
    ]


def announcements(club: Club, *, all_of_them: bool) -> list[Announcement]:
    """The announcements of a club, newest first: for its members all of them, for others those that everybody reads."""
    found = club.announcements.select_related("by").order_by("-at", "-pk")
    return list((found if all_of_them else found.filter(public=True))[:50])


def invites(club: Club, by: User | None) -> SafeString:
    """The sentence by which a link invites to a club. It names the steward who sent it, unless the club is private:
    only its members learn who belongs to it."""
    many = club.members.count()
    if by and not club.private and clubs.is_steward(club, by):
        text = ngettext(
            "%(name)s invites you to this club with %(n)d member.",
            "%(name)s invites you to this club with %(n)d members.",
            many,
        )
        return put(text, name=format_html("<bdi>{}</bdi>", by.username), n=many)
    text = ngettext(
        "You’re invited to this club with %(n)d member.", "You’re invited to this club with %(n)d members.", many
    )
    return put(text, n=many)
