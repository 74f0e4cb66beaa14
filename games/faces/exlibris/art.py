"""How Ex Libris looks: its categories, cards, books and assistants as small pictures."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext_lazy
from markupsafe import Markup

from games.engine.exlibris.cards import BOOKS, LABELS
from games.engine.exlibris.cards import CATEGORIES as LETTERS
from games.engine.exlibris.libraries import CODES
from games.faces.language import N_, _, digits, language
from games.faces.paint import PaintBox, plain, use

PICTURES = "exlibris/exlibris.svg"
CATEGORIES = (
    gettext_lazy("Corrupted Codices"),
    gettext_lazy("Fantastical Fiction"),
    gettext_lazy("Historic Volumes"),
    gettext_lazy("Monster Manuals"),
    gettext_lazy("Reference Texts"),
    gettext_lazy("Spells & Potions"),
)
"""By number, as in games.engine.exlibris.cards."""

Signs = tuple[int | None, int | None, int | None]
"""The prominent and the banned category, and the viewer's focus: what is marked on cards."""


def own(id: str, cls: str = "") -> Markup:
    """A picture of this game, hidden from screen readers."""
    return use(id, cls, PICTURES)


def book(category: int) -> str:
    """A category as a small square with its sign and name."""
    name = plain(str(CATEGORIES[category]))
    return (
        f'<span class="ex-book ex-chip" data-bk="{LETTERS[category]}" role="img" aria-label="{name}" title="{name}">'
        f"{own(f's-{LETTERS[category]}')}</span>"
    )


def chip(category: int) -> str:
    """The same beside its name."""
    letter = LETTERS[category]
    return f'<span class="ex-book ex-chip" data-bk="{letter}" aria-hidden="true">{own(f"s-{letter}")}</span>'


def card_name(card: int, signs: Signs = (None, None, None)) -> str:
    """`C5: Historic Volumes; Reference Texts, prominent`, as text."""
    return _name(card, signs, language())


@lru_cache(maxsize=20000)
def _name(card: int, signs: Signs, _language: str) -> str:
    prominent, banned, focus = signs
    said = []
    for category in sorted(BOOKS[card]):
        name = str(CATEGORIES[category])
        if category == prominent:
            name = _("%(books)s (prominent)") % {"books": name}
        elif category == banned:
            name = _("%(books)s (banned)") % {"books": name}
        if category == focus:
            name = _("%(books)s (your focus)") % {"books": name}
        said.append(name)
    return f"{digits(LABELS[card])}: {'; '.join(said)}"


def books(card: int, signs: Signs) -> str:
    """The spines of the books of a card, without words."""
    prominent, banned, focus = signs
    spines = "".join(
        [
            f'<i class="ex-book{" prom" if c == prominent else ""}{" ban" if c == banned else ""}'
            f'{" foc" if c == focus else ""}" data-bk="{LETTERS[c]}">{own(f"s-{LETTERS[c]}")}</i>'
            for c in sorted(BOOKS[card])
        ]
    )
    return f'<span class="ex-books">{spines}</span>'


def face_of_card(card: int, signs: Signs) -> str:
    """A card without words: its books, and its label on a plate."""
    label = LABELS[card]
    return f'{books(card, signs)}<span class="ex-label"><b>{label[0]}</b>{digits(label[1:])}</span>'


def picture(card: int, signs: Signs = (None, None, None), cls: str = "", more: str = "") -> str:
    """A card, named for screen readers; `more`: further attributes."""
    name = plain(card_name(card, signs))
    mark = f" {cls}" if cls else ""
    inside = face_of_card(card, signs)
    return f'<span class="ex-card{mark}" role="img" aria-label="{name}" title="{name}"{more}>{inside}</span>'


def bare(card: int, signs: Signs = (None, None, None), cls: str = "") -> str:
    """A card inside something that names it."""
    return f'<span class="ex-card{f" {cls}" if cls else ""}" aria-hidden="true">{face_of_card(card, signs)}</span>'


def back(cls: str = "", name: str = "") -> str:
    """A card face down; with no name, inside something that names it."""
    label = f'role="img" aria-label="{plain(name)}"' if name else 'aria-hidden="true"'
    return f'<span class="ex-card ex-back{f" {cls}" if cls else ""}" {label}>{own("back")}</span>'


def pawn(seat: int, library: int = -1, name: str = "", flight: str = "") -> str:
    """An assistant in the colour and with the mark of a seat: a standard one, or the special one of a library.

    `name`: what it is, for all who read; `flight`: how flights name it (static/js/motion.js).
    """
    figure = CODES[library] if library >= 0 else "std"
    inside = f"{own(f'pw-{figure}')}{own(f'mk-{seat + 1}')}"
    label = f'role="img" aria-label="{plain(name)}" title="{plain(name)}"' if name else 'aria-hidden="true"'
    flies = f' data-fly="{flight}"' if flight else ""
    return f'<span class="ex-pawn" data-owner="{seat + 1}"{flies} {label}>{inside}</span>'


def source_tag(letter: str) -> str:
    """The letter that says where an effect comes from, with its meaning."""
    meaning = plain(_(SOURCES_IN_WORDS[letter]))
    told = f'<span class="visually-hidden"> ({meaning})</span>'
    return f'<abbr class="tag ex-source" title="{meaning}">{letter}{told}</abbr>'


SOURCES_IN_WORDS = {
    "S": N_("Sourced: the effect is known; we settled details."),
    "I": N_("Inferred: known in a line or by its function; the rest is ours."),
    "R": N_("Reconstructed: the printed text is not available, so this effect is ours."),
}

box = PaintBox("exlibris", own=own, book=book, picture=picture, back=back, pawn=pawn, source=source_tag)
paint = box.paint
