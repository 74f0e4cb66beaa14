"""What the database says, compared with what people saw: read by plain SQL, computed without the site's code.

That logs replay and that their chains hold is `manage.py verifylogs`' to say.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import psycopg

from tests.faults.people import Page

PLAYER, SERVER, BOT = range(3)
GAP_MS, SECOND_MS = 5000, 1000
"""A longer gap is an outage; what is given back is rounded up to seconds, and what is less than one is not counted."""


class Row(NamedTuple):
    ply: int
    seat: int
    move: str
    by: int
    at: int


class Game(NamedTuple):
    """A match that has begun."""

    address: str
    status: str
    ply: int
    mover: int | None
    live: bool
    clock: bool
    started_at: int
    names: dict[int, str]
    """Of people, by seat."""
    left: set[int]
    rows: list[Row]


class Outage(NamedTuple):
    began: int
    ended: int
    settled: bool


def heads(connection: psycopg.Connection) -> dict[str, tuple[int, str, str]]:
    """How each match stands now: ply, who is asked, status, by address."""
    found = connection.execute("SELECT key, ply, mover, status FROM games_match WHERE started_at IS NOT NULL")
    return {f"/m/{key}": (ply, "" if mover is None else str(mover), status) for key, ply, mover, status in found}


def games(connection: psycopg.Connection) -> dict[str, Game]:
    """All matches that have begun, with their logs, as of one moment, by address."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        rows, names, left = defaultdict(list), defaultdict(dict), defaultdict(set)
        for key, *row in connection.execute(
            "SELECT match_id, ply, seat, move, COALESCE(by, 0), at FROM games_logentry ORDER BY match_id, ply"
        ):
            rows[key].append(Row(*row))
        for key, seat, name, why in connection.execute(
            "SELECT match_id, index, username, s.left FROM games_seat s JOIN accounts_user u ON u.id = user_id"
        ):
            names[key][seat] = name
            if why:
                left[key].add(seat)
        return {
            f"/m/{key}": Game(
                f"/m/{key}", status, ply, mover, bank > 0, bank > 0 or days > 0, at, names[pk], left[pk], rows[pk]
            )
            for pk, key, status, ply, mover, bank, days, at in connection.execute(
                "SELECT id, key, status, ply, mover, bank_ms, days,"
                " floor(extract(epoch FROM started_at) * 1000)::bigint FROM games_match WHERE started_at IS NOT NULL"
            )
        }


def outages(connection: psycopg.Connection) -> list[Outage]:
    """All outages that the site has written down."""
    return [Outage(*row) for row in connection.execute("SELECT began, ended, settled FROM games_outage ORDER BY began")]


class Seen(NamedTuple):
    """What a page had been shown at some moment before the database was read."""

    page: Page
    acknowledged: list[tuple[str, int, list[str], bool]]
    shown: dict[str, int]

    @classmethod
    def by(cls, page: Page) -> Seen:
        return cls(page, list(page.acknowledged), dict(page.shown))


def acknowledged(seen: Iterable[Seen], found: dict[str, Game]) -> Iterator[str]:
    """What was confirmed to people and is not in the log, or is not what they sent."""
    for page, answers, shown in seen:
        for address, ply, moves, by_post in answers:
            rows = found[address].rows[ply : ply + len(moves)]
            if [(row.move, row.by) for row in rows] == [(move, PLAYER) for move in moves]:
                continue
            # The board went on because of something else, and the answer was refused with the next message.
            overtaken = rows and (rows[0].move.startswith("!") or page.ordered)
            if by_post or not overtaken:
                yield f"{address}: {page.name} was shown that {moves} was taken at ply {ply}; the log has {rows}"
        for address, ply in shown.items():
            if found[address].ply < ply:
                yield f"{address}: {page.name} was shown ply {ply}; the log ends before {found[address].ply}"


def unasked(pages: Iterable[Page], found: dict[str, Game]) -> Iterator[str]:
    """Rows that nobody has sent for this ply: an answer that was made twice, or by somebody else."""
    by_name = {page.name: page for page in pages}
    for game in found.values():
        for row in game.rows:
            page = by_name.get(game.names.get(row.seat, ""))
            if row.by != PLAYER or page is None or (page.ordered and row.move == "pass"):
                continue
            tries = [
                moves
                for back in range(min(row.ply, 90) + 1)
                for moves in page.sent.get((game.address, row.ply - back), ())
                if moves[back : back + 1] == [row.move]
            ]
            if not tries:
                yield f"{game.address}: {page.name} never sent {row.move} for ply {row.ply}"


def uncredited(found: dict[str, Game], all_outages: list[Outage]) -> Iterator[str]:
    """Clocks that lost time in an outage, or were given too much, or more than once."""
    for game in found.values():
        given: Counter[tuple[int, int]] = Counter()
        times: Counter[tuple[int, int]] = Counter()
        for row in game.rows:
            if row.move.startswith("!outage "):
                given[row.seat, row.at] += SECOND_MS * int(row.move.split()[1])
                times[row.seat, row.at] += 1
        for outage in all_outages if game.clock and game.status == "running" else ():
            for seat, ms in lost(game, outage).items():
                credit = given[seat, outage.ended]
                if not (ms <= credit < ms + SECOND_MS or (ms < SECOND_MS and not credit)):
                    yield f"{game.address}: seat {seat} lost {ms} ms in {outage}, and was given {credit} ms back"
        if any(count > 1 for count in times.values()):
            yield f"{game.address}: time was given back more than once: {times}"


def lost(game: Game, outage: Outage) -> Counter[int]:
    """For how long people were asked while the site was away, by seat."""
    questions, since = [], game.started_at
    for row in game.rows:
        if not row.move.startswith("!"):
            questions.append((row.seat, since, row.at))
            since = row.at
    questions.append((game.mover, since, outage.ended))
    found: Counter[int] = Counter()
    for seat, since, until in questions if game.live else questions[-1:]:
        if seat in game.names and seat not in game.left:
            found[seat] += max(0, min(until, outage.ended) - max(since, outage.began))
    return +found


def unnoticed(away: Iterable[tuple[int, int]], all_outages: list[Outage]) -> Iterator[str]:
    """Times in which nobody could answer, as seen from outside, that no outage covers."""
    for since, until in away:
        # The first beat may come a moment before the port is seen to answer.
        covered = any(outage.began <= since and until <= outage.ended + SECOND_MS for outage in all_outages)
        if until - since > GAP_MS + SECOND_MS and not covered:
            yield f"the site was away for {until - since} ms, and has noted {all_outages}"


def hasty(found: dict[str, Game], all_outages: list[Outage]) -> Iterator[str]:
    """People whose time was declared to be up while nobody could answer."""
    for game in found.values():
        for row in game.rows:
            if row.move == "!time" and any(outage.began < row.at < outage.ended for outage in all_outages):
                yield f"{game.address}: the time of seat {row.seat} was up at {row.at}, in an outage"
