"""The lessons of a guided game, beside the board; the script puts the one that is due at the thing it explains."""

from __future__ import annotations

from collections.abc import Sequence

from games.faces.face import Lesson
from games.faces.language import _
from games.faces.paint import CSRF, outside, plain


def draw_lessons(lessons: Sequence[Lesson], key: str, rules: str) -> str:
    """The lessons so far; with scripts their titles call them back.

    `key`: the match's; `rules`: the address of its rules.
    """
    shown = "".join([_draw(lesson, key, rules, first=not number) for number, lesson in enumerate(lessons)])
    return f'<ol id="lessons" class="lessons">{shown}</ol>'


def _draw(lesson: Lesson, key: str, rules: str, first: bool) -> str:
    more, got = _("More in the rules"), _("Got it")
    due = " data-due" if lesson.due else ""
    # While the first one is due, the bots of the table wait.
    ends = (
        f'<form method="post" action="/m/{key}/begin" hx-boost="true">{CSRF}'
        f'<button type="submit" class="button primary">{got}</button></form>'
        if first and lesson.due
        else ""
    )
    return (
        f'<li id="lesson-{lesson.name}" data-lesson="{lesson.name}" data-explains="{lesson.explains}"{due}>'
        f'<h3><button type="button">{plain(lesson.title)}</button></h3><div><p>{plain(lesson.text)} '
        f"{outside(f'{rules}#{lesson.anchor}', more)}</p>{ends}</div></li>"
    )
