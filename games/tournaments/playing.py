"""What is played in tournaments: rounds begin, tables are opened, and their games end.

A round of a large event takes seconds to pair. So whoever begins one computes it first, from the standing as it is, and
then locks the tournament and writes it (`unmoved`). Its event is the whole round. A few tables are created in the same
transaction; if there are more, a worker does, a few at a time (`create_more`), so that nobody's move waits for all.
"""

from __future__ import annotations

import hmac
import logging
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

from django.db import OperationalError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notices
from accounts.shown import people_shown
from accounts.web import throttle
from accounts.web.refused import Refused
from games.lobby import open_matches
from games.matches import history
from games.matches.clocks import ms_of
from games.matches.models import LogEntry, Match, Seat, new_key
from games.tournaments import events, payloads
from games.tournaments.events import write
from games.tournaments.models import Tournament
from games.tournaments.standing import Round, RoundTable, TournamentStanding

T = TypeVar("T")
log = logging.getLogger(__name__)


AT_ONCE = 5
"""The most tables that are created in one transaction."""
TRIES = 3
"""How often a round is computed anew because people came or went meanwhile."""


class Outdated(Refused):
    """A tournament is not as it was when its next round was computed."""

    def __init__(self) -> None:
        super().__init__(_("People came or left at this very moment. Please try again."))


class Seated(NamedTuple):
    """Who is to sit at a table."""

    players: Sequence[int]
    bots: int = 0
    absent: Sequence[int] = ()
    """Those of them who have left: no game is played, and they are last."""


def held(people: Collection[int]) -> set[int]:
    """Lock these people, so that nobody else seats them at a live table before the transaction ends. Like everything
    that locks people: before clubs, and these before tournaments."""
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk")
    return set(rows.values_list("pk", flat=True))


def unmoved(tournament: Tournament, standing: TournamentStanding, people: Collection[int]) -> Tournament:
    """The tournament, locked and fresh; these people are locked too. Raises Outdated if it stands otherwise by now."""
    there = held(people)
    tournament = events.locked(tournament)
    if tournament.events != standing.events or not there.issuperset(people):
        raise Outdated
    return tournament


def tried(begin: Callable[[], T]) -> T:
    """What `begin` returns, which begins a round; computed anew if people come or leave meanwhile."""
    for _try in range(TRIES - 1):
        try:
            return begin()
        except Outdated:
            continue
    return begin()


def playing_live(people: Collection[int]) -> set[int]:
    """Those of these people who play a live game anywhere, to which they have said yes, are ready for one to which
    others are called, or whose table of a round is about to be created."""
    seats = Seat.objects.filter(left="", confirmed=True, match__pace=Match.Pace.LIVE, match__status__in=Match.UNDER_WAY)
    found = set(seats.filter(user__in=people).values_list("user", flat=True))
    called = Seat.objects.filter(ready=True, user__in=people, match__in=Match.objects.filter(Match.CALLED))
    found.update(called.values_list("user", flat=True))
    begun = Tournament.objects.filter(to_create=True, wake_at__isnull=False, pace=Match.Pace.LIVE)
    for standing in events.standings(begun).values():
        seated = [player for _number, _round, table in _missing(standing) for player in table.players]
        found.update(player for player in seated if player in people and not standing.entrants[player].ticked)
    return found


def check_free(people: Collection[int]) -> None:
    """Raises Refused, with their names, if some of these people play a live game."""
    if elsewhere := playing_live(people):
        names = people_shown(elsewhere)
        told = ", ".join(names[player].name for player in people if player in names)
        raise Refused(_("These still play a live game elsewhere: %(names)s. Wait, or take them out.") % {"names": told})


def check_room(tournament: Tournament, by: User | None) -> None:
    """Raises TooMany if no game of a tournament can begin now. Cheap: to be asked before a round is paired."""
    for what, who in _counts(tournament, by):
        throttle.check(what, who)


def _counts(tournament: Tournament, by: User | None) -> list[tuple[str, object]]:
    """What the games that begin in a tournament count for."""
    found: list[tuple[str, object]] = [("event games", tournament.pk), ("club games", tournament.club_id)]
    return [*found, ("games for others", by.pk)] if by else found


def count_games(tournament: Tournament, games: int, by: User | None) -> None:
    """Count so many games that begin in a tournament. Raises TooMany, and counts none of them, beyond a limit."""
    throttle.count_all(_counts(tournament, by), games)


def begin_round(
    tournament: Tournament,
    seating: Sequence[Seated],
    byes: Sequence[int],
    how: str,
    seed: str,
    now: datetime,
    by: User | None,
    *,
    until: datetime | None = None,
    deal: int | None = None,
    halves: Sequence[int] = (),
    reason: str = "",
) -> None:
    """Begin a round, whose games have been counted, in a locked tournament.

    `how`: the way of pairing; `seed`: what chance was drawn from, empty without. `deal`: which one all its tables
    play, if the deal is the same for all. `halves`: who has a bye because they asked for it. `reason`: why a steward
    has paired it by hand. The caller settles the tournament, which wakes the worker if there are tables to create.
    """
    wanted = [player for seated in seating for player in seated.players]
    playing = [player for seated in seating if not seated.absent for player in seated.players]
    found = User.objects.filter(pk__in=wanted, is_active=True, closed=False)
    people = set(found.values_list("pk", flat=True))
    standing = events.standing(tournament)
    if len(set(wanted)) != len(wanted) or (not tournament.side_by_side and standing.busy & set(wanted)):
        raise Refused(_("Someone would sit at two tables."))
    if missing := [player for player in playing if player not in people]:
        raise ValueError(f"these cannot play: {missing}")
    if tournament.at_table:
        if any(seated.bots for seated in seating):
            raise Refused(_("Bots don’t sit at a real table. Choose tables without them."))
    elif tournament.pace == Match.Pace.LIVE:
        check_free(playing)
    tables = tuple(
        payloads.SeatedTable(
            tuple(seated.players), seated.bots, "" if seated.absent or tournament.at_table else new_key()
        )
        for seated in seating
    )
    number, ends = len(standing.rounds), ms_of(until) if until else None
    write(tournament, payloads.RoundBegun(tables, tuple(byes), how, seed, ends, deal, tuple(halves)), now, by, reason)
    for index, seated in enumerate(seating):
        if seated.absent:
            on_time = sum(player not in seated.absent for player in seated.players)
            places = tuple(1 + on_time * (player in seated.absent) for player in seated.players) if on_time else ()
            write(tournament, payloads.Forfeited(number, index, places, tuple(seated.absent), ply=0), now)
    if tournament.at_table:
        return
    tournament.to_create = tournament.to_create or len(tables) > AT_ONCE
    tournament.save(update_fields=["to_create"])
    if not tournament.to_create:
        _create_some(tournament, now)
    elif tournament.pace == Match.Pace.LIVE:
        # Nor are they seated by a quick match before their tables are created.
        open_matches.end_searches(player for player in playing if not standing.entrants[player].ticked)


def create_more(tournament: Tournament, now: datetime) -> None:
    """Lay the tables that the rounds of a tournament have yet to get, a few in each transaction. Between them
    others can write for three times as long: a database of one file lets one writer in, and the others do not queue."""
    while tournament.to_create:
        with transaction.atomic():
            tournament = events.locked(tournament)
            began = time.monotonic()
            _create_some(tournament, now)
            tournament.save(update_fields=["to_create"])
            if not tournament.to_create:
                events.schedule_wakeup(tournament, now)
        if tournament.to_create:
            time.sleep(3 * (time.monotonic() - began))


def _create_some(tournament: Tournament, now: datetime) -> None:
    """Lay the first tables of a locked tournament that are missing, and lead the people there."""
    standing = events.standing(tournament)
    missing = _missing(standing)
    # Whoever is called to a table reads of which round it is.
    some = [each for each in missing[:AT_ONCE] if tournament.side_by_side or each[0] == missing[0][0]]
    tournament.to_create = len(some) < len(missing)
    keys = {player: table.match for _number, _round, table in some for player in table.players}
    people = {user.pk: user for user in User.objects.filter(pk__in=keys)}
    matches = [
        _match(tournament, standing, table, [people[player] for player in table.players], round_.deal)
        for _number, round_, table in some
    ]
    # Where somebody has not said that they are at their screen, nobody's clock runs before they have been asked.
    asked = [each for each in matches if not all(seat.ready for seat in each[1])]
    open_matches.call(asked, now)
    open_matches.begin_all([each for each in matches if each not in asked], ms_of(now))
    if some and not tournament.side_by_side and tournament.kind != Tournament.Kind.DEAL:
        number, addresses = some[0][0], {player: f"/m/{key}" for player, key in keys.items()}
        cause = tournament.log.filter(kind=payloads.RoundBegun.kind).order_by("number")[number].by or tournament.club
        kind = "arena-table" if tournament.kind == Tournament.Kind.ARENA else "round"
        notices.notify(people.values(), kind, addresses, now, by=cause, event=tournament.name, number=number + 1)


def _missing(standing: TournamentStanding) -> list[tuple[int, Round, RoundTable]]:
    """The tables of rounds that have begun and are not created yet, each with its round and the number of that."""
    wanted = [
        (number, each, table)
        for number, each in enumerate(standing.rounds)
        for table in each.tables
        if table.match and not table.over
    ]
    found = Match.objects.filter(key__in=[table.match for _number, _round, table in wanted])
    created = set(found.values_list("key", flat=True))
    return [each for each in wanted if each[2].match not in created]


def _match(
    tournament: Tournament, standing: TournamentStanding, table: RoundTable, people: Sequence[User], deal: int | None
) -> tuple[Match, list[Seat]]:
    """A table at which everybody sits, and its seats. Whom a steward has ticked is yet to be ready for a live game of a
    night."""
    club, rules = tournament.club, tournament.rules
    entrants = [standing.entrants[person.pk] for person in people]
    unasked = [person for person, entrant in zip(people, entrants, strict=True) if entrant.ticked]
    night = tournament.kind == Tournament.Kind.EVENING and tournament.pace == Match.Pace.LIVE
    casual = table.bots or club.private or any(each.stranger or each.ticked for each in entrants)
    return open_matches.arranged(
        rules,
        people,
        [person for person in people if not night or person not in unasked],
        table.bots,
        unasked,
        # What moves the ratings of the site is played before everybody's eyes, by people who came to play.
        rated=tournament.rated and not casual and bool(rules.pool(len(people))),
        listed=not club.private,
        watch=Match.Watch.CLUB if club.private else Match.Watch.ANYBODY,
        key=table.match,
        hidden=deal is not None,
        secret=None if deal is None else deal_secret(bytes(tournament.secret), deal),
        club=club,
        agreed=tournament.page,
        options=tournament.options,
        clock=tournament.clock,
    )


def deal_secret(secret: bytes, deal: int) -> bytes:
    """The secret of all matches in which a deal of a tournament is played, from 0: by that of the tournament. Its
    commitment stands in the first event."""
    return hmac.digest(secret, f"deal {deal}".encode(), "sha256")


def ended(match: Match) -> None:
    """A match has ended, or will not begin: if it was played in a tournament, its table changes now, in the same
    transaction."""
    tournament = of(match)
    if tournament is None or match.ended_at is None:
        return
    try:
        with transaction.atomic():
            tournament = events.locked(tournament)
            record(tournament, [match])
            events.schedule_wakeup(tournament, match.ended_at)
    except OperationalError:
        raise  # not the tournament's fault: the database is away, or gave way to another transaction
    except Exception:
        log.exception("The tournament %s could not record the end of match %s.", tournament.pk, match.key)
        Tournament.objects.filter(pk=tournament.pk).update(wake_at=match.ended_at)


def of(match: Match) -> Tournament | None:
    """The tournament in which a match is played."""
    room, _slash, number = match.agreed.partition("/")
    if room != "tournaments" or not number.isdecimal():
        return None
    return Tournament.objects.select_related("club").filter(club=match.club_id, number=int(number)).first()


def record(tournament: Tournament, matches: Iterable[Match]) -> None:
    """Record the ends of matches, in this order, in their locked tournament, unless that has been done. To be settled
    by the caller."""
    open_tables = {
        table.match: (number, index, each.until)
        for number, each in enumerate(events.standing(tournament).rounds)
        for index, table in enumerate(each.tables)
        if not table.over
    }
    for match in matches:
        assert match.ended_at
        if match.key not in open_tables:
            continue
        number, index, until = open_tables[match.key]
        if until is not None and until <= ms_of(match.ended_at):
            continue  # too late: the worker decides it, as of the deadline
        if tournament.same_deal:
            write(tournament, scored(match, number, index), match.ended_at)
        elif match.result is None:
            write(tournament, payloads.TableVoided(number, index), match.ended_at)
        else:
            # Where somebody has ended it, the points of the moment decide nothing.
            points = () if "ended" in match.result else match.result["points"]
            write(
                tournament,
                payloads.TableFinished(number, index, (*match.result["places"],), (*points,)),
                match.ended_at,
            )
        if tournament.kind == Tournament.Kind.ARENA:
            standing = events.standing(tournament)
            away = [player for player in absent(match) if not standing.entrants[player].paused]
            events.write_all(
                tournament, [payloads.EntrantPaused(player, absent=True) for player in away], match.ended_at
            )


def absent(match: Match) -> list[int]:
    """Who never came to a match that has ended: their time ran out before their first answer."""
    out = [seat for seat in match.seats.all() if seat.left == Seat.Left.TIME and seat.user_id]
    if not out:
        return []
    came = {row.seat for row in history.replay(match).rows if row.by == LogEntry.By.PLAYER}
    return [seat.user_id for seat in out if seat.index not in came and seat.user_id]


def scored(match: Match, number: int, index: int) -> payloads.TableFinished:
    """What a match that has ended says of a table whose deal others play too. If it was cancelled, all have left it; if
    it ended because somebody left, there are no points."""
    seats = list(match.seats.order_by("index"))
    if match.result is None:
        return payloads.TableFinished(number, index, (), (), tuple(seat.index for seat in seats if seat.user_id))
    points = () if "ended" in match.result else tuple(match.result["points"])
    left = tuple(seat.index for seat in seats if seat.left)
    return payloads.TableFinished(number, index, tuple(match.result["places"]), points, left)
