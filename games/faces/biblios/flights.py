"""What moves on the table of Biblios with an answer, as everybody sees it: for static/js/motion.js."""

from __future__ import annotations

from itertools import takewhile

from games.engine.biblios.cards import FIRST_CHURCH, KIND, TEXTS
from games.engine.biblios.notation import PAY_CARDS, PAY_GOLD, SECOND_DIE
from games.engine.biblios.view import BibliosView
from games.faces.biblios.scene import Scene
from games.matches.scene import Step

BACK, HAMMER = "back", "hammer"
FIRST_CHURCH_KIND = KIND[FIRST_CHURCH]


def flights(scene: Scene) -> tuple[str, ...]:
    """The flights of the last answer and of what followed from it at once: `what:from:to`, or `hammer`.

    `scene`: a watcher's. `what` is a card's code, or `back`; a place is a seat, or the id of an element.
    """
    if not scene.steps:
        return ()
    at = scene.steps[-1].at
    answer = [*takewhile(lambda step: step.at == at, reversed(scene.steps))][::-1]
    return tuple([flight for step in answer if not step.quiet for flight in _of(step)])


def _of(step: Step[BibliosView]) -> list[str]:
    word, _space, code = step.move.partition(" ")
    seat = step.seat
    if word == "keep":
        return [] if step.after.card is not None else [f"{BACK}:deck:{seat}"]  # a Church card is used, for all to see
    if word == "auction":
        return [f"{BACK}:deck:pile"]
    if word == "take":
        return [f"{code}:lot:{seat}"]
    if word == "pay":
        return [f"{code or BACK}:{seat}:discard", *_bought(step)]
    if word in ("bid", "pass"):
        after = step.after
        if after.question in (PAY_GOLD, PAY_CARDS):
            return [HAMMER]
        return [f"{_lot(step)}:lot:discard"] if len(after.discard) > len(step.before.discard) else []
    if word == "dice":
        return [f"{_lot(step)}:lot:discard"] if step.after.question != SECOND_DIE else []
    if word == "refuse":
        drawn = step.after.penalties[len(step.before.penalties) :]
        return [f"{BACK}:{source}:{target if target >= 0 else 'discard'}" for source, target, _kind in drawn]
    return []


def _bought(step: Step[BibliosView]) -> list[str]:
    """The lot goes to its buyer with the last payment; a Church card stays where it is until it is used."""
    card = step.before.card
    bought = not step.after.due and card is not None and card < FIRST_CHURCH_KIND
    return [f"{_lot(step)}:lot:{step.seat}"] if bought else []


def _lot(step: Step[BibliosView]) -> str:
    assert step.before.card is not None
    return TEXTS[step.before.card]
