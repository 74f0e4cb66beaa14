"""What stands beside the board of the live table: the terms, and the ways out of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.core import Game
from games.faces.language import _, ngettext
from games.faces.paint import CSRF, icon, outside, plain
from games.faces.registry import face_of, rules_address
from games.faces.slots import Slot, paint


def draw_info(
    game: Game,
    terms: tuple[Any, ...],
    reminder: Slot,
    key: str,
    playing: bool,
    last_one: bool,
    can_abort: bool,
    agreed: Sequence[str],
    me_agreed: bool,
    over: bool,
) -> str:
    """The panel beside the board."""
    labels = "".join([f'<span class="tag">{plain(tag)}</span> ' for tag in tags(game, *terms)])
    all_rules, calling = _("All rules"), _("For calling the game off:")
    leave = _leave(key, last_one, _abort(key, agreed, me_agreed) if can_abort else "") if playing else ""
    offer = ""
    if agreed and not over:
        names = ", ".join([f"<bdi>{plain(name)}</bdi>" for name in agreed])
        offer = f'<p class="muted" role="status">{calling} {names}</p>'
    return (
        f'<div id="info" class="panel-body small"><p class="tags">{labels}</p><div class="reminder">{paint(reminder)}'
        f"<p>{outside(rules_address(game), all_rules)}</p></div>{leave}{offer}</div>"
    )


def _leave(key: str, last_one: bool, abort: str) -> str:
    """The ways out of a game; `abort`: that to call it off, if there is one."""
    resign, sure = _("Resign"), _("Resign for good")
    then = (
        _("Nobody else is left: the game ends without a result.")
        if last_one
        else _("A bot plays on for you, and you come last.")
    )
    return (
        f'<div class="leave"><details><summary class="button small quiet">{icon("flag")}{resign}</summary>'
        f'<form method="post" action="/m/{key}/resign" data-post>{CSRF}<p>{then}</p>'
        f'<button class="button small danger">{sure}</button></form></details>{abort}</div>'
    )


def _abort(key: str, agreed: Sequence[str], me_agreed: bool) -> str:
    """The way to call a game off, open while others have agreed."""
    call_off, explanation = _("Call off"), _("The game ends without a result when all players agree.")
    done, back, agree = _("You have agreed."), _("Take it back"), _("Agree to call the game off")
    if me_agreed:
        button = f'<p><b>{done}</b></p><button class="button small" name="agree" value="0">{back}</button>'
    else:
        button = f'<button class="button small danger">{agree}</button>'
    return (
        f"<details{' open data-offer' if agreed and not me_agreed else ''}>"
        f'<summary class="button small quiet">{icon("x")}{call_off}</summary>'
        f'<form method="post" action="/m/{key}/abort" data-post>{CSRF}<p>{explanation}</p>{button}</form></details>'
    )


def tags(
    game: Game,
    options: tuple[tuple[str, Any], ...],
    rated: bool,
    seats: int,
    pace: str,
    control: tuple[int, int, int],
) -> tuple[str, ...]:
    """The terms of the table, in a word or two each."""
    bank_ms, increment_ms, days = control
    if pace == "live":
        words = {"minutes": bank_ms // 60000, "seconds": increment_ms // 1000}
        clock = _("%(minutes)s + %(seconds)s s") % words
    elif pace == "daily":
        clock = ngettext("%(days)s day a move", "%(days)s days a move", days) % {"days": days}
    else:
        clock = _("No clock")
    players = ngettext("%(count)s player", "%(count)s players", seats) % {"count": seats}
    return (_("Rated") if rated else _("Casual"), players, clock, *map(str, face_of(game).tags(dict(options))))


def draw_watchers(watchers: int) -> str:
    """How many people watch."""
    if not watchers:
        return '<p id="watchers" class="watchers" hidden></p>'
    words = ngettext("%(count)s person is watching", "%(count)s people are watching", watchers) % {"count": watchers}
    return (
        f'<p id="watchers" class="watchers number" title="{words}">{icon("eye")}'
        f'<span aria-hidden="true">{watchers}</span><span class="visually-hidden">{words}</span></p>'
    )
