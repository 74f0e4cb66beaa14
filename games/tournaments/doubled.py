"""The page of a double elimination, as one person sees it."""

from __future__ import annotations

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from games.tournaments import words
from games.tournaments.bracket import Pairing
from games.tournaments.contest import BracketRound, DrawnBracket, TournamentPage
from games.tournaments.formats.double import meetings, places
from games.tournaments.pairing.double import NOBODY


class DoublePage(TournamentPage):
    """A double elimination: both brackets, and the final."""

    @cached_property
    def brackets(self) -> list[DrawnBracket]:
        if not self.begun:
            return []
        drawn: dict[str, dict[int, list[Pairing]]] = {"winners": {}, "losers": {}, "final": {}}
        met = {pair: iter(times) for pair, times in meetings(self.standing).items()}
        for place in places(self.standing):
            sides = tuple(side for side in place.sides if side != NOBODY)
            pair = frozenset(side for side in sides if side is not None)
            table = next(met[pair], None) if len(pair) == 2 and pair in met else None
            winner = None if place.winner == NOBODY else place.winner
            drawn[place.slot.bracket].setdefault(place.slot.level, []).append(Pairing(sides, winner, table))
        titles = {"winners": _("Winners’ bracket"), "losers": _("Losers’ bracket"), "final": _("Final")}
        return [DrawnBracket(titles[name], self._levels(name, levels)) for name, levels in drawn.items() if levels]

    def _levels(self, name: str, levels: dict[int, list[Pairing]]) -> list[BracketRound]:
        def title(number: int, pairings: list[Pairing]) -> str:
            if name == "final":
                return _("Played again") if number else _("Final")
            if name == "winners":
                return _("Final of the winners") if len(pairings) == 1 else words.level(len(pairings))
            return _("Round %(number)d") % {"number": number + 1}

        return [
            BracketRound(
                title(number, pairings),
                [self._pairing(each)._replace(nobody=not each.sides) for each in pairings],
                name == "final",
                len(pairings) == len(levels.get(number + 1, ())),
            )
            for number, pairings in levels.items()
            if any(len(each.sides) == 2 for each in pairings)
        ]

    @cached_property
    def reached(self) -> dict[int, str]:
        if not self.begun:
            return {}
        found = dict.fromkeys(self.standing.groups[0], "")
        for place in places(self.standing):
            if place.loser in found:
                losers = _("Losers’ bracket, round %(number)d") % {"number": place.slot.level + 1}
                found[place.loser] = _("Final") if place.slot.bracket == "final" else losers
        lost, over = self.format.lost(self.standing), self.format.finished(self.standing, self.standing.here)
        still = _("Winner") if over and not self.standing.busy else _("Still in")
        return {player: reached if player in lost else still for player, reached in found.items()}

    @property
    def points_said(self) -> str:
        return str(words.GAMES_WON)
