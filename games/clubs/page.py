"""The pages of clubs as one person sees them: a list of clubs, one club with its members, its ladder and its games."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Q
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from accounts.clubs import clubs
from accounts.models import Announcement, Asking, Club, Expulsion, Member, Right, User
from accounts.web.requests import Visitor
from games.clubs import members
from games.clubs.calendar import page as dates
from games.clubs.calendar.page import ShownDate
from games.clubs.members import Fellow
from games.ladders import opening
from games.ladders.challenging import Situation
from games.ladders.models import Challenge, Ladder
from games.ladders.pages import challenge, several
from games.ladders.pages.challenge import ChallengeLine
from games.ladders.pages.results import Result, game_of, latest, names_of, shown_results
from games.ladders.pages.several import OnLadder
from games.ladders.payloads import GAME_KINDS
from games.ladders.standing import Standing
from games.ladders.words.events import put
from games.lobby.page import OpenMatch, open_matches_for
from games.matches.clocks import ms_of
from games.tournaments import events as evenings
from games.tournaments.models import Tournament

CLUBS = 100
"""The number of clubs in the list; to find others, people search."""
TOP = 5
"""The number of rungs of the ladder ..."""
GAMES = 6
"""... of games ..."""
DATES = 3
"""... of dates to come ..."""
NEWS = 3
"""... and of announcements on the first page of a club."""


@dataclass(frozen=True)
class ListedClub:
    """A club in a list."""

    club: Club
    members: int
    role: str = ""
    """The visitor's role."""
    ladders: tuple[OnLadder, ...] = ()
    """Its ladders: if there are several, those on which the visitor stands."""


class Tonight(NamedTuple):
    """An evening that goes on."""

    evening: Tournament
    here: int
    """How many people are there."""
    joined: bool
    """Whether the visitor is."""
    rounds: int


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
    stewards: list[str]
    announcements: list[Announcement]
    dates: list[ShownDate]
    """The next dates."""
    top: list[Fellow]
    """The top of the ladder, and the visitor if they stand further down."""
    running: list[ChallengeLine]
    results: list[Result]
    tonight: list[Tonight]
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
    def joined(self) -> bool:
        """Whether the visitor is at an evening that goes on."""
        return any(each.joined for each in self.tonight)

    @property
    def indispensable(self) -> bool:
        """Whether the visitor is the only steward, so that they cannot leave the others."""
        return self.steward and len(self.stewards) == 1 and self.members > 1

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
    found = Club.objects.filter(private=False).annotate(n=Count("members")).filter(n__gt=0)
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
    events = latest(ladders.values(), GAMES, kind__in=GAME_KINDS)
    players = {player for event in events for player in game_of(event).players}
    names = names_of(players | several.leaders(standings.values()))
    going_on = (Challenge.Status.PLAYING, Challenge.Status.AGREED)
    playing = Challenge.objects.filter(ladder__in=ladders, status__in=going_on).order_by("-agreed_at")[:GAMES]
    running = list(challenge.with_players(playing))
    for each in running:
        each.ladder = ladders[each.ladder_id]
    member = clubs.member(club, user)
    shown = {*standing.order[:TOP], *(player for player in standing.order if player == user.pk)}
    top = club.members.filter(user__in=shown).select_related("user")
    return Home(
        club=club,
        ladder=ladder,
        standing=standing,
        ladders=[several.shown(each, standings[pk], user, names) for pk, each in ladders.items()],
        member=member,
        asking=club.askings.filter(user=user).select_related("by").first() if user.is_authenticated else None,
        expulsion=club.expulsions.filter(user=user).first() if user.is_authenticated else None,
        again=clubs.rejection(club, user, now) if member is None and club.joining == Club.Joining.APPROVAL else None,
        members=club.members.count(),
        stewards=list(
            club.members.filter(role=Member.Role.STEWARD)
            .order_by("joined_at", "pk")
            .values_list("user__username", flat=True)
        ),
        announcements=announcements(club, all_of_them=member is not None)[:NEWS],
        dates=dates.coming(club, user, member is not None, now, DATES),
        top=members.fellows(top, standing),
        running=[
            challenge.line(each, Situation(standings[each.ladder_id], (), ms_of(now)), user, now) for each in running
        ],
        results=shown_results(events, names),
        tonight=tonight(club, user),
        tables=open_matches_for(user, club) if member else [],
    )


def tonight(club: Club, user: Visitor) -> list[Tonight]:
    """The evenings of a club that go on."""
    going_on = list(club.tournaments.filter(kind=Tournament.Kind.EVENING, closed_at=None).order_by("-number"))
    standings = evenings.standings(going_on)
    found = []
    for evening in going_on:
        evening.club, standing = club, standings[evening.pk]
        found.append(Tonight(evening, len(standing.here), user.pk in standing.here, len(standing.rounds)))
    return found


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
