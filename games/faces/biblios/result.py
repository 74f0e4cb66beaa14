"""The result of a game of Biblios, and how it was decided, in words."""

from __future__ import annotations

from typing import Any, NamedTuple

from markupsafe import Markup

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import OF_KIND
from games.engine.biblios.scoring import Decision, score, standing
from games.engine.biblios.view import BibliosView
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


def result(scene: Scene, everybody: list[Person]) -> dict[str, Any]:
    """The podium, the reasons for each die and for the order, and the headline."""
    places = scene.result["places"] if scene.result else [1] * len(everybody)
    points = scene.result["points"] if scene.result else [0] * len(everybody)
    dice, hands = scene.view.dice, hands_of(scene.view)
    winners = scene.result["category_winners"] if scene.result else [None] * 5
    ratings = scene.ratings or (None,) * len(everybody)
    lines = []
    for person in sorted(everybody, key=lambda person: (places[person.seat], person.seat)):
        seat = person.seat
        won = tuple(f"{LETTERS[at]}{dice[at]}" for at in range(5) if winners[at] == seat)
        rated = ratings[seat]
        change = rated and (round(rated[0]), round(rated[1]))
        gold = totals(hands[seat])["G"]
        lines.append(PodiumPlace(places[seat], person, won, points[seat], gold, change))
    first = [person for person in everybody if places[person.seat] == 1]
    return {
        "podium": lines,
        "headline": headline(first, scene.me),
        "reasons": reasons(scene, everybody),
        "ties": ties(scene, everybody),
        "mine": scene.me is not None and places[scene.me] == 1,
    }


def hands_of(view: BibliosView) -> list[tuple[int, ...]]:
    """The hands by seat: when the game is over, all of them are open."""
    return [hand or () for hand in view.hands]


def headline(winners: list[Person], me: int | None) -> Markup:
    """The winners, in a sentence."""
    names = [bdi(person.name) for person in winners]
    if len(winners) == 1:
        text = _("You win") if winners[0].seat == me else _("%(name)s wins")
        return Markup(text) % {"name": names[0]}
    return Markup(_("%(names)s share the win")) % {"names": Markup(", ").join(names)}


def reasons(scene: Scene, everybody: list[Person]) -> list[tuple[str, Markup]]:
    """For each die, who won it and how."""
    dice, hands = scene.view.dice, hands_of(scene.view)
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
        words["name"] = bdi(everybody[winner].name)
        mine = winner == scene.me
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


def ties(scene: Scene, everybody: list[Person]) -> list[Markup]:
    """The steps that separated players with equal points; empty if points decided everything."""
    view = scene.view
    hands = [_mask(hand) for hand in hands_of(view)]
    order = standing(hands, score(hands, view.dice), view.setup.final_tie)
    left = {sitter.index for sitter in scene.sitters if sitter.left}
    return [
        _tie(decision, everybody)
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


def _tie(decision: Decision, everybody: list[Person]) -> Markup:
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
