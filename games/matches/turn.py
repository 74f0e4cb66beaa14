"""A turn, computed in memory: the rows that an answer adds to the log, with everything that follows from them.

Nothing here writes; `games.matches.play` does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from accounts.journal.chain import canonical
from accounts.web.refused import Refused
from games.engine.core import State
from games.matches import chain, clocks, history, pauses
from games.matches.clocks import instant, now_ms
from games.matches.history import Row
from games.matches.models import LogEntry, Match, Seat

By = LogEntry.By


class Stale(Refused):
    """The match has moved on since the page was drawn."""

    def __init__(self) -> None:
        super().__init__(_("The table has moved on. Here’s how it stands now."))


class NotPossible(Refused):
    """The rules do not allow this answer here."""

    def __init__(self, why: str = "") -> None:
        """`why`: the reason, in a sentence of the game."""
        super().__init__(why or _("That answer isn’t possible here. The table shows what you can do."))


@dataclass(frozen=True, slots=True)
class Turn:
    """Rows for the log of a match, with everything that follows from them, not committed yet."""

    match: Match
    ply: int
    revision: int
    """The match that it continues: at this ply, and at this revision."""
    rows: Sequence[Row]
    links: Sequence[bytes]
    """The link of each row in the chain."""
    state: State
    """The position after the rows."""
    at: int
    header: dict[str, Any]
    """The fields of the match's header that change, with their new values."""
    banks: dict[int, int]
    """The clocks that change: milliseconds left, by seat."""
    aborted: bool = False

    @property
    def confirms(self) -> Seat | None:
        """The seat whose player says yes to the game with this answer, their first one; None if nobody does."""
        first = self.rows[0]
        seat = self.match.sitting[first.seat]
        return None if seat.confirmed or first.by != By.PLAYER else seat

    @property
    def ends(self) -> bool:
        """Whether the match ends with this turn."""
        return self.aborted or self.state.over

    def show(self, match: Match) -> None:
        """Bring a remembered match, as it was before, up to date. Not for a turn that ends it."""
        for name, value in self.header.items():
            setattr(match, name, value)
        seats = match.sitting
        for index, left_ms in self.banks.items():
            seats[index].bank_ms = left_ms
        if self.rows[0].by == By.PLAYER:
            seats[self.rows[0].seat].confirmed = True


def prepare(match: Match, seat: int, ply: int, texts: Sequence[str], by: By = By.PLAYER, at: int | None = None) -> Turn:
    """Compute the turn that an answer makes, without writing. A lost race shows in `play.commit`.

    Raises Stale, RulesError and Refused as `play.play` does.
    """
    at = at or now_ms()
    if match.status != Match.Status.RUNNING or match.ply != ply:
        raise Stale
    state = history.replay(match).state(ply)
    if by == By.PLAYER and state.seat == seat and is_late(match, at):
        raise Refused(_("Your time ran out before the answer arrived."))
    if not texts:
        raise Refused(_("No answer arrived. Choose one and send it again."))
    rules, state = match.rules, state.copy()
    shown = state.answer([rules.move(text) for text in texts], seat)
    rows = [Row(seat, text, by, at) for text in texts]
    same_answer = state.same_answer
    while (forced := state.forced()) is not None:
        assert state.seat is not None
        rows.append(Row(state.seat, rules.text(forced), By.SERVER, at))
        shown.append(rows[-1].move)
        state.play(forced)
        same_answer = same_answer and state.same_answer
    return turn_of(match, rows, shown, state, at, answered=seat, same_answer=same_answer)


def is_late(match: Match, at: int) -> bool:
    """Whether an answer at `at` comes after the deadline of the player whose turn it is, grace included."""
    return match.deadline is not None and at > match.deadline + clocks.GRACE_MS


def turn_of(
    match: Match,
    rows: Sequence[Row],
    shown: Sequence[str],
    state: State,
    at: int,
    *,
    answered: int | None = None,
    same_answer: bool = False,
    aborted: bool = False,
) -> Turn:
    """The turn with these rows: links, clocks, the next question.

    `shown` is what everybody reads of each row, `state` the position after them, `answered` the seat whose clock ran.
    While it is the `same_answer`, that clock runs on: a payment sent card by card is one answer.
    """
    seats = match.sitting
    links = linked(match, rows, shown)
    header: dict[str, Any] = {"ply": match.ply + len(rows), "link": links[-1]}
    banks: dict[int, int] = {}
    if same_answer:
        header |= question(match, state, seats, banks, match.asked_ms, at, rows, shown)
    elif answered is not None or (state.seat is not None and seats[state.seat].left):
        if answered is not None and match.bank_ms:
            banks[answered] = clocks.bank_after(match.clock, match.asked_ms, seats[answered].bank_ms, at)
        header |= question(match, state, seats, banks, at, at, rows, shown)
    return Turn(match, match.ply, match.revision, rows, links, state, at, header, banks, aborted)


def linked(match: Match, rows: Sequence[Row], shown: Sequence[str]) -> list[bytes]:
    """The links of rows that follow the last one of the log."""
    seed, link = history.replay(match).seed, bytes(match.link)
    links = []
    for ply, (row, public) in enumerate(zip(rows, shown, strict=True), match.ply):
        link = chain.next_link(link, chain.line(seed, ply, row.seat, row.by, row.at, row.move, public))
        links.append(link)
    return links


def question(
    match: Match,
    state: State,
    seats: Sequence[Seat],
    banks: dict[int, int],
    since: int,
    now: int,
    rows: Sequence[Row] = (),
    shown: Sequence[str] = (),
) -> dict[str, Any]:
    """The fields of a match that say whose turn it is, since when, and when the worker must look, as from `now`.

    `banks`: the clocks that differ from those of the seats. `rows` and `shown`: what is new in the log.
    """
    asked: dict[str, Any] = {"mover": state.seat, "asked_at": instant(since), "wake_at": None}
    if state.seat is None:
        return asked
    seat = seats[state.seat]
    until = clocks.deadline(match.clock, since, banks.get(state.seat, seat.bank_ms))
    if seat.plays_itself:
        asked["wake_at"] = instant(now) + thinking(match, rows, shown)
    elif seat.kept_orders:
        # Whether they say anything of this question is looked up then: nothing here depends on it.
        asked["wake_at"] = instant(now) + pauses.waiting(match.clock, until, now)
    elif until is not None:
        asked["wake_at"] = instant(until + clocks.GRACE_MS)
    return asked


def thinking(match: Match, rows: Sequence[Row], shown: Sequence[str]) -> timedelta:
    """The time that a bot takes for its answer after these rows; none while a person skips to their next question."""
    log, read = [*rows], [*shown]
    if match.ply:
        replay = history.replay(match)
        log, read = replay.rows[: match.ply] + log, replay.shown[: match.ply] + read
    answered = next((ply for ply in reversed(range(len(log))) if log[ply].by == By.PLAYER), -1)
    if match.skipped is not None and match.skipped > answered:
        return timedelta()
    moves = [text for text in read[max(0, answered) :] if not text.startswith("!")]
    return pauses.thinking(match.tempo, match.rules.bot_delay(moves, match.places))


def standing_answer(match: Match, state: State) -> list[str]:
    """The answer of the standing orders of the seat whose turn it is: all its moves; empty if there is none."""
    texts: list[str] = []
    seat, state = state.seat, state.copy()
    orders = [] if seat is None else [kept.order for kept in match.sitting[seat].kept_orders]
    while orders and (not texts or (state.same_answer and state.forced() is None)):
        assert seat is not None
        move = match.rules.answer(state.view(seat), orders)
        if move is None:
            break
        texts.append(match.rules.text(move))
        state.play(move)
    return texts


FIXED = (
    *("key", "game", "version", "options", "places", "commitment", "beacon_round", "rated", "watch"),
    *("pace", "bank_ms", "increment_ms", "days"),
)
"""The columns of a match that are in its header as they are."""


def header(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    """Everything that is fixed when a match begins: the first link of its log covers it.

    `Match.header` keeps it, because a name is forgotten when its account is closed; its hash stays.
    """
    fixed = {name: getattr(match, name) for name in FIXED}
    if match.beginning:
        fixed["from"] = origin(match.beginning, bytes(match.secret))
    return fixed | {
        "started": match.began_ms,
        "players": [player(seat) for seat in seats],
        "seals": [seat.seal for seat in seats],
        "shares_from": [seat.share_from for seat in seats],
    }


def origin(beginning: dict[str, Any], secret: bytes) -> dict[str, Any]:
    """From where a match is played on, as its header has it: the position only as a hash with its secret."""
    start = canonical(beginning["position"])
    return {**beginning, "position": hashlib.sha256(secret + start).hexdigest()}


def player(seat: Seat) -> dict[str, str]:
    """Who sits at a seat, as the header has it."""
    if seat.user is None:
        return {"bot": seat.bot, "name": seat.name}
    return {"account": seat.user.key, "name": chain.name_hash(bytes(seat.salt), seat.name)}
