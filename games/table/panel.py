"""What stands beside the board of the live table: the terms, and the ways out of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.engine.core import Game
from games.faces.language import _, ngettext, number
from games.faces.levels import bots_tag
from games.faces.paint import CSRF, icon, outside, plain
from games.faces.registry import face_of, rules_address, tags_of
from games.faces.slots import Slot, paint

Votes = tuple[tuple[str, tuple[str, ...], bool | None, int], ...]
"""The ways in which a game may be stopped: `end` or `abort`, who agrees to it, whether the viewer does (None if they do
not play), and how many others would have to."""


def draw_info(game: Game, terms: tuple[Any, ...], reminder: Slot, votes: Votes) -> str:
    """The panel beside the board."""
    labels = "".join([f'<bdi class="tag">{plain(tag)}</bdi> ' for tag in tags(game, *terms)])
    all_rules = _("All rules")
    offers = "".join([_offer(name, agreed) for name, agreed, _mine, _others in votes if agreed])
    return (
        f'<div id="info" class="panel-body small"><p class="tags">{labels}</p><div class="reminder">{paint(reminder)}'
        f"<p>{outside(rules_address(game), all_rules)}</p></div>{offers}</div>"
    )


LEAVING: dict[str, Callable[[], str]] = {
    "alone": lambda: _("The game ends, and counts as given up."),
    "lost": lambda: _("The game ends, and you lose it."),
    "over": lambda: _("No one else is left: the game ends. Those who left before you are placed after you."),
    "off": lambda: _("No one else is left: the game ends without a result."),
    "bot": lambda: _("A bot plays on for you, and you come last."),
}


def draw_leave(key: str, leaving: str, votes: Votes) -> str:
    """The ways out of a game, behind the flag in the bar. `leaving`: as `Scene.leaving`; empty for others."""
    if not leaving:
        return '<div id="leave" hidden></div>'
    ways = "".join([_vote(key, *vote) for vote in votes if vote[2] is not None])
    resign, sure = _("Resign"), _("Resign for good")
    if leaving == "alone":  # nobody can cancel it (`play.vote`)
        resign, sure, ways = _("Give up"), _("Give up this game"), ""
    return (
        f'<div id="leave" class="menu leave leaf small" popover><details>'
        f'<summary class="button small quiet">{icon("flag")}{resign}</summary>'
        f'<form method="post" action="/m/{key}/resign" hx-boost="true">{CSRF}<p>{LEAVING[leaving]()}</p>'
        f'<button type="submit" class="button small danger">{sure}</button></form></details>{ways}</div>'
    )


def _vote(key: str, vote: str, agreed: Sequence[str], mine: bool | None, others: int) -> str:
    """A way to stop a game, open while others have agreed to it."""
    done, back = _("You’ve agreed."), _("Take it back")
    if vote == "abort":
        symbol, name, agree = "x", _("Cancel game"), _("Agree to cancel the game")
        explanation = _("Needs everyone’s consent; no result.")
    else:
        symbol, name = "check", _("End the game")
        agree = _("Agree to end the game") if others else _("End the game now")
        explanation = (
            _("All who are still here must agree. They share first place, and those who left come last.")
            if others
            else _("You win: everyone else has left. You can also play on against the bots.")
        )
    if mine:
        button = f'<p><b>{done}</b></p><button type="submit" class="button small" name="vote" value="">{back}</button>'
    else:
        button = f'<button type="submit" class="button small danger" name="vote" value="{vote}">{agree}</button>'
    # A new element, when others agree: an update leaves it to the reader whether the old one is open.
    offered = ' id="offer" open data-offer' if agreed and not mine else ""
    return (
        f"<details{offered}>"
        f'<summary class="button small quiet">{icon(symbol)}{name}</summary>'
        f'<form method="post" action="/m/{key}/vote" hx-boost="true">{CSRF}<p>{explanation}</p>{button}</form>'
        "</details>"
    )


def _offer(vote: str, agreed: Sequence[str]) -> str:
    """Who has agreed to stop the game."""
    names = ", ".join([f"<bdi>{plain(name)}</bdi>" for name in agreed])
    text = _("For cancelling the game: %(names)s") if vote == "abort" else _("For ending the game: %(names)s")
    return f'<p class="muted" role="status">{text % {"names": names}}</p>'


def tags(
    game: Game,
    options: tuple[tuple[str, Any], ...],
    rated: bool,
    seats: int,
    pace: str,
    control: tuple[int, int, int],
    bots: tuple[str, ...],
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
    kind = _("Rated") if rated else _("Casual")
    return (str(face_of(game).name), kind, players, clock, *tags_of(game, seats, dict(options)), *bots_tag(bots))


def draw_watchers(watchers: int) -> str:
    """How many people watch."""
    if not watchers:
        return '<p id="watchers" class="watchers" hidden></p>'
    words = ngettext("%(count)s person is watching", "%(count)s people are watching", watchers) % {"count": watchers}
    return (
        f'<p id="watchers" class="watchers number" title="{words}">{icon("eye")}'
        f'<span aria-hidden="true">{number(watchers)}</span><span class="visually-hidden">{words}</span></p>'
    )
