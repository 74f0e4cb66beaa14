"""The kinds of tournaments and their rules, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.tournaments.models import Tournament
from games.tournaments.tiebreaks import TieBreak

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Kind = Tournament.Kind

MEANS: dict[str, StrPromise] = {
    Kind.ROUND_ROBIN: _(
        "Everyone plays everyone once, by the Berger tables. Live it goes round by round; by correspondence all games "
        "begin at once. At most 16 players."
    ),
    Kind.SWISS: _(
        "A fixed number of rounds. In each round people with about the same points meet, and nobody meets the same "
        "person twice if that can be avoided. Nobody drops out, and any number can play. Whoever finds no seat in a "
        "round has a bye, which counts as a win, or at tables of three or four as their average of 3 points; nobody "
        "gets a second one before everyone has had one."
    ),
    Kind.KNOCKOUT: _(
        "Whoever loses is out. The best two can only meet in the final; if the numbers don’t work out, the best have "
        "a bye in the first round. If a place is shared or a game doesn’t count, the better seed goes on."
    ),
    Kind.DOUBLE: _(
        "Whoever loses once plays on in the losers’ bracket; whoever loses twice is out. The winners of both brackets "
        "meet in the final, which is played again if the one from the losers’ bracket wins it. If a place is shared or "
        "a game doesn’t count, the better seed goes on."
    ),
    Kind.BOXES: _(
        "Boxes of four to six people of about the same strength, in each of which everyone plays everyone by "
        "correspondence. At the end of a turn two move up from each box and two move down, and the next turn begins. "
        "New people come into the last box. It goes on until a steward ends it."
    ),
    Kind.ARENA: _(
        "Live, for a fixed time: whoever is ready is paired again and again with someone near in points whom they "
        "haven’t just met. You can pause, leave and come back. Games that began before the end count if they are over "
        "within 5 minutes of it."
    ),
    Kind.GROUPS: _(
        "Groups of three to six, equally strong, in which everyone plays everyone once. The best of each group go on "
        "to a knock-out: the first of a group meets the second of another, and people of one group meet again as late "
        "as possible."
    ),
    Kind.TEAMS: _(
        "Each team meets each other team once, board against board. A steward makes the teams, and players choose "
        "theirs. Whoever chose a team first is its captain, who orders the boards until it begins. Whoever is missing "
        "is replaced by a reserve, or loses their board."
    ),
    Kind.DUPLICATE: _(
        "In each round all tables play the same deal: in the same seat the same cards in the same order, as far as "
        "choices allow. Everyone is compared with those who sat in their seat at the other tables. For members, at "
        "two tables or more of the same size; whoever is left over in a round has a bye."
    ),
    Kind.DEAL: _(
        "One deal that each member plays once, when they like, alone with bots and in the same seat. It closes on a "
        "Monday at 0:00 UTC, three to ten days after it opens; then all are compared."
    ),
}
"""What each kind of tournament means."""

SEALED = _(
    "Until this closes, only the players of a table see its game, and they can’t review it: nobody is to know a deal "
    "that they have yet to play. Then all games are open. The games are casual, and count for the "
    "numbers on profiles from then on."
)
MATCHPOINTS = _(
    "Matchpoints, as in duplicate bridge: 2 for each player in the same seat with fewer points in the game, 1 for each "
    "with as many. The standings give the mean of all deals, in percent of the most possible. Whoever is "
    "level shares the place."
)
WHO_LEFT = _(
    "Whoever leaves, runs out of time or has the game cancelled is below all who finish. A bye counts 50 percent, and "
    "so does a game that ended because an opponent left, or that has no other to be compared with. A game still being "
    "played when this closes is cancelled, and doesn’t count: the others show its cards."
)
TWICE = _(
    "Everyone plays a deal once. Whoever joined the club after this had opened can come once their games with five "
    "people who have been here for longer have counted for a rating, on two days at least. The mark “new” means: "
    "joined since then, or lately and with few such games. The site can’t know whether somebody has a second account "
    "or was told of the cards: please keep them to yourself until this closes."
)
ROUNDS = _("In a knock-out each round won is a point, with or without a game.")
GAMES_WON = _("In a double elimination each game won is a point.")
POINTS_OF_TWO = _("A win gives 2 points, a shared place 1.")
POINTS_OF_TEAMS = _(
    "A match gives 2 points, and 1 if it is level. Then the points of the boards decide: 1 for a win, half for a "
    "shared place."
)
POINTS_OF_MORE = _(
    "Matchpoints, as in duplicate bridge: by place 6, 4, 2, 0 at a table of four, 6, 3, 0 at one of three, 6, 0 at one "
    "of two. Shared places share their points."
)
DEADLINE = _(
    "A game that isn’t over at its deadline is decided by the clocks: whoever has used more than their share of the "
    "time, or has left, comes after the others. It may be played on, but that changes nothing."
)
ABSENCE = _(
    "Whoever leaves a game loses it. Whoever doesn’t come to their table, and so runs out of time, pauses until they "
    "say that they’re ready."
)
WITHDRAWAL = _(
    "Whoever withdraws finishes the games that have begun. They get no others; in a round robin and a league they lose "
    "those to come, or, if they have played less than half of their games, none of these counts for anybody."
)
BY_CLOCK = _(
    "After the first, each round begins by the clock, some minutes after the last game of the one before. Whoever "
    "comes too late loses by the clock."
)
LIVE = _("A steward begins each round once all games of the one before are over. The clocks decide who comes too late.")

TIES: dict[TieBreak, tuple[StrPromise, StrPromise, StrPromise]] = {
    TieBreak.BUCHHOLZ: (
        _("Bh"),
        _("Buchholz"),
        _(
            "The points of all opponents together, at tables of three or four the average of each table. A bye or a "
            "round without a game counts as an opponent with your own points. Rounds that an opponent missed count "
            "as draws of theirs: nobody loses by somebody who left."
        ),
    ),
    TieBreak.SONNEBORN_BERGER: (
        _("SB"),
        _("Sonneborn-Berger"),
        _("The points of the opponents you beat, and half the points of those with whom you shared the place."),
    ),
    TieBreak.DIRECT: (
        _("DE"),
        _("Direct encounter"),
        _("What those who are level won against each other, if each of them has met all the others."),
    ),
    TieBreak.WINS: (_("W"), _("Wins"), _("The games in which you came first.")),
    TieBreak.GAME: (_("Pts"), _("Points of the games"), _("The points of the game itself, in all games together.")),
}
"""The tie-breaks: a short name, the name, how it is counted."""


def level(pairings: int) -> str:
    """What a round of a bracket with so many pairings is called."""
    if pairings == 1:
        return gettext("Final")
    if pairings == 2:
        return gettext("Semi-finals")
    if pairings == 4:
        return gettext("Quarter-finals")
    return gettext("Last %(n)d") % {"n": 2 * pairings}


FIDE = {
    Tournament.Kind.ROUND_ROBIN.value: "Individual: Round-Robin",
    Tournament.Kind.SWISS.value: "Individual: Swiss-System",
    Tournament.Kind.KNOCKOUT.value: "Individual: Knock-Out",
    Tournament.Kind.DOUBLE.value: "Individual: Double Elimination",
}
"""What the chess federation FIDE calls the kinds of which its reports can tell: all play in one table."""
