"""Who may challenge whom: one decision for the page, before the click, and for the server, after it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from random import Random

from games.engine.core import Game
from games.ladders import rules as ladder
from games.ladders.rules import DAY_MS, Rules
from games.ladders.standing import Standing, midnight

SIZES = (2, 3, 4)
"""The rules define the reach of a challenge for tables of up to four."""


def tables_of(game: Game, rules: Rules | None = None) -> list[int]:
    """The numbers of players that can meet for a ladder on which this game is played: by these rules, or by any."""
    return [seats for seats in SIZES if seats in game.seats and (rules is None or seats in rules.sizes)]


class ChallengeRefusal(StrEnum):
    """A reason why somebody cannot be challenged; `games.ladders.words.reasons` has the sentences."""

    YOURSELF = "yourself"
    OUTSIDER = "outsider"
    """The challenger is not on the ladder."""
    NOT_ON_LADDER = "not-on-ladder"
    """The other is not."""
    SEASON_OVER = "season-over"
    PAUSED = "paused"
    """The stewards have paused the ladder."""
    YOU_AWAY = "you-away"
    """The challenger is on vacation."""
    YOU_OFF = "you-off"
    """The challenger was taken off, and has not returned."""
    AWAY = "away"
    """The other is on vacation."""
    OFF = "off"
    """The other was taken off for running out of time, and has not returned."""
    BELOW = "below"
    TOO_HIGH = "too-high"
    TOO_FAR = "too-far"
    """A third or fourth player stands too far from the others of the table."""
    PLAYING = "playing"
    """The two have an open challenge with each other."""
    TOO_SOON = "too-soon"
    """The two played each other a short time ago."""
    THEY_MET = "they-met"
    """A third or fourth player has recently played another one of the table, not the challenger."""
    YOU_OUT = "you-out"
    """The challenger has as many open challenges as the rules allow."""
    THEY_IN = "they-in"
    """The other is in as many challenges by others as the rules allow."""


@dataclass(frozen=True, slots=True)
class Pending:
    """An open challenge."""

    challenger: int
    others: tuple[int, ...]
    stalled: bool = False
    """Whether its game has been agreed for `rules.STALL_DAYS`, without a time, and has not begun."""
    came: frozenset[int] = frozenset()
    """If it has stalled: the players who have waited at its table."""

    def has(self, one: int, other: int) -> bool:
        """Whether these two are to play each other."""
        players = (self.challenger, *self.others)
        return one in players and other in players

    def binds(self, me: int, other: int) -> bool:
        """Whether `me` must play it before challenging `other`: not if `me` waits for `other`."""
        return self.has(me, other) and not (me in self.came and other not in self.came)


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that the decision depends on."""

    standing: Standing
    pending: tuple[Pending, ...]
    at: int
    """Now, in milliseconds since 1970."""

    def out(self, player: int) -> int:
        """The number of open challenges that a player has made, without those in which they wait for others."""
        return sum(each.challenger == player and player not in each.came for each in self.pending)

    def into(self, player: int) -> int:
        """The number of open challenges by others that a player is in, without those that have stalled."""
        return sum(player in each.others and not each.stalled for each in self.pending)

    def reach(self, player: int, seats: int) -> int:
        """The most places between the first and the last at a table of this many that a player asks for."""
        rules, order = self.standing.rules, self.standing.order
        usual = ladder.reach(rules, seats)
        placed = player in self.standing.placed or any(each.challenger == player for each in self.pending)
        if seats > min(rules.sizes) or placed or not rules.placement or player not in order:
            return usual
        return max(usual, ladder.to_middle(order, player))

    def next_below(self, player: int, other: int) -> bool:
        """Whether `player` stands just below `other`, but for players on vacation."""
        order = self.standing.order
        between = order[order.index(other) + 1 : order.index(player)]
        return order.index(other) < order.index(player) and all(
            self.standing.players[each].away(self.at) for each in between
        )

    def rests_until(self, one: int, other: int) -> int:
        """The moment until which the two do not meet again; in the past if they may."""
        met = self.standing.met.get((min(one, other), max(one, other)))
        return 0 if met is None else met + self.standing.rules.rest_days * DAY_MS

    def may_play_at_table(self, one: int, other: int) -> int:
        """The moment from which a game of the two at a real table may count; in the past if it may."""
        met = self.standing.met.get((min(one, other), max(one, other)))
        return 0 if met is None else met + max(1, self.standing.rules.rest_days) * DAY_MS

    def rest(self, one: int, other: int) -> bool:
        """Whether the two have met so recently that they may not meet again."""
        return self.at < self.rests_until(one, other)


def may_challenge(situation: Situation, me: int) -> ChallengeRefusal | None:
    """Why a player cannot challenge anybody now; None if they can."""
    standing, at = situation.standing, situation.at
    if me not in standing.players:
        return ChallengeRefusal.OUTSIDER
    if standing.ends is None or standing.ends <= at:
        return ChallengeRefusal.SEASON_OVER
    if standing.resumes is not None:
        return ChallengeRefusal.PAUSED
    if standing.players[me].held is not None:
        return ChallengeRefusal.YOU_OFF
    if standing.players[me].away(at):
        return ChallengeRefusal.YOU_AWAY
    return None


def refusal(situation: Situation, me: int, other: int, seats: int = 2) -> ChallengeRefusal | None:
    """Why `me` cannot challenge `other` to a table of this many seats now; None if they can."""
    if me == other:
        return ChallengeRefusal.YOURSELF
    if why := may_challenge(situation, me) or _unavailable(situation, other):
        return why
    above = situation.standing.order.index(me) - situation.standing.order.index(other)
    if above < 0:
        return ChallengeRefusal.BELOW
    if above > situation.reach(me, seats):
        return ChallengeRefusal.TOO_HIGH
    why, rules = _hindrance(situation, me, other), situation.standing.rules
    if why == ChallengeRefusal.THEY_IN and seats == min(rules.sizes) and situation.next_below(me, other):
        return None
    return why


def table_refusal(situation: Situation, me: int, others: tuple[int, ...]) -> tuple[int, ChallengeRefusal] | None:
    """Why `me` cannot challenge the first of `others` to a table with the rest of them: the player concerned, and why.

    The third and fourth player may also stand below, but no two of the table too far apart.
    """
    seats = 1 + len(others)
    first, *more = others
    if why := refusal(situation, me, first, seats):
        return first, why
    order = situation.standing.order
    for number, other in enumerate(more):
        if other in (me, first, *more[:number]):
            return other, ChallengeRefusal.YOURSELF
        if why := _unavailable(situation, other) or _hindrance(situation, me, other):
            return other, why
        if any(situation.rest(other, each) for each in (first, *more[:number])):
            return other, ChallengeRefusal.THEY_MET
        stand = [order.index(player) for player in (me, first, *more[: number + 1])]
        if max(stand) - min(stand) > situation.reach(me, seats):
            return other, ChallengeRefusal.TOO_FAR
    return None


def drawn(
    situation: Situation, me: int, others: tuple[int, ...], seats: int, chance: Random, passed: Collection[int] = ()
) -> tuple[int, ...] | None:
    """Who else sits at a table of this many to which `me` challenges the first of `others`, and where the rest of them
    already are: of all who could sit there together, but for those who have `passed`, any are as likely as others. None
    if nobody can."""
    first = others[0]
    if refusal(situation, me, first, seats):
        return None
    order, reach = situation.standing.order, situation.reach(me, seats)
    above, below = order.index(first), order.index(me)
    near = order[max(0, below - reach) : above + reach + 1]
    able = [one for one in near if one not in (me, *others, *passed) and not _unavailable(situation, one)]
    able = [one for one in able if not _hindrance(situation, me, one) and not situation.rest(first, one)]
    companies = list(combinations(able, seats - 1 - len(others)))
    chance.shuffle(companies)
    return next((each for each in companies if table_refusal(situation, me, (*others, *each)) is None), None)


def table_game_refusal(
    situation: Situation, players: Sequence[int], played: str, *, entering: bool
) -> tuple[int, int, ChallengeRefusal] | None:
    """Why a game of these players at a real table on a day (ISO 8601) does not count: two of them, and why; None if it
    may.

    `entering`: where they stand, and whether one of them is on vacation, matters when it is entered, not once it waits
    to be confirmed. No two may have met within the rest of the ladder, and at least not on the same day; nor be about
    to, by a challenge. A first game reaches no farther than others.
    """
    standing, first = situation.standing, players[0]
    if standing.ends is None or standing.ends <= situation.at:
        return first, first, ChallengeRefusal.SEASON_OVER
    if entering and standing.resumes is not None:
        return first, first, ChallengeRefusal.PAUSED
    for player in players:
        why = _unavailable(situation, player)
        if why and (entering or why != ChallengeRefusal.AWAY):
            return player, player, why
    stand = [standing.order.index(player) for player in players]
    if entering and max(stand) - min(stand) > ladder.reach(standing.rules, len(players)):
        return first, first, ChallengeRefusal.TOO_FAR
    for one, other in combinations(players, 2):
        if any(each.has(one, other) for each in situation.pending):
            return one, other, ChallengeRefusal.PLAYING
        if midnight(played) + DAY_MS <= situation.may_play_at_table(one, other):
            return one, other, ChallengeRefusal.TOO_SOON
    return None


def _unavailable(situation: Situation, other: int) -> ChallengeRefusal | None:
    known = situation.standing.players.get(other)
    if known is None:
        return ChallengeRefusal.NOT_ON_LADDER
    if known.held is not None:
        return ChallengeRefusal.OFF
    return ChallengeRefusal.AWAY if known.away(situation.at) else None


def _hindrance(situation: Situation, me: int, other: int) -> ChallengeRefusal | None:
    rules = situation.standing.rules
    if any(each.binds(me, other) for each in situation.pending):
        return ChallengeRefusal.PLAYING
    if situation.rest(me, other):
        return ChallengeRefusal.TOO_SOON
    if situation.out(me) >= rules.most_out:
        return ChallengeRefusal.YOU_OUT
    return ChallengeRefusal.THEY_IN if situation.into(other) >= rules.most_in else None
