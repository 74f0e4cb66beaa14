"""The page of a tournament with a plan, as one person sees it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import permutations
from typing import ClassVar, NamedTuple

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from accounts.shown import PlayerShown
from accounts.text import numbers
from games.matches.clocks import instant
from games.matches.models import Match
from games.tournaments import contests, plan, words
from games.tournaments.bracket import Pairing, levels, rounds_won
from games.tournaments.formats.core import Format
from games.tournaments.models import Tournament
from games.tournaments.page import EventPage, ShownPlace, ShownTable, shown_points
from games.tournaments.payloads import RoundBegun
from games.tournaments.standing import RoundTable
from games.tournaments.tiebreaks import TieBreak

Kind = Tournament.Kind
WIDEST = 16
"""The number of people, or of rounds, up to which there is a cross table."""


class CrossCell(NamedTuple):
    """What stands in the cross table."""

    text: str
    address: str = ""
    """Where it leads: to the game, and a steward to the page on which its result is corrected."""
    void: bool = False
    """Whether the game does not count because one of its players left too early."""


class ContestRow(NamedTuple):
    """A player in the table of a tournament."""

    place: int
    player: int
    person: PlayerShown
    points: str
    games: int
    ties: list[str]
    cross: list[CrossCell]
    """Against each of the group in the order of the table, or by round: what they have won."""
    left: bool
    """Whether they have withdrawn."""
    box: int
    """The number of their group."""
    void: bool = False
    """Whether their games do not count, because they left too early."""
    reached: str = ""
    """How far they have come in a bracket, in words."""


class Group(NamedTuple):
    """A box, or all players."""

    number: int
    name: str
    rows: list[ContestRow]
    heads: list[str]
    """What stands above the cross table."""


class BracketSide(NamedTuple):
    """A line of a pairing in the bracket."""

    person: PlayerShown | None
    """None if that has not been decided, or if nobody is there."""
    bye: bool = False
    """Whether nobody is there."""
    on: bool = False
    """Whether they go on."""
    out: bool = False
    """Whether they do not."""


class ShownPairing(NamedTuple):
    """A place of the bracket where two meet."""

    sides: list[BracketSide]
    game: Match | None
    """The game that they play or have played, if the visitor may look at it."""
    over: bool
    mine: bool
    bye: bool = False
    """Whether one goes on without a rival."""
    nobody: bool = False
    """Whether nobody can come there, as the numbers are."""


class BracketRound(NamedTuple):
    """A round of the bracket."""

    name: str
    pairings: list[ShownPairing]
    last: bool
    straight: bool = False
    """Whether each of its winners goes on to a pairing of their own, against one who comes from elsewhere."""


class DrawnBracket(NamedTuple):
    """A bracket."""

    title: str
    rounds: list[BracketRound]


class TournamentPage(EventPage):
    """A tournament with a plan, as one person sees it."""

    own: ClassVar[dict[str, str]] = {}
    """The regions that its kind draws by a template of its own, with the first word of its name."""

    @property
    def format(self) -> Format:
        return plan.of(self.standing)

    @property
    def begun(self) -> bool:
        return bool(self.standing.groups)

    @property
    def boxes(self) -> bool:
        """Whether it is a box league that has begun."""
        return self.begun and self.tournament.kind == Tournament.Kind.BOXES

    @property
    def group_head(self) -> str:
        """What stands above the numbers of the groups in a table of all; empty if there is one only."""
        return _("Box") if self.boxes else ""

    @property
    def entered(self) -> int:
        """With how many players it can begin."""
        return len(self.standing.here)

    @property
    def several(self) -> bool:
        """Whether its page has one list of games, not of a round."""
        return self.tournament.side_by_side

    @property
    def was_here(self) -> bool:
        """Whether the visitor has withdrawn."""
        return self.me in self.standing.entrants and not self.here

    @property
    def bracketed(self) -> bool:
        """Whether it has a bracket, now or later."""
        return self.tournament.kind in (Kind.KNOCKOUT, Kind.GROUPS, Kind.DOUBLE)

    @property
    def lost(self) -> bool:
        """Whether the visitor is out because they lost."""
        return self.begun and self.me in plan.lost(self.standing)

    @property
    def may_come(self) -> bool:
        return super().may_come and not (bool(self.standing.groups) and self.format.shut)

    @cached_property
    def now_tables(self) -> list[ShownTable]:
        """The tables of the last round, or of all rounds of this turn, those of the visitor first."""
        if not self.tournament.side_by_side:
            return self.rounds[-1] if self.rounds else []
        found = [table for each in self.rounds[self.standing.turn_began :] for table in each]
        return sorted(found, key=lambda table: (table.table.over, not table.mine))

    @property
    def crossed(self) -> bool:
        """Whether its cross tables tell all games, so that they are not listed."""
        return self.format.cross == "rivals" and all(group.heads for group in self.groups)

    @property
    def tables(self) -> list[ShownTable]:
        return self.now_tables

    @property
    def listed(self) -> list[ShownTable]:
        """The tables that its page lists: none if the cross tables tell all of them."""
        return [] if self.crossed and (self.several or self.standing.closed is not None) else self.tables

    @property
    def past(self) -> list[list[ShownTable]]:
        if self.crossed and not self.standing.turn_began:
            return []
        last = self.standing.turn_began if self.tournament.side_by_side else len(self.rounds) - 1
        return self.rounds[:last][::-1] if self.rounds else []

    @property
    def my_tables(self) -> list[ShownTable]:
        """The visitor's games that are not over."""
        return [table for each in self.rounds for table in each if table.mine and not table.table.over]

    @property
    def deadline(self) -> datetime | None:
        return None if self.standing.until is None else instant(self.standing.until)

    @property
    def resting(self) -> list[PlayerShown]:
        """Who has a bye in this round."""
        if self.tournament.side_by_side or not self.standing.rounds:
            return []
        return [self.shown[player] for player in self.standing.rounds[-1].byes]

    @property
    def fide(self) -> bool:
        """Whether there is a report of it in the format of FIDE: games of two, in one table."""
        return self.begun and self.tournament.seats == 2 and self.tournament.kind in words.FIDE

    @property
    def ready(self) -> bool:
        """Whether a steward can begin the next round."""
        if self.counts_first and self.counts_first == self.playing:
            return True
        return self.standing.waiting and not plan.finished(self.standing, self.standing.here)

    @property
    def enough(self) -> bool:
        """Whether so many have entered that it can begin."""
        return self.entered >= self.format.least

    @property
    def by_hand(self) -> bool:
        """Whether a steward can pair the next round by hand."""
        if not self.format.by_hand:
            return False
        return (
            self.standing.waiting and self.ready and self.tournament.pace == Match.Pace.LIVE
            if self.begun
            else self.enough
        )

    @cached_property
    def paired_by_hand(self) -> list[tuple[int, str]]:
        """The rounds that stewards have paired by hand, from 1, and why; the latest first."""
        found = [number for number, each in enumerate(self.standing.rounds) if each.how == contests.HAND]
        if not found:
            return []
        begun = [*self.tournament.log.filter(kind=RoundBegun.kind).order_by("number").values_list("reason", flat=True)]
        return [(number + 1, begun[number]) for number in reversed(found)]

    @cached_property
    def breaks(self) -> tuple[TieBreak, ...]:
        return self.format.breaks_of(self.standing)

    @property
    def ties(self) -> list[tuple[str, str, str]]:
        """The tie-breaks in their order: short name, name, how it is counted."""
        return [(str(short), str(name), str(how)) for short, name, how in (words.TIES[each] for each in self.breaks)]

    @property
    def points_said(self) -> str:
        """What the points in its table are, in a sentence."""
        if self.tournament.kind == Tournament.Kind.KNOCKOUT:
            return str(words.ROUNDS)
        return str(words.POINTS_OF_TWO if self.tournament.seats == 2 else words.POINTS_OF_MORE)

    @property
    def rules(self) -> list[str]:
        """How it is played and counted, in sentences."""
        said = [words.MEANS[self.tournament.kind], self.points_said]
        if self.format.continuous:
            return [str(each) for each in (*said, words.ABSENCE)]
        event = self.tournament.calendar
        live = words.BY_CLOCK if event and event.by_clock else words.LIVE
        said += [words.DEADLINE if self.tournament.pace == Match.Pace.DAILY else live, words.WITHDRAWAL]
        return [str(each) for each in said]

    @cached_property
    def groups(self) -> list[Group]:
        """The tables: of each box, or of all."""
        groups = self.format.tables(self.standing) if self.begun else (tuple(self.standing.here),)
        return [self._group(number, group) for number, group in enumerate(groups, 1)]

    @cached_property
    def rows(self) -> Sequence[tuple[ShownPlace, PlayerShown, str]]:
        """The tables of all groups in one, as the page on the wall shows it."""
        return [(row, row.person, row.points) for group in self.groups for row in group.rows]

    @property
    def winners(self) -> tuple[str, ...]:
        if self.winner:
            return (self.winner.name,)
        return super().winners if len(self.groups) == 1 else ()

    @property
    def winner(self) -> PlayerShown | None:
        """Who has won, once all games are over and if nobody shares the first place; nobody wins a league."""
        if self.standing.closed is None or not self.standing.rounds or self.tournament.kind == Tournament.Kind.BOXES:
            return None
        if self.standing.busy:
            return None
        first = [row.person for row in self.groups[0].rows if row.place == 1]
        return first[0] if len(first) == 1 else None

    @property
    def brackets(self) -> list[DrawnBracket]:
        """What is drawn above its table."""
        return [DrawnBracket(_("Bracket"), self.bracket)] if self.bracket else []

    @cached_property
    def bracket(self) -> list[BracketRound]:
        """The bracket of a knock-out that has begun, round by round; else empty."""
        if not self.begun or self.tournament.kind != Tournament.Kind.KNOCKOUT:
            return []
        return self._bracket()

    @cached_property
    def reached(self) -> dict[int, str]:
        """How far everybody has come, in words, if that orders the table; else empty."""
        drawn = self.bracket
        if not drawn:
            return {}
        won, third = rounds_won(self.standing), self.format.third(self.standing)
        return {
            player: _("Third place") if player in third else _("Winner") if rounds == len(drawn) else drawn[rounds].name
            for player, rounds in won.items()
        }

    def _bracket(self) -> list[BracketRound]:
        return [
            BracketRound(words.level(len(level)), [self._pairing(each) for each in level], len(level) == 1)
            for level in levels(self.standing)
        ]

    def _pairing(self, pairing: Pairing) -> ShownPairing:
        over, winner = pairing.winner is not None, pairing.winner
        sides = [
            BracketSide(None)
            if side is None
            else BracketSide(self.shown[side], False, side == winner, over and side != winner)
            for side in pairing.sides
        ]
        sides += [BracketSide(None, bye=True)] * (2 - len(sides))
        table = self.rounds[pairing.table[0]][pairing.table[1]] if pairing.table else None
        game = table.match if table and table.watch else None
        return ShownPairing(
            sides, game, over, self.me is not None and self.me in pairing.sides, len(pairing.sides) == 1
        )

    def _group(self, number: int, group: tuple[int, ...]) -> Group:
        standing = self.standing
        if not standing.groups:
            rows = [ContestRow(0, player, self.shown[player], "", 0, [], [], False, number) for player in group]
            return Group(number, self._name(number), rows, [])
        found = plan.rows(standing, group)
        order = [row.player for row in found]
        games = dict.fromkeys(order, 0)
        for each in standing.this_turn:
            for table in each.tables:
                for player in table.players if table.places else ():
                    if player in games:
                        games[player] += 1
        swiss = self.format.cross == "rounds"
        wide = len(standing.this_turn) if swiss else len(order)
        crossed = bool(self.format.cross) and wide <= WIDEST
        heads = [numbers.number(each) for each in range(1, wide + 1)] if crossed else []
        rows, annulled = [], self.format.annulled(standing)
        for row in found:
            cells = list[CrossCell]()
            if crossed and swiss:
                cells = [self._in_round(row.player, each, order) for each in range(wide)]
            elif crossed:
                cells = [self._against(row.player, other) for other in order]
            rows.append(
                ContestRow(
                    row.place,
                    row.player,
                    self.shown[row.player],
                    shown_points(row.points),
                    games[row.player],
                    ["–" if row.ties.get(each) is None else shown_points(row.ties[each] or 0) for each in self.breaks],
                    cells,
                    not standing.entrants[row.player].here,
                    number,
                    row.player in annulled,
                    self.reached.get(row.player, ""),
                )
            )
        return Group(number, self._name(number), rows, heads)

    def _name(self, number: int) -> str:
        """What the standings of a group are called."""
        return _("Box %(number)d") % {"number": number} if self.boxes else _("Standings")

    def _against(self, player: int, other: int) -> CrossCell:
        """What a player won in the game against another."""
        if player == other:
            return CrossCell("×")
        at = self._games.get((player, other))
        if at is None:
            return CrossCell("")
        void = not self.format.annulled(self.standing).isdisjoint((player, other))
        return CrossCell(self._won(player, self._at(at).table), self._leads(at), void)

    def _at(self, at: tuple[int, int]) -> ShownTable:
        return self.rounds[at[0]][at[1]]

    def _leads(self, at: tuple[int, int]) -> str:
        """Where a cell for this table leads."""
        shown = self._at(at)
        if self.may and shown.table.over:
            return self.tournament.address("correct_tournament", at[0] + 1, at[1] + 1)
        return shown.match.get_absolute_url() if shown.match and shown.watch else ""

    @cached_property
    def _games(self) -> dict[tuple[int, int], tuple[int, int]]:
        """The rounds and tables of this turn, by each two who meet there."""
        return {
            pair: (number, index)
            for number, each in enumerate(self.standing.this_turn, self.standing.turn_began)
            for index, table in enumerate(each.tables)
            for pair in permutations(table.players, 2)
        }

    def _in_round(self, player: int, number: int, order: list[int]) -> CrossCell:
        """Whom a player met in a round, by their lines in the table, and what they won."""
        each = self.standing.this_turn[number]
        if player in each.byes:
            return CrossCell("+")
        if player in each.halves:
            return CrossCell("½")
        for index, table in enumerate(each.tables):
            if player in table.players:
                met = " ".join(numbers.number(1 + order.index(other)) for other in table.players if other != player)
                return CrossCell(f"{met}: {self._won(player, table)}", self._leads((number, index)))
        return CrossCell("")

    @property
    def rests(self) -> bool:
        """Whether the visitor has asked for a bye in the next round."""
        return self.me is not None and self.here and self.standing.entrants[self.me].rests

    @property
    def may_rest(self) -> bool:
        """Whether the visitor can ask for one."""
        swiss = self.tournament.kind == Kind.SWISS
        return self.me is not None and self.here and swiss and not contests.no_bye(self.standing, self.me)

    def _won(self, player: int, table: RoundTable) -> str:
        if not table.over:
            return "…"
        if not table.places:
            return "–"
        return shown_points(self.format.gained(self.standing, table)[table.players.index(player)])

    def _number(self, number: int, index: int) -> int:
        # Rounds that are played side by side are one list.
        beside = self.standing.rounds[self.standing.turn_began : number] if self.tournament.side_by_side else []
        return sum(len(each.tables) for each in beside) + super()._number(number, index)
