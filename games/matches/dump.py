"""The people and matches of a site as lines of JSON, and back, whatever database they are kept in.

The first line is a heading, the last one has the counts. Between them, one thing a line, in this order: users, blocks,
ratings, matches with their seats and logs, rows of the archive. People are named by their user names, matches by their
keys; nothing depends on the ids of one database.

Always left out: clubs with all that is theirs (members, decisions, dates, ladders, challenges, tournaments), the public
log, notices, sessions, chat, private messages, whom people follow, complaints, invitations, searches for quick matches,
and matches that closed before they began. The games of clubs are in it, without their clubs; `dumpclub` takes a club.
Only with `accounts`: password hashes, e-mail addresses, powers, settings, blocks, and who has muted a match's chat.
Only with `running`: running and open matches, which are full of secrets. Clocks are given back the time between the
last moment at which the old site could be reached and the loading.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, TypeVar

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import DatabaseError, models, transaction
from django.db.models import Q
from django.utils.crypto import get_random_string

from accounts.career import tallies
from accounts.models import ArchivedMatch, Block, Rating, User
from accounts.people import habits
from accounts.text.names import folded, skeleton
from games.engine import position
from games.engine.core import RulesError
from games.engine.registry import title
from games.matches import logs
from games.matches.clocks import now_ms
from games.matches.models import Heartbeat, LogEntry, Match, Outage, Seat, StandingOrder

M = TypeVar("M", bound=models.Model)
SeatRow = tuple[Seat, list[StandingOrder]]

FORMAT = "armarium-dump/1"
CHUNK = 100
"""The number of matches read or written at once; of other things ten times as many."""

USER = ("username", "key", "guest", "closed", "is_active", "date_joined")
ACCOUNT = (
    *("password", "email", "is_staff", "is_superuser", "closing_at"),
    *("language", "theme", "zone", "dates", "clock", "avatar", "about", "unseen"),
    *habits.FIELDS,
)
RATING = ("game", "pool", "value", "best", "games", "ranked")
MATCH = (
    *("key", "game", "version", "options", "places", "status", "rated", "listed", "watch", "guided", "hinted"),
    *("pace", "bank_ms", "increment_ms", "days", "tempo", "skipped", "secret", "commitment", "header"),
    "beginning",
    *("ply", "mover", "asked_at", "wake_at"),
    *("sealed_at", "beacon_round", "beacon", "link", "revision", "created_at", "started_at", "ended_at", "result"),
)
SEAT = ("index", "bot", "name", "ready", "share", "share_from", "seal", "salt", "bank_ms", "left", "left_ply", "vote")
MUTED = "muted"
"""The columns of a seat that are written only with `accounts`."""
ORDER = ("kind", "value")
ARCHIVED = (
    *("match", "game", "ended_at", "seats", "seat", "place", "won", "points", "categories", "left", "soon", "ended"),
    *("level", "bots", "feats", "names", "scores", "pool", "before", "after", "games"),
)
KINDS = ("user", "block", "rating", "match", "archived", "end")
"""The kinds of lines, in the order in which they come."""


# Out


def matches_of(running: bool) -> models.QuerySet[Match]:
    """The matches that are dumped: all but the hidden ones, whose event does not come along."""
    ended = [Match.Status.FINISHED, Match.Status.ABORTED]
    return Match.objects.filter(hidden=False, status__in=[*ended, *Match.ALIVE] if running else ended)


def length(accounts: bool, running: bool) -> int:
    """The number of lines that `lines` yields."""
    people = User.objects.count() + Rating.objects.count() + (Block.objects.count() if accounts else 0)
    return 2 + people + matches_of(running).count() + ArchivedMatch.objects.count()


def lines(accounts: bool, running: bool) -> Iterator[str]:
    """The dump, line by line; to be called in a `snapshot`."""
    yield written({"format": FORMAT, "accounts": accounts, "running": running, "at": reached_at()})
    counts: Counter[str] = Counter()
    for kind, thing in things(accounts, running):
        counts[kind] += 1
        yield written({kind: thing})
    yield written({"end": counts})


def reached_at() -> int:
    """When somebody could last answer here, in ms since 1970: now, or when the site was stopped before the dump."""
    now = now_ms()
    heartbeat = Heartbeat.objects.first()
    return min(heartbeat.at, now) if heartbeat else now


def things(accounts: bool, running: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything, in order: its kind, and what is written of it."""
    for user in User.objects.order_by("pk").iterator():
        yield "user", plain(user, (*USER, *ACCOUNT) if accounts else USER)
    if accounts:
        for block in Block.objects.select_related("user", "blocked").order_by("pk").iterator():
            yield "block", {"user": block.user.username, "blocked": block.blocked.username}
    for rating in Rating.objects.select_related("user").order_by("pk").iterator():
        met = dict(User.objects.filter(pk__in=rating.opponents).values_list("pk", "username"))
        opponents = [met[pk] for pk in rating.opponents]
        yield "rating", {"user": rating.user.username, **plain(rating, RATING), "opponents": opponents}
    last, columns = 0, seat_columns(accounts)
    while found := list(matches_of(running).filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        last = found[-1]
        again = dict(Match.objects.filter(pk__in=found).values_list("pk", "rematch_of__key"))
        hosts = dict(Match.objects.filter(pk__in=found).values_list("pk", "host__username"))
        orders = orders_of(found)
        for match, entries in logs.read(found):
            seats = [
                {"user": seat.user and seat.user.username, **plain(seat, columns), "orders": orders.get(seat.pk, [])}
                for seat in match.seats.all()
            ]
            log = [[*entry[:-1], entry.link.hex() if entry.link else ""] for entry in entries]
            header = {"host": hosts[match.pk], "rematch_of": again[match.pk], **plain(match, MATCH)}
            yield "match", {**header, "seats": seats, "log": log}
    # By id, which is the order in which the matches were rated.
    for row in ArchivedMatch.objects.select_related("user").order_by("pk").iterator():
        yield "archived", {"user": row.user.username, **plain(row, ARCHIVED)}


def seat_columns(accounts: bool) -> Sequence[str]:
    return (*SEAT, MUTED) if accounts else SEAT


def orders_of(matches: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """The standing orders in these matches, by seat."""
    orders: dict[int, list[dict[str, Any]]] = {}
    for order in StandingOrder.objects.filter(seat__match__in=matches).order_by("pk"):
        orders.setdefault(order.seat_id, []).append(plain(order, ORDER))
    return orders


def plain(thing: models.Model, names: Sequence[str]) -> dict[str, Any]:
    """Columns of a row as JSON has them: times as ISO 8601, bytes in hexadecimal."""
    values = {name: getattr(thing, name) for name in names}
    for name, value in values.items():
        if isinstance(value, datetime):
            values[name] = value.isoformat()
        elif isinstance(value, bytes | memoryview):
            values[name] = bytes(value).hex()
    return values


def written(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"


# In


class BadDump(Exception):
    """A line cannot be taken. The text says what was expected."""


class Loader:
    """Takes a dump line by line, and writes it to the database; inside one transaction."""

    def __init__(self) -> None:
        self.header: dict[str, Any] = {}
        self.people: dict[str, int] = {}
        """The id here of each user of the dump, by their name there."""
        self.renamed: dict[str, str] = {}
        """The names of closed accounts hold their ids: by the old name, the new one."""
        self.counts: Counter[str] = Counter()
        self.kind = ""
        self.waiting: list[dict[str, Any]] = []
        """Things of one kind that are not written yet."""
        self.lines: tuple[int, int] = (0, 0)
        """The first and the last line that hold them."""
        self.running = False
        """Whether there was a running match."""
        self.ended = False

    def take(self, number: int, line: str) -> None:
        """Take the line of this number. Raises BadDump."""
        document = parsed(line)
        if not self.header:
            self.header = begun(document)
            return
        if self.ended:
            raise BadDump("expected nothing after the line with “end”")
        if len(document) != 1 or next(iter(document)) not in KINDS:
            raise BadDump(f"expected an object with one of these: {', '.join(KINDS)}")
        [(kind, thing)] = document.items()
        if not isinstance(thing, dict):
            raise BadDump(f"expected an object under “{kind}”")
        if kind != self.kind:
            if self.kind and KINDS.index(kind) < KINDS.index(self.kind):
                raise BadDump(f"expected “{kind}” before “{self.kind}”")
            self.flush()
            self.kind = kind
        if kind == "end":
            self.check_counts(thing)
            self.ended = True
            return
        self.counts[kind] += 1
        self.lines = (self.lines[0] if self.waiting else number, number)
        self.waiting.append(getattr(self, f"read_{kind}")(thing))
        if len(self.waiting) >= (CHUNK if kind == "match" else 10 * CHUNK):
            self.flush()

    def check_counts(self, told: dict[str, Any]) -> None:
        if told != self.counts:
            raise BadDump(f"the last line counts {told}, but there were {dict(self.counts)}: lines are missing")

    def finish(self) -> Counter[str]:
        """Write the rest. Returns what there was. Raises BadDump if the end is missing."""
        if not self.ended:
            raise BadDump("the last line, with “end”, is missing: the file is not complete")
        tallies.count_new(list(self.people.values()))
        if self.running:
            # Nobody could answer during the move, yet the beats have no gap. `games.matches.outage` knows no outages of
            # single matches: if others run here, their clocks are given the same.
            now = now_ms()
            Outage.objects.create(began=min(self.header["at"], now), ended=now)
        return self.counts

    def flush(self) -> None:
        """Write what is waiting."""
        if self.waiting:
            things, self.waiting = self.waiting, []
            try:
                with transaction.atomic():
                    getattr(self, f"write_{self.kind}")(things)
            except (DatabaseError, ValueError, OverflowError) as error:
                first, last = self.lines
                told = " ".join(str(error).split())
                raise BadDump(f"the database does not take lines {first} to {last}: {told}") from error

    # Each kind: how a line is read, and how many of them are written

    def read_user(self, thing: dict[str, Any]) -> User:
        accounts = self.header["accounts"]
        user = built(User, (*USER, *ACCOUNT) if accounts else USER, thing)
        if not accounts:
            user.password = make_password(None)
        return user

    def write_user(self, users: list[User]) -> None:
        names = [user.username for user in users]
        open_names = [user.username for user in users if not user.closed]
        same, alike = [folded(name) for name in open_names], [skeleton(name) for name in open_names]
        taken = User.objects.filter(Q(folded__in=same) | Q(skeleton__in=alike))
        if (first := taken.first()) is not None:
            raise BadDump(f"there is somebody here already whose name is, or looks like, “{first.username}”")
        for user in users:
            if user.closed:
                user.username = f"closed-{get_random_string(12)}"
            user.fold()
        User.objects.bulk_create(users)
        for name, user in zip(names, users, strict=True):
            self.people[name] = user.pk
            if user.closed:
                self.renamed[name] = user.username = f"closed-{user.pk}"
                user.save(update_fields=["username", "folded", "skeleton"])

    def read_block(self, thing: dict[str, Any]) -> Block:
        return Block(user_id=self.person(thing, "user"), blocked_id=self.person(thing, "blocked"))

    def write_block(self, blocks: list[Block]) -> None:
        Block.objects.bulk_create(blocks)

    def read_rating(self, thing: dict[str, Any]) -> Rating:
        names = thing.pop("opponents", None)
        if not isinstance(names, list):
            raise BadDump("expected a list of names under “opponents”")
        opponents = [self.person({"opponents": name}, "opponents") for name in names]
        rating: Rating = built(Rating, RATING, thing, user_id=self.person(thing, "user"), opponents=opponents)
        check_pool(rating.game, rating.pool)
        return rating

    def write_rating(self, ratings: list[Rating]) -> None:
        Rating.objects.bulk_create(ratings)

    def read_match(self, thing: dict[str, Any]) -> tuple[Match, str | None, list[SeatRow], list[LogEntry]]:
        again, seats, log = (thing.pop(name, None) for name in ("rematch_of", "seats", "log"))
        if not (again is None or isinstance(again, str)) or not isinstance(seats, list) or not isinstance(log, list):
            raise BadDump("expected a match with “rematch_of”, “seats” and “log”")
        thing = {"beginning": None, "hinted": False} | thing  # older dumps know of neither
        match = built(Match, MATCH, thing, host_id=self.person(thing, "host"))
        ended = match.status in (Match.Status.FINISHED, Match.Status.ABORTED)
        if not ended and not self.header["running"]:
            raise BadDump(f"expected only matches that have ended; this one is {match.status}")
        if match.result is not None and not (isinstance(match.result, dict) and "places" in match.result):
            raise BadDump("expected a result with “places”, or null")
        if match.beginning is not None:
            check_beginning(match)
        self.running |= match.status == Match.Status.RUNNING
        return match, again, [self.read_seat(seat, match) for seat in seats], [entry(row) for row in log]

    def read_seat(self, thing: Any, match: Match) -> SeatRow:
        if not isinstance(thing, dict) or not isinstance(orders := thing.pop("orders", None), list):
            raise BadDump("expected seats with “orders”")
        nobody = thing.get("user", "") is None
        user_id = thing.pop("user") if nobody else self.person(thing, "user")
        seat = built(Seat, seat_columns(self.header["accounts"]), thing, user_id=user_id)
        standing = [built(StandingOrder, ORDER, order) for order in orders]
        try:
            for order in standing:
                match.rules.order(order.kind, order.value)
        except RulesError as error:
            raise BadDump(f"expected orders that the game knows: {error}") from error
        return seat, standing

    def write_match(self, things: list[tuple[Match, str | None, list[SeatRow], list[LogEntry]]]) -> None:
        matches = [match for match, *_ in things]
        taken = Match.objects.filter(key__in=[match.key for match in matches])
        if (first := taken.first()) is not None:
            raise BadDump(f"there is a match {first.key} here already")
        moments = [(match.created_at, match.started_at) for match in matches]
        for match in matches:
            match.started_at = None  # so far it has not begun: what it is played on from can still be written
        Match.objects.bulk_create(matches)
        named = [again for _, again, *_ in things] + [match.beginning["match"] for match in matches if match.beginning]
        before = Match.objects.in_bulk([key for key in named if isinstance(key, str)], field_name="key")
        for (match, again, *_), moment in zip(things, moments, strict=True):
            # The first is set to now by the database layer, when it was created.
            match.created_at, match.started_at = moment
            if again and again not in before:
                raise BadDump(f"the match {again}, of which {match.key} is the rematch, has not come before")
            match.rematch_of = before.get(again)
            if match.beginning:
                if match.beginning["match"] not in before:
                    raise BadDump(f"the match from which {match.key} is played on has not come before")
                match.played_from = before[match.beginning["match"]]
        Match.objects.bulk_update(matches, ["created_at", "started_at", "rematch_of", "played_from"])
        seats, orders, entries = [], [], []
        for match, _, chairs, log in things:
            for seat, standing in chairs:
                seat.match = match
                seats.append(seat)
                for order in standing:
                    order.seat = seat
                orders += standing
            for row in log:
                row.match = match
            entries += log
        Seat.objects.bulk_create(seats)
        for order in orders:
            order.seat_id = order.seat.pk
        StandingOrder.objects.bulk_create(orders)
        LogEntry.objects.bulk_create(entries)

    def read_archived(self, thing: dict[str, Any]) -> ArchivedMatch:
        row = built(ArchivedMatch, ARCHIVED, thing, user_id=self.person(thing, "user"))
        check_pool(row.game, row.pool or None)
        if not isinstance(row.names, list) or not all(isinstance(name, str) for name in row.names):
            raise BadDump("expected a list of names under “names”")
        feats = row.feats.values() if isinstance(row.feats, dict) else [row.feats]
        if not all(type(times) is int and 0 <= times < 2**15 for times in feats):
            raise BadDump("expected numbers by name under “feats”")
        row.names = [self.renamed.get(name, name) for name in row.names]
        return row

    def write_archived(self, rows: list[ArchivedMatch]) -> None:
        ArchivedMatch.objects.bulk_create(rows)

    def person(self, thing: dict[str, Any], key: str) -> int:
        """The id of the user named under `key`, which is removed."""
        name = thing.pop(key, None)
        if not isinstance(name, str):
            raise BadDump(f"expected the name of a user under “{key}”")
        if name not in self.people:
            raise BadDump(f"expected the user “{name}” to come before")
        return self.people[name]


def begun(document: dict[str, Any]) -> dict[str, Any]:
    """Read the first line of a dump."""
    if document.get("format") != FORMAT:
        raise BadDump(f"this is no dump; expected a first line with “format” {FORMAT}")
    if document.keys() != {"format", "accounts", "running", "at"} or not all(
        isinstance(document[key], bool) for key in ("accounts", "running")
    ):
        raise BadDump("expected “accounts” and “running”, each true or false, and “at”")
    if type(document["at"]) is not int or not 0 <= document["at"] < 2**63:
        raise BadDump("expected milliseconds since 1970 under “at”")
    return document


def parsed(line: str) -> dict[str, Any]:
    """The object of one line."""
    try:
        document = json.loads(line, parse_constant=_no_number, parse_float=_finite)
        if "\\u" in line:
            # What no database can hold: half a character, or a NUL.
            text = json.dumps(document, ensure_ascii=False)
            text.encode()
            if "\\u0000" in text:
                raise ValueError("there is a NUL in it")
    except (ValueError, RecursionError) as error:
        raise BadDump(f"this is no JSON that can be kept: {str(error)[:200]}") from None
    if not isinstance(document, dict):
        raise BadDump("expected an object")
    return document


def _finite(text: str) -> float:
    """Python reads 1e999 as infinity, which no JSON could say when written again."""
    value = float(text)
    if not math.isfinite(value):
        _no_number(text)
    return value


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


TYPES: dict[type[models.Field[Any, Any]], tuple[type, ...]] = {
    models.BooleanField: (bool,),
    models.FloatField: (float, int),
    models.IntegerField: (int,),
    models.CharField: (str,),
    models.TextField: (str,),
    models.BinaryField: (str,),
    models.DateTimeField: (str,),
    models.JSONField: (dict, list),
}
"""The JSON type of a column of this class."""


def built(model: type[M], names: Sequence[str], values: Any, **more: Any) -> M:
    """A row from what `plain` returned for it. Raises BadDump."""
    if not isinstance(values, dict) or values.keys() != set(names):
        raise BadDump(f"expected an object with {', '.join(names)}")
    row = model(**more)
    for name, value in values.items():
        field = model._meta.get_field(name)
        assert isinstance(field, models.Field)
        setattr(row, name, column(field, value))
    return row


def column(field: models.Field[Any, Any], value: Any) -> Any:
    """The value of a column from JSON."""
    if value is None and field.null:
        return None
    expected = next(types for kind, types in TYPES.items() if isinstance(field, kind))
    if type(value) not in expected:
        raise BadDump(f"“{field.name}” is {json.dumps(value)[:60]}; expected {expected[0].__name__}")
    try:
        if isinstance(field, models.BinaryField):
            value = bytes.fromhex(value)
        elif isinstance(field, models.DateTimeField):
            value = datetime.fromisoformat(value)
            if value.tzinfo is None:
                raise ValueError("there is no time zone")
        elif isinstance(field, models.FloatField):
            value = float(value)
        field.run_validators(value)
    except (ValueError, OverflowError, ValidationError) as error:
        text = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
        raise BadDump(f"“{field.name}” cannot be {json.dumps(str(value))[:60]}: {text}") from None
    known = [key for key, _ in field.flatchoices]
    if known and value not in known and not (field.blank and value == ""):
        raise BadDump(f"“{field.name}” is “{value}”; expected one of: {', '.join(map(str, known))}")
    return value


def check_beginning(match: Match) -> None:
    """Raises BadDump unless a match that does not begin with a deal says in whole where it begins."""
    told = match.beginning
    if not isinstance(told, dict) or told.keys() != {"match", "ply", "seat", "again", "position"}:
        raise BadDump("expected a beginning with match, ply, seat, again, position, or null")
    whole = type(told["ply"]) is int and 0 <= told["ply"] < 2**15 and type(told["seat"]) is int
    if not (whole and 0 <= told["seat"] < match.places and type(told["again"]) is bool):
        raise BadDump("expected a move, a seat, and true or false under “ply”, “seat” and “again”")
    if not isinstance(told["match"], str) or not isinstance(told["position"], dict):
        raise BadDump("expected the key of a match, and an object under “match” and “position”")
    try:
        position.read(match.rules, match.places, match.options, told["position"])
    except RulesError as error:
        raise BadDump(f"expected a position of the game: {error}") from error


def check_pool(game: str, pool: str | None) -> None:
    """Raises BadDump unless there is a title with this slug, and a pool with this code unless it is None."""
    try:
        pools = title(game).pools
    except RulesError as error:
        raise BadDump(str(error)) from None
    if pool is not None and pool not in pools:
        raise BadDump(f"“pool” is “{pool}”; expected one of: {', '.join(pools)}")


def entry(row: Any) -> LogEntry:
    """A row of a log from its list."""
    try:
        ply, seat, move, by, at, link = row
        numbers = all(type(number) is int for number in (ply, seat, by, at))
        if not numbers or not (0 <= ply < 2**15 and 0 <= seat < 2**15 and 0 <= by <= 2 and 0 <= at < 2**63):
            raise ValueError
        if not isinstance(move, str) or len(move) > 16 or len(link) > 64:
            raise ValueError
        return LogEntry(ply=ply, seat=seat, move=move, by=by, at=at, link=bytes.fromhex(link) or None)
    except (ValueError, TypeError):
        raise BadDump("expected rows of the log as [ply, seat, move, by, at, link]") from None
