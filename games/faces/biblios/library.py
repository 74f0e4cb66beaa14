"""The library: what the viewer holds, in a niche for each category, while the others give and take.

Pale behind it stands what was seen with each rival. Whoever watches sees that alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import VALUES
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import bare, die_face, short_names, symbol
from games.faces.biblios.scriptorium import Hand, Sums, best_of, by_category, fan_of, group_label, rival_in
from games.faces.language import _, digits, number
from games.faces.paint import plain
from games.faces.slots import Slots, placeholder, uncached

NICHES = (*LETTERS, "G")
LEVELS = 10
"""The heights of a figure; the style sheet has one for each."""
HIGHEST = dict(zip(NICHES, (16, 16, 8, 8, 8, 16), strict=True))
"""The totals that fill a niche; higher ones are not shown higher."""


def library(view: BibliosView, names: Sequence[str], sums: Sums) -> Slots:
    """The slots of the library."""
    me = view.me
    held = None if me is None else by_category(view.hand)
    slots: Slots = {"library": (draw_library,)}
    for at, category in enumerate(NICHES):
        seen = tuple([int(texts[at][1:]) for seat, texts in enumerate(sums) if seat != me])
        mine = None if held is None else tuple(held[category])
        die = view.dice[at] if category in LETTERS else 0
        slots[f"niche-{category}"] = draw_niche, category, die
        slots[f"behind-{category}"] = draw_behind, category, seen
        slots[f"held-{category}"] = draw_held, category, mine
        slots[f"plaque-{category}"] = draw_plaque, category, mine, *rival_in(category, me, names, sums)
    return slots


def level(category: str, total: int) -> int:
    """How high a total stands, from 0 to LEVELS: small differences of small totals can be seen."""
    return ceil(LEVELS * sqrt(min(1, total / HIGHEST[category])))


def draw_library() -> str:
    niches = "".join([placeholder(f"niche-{category}") for category in NICHES])
    return f'<ol id="library" class="library">{niches}</ol>'


def draw_niche(category: str, die: int) -> str:
    lamp = f'<span class="lamp"></span>{die_face(f"{category}{die}")}' if die else ""
    return (
        f'<li id="niche-{category}" class="niche light-{die}" data-cat="{category}">'
        f'<p class="niche-head">{lamp}<b>{symbol(category)}<span>{plain(short_names()[category])}</span></b></p>'
        f'<div class="niche-room" aria-hidden="true"><i class="cone"></i>{placeholder(f"behind-{category}")}'
        f"{placeholder(f'held-{category}')}</div>{placeholder(f'plaque-{category}')}</li>"
    )


@uncached
def draw_behind(category: str, seen: Sequence[int]) -> str:
    """What was seen with the others."""
    shown = bare(f"k-{category}")
    figures = "".join([f'<span class="level-{level(category, total)}">{shown}</span>' for total in seen if total])
    return f'<div id="behind-{category}" class="seen">{figures}</div>'


@uncached
def draw_held(category: str, mine: Hand | None) -> str:
    """A figure for each card of the viewer."""
    figures = ""
    if mine:
        cards, shown = fan_of(mine), bare(f"k-{category}")
        top, high = level(category, _sum(mine)), int(cards[0][0][1])
        for code, key, _new in cards:
            height = ceil(top * sqrt(int(code[1]) / high))
            sign = code[2:] or digits(code[1])
            figures += f'<span class="level-{height}" data-figure="{key}">{shown}<i>{sign}</i></span>'
    return f'<div id="held-{category}" class="held">{figures}</div>'


@uncached
def draw_plaque(category: str, mine: Hand | None, rival: str, most: str) -> str:
    """What the viewer holds, and how that compares."""
    total = None if mine is None else _sum(mine)
    leads = total and total > int(most[1:] or 0)
    held = "" if mine is None or total is None else _total(category, mine, total)
    return (
        f'<p id="plaque-{category}" class="plaque{" leads" if leads else ""}">'
        f"{held}<small>{_standing(total, rival, most)}</small></p>"
    )


def _sum(cards: Hand) -> int:
    return sum([VALUES[kind] for kind in cards])


def _total(category: str, mine: Hand, total: int) -> str:
    best = "" if category == "G" else best_of(mine, category)
    return (
        f'<span class="visually-hidden">{group_label(category, total, len(mine), best)}</span>'
        f'<b aria-hidden="true">{number(total)}{f"<i>{best}</i>" if best else ""}</b>'
    )


def _standing(total: int | None, rival: str, most: str) -> str:
    """Who leads, by what was seen. `total`: the viewer's, None for a watcher; `most`: what was seen with the rival."""
    words = {"name": f"<bdi>{plain(rival)}</bdi>", "total": f"<bdi>{digits(most)}</bdi>"}
    if not rival:
        return _("none seen with others") if total else _("none seen")
    if total is None or total < int(most[1:]):
        return _("%(name)s leads: %(total)s") % words
    if total == int(most[1:]):
        return _("level with %(name)s: %(total)s") % words
    return _("you lead; %(name)s: %(total)s") % words
