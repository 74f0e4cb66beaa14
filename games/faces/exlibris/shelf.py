"""Shelves: one's own with the cells where a card may lie, small ones of others, and what a shelf is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.engine.exlibris import frames
from games.engine.exlibris.actions import tombs
from games.engine.exlibris.cards import BOOKS, LABELS, NONE, books_in, mask_of
from games.engine.exlibris.cards import CATEGORIES as LETTERS
from games.engine.exlibris.libraries import MUM
from games.engine.exlibris.notation import AT, MOVE_TEXTS
from games.engine.exlibris.rows import advised, with_card
from games.engine.exlibris.shelf import (
    STRIDE,
    Pile,
    Shelf,
    cells_in,
    entombed,
    face_up,
    filled,
    free_cells,
    index_of,
    moved,
    place_of,
    turned_down,
)
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.art import Signs, card_name, face_of_card, own, pawn
from games.faces.exlibris.asking import Ask, cell_named
from games.faces.exlibris.words import LINES, category_name
from games.faces.language import N_, _, digits, ngettext, number
from games.faces.paint import icon, plain
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
    return turned_down(shelf, [pile.card for pile in shelf if turned >> pile.card & 1])


# The own shelf


def own_shelf(view: ExLibrisView, asks: Ask | None, worth: Worth | None) -> Slots:
    """The slots of the viewer's own shelf and its worth."""
    me = view.me
    assert me is not None
    shelf, signs = view.shelves[me], (view.prominent, view.banned, view.focus[me])
    cells: tuple[tuple[str, int, int, int], ...] = ()
    free: Cells = ()
    acts: tuple[tuple[str, int], ...] = ()
    if asks:
        acts = asks.shelf
        if asks.cells:
            cells = _weighed(view, asks, worth)
        elif asks.kind == "shelve":
            free = _free(view, asks)
    facts = view.libraries[me], view.ready[me], view.special[me], me
    values: tuple[Any, ...] = ()
    if worth:
        values = worth.lines, worth.down, worth.rivals, view.setup.solo
    return {
        "low": (draw_low,),
        "shelf": (draw_own, shelf, signs, cells, free, acts, facts, values),
        "worth": (draw_worth, worth, signs),
    }


def _free(view: ExLibrisView, asks: Ask) -> Cells:
    """Where any card may be shelved next; the Mummy may also entomb it."""
    me = view.me
    assert me is not None
    shelf = view.shelves[me]
    moves = [AT + index_of(cell) for cell in cells_in(free_cells(filled(shelf)))]
    if view.stack[-1][1] & 1 and view.libraries[me] == MUM:
        moves += tombs(shelf)
    return tuple([(MOVE_TEXTS[move], cell_named(MOVE_TEXTS[move])) for move in moves])


def _weighed(view: ExLibrisView, asks: Ask, worth: Worth | None) -> tuple[tuple[str, int, int, int], ...]:
    """Each cell with how many more cards would lie face down, and the score that follows."""
    me = view.me
    assert me is not None
    shelf, found = view.shelves[me], []
    for move, cell in asks.cells:
        more, points = 0, 0
        if worth and move.startswith("at "):
            new = (
                moved(shelf, asks.card, cell)
                if asks.question == frames.CHOOSE_NEW_CELL
                else with_card(shelf, asks.card, cell)
            )
            then = worth_of_seat(view, me, new)
            assert then
            more, points = max(0, len(then.down) - len(worth.down)), then.points
        found.append((move, cell, more, points))
    return tuple(found)


def draw_low() -> str:
    return f'<div id="low" class="ex-low">{placeholder("shelf")}{placeholder("worth")}</div>'


def draw_own(
    shelf: Shelf,
    signs: Signs,
    cells: Sequence[tuple[str, int, int, int]],
    free: Cells,
    acts: Sequence[tuple[str, int]],
    facts: tuple[int, ...],
    values: tuple[Any, ...],
) -> str:
    library, ready, special, me = facts
    down = values[1] if values else ()
    ghosts = {cell: _ghost(move, more, points) for move, cell, more, points in cells if move.startswith("at")}
    ghosts |= {cell: _empty(move) for move, cell in free if move.startswith("at")}
    over: dict[int, list[str]] = {}
    for move, cell in (*free, *[(move, cell) for move, cell, _more, _points in cells]):
        if not move.startswith("at"):
            over.setdefault(cell, []).append(_entomb(move, bool(cells)))
    buttons: dict[int, list[str]] = {}
    for move, card in acts:
        buttons.setdefault(card, []).append(_act(move, card))
    rows = grid(shelf, signs, ghosts, over, buttons, down)
    data = ""
    if values:
        lines, _down, rivals, solo = values
        prominent, banned, focus = [LETTERS[sign] if sign is not None else "" for sign in signs]
        data = (
            f' data-prom="{prominent}" data-ban="{banned}" data-foc="{focus}" data-solo="{int(bool(solo))}"'
            f' data-rivals="{" ".join(map(str, rivals))}" data-lines="{" ".join(map(str, lines))}"'
        )
    one = ' data-one="1"' if len(free) == 1 else ""
    title = _("Your shelf")
    pawns = pawn(me) * ready + (pawn(me, library) if library >= 0 and special == -1 else "")
    left = ngettext("%(count)s assistant left", "%(count)s assistants left", ready + (special == -1)) % {
        "count": ready + (special == -1)
    }
    note = ""
    if down:
        cards = digits(", ".join([LABELS[card] for card in down]))
        says = _("Would be turned down now: %(cards)s") % {"cards": cards}
        note = f'<p class="ex-note"><i class="ex-mark">{own("s-turn")}</i>{says}</p>'
    empty = _("Nothing shelved yet.")
    empty = "" if rows else f'<p class="muted small">{empty}</p>'
    size = f'data-columns="{min(16, max(5, width_of(shelf, [*ghosts])))}" data-rows="{height_of(shelf, [*ghosts])}"'
    return (
        f'<section id="shelf" class="leaf ex-own" aria-label="{title}"{data}{one}><header class="ex-heading">'
        f"<h2>{title}</h2>"
        f'<span class="ex-left" title="{left}">{pawns}<span class="visually-hidden">{left}</span></span>'
        f'{note}</header><div class="ex-scroll" tabindex="0"><div class="ex-shelf" {size} '
        f"data-shelf>{rows}{empty}</div>"
        f"</div></section>"
    )


def width_of(shelf: Shelf, more: Sequence[int] = ()) -> int:
    """The number of columns from the first to the last of these cells."""
    columns = [place_of(cell)[1] for cell in (*[pile.cell for pile in shelf], *more)]
    return max(columns) - min(columns) + 1 if columns else 0


def height_of(shelf: Shelf, more: Sequence[int] = ()) -> int:
    """The number of rows from the first to the last of these cells, at least 3."""
    rows = [place_of(cell)[0] for cell in (*[pile.cell for pile in shelf], *more)]
    return max(3, max(rows) - min(rows) + 1) if rows else 3


def grid(
    shelf: Shelf,
    signs: Signs,
    ghosts: Mapping[int, str],
    over: Mapping[int, Sequence[str]],
    acts: Mapping[int, Sequence[str]],
    marked: Sequence[int] = (),
    small: bool = False,
) -> str:
    """The rows of a shelf, from the first to the last cell in use; never mirrored."""
    piles = {pile.cell: pile for pile in shelf}
    places = [place_of(cell) for cell in (*piles, *ghosts)]
    if not places:
        return ""
    rows, columns = [row for row, _column in places], [column for _row, column in places]
    found = []
    for row in range(min(rows), max(rows) + 1):
        inside = []
        for column in range(min(columns), max(columns) + 1):
            cell = (row + 2) * STRIDE + column + 31
            if cell in piles:
                pile = piles[cell]
                inside.append(_pile(pile, signs, marked, over.get(cell, ()), acts.get(pile.card, ()), small))
            else:
                inside.append(ghosts.get(cell, '<span class="ex-empty"></span>'))
        found.append(f'<span class="ex-row">{"".join(inside)}</span>')
    return "".join(found)


def _pile(
    pile: Pile, signs: Signs, marked: Sequence[int], over: Sequence[str], acts: Sequence[str], small: bool
) -> str:
    label = LABELS[pile.card]
    cls = ["" if pile.up else "down", "tomb" if pile.under != NONE else "", "ooo" if pile.card in marked else ""]
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
    inside = f"{face_of_card(pile.card, signs)}{mark}"
    classes = " ".join(["ex-card", *filter(None, cls)])
    shown = f'<span class="{classes}" role="img" aria-label="{plain(name)}" title="{plain(name)}"{more}>{inside}</span>'
    if not over and not acts:
        return shown
    return f'<span class="ex-cell">{shown}<span class="ex-acts">{"".join([*over, *acts])}</span></span>'


def _where(move: str) -> str:
    row, column = map(int, move.partition(" ")[2].split(","))
    return _("row %(row)s, column %(column)s") % {"row": row, "column": column}


def _ghost(move: str, more: int, points: int) -> str:
    """A cell that answers at once."""
    if more:
        what = ngettext("%(count)s more card would lie face down", "%(count)s more cards would lie face down", more)
        what, sign = what % {"count": more}, f"{icon('alert')}{number(more)}"
    else:
        what, sign = _("in order"), str(icon("check"))
    score = _("your score: %(points)s") % {"points": number(points)}
    label = f"{_where(move)}: {what}; {score}"
    return (
        f'<button type="submit" name="move" value="{move}" form="answer" class="ex-ghost {"warn" if more else "ok"}"'
        f' aria-label="{label}" title="{label}"><i>{sign}</i><b class="number">{number(points)}</b></button>'
    )


def _empty(move: str) -> str:
    """A cell for the card that one has chosen; what it does there the page computes."""
    label = _where(move)
    return (
        f'<button type="button" class="ex-ghost" data-cell="{move}" aria-label="{label}" aria-pressed="false"><i></i>'
        f'<b class="number"></b></button>'
    )


def _entomb(move: str, answers: bool) -> str:
    text = _("over") if move.startswith("over") else _("under")
    label = f"{text}: {_where(move)}"
    if answers:
        answer = f'type="submit" name="move" value="{move}" form="answer"'
        return f'<button {answer} class="ex-act" title="{label}">{text}</button>'
    return (
        f'<button type="button" data-cell="{move}" class="ex-act" title="{label}" aria-pressed="false">{text}</button>'
    )


ACTS = {"move": N_("Move"), "discard": N_("Discard")}


def _act(move: str, card: int) -> str:
    text = _(ACTS[move.partition(" ")[0]])
    label = f"{text} {digits(LABELS[card])}"
    answer = f'type="submit" name="move" value="{move}" form="answer"'
    return f'<button {answer} class="ex-act" aria-label="{label}">{text}</button>'


# What it is worth


def reasons(worth: Worth, signs: Signs) -> tuple[str, ...]:
    """The five lines of a score, each with its reason in a few words."""
    prominent, banned, focus = signs
    assert prominent is not None and banned is not None
    block = worth.lines[0] - 2 * worth.tombs
    first = ngettext("a full block of %(count)s cell", "a full block of %(count)s cells", block) % {"count": block}
    if not block:
        first = _("no full block of two rows yet")
    if worth.tombs:
        entombed = ngettext("%(count)s entombed card", "%(count)s entombed cards", worth.tombs) % {"count": worth.tombs}
        first = _("%(block)s; %(entombed)s") % {"block": first, "entombed": entombed}
    best = max(worth.rivals, default=0)
    second = (
        _("%(books)s: %(count)s; the public library’s: %(best)s")
        if worth.solo
        else _("%(books)s: %(count)s; the others’ most: %(best)s")
    ) % {
        "books": category_name(prominent),
        "count": worth.books[prominent],
        "best": best,
    }
    third = _("%(books)s: %(count)s") % {"books": category_name(banned), "count": worth.books[banned]}
    least = min(number for category, number in enumerate(worth.books) if category != banned)
    fewest = [category_name(c) for c, number in enumerate(worth.books) if c != banned and number == least]
    fourth = _("%(count)s each of the fewest: %(books)s") % {"count": least, "books": ", ".join(fewest[:3])}
    fifth = (
        _("secret")
        if focus is None
        else _("%(books)s: %(count)s") % {"books": category_name(focus), "count": worth.books[focus]}
    )
    return first, second, third, fourth, fifth


def draw_worth(worth: Worth | None, signs: Signs) -> str:
    if worth is None:
        return '<section id="worth" class="leaf ex-worth" hidden></section>'
    title = _("Your score, if it ended now")
    rows = "".join(
        [
            f'<tr><th scope="row">{_(name)}<span>{plain(why)}</span></th><td class="number">{number(points)}</td>'
            f'<td class="number change" data-change></td></tr>'
            for name, why, points in zip(LINES, reasons(worth, signs), worth.lines, strict=True)
        ]
    )
    total = _("Sum")
    return (
        f'<section id="worth" class="leaf ex-worth" tabindex="0" aria-label="{title}">'
        f'<h2 class="ex-heading">{title}</h2>'
        f'<table class="ex-lines"><tbody>{rows}</tbody><tfoot><tr><th scope="row">{total}</th>'
        f'<td class="number">{number(worth.points)}</td><td class="number change" data-change></td></tr></tfoot>'
        f"</table>"
        f"</section>"
    )


# Others


def mini(shelf: Shelf, signs: Signs) -> str:
    """A shelf small and complete."""
    if not shelf:
        empty = _("Nothing shelved yet.")
        return f'<span class="muted tiny">{empty}</span>'
    return grid(shelf, signs, {}, {}, {}, small=True)


def shelf_label(name: str) -> str:
    """What a shelf is called."""
    return _("The shelf of %(name)s") % {"name": name}
