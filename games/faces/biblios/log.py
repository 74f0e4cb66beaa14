"""The log of a table of Biblios as HTML: a line for each turn of the gift phase and for each lot.

It is in words, which are always read out. `data-note` has the same in notation: the style sheet shows one of the two.
It tells the parts of a line by their places, because each costs bytes in every message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from games.engine.biblios.cards import FORFEIT
from games.faces.biblios.art import BACK, mini
from games.faces.biblios.story import Entry
from games.faces.biblios.words import LogItem, involved, listed
from games.faces.language import N_, _
from games.faces.paint import plain
from games.faces.slots import Slot, appended, uncached

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

    @property
    def others(self) -> SeatNames:
        """The same for whoever is not told in other words."""
        return self if self.me is None else self._replace(me=None)


def short_names(names: Sequence[str], length: int = 3) -> tuple[str, ...]:
    """The beginnings of names that tell them apart: so many letters, or as many as it takes; of two that begin with the
    same word and a hyphen, as those of guests do, what comes after it."""
    first = Counter([name.rpartition("-")[0] for name in names])
    rest = [name.rpartition("-")[2] if first[name.rpartition("-")[0]] > 1 else name for name in names]
    if len(set(rest)) == len(names):  # else somebody is called like the end of another name
        names = rest
    shorts = []
    for name in names:
        enough = length
        while enough < len(name) and sum(other.startswith(name[:enough]) for other in names) > 1:
            enough += 1
        shorts.append(name[:enough])
    return tuple(shorts)


def line(entry: Entry, names: SeatNames) -> Slot:
    """Paints a line of the log."""
    own = entry.who == names.me or _concern((*entry.first, *entry.then), names.me)
    return draw_line, entry, names if own else names.others


def _concern(items: Sequence[LogItem], me: int | None) -> bool:
    return any([involved(item, me) for item in items])


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
        head = _in_both(str(entry.number), _("Turn %(turn)s") % {"turn": entry.number})
        you = f"<b>{_('You')}</b>"  # the same in both
        head += f" {you if entry.who == names.me else _in_both(names.short[entry.who], names.full[entry.who])}"
    else:
        head = ""
    return (
        f'<li id="{id}">{head} <span id="{id}-a">{_items(entry.first, entry.who, names)}</span>'
        f"{_then(entry, names)}</li>"
    )


def _in_both(noted: str, words: str) -> str:
    return f'<b data-note="{plain(noted)}"><i>{words}</i></b>'


def _then(entry: Entry, names: SeatNames) -> str:
    """What happened after the gifts of a turn, or when a lot was won, if anything did."""
    return _followed(entry.id, entry.then, names) if entry.then else ""


def _followed(id: str, items: Sequence[LogItem], names: SeatNames) -> str:
    return f'<span id="{id}-b">{_items(items, -1, names)}</span>'


Growth = tuple[tuple[LogItem, ...], int]
"""What comes to a part of a line: the items, and how many stay before them; none, if all are drawn again."""


def growth(old: Entry, new: Entry, names: SeatNames) -> Slot:
    """Paints the message that brings a line up to date: items only come to the end, or the last one is another."""
    first, then = _growth(old.first, new.first), _growth(old.then, new.then)
    own = _concern((*first[0], *then[0]), names.me)
    return draw_growth, new.id, new.who, first, then, not old.then, names if own else names.others


def _growth(before: tuple[LogItem, ...], now: tuple[LogItem, ...]) -> Growth:
    if before == now:
        return (), 0
    count = len(before)
    return (now[count:], count) if now[:count] == before else (now, 0)


@uncached
def draw_growth(id: str, who: int, first: Growth, then: Growth, begins: bool, names: SeatNames) -> str:
    """The message for a line. `begins`: nothing followed yet."""
    found = []
    for part, active, (items, start) in (("a", who, first), ("b", -1, then)):
        if not items:
            continue
        if part == "b" and begins:
            found.append(appended(id, [_followed(id, items, names)], "li"))
            continue
        html = _items(items, active, names, start)
        found.append(appended(f"{id}-{part}", [html], "span") if start else f'<span id="{id}-{part}">{html}</span>')
    return "".join(found)


def _items(items: Sequence[LogItem], active: int, names: SeatNames, start: int = 0) -> str:
    """Items after the first `start`; those of the `active` player, whom the heading names, as one sentence."""
    texts = []
    for at, item in enumerate(items, start):
        before = "" if not at else ", " if active >= 0 else " "
        words = listed(item, names.full, names.me, active)
        texts.append(f'<i data-note="{noted(item, names)}"><i>{before}{words}</i></i>')
    return "".join(texts)


def noted(item: LogItem, names: SeatNames) -> str:
    """An item in notation, as the value of an attribute."""
    return plain(_NOTES[item.move.partition(" ")[0]](item, names))


def _who(names: SeatNames, seat: int) -> str:
    return _("You") if seat == names.me else names.short[seat]


def _codes(item: LogItem, sign: str) -> str:
    return " ".join([sign + _code(code) for code in (*item.more, item.card)])


def _code(code: str) -> str:
    return "▮" if code in ("", BACK) else code.replace("-", "−")


def _dice(item: LogItem, _names: SeatNames) -> str:
    return f"{item.die[0]}{item.die[1]}→{item.die[2]}" if item.die else "="


def _pay(item: LogItem, names: SeatNames) -> str:
    text = _("%(you)s pay %(cards)s") if item.seat == names.me else _("%(name)s pays %(cards)s")
    who = _who(names, item.seat)
    return text % {"you": who, "name": who, "cards": _codes(item, "")}


def _pass(item: LogItem, names: SeatNames) -> str:
    return " ".join([f"{_who(names, item.seat)} –", *([_("unsold")] if item.ends else [])])


def _refuse(item: LogItem, names: SeatNames) -> str:
    who = _who(names, item.seat)
    found = [_("You don’t pay") if item.seat == names.me else _("%(name)s doesn’t pay") % {"name": who}]
    for _source, target, code in item.draws:
        where = _("lost:") if target == FORFEIT else f"{_who(names, target)} ←"
        found.append(f"{where} {_code(code)}")
    return " ".join([*found, *([_("unsold")] if item.ends else [])])


_NOTES: dict[str, Callable[[LogItem, SeatNames], str]] = {
    **dict.fromkeys(SIGNS, lambda item, names: _codes(item, SIGNS[item.move])),
    "take": lambda item, names: f"{_who(names, item.seat)} {_codes(item, 'x')}",
    "dice": _dice,
    "bid": lambda item, names: f"{_who(names, item.seat)} {item.move[4:]}",
    "pass": _pass,
    "pay": _pay,
    "refuse": _refuse,
    "points": lambda item, names: f"{_who(names, item.seat)} {item.move[7:]}",
}
