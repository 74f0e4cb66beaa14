"""The questions in which the tables of a deal differed most, as one person sees them on the page of the event."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from accounts.shown import PlayerShown
from accounts.text.numbers import number
from games.analysis.page import share_text
from games.engine.core import RulesError, View
from games.engine.verdicts import WHOLE, Band
from games.faces.registry import face_of
from games.matches import history
from games.matches.models import Match
from games.matches.scene import Step


class AnsweredBy(NamedTuple):
    """Somebody who gave an answer."""

    person: PlayerShown
    row: int
    """The number of the row of their log, from 1."""
    review: str
    """The address of the position as they saw it."""


class ShownAnswer(NamedTuple):
    """An answer, and who gave it."""

    label: str
    share: str
    """What part of the win could be expected after it, as a band; empty if nothing has judged it."""
    low: int
    width: int
    """The same in percent, for a picture."""
    people: list[AnsweredBy]


class ShownQuestion(NamedTuple):
    """A question that was answered differently."""

    deal: int
    """The number of the deal, from 1."""
    seat: int
    """The number of the seat, from 1."""
    answers: list[ShownAnswer]


def shown(questions: list[dict[str, Any]], matches: Mapping[str, Match]) -> list[ShownQuestion]:
    """The questions as one person sees them. `matches`: those that count and that they may see, by key."""
    found = []
    for question in questions:
        with suppress(RulesError):  # rules that are not known any more
            if answers := _answers(question, matches):
                found.append(ShownQuestion(question["deal"] + 1, question["seat"] + 1, answers))
    return found


def _answers(question: dict[str, Any], matches: Mapping[str, Match]) -> list[ShownAnswer]:
    """The answers that somebody has given; none if all have given the same."""
    seat, found = question["seat"], list[tuple[dict[str, Any], list[AnsweredBy]]]()
    for answer in question["answers"]:
        given = [(matches[key], ply) for key, ply in answer["given"] if key in matches]
        if people := _people(given, seat):
            found.append((answer, people))
            match, ply = given[0]
    if len(found) < 2:
        return []
    # One table stands for all: the seat has seen the same at each.
    view = history.replay(match).view(ply, seat)
    return [_answer(answer, _label(match, ply, view, answer["text"]), people) for answer, people in found]


def _people(given: list[tuple[Match, int]], seat: int) -> list[AnsweredBy]:
    people = []
    for match, ply in given:
        sat = match.sitting[seat]
        if sat.user and not sat.user.closed:
            people.append(AnsweredBy(sat.person, ply + 1, f"{match.get_absolute_url()}/{ply}?as={seat}"))
    return people


def _answer(answer: Mapping[str, Any], label: str, people: list[AnsweredBy]) -> ShownAnswer:
    if answer["share"] is None:
        return ShownAnswer(label, "", 0, 0, people)
    share = Band(*answer["share"])
    low, high = round(100 * share.low / WHOLE), round(100 * share.high / WHOLE)
    return ShownAnswer(label, share_text(share), low, max(1, high - low), people)


def _label(match: Match, ply: int, view: View, text: str) -> str:
    """What an answer does, in words; not what followed from it, which differs. Who sat there differs too, so seats have
    numbers for names."""
    assert view.me is not None
    step = Step(ply, view.me, text, False, False, 0, view, view)
    names = [_("Seat %(number)s") % {"number": number(at + 1)} for at in range(match.places)]
    return face_of(match.rules).answer(step, names, None)
