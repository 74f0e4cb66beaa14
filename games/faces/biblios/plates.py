"""The players at a table of Biblios as HTML: who sits there."""

from __future__ import annotations

from urllib.parse import quote

from accounts.avatar import avatar
from games.faces.language import _
from games.faces.paint import icon, plain, use
from games.faces.slots import hole


def draw_seat(
    seat: int,
    name: str,
    worn: str,
    username: str,
    rating: str,
    bot: bool,
    left: str,
    here: bool | None,
    first: bool,
    timed: bool,
) -> str:
    """The seat of a rival."""
    square, name, cards = avatar(name, worn), plain(name), _("cards")
    who = f'<a href="/@/{quote(username)}"><bdi>{name}</bdi></a>' if username else f"<b><bdi>{name}</bdi></b>"
    return (
        f'<li id="seat-{seat}" class="seat" data-seat="{seat}">{square}'
        f'<span class="seat-name">{who} <span class="number muted">{plain(rating)}</span>{_first(first)}</span>'
        f'<span class="seat-action"><span class="manicule" aria-hidden="true">{use("manicule")}</span>'
        f"{hole(f'did-{seat}')}</span>"
        f'<span class="seat-cards number">{icon("cards")}{hole(f"n-{seat}")}'
        f'<span class="visually-hidden"> {cards}</span></span>'
        f"{_state(seat, bot, left, here)}{_clock(seat) if timed else ''}</li>"
    )


def draw_hand_head(seat: int, name: str, worn: str, rating: str, left: str, first: bool, timed: bool) -> str:
    """The viewer, above their hand."""
    bot = _("A bot plays for you")
    tag = f'<span class="tag warn">{bot}</span>' if left else hole("tag")
    return (
        f'<header id="hand-h" class="hand-head">{avatar(name, worn)}<b><bdi>{plain(name)}</bdi></b>'
        f'<span class="number muted">{plain(rating)}</span>{_first(first)}{tag}'
        f'<span class="hand-count number muted">{icon("cards")}{hole("hand-n")}</span>'
        f"{_clock(seat) if timed else ''}</header>"
    )


def _first(first: bool) -> str:
    """The mark of the first player."""
    text, title = _("1st"), _("First player: opens the auction phase")
    return f' <span class="tag first" title="{title}">{text}</span>' if first else ""


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


def _clock(seat: int) -> str:
    label = _("Time left:")
    return f'<span class="visually-hidden">{label} </span>{hole(f"clock-{seat}")}'
