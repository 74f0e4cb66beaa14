"""The lobby as one person sees it: their own matches, the open ones, the searches for quick matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import F, Q
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.career.lines import ArchiveLine, lines
from accounts.models import ArchivedMatch, Block, Club, Member, User
from accounts.people import following
from accounts.shown import PlayerShown
from accounts.web.requests import Visitor, whole
from games.engine.core import Game
from games.engine.registry import title, titles
from games.faces import levels
from games.faces.registry import face_of, preset_of, rules_address, tags_of, terms_of
from games.lobby import pending, watching
from games.lobby.forms import read_bot, read_game, sizes
from games.lobby.open_matches import IDLE, kept
from games.lobby.times import left, length, time_control
from games.matches import access, chat, clocks, history, shuffle
from games.matches.access import find, may_see
from games.matches.models import Match, Seat, Seek

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LOBBY = "/play"
"""The address of the lobby."""
OPEN_MATCHES = 50
"""The number of open matches in the lobby's list."""
WATCHED_MATCHES = 5
"""The number of running matches in the lobby's list."""
QUESTIONS = 3
"""Of so many games the list says what is asked; the others only that it is their player's turn."""
LAST_GAMES = 3
"""The number of games that have ended in the lobby's list."""


@dataclass(frozen=True)
class OpenMatch:
    """A match that has not begun, as one person sees it."""

    match: Match
    time: str
    length: str
    """About how long it will take; empty without a live clock."""
    preset: str
    tags: list[str]
    terms: list[str]
    me: Seat | None
    hosting: bool
    kept: list[str] = field(default_factory=list)
    """The names of those who are challenged and have not answered, for whom the first free seats are kept."""
    challenged: bool = False
    """Whether this person is challenged to it, and has not answered yet."""
    members_only: bool = False
    """Whether only members of its club may sit down, of whom this person is none."""
    step: str = ""
    """What the browser of this person has to give to the shuffle next: "ahead", "seal", "open" or nothing."""
    seals: str = ""
    """Once they are public: the seals by seat, with commas between them."""

    @property
    def shuffling(self) -> bool:
        """Whether all seats are taken, and the match begins in a moment."""
        return self.match.status == Match.Status.SHUFFLING

    @property
    def host(self) -> PlayerShown | None:
        return next((seat.occupant for seat in self.match.sitting if seat.user_id == self.match.host_id), None)

    @property
    def starts(self) -> bool:
        """Whether the game starts as soon as somebody takes the free seat."""
        last = self.free == 1 and not self.kept and not self.shuffling and not self.match.listed
        return last and all(seat.ready for seat in self.match.sitting if seat.shown_name)

    @property
    def stands_min(self) -> int:
        """How many minutes an open table stands in which nothing happens."""
        return int(IDLE[Match.Pace(self.match.pace)].total_seconds()) // 60

    @property
    def only(self) -> str:
        """The name of the one person for whom all free places are kept, if there is one."""
        return "" if self.free or self.match.agreed or len(self.kept) != 1 else self.kept[0]

    @property
    def seated(self) -> int:
        return sum(bool(seat.shown_name) for seat in self.match.sitting)

    @property
    def free(self) -> int:
        return self.match.places - self.seated - len(self.kept)

    @property
    def places(self) -> list[tuple[int, Seat, str, str]]:
        """The seats in order: how many places after this person's own, or after the first one, each stands round the
        table; for whom it is kept; and what a bot there is called."""
        first, names = self.me.index if self.me else 0, iter(self.kept)
        return [
            (
                (seat.index - first) % self.match.places,
                seat,
                "" if seat.shown_name else next(names, ""),
                levels.bot_label(seat.bot) if seat.bot else "",
            )
            for seat in self.match.sitting
        ]

    @property
    def next(self) -> Seat | None:
        """The free seat that is taken next."""
        return next((seat for seat in self.match.sitting if not seat.shown_name), None)

    @property
    def levels(self) -> dict[str, str]:
        """The bots between which the host can choose, by name, with their level; empty if there is no choice."""
        return levels.choice(self.match.rules) if self.match.places in self.match.rules.level_seats else {}

    @property
    def alone(self) -> bool:
        """Whether nobody but this person and bots has a seat."""
        return all(seat == self.me or not seat.user_id for seat in self.match.sitting)

    @property
    def leaves(self) -> bool:
        """Whether this person may give up their seat: at a table that was agreed on if nobody else is ready, at one to
        which they are called if they have not said yes to the game."""
        if self.match.called:
            return bool(self.me and not self.me.confirmed)
        return not (self.match.agreed and any(seat.ready and seat != self.me for seat in self.match.sitting))

    @property
    def invitation(self) -> bool:
        """Whether it is a rematch that this person has not agreed to yet."""
        return bool(self.match.rematch_of_id and self.me and not self.me.ready)


@dataclass(frozen=True)
class OwnMatch:
    """One of a person's own matches."""

    match: Match
    turn: bool
    """Whether it is their turn."""
    deserted: bool
    """Whether they have left, and a bot plays for them."""
    invitation: bool
    others: list[str]
    tags: list[str]
    """Its rules in a word or two."""
    asked: str
    """The name of the player whose turn it is; empty before the beginning."""
    deadline: datetime | None
    left: str
    """The time until then, in words."""
    time: str
    progress: str = ""
    free: int = 0
    picture: str = ""
    """The game from afar, as HTML."""
    question: str = ""
    """What they are asked, in a few words; of the first few."""

    @property
    def open(self) -> bool:
        """Whether it has yet to begin."""
        return self.match.status != Match.Status.RUNNING

    @property
    def waits(self) -> bool:
        """Whether something is expected of them."""
        return self.turn or self.invitation


def open_matches_for(user: Visitor, club: Club | None = None) -> list[OpenMatch]:
    """The open matches with free seats, youngest first, without those of people whom `user` does not meet, and of clubs
    to which they do not belong. `club`: only those of its members."""
    free = Seat.objects.filter(user=None, bot="").values("match")
    found = Match.objects.filter(status=Match.Status.OPEN, listed=True, rematch_of=None, pk__in=free)
    if user.is_authenticated:
        found = found.exclude(host__in=Block.objects.filter(user=user).values("blocked"))
        found = found.exclude(host__in=Block.objects.filter(blocked=user).values("user"))
    # Nobody who is not signed in is a member of anything.
    found = found.filter(Q(club=None) | Q(club__in=Member.objects.filter(user=user.pk).values("club")))
    if club:
        found = found.filter(club=club)
    found = found.select_related("club").defer("secret", "link").seated().prefetch_related("seats__user__ratings")
    return [open_match(match, user) for match in found.order_by("-created_at", "-pk")[:OPEN_MATCHES]]


def open_match(match: Match, user: Visitor) -> OpenMatch:
    """An open match as `user` sees it."""
    me = access.seat_of(match, user)
    return OpenMatch(
        match=match,
        time=time_control(match.clock),
        length=length(match.clock, match.places),
        preset=str(preset_of(match.rules, match.options).label),
        tags=tags_of(match.rules, match.places, match.options),
        terms=terms_of(match.rules, match.places, match.options),
        me=me,
        hosting=user.is_authenticated and match.host_id == user.pk,
        step=step(match, me) if me else "",
        seals=",".join(seat.seal for seat in match.sitting) if match.sealed_at else "",
    )


def step(match: Match, seat: Seat) -> str:
    """What the browser of a seat has to give to the shuffle next."""
    if match.status == Match.Status.OPEN:
        return "" if seat.share_from else "ahead"
    if shuffle.awaits_seal(match, seat):
        return "seal"
    return "open" if shuffle.awaits_opening(match, seat) else ""


def own_matches(user: Visitor, now: datetime) -> list[OwnMatch]:
    """The matches of `user`: first those where it is their turn, then invitations; among equals the nearest deadline.

    Matches that a bot plays for them stay in the list until they end: they still count for them.
    """
    if not user.is_authenticated:
        return []
    mine = Seat.objects.filter(user=user).values("match")
    alive = Match.objects.filter(pk__in=mine, status__in=Match.ALIVE)
    matches = list(alive.defer("link").seated())
    running = [match for match in matches if match.status == Match.Status.RUNNING]
    moves = watching.moves_in(running, lambda face: (*face.progress_moves, *face.picture_moves))
    own = [_own_match(match, user, now, moves[match.pk]) for match in matches]
    own.sort(key=lambda t: (not t.turn, not t.invitation, t.open, t.deadline is None, t.deadline or now))
    asked = [replace(each, question=_question(each.match)) if each.turn else each for each in own[:QUESTIONS]]
    return [*asked, *own[QUESTIONS:]]


def _question(match: Match) -> str:
    """What a match asks the player whose turn it is, from what they see."""
    view = history.replay(match).view(match.ply, match.mover)
    return face_of(match.rules).question(view)


class LastGame(NamedTuple):
    """A game of somebody's that has ended."""

    line: ArchiveLine
    said: str
    """How it went, and against whom: `Lost to Bede`."""


def last_games(user: Visitor) -> list[LastGame]:
    """The games of `user` that ended last, the latest first."""
    if not user.is_authenticated:
        return []
    rows = ArchivedMatch.objects.filter(user=user).order_by("-ended_at", "-pk")[:LAST_GAMES]
    return [LastGame(line, _outcome(line)) for line in lines(rows, user)]


def _outcome(line: ArchiveLine) -> str:
    row = line.row
    words = {"names": ", ".join(rival.name for rival in line.rivals), "place": row.place, "seats": row.seats}
    if row.seats == 1:
        if row.ended:
            return _("Given up alone")
        return _("Won alone") if row.won else _("Lost alone")
    if row.won:
        return _("Won against %(names)s") % words
    if row.seats == 2:
        return _("Lost to %(names)s") % words
    return _("Place %(place)d of %(seats)d, with %(names)s") % words


def _own_match(match: Match, user: User, now: datetime, moves: list[str]) -> OwnMatch:
    seats, face = match.sitting, face_of(match.rules)
    mine = next(seat for seat in seats if seat.user_id == user.pk)
    running = match.status == Match.Status.RUNNING
    asked = seats[match.mover] if running and match.mover is not None else None
    deadline = None
    if asked and match.asked_at:
        until = clocks.deadline(match.clock, clocks.ms_of(match.asked_at), asked.bank_ms)
        deadline = None if until is None or asked.plays_itself else clocks.instant(until)
    return OwnMatch(
        match=match,
        turn=asked is mine and not mine.left,
        deserted=bool(mine.left),
        invitation=not running and match.rematch_of_id is not None and not mine.ready,
        others=[seat.shown_name for seat in seats if seat is not mine and (seat.user_id or seat.bot)],
        tags=tags_of(match.rules, match.places, match.options),
        asked=asked.shown_name if asked else "",
        deadline=deadline,
        left=left(deadline, now) if deadline else "",
        time=time_control(match.clock),
        progress=face.progress(match.places, match.options, moves) if running else "",
        free=sum(not seat.user_id and not seat.bot for seat in seats),
        picture=face.picture(match.options, moves) if running else "",
    )


def waiting(user: Visitor) -> int:
    """The number of games that wait for `user`: for an answer, or for a yes to a rematch."""
    if not user.is_authenticated:
        return 0
    asked = Q(match__status=Match.Status.RUNNING, match__mover=F("index"))
    invited = Q(match__status=Match.Status.OPEN, match__rematch_of__isnull=False, ready=False)
    invited |= Q(match__in=Match.objects.filter(Match.CALLED), ready=False)
    # From the few running matches to their seats: busy players have many seats.
    alive = Match.objects.filter(status__in=(Match.Status.OPEN, Match.Status.RUNNING))
    return Seat.objects.filter(asked | invited, match__in=alive, user=user, left="").count()


def begun(user: Visitor, since: datetime, table: str = "", event: str = "") -> Match | None:
    """A match of `user` that is being shuffled, or has begun since then, and does not wait for days; or to which they
    have been called since then.

    That is where they should go now. `table`: where they are; nobody is led away from a live game that they play.
    `event`: the page of a club on which they are; anywhere else nobody is led to a game to which they have not said
    yes.
    """
    if not user.is_authenticated:
        return None
    here = Match.objects.filter(key=table, status=Match.Status.RUNNING, pace=Match.Pace.LIVE)
    if table.isalnum() and here.filter(seats__user=user, seats__left="").exists():
        return None
    lately = Q(status=Match.Status.SHUFFLING) | Q(status=Match.Status.RUNNING, started_at__gt=since)
    lately |= Match.CALLED & Q(asked_at__gt=since)
    mine = Seat.objects.filter(Q(confirmed=True) | Q(match__agreed=event), user=user, left="")
    begun = Match.objects.filter(lately, seats__in=mine)
    return begun.exclude(pace=Match.Pace.DAILY).order_by("-pk").first()


def running_game(user: User) -> Match | None:
    """The match that `user` is playing, if any."""
    return Match.objects.seated().filter(seats__user=user, seats__left="", status__in=Match.UNDER_WAY).first()


class Difficulty(NamedTuple):
    """A difficulty of a game alone."""

    level: int
    about: StrOrPromise
    """What it means, in a sentence; empty if there is one level only."""
    usual: bool


class QuickTitle(NamedTuple):
    """One of the titles between which one chooses."""

    slug: str
    name: StrOrPromise
    waiting: int
    """How many people wait for a quick match of it."""
    chosen: bool


@dataclass(frozen=True)
class Quick:
    """What one person can begin at once."""

    seek: Seek | None
    """Their own search for a quick match, if they wait."""
    titles: list[QuickTitle]
    game: Game
    """The title chosen among them: all that follows is of it."""
    waiting: list[tuple[int, int]]
    """For each number of players at which games are rated, how many people wait."""
    bots: list[tuple[int, int]]
    """The numbers of bots that one can play against, each after the number of players that makes."""
    levels: dict[str, str]
    """The bots between which one can choose, by name, with their level; empty if there is no choice."""
    only: str
    """For which numbers of players these are, if not for all."""
    bot: str
    """The one chosen among them."""
    alone: StrOrPromise
    """What a game of one player is; empty if there is none."""
    difficulties: list[Difficulty]
    running: Match | None
    """The game that a guest still plays, and without an account plays no other beside it."""


def quick(user: Visitor, game: Game, bot: str = "") -> Quick:
    """The searches for quick matches, and what can be played without other people, of one title. `bot`: the one that is
    proposed, by default the usual one."""
    seeks = list(Seek.objects.all())
    mine = next((seek for seek in seeks if user.is_authenticated and seek.user_id == user.pk), None)
    count = Counter((seek.game, seek.places) for seek in seeks)
    of_each = Counter(seek.game for seek in seeks)
    face = face_of(game)
    meaning = face.choices.get(game.difficulty)
    return Quick(
        mine,
        [QuickTitle(each.slug, face_of(each).name, of_each[each.slug], each == game) for each in titles()],
        game,
        [(places, count[game.slug, places]) for places in game.seats if game.pool(places)],
        [(places, places - 1) for places in sizes(game)],
        levels.choice(game),
        levels.only(game),
        bot or game.bot,
        face.alone,
        [
            Difficulty(level, meaning.explanation[level] if meaning else "", level == face.usual_level)
            for level in game.levels
        ],
        running_game(user) if user.is_authenticated and user.guest else None,
    )


def seek_of(user: Visitor) -> Seek | None:
    """The search of `user` for a quick match, if any."""
    return Seek.objects.filter(user=user.pk).first()


def regions(user: Visitor, now: datetime, game: Game, bot: str = "") -> dict[str, str]:
    """The changing parts of the lobby, as HTML, by id. `game`: the title of which one can begin something at once;
    `bot`: the one that is proposed for it, by default the usual one."""
    mine = own_matches(user, now)
    followed = following.followed(user) if user.is_authenticated and not user.guest else []
    online = [each for each in followed if each.online]
    return {
        "waits": pending.strip(user, now, page=LOBBY),
        "online": _region("online", online=online, follows=bool(followed)),
        "own-matches": _region("own_matches", games=mine, user=user),
        "quick": _region("quick", quick=quick(user, game, bot), user=user),
        "open-matches": _region("open_matches", games=open_matches_for(user), user=user),
        "watched-matches": _region(
            "watched_matches", games=watching.running(WATCHED_MATCHES, without=user.pk), user=user
        ),
    }


def room_regions(match: Match, user: Visitor) -> dict[str, str]:
    """The changing parts of a waiting room, as HTML, by id."""
    room = open_match(match, user)
    lines = chat.heard(match, user)
    if room.free and match.status == Match.Status.OPEN:
        people = kept(match)
        names = [*people.values()][: room.free]
        challenged, members_only = not room.me and user.pk in people, not room.me and strange(match, user)
        room = replace(room, kept=names, challenged=challenged, members_only=members_only)
    return {
        "room": _region("room", room=room, user=user),
        "terms": _region("terms", room=room, rules=rules_address(match.rules)),
        "shuffle": _region("shuffle", room=room),
        "talk": _region("talk", match=match, seat=access.seat_of(match, user), lines=lines),
    }


def strange(match: Match, user: Visitor) -> bool:
    """Whether a table is for the members of a club to which a person does not belong."""
    if match.club_id is None or match.agreed:
        return False
    return not (user.is_authenticated and Member.objects.filter(club=match.club_id, user=user).exists())


class Asked(NamedTuple):
    """What a page of the lobby, or of a room, says of itself when it asks for news."""

    room: str
    """The key of the match whose room it is; empty for the lobby."""
    since: datetime
    """When it was made."""
    game: Game
    """The title that it shows ..."""
    bot: str
    """... and the bot that it proposes."""
    seeking: bool
    """Whether it shows nothing of the lobby but its user's search for a quick match ..."""
    table: str
    """... and the key of the match that it shows instead."""


def asked(fields: Mapping[str, str]) -> Asked:
    """What the fields of an address say."""
    game = read_game(fields) or title()
    since = moment(fields.get("since", ""))
    bot = read_bot(fields, game) or game.bot
    return Asked(fields.get("room", ""), since, game, bot, "seeking" in fields, fields.get("table", ""))


def news(user: Visitor, page: Asked) -> tuple[str | None, dict[str, str]]:
    """Where a page of the lobby, or of a room, should go (None: there is nothing), or else its regions, by id."""
    now = timezone.now()
    if not page.room:
        match = begun(user, page.since, page.table)
        if match:
            return match.get_absolute_url(), {}
        if page.seeking:
            return "", {"seeking": _region("seeking", seek=seek_of(user))}
        return "", regions(user, now, page.game, page.bot)
    match = find(page.room)
    if match is None:
        return None, {}
    if not may_see(match, user):
        unknown = match.status == Match.Status.OPEN or match.watch == Match.Watch.CLUB or match.hidden
        return (None if unknown else LOBBY), {}
    return ("", room_regions(match, user)) if match.status in Match.WAITING else (match.get_absolute_url(), {})


def _region(name: str, **context: object) -> str:
    return render_to_string(f"lobby/{name}.html", context)


def moment(text: str) -> datetime:
    """The moment that a page names in milliseconds since 1970; by default now."""
    ms = whole(text)
    return timezone.now() if ms is None or ms >= 10**14 else datetime.fromtimestamp(ms / 1000, UTC)
