"""The result of a game of Biblios, and how it was decided, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from markupsafe import Markup

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import OF_KIND
from games.engine.biblios.scoring import Decision, score, standing
from games.faces.biblios.art import categories
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import Person, best_of, totals
from games.faces.language import _
from games.faces.paint import bdi


class PodiumPlace(NamedTuple):
    """A step of the podium."""

    place: int
    person: Person
    dice: tuple[str, ...]
    points: int
    gold: int
    rating: tuple[int, int] | None


class Ending(NamedTuple):
    """The end of a match, as a viewer sees it."""

    key: str
    ply: int
    me: int | None
    status: str
    ladder: str
    """As in `Scene`."""
    people: tuple[Person, ...]
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

    @classmethod
    def of(cls, scene: Scene, everybody: Sequence[Person]) -> Self:
        """The end that a scene shows."""
        view, result, seats = scene.view, scene.result or {}, len(everybody)
        return cls(
            scene.key,
            scene.ply,
            scene.me,
            scene.status,
            scene.ladder,
            tuple([person._replace(here=None) for person in everybody]),
            view.dice,
            tuple([hand or () for hand in view.hands]),
            view.setup.final_tie,
            tuple(result.get("places", [1] * seats)),
            tuple(result.get("points", [0] * seats)),
            tuple(result.get("category_winners", [None] * 5)),
            tuple(scene.ratings) or (None,) * seats,
        )


def result(end: Ending) -> dict[str, Any]:
    """The podium, the reasons for each die and for the order, and the headline."""
    lines = []
    for person in sorted(end.people, key=lambda person: (end.places[person.seat], person.seat)):
        seat = person.seat
        won = tuple(f"{LETTERS[at]}{end.dice[at]}" for at in range(5) if end.winners[at] == seat)
        rated = end.ratings[seat]
        change = rated and (round(rated[0]), round(rated[1]))
        gold = totals(end.hands[seat])["G"]
        lines.append(PodiumPlace(end.places[seat], person, won, end.points[seat], gold, change))
    first = [person for person in end.people if end.places[person.seat] == 1]
    return {
        "podium": lines,
        "headline": headline(first, end.me),
        "reasons": reasons(end),
        "ties": ties(end),
        "mine": end.me is not None and end.places[end.me] == 1,
    }


def headline(winners: Sequence[Person], me: int | None) -> Markup:
    """The winners, in a sentence."""
    names = [bdi(person.name) for person in winners]
    if len(winners) == 1:
        text = _("You win") if winners[0].seat == me else _("%(name)s wins")
        return Markup(text) % {"name": names[0]}
    return Markup(_("%(names)s share the win")) % {"names": Markup(", ").join(names)}


def reasons(end: Ending) -> list[tuple[str, Markup]]:
    """For each die, who won it and how."""
    dice, hands = end.dice, end.hands
    found = []
    for at, letter in enumerate(LETTERS):
        sums = [totals(hand)[letter] for hand in hands]
        high = max(sums)
        words = {"category": categories()[letter], "die": dice[at], "high": high}
        if not high:
            found.append((letter, _made(_("%(die_name)s to nobody: no cards."), words)))
            continue
        tied = [seat for seat, total in enumerate(sums) if total == high]
        winner = min(tied, key=lambda seat: best_of(hands[seat], letter))
        words["name"] = bdi(end.people[winner].name)
        mine = winner == end.me
        if len(tied) > 1:
            words["letter"] = best_of(hands[winner], letter)
            words["other"] = min(best_of(hands[seat], letter) for seat in tied if seat != winner)
            text = (
                _("%(die_name)s to you. Level at %(high)s, letter %(letter)s beats %(other)s.")
                if mine
                else _("%(die_name)s to %(name)s. Level at %(high)s, letter %(letter)s beats %(other)s.")
            )
        else:
            words["second"] = sorted(sums)[-2]
            text = (
                _("%(die_name)s to you, %(high)s against %(second)s.")
                if mine
                else _("%(die_name)s to %(name)s, %(high)s against %(second)s.")
            )
        found.append((letter, _made(text, words)))
    return found


def _made(text: str, words: dict[str, Any]) -> Markup:
    die_name = Markup("<b>%(category)s %(die)s</b>") % words
    return Markup(text) % (words | {"die_name": die_name})


def ties(end: Ending) -> list[Markup]:
    """The steps that separated players with equal points; empty if points decided everything."""
    hands = [_mask(hand) for hand in end.hands]
    order = standing(hands, score(hands, end.dice), end.final_tie)
    left = {person.seat for person in end.people if person.left}
    return [
        _tie(decision, end.people)
        for decision in order.decisions
        if decision.step != "points" and not left & set(decision.seats)
    ]


def _mask(hand: tuple[int, ...]) -> int:
    """The hand as a set of cards: any of several equal gold cards will do."""
    mask = 0
    for kind in hand:
        free = OF_KIND[kind] & ~mask
        mask |= free & -free
    return mask


def _tie(decision: Decision, everybody: Sequence[Person]) -> Markup:
    step, _space, letter = decision.step.partition(" ")
    text = {
        "gold": _("%(names)s: level on points, gold decides."),
        "total": _("%(names)s: level on points and gold, the total in %(category)s decides."),
        "letter": _("%(names)s: level on points and gold, the letter in %(category)s decides."),
        "won": _("%(names)s: level on points and gold, who won %(category)s decides."),
        "shared": _("%(names)s: level in everything, they share the place."),
    }[step]
    names = Markup(", ").join(bdi(everybody[seat].name) for seat in decision.seats)
    return Markup(text) % {"names": names, "category": categories().get(letter, "")}
