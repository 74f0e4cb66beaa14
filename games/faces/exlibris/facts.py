"""The line of open facts, with the discard pile behind its number and the categories behind their seals; own clock."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from games.engine.exlibris.assistants import NEWEST_FOR_GOLEM
from games.engine.exlibris.effects import NEWEST_IN_DUMP
from games.faces.exlibris.art import CATEGORIES, chip, own, picture
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.words import category_name
from games.faces.language import _, number
from games.faces.paint import icon, plain
from games.faces.slots import Slots, placeholder


def common_facts(scene: Scene) -> Slots:
    """What all see alike, from the scene of a watcher."""
    view = scene.view
    return {"discard": (draw_discard, view.discard, (view.prominent, view.banned))}


def phase_text(round_: int, last: bool, over: bool, solo: bool) -> str:
    """`Round 5`, as text."""
    if over:
        return _("The game is over")
    if not round_:
        return _("Choosing libraries")
    if solo:
        return _("Round %(round)s of 5") % {"round": round_}
    return (_("Round %(round)s, the last") if last else _("Round %(round)s")) % {"round": round_}


def facts(scene: Scene) -> Slots:
    """The line as one viewer reads it, and the viewer's own clock."""
    view, me = scene.view, scene.me
    cells = tuple([view.setup.counted(shelf) for shelf in view.shelves])
    limit = 0 if view.setup.solo else view.setup.cells
    first = "" if view.setup.solo else scene.names[view.marker]
    focus = None if me is None else view.focus[me]
    most = cells[me] if me is not None else max(cells)
    timed = me is not None and scene.clock(me) is not None
    return {
        "facts": (
            draw_facts,
            (view.round, view.last, view.over or scene.status != "running", view.setup.solo),
            first,
            (most, limit, view.setup.counts_cards),
            view.deck,
            (view.prominent, view.banned, focus, view.spare),
        ),
        "mine": (draw_mine, me if timed else None),
    }


def draw_facts(
    phase: tuple[int, bool, bool, bool],
    first: str,
    cells: tuple[int, int, bool],
    deck: int,
    signs: tuple[int | None, int | None, int | None, Sequence[int]],
) -> str:
    parts = []
    if first:
        parts.append(_fact(_("First"), f"<bdi>{plain(first)}</bdi>", "first"))
    if cells[1]:
        shelved = number(cells[0])
        if cells[0] <= cells[1]:  # a shelf may grow on in the last round
            shelved = _("%(cells)s of %(limit)s") % {"cells": shelved, "limit": number(cells[1])}
        name = _("Cards") if cells[2] else _("Cells")
        parts.append(_fact(name, f"<bdi>{shelved}</bdi>", "cells"))
    parts += [_fact(_("Deck"), number(deck), "deck"), _fact(_("Discard"), placeholder("discard"), "pile")]
    title = _("Open facts")
    return (
        f'<section id="facts" class="leaf ex-facts" aria-label="{title}"><b class="ex-round">{phase_text(*phase)}</b>'
        f"<dl>{''.join(parts)}</dl>{_seals(signs, phase[3])}</section>"
    )


def _fact(name: str, value: str, cls: str) -> str:
    return f'<div class="{cls}"><dt>{name}</dt><dd>{value}</dd></div>'


def _seals(signs: tuple[int | None, int | None, int | None, Sequence[int]], solo: bool) -> str:
    """The categories that count, with their names; pressed, all six and what each is worth."""
    prominent, banned, focus, spare = signs
    if prominent is None or banned is None:
        return ""
    star, no, lock = own("s-star", "icon"), own("s-no", "icon"), icon("lock")
    seals = [_seal(star, _("Prominent"), prominent), _seal(no, _("Banned"), banned)]
    if focus is not None:
        seals.append(_seal(lock, _("Your focus"), focus))
    seals += [_seal(no, _("Not the public library’s focus"), it, "spare") for it in spare]
    rows = []
    for category in range(len(CATEGORIES)):
        marks = []
        if category == prominent:
            most = _("Prominent: most books of it score 15")
            if solo:
                most = _("Prominent: more books of it than the public library score 15")
            marks.append(f"<small>{star}{most}</small>")
        if category == banned:
            marks.append(f"<small>{no}{_('Banned: each book of it costs 1 point')}</small>")
        if category == focus:
            marks.append(f"<small>{lock}{_('Your focus, which only you know: each book scores 2')}</small>")
        if category in spare:
            marks.append(f"<small>{no}{_('Not the public library’s focus, as shown so far')}</small>")
        rows.append(f"<li>{chip(category)}<span>{plain(category_name(category))}{''.join(marks)}</span></li>")
    title = _("The six categories")
    return (
        f'<button type="button" class="ex-seals" popovertarget="categories" title="{title}">{"".join(seals)}</button>'
        f'<span id="categories" class="menu leaf ex-six" popover role="dialog" aria-label="{title}"><b>{title}</b>'
        f"<ul>{''.join(rows)}</ul></span>"
    )


def _seal(sign: Markup, name: str, category: int, cls: str = "") -> str:
    return (
        f'<span class="ex-seal {cls}">{sign}{chip(category)}<span class="ex-named"><small>{name}</small> '
        f"<bdi>{plain(category_name(category))}</bdi></span></span>"
    )


def draw_mine(seat: int | None) -> str:
    """The clock of the viewer, who has this seat; nothing without one."""
    if seat is None:
        return '<p id="mine" hidden></p>'
    return f'<p id="mine" class="ex-mine">{placeholder(f"clock-{seat}")}</p>'


def draw_discard(cards: Sequence[int], signs: tuple[int | None, int | None]) -> str:
    """The number of discards; behind it the pile, the newest first."""
    title = _("The discard pile, the newest first")
    marks = (*signs, None)
    items = []
    for at, card in enumerate(reversed(cards)):
        note = ""
        if at == 0:
            note = _("The newest 3: the Golem may take one")
        elif at == NEWEST_FOR_GOLEM:
            note = _("The newest 7: the Garbage Dump offers them")
        elif at == NEWEST_IN_DUMP:
            note = _("Older")
        line = f'<b class="ex-line">{note}</b>' if note else ""
        items.append(f"<li>{line}{picture(card, marks)}</li>")
    empty = _("It is empty.")
    inside = f"<ol>{''.join(items)}</ol>" if items else f'<p class="muted small">{empty}</p>'
    return (
        f'<span id="discard"><button type="button" class="ex-link" popovertarget="discards" '
        f'title="{title}">{number(len(cards))}'
        f"{icon('down')}</button>"
        f'<span id="discards" class="menu leaf ex-pile" popover role="dialog" aria-label="{title}"><b>{title}'
        f"</b>{inside}</span></span>"
    )
