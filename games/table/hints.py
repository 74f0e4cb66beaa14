"""Hints, for whoever plays alone with bots and nothing hangs on the game: what a strong player would answer from what
the seat sees, and why.

They are computed in a process beside this one, which knows the engine only, from the view of that seat.
"""

from __future__ import annotations

import logging
import threading

from accounts.web.refused import Refused
from accounts.web.waiting import give_way
from games.engine import hints
from games.engine.core import View
from games.faces.language import _
from games.faces.paint import CSRF, icon, plain
from games.faces.registry import face_of
from games.faces.slots import Slot
from games.matches import thinking
from games.matches.models import Match
from games.matches.scene import Scene, Step
from games.matches.thinking import Thinker
from games.matches.turn import Stale

log = logging.getLogger(__name__)

thinker = Thinker(niceness=10, longest_s=15)
"""Where they are computed: whoever waits for a move goes first, so on a busy machine this may take some seconds."""
WAITING = 16
"""So many wait for theirs at most: meanwhile each takes a thread of the site."""
_places = threading.BoundedSemaphore(WAITING)


def table_refusal(scene: Scene[View]) -> str:
    """Why there are no hints at this table for the viewer, in a sentence; empty if there are."""
    if not scene.playing:
        return _("Hints are for whoever plays at a table, while the game runs.")
    if scene.counts:
        return _("There are no hints in this game: something hangs on its result.")
    if scene.hidden:
        return _("There are no hints in this game: others play the same deal.")
    if scene.guided:
        return _("There are no hints in a guided game: it explains each decision itself.")
    if any(not it.person.bot for it in scene.sitters if it.index != scene.me):
        return _("Hints are for games in which all others are bots.")
    if not hints.able(scene.game, len(scene.sitters)):
        return _("No bot plays this game well enough with so many players to give hints.")
    return ""


def refusal(scene: Scene[View]) -> str:
    """Why the viewer cannot have a hint now; empty if they can."""
    if why := table_refusal(scene):
        return why
    return "" if scene.view.seat == scene.me else _("You can ask for a hint when it’s your turn.")


def said(scene: Scene[View], ply: int | None) -> str:
    """The hint for the question at this ply, as HTML. Raises Refused."""
    if why := refusal(scene):
        raise Refused(why)
    if scene.ply != ply or scene.me is None:
        raise Stale
    if not _places.acquire(blocking=False):
        raise Refused(_("Many are asking for hints right now. Please try again in a moment."))
    try:
        give_way()
        found = thinker.call(hints.hint, type(scene.game), scene.view, len(scene.sitters), scene.key, ply)
    except (thinking.Failed, thinking.Lost) as error:
        log.error("There is no hint for match %s at %s: %s", scene.key, ply, error)
        raise Refused(_("There’s no hint for this question right now.")) from error
    finally:
        _places.release()
    return draw_said(scene, found)


def draw_said(scene: Scene[View], hint: hints.Hint) -> str:
    """A hint in words."""
    title, instead = _("Hint"), _("Rather than: %(answer)s")
    moves = " ".join([in_words(scene, it.view, it.move) for it in hint.moves])
    why = ""
    if hint.reason and (reason := face_of(scene.game).reason(hint.reason)):
        other = in_words(scene, scene.view, hint.instead)
        why = f'<p class="muted">{instead % {"answer": plain(other)}}</p><p>{plain(reason)}</p>'
    return (
        f'<details class="leaf" open><summary>{icon("bulb")}{title}{icon("x")}</summary>'
        f"<p><b>{plain(moves)}</b></p>{why}</details>"
    )


def in_words(scene: Scene[View], view: View, move: str) -> str:
    """What an answer does, as text: nothing of what follows from it, which nobody knows yet."""
    assert scene.me is not None
    step = Step(scene.ply, scene.me, move, False, False, 0, view, view)
    return face_of(scene.game).answer(step, scene.names, scene.me)


def hint_of(scene: Scene[View]) -> Slot:
    """The slot `hint`: the button that asks for one, when the viewer can have it."""
    # Where people play, nothing more is asked at each draw.
    return draw_hint, scene.key, scene.ply if scene.skips and not refusal(scene) else None


def draw_hint(key: str, ply: int | None, said: str = "") -> str:
    """The button that asks for a hint to the question at `ply`, if there is one, and what was `said`."""
    if ply is None:
        return '<div id="hint" hidden></div>'
    name = _("Hint")
    return (
        f'<div id="hint"><form id="ask-hint" method="post" action="/m/{key}/hint" hx-boost="true">{CSRF}'
        f'<input type="hidden" name="ply" value="{ply}">'
        f'<button class="icon-button wide-only" aria-label="{name}" title="{name}">{icon("bulb")}</button></form>'
        f'<div id="{said_at(ply)}" class="hint" role="status">{said}</div></div>'
    )


def said_at(ply: int) -> str:
    """The id of the place for the hint to the question at `ply`: one that comes too late finds no place."""
    return f"hint-said-{ply}"


def note(match: Match) -> None:
    """Remember that a hint was asked for in this match."""
    Match.objects.filter(pk=match.pk, hinted=False).update(hinted=True)
