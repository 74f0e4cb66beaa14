"""The face of Biblios: everything in this package that the rest of the site asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from games.engine.biblios.view import BibliosView
from games.faces.biblios import board, demo, guide, pages, reasons, review, stage
from games.faces.biblios.poster import poster, summary
from games.faces.biblios.terms import CHOICES, PRESETS, custom_tags, moot, progress
from games.faces.face import Face, Guided


class BibliosFace(Face[BibliosView]):
    """Biblios in pictures and words."""

    slug = "biblios"
    name = gettext_lazy("Biblios")
    motto = gettext_lazy("The card game of monks, books and auctions")
    pitch = gettext_lazy(
        "Give some cards away, hide some, sell the rest at auction, and move the dice, so that your books are worth "
        "the most. For 2 to 4 players, about 20 minutes. By Steve Finn."
    )
    description = gettext_lazy(
        "Biblios, a card game of monks, books and auctions for 2 to 4 players. "
        "Play free in your browser, with people or bots."
    )
    bot_names = MappingProxyType(
        {"Notker": "friar", "Odo": "abbot", "Beda": "prior", "Leoba": "nun", "Gisela": "queen", "Ivo": "novice"}
        | {"Anselm": "abbot", "Hroswith": "abbess", "Alcuin": "scholar", "Einhard": "knight", "Radegund": "queen"}
        | {"Walafrid": "friar", "Ende": "weaver", "Diemut": "nun", "Eadfrith": "novice", "Aldred": "prior"}
        | {"Guda": "weaver", "Herrad": "abbess", "Godescalc": "minstrel", "Claricia": "lady", "Florentius": "scholar"}
    )
    """Scribes and illuminators of the Middle Ages."""
    how_bots_play = MappingProxyType(
        {
            "greedy": gettext_lazy(
                "It does what brings it most points on average, one answer at a time. It never bluffs, and goes on "
                "bidding as long as a card is worth more than its price."
            ),
            "fair": gettext_lazy(
                "It has learned from games against itself what a situation is worth, but often misjudges it."
            ),
            "good": gettext_lazy(
                "It has learned from games against itself what a situation is worth, and misjudges it now and then."
            ),
            "strong": gettext_lazy(
                "It has learned from games against itself what a situation is worth, and gives the answer after "
                "which it expects most."
            ),
            "miser": gettext_lazy("It sees as well as the strong one, but would rather keep its gold."),
            "gambler": gettext_lazy(
                "It sees as well as the strong one, but can hardly let a card go that is for sale."
            ),
        }
    )
    bot_shares = MappingProxyType({"strong": {2: (0.730, 0.028), 3: (0.413, 0.039)}})
    guided = (
        Guided(
            3,
            gettext_lazy("Learn in five minutes"),
            gettext_lazy("A whole game against two bots, explained as it goes. You can stop and go on later."),
        ),
    )
    hand_places = 3
    too_late = gettext_lazy("Too much has been played: a game can be aborted only in the first half of the gifts.")
    bad_order = gettext_lazy("Enter a bid: a whole number, at least 1.")
    pools = MappingProxyType({"2": gettext_lazy("2 players"), "3-4": gettext_lazy("3 and 4 players")})
    presets = PRESETS
    choices = CHOICES
    progress_moves = ("take ",)
    picture_moves = ("dice ",)
    styles = ("biblios/pieces.css",)
    pattern_styles = ("biblios/patterns.css",)
    home_styles = ("biblios/home.css",)
    middle = ("canon", "stage", "hand")
    totals = True
    beside = MappingProxyType({"count": gettext_lazy("Count")})
    board_styles = (
        *("biblios/scriptorium.css", "biblios/hand.css", "biblios/table.css", "biblios/library.css"),
        *("biblios/block.css", "biblios/moves.css", "biblios/count.css", "biblios/result.css"),
        "biblios/sizes.css",
    )
    review_styles = ("biblios/review.css",)
    board_scripts = ("biblios/questions.js", "biblios/sounds.js", "biblios/penalty.js", "biblios/result.js")
    review_scripts = ("biblios/shuffle.js",)

    common = staticmethod(board.table)
    draw = staticmethod(board.draw)
    lessons = staticmethod(guide.GUIDE.lessons)
    chronicle = review.BibliosChronicle
    listed = staticmethod(review.listed)
    answer = staticmethod(review.answer)
    plain = staticmethod(review.plain)
    position = staticmethod(review.position)
    moot = staticmethod(moot)
    custom_tags = staticmethod(custom_tags)
    progress = staticmethod(progress)
    summary = staticmethod(summary)
    poster = staticmethod(poster)
    rules = staticmethod(pages.rules)
    gallery = staticmethod(pages.gallery)
    home = staticmethod(pages.plate)
    demo = staticmethod(demo.demo)
    question = staticmethod(stage.question)
    statistics = staticmethod(pages.statistics)
    gained = staticmethod(pages.gained)
    reason = staticmethod(reasons.sentence)

    def picture(self, options: Mapping[str, Any], moves: Iterable[str]) -> SafeString:
        """The five dice."""
        return render_to_string("board/biblios/picture.html", {"dice": pages.public_dice(options, moves)})
