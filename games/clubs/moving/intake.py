"""A club that comes from another site: its document is checked, and the club founded anew; all of it or nothing.

A name at another site is not the same person here. Whoever brings the club says who is who: only people named so become
members at once, with their role, rights and rung; others can be invited, and then join as new members do. Everybody
else does not come along.

Each open ladder begins with one event, `Moved`: order, ratings, rules and number of seasons to which the events
of the former site lead when they are replayed. Those events, and closed ladders, stay with the club as they were, with
its games, in a `ClubHistory`: they were played elsewhere, where people had other numbers, and here nobody could answer
for them. Nights and tournaments stay so too, and their tables are kept as `FormerTournament`s, with the names there.
One that had not ended ends with the move.

The calendar goes on, with the answers of those who come along; what events to come open is opened here anew.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import BytesIO
from types import NoneType
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.clubs import clubs
from accounts.clubs.clubs import SETTINGS
from accounts.models import LONGEST_TEXT, Announcement, Club, Member, User
from accounts.text import plaintext
from accounts.text.names import folded
from accounts.web.refused import Refused
from games.calendar import services as calendar
from games.calendar.models import CalendarAnswer, CalendarEvent
from games.clubs.moving import document as documents
from games.clubs.moving.models import LONGEST_SITE, ClubHistory, FormerTournament
from games.engine.core import RulesError
from games.engine.registry import title
from games.ladders import audit, opening
from games.ladders import events as ladders
from games.ladders.follow import table
from games.ladders.forms.desk import RulesForm
from games.ladders.models import Ladder, LadderEvent
from games.ladders.payloads import Ranked
from games.ladders.standing import Standing
from games.matches.clocks import instant
from games.matches.dump import BadDump, built, parsed
from games.review import proof
from games.tournaments import audit as tournament_audit
from games.tournaments import scheduled
from games.tournaments.audit import WrongTournament
from games.tournaments.models import Tournament, TournamentEvent
from games.tournaments.shown import FinalPlace, final
from games.tournaments.standing import TournamentStanding

LONGEST = 64_000_000
"""The most bytes of a document, compressed or not."""
MOST_EVENTS = 50_000
MOST_TOURNAMENT_EVENTS = 200_000
MOST_CALENDAR = 5_000
MOST_ANNOUNCEMENTS = 5_000
FIRST_EVENT = datetime(2000, 1, 1, tzinfo=UTC)
"""No date of a calendar is before this."""
SKEW = timedelta(hours=1)
"""How far the clocks of two sites may differ."""


@dataclass(frozen=True)
class Newcomer:
    """A club as its checked document tells it."""

    site: str
    at: datetime
    settings: dict[str, Any]
    people: dict[int, str]
    """The names at the former site."""
    members: list[Member]
    """Not saved, and with the numbers of people at the former site."""
    announcements: list[Announcement]
    """Likewise."""
    ladders: list[MovedLadder]
    """All of them, by their numbers at the former site."""
    tournaments: list[MovedTournament]
    staying: list[str]
    """The names of those of which nothing comes along."""
    calendar: list[MovedEvent]
    games: int
    former: list[Newcomer]
    """The club as it came to the former site, if it had moved before."""
    document: bytes

    @property
    def events(self) -> int:
        """The number of events of all ladders."""
        return sum(len(each.events) for each in self.ladders)


class MovedLadder(NamedTuple):
    """A ladder at the former site."""

    name: str
    game: str
    standing: Standing
    """What its events lead to."""
    events: list[LadderEvent]


class MovedTournament(NamedTuple):
    """A night or a tournament at the former site, which ends with the move if it had not ended."""

    name: str
    kind: str
    at: datetime
    """When it was opened."""
    closed: bool
    events: int
    table: list[FinalPlace]
    """Of people by their numbers there."""


class MovedEvent(NamedTuple):
    """An event of the calendar, with the numbers of people at the former site."""

    event: CalendarEvent
    answers: list[tuple[int, str]]

    def ahead(self, now: datetime) -> bool:
        """Whether it is still to come."""
        return self.event.cancelled_at is None and self.event.starts_at > now


# Checking


def read(data: bytes) -> Newcomer:
    """The club in a document. Everything is checked that can be: each event of the ladder is replayed, its chain and
    its standing are computed again, and so are the games. Raises Refused."""
    try:
        return _checked(parsed(data.decode()), data)
    except UnicodeDecodeError as error:
        raise Refused(_("This is no text: %(error)s") % {"error": error}) from error
    except (BadDump, RulesError, audit.WrongLadder, WrongTournament) as error:
        raise Refused(str(error)) from error
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        text = f"{type(error).__name__} {error}"[:200]
        raise Refused(_("Something is missing or of the wrong type: %(error)s") % {"error": text}) from error


def _checked(told: dict[str, Any], data: bytes) -> Newcomer:
    first = told.get("format") == documents.FIRST
    if not first and told.get("format") != documents.FORMAT:
        raise Refused(_("This is no club: “format” isn’t %(format)s.") % {"format": documents.FORMAT})
    former = [_checked(each, b"") for each in _rows(told["former"])]
    site, at = told["site"], _moment(datetime.fromisoformat(told["at"]), timezone.now())
    parts = urlsplit(site)
    if parts.scheme not in ("http", "https") or not parts.netloc or len(site) > LONGEST_SITE or not site.isprintable():
        raise ValueError("site")
    people = {int(number): name for number, name in told["people"].items()}
    if not all(isinstance(name, str) and all(map(plaintext.shown, name)) for name in people.values()):
        raise TypeError("people")
    if len({folded(name) for name in people.values()}) < len(people):
        raise Refused(_("Two people have the same name."))
    said = told["club"]
    if said.keys() != {*SETTINGS} or type(said["private"]) is not bool:
        raise ValueError("club")
    if not all(isinstance(said[name], str) for name in SETTINGS if name != "private"):
        raise TypeError("club")
    members = [built(Member, documents.MEMBER, row, user_id=_number(row, people)) for row in _rows(told["members"])]
    if len({one.user_id for one in members}) < len(members) or len(members) > clubs.MOST_MEMBERS:
        raise Refused(_("Its members are too many, or somebody is listed twice."))
    if not all({*one.rights.split()} <= {*clubs.PARTS} for one in members):
        raise Refused(_("There is a right that can’t be given."))
    announcements = [
        built(Announcement, documents.ANNOUNCEMENT, row, by_id=row.pop("by")) for row in _rows(told["announcements"])
    ]
    if len(announcements) > MOST_ANNOUNCEMENTS or any(not 0 < len(one.text) <= LONGEST_TEXT for one in announcements):
        raise Refused(_("Its announcements are too many, or one is too long."))
    for one in announcements:
        if one.text != plaintext.lines(one.text) or type(one.by_id) not in (int, NoneType):
            raise ValueError("announcements")
        one.at = _moment(one.at, at)
    ladders = _ladders(_rows(told["ladders"]), members)
    tournaments = [] if first else _tournaments(_rows(told["tournaments"]), at)
    staying = [] if first else told["staying"]
    if not isinstance(staying, list) or not all(map(_one_line, staying)):
        raise TypeError("staying")
    dates = [] if first else _calendar(_rows(told["calendar"]), at)
    for record in _rows(told["games"]):
        if "position" in record:
            raise ValueError("games")  # practice: no ladder has such games
        proof.links(record)
    return Newcomer(
        site,
        at,
        said,
        people,
        members,
        announcements,
        ladders,
        tournaments,
        staying,
        dates,
        len(told["games"]),
        former,
        data,
    )


def _moment(at: datetime, latest: datetime) -> datetime:
    """A moment that is not after `latest`, but for clocks that differ; in UTC, as databases keep it."""
    if at.tzinfo is None or at > latest + SKEW:
        raise ValueError(f"{at} is not past")
    return at.astimezone(UTC)


def _rows(rows: Any) -> list[dict[str, Any]]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TypeError("expected a list of objects")
    return rows


def _number(row: dict[str, Any], people: Mapping[int, str]) -> int:
    """The number of a person, which is removed from the row."""
    number = row.pop("user")
    if type(number) is not int or number not in people:
        raise Refused(_("There is a member without a name."))
    return number


def _ladders(rows: list[dict[str, Any]], members: Iterable[Member]) -> list[MovedLadder]:
    """The ladders, in their order."""
    if [row["number"] for row in rows] != [*range(1, len(rows) + 1)]:
        raise Refused(_("Its ladders aren’t numbered one by one."))
    if sum(len(_rows(row["events"])) for row in rows) > MOST_EVENTS:
        raise Refused(_("Its ladders have too many events."))
    found = [_ladder(row, members) for row in rows]
    names = [each.name for each in found]
    if len({folded(name) for name in names}) < len(names) or ("" in names and len(names) > 1):
        raise Refused(_("Two of its ladders have the same name, or one of several has none."))
    if not 0 < sum(each.standing.closed is None for each in found) <= opening.MOST_OPEN:
        raise Refused(_("It has no open ladder, or too many."))
    return found


def _ladder(told: dict[str, Any], members: Iterable[Member]) -> MovedLadder:
    """A ladder with its events, and what they lead to: the same as the document says."""
    name = told["name"]
    if not isinstance(name, str):
        raise TypeError("ladders")
    if name and name != opening.tidied(name):
        raise ValueError("ladders")
    game = title(told["game"])
    if not isinstance(told["challenges"], list):
        raise TypeError("challenges")
    events = [built(LadderEvent, documents.EVENT, row, by_id=row.pop("by")) for row in told["events"]]
    standing, _events = audit.replayed(events)
    audit.check_links(Ladder(origin=bytes.fromhex(told["origin"])), events)
    if standing.to_json() != told["standing"]:
        raise Refused(_("The ladder doesn’t stand as its events say."))
    if not standing.players.keys() <= {one.user_id for one in members}:
        raise Refused(_("There is somebody on the ladder who is no member."))
    form = RulesForm(standing.rules.to_json(), now=standing.rules, game=game)
    if not form.is_valid():
        wrong = ", ".join(form.errors)
        raise Refused(_("The ladder has rules that can’t be set here: %(rules)s.") % {"rules": wrong})
    return MovedLadder(name, told["game"], standing, events)


def _one_line(text: Any) -> bool:
    return isinstance(text, str) and all(map(plaintext.shown, text))


def _tournaments(rows: list[dict[str, Any]], at: datetime) -> list[MovedTournament]:
    """The nights and tournaments, in their order."""
    if sum(len(_rows(row["events"])) for row in rows) > MOST_TOURNAMENT_EVENTS:
        raise Refused(_("Its tournaments have too many events."))
    if len({row["number"] for row in rows}) < len(rows):
        raise Refused(_("Two of its tournaments have the same number."))
    return [_tournament(row, at) for row in rows]


def _tournament(told: dict[str, Any], at: datetime) -> MovedTournament:
    """A tournament with its events, and what they lead to: the same as the document says."""
    events = [built(TournamentEvent, documents.TOURNAMENT_EVENT, row, by_id=row.pop("by")) for row in told["events"]]
    row = built(Tournament, documents.TOURNAMENT, {name: told[name] for name in documents.TOURNAMENT})
    title(row.game)
    standing = tournament_audit.replayed(events, bytes.fromhex(told["origin"]))
    as_told = TournamentStanding.from_json(row.standing) == standing
    ended = standing.closed is not None and row.closed_at is not None
    if not as_told or (row.kind, row.seats) != (standing.kind, standing.seats) or (standing.closed is None) == ended:
        raise Refused(_("The tournament %(name)s doesn’t stand as its events say.") % {"name": row.name})
    if not ended and (row.closed_at or row.same_deal):
        raise Refused(_("The tournament %(name)s still hides its games.") % {"name": row.name})
    if not _one_line(row.name):
        raise ValueError("tournaments")
    opened = _moment(instant(standing.opened), at)
    return MovedTournament(row.name, row.kind, opened, ended, len(events), final(standing))


def _calendar(rows: list[dict[str, Any]], at: datetime) -> list[MovedEvent]:
    """The events of the calendar, in their order."""
    if len(rows) > MOST_CALENDAR:
        raise Refused(_("Its calendar has too many events."))
    return [_event(row, at) for row in rows]


def _event(told: dict[str, Any], at: datetime) -> MovedEvent:
    by, series, answers = told.pop("by"), told.pop("series"), told.pop("answers")
    if type(by) not in (int, NoneType):
        raise TypeError("calendar")
    event = built(CalendarEvent, documents.CALENDAR, told, by_id=by, series=None if series is None else UUID(series))
    if not _one_line(event.title) or not _one_line(event.place) or event.about != plaintext.lines(event.about):
        raise ValueError("calendar")
    # What has passed was to come once.
    if not FIRST_EVENT <= event.starts_at <= at + calendar.FARTHEST or (event.entry_until or at) < FIRST_EVENT:
        raise Refused(_("The date of “%(name)s” is too far away.") % {"name": event.title})
    calendar.check(calendar.plan_of(event))
    if event.opens:
        scheduled.check_opens(event)
    if event.cancelled_at:
        event.cancelled_at = _moment(event.cancelled_at, at)
    said = {player: comes for player, comes in answers}
    if len(said) < len(answers) or not all(type(player) is int for player in said):
        raise ValueError("answers")
    if not {*said.values()} <= {*CalendarAnswer.Comes.values}:
        raise ValueError("answers")
    return MovedEvent(event, [*said.items()])


# Taking in


@transaction.atomic
def take_in(newcomer: Newcomer, mapping: Mapping[str, str], invited: Iterable[str], slug: str, now: datetime) -> Club:
    """Found the club here. `mapping`: the names here of people by their names at the former site; `invited`: the names
    here of people who are to be invited. Raises Refused, and then nothing has happened."""
    came = _people(newcomer, mapping)
    stewards = [one for one in newcomer.members if one.role == Member.Role.STEWARD and one.user_id in came]
    if not stewards:
        raise Refused(_("Say who at least one of its stewards is here: a club needs one."))
    first = came[stewards[0].user_id]
    says = newcomer.settings | {"slug": slug or newcomer.settings["slug"]}
    if newcomer.settings["joining"] not in Club.Joining.values:
        raise Refused(_("It names a way to join that this site doesn’t know."))
    club = clubs.found(first, **says, now=now, moved_from=newcomer.site)
    for one in newcomer.members:
        if one.user_id in came and came[one.user_id] != first:
            clubs.take_along(club, came[one.user_id], Member.Role(one.role), one.rights, now)
    names = [*invited]
    if names:
        outcome = clubs.invite(club, first, names, now)
        if missing := [*outcome.unknown, *outcome.already, *outcome.twice, *outcome.addresses]:
            text = _("These can’t be invited, as there is no such player, or they are members already: %(names)s.")
            raise Refused(text % {"names": ", ".join(missing)})
    Announcement.objects.bulk_create(
        Announcement(
            club=club,
            by=None if one.by_id is None else came.get(one.by_id),
            text=one.text,
            public=one.public and not club.private,
            at=one.at,
        )
        for one in newcomer.announcements
    )
    history = gzip.compress(newcomer.document, mtime=0)
    ClubHistory.objects.create(club=club, site=newcomer.site, at=newcomer.at, document=history)
    FormerTournament.objects.bulk_create(_former_tournaments(club, newcomer))
    club.ladders.all().delete()  # the one that every new club begins with: those that come take its place
    go_on = [each for each in newcomer.ladders if each.standing.closed is None]
    for number, each in enumerate(go_on, 1):
        _let_go_on(
            ladders.create(club, each.game, number=number, name=each.name), each, came, first, newcomer.site, now
        )
    _let_meet(club, newcomer, came, now)
    return club


def _former_tournaments(club: Club, newcomer: Newcomer) -> Iterator[FormerTournament]:
    """What the club played at its former sites, the first site first."""
    for before in newcomer.former:
        yield from _former_tournaments(club, before)
    for each in newcomer.tournaments:
        rows = [(row.group, row.place, newcomer.people.get(row.player, "–"), row.points) for row in each.table]
        yield FormerTournament(
            club=club, site=newcomer.site, name=each.name, kind=each.kind, at=each.at, closed=each.closed, table=rows
        )


def _let_meet(club: Club, newcomer: Newcomer, came: Mapping[int, User], now: datetime) -> None:
    """Let the calendar go on, with the answers of those who came along."""
    # Ladders have other numbers here, if one of them is closed.
    open_ones = [number for number, each in enumerate(newcomer.ladders, 1) if each.standing.closed is None]
    ladder = {there: here for here, there in enumerate(open_ones, 1)}
    answers = []
    for event, said in newcomer.calendar:
        event.by = None if event.by_id is None else came.get(event.by_id)
        if "ladder" in event.opens:
            event.opens = event.opens | {"ladder": ladder.get(event.opens["ladder"], 1)}
        answers += [CalendarAnswer(event=event, user=came[who], comes=comes) for who, comes in said if who in came]
    calendar.take_in(club, [each.event for each in newcomer.calendar], answers, now)


def _let_go_on(
    ladder: Ladder, moved: MovedLadder, came: Mapping[int, User], first: User, site: str, now: datetime
) -> None:
    """Let a ladder go on as it stood at the former site, with those who came along."""
    head = bytes(moved.events[-1].link).hex() if moved.events else ""
    there = moved.standing
    rungs = [rung._replace(player=came[rung.player].pk) for rung in table(there) if rung.player in came]
    ladders.arrive(ladder, first, now, site, head, there, rungs)
    _compare(ladder, rungs)


def _people(newcomer: Newcomer, mapping: Mapping[str, str]) -> dict[int, User]:
    """The people here by their numbers at the former site."""
    numbers = {folded(newcomer.people[one.user_id]): one.user_id for one in newcomer.members}
    came: dict[int, User] = {}
    for there, here in mapping.items():
        if folded(there) not in numbers:
            raise Refused(_("There is no member %(name)s in this club.") % {"name": there})
        user = User.objects.filter(folded=folded(here)).first()
        if user is None:
            raise Refused(_("There is no player %(name)s here.") % {"name": here})
        if user in came.values() or numbers[folded(there)] in came:
            raise Refused(_("%(name)s would be two people.") % {"name": user.username})
        came[numbers[folded(there)]] = user
    return came


def _compare(ladder: Ladder, rungs: Sequence[Ranked]) -> None:
    """The ladder here, replayed, stands as it did there for those who came."""
    if table(audit.check(ladder)) != tuple(rungs):
        raise Refused(_("The ladder doesn’t stand here as it did there."))


def told(
    newcomer: Newcomer, mapping: Mapping[str, str], invited: Iterable[str], club: Club, now: datetime
) -> list[str]:
    """What has happened, or would happen, in sentences."""
    came = {folded(name) for name in mapping}
    left = [newcomer.people[one.user_id] for one in newcomer.members]
    left = [name for name in left if folded(name) not in came]
    sentences = [
        _("%(club)s comes from %(site)s to %(address)s.")
        % {"club": club.name, "site": newcomer.site, "address": club.get_absolute_url()},
        *(_("%(there)s there is %(here)s here.") % {"there": a, "here": b} for a, b in mapping.items()),
        *(_("%(name)s is invited.") % {"name": name} for name in invited),
        ngettext("%(n)d member doesn’t come along: %(names)s.", "%(n)d members don’t come along: %(names)s.", len(left))
        % {"n": len(left), "names": ", ".join(left) or "–"},
        ngettext("%(n)d announcement comes along.", "%(n)d announcements come along.", len(newcomer.announcements))
        % {"n": len(newcomer.announcements)},
        _("%(events)d events of ladders were replayed, and %(games)d games. They stay with the club as its history.")
        % {"events": newcomer.events, "games": newcomer.games},
    ]
    happened = sum(each.events for each in newcomer.tournaments)
    dates, ahead = len(newcomer.calendar), sum(each.ahead(now) for each in newcomer.calendar)
    sentences += [
        _("%(events)d events of %(n)d nights and tournaments were replayed. Their standings stay with the club, too.")
        % {"events": happened, "n": len(newcomer.tournaments)},
        *(
            _("%(name)s has not ended: it ends with the move, as it stands.") % {"name": each.name}
            for each in newcomer.tournaments
            if not each.closed
        ),
        ngettext("%(n)d event of the calendar comes along.", "%(n)d events of the calendar come along.", dates)
        % {"n": dates},
        ngettext("%(n)d of them is still to come.", "%(n)d of them are still to come.", ahead) % {"n": ahead},
        _("What they open is opened here anew, and whoever wants to play enters it again."),
        *(
            _("%(name)s stays behind: it has not begun, or others have still to play its deal.") % {"name": name}
            for name in newcomer.staying
        ),
    ]
    for ladder in newcomer.ladders:
        if ladder.standing.ends is not None:
            ending = (
                _("Season %(n)d of %(ladder)s ends with the move.")
                if ladder.name
                else _("Season %(n)d ends with the move.")
            )
            sentences.append(ending % {"n": ladder.standing.season, "ladder": ladder.name})
        if ladder.standing.closed is not None:
            sentences.append(_("%(ladder)s is closed, and only in the history.") % {"ladder": ladder.name})
    return sentences


def opened(data: bytes) -> bytes:
    """The document of a file, which may be compressed. Raises Refused."""
    try:
        if data[:2] == b"\x1f\x8b":
            with gzip.GzipFile(fileobj=BytesIO(data)) as file:
                data = file.read(LONGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise Refused(_("The file can’t be unpacked: %(error)s") % {"error": error}) from error
    if len(data) > LONGEST:
        raise Refused(_("The file has more than %(most)d bytes.") % {"most": LONGEST})
    return data


def history(club: Club) -> bytes | None:
    """The document with which a club came here; None if it was founded here."""
    row = ClubHistory.objects.filter(club=club).first()
    return gzip.decompress(bytes(row.document)) if row else None
