"""The events of a match that are not moves of the game, in words."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from games.faces.language import N_, _
from games.faces.paint import clock, said


def sentence(move: str, seat: int, names: Sequence[str], me: int | None) -> Markup:
    """An event of the log (a `move` of a seat that begins with `!`) as a sentence for the viewer in seat `me`.

    `names` are put in by seat: text, or HTML that marks a name (`<bdi>`).
    """
    event, _space, seconds = move.partition(" ")
    return said(_(_EVENTS[event][seat != me]), name=names[seat], time=clock(1000 * int(seconds or 0)))


_EVENTS = {
    "!time": (N_("Your time ran out."), N_("%(name)s’s time ran out.")),
    "!resign": (N_("You resigned."), N_("%(name)s resigned.")),
    "!leave": (N_("You left."), N_("%(name)s left.")),
    "!end": (N_("The game ended here."),) * 2,
    "!abort": (N_("You cancelled the game."), N_("%(name)s cancelled the game.")),
    "!deserted": (N_("Everyone has left: the game is cancelled, and no bot plays on."),) * 2,
    "!absent": (N_("The game was called off: it had hardly begun."),) * 2,
    "!closed": (N_("The event is over: the game is cancelled."),) * 2,
    "!outage": (
        N_("The site was away; your clock was given %(time)s back."),
        N_("The site was away; the clock of %(name)s was given %(time)s back."),
    ),
}
"""By kind: told to whom it concerns, and to the others."""
