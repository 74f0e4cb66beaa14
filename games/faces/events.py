"""The events of a match that are not moves of the game, in words."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from games.faces.language import _
from games.faces.paint import clock, said


def sentence(move: str, seat: int, names: Sequence[str], me: int | None) -> Markup:
    """An event of the log (a `move` of a seat that begins with `!`) as a sentence for the viewer in seat `me`.

    `names` are put in by seat: text, or HTML that marks a name (`<bdi>`).
    """
    event, _space, seconds = move.partition(" ")
    return said(_EVENTS[event](seat == me), name=names[seat], time=clock(1000 * int(seconds or 0)))


_EVENTS = {
    "!time": lambda mine: _("Your time ran out.") if mine else _("%(name)s’s time ran out."),
    "!resign": lambda mine: _("You resigned.") if mine else _("%(name)s resigned."),
    "!leave": lambda mine: _("You left.") if mine else _("%(name)s left."),
    "!end": lambda mine: _("The game ended here."),
    "!abort": lambda mine: _("You cancelled the game.") if mine else _("%(name)s cancelled the game."),
    "!deserted": lambda mine: _("Everyone has left: the game is cancelled, and no bot plays on."),
    "!absent": lambda mine: _("Not everyone came: the game is cancelled."),
    "!closed": lambda mine: _("The event is over: the game is cancelled."),
    "!outage": lambda mine: (
        _("The site was away; your clock was given %(time)s back.")
        if mine
        else _("The site was away; the clock of %(name)s was given %(time)s back.")
    ),
}
