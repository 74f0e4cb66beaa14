"""The log of a table of Biblios as HTML: a line for each turn of the gift phase and for each lot.

It is in words, which are always read out. `data-note` has the same in notation: the style sheet shows one of the two.
It tells the parts of a line by their places, because each costs bytes in every message.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from games.engine.biblios.cards import FORFEIT
from games.faces.biblios.art import BACK, mini
from games.faces.biblios.story import Entry
from games.faces.biblios.words import Deed, listed
from games.faces.language import N_, _
from games.faces.paint import plain
from games.faces.slots import appended, uncached

HEADINGS: dict[str, str] = {
    "d1": N_("I. Gifts"),
    "d2": N_("II. Auctions"),
    "d3": N_("Game over"),
}
SIGNS = {"keep": "k", "public": "p", "auction": "a"}


class SeatNames(NamedTuple):
    """The names in the log, by seat."""

    full: tuple[Markup, ...]
    """As HTML."""
    short: tuple[str, ...]
    me: int | None


def short_names(names: Sequence[str], length: int = 3) -> tuple[str, ...]:
    """The beginnings of names that tell them apart: so many letters, or as many as it takes."""
    shorts = []
    for name in names:
        enough = length
        while enough < len(name) and sum(other.startswith(name[:enough]) for other in names) > 1:
            enough += 1
        shorts.append(name[:enough])
    return tuple(shorts)


@uncached
def draw_line(entry: Entry, names: SeatNames) -> str:
    """A line of the log."""
    id = entry.id
    if id in HEADINGS:
        return f'<li id="{id}" class="divider">{_(HEADINGS[id])}</li>'
    if id[0] == "e":
        return f'<li id="{id}" class="event">{listed(entry.first[0], names.full, names.me, -1)}</li>'
    if entry.lot:
        lot = _("Lot %(lot)s") % {"lot": entry.number}
        head = _in_both(f"L{entry.number} {entry.lot}", f"{lot} {mini(entry.lot)}")
    elif entry.who >= 0:
        about = _("You") if entry.who == names.me else names.full[entry.who]
        head = _in_both(str(entry.number), _("Turn %(turn)s") % {"turn": entry.number})
        head += f" {_in_both(_who(names, entry.who), about)}"
    else:
        head = ""
    return (
        f'<li id="{id}">{head} <span id="{id}-a">{_deeds(entry.first, entry.who, names)}</span>'
        f"{_then(entry, names)}</li>"
    )


def _in_both(noted: str, words: str) -> str:
    return f'<b data-note="{plain(noted)}"><i>{words}</i></b>'


def _then(entry: Entry, names: SeatNames) -> str:
    """What happened after the gifts of a turn, or when a lot was won, if anything did."""
    deeds = _deeds(entry.then, -1, names)
    return f'<span id="{entry.id}-b">{deeds}</span>' if deeds else ""


@uncached
def draw_growth(old: Entry, new: Entry, names: SeatNames) -> str:
    """The message that brings a line up to date: deeds only come to the end, or the last one is another."""
    found = []
    for part, before, now in (("a", old.first, new.first), ("b", old.then, new.then)):
        if part == "b" and now and not before:
            found.append(appended(new.id, [_then(new, names)], "li"))
        elif before != now:
            longer = now[: len(before)] == before
            deeds = _deeds(now, new.who if part == "a" else -1, names, len(before) if longer else 0)
            id = f"{new.id}-{part}"
            found.append(appended(id, [deeds], "span") if longer else f'<span id="{id}">{deeds}</span>')
    return "".join(found)


def _deeds(deeds: Sequence[Deed], active: int, names: SeatNames, start: int = 0) -> str:
    """Deeds one after the other; those of the `active` player, whom the heading names, as one sentence."""
    texts = []
    for at in range(start, len(deeds)):
        deed = deeds[at]
        before = "" if not at else ", " if active >= 0 else " "
        words = listed(deed, names.full, names.me, active)
        texts.append(f'<i data-note="{noted(deed, names)}"><i>{before}{words}</i></i>')
    return "".join(texts)


def noted(deed: Deed, names: SeatNames) -> str:
    """A deed in notation, as the value of an attribute."""
    return plain(_NOTES[deed.move.partition(" ")[0]](deed, names))


def _who(names: SeatNames, seat: int) -> str:
    return _("You") if seat == names.me else names.short[seat]


def _codes(deed: Deed, sign: str) -> str:
    return " ".join([sign + _code(code) for code in (*deed.more, deed.card)])


def _code(code: str) -> str:
    return "▮" if code in ("", BACK) else code.replace("-", "−")


def _dice(deed: Deed, _names: SeatNames) -> str:
    return f"{deed.die[0]}{deed.die[1]}→{deed.die[2]}" if deed.die else "="


def _pay(deed: Deed, names: SeatNames) -> str:
    text = _("%(you)s pay %(cards)s") if deed.seat == names.me else _("%(name)s pays %(cards)s")
    who = _who(names, deed.seat)
    return text % {"you": who, "name": who, "cards": _codes(deed, "")}


def _pass(deed: Deed, names: SeatNames) -> str:
    return " ".join([f"{_who(names, deed.seat)} –", *([_("unsold")] if deed.ends else [])])


def _refuse(deed: Deed, names: SeatNames) -> str:
    who = _who(names, deed.seat)
    found = [_("You don’t pay") if deed.seat == names.me else _("%(name)s doesn’t pay") % {"name": who}]
    for _source, target, code in deed.draws:
        where = _("lost:") if target == FORFEIT else f"{_who(names, target)} ←"
        found.append(f"{where} {_code(code)}")
    return " ".join([*found, *([_("unsold")] if deed.ends else [])])


_NOTES: dict[str, Callable[[Deed, SeatNames], str]] = {
    **dict.fromkeys(SIGNS, lambda deed, names: _codes(deed, SIGNS[deed.move])),
    "take": lambda deed, names: f"{_who(names, deed.seat)} {_codes(deed, 'x')}",
    "dice": _dice,
    "bid": lambda deed, names: f"{_who(names, deed.seat)} {deed.move[4:]}",
    "pass": _pass,
    "pay": _pay,
    "refuse": _refuse,
    "points": lambda deed, names: f"{_who(names, deed.seat)} {deed.move[7:]}",
}
