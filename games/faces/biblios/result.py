"""The result of a game of Biblios, and how it was decided: what is told of it, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Self

from accounts.shown import PlayerShown
from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import OF_KIND, TEXTS, VALUES
from games.engine.biblios.scoring import score, standing
from games.engine.ranking import Decision
from games.faces.biblios.art import categories
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import best_of, by_category, totals
from games.faces.language import N_, _, ngettext
from games.faces.paint import bdi, plain

NAMED = Callable[[str], str]
"""How a name stands in a sentence: `str` in plain text, `bdi` in HTML."""


class Ending(NamedTuple):
    """The end of a match, as a viewer sees it."""

    key: str
    ply: int
    me: int | None
    status: str
    ladder: str
    """As in `Scene`."""
    shared: bool
    """Whether anybody may see the match, and so the picture of its result."""
    hidden: bool
    """As in `Scene`."""
    people: tuple[PlayerShown, ...]
    left: tuple[str, ...]
    """How they left, as in `Sitter`."""
    dice: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    """By seat: when the game is over, all of them are open."""
    final_tie: str
    """The option."""
    places: tuple[int, ...]
    points: tuple[int, ...]
    winners: tuple[int | None, ...]
    """Of each die."""
    ratings: tuple[tuple[float, float] | None, ...]
    early: str
    """How it ended before the last auction (`Scene.ended`); empty if it was played to its end."""
    cancelled: str
    """The event with which it was cancelled; empty if it was not."""

    @classmethod
    def of(cls, scene: Scene) -> Self:
        """The end that a scene shows."""
        view, result, seats = scene.view, scene.result or {}, len(scene.sitters)
        return cls(
            scene.key,
            scene.ply,
            scene.me,
            scene.status,
            scene.ladder,
            scene.shared,
            scene.hidden,
            tuple([it.person for it in scene.sitters]),
            tuple([it.left for it in scene.sitters]),
            view.dice,
            tuple([hand or () for hand in view.hands]),
            view.setup.final_tie,
            tuple(result.get("places", [1] * seats)),
            tuple(result.get("points", [0] * seats)),
            (None,) * 5 if scene.ended else tuple(result.get("category_winners", [None] * 5)),
            tuple(scene.ratings) or (None,) * seats,
            scene.ended,
            scene.steps[-1].move if scene.status == "aborted" and scene.steps else "",
        )

    @property
    def seats(self) -> range:
        """All of them."""
        return range(len(self.people))

    @property
    def ranked(self) -> list[int]:
        """The seats by place."""
        return sorted(self.seats, key=self.places.__getitem__)

    @property
    def first(self) -> list[int]:
        """The seats that won."""
        return [seat for seat in self.seats if self.places[seat] == 1]

    @property
    def hero(self) -> int:
        """The seat whose result is shown large: the viewer's own, or for those who watch the winner's."""
        return self.ranked[0] if self.me is None else self.me

    def names(self, seats: Iterable[int], named: NAMED) -> str:
        """The names of players."""
        return ", ".join([named(self.people[seat].name) for seat in seats])

    def won(self, seat: int) -> list[int]:
        """The dice of a player, by their numbers in the Scriptorium."""
        return [at for at in range(5) if self.winners[at] == seat]


# Die by die


class Verdict(NamedTuple):
    """Who wins a die, and how."""

    letter: str
    """The category."""
    die: int
    winner: int | None
    first: int | None
    """Who is ahead: the winner, if the game was played to its end."""
    rows: tuple[tuple[int, int, str], ...]
    """Seat, total and best letter of each player, the best first."""
    tied: tuple[int, ...]
    """The seats that are level at the top, if there are several: the letters decide between them, the best first."""
    cards: tuple[str, ...]
    """The cards of the first in this category, the highest first."""


def verdicts(end: Ending) -> list[Verdict]:
    """The five dice, in the order of the Scriptorium."""
    return [_verdict(end, at, letter) for at, letter in enumerate(LETTERS)]


def _verdict(end: Ending, at: int, letter: str) -> Verdict:
    held = [by_category(hand)[letter] for hand in end.hands]
    rows = [(seat, sum(VALUES[kind] for kind in kinds), best_of(kinds, letter)) for seat, kinds in enumerate(held)]
    rows.sort(key=lambda row: (-row[1], row[2], row[0]))
    high = rows[0][1]
    tied = tuple([seat for seat, total, _best in rows if total == high]) if high else ()
    first = rows[0][0] if high else None
    kinds = [] if first is None else sorted(held[first], key=lambda kind: (-VALUES[kind], kind))
    cards = tuple([TEXTS[kind] for kind in kinds])
    return Verdict(letter, end.dice[at], end.winners[at], first, tuple(rows), tied if len(tied) > 1 else (), cards)


def best_card(end: Ending, seat: int, letter: str) -> str:
    """The card of a player whose letter counts when totals are level."""
    best = best_of(end.hands[seat], letter)
    return next(TEXTS[kind] for kind in end.hands[seat] if TEXTS[kind][0] == letter and TEXTS[kind][2] == best)


def award(end: Ending, verdict: Verdict) -> str:
    """To whom a die goes, as HTML."""
    words: dict[str, Any] = {"category": plain(categories()[verdict.letter])}
    if verdict.winner is None:
        return _("%(category)s go to no one") % words
    if verdict.winner == end.me:
        return _("%(category)s go to you") % words
    return _("%(category)s go to %(name)s") % (words | {"name": bdi(end.people[verdict.winner].name)})


def reason(verdict: Verdict) -> str:
    """Why a die goes to its winner, in a few words."""
    if verdict.first is None:
        return _("No cards")
    (_first, high, letter), (_second, second, other) = verdict.rows[:2]
    if verdict.tied:
        return _("Level at %(high)s: %(letter)s comes before %(other)s") % {
            "high": high,
            "letter": letter,
            "other": other,
        }
    return _("%(high)s against %(second)s") % {"high": high, "second": second}


def standing_after(end: Ending) -> list[tuple[int, ...]]:
    """For each player, the points before the first die is judged, and after each."""
    found = []
    for seat in end.seats:
        points = [0]
        for at in range(5):
            points.append(points[-1] + (end.dice[at] if end.winners[at] == seat else 0))
        found.append(tuple(points))
    return found


# The result in a sentence


def headline(end: Ending, named: NAMED = str) -> str:
    """What became of the viewer, or who won for those who watch."""
    if end.status == "aborted":
        return _("The game is cancelled")
    if end.me is None:
        return winner_line(end, named)
    place, points, left = end.places[end.me], end.points[end.me], end.left[end.me]
    if left:
        return _(LEFT_YOURSELF[left])
    if end.early:
        return _(EARLY[end.places.count(1) > 1]) if place == 1 else _("The game ended early")
    if beaten(end):
        rival = end.people[1 - end.me]
        words = {"name": named(rival.name), "points": end.points[1 - end.me], "own": points}
        text = (
            _("%(name)s won by gold, %(points)s to %(own)s")
            if by_gold(end)
            else _("%(name)s won, %(points)s to %(own)s")
        )
        return text % words
    text = SHARED[place](points) if end.places.count(place) > 1 else ALONE[place](points)
    return text % {"points": points}


def beaten(end: Ending) -> bool:
    """Whether the viewer has lost to the only other player: then nobody is called second."""
    return end.me is not None and len(end.people) == 2 and end.places[end.me] == 2


def by_gold(end: Ending) -> bool:
    """Whether gold decided who came first."""
    return not end.early and any(it.step == "gold" and end.first[0] in it.seats for it in ties(end))


def winner_line(end: Ending, named: NAMED = str) -> str:
    """Who won, and with how many points."""
    winners, points = end.first, end.points[end.first[0]]
    if end.early and len(winners) > 1:
        return _("%(names)s share the win") % {"names": end.names(winners, named)}
    if len(winners) > 1:
        text = ngettext(
            "%(names)s share the win with %(points)s point", "%(names)s share the win with %(points)s points", points
        )
        return text % {"names": end.names(winners, named), "points": points}
    words = {"name": end.names(winners, named), "points": points}
    if end.early:
        return _("%(name)s won") % words
    return ngettext("%(name)s won with %(points)s point", "%(name)s won with %(points)s points", points) % words


def other_winner(end: Ending) -> str:
    """Who won, if the viewer did not, as HTML; empty for those whom the headline tells it."""
    if end.me is None or end.places[end.me] == 1 or (beaten(end) and not end.early):
        return ""
    names = end.names(end.first, bdi)
    if len(end.first) > 1:
        return _("%(names)s share the win") % {"names": names}
    return (_("%(name)s won, by gold") if by_gold(end) else _("%(name)s won")) % {"name": names}


EARLY: dict[bool, str] = {False: N_("You won"), True: N_("You share the win")}
"""By whether the first place is shared."""
ALONE: dict[int, Callable[[int], str]] = {
    1: lambda n: ngettext("You won with %(points)s point", "You won with %(points)s points", n),
    2: lambda n: ngettext("You came second with %(points)s point", "You came second with %(points)s points", n),
    3: lambda n: ngettext("You came third with %(points)s point", "You came third with %(points)s points", n),
    4: lambda n: ngettext("You came fourth with %(points)s point", "You came fourth with %(points)s points", n),
}
SHARED: dict[int, Callable[[int], str]] = {
    1: lambda n: ngettext("You share the win with %(points)s point", "You share the win with %(points)s points", n),
    2: lambda n: ngettext(
        "You share second place with %(points)s point", "You share second place with %(points)s points", n
    ),
    3: lambda n: ngettext(
        "You share third place with %(points)s point", "You share third place with %(points)s points", n
    ),
}
ORDINALS: dict[int, str] = {
    1: N_("1st"),
    2: N_("2nd"),
    3: N_("3rd"),
    4: N_("4th"),
}
LEFT: dict[str, str] = {
    "time": N_("ran out of time"),
    "resign": N_("resigned"),
    "leave": N_("left"),
}
LEFT_YOURSELF: dict[str, str] = {
    "time": N_("Your time ran out"),
    "resign": N_("You resigned"),
    "leave": N_("You left"),
}
LEFT_BY: dict[str, str] = {
    "time": N_("%(name)s ran out of time."),
    "resign": N_("%(name)s resigned."),
    "leave": N_("%(name)s left."),
}


def leavers(end: Ending, named: NAMED = bdi) -> list[str]:
    """Who else left the game and how, in sentences; as HTML, if the names are."""
    return [
        _(LEFT_BY[left]) % {"name": end.names([seat], named)}
        for seat, left in enumerate(end.left)
        if left and seat != end.me
    ]


def outcome(end: Ending) -> str:
    """The whole result in one breath, for screen readers, as text."""
    if end.status != "finished":
        return f"{headline(end)}."
    if end.early:
        return " ".join([*leavers(end, str), f"{headline(end)}."])
    return f"{headline(end)}." if beaten(end) else f"{headline(end)}. {order_line(end)}"


def order_line(end: Ending) -> str:
    """The players by place, with their points, as text."""
    points = [
        _("%(place)s %(name)s, %(points)s")
        % {
            "place": _(ORDINALS[end.places[seat]]),
            "name": _("you") if seat == end.me else end.people[seat].name,
            "points": end.points[seat],
        }
        for seat in end.ranked
    ]
    return f"{'; '.join(points)}."


# What decided between players who are level


def notes(end: Ending) -> list[str]:
    """What decided between players with equal points, and what leaving meant, in sentences, as HTML."""
    if end.early:
        found = [_("The game ended before its last card, so no one won a die. This is how they stood.")]
        if end.early == "agreement":
            found.append(_("Those who stayed agreed to end it. They share first place, whatever they held."))
        if too_short(end) and not kept(end):
            found.append(_("Too short to count for those who stayed: their rating stays."))
        return found
    found = [_tie(decision, end) for decision in ties(end)]
    if end.left[end.ranked[-1]]:
        found.append(
            _("All players left: whoever stayed longest comes first, whatever the bots achieved.")
            if end.left[end.ranked[0]]
            else _("Players who left come after those who stayed, whatever their bots achieved.")
        )
    return found


def too_short(end: Ending) -> bool:
    """Whether a game ended so early that nobody's rating rises by it."""
    return bool(end.early) and any(rating and rating[0] == rating[1] for rating in end.ratings)


def kept(end: Ending) -> str:
    """Why the rating of the viewer stays as it was, in a sentence; empty if it does not, or for another reason."""
    rating = None if end.me is None else end.ratings[end.me]
    stays = too_short(end) and rating is not None and rating[0] == rating[1]
    return _("Too short to count for you: your rating stays.") if stays else ""


def ties(end: Ending) -> list[Decision]:
    """What decided between players with equal points who stayed."""
    hands = [_mask(hand) for hand in end.hands]
    order = standing(hands, score(hands, end.dice), end.final_tie)
    left = {seat for seat in end.seats if end.left[seat]}
    return [it for it in order.decisions if it.step != "points" and not left & set(it.seats)]


def _mask(hand: tuple[int, ...]) -> int:
    """The hand as a set of cards: any of several equal gold cards will do."""
    mask = 0
    for kind in hand:
        free = OF_KIND[kind] & ~mask
        mask |= free & -free
    return mask


def _tie(decision: Decision, end: Ending) -> str:
    step, _space, letter = decision.step.partition(" ")
    text = {
        "gold": _("Level on points: gold decided (%(gold)s)."),
        "total": _("%(names)s: level on points and gold, the total in %(category)s decided."),
        "letter": _("%(names)s: level on points and gold, the letter in %(category)s decided."),
        "won": _("%(names)s: level on points and gold, the %(category)s die decided."),
        "shared": _("%(names)s: level in everything, so they share the place."),
    }[step]
    names = {seat: _("You") if seat == end.me else bdi(end.people[seat].name) for seat in decision.seats}
    gold = ", ".join(
        [
            _("%(name)s %(gold)s") % {"name": names[seat], "gold": totals(end.hands[seat])["G"]}
            for seat in sorted(names, key=end.places.__getitem__)
        ]
    )
    words = {"names": ", ".join(names.values()), "category": plain(categories().get(letter, "")), "gold": gold}
    return text % words
