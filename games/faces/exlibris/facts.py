"""The line of open facts above the table, with the discard pile behind its number."""

from __future__ import annotations

from collections.abc import Sequence

from games.faces.exlibris.art import book, own, picture
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.words import TITLES, doing
from games.faces.language import _, number
from games.faces.paint import bdi, icon, plain, said
from games.faces.slots import Slots, placeholder

DUMP, GOLEM = 7, 3
"""So many of the newest discards can be taken at the Garbage Dump, and by the Golem."""


def common_facts(scene: Scene) -> Slots:
    """What all see alike, from the scene of a watcher."""
    view = scene.view
    return {
        "phase": (draw_phase, view.round, view.last, view.over or scene.status != "running", view.setup.solo),
        "discard": (draw_discard, view.discard, (view.prominent, view.banned)),
    }


def draw_phase(round_: int, last: bool, over: bool, solo: bool) -> str:
    return f'<p id="phase">{phase_text(round_, last, over, solo)}</p>'


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
    """The line as one viewer reads it."""
    view, me = scene.view, scene.me
    asked = view.seat is not None and scene.status == "running"
    mine = asked and view.seat == me
    mover = scene.names[view.seat] if asked and view.seat is not None else ""
    cells = tuple([len(shelf) for shelf in view.shelves])
    limit = 0 if view.setup.solo else view.setup.cells
    first = "" if view.setup.solo else scene.names[view.marker]
    focus = None if me is None else view.focus[me]
    now = mover, mine, view.question
    most = cells[me] if me is not None else max(cells)
    return {
        "facts": (
            draw_facts,
            (view.round, view.last, not asked, view.setup.solo),
            first,
            now,
            (most, limit),
            view.deck,
            (view.prominent, view.banned, focus, view.spare),
        )
    }


def draw_facts(
    phase: tuple[int, bool, bool, bool],
    first: str,
    now: tuple[str, bool, int],
    cells: tuple[int, int],
    deck: int,
    signs: tuple[int | None, int | None, int | None, Sequence[int]],
) -> str:
    mover, mine, question = now
    prominent, banned, focus, spare = signs
    round_, last = phase[:2]
    parts = [
        _fact(
            _("Round"),
            (_("%(round)s, last") if last else "%(round)s") % {"round": number(round_) if round_ else "–"},
            "round",
        )
    ]
    if first:
        parts.append(_fact(_("First"), f"<bdi>{plain(first)}</bdi>"))
    if mover:
        who = (
            _("you: %(question)s") % {"question": _(TITLES[question])}
            if mine
            else said(doing(question), name=bdi(mover))
        )
        parts.append(_fact(_("Now"), str(who), "who mine" if mine else "who"))
    if cells[1]:
        # A shelf may grow on in the last round.
        filled = number(cells[0]) if cells[0] > cells[1] else _("%(cells)s of %(limit)s")
        parts.append(_fact(_("Cells"), filled % {"cells": cells[0], "limit": cells[1]}))
    parts += [_fact(_("Deck"), number(deck)), _fact(_("Discard"), placeholder("discard"))]
    if prominent is not None and banned is not None:
        title = _("More books of it than the public library score 15") if phase[3] else _("Most books of it score 15")
        parts.append(_sign("star", _("Prominent"), title, book(prominent)))
        parts.append(_sign("no", _("Banned"), _("Each book of it costs 1 point"), book(banned)))
    if focus is not None:
        title = _("Only you know it: each book scores 2")
        name = _("Your focus")
        parts.append(
            f'<div class="sign" title="{title}"><dt>{icon("lock")}<span>{name}</span></dt><dd>{book(focus)}</dd></div>'
        )
    if spare:
        parts.append(_sign("no", _("Not the public library’s focus"), _("Shown so far"), "".join(map(book, spare))))
    title = _("Open facts")
    return f'<dl id="facts" class="leaf ex-facts" aria-label="{title}">{"".join(parts)}</dl>'


def _fact(name: str, value: str, cls: str = "") -> str:
    return f'<div class="{cls}"><dt>{name}</dt><dd>{value}</dd></div>'


def _sign(sign: str, name: str, title: str, value: str) -> str:
    symbol = own(f"s-{sign}", "icon")
    return f'<div class="sign" title="{title}"><dt>{symbol}<span>{name}</span></dt><dd>{value}</dd></div>'


def draw_discard(cards: Sequence[int], signs: tuple[int | None, int | None]) -> str:
    """The number of discards; behind it the pile, the newest first."""
    title = _("The discard pile, the newest first")
    marks = (*signs, None)
    items = []
    for at, card in enumerate(reversed(cards)):
        note = ""
        if at == 0:
            note = _("The newest 3: the Golem may take one")
        elif at == GOLEM:
            note = _("The newest 7: the Garbage Dump offers them")
        elif at == DUMP:
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
