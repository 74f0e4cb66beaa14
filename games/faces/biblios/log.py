"""The log of a table of Biblios as HTML: a line for each turn of the gift phase and for each lot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.faces import events
from games.faces.biblios.art import note
from games.faces.biblios.story import Entry, Token
from games.faces.language import _
from games.faces.paint import plain
from games.faces.slots import fleeting

HEADINGS: dict[str, Callable[[], str]] = {
    "d1": lambda: _("I. Gifts"),
    "d2": lambda: _("II. Auctions"),
    "d3": lambda: _("Game over"),
}


class SeatNames(NamedTuple):
    """The names in the log, by seat."""

    full: tuple[str, ...]
    short: tuple[str, ...]
    me: int | None


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The beginnings of names that tell them apart: three letters, or as many as it takes."""
    shorts = []
    for name in names:
        length = 3
        while length < len(name) and sum(other.startswith(name[:length]) for other in names) > 1:
            length += 1
        shorts.append(name[:length])
    return tuple(shorts)


@fleeting
def draw_line(entry: Entry, names: SeatNames) -> str:
    """A line of the log."""
    id = entry.id
    if id in HEADINGS:
        return f'<li id="{id}" class="divider">{HEADINGS[id]()}</li>'
    if id[0] == "e":
        return f'<li id="{id}" class="event">{"".join([token(it, names) for it in entry.first])}</li>'
    if entry.lot:
        number, about = f"L{entry.number}", str(note(entry.lot))
    else:
        number, about = "#" if id == "d4" else str(entry.number), _about(entry.who, names)
    return (
        f'<li id="{id}"><b class="log-number">{number}</b><span class="log-about">{about}</span>'
        f'<span id="{id}-a" class="log-tokens">{_tokens(entry.first, names, bool(entry.lot))}</span>'
        f"{_then(entry, names)}</li>"
    )


def _then(entry: Entry, names: SeatNames) -> str:
    """What happened after the gifts of a turn, or when a lot was won, if anything did."""
    tokens = _tokens(entry.then, names, False)
    return f'<span id="{entry.id}-b" class="log-tokens log-then">{tokens}</span>' if tokens else ""


@fleeting
def draw_growth(old: Entry, new: Entry, names: SeatNames) -> str:
    """The message that brings a line up to date: tokens only come to the end, or the last one is another."""
    found = []
    for part, before, now in (("a", old.first, new.first), ("b", old.then, new.then)):
        if part == "b" and now and not before:
            found.append(f'<li id="{new.id}" data-at="3">{_then(new, names)}</li>')
        elif before != now:
            at = len(before) if now[: len(before)] == before else len(before) - 1
            tokens = _tokens(now, names, part == "a" and bool(new.lot), at)
            found.append(f'<span id="{new.id}-{part}" data-at="{at}">{tokens}</span>')
    return "".join(found)


def _tokens(tokens: Sequence[Token], names: SeatNames, auction: bool, start: int = 0) -> str:
    texts = []
    for at in range(start, len(tokens)):
        before = "" if not at else ", " if auction and tokens[at - 1][0] in ("bid", "pass") else " "
        texts.append(f"<span>{before}{token(tokens[at], names)}</span>")
    return "".join(texts)


def _about(seat: int, names: SeatNames) -> str:
    if seat < 0:
        return ""
    if seat == names.me:
        return _("You")
    name = plain(names.full[seat])
    return f'<bdi title="{name}">{name}</bdi>'


def token(it: Token, names: SeatNames) -> str:
    """A single thing that happened, as the log notes it (see `story.Token`)."""
    return _TOKENS[it[0]](names, *it[1:])


def _who(names: SeatNames, seat: int) -> str:
    return _("You") if seat == names.me else f"<bdi>{plain(names.short[seat])}</bdi>"


def _pay(names: SeatNames, seat: int, codes: Sequence[str]) -> str:
    text = _("%(you)s pay %(cards)s") if seat == names.me else _("%(name)s pays %(cards)s")
    who = f"<em>{_who(names, seat)}</em>"
    return text % {"you": who, "name": who, "cards": "".join([note(code) for code in codes])}


def _refuse(names: SeatNames, seat: int) -> str:
    text = _("You do not pay") if seat == names.me else _("%(name)s does not pay") % {"name": _who(names, seat)}
    return f'<span class="log-text bad">{text}</span>'


def _event(names: SeatNames, what: str, seat: int) -> str:
    return events.note(names.full[seat], what)


def _still(names: SeatNames) -> str:
    title = _("leaves the dice")
    return f'<span class="log-text muted" title="{title}">=</span>'


def _lose(names: SeatNames, code: str) -> str:
    lost = _("lost:")
    return f'<span class="log-text">{lost} {note(code)}</span>'


def _unsold(names: SeatNames) -> str:
    text = _("unsold")
    return f'<span class="log-text muted">{text}</span>'


_TOKENS: dict[str, Callable[..., str]] = {
    "place": lambda names, sign, code: str(note(code, sign)),
    "take": lambda names, seat, code: f"<em>{_who(names, seat)}</em> {note(code, 'x')}",
    "dice": lambda names, letter, old, new: f'<span class="note" data-cat="{letter}">{letter}{old}→{new}</span>',
    "still": _still,
    "bid": lambda names, seat, bid: f'<span class="log-text">{_who(names, seat)} {bid}</span>',
    "pass": lambda names, seat: f'<span class="log-text muted">{_who(names, seat)} –</span>',
    "pay": _pay,
    "refuse": _refuse,
    "draw": lambda names, source, target, code: f'<span class="log-text">{_who(names, target)} ← {note(code)}</span>',
    "lose": _lose,
    "unsold": _unsold,
    "points": lambda names, seat, points: f'<span class="log-text">{_who(names, seat)} <b>{points}</b></span>',
    "more": lambda names, code: str(note(code)),
    "event": _event,
}
