"""Checks a match: replays its log and compares the result with everything stored of it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from accounts.models import ArchivedMatch
from games.engine import chance
from games.engine.core import RulesError, State, quoted
from games.matches import chain, clocks, history
from games.matches.clocks import GRACE_MS, instant
from games.matches.finish import ABSENT, CLOSED, categories_won, outcome
from games.matches.history import END, seed_of
from games.matches.logs import StoredRow
from games.matches.models import LogEntry, Match, Seat
from games.matches.turn import header

By = LogEntry.By
BACK_MS = 1000
"""A row may be this much earlier than the one before it: the clocks of several machines differ."""


class Fault(NamedTuple):
    """A disagreement between a match and its log."""

    ply: int | None
    """The first row that disagrees; None if it is something beside the log."""
    name: str
    """The check that failed: one word."""
    text: str
    """What was found, and what was expected; nothing that is secret while the match runs."""


class Broken(Exception):
    """The log cannot be followed beyond some row."""

    def __init__(self, ply: int | None, name: str, text: str):
        super().__init__(text)
        self.fault = Fault(ply, name, text)


def faults(match: Match, entries: Sequence[StoredRow], archived: Iterable[ArchivedMatch]) -> list[Fault]:
    """The faults of a match. Its seats and their users must be prefetched.

    `entries`: its log in order of ply; `archived`: its rows in the archive. After a fault in the log nothing else is
    checked, because everything that follows from the log would disagree too.
    """
    try:
        if match.status in (Match.Status.OPEN, Match.Status.SHUFFLING, Match.Status.CLOSED):
            return list(unbegun(match, entries, archived))
        check_header(match)
        tale = Tale(match)
        for entry in entries:
            tale.add(entry)
        tale.check_length()
        return [*beside_the_log(match, tale), *in_the_archive(match, tale, list(archived))]
    except Broken as broken:
        return [broken.fault]
    except (RulesError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError) as error:
        # A value that no check has foreseen. The message of the error could be about a hidden hand.
        return [Fault(None, "unreadable", type(error).__name__)]


def unbegun(match: Match, entries: Sequence[StoredRow], archived: Iterable[ArchivedMatch]) -> Iterator[Fault]:
    """The faults of a match that has not begun: it should have nothing yet."""
    if entries or match.ply:
        yield Fault(0, "length", f"the log has {len(entries)} rows, the header says {match.ply}; expected none yet")
    if list(archived):
        yield Fault(None, "archive", "it is in the archive, but has not begun")


def check_header(match: Match) -> None:
    """Raise Broken if the values fixed at the beginning are impossible."""
    seats = list(match.seats.all())
    if [seat.index for seat in seats] != list(range(match.places)):
        raise Broken(None, "seats", f"the seats are {[seat.index for seat in seats]}; expected {match.places} from 0")
    for seat in seats:
        if bool(seat.user_id) == bool(seat.bot):
            raise Broken(None, "seats", f"at seat {seat.index} sit both a user and a bot, or neither")
    if chance.commitment(bytes(match.secret)) != match.commitment:
        raise Broken(None, "commitment", "the commitment is not the hash of the secret")
    try:
        if match.rules.options(match.options) != match.options:
            raise Broken(None, "options", "some table options are missing")
        seed_of(match, seats)
    except (RulesError, ValueError) as error:
        raise Broken(None, "header", str(error)) from error
    if match.started_at is None:
        raise Broken(None, "header", "it has no beginning")
    if match.beacon and not match.beacon_round:
        raise Broken(None, "beacon", "a beacon was mixed in, but none was asked")
    check_fixed(match, seats)
    check_shares(match, seats)


def check_shares(match: Match, seats: Sequence[Seat]) -> None:
    """Raise Broken if the bytes of a seat are not those of its seal, or of the secret where the site gave them."""
    for seat in seats:
        share = bytes(seat.share)
        sealed = chance.seal(match.key, seat.index, share) == seat.seal
        sites = chance.site_share(bytes(match.secret), seat.index) == share
        match seat.share_from:
            case Seat.From.SEALED | Seat.From.AHEAD:
                right = sealed
            case Seat.From.UNOPENED:
                right = sites and bool(seat.seal)
            case Seat.From.SITE:
                right = sites and not seat.seal
            case _:
                right = False
        if not right:
            raise Broken(None, "share", f"the bytes of seat {seat.index} are not those of its seal, or of the site")


def check_fixed(match: Match, seats: Sequence[Seat]) -> None:
    """Raise Broken if something that was fixed at the beginning is not what the header says."""
    found, told = header(match, seats), match.header
    if not isinstance(told, dict) or told.keys() != found.keys():
        raise Broken(None, "header", "the header is not one of a match that began")
    for name, value in found.items():
        if name != "players" and told[name] != value:
            raise Broken(None, name, f"“{name}” is {value!r}, but was {told[name]!r} when it began")
    if len(told["players"]) != len(seats):
        raise Broken(None, "players", f"the header has {len(told['players'])} players; expected {len(seats)}")
    for seat, (was, now) in enumerate(zip(told["players"], found["players"], strict=True)):
        user = seats[seat].user
        if user and user.closed and not seats[seat].salt:
            # The name has been forgotten; its hash stays.
            now = now | {"name": was.get("name")}
        if was != now:
            raise Broken(None, "players", f"at seat {seat} sits somebody else, or under another name, than at first")


class Tale:
    """The result of replaying the log of a match, row by row."""

    def __init__(self, match: Match):
        self.match, self.rules, self.clock = match, match.rules, match.clock
        self.seats: list[Seat] = list(match.seats.all())
        self.seed = seed_of(match, self.seats)
        self.state: State = history.start_of(match, self.seed)
        self.link = chain.first_link(match.header)
        self.ply = 0
        self.at = self.asked_at = self.ended_at = match.began_ms
        self.banks = [match.bank_ms] * match.places
        self.moves: list[int] = []
        self.made = [self.rules.max_plies] * match.places
        """By seat, how many of the moves had been made when its player left."""
        self.left: dict[int, tuple[str, int]] = {}
        """The players who have left: by seat, why and at which ply."""
        self.came: set[int] = set()
        """The seats whose players have answered once."""
        self.soon: set[int] = set()
        """Those of them who left while the game had hardly begun."""
        self.aborted = self.stopped = False
        self.answer: tuple[int, int] | None = None
        """The seat and the time of what a player has sent together, which may be several rows."""
        self.answering: int | None = None
        """The seat whose answer is not complete yet: its clock runs on."""

    def add(self, entry: StoredRow) -> None:
        """Replay one row. Raises Broken if it cannot be the next one."""
        if entry.ply != self.ply:
            self.fail("gap", f"this row is missing: the next in the log is {entry.ply}")
        if self.aborted or self.state.over:
            self.fail("end", "this row comes after the end of the match")
        if self.left and len(self.seats) == 2 and entry.move not in (END, "!abort", ABSENT):
            self.fail("end", "it went on, though one of two had left")
        # The time lost in an outage is given back when it is over, at whatever ply the match is by then.
        if entry.at < self.at - BACK_MS and not entry.move.startswith("!outage"):
            self.fail("time", f"it was made {self.at - entry.at} ms before the row before it")
        shown = self.event(entry) if entry.move.startswith("!") else self.move(entry)
        line = chain.line(self.seed, self.ply, entry.seat, entry.by, entry.at, entry.move, shown)
        self.link = chain.next_link(self.link, line)
        if entry.link != chain.kept(self.ply, self.link):
            first = self.ply - self.ply % chain.KEPT_EVERY
            where = "the header of the match, or a row" if first == 0 else f"a row from {first} on"
            self.fail("link", f"{where} up to this one is not as it was written: its link does not fit")
        self.ply += 1
        self.at, self.ended_at = max(self.at, entry.at), entry.at

    def move(self, entry: StoredRow) -> str:
        """Replay a move. Returns what everybody reads of it."""
        state, seat = self.state, entry.seat
        forced = state.forced()
        try:
            move = self.rules.move(entry.move)
            state.check(move, seat)
        except RulesError as error:
            # The possible answers are not for everybody while the match runs.
            ended = self.match.status != Match.Status.RUNNING
            self.fail("move", str(error) if ended else "the rules do not allow this row here")
        if forced is not None:
            # A player may have sent it along with the move that left no other.
            sent_along = entry.by == By.PLAYER and self.answer == (seat, entry.at)
            expected = By.PLAYER if sent_along else By.SERVER
        else:
            expected = By.BOT if seat in self.left or self.seats[seat].bot else By.PLAYER
        if entry.by != expected:
            self.fail("by", f"it is marked as made by {named(entry.by)}; expected {named(expected)}")
        if forced is None:
            until = self.deadline(seat)
            if until is not None and entry.by == By.PLAYER and entry.at > until + GRACE_MS:
                self.fail("clock", f"the answer came {entry.at - until} ms after the time was up")
            self.answer, self.answering = (seat, entry.at) if entry.by == By.PLAYER else None, seat
        if entry.by == By.PLAYER:
            self.came.add(seat)
        shown = state.shown(move)
        state.play(move)
        self.moves.append(move)
        if self.answering is not None and not state.same_answer:
            self.answered(entry.at)
        return shown

    def answered(self, at: int) -> None:
        """Stop the clock of the seat whose answer is complete."""
        seat, self.answering = self.answering, None
        assert seat is not None
        self.banks[seat] = clocks.bank_after(self.clock, self.asked_at, self.banks[seat], at)
        self.asked_at = at

    def event(self, entry: StoredRow) -> str:
        """Replay a row that is not a move; everybody reads it as it is."""
        seat = entry.seat
        name, _, value = entry.move[1:].partition(" ")
        if seat >= len(self.seats):
            self.fail("event", f"there is no seat {seat}")
        if entry.by != By.SERVER:
            self.fail("by", f"it is marked as made by {named(entry.by)}; expected {named(By.SERVER)}")
        if name in Seat.Left.values:
            self.leave(entry, name)
        elif name == "abort":
            if not self.state.early:
                self.fail("event", "too much was played to abort")
            self.aborted = True
        elif entry.move == END:
            if not self.left:
                self.fail("event", "it was ended early, though nobody had left")
            self.state = self.state.copy()
            self.state.stop()
            self.stopped = True
        elif name == "deserted":
            if self.match.counts or not all(at in self.left or one.bot for at, one in enumerate(self.seats)):
                self.fail("event", "it was cancelled, though somebody still played or its result counts")
            self.aborted = True
        elif entry.move == ABSENT:
            missing = self.left.keys() - self.came
            late = not self.match.agreed and any(self.left[at][0] == Seat.Left.TIME for at in missing)
            if not missing or (self.match.rated and not late):
                self.fail("event", "it was cancelled for a player who never came, but nobody was absent, or it counts")
            self.aborted = True
        elif entry.move == CLOSED:
            if self.match.rated or self.match.hidden:
                self.fail("event", "it was cancelled as at the end of an event, but is rated or still hidden")
            self.aborted = True
        elif name == "outage" and value.isdecimal():
            self.credit(seat, 1000 * int(value))
        else:
            self.fail("event", f"there is no event {quoted(entry.move)}")
        self.answer = None
        if self.state.seat in self.left:
            self.asked_at = entry.at
        return entry.move

    def credit(self, seat: int, ms: int) -> None:
        """Give a clock back the time lost in an outage; to the player whose turn it is by a later question."""
        if seat == self.state.seat:
            self.asked_at += ms
        else:
            self.banks[seat] += ms

    def leave(self, entry: StoredRow, why: str) -> None:
        if entry.seat in self.left or self.seats[entry.seat].bot:
            self.fail("event", f"seat {entry.seat} leaves, where a bot played already")
        if why == Seat.Left.TIME:
            until = self.deadline(entry.seat)
            if entry.seat != self.state.seat or until is None or entry.at < until + GRACE_MS:
                self.fail("clock", f"the time of seat {entry.seat} was not up")
        self.left[entry.seat] = (why, self.ply)
        self.made[entry.seat] = len(self.moves)
        if self.state.early:
            self.soon.add(entry.seat)

    def deadline(self, seat: int) -> int | None:
        """When the time of a seat that is asked now is up."""
        return clocks.deadline(self.clock, self.asked_at, self.banks[seat])

    def check_length(self) -> None:
        """Raise Broken if the log is longer or shorter than the header says."""
        if self.ply != self.match.ply:
            at = min(self.ply, self.match.ply)
            self.fail("length", f"the log has {self.ply} rows, the header says {self.match.ply}", at)

    def fail(self, name: str, text: str, ply: int | None = None) -> None:
        raise Broken(self.ply if ply is None else ply, name, text)

    @property
    def status(self) -> str:
        if self.aborted:
            return Match.Status.ABORTED
        return Match.Status.FINISHED if self.state.over else Match.Status.RUNNING

    def feats(self) -> list[Counter[str]]:
        """What each player did, for the archive."""
        start = history.start_of(self.match, self.seed)
        return self.rules.feats(start, self.moves, self.made)

    def result(self) -> dict[str, Any] | None:
        """The `result` that the header should have."""
        if self.status != Match.Status.FINISHED:
            return None
        stayed = ("", None)
        left = [self.left.get(seat, stayed) for seat in range(self.match.places)]
        seats = [Seat(left=why, left_ply=ply, bot=seat.bot) for (why, ply), seat in zip(left, self.seats, strict=True)]
        return outcome(self.rules, self.state, seats, self.stopped)


def beside_the_log(match: Match, tale: Tale) -> Iterator[Fault]:
    """Where header and seats disagree with the log."""
    running = tale.status == Match.Status.RUNNING
    expected: dict[str, object] = {
        "status": tale.status,
        "link": tale.link,
        "mover": tale.state.seat if running else None,
        "result": tale.result(),
        "ended_at": None if running else instant(tale.ended_at),
    }
    if running:
        expected["asked_at"] = instant(tale.asked_at)
    for name, value in expected.items():
        found = bytes(match.link) if name == "link" else getattr(match, name)
        if found != value:
            # Neither chain nor result are readable, and nobody may read them while the match runs.
            told = f": it is {getattr(match, name)}, the log gives {value}" if name not in ("link", "result") else ""
            yield Fault(None, name, f"“{name}” in the header is not what the log gives{told}")
    for seat in tale.seats:
        why, ply = tale.left.get(seat.index, ("", None))
        if (seat.left, seat.left_ply) != (why, ply):
            near = seat.left_ply if ply is None else ply
            text = f"seat {seat.index} left {told_left(seat.left, seat.left_ply)}, the log says {told_left(why, ply)}"
            yield Fault(near, "left", text)
        if seat.bank_ms != tale.banks[seat.index]:
            text = f"seat {seat.index} has {seat.bank_ms} ms left, the times in the log give {tale.banks[seat.index]}"
            yield Fault(None, "bank", text)


def in_the_archive(match: Match, tale: Tale, archived: Sequence[ArchivedMatch]) -> Iterator[Fault]:
    """Where the archive disagrees with the log: it has one row for each person of a finished match, but for a hidden
    one, and one that is played on from another."""
    result = None if match.hidden or match.beginning else tale.result()
    people = {seat.index: seat for seat in tale.seats if seat.user_id} if result else {}
    rows = {row.seat: row for row in archived}
    if len(rows) < len(archived) or rows.keys() != people.keys():
        found = [row.seat for row in archived]
        yield Fault(None, "archive", f"the archive has rows of the seats {found}; expected {list(people)}")
        return
    pool = match.rules.pool(match.places) if match.rated and len(people) == match.places > 1 else ""
    if result is None:
        return
    feats = tale.feats()
    for index, row in rows.items():
        expected = {
            "user_id": people[index].user_id,
            "game": match.game,
            "ended_at": match.ended_at,
            "seats": match.places,
            "place": result["places"][index],
            "level": match.rules.level(match.places, match.options),
            "won": match.rules.won(result, index),
            "points": result["points"][index],
            "categories": categories_won(match.rules, result, index),
            "left": people[index].left,
            "soon": index in tale.soon,
            "bots": len(people) < match.places,
            "feats": feats[index],
            "ended": result.get("ended", ""),
            "scores": result["points"],
            "pool": pool,
        }
        for name, value in expected.items():
            if getattr(row, name) != value:
                text = f"“{name}” of seat {index} in the archive is {getattr(row, name)!r}, the log gives {value!r}"
                yield Fault(None, "archive", text)
        # People may have been renamed since.
        names = {seat.index: seat.name for seat in tale.seats if seat.bot}
        if len(row.names) != match.places or any(row.names[bot] != name for bot, name in names.items()):
            yield Fault(None, "archive", f"“names” of seat {index} in the archive are not those of the table")
        if {row.before is None, row.after is None, row.games is None} != {not pool}:
            yield Fault(None, "archive", f"seat {index} has a rating before and after, or has none, in the archive")


def told_left(why: str, ply: int | None) -> str:
    return f"at {ply} ({why})" if why else "never"


def named(by: int) -> str:
    known: dict[int, str] = {
        By.PLAYER: "a player",
        By.SERVER: "the server (a forced move or an event)",
        By.BOT: "a bot",
    }
    return known.get(by, str(by))
