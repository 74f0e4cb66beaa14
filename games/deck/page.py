"""A decision as whoever made it saw it, without names and without what came then; and what is said after an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from markupsafe import Markup

from accounts.shown import PlayerShown
from games.analysis.page import share_text
from games.deck.models import DailyPuzzle, DeckCard
from games.engine.core import View
from games.engine.second_look import AskedAgain, WeighedAnswer
from games.faces.face import Face
from games.faces.language import drawing
from games.faces.registry import face_of
from games.matches import history
from games.matches.models import Match
from games.matches.scene import Scene, Sitter, Step


class AnswerShown(NamedTuple):
    """An answer that one can give."""

    text: str
    """As the game writes it."""
    label: str
    """In words."""
    share: str
    """What part of the win it is worth, as a band."""
    low: int
    high: int
    """The same in percent, rounded."""
    right: bool
    """Whether it is not clearly worse than the best one."""
    best: bool
    made: bool
    """Whether it was given then."""
    chosen: bool

    @property
    def width(self) -> int:
        """That of the band; one that is narrow can still be seen."""
        return max(1, self.high - self.low)


def neutral(match: Match, seat: int) -> list[str]:
    """By seat, names that nobody has, as at a table of bridge: the one whose decision it is sits in the south."""
    south, west, north, east = _("South"), _("West"), _("North"), _("East")
    around = {2: (south, north), 3: (south, west, east)}.get(match.places, (south, west, north, east))
    return [around[(index - seat) % match.places] for index in range(match.places)]


@dataclass
class AskedPage:
    """A question to one person, from a match that has ended."""

    match: Match
    ply: int
    seat: int
    question: AskedAgain
    chosen: str = ""
    """The answer that they have given; empty before."""

    @classmethod
    def of(cls, asked: DeckCard | DailyPuzzle, chosen: str = "") -> AskedPage:
        """The page of a card or a puzzle."""
        return cls(asked.match, asked.ply, asked.seat, AskedAgain.read(asked.question), chosen)

    @property
    def face(self) -> Face[Any]:
        return face_of(self.match.rules)

    @cached_property
    def names(self) -> list[str]:
        return neutral(self.match, self.seat)

    @cached_property
    def position(self) -> Markup:
        """The table as the seat saw it. Nothing that came later is read."""
        replay = history.replay(self.match)
        steps = replay.seen_by(self.seat, self.ply)
        chronicle = self.face.chronicle()
        for step in steps:
            chronicle.add(step)
        with drawing():
            return self.face.position(self._scene(replay.view(self.ply, self.seat), steps), chronicle, ())

    def _scene(self, view: View, steps: Sequence[Step[View]]) -> Scene[View]:
        match = self.match
        return Scene(
            key="",
            game=match.rules,
            options=match.options,
            rated=False,
            pace=Match.Pace.NONE,
            control=(0, 0, 0),
            status=Match.Status.RUNNING,
            sitters=[Sitter(seat, PlayerShown(name), "", True, None) for seat, name in enumerate(self.names)],
            me=self.seat,
            playing=False,
            ply=self.ply,
            view=view,
            steps=steps,
            since=self.ply,
            now=0,
        )

    def said(self, text: str) -> str:
        """What an answer does, in words, as its player sees it."""
        state, move = history.replay(self.match).state(self.ply), self.match.rules.move(text)
        step = Step(
            self.ply, self.seat, text, False, False, 0, state.view(self.seat), state.after(move).view(self.seat)
        )
        return self.face.answer(step, self.names, self.seat)

    @cached_property
    def choices(self) -> list[AnswerShown]:
        """All answers that are asked about."""
        return [self._choice(it) for it in self.question.answers]

    def _choice(self, answer: WeighedAnswer) -> AnswerShown:
        text, share = answer.text, answer.share
        return AnswerShown(
            text,
            self.said(text),
            share_text(share),
            round(share.low / 100),
            round(share.high / 100),
            answer.right,
            text == self.question.best,
            text == self.question.made,
            text == self.chosen,
        )

    @property
    def answered(self) -> bool:
        return bool(self.chosen)

    @property
    def right(self) -> bool:
        """Whether the given answer is not clearly worse than the best one."""
        return any(it.chosen and it.right for it in self.choices)

    @property
    def best(self) -> AnswerShown:
        return next(it for it in self.choices if it.best)

    @property
    def made(self) -> AnswerShown:
        return next(it for it in self.choices if it.made)

    @property
    def given(self) -> AnswerShown:
        return next(it for it in self.choices if it.chosen)

    @property
    def reason(self) -> str:
        """Why the best one is better than what was done; empty if there are no words for it."""
        return self.face.reason(self.question.reason)

    @property
    def check(self) -> str:
        """The command that judges the decision again."""
        return f"manage.py judge {self.match.key} {self.ply}"

    @property
    def review(self) -> str:
        """The address of the position in the review, as the seat saw it."""
        return f"{self.match.get_absolute_url()}/{self.ply}?as={self.seat}"
