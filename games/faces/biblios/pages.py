"""Biblios on the pages beside the table: its dice from afar, the figures of the rules and home pages, statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from accounts.text.numbers import percent
from games.engine.biblios.cards import KIND, KINDS, TEXTS
from games.engine.biblios.options import REMOVED_AT_RANDOM, REMOVED_OF_EACH_GOLD, Setup
from games.faces.biblios import terms
from games.faces.biblios.art import (
    BACK,
    CATEGORIES,
    CHURCH,
    card_label,
    card_name,
    categories,
    die_face,
    picture,
    symbol,
)
from games.faces.biblios.illuminations import ILLUMINATIONS
from games.faces.language import _, ngettext, number


def public_dice(options: Mapping[str, Any], moves: Iterable[str]) -> list[Markup]:
    """The five dice after the moves of a log such as `dice M+`."""
    values = dict.fromkeys(CATEGORIES, options["start_die"])
    for move in moves:
        what, _space, change = move.partition(" ")
        if what == "dice" and change != "none":
            values[change[0]] += 1 if change[1] == "+" else -1
    return [die_face(f"{category}{value}") for category, value in values.items()]


def arcade(*codes: str) -> list[tuple[str, Markup, Markup]]:
    """The letter of each of some dice, the sign of its category, and the die."""
    return [(code[0], symbol(code[0]), die_face(code)) for code in codes]


def rules() -> dict[str, Any]:
    """The context of the rules page: figures, and numbers for each number of players."""
    game = terms.GAME
    return {
        "dice": arcade(*[f"{category}3" for category in CATEGORIES]),
        "cards": {code: picture(code) for code in ("S1D", "P3E", "G1", "G2", "G3", "F2I", BACK)},
        "lost": [picture(code) for code in ("M2C", "M3F", "M4H")],
        "won": [picture(code) for code in ("M2B", "M3E", "M4I")],
        "church": [picture(code) for code in CHURCH if code != "C±"],
        "tables": [
            {
                "players": seats,
                "cards": seats + 1,
                "turns": Setup.of(seats, game.options()).turns,
                "gold": 3 * REMOVED_OF_EACH_GOLD[seats],
                "random": REMOVED_AT_RANDOM[seats],
            }
            for seats in game.seats
        ],
    }


class GalleryCard(NamedTuple):
    """A card of the gallery."""

    picture: Markup
    name: str
    copies: int


class GalleryRow(NamedTuple):
    """The cards of a category, of gold or of the Church."""

    letter: str
    symbol: Markup
    name: str
    cards: list[GalleryCard]


def gallery() -> dict[str, Any]:
    """The context of the page with all cards: the categories by letter, gold and the Church."""
    rows = []
    for letter, name in categories().items():
        codes = [code for code in TEXTS if code[0] == letter]
        cards = [GalleryCard(picture(code), _caption(code), KIND.count(KINDS[code])) for code in codes]
        rows.append(GalleryRow(letter, symbol(letter), name, cards))
    return {"rows": rows}


def _caption(code: str) -> str:
    if code in ILLUMINATIONS:
        return str(ILLUMINATIONS[code])
    return card_label(code) if code in CHURCH else card_name(code)


def plate() -> dict[str, Any]:
    """The picture on the home page: five dice under their arcade, five cards before it."""
    return {
        "dice": arcade("M4", "P2", "H3", "S5", "F4"),
        "cards": [picture(code) for code in ("M2B", "P3F", "H1A", "S1C", "F1D")],
    }


def statistics(won: Mapping[str, int], feats: Mapping[str, int], games: int) -> dict[str, Any]:
    """The share of games in which each category was won (`won` counts by the letter of the die), and what was done at
    the auctions (`feats`): a name, a number, and a share in words."""
    done = {code: feats.get(code, 0) for code in ("bids", "lots", "spent", "over", "penalties", "bluffs", "held")}
    return {
        "shares": [
            (code, name, symbol(code), round(100 * (won.get(code, 0) / games))) for code, name in CATEGORIES.items()
        ],
        "feats": [
            (
                _("Cards won at auction"),
                done["lots"],
                _share(_("%(share)s of those bid on"), done["lots"], done["bids"]),
            ),
            (_("Gold spent"), done["spent"], ""),
            (_("Gold overpaid"), done["over"], _share(_("%(share)s of the gold spent"), done["over"], done["spent"])),
            (_("Penalties"), done["penalties"], ""),
            (_("Bluffs"), done["bluffs"], _share(_("%(share)s held"), done["held"], done["bluffs"])),
        ],
    }


def gained(points: int, won: str) -> str:
    """The points, and the number of dice that were won."""
    said = {
        "points": ngettext("%(points)s point", "%(points)s points", points) % {"points": number(points)},
        "dice": ngettext("%(dice)s die", "%(dice)s dice", len(won)) % {"dice": number(len(won))},
    }
    return _("%(points)s, %(dice)s") % said


def _share(text: str, part: int, whole: int) -> str:
    return text % {"share": percent(100 * part / whole)} if whole else ""
