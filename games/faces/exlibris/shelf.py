"""Shelves: one's own with the cells where a card may lie, small ones of others, and what a shelf is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.engine.exlibris.actions import tombs
from games.engine.exlibris.cards import BOOKS, HIDDEN, LABELS, NONE, books_in, mask_of
from games.engine.exlibris.cards import CATEGORIES as LETTERS
from games.engine.exlibris.libraries import MUM
from games.engine.exlibris.notation import AT, COLUMNS, MOVE_TEXTS, ROWS
from games.engine.exlibris.rows import advised
from games.engine.exlibris.shelf import (
    ORIGIN,
    STRIDE,
    TALLEST,
    Pile,
    Shelf,
    block,
    cells_in,
    entombed,
    face_up,
    filled,
    free_cells,
    index_of,
    place_of,
    turned_down,
)
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.art import Signs, card_name, face_of_card, own
from games.faces.exlibris.asking import Ask, cell_named
from games.faces.exlibris.outcomes import Outcome, act_text, ghost, open_cell, pressable, shelf_after, tomb
from games.faces.exlibris.words import LINES, category_name
from games.faces.language import _, digits, ngettext, number
from games.faces.paint import plain
from games.faces.slots import Slots, placeholder

Cells = tuple[tuple[str, int], ...]


class Worth(NamedTuple):
    """What a shelf is worth, as if the game ended now."""

    lines: tuple[int, ...]
    books: tuple[int, ...]
    """Of the cards that stay up, by category."""
    down: tuple[int, ...]
    """The face-up cards that would better be turned down, or be turned down by the check."""
    rivals: tuple[int, ...]
    """The numbers of prominent books of the others, or of the public library."""
    tombs: int
    solo: bool

    @property
    def points(self) -> int:
        """The sum."""
        return sum(self.lines)


def worth_of_seat(view: ExLibrisView, seat: int, shelf: Shelf | None = None) -> Worth | None:
    """What the shelf of a seat is worth to whoever looks; None before the categories are known."""
    if view.prominent is None:
        return None
    shelf = view.shelves[seat] if shelf is None else shelf
    row, score = advised(view, seat, shelf)
    down = tuple([card for card in face_up(shelf) if card not in row])
    return Worth(score.lines, score.books, down, rivals_of(view, seat), entombed(shelf), view.setup.solo)


def rivals_of(view: ExLibrisView, seat: int) -> tuple[int, ...]:
    """The numbers of prominent books of the others, as their shelves or the public library have them now."""
    assert view.prominent is not None
    if view.setup.solo:
        return (books_in(mask_of(view.discard))[view.prominent],)
    rest = [shelf for at, shelf in enumerate(view.shelves) if at != seat]
    return tuple([books_in(mask_of(face_up(shelf)))[view.prominent] for shelf in rest])


def final_shelf(view: ExLibrisView, seat: int) -> Shelf:
    """The shelf with what is known to be turned down in the last step."""
    turned = view.turned[seat]
    shelf = view.shelves[seat]
    return turned_down(shelf, [pile.card for pile in shelf if turned >> pile.card & 1], view.setup.ascending)


# The own shelf


def own_shelf(view: ExLibrisView, asks: Ask | None, worth: Worth | None) -> Slots:
    """The slots of the viewer's own shelf and its worth."""
    me = view.me
    assert me is not None
    shelf, signs = view.shelves[me], (view.prominent, view.banned, view.focus[me])
    cells: tuple[Outcome, ...] = ()
    cards: tuple[Outcome, ...] = ()
    free: Cells = ()
    if asks:
        cells = tuple([outcome(view, asks, worth, *it) for it in asks.cells])
        cards = tuple([outcome(view, asks, worth, *it) for it in asks.shelf])
        cards += tuple([Outcome("", card, card) for card in dict.fromkeys(card for _move, card in asks.acts)])
        if asks.kind == "shelve":
            free = _free(view)
    values: tuple[Any, ...] = ()
    if worth:
        setup = view.setup
        values = worth.lines, worth.down, worth.rivals, (setup.solo, setup.place_without_books, setup.ascending)
    return {
        "low": (draw_low,),
        "shelf": (draw_own, shelf, signs, cells, free, cards, values),
        "worth": (draw_worth, worth, signs),
    }


def _free(view: ExLibrisView) -> Cells:
    """Where any card may be shelved next; the Mummy may also entomb it."""
    me = view.me
    assert me is not None
    shelf = view.shelves[me]
    moves = [AT + index_of(cell) for cell in cells_in(free_cells(filled(shelf)))]
    if view.stack[-1][1] & 1 and view.libraries[me] == MUM:
        moves += tombs(shelf)
    return tuple([(MOVE_TEXTS[move], cell_named(MOVE_TEXTS[move])) for move in moves])


def outcome(view: ExLibrisView, asks: Ask, now: Worth | None, move: str, target: int) -> Outcome:
    """What an answer does, beside what the shelf is worth now."""
    card = asks.card if asks.card != HIDDEN else target
    shelf = shelf_after(view, asks, move)
    then = worth_of_seat(view, view.me or 0, shelf) if shelf is not None else None
    if now is None or then is None:
        return Outcome(move, card, target)
    down = max(0, len(then.down) - len(now.down))
    return Outcome(move, card, target, then.points - now.points, down)


def draw_low() -> str:
    return f'<div id="low" class="ex-low">{placeholder("shelf")}{placeholder("worth")}</div>'


def draw_own(
    shelf: Shelf,
    signs: Signs,
    cells: Sequence[Outcome],
    free: Cells,
    chosen: Sequence[Outcome],
    values: tuple[Any, ...],
) -> str:
    down = values[1] if values else ()
    ghosts = {it.target: ghost(it, shelf) for it in cells}
    ghosts |= {cell: open_cell(move, shelf) for move, cell in free if move.startswith("at")}
    tombs = [cell for move, cell in free if move.startswith("over")]
    rows = grid(shelf, signs, ghosts, {it.target: it for it in chosen}, tombs, down)
    data = ""
    if values:
        lines, _down, rivals, rules = values
        solo, placed, ascending = map(int, rules)
        prominent, banned, focus = [LETTERS[sign] if sign is not None else "" for sign in signs]
        data = (
            f' data-prom="{prominent}" data-ban="{banned}" data-foc="{focus}" data-solo="{solo}"'
            f' data-placed="{placed}" data-ascending="{ascending}" data-rivals="{" ".join(map(str, rivals))}"'
            f' data-lines="{" ".join(map(str, lines))}"'
        )
    one = ' data-one="1"' if len(free) == 1 else ""
    moves = ' data-moves="1"' if any(pile.card == it.card for it in cells for pile in shelf) else ""
    title = _("Your shelf")
    note = ""
    if down:
        cards = digits(", ".join([LABELS[card] for card in down]))
        turned = _("Would be turned down now: %(cards)s") % {"cards": cards}
        note = f'<p class="ex-note"><i class="ex-mark">{own("s-turn")}</i>{turned}</p>'
    elif not shelf:
        empty = _("Nothing shelved yet.")
        note = f'<p class="ex-note">{empty}</p>'
    return (
        f'<section id="shelf" class="ex-own" aria-label="{title}"{data}{one}{moves}><header class="ex-cornice">'
        f"<h2>{title}</h2>"
        f'{note}</header><div class="ex-scroll" tabindex="0"><div class="ex-shelf" data-shelf>{rows}</div></div>'
        f"</section>"
    )


def grid(
    shelf: Shelf,
    signs: Signs,
    ghosts: Mapping[int, str],
    chosen: Mapping[int, Outcome],
    tombs: Sequence[int],
    marked: Sequence[int] = (),
    small: bool = False,
) -> str:
    """The boards of a shelf, three or four, with what stands on them; never mirrored.

    A small one is as wide as its cards. Any other has room beside them too, whether or not a card may lie there now, so
    that nothing moves when it may; of four boards the first and the last are low ones. `ghosts`: by cell, what can be
    chosen there; `chosen`: by card, the answer that it is; `tombs`: the cells in which a card may be entombed.
    """
    piles = {pile.cell: pile for pile in shelf}
    places = [place_of(cell) for cell in piles or (ORIGIN,)]
    rows, columns = boards([row for row, _column in places], small), [column for _row, column in places]
    margin = 0 if small else 1
    first, last = max(COLUMNS[0], min(columns) - margin), min(COLUMNS[-1], max(columns) + margin)
    golden = _golden(shelf)
    found = []
    for row in rows:
        inside = []
        for column in range(first, last + 1):
            cell = ORIGIN + row * STRIDE + column
            if cell in piles:
                pile = piles[cell]
                gold = len(golden) if golden and cell == golden[-1] else 1 if cell in golden else 0
                inside.append(_pile(pile, signs, marked, chosen.get(pile.card), cell in tombs, small, gold))
            else:
                inside.append(ghosts.get(cell, '<span class="ex-empty"></span>'))
        low = " low" if len(rows) > TALLEST and row in (rows[0], rows[-1]) else ""
        found.append(f'<span class="ex-row{low}">{"".join(inside)}</span>')
    return "".join(found)


def boards(rows: Sequence[int], small: bool) -> range:
    """The rows that are drawn of a shelf with cards in these: at least three, and those where a card may come."""
    first, last = min(rows), max(rows)
    if not small and last - first < TALLEST - 1:
        first, last = max(ROWS[0], first - 1), min(ROWS[-1], last + 1)
    first = max(ROWS[0], min(first, last - TALLEST + 1))
    return range(first, max(last, first + TALLEST - 1) + 1)


def _golden(shelf: Shelf) -> list[int]:
    """The cells of the largest full block, in reading order."""
    cell, rows, columns = block(filled(shelf))
    return [cell + STRIDE * row + column for row in range(rows) for column in range(columns)]


def _pile(
    pile: Pile, signs: Signs, marked: Sequence[int], chosen: Outcome | None, entombs: bool, small: bool, gold: int
) -> str:
    """A filled cell. `gold`: whether it belongs to the largest full block; in its last cell the number of its cells."""
    label = LABELS[pile.card]
    cls = ["" if pile.up else "down", "tomb" if pile.under != NONE else "", "ooo" if pile.card in marked else ""]
    cls.append("gold" if gold else "")
    name = card_name(pile.card, signs)
    if not pile.up:
        name = _("%(card)s, face down") % {"card": digits(label)}
    if pile.under != NONE:
        name = _("%(card)s; under it an entombed card") % {"card": name}
    if pile.card in marked:
        name = _("%(card)s; would be turned down now") % {"card": name}
    row, column = place_of(pile.cell)
    more = "" if small else f' data-card="{label}" data-n="{pile.card}" data-at="{row},{column}"'
    more += f' data-books="{"".join(LETTERS[c] for c in sorted(BOOKS[pile.card]))}"' if not small else ""
    more += ' data-down="1"' if not pile.up and not small else ""
    mark = f'<i class="ex-mark">{own("s-turn")}</i>' if pile.card in marked else ""
    lies = _("turned")
    turned = "" if pile.up else f'<i class="ex-turned">{lies}</i>'
    block = f'<b class="ex-block number">{number(gold)}</b>' if gold > 1 else ""
    inside = f"{face_of_card(pile.card, signs)}{mark}{turned}{block}"
    classes = " ".join(["ex-card", *filter(None, cls)])
    shown = f'<span class="{classes}" role="img" aria-label="{plain(name)}" title="{plain(name)}"{more}>{inside}</span>'
    if entombs:
        return tomb(shown, plain(name), label, f"{row},{column}", pile.up)
    if chosen is not None:
        says = act_text(chosen) if chosen.move else _("Choose %(card)s") % {"card": digits(label)}
        return pressable(shown, plain(name), label, plain(says), chosen.move)
    return shown


# What it is worth


def reasons(worth: Worth, signs: Signs) -> tuple[str, ...]:
    """The five lines of a score, each with its reason in a few words."""
    prominent, banned, focus = signs
    assert prominent is not None and banned is not None
    block = worth.lines[0] - 2 * worth.tombs
    first = ngettext("a full block of %(count)s cell", "a full block of %(count)s cells", block)
    first %= {"count": number(block)}
    if not block:
        first = _("no full block of two rows yet")
    if worth.tombs:
        entombed = ngettext("%(count)s entombed card", "%(count)s entombed cards", worth.tombs)
        entombed %= {"count": number(worth.tombs)}
        first = _("%(block)s; %(entombed)s") % {"block": first, "entombed": entombed}
    second = (
        _("%(books)s: %(count)s; the public library’s: %(best)s")
        if worth.solo
        else _("%(books)s: %(count)s; the others’ most: %(best)s")
    ) % {
        "books": category_name(prominent),
        "count": number(worth.books[prominent]),
        "best": number(max(worth.rivals, default=0)),
    }
    third = _("%(books)s: %(count)s") % {"books": category_name(banned), "count": number(worth.books[banned])}
    least = min(count for category, count in enumerate(worth.books) if category != banned)
    fewest = [category_name(c) for c, count in enumerate(worth.books) if c != banned and count == least]
    fourth = _("%(count)s each of the fewest: %(books)s") % {"count": number(least), "books": ", ".join(fewest[:3])}
    fifth = (
        _("secret")
        if focus is None
        else _("%(books)s: %(count)s") % {"books": category_name(focus), "count": number(worth.books[focus])}
    )
    return first, second, third, fourth, fifth


def in_brief(worth: Worth, signs: Signs) -> tuple[str, ...]:
    """The same reasons, each in two or three words."""
    prominent, banned, focus = signs
    assert prominent is not None and banned is not None
    block = worth.lines[0] - 2 * worth.tombs
    first = _("block of %(count)s") % {"count": number(block)} if block else _("no block yet")
    most = {"count": number(worth.books[prominent]), "best": number(max(worth.rivals, default=0))}
    second = (_("%(count)s, library %(best)s") if worth.solo else _("%(count)s, others %(best)s")) % most
    least = min(count for category, count in enumerate(worth.books) if category != banned)
    fourth = _("%(count)s of each") % {"count": number(least)}
    fifth = _("secret") if focus is None else _books(worth.books[focus])
    return first, second, _books(worth.books[banned]), fourth, fifth


def _books(count: int) -> str:
    return ngettext("%(count)s book", "%(count)s books", count) % {"count": number(count)}


def draw_worth(worth: Worth | None, signs: Signs) -> str:
    """The five lines and their sum, always in view; pressed, the whole reason of each."""
    if worth is None:
        return '<section id="worth" class="leaf ex-worth" hidden></section>'
    title = _("Your score, if it ended now")
    change = '<dd class="number change" data-change></dd>'
    lines = zip(LINES, in_brief(worth, signs), reasons(worth, signs), worth.lines, strict=True)
    brief, whole = [], []
    for name, short, why, points in lines:
        value = f'<dd class="number">{number(points)}</dd>'
        brief.append(f"<div><dt>{_(name)} <small><bdi>{plain(short)}</bdi></small></dt>{value}{change}</div>")
        cell = f'<td class="number">{number(points)}</td>'
        whole.append(f'<tr><th scope="row">{_(name)}<span>{plain(why)}</span></th>{cell}</tr>')
    total, earned = _("Sum"), number(worth.points)
    brief.append(f'<div class="ex-sum"><dt>{total}</dt><dd class="number">{earned}</dd>{change}</div>')
    more = _("Where these points come from")
    return (
        f'<section id="worth" class="leaf ex-worth" aria-label="{title}"><dl>{"".join(brief)}</dl>'
        f'<button type="button" class="ex-link" popovertarget="reasons" aria-label="{more}" title="{more}"></button>'
        f'<div id="reasons" class="menu leaf ex-reasons" popover role="dialog" aria-label="{title}"><b>{title}</b>'
        f'<table class="ex-lines"><tbody>{"".join(whole)}</tbody><tfoot><tr><th scope="row">{total}</th>'
        f'<td class="number">{earned}</td></tr></tfoot></table></div></section>'
    )


# Others


def mini(shelf: Shelf, signs: Signs) -> str:
    """The boards of a shelf small and complete."""
    return grid(shelf, signs, {}, {}, (), small=True)


def shelf_label(name: str) -> str:
    """What a shelf is called."""
    return _("The shelf of %(name)s") % {"name": name}
