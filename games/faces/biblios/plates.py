"""The players at a table of Biblios as HTML: a seat stands at the beginning of its row of the Scriptorium."""

from __future__ import annotations

from urllib.parse import quote

from accounts.people.avatar import avatar
from games.faces.language import _, digits, number
from games.faces.paint import gone, icon, outside, plain, use
from games.faces.slots import placeholder


def draw_seat(
    seat: int,
    name: str,
    avatar_code: str,
    username: str,
    rating: str,
    bot: bool,
    left: str,
    here: bool | None,
    first: bool,
    timed: bool,
) -> str:
    """The seat of a player, as the others see it."""
    link = outside(f"/@/{quote(username)}", f"<bdi>{plain(name)}</bdi>") if username else ""
    words = gone(name) if here is False else ""
    who = f'<b class="seat-name" title="{_title(name, rating)}">{link or f"<bdi>{plain(name)}</bdi>"}</b>'
    return _seat(
        f"seat-{seat}",
        seat,
        avatar(name, avatar_code),
        who,
        words + _first(first) + _state(seat, bot, left, here),
        timed,
    )


def draw_own_seat(seat: int, name: str, avatar_code: str, rating: str, left: str, first: bool, timed: bool) -> str:
    """The seat of the viewer."""
    you = _("You")
    who = f'<b class="seat-name" title="{_title(name, rating)}">{you}</b>'
    return _seat(
        "own-seat", seat, avatar(name, avatar_code), who, _first(first) + _state(seat, False, left, None), timed
    )


def _title(name: str, rating: str) -> str:
    return plain(f"{name} {digits(rating)}".strip())


def _seat(id: str, seat: int, square: str, who: str, marks: str, timed: bool) -> str:
    cards, label = _("cards"), _("Time left:")
    clock = f'<span class="visually-hidden">{label} </span>{placeholder(f"clock-{seat}")}' if timed else ""
    return (
        f'<span id="{id}" class="seat" data-seat="{seat}">'
        f'<span class="manicule" aria-hidden="true">{use("manicule")}</span>'
        f"{square}{who}{placeholder(f'did-{seat}')}{marks}"
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


def _state(seat: int, bot: bool, left: str, here: bool | None) -> str:
    """Whether a player is there, as a picture."""
    if left:
        cls, sign, text = " warn", "bot", _("A bot plays for this player")
    elif bot:
        cls, sign, text = "", "bot", _("Bot")
    elif here is None:
        return ""
    else:
        cls, sign, text = (" ok", "on", _("Connected")) if here else (" bad", "weak", _("Away"))
    facts = "" if left or bot else f' data-seat="{seat}" data-here="{"true" if here else "false"}"'
    return (
        f'<span class="seat-line{cls}" title="{text}"{facts}>{icon(sign)}'
        f'<span class="visually-hidden">{text}</span></span>'
    )
