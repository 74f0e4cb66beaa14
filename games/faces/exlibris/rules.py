"""The rules page of Ex Libris: its figures, every tile and assistant with all that it does and where that is from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy
from markupsafe import Markup

from games.engine.exlibris.cards import BOOKS, CARD, CARDS
from games.engine.exlibris.libraries import HOME_ACTION_SOURCE, LIBRARIES, Library
from games.engine.exlibris.options import CELLS
from games.engine.exlibris.scoring import score
from games.engine.exlibris.shelf import ORIGIN, STRIDE, Pile, Shelf
from games.engine.exlibris.tiles import AUCTION_HOUSE, RECONSTRUCTED, TILES, Tile
from games.faces.exlibris import words
from games.faces.exlibris.art import CATEGORIES, book, own, pawn, picture, source_tag
from games.faces.language import _, ngettext, number

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PROMINENT, BANNED, FOCUS = SIGNS = (0, 1, 2)
"""The categories of the figures: Codices, Fiction, Historic Volumes."""
FREE, GAP = "+", ""
GROWING = (("", "+", "+", "+", ""), ("+", "A2", "C5", "G1", "+"), ("+", "M4", "+", "T1", "+"), ("", "+", "", "+", ""))
"""A shelf of two rows and the cells where a card may go."""
EXAMPLE = (("A2", "C5", "P4"), ("G1", "M4", "L1"), ("T1", "", ""))
TURNED = ("P4", "L1")
"""The shelf of an example: its player turns one card down, and the check another one."""

TILE_DETAILS: dict[int, StrOrPromise] = {
    1: gettext_lazy("The marker counts from the next round on. Whoever holds it may come to keep it."),
    2: gettext_lazy("Without a hand card, or without a card here, nothing happens."),
    3: gettext_lazy(
        "A new bid is higher than all bids there. Whoever has too few hand cards is passed over. If nobody pays, the "
        "cards are discarded."
    ),
    4: gettext_lazy(
        "At five hits of your own, or when no card comes, you take the pot. If you are out, it stays for the next to "
        "gamble; what nobody took is discarded with the tile."
    ),
    5: gettext_lazy("If the pile is empty, draw 1 instead."),
    6: gettext_lazy("What nobody took goes back to your hand."),
    7: gettext_lazy("However many assistants a player has here."),
    10: gettext_lazy("Its owner places it again in this round. Of several on one tile the last to arrive goes."),
    11: gettext_lazy("Each opponent chooses which card."),
    12: gettext_lazy("Without the card here nothing happens."),
    13: gettext_lazy("In the order of arrival. The rest is discarded."),
    14: gettext_lazy("The other cards are discarded, each at once."),
    16: gettext_lazy(
        "You choose the places, the second after seeing the first, and may take a card that you did not look at."
    ),
    17: gettext_lazy("From the lowest place on."),
}
"""What the sentence on a tile leaves out."""
ASSISTANT_DETAILS: dict[str, StrOrPromise] = {
    "GOB": gettext_lazy("Which card is their choice, and all see it. You ask nobody who has no hand card."),
    "AUT": gettext_lazy("On a visit before the tile acts; at home before its own home action."),
    "MUM": gettext_lazy(
        "A cell holds two cards at most. Entombed cards have no books. If the upper card of a cell is discarded, the "
        "lower one stays, face down, as its only card, and is no longer entombed."
    ),
    "CUB": gettext_lazy(
        "The lost card is shown to all. Drawing and shelving are optional. Whoever has no hand card can only allow it."
    ),
    "SAS": gettext_lazy("Even if you had no assistant left."),
    "WRM": gettext_lazy("Each of them is optional."),
    "SNO": gettext_lazy("This holds for your own assistants too."),
    "IMP": gettext_lazy("Cards that lie face down are named by their place, and seen when they are discarded."),
    "GHO": gettext_lazy("Bids and the Snowman hold for it too."),
    "GOL": gettext_lazy("If you take nothing, you discard nothing."),
    "WIZ": gettext_lazy("The only card of a shelf cannot be moved."),
    "WIT": gettext_lazy("By one instruction: “draw 3” is 4. Not if no card came."),
}
"""What the sentence on an assistant leaves out."""
SOURCES: dict[str, StrOrPromise] = {
    "S": gettext_lazy("sourced"),
    "I": gettext_lazy("inferred"),
    "R": gettext_lazy("reconstructed"),
}


def context() -> dict[str, Any]:
    """What `rules.html` shows."""
    result = score([example_shelf(), ()], PROMINENT, BANNED, [FOCUS, FOCUS])[0]
    return {
        "categories": [(Markup(book(number)), name) for number, name in enumerate(CATEGORIES)],
        "cards": [Markup(picture(CARD[label], SIGNS)) for label in ("A2", "C5", "G1", "M4", "P4")],
        "card": Markup(picture(CARD["C5"], (4, 2, 5))),
        "deck": {"cards": CARDS, "books": sum(map(len, BOOKS)), "each": sum(0 in books for books in BOOKS)},
        "signs": [Markup(book(category)) for category in SIGNS],
        "growing": _figure(GROWING),
        "example": _figure(EXAMPLE),
        "lines": [
            (_(name), number(points), why)
            for name, points, why in zip(words.LINES, result.lines, reasons(result.books), strict=True)
        ],
        "points": number(result.points),
        "tiles": [_tile(tile) for tile in TILES.values()],
        "assistants": [_assistant(number, library) for number, library in enumerate(LIBRARIES)],
        "limits": [(seats, cells, CELLS["long"][seats]) for seats, cells in CELLS["normal"].items()],
        "ours": _ours(),
        "home_source": mark_safe(source_tag(HOME_ACTION_SOURCE)),
        "tiles_reconstructed": sum(tile.source == RECONSTRUCTED for tile in TILES.values()),
        "assistants_reconstructed": sum(library.source == RECONSTRUCTED for library in LIBRARIES),
    }


def _ours() -> str:
    """The mark of what the rules leave open."""
    title, name = _("The rules leave it open: this is ours."), _("ours")
    return mark_safe(f'<abbr class="tag ex-source" title="{title}">{name}</abbr>')


def reasons(books: Sequence[int]) -> list[str]:
    """The reasons of the lines of the example."""
    return [
        _("two full rows of three cells; cards face down fill theirs"),
        _("%(books)s books; the other player has none") % {"books": books[PROMINENT]},
        _("%(books)s books, 1 point off for each") % {"books": books[BANNED]},
        _("the scarcest category has %(books)s")
        % {"books": min(n for category, n in enumerate(books) if category != BANNED)},
        _("%(books)s books, 2 points each") % {"books": books[FOCUS]},
    ]


def example_shelf() -> Shelf:
    """The shelf of the example as it lies after the check."""
    return tuple(
        [
            Pile(ORIGIN + STRIDE * row + column, CARD[label], -1, label not in TURNED)
            for row, labels in enumerate(EXAMPLE)
            for column, label in enumerate(labels)
            if label != GAP
        ]
    )


def _pile(label: str) -> Markup:
    return Markup(picture(CARD[label], SIGNS, "down" if label in TURNED else ""))


def _figure(rows: Sequence[Sequence[str]]) -> list[list[Markup]]:
    """Rows of cards, free cells and gaps."""
    free, gap = Markup('<span class="ex-cell free"></span>'), Markup('<span class="ex-cell"></span>')
    return [[free if label == FREE else gap if label == GAP else _pile(label) for label in row] for row in rows]


def _tile(tile: Tile) -> dict[str, Any]:
    two, more, most = tile.spaces
    three, four = two + more, two + more + most
    if tile.number == AUCTION_HOUSE:
        spaces = _("bids 1 to 4")
    elif two == four:
        spaces = ngettext("%(spaces)s space", "%(spaces)s spaces", two) % {"spaces": two}
    else:
        spaces = _("%(two)s, %(three)s, %(four)s spaces with 2, 3, 4 players") % {
            "two": two,
            "three": three,
            "four": four,
        }
    facts = [_("instant") if tile.instant else _("delayed"), spaces]
    if tile.cards:
        text = (
            ngettext("%(cards)s card face down", "%(cards)s cards face down", tile.cards)
            if tile.face_down
            else ngettext("%(cards)s card face up", "%(cards)s cards face up", tile.cards)
        )
        facts.append(text % {"cards": tile.cards})
    if not tile.basic:
        facts.append(_("not for beginners"))
    if not tile.peaceful:
        facts.append(_("takes from others"))
    if tile.solo:
        facts.append(_("also alone"))
    return {
        "number": tile.number,
        "name": words.TILE_NAMES[tile.number],
        "effect": words.TILE_EFFECTS[tile.number],
        "more": TILE_DETAILS.get(tile.number, ""),
        "instant": tile.instant,
        "mark": own("s-bolt" if tile.instant else "s-clk"),
        "facts": facts,
        "source": mark_safe(source_tag(tile.source)),
        "kind": SOURCES[tile.source],
        "picture": own(f"h-{tile.number}", "ex-art"),
    }


def _assistant(number: int, library: Library) -> dict[str, Any]:
    facts = []
    if not library.peaceful:
        facts.append(_("takes from others"))
    if library.solo:
        facts.append(_("also alone"))
    return {
        "name": words.ASSISTANTS[library.code],
        "library": words.library_name(number),
        "library_source": mark_safe(source_tag(library.name_source)),
        "ability": words.ABILITIES[library.code],
        "more": ASSISTANT_DETAILS[library.code],
        "facts": facts,
        "source": mark_safe(source_tag(library.source)),
        "kind": SOURCES[library.source],
        "picture": mark_safe(pawn(0, number)),
    }
