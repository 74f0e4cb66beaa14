"""What a penalty took, and who drew it, for those whom it concerns: a panel that stays until they have read it.

Only the two whom a drawn card concerns know it: this is made of what a viewer's own log says.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from games.engine.biblios.cards import FORFEIT
from games.faces.biblios.art import card_name, card_title, picture, short_names
from games.faces.biblios.story import Fine
from games.faces.language import _, number
from games.faces.paint import plain
from games.faces.slots import Slots, draw_list, uncached


class Moved(NamedTuple):
    """A card that a penalty moved, and the total of its category in the viewer's hand before and after."""

    code: str
    other: str
    """The name of the rival who drew it, or lost it; empty if it was discarded."""
    old: int
    new: int


def penalties(fines: Sequence[Fine], me: int | None, names: tuple[str, ...], ended: bool) -> Slots:
    """The penalties that concern the viewer; none when the game is over, for then all is open. The script shows those
    that have not been read, one after the other."""
    if ended:
        return {}
    told = {f"penalty-{it.ply}": (draw_penalty, it.ply, it.lot, it.card, *_told(it, me, names)) for it in fines}
    return {"penalty": (draw_list, "penalty", tuple(told)), **told}


@lru_cache(maxsize=2000)
def _told(fine: Fine, me: int | None, names: tuple[str, ...]) -> tuple[bool, tuple[Moved, ...]]:
    """Whether the viewer did not pay, and the cards that went from them, or came to them."""
    mine = fine.item.seat == me
    totals, found = dict(fine.totals), []
    for source, target, code in reversed(fine.item.draws):
        if mine or target == me:
            new = totals[code[0]]
            old = totals[code[0]] = new + (int(code[1]) if mine else -int(code[1]))
            other = target if mine else source
            found.append(Moved(code, "" if other == FORFEIT else names[other], old, new))
    return mine, tuple(reversed(found))


@uncached
def draw_penalty(ply: int, lot: int, card: str, mine: bool, moved: Sequence[Moved]) -> str:
    """One of them."""
    lost = plain(card_title(card))
    if mine:
        title = _("You didn’t pay for %(card)s") % {"card": lost}
    else:
        title = _("%(name)s didn’t pay for %(card)s") % {"name": _name(moved[0].other), "card": lost}
    read = _("I have read it")
    seen = (
        _("Drawn at random. Only you and whoever drew a card have seen it.")
        if mine
        else _("Only you two have seen it.")
    )
    says = [seen] if any([it.other for it in moved]) else []
    if mine:
        again = _("%(card)s is auctioned again, without you.") % {"card": lost}
        says.append(f"<b>{again}</b>")
    says.append('<span class="muted">' + _("Kept in the moves.") + "</span>")
    cards = "".join([_moved(it, mine) for it in moved])
    return (
        f'<li id="penalty-{ply}" data-ply="{ply}" data-lot="l{lot}" hidden>'
        f'<section class="penalty" aria-labelledby="unpaid-{ply}">'
        f'<header class="spread-head"><h2 id="unpaid-{ply}">{title}</h2></header><ul class="body lost">{cards}</ul>'
        f'<div class="acts"><p class="say">{" ".join(says)}</p>'
        f'<button class="button primary big" type="button" data-read>{read}</button></div></section></li>'
    )


def _name(name: str) -> str:
    return f"<bdi>{plain(name)}</bdi>"


def _moved(it: Moved, mine: bool) -> str:
    words = {"name": f"<b>{_name(it.other)}</b>", "card": plain(card_name(it.code))}
    if not it.other:
        what = _("Lost: %(card)s") % words
    elif mine:
        what = _("%(name)s drew %(card)s") % words
    else:
        what = _("You drew %(card)s from %(name)s") % words
    change = f"{number(it.old)} → <b>{number(it.new)}</b>"
    total = f'<span class="number small muted">{plain(short_names()[it.code[0]])} {change}</span>'
    return f"<li>{picture(it.code)}<span>{what}<br>{total}</span></li>"
