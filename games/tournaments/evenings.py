"""Evenings of a club: whoever is there is seated, round after round."""

from __future__ import annotations

import secrets
from collections import Counter
from datetime import datetime
from random import Random

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Block, Club, User
from accounts.web.refused import Refused
from games.calendar.models import CalendarEvent
from games.engine.core import Game
from games.ladders.models import Ladder
from games.tournaments import computing, events, playing, services, typed
from games.tournaments.models import Tournament
from games.tournaments.pairing import groups
from games.tournaments.playing import Seated
from games.tournaments.services import GameTerms
from games.tournaments.standing import TournamentStanding

RUNG, RANDOM, UNMET = "rung", "random", "unmet"
"""The ways of seating: neighbours on the ladder, at random, those who have not met."""
APART = 100
"""Who blocks somebody counts as having met them so often: unless it is by rung, they sit together only if they must."""


@transaction.atomic
def open_evening(
    club: Club,
    steward: User | None,
    name: str,
    terms: GameTerms,
    now: datetime,
    *,
    game: Game | None = None,
    ladder: int = 1,
    calendar: CalendarEvent | None = None,
) -> Tournament:
    """Open an evening, and tell the members of the club. `steward`: None for the clock. `ladder`: the number of that by
    whose rungs it can seat. `calendar`: its event."""
    kind = Tournament.Kind.EVENING
    evening = services.open_tournament(
        club, steward, kind, name, terms, now, game=game, ladder=ladder, calendar=calendar
    )
    services.announce(evening, steward, now)
    return evening


def seat_everybody(
    tournament: Tournament,
    steward: User | None,
    now: datetime,
    *,
    how: str = UNMET,
    size: int | None = None,
    fill: bool = False,
    rounds: int | None = None,
) -> int:
    """Begin a round for all who are there and whose last game is over. Returns the number of people seated. `steward`:
    None for the clock.

    `size`: how many are to sit at a table; `fill`: bots take the seats that are missing. `rounds`: how many there were
    when the steward looked; if another steward was faster, this is refused.
    """
    if tournament.at_table and steward:
        typed.count_before_round(tournament, steward, now, rounds)
    return playing.tried(lambda: _seat_everybody(tournament, steward, now, how, size, fill, rounds))


def _seat_everybody(
    tournament: Tournament,
    steward: User | None,
    now: datetime,
    how: str,
    size: int | None,
    fill: bool,
    rounds: int | None,
) -> int:
    standing = events.standing(tournament)
    services.check_steward(tournament, steward)
    if standing.closed is not None:
        raise Refused(_("This is over."))
    if tournament.kind != Tournament.Kind.EVENING:
        raise Refused(_("The rounds of a tournament follow its plan."))
    if rounds is not None and rounds != len(standing.rounds):
        raise Refused(_("Someone else has just begun this round."))
    size = size or tournament.seats
    seats = [each for each in tournament.rules.seats if each > 1]
    if size not in seats:
        raise Refused(_("The game can’t be played by so many."))
    people = free(standing)
    if len(people) < 2 and not (fill and people):
        raise Refused(_("A round needs at least two people who are here and aren’t playing. With bots, one is enough."))
    seed = "" if how == RUNG else secrets.token_hex(16)
    chance = Random(seed)
    if len(people) == 1:
        seating = groups.Seating((tuple(people),), ())
    elif how == RUNG:
        seating = groups.by_rung(by_rung(tournament, people), size, chance, allowed=seats, byes=standing.byes)
    else:
        met = Counter[tuple[int, int]]() if how == RANDOM else meetings(standing)
        met.update(apart(people))
        playing.check_room(tournament, steward)
        seating = computing.computed(
            len(people), groups.unmet, people, size, chance, met=met, allowed=seats, byes=standing.byes
        )
    tables = [Seated(table, max(0, size - len(table)) if fill else 0) for table in seating.tables]
    with transaction.atomic():
        tournament = playing.unmoved(tournament, standing, people)
        services.check_steward(tournament, steward)
        if playing.playing_live(people):
            raise playing.Outdated
        playing.count_games(tournament, len(tables), steward)
        playing.begin_round(tournament, tables, seating.byes, how, seed, now, steward)
        events.schedule_wakeup(tournament, now)
    return sum(len(table) for table in seating.tables)


def free(standing: TournamentStanding) -> list[int]:
    """The players who can be seated: they are there, play no live game, here or elsewhere, and their account is not
    closed."""
    people = User.objects.filter(pk__in=standing.free, is_active=True, closed=False)
    there = set(people.values_list("pk", flat=True)) - playing.playing_live(standing.free)
    return [player for player in standing.free if player in there]


def by_rung(tournament: Tournament, people: list[int]) -> list[int]:
    """These people by their rungs on the ladder by which the tournament seats, then the others as they came."""
    ladder = Ladder.objects.filter(club=tournament.club_id, number=tournament.settings.get("ladder", 1)).first()
    positions = ladder.now_standing().positions() if ladder else {}
    return sorted(people, key=lambda player: positions.get(player, len(positions) + 1))


def meetings(standing: TournamentStanding) -> Counter[tuple[int, int]]:
    """How often each two have sat together."""
    return groups.meetings([table.players for table in each.tables] for each in standing.rounds)


def apart(people: list[int]) -> Counter[tuple[int, int]]:
    """Those who should not sit together, because one of them blocks the other."""
    pairs = Block.objects.filter(user__in=people, blocked__in=people).values_list("user", "blocked")
    return Counter({(min(pair), max(pair)): APART for pair in pairs})
