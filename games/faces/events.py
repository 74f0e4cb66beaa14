"""The events of a match that are not moves of the game, in words."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from games.faces.language import _
from games.faces.paint import clock, plain, said


def sentence(move: str, seat: int, names: Sequence[str], me: int | None) -> Markup:
    """An event of the log (a `move` of a seat that begins with `!`) as a sentence for the viewer in seat `me`.

    `names` are put in by seat: text, or HTML that marks a name (`<bdi>`).
    """
    event, _space, seconds = move.partition(" ")
    return said(_EVENTS[event](seat == me), name=names[seat], time=clock(1000 * int(seconds or 0)))


def note(name: str, event: str) -> str:
    """The same in the notation of the log, as HTML; the event comes without its `!`."""
    what, _space, seconds = event.partition(" ")
    text = {
        "time": _("time is up, a bot plays on"),
        "resign": _("resigned, a bot plays on"),
        "leave": _("left, a bot plays on"),
        "abort": _("game called off"),
        "deserted": _("everybody has left, game called off"),
        "outage": _("the site was away, %(time)s given back") % {"time": clock(1000 * int(seconds or 0))},
    }[what]
    return f"<bdi>{plain(name)}</bdi>: {text}"


_EVENTS = {
    "!time": lambda mine: (
        _("Your time ran out. A bot plays for you.") if mine else _("The time of %(name)s ran out. A bot plays on.")
    ),
    "!resign": lambda mine: (
        _("You resigned. A bot plays for you.") if mine else _("%(name)s resigned. A bot plays on.")
    ),
    "!leave": lambda mine: _("You left. A bot plays for you.") if mine else _("%(name)s left. A bot plays on."),
    "!abort": lambda mine: _("You called the game off.") if mine else _("%(name)s called the game off."),
    "!deserted": lambda mine: _("Everybody has left: the game is called off, and no bot plays on."),
    "!outage": lambda mine: (
        _("The site was away; your clock was given %(time)s back.")
        if mine
        else _("The site was away; the clock of %(name)s was given %(time)s back.")
    ),
}
