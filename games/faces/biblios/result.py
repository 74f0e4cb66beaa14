"""The result of a game of Biblios and how it was decided, as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Self

from accounts.avatar import avatar
from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import OF_KIND
from games.engine.biblios.scoring import Decision, score, standing
from games.faces.biblios.art import categories, die_face, symbol
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import Person, best_of, totals
from games.faces.language import _, ngettext
from games.faces.paint import bdi, icon, plain, use


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


# The podium


def podium(end: Ending) -> str:
    """The winners in a sentence, and the players by place, as HTML."""
    steps = "".join([_step(end, person) for person in _ranked(end)])
    return (
        f'<div class="focus over">{use("i-laurel", "initial")}<p class="winner-name serif">{headline(end)}</p>'
        f'<ol class="podium">{steps}</ol></div>'
    )


def _ranked(end: Ending) -> list[Person]:
    return sorted(end.people, key=lambda person: (end.places[person.seat], person.seat))


def headline(end: Ending) -> str:
    """The winners, in a sentence."""
    winners = [person for person in end.people if end.places[person.seat] == 1]
    if len(winners) == 1:
        return _("You win") if winners[0].seat == end.me else _("%(name)s wins") % {"name": bdi(winners[0].name)}
    return _("%(names)s share the win") % {"names": _names(end, [winner.seat for winner in winners])}


def _names(end: Ending, seats: Iterable[int]) -> str:
    return ", ".join([bdi(end.people[seat].name) for seat in seats])


def _step(end: Ending, person: Person) -> str:
    seat, points, name = person.seat, end.points[person.seat], plain(person.name)
    you = ' class="you"' if seat == end.me else ""
    trend, gained = _gained(end, seat)
    left = f" · {LEFT[person.left]()}" if person.left else ""
    dice = "".join([die_face(f"{LETTERS[at]}{end.dice[at]}") for at in range(5) if end.winners[at] == seat])
    word = ngettext("point", "points", points)
    return (
        f'<li{you}><span class="place number">{end.places[seat]}</span> {avatar(person.name)} '
        f'<span class="podium-player"><span class="podium-name"><b><bdi>{name}</bdi></b>'
        f' <span class="number podium-rating{trend}">{gained}{left}</span></span>'
        f' <span class="won-dice">{dice}</span></span>'
        f' <b class="number podium-points">{points}<span class="visually-hidden"> {word}</span></b></li>'
    )


def _gained(end: Ending, seat: int) -> tuple[str, str]:
    """What became of a player's rating, or else their gold: a class and HTML."""
    rating = end.ratings[seat]
    if not rating:
        return "", f"{symbol('G')} {totals(end.hands[seat])['G']}"
    before, now = round(rating[0]), round(rating[1])
    return " up" if now > before else " down" if now < before else "", f"{before} → {now}"


LEFT: dict[str, Callable[[], str]] = {
    "time": lambda: _("ran out of time"),
    "resign": lambda: _("resigned"),
    "leave": lambda: _("left"),
}


# The reasons


def reasons(end: Ending) -> str:
    """For each die, who won it and how; and what decided between players who are level, as HTML."""
    sums = [totals(hand) for hand in end.hands]
    lines = [
        f"<li>{symbol(letter)}<span>{_reason(end, at, letter, sums)}</span></li>" for at, letter in enumerate(LETTERS)
    ]
    lines += [f"<li>{icon('laurel')}<span>{tie}</span></li>" for tie in _ties(end)]
    players = _ranked(end)
    if players[-1].left:
        text = (
            _("All players have left: the one who stayed longest comes first, whatever the bots achieved.")
            if players[0].left
            else _("A player who left is placed after those who stayed, whatever the bot achieved.")
        )
        lines.append(f"<li>{icon('bot')}<span>{text}</span></li>")
    return f'<ul class="why small">{"".join(lines)}</ul>'


def _reason(end: Ending, at: int, letter: str, sums: Sequence[dict[str, int]]) -> str:
    """Who won a die and how."""
    hands, totals = end.hands, [held[letter] for held in sums]
    high = max(totals)
    die_name = f"<b>{plain(categories()[letter])} {end.dice[at]}</b>"
    if not high:
        return _("%(die_name)s to nobody: no cards.") % {"die_name": die_name}
    tied = [seat for seat, total in enumerate(totals) if total == high]
    winner = min(tied, key=lambda seat: best_of(hands[seat], letter))
    words: dict[str, Any] = {"die_name": die_name, "high": high, "name": bdi(end.people[winner].name)}
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
        words["second"] = sorted(totals)[-2]
        text = (
            _("%(die_name)s to you, %(high)s against %(second)s.")
            if mine
            else _("%(die_name)s to %(name)s, %(high)s against %(second)s.")
        )
    return text % words


def _ties(end: Ending) -> list[str]:
    """The steps that separated players with equal points; empty if points decided everything."""
    hands = [_mask(hand) for hand in end.hands]
    order = standing(hands, score(hands, end.dice), end.final_tie)
    left = {person.seat for person in end.people if person.left}
    return [
        _tie(decision, end)
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


def _tie(decision: Decision, end: Ending) -> str:
    step, _space, letter = decision.step.partition(" ")
    text = {
        "gold": _("%(names)s: level on points, gold decides."),
        "total": _("%(names)s: level on points and gold, the total in %(category)s decides."),
        "letter": _("%(names)s: level on points and gold, the letter in %(category)s decides."),
        "won": _("%(names)s: level on points and gold, who won %(category)s decides."),
        "shared": _("%(names)s: level in everything, they share the place."),
    }[step]
    return text % {"names": _names(end, decision.seats), "category": plain(categories().get(letter, ""))}
