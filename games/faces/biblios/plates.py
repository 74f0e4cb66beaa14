"""The players at a table of Biblios as HTML: a seat stands at the beginning of its row of the Scriptorium."""

from __future__ import annotations

from urllib.parse import quote

from accounts.shown import PlayerShown
from games.faces.language import _, digits, number
from games.faces.levels import bot_label
from games.faces.paint import gone, icon, outside, plain, use
from games.faces.slots import placeholder


def draw_seat(seat: int, person: PlayerShown, left: str, here: bool | None, first: bool, timed: bool) -> str:
    """The seat of a player, as the others see it."""
    name = f"<bdi>{plain(person.name)}</bdi>"
    who = outside(f"/@/{quote(person.username)}", name) if person.username else name
    words = gone(person.name) if here is False else ""
    return _seat(f"seat-{seat}", seat, person, who, words + _first(first) + _state(seat, person.bot, left, here), timed)


def draw_own_seat(seat: int, person: PlayerShown, left: str, first: bool, timed: bool) -> str:
    """The seat of the viewer."""
    return _seat("own-seat", seat, person, _("You"), _first(first) + _state(seat, "", left, None), timed)


def _seat(id: str, seat: int, person: PlayerShown, who: str, marks: str, timed: bool) -> str:
    title = plain(f"{person.name} {digits(person.rating)}".strip())
    cards, label = _("cards"), _("Time left:")
    clock = f'<span class="visually-hidden">{label} </span>{placeholder(f"clock-{seat}")}' if timed else ""
    return (
        f'<span id="{id}" class="seat" data-seat="{seat}">'
        f'<span class="manicule" aria-hidden="true">{use("manicule")}</span>'
        f'{person.square}<b class="seat-name" title="{title}">{who}</b>{placeholder(f"did-{seat}")}{marks}'
        f'<span class="seat-cards number">{icon("cards")}{placeholder(f"n-{seat}")}'
        f'<span class="visually-hidden"> {cards}</span></span>{clock}</span>'
    )


def _first(first: bool) -> str:
    """The mark of the first player."""
    title = _("First player: opens the auction phase")
    return (
        f'<span class="first number" title="{title}"><span class="visually-hidden">{title}</span>'
        f'<span aria-hidden="true">{number(1)}</span></span>'
        if first
        else ""
    )


def _state(seat: int, bot: str, left: str, here: bool | None) -> str:
    """Whether a player is there, as a picture."""
    if left:
        cls, sign, text = " warn", "bot", _("A bot plays for this player")
    elif bot:
        cls, sign, text = "", "bot", bot_label(bot)
    elif here is None:
        return ""
    else:
        cls, sign, text = (" ok", "on", _("Connected")) if here else (" bad", "weak", _("Away"))
    facts = "" if left or bot else f' data-seat="{seat}" data-here="{"true" if here else "false"}"'
    return (
        f'<span class="seat-line{cls}" title="{text}"{facts}>{icon(sign)}'
        f'<span class="visually-hidden">{text}</span></span>'
    )
