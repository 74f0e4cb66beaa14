"""A second look at a decision, before anybody is asked it again: with other futures than the first, and at all answers.

What is still clear then becomes a question with several answers, each with what it is worth.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from games.engine.core import Move, Reason
from games.engine.judging import PlainGame
from games.engine.verdicts import CLEAR_FROM, Band, CannotBeDealt, Futures, measured, seed_of, verdict

TIMES = 400
"""In so many futures each answer is played on: in fewer where there are more than three, to take no longer."""


class WeighedAnswer(NamedTuple):
    """An answer, and what it is worth."""

    text: str
    share: Band
    right: bool
    """Whether it is not clearly worse than the best one."""


class AskedAgain(NamedTuple):
    """A question with its answers."""

    made: str
    """The answer that was given."""
    best: str
    answers: tuple[WeighedAnswer, ...]
    """In the order in which the game has its moves: it tells nothing."""
    reason: Reason
    """Why the best one is better than the one that was given."""
    times: int
    """How often it was dealt again for this."""

    @property
    def plain(self) -> dict[str, Any]:
        """The same as plain JSON."""
        answers = [[it.text, *it.share, it.right] for it in self.answers]
        return self._asdict() | {"answers": answers, "reason": [self.reason.code, *self.reason.facts]}

    @classmethod
    def read(cls, plain: dict[str, Any]) -> AskedAgain:
        """The question that `plain` gives, also after it was written and read as JSON."""
        answers = [WeighedAnswer(text, Band(low, high), right) for text, low, high, right in plain["answers"]]
        code, *facts = plain["reason"]
        return cls(**plain | {"answers": tuple(answers), "reason": Reason(code, tuple(facts))})

    def answer(self, text: str) -> WeighedAnswer | None:
        """The answer of this text; None if it is none of them."""
        return next((it for it in self.answers if it.text == text), None)


def look_again(asked: PlainGame, number: int) -> AskedAgain | None:
    """The question after so many moves of a game, if the answer that was given is still clearly not the best one."""
    with suppress(CannotBeDealt):
        return _looked(asked, number)
    return None


def _looked(asked: PlainGame, number: int) -> AskedAgain | None:
    case = asked.case
    [(_number, state)] = case.positions([number])
    game, expert, made, view = case.game, case.expert, case.moves[number], state.view(state.seat)
    again = verdict(game, expert, view, made, f"again {case.key}", number)
    if not again.clear:
        return None
    futures = Futures(game, expert, view, seed_of(expert, f"deck {case.key}", number))
    answers = sorted({made, game.move(again.better), *expert.candidates(view)})
    times = max(1, TIMES * 3 // max(3, len(answers)))
    futures.play(answers, times)
    best = futures.best_first(answers)[0]
    if not worse(futures, made, best):
        return None
    weighed = tuple([_weighed(futures, game.text(it), it, best) for it in answers])
    return AskedAgain(game.text(made), game.text(best), weighed, expert.reason(view, best, made), times)


def worse(futures: Futures, answer: Move, best: Move) -> bool:
    """Whether both values say, beyond their noise, that an answer is worse than the best one."""
    pairs = list(zip(futures.found[answer], futures.found[best], strict=True))
    losses = [measured([better[value] - one[value] for one, better in pairs]) for value in (0, 1)]
    return all(loss.mean > max(2 * loss.error, CLEAR_FROM) for loss in losses)


def _weighed(futures: Futures, text: str, answer: Move, best: Move) -> WeighedAnswer:
    shares = [measured([pair[value] for pair in futures.found[answer]]) for value in (0, 1)]
    return WeighedAnswer(text, Band.of(shares), answer == best or not worse(futures, answer, best))
