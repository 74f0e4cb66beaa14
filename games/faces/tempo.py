"""The controls for the pace of bots."""

from __future__ import annotations

from accounts.models import User
from games.engine.core import View
from games.faces.language import _
from games.faces.paint import CSRF, icon, plain
from games.faces.slots import Slots
from games.matches.scene import Scene


def waiting(scene: Scene[View]) -> Slots:
    """The slot `pace`, for whoever waits for bots: their pace, and the way to one's own next question."""
    skips = scene.skips and scene.tempo != User.Tempo.INSTANT
    return {"pace": (draw_pace, scene.key, scene.tempo, skips)} if scene.tempo else {}


def draw_pace(key: str, tempo: str, skips: bool) -> str:
    return f'<div id="pace" class="acts pace">{draw_tempo(key, tempo)}{_skip(key) if skips else ""}</div>'


def draw_help(key: str, tempo: str) -> str:
    """The slot `pace-set`, which stands beside the board at any time."""
    head = _("Pace of the bots")
    inside = f'<h3 class="reminder-head">{head}</h3>{draw_tempo(key, tempo)}' if tempo else ""
    return f'<div id="pace-set" class="panel-body small pace-set"{"" if tempo else " hidden"}>{inside}</div>'


def draw_tempo(key: str, tempo: str) -> str:
    """The form for the pace, which is `tempo` now."""
    label = _("Pace of the bots")
    now = {tempo: " aria-current=true"}
    buttons = [
        f'<button type="submit" name="tempo" value="{value}"{now.get(value, "")}>{plain(str(name))}</button>'
        for value, name in User.Tempo.choices
    ]
    return (
        f'<form method="post" action="/m/{key}/tempo" hx-boost="true">{CSRF}'
        f'<span class="segments" role="group" aria-label="{label}">{"".join(buttons)}</span></form>'
    )


def _skip(key: str) -> str:
    text = _("Skip to my turn")
    return (
        f'<form method="post" action="/m/{key}/skip" hx-boost="true">{CSRF}'
        f'<button type="submit" class="button" data-key="s">{icon("skip")}{text}</button></form>'
    )
