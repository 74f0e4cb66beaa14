"""The face of Ex Libris: everything in this package that the rest of the site asks for."""

from __future__ import annotations

from types import MappingProxyType

from django.utils.translation import gettext_lazy

from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris import board, guide, pages, reasons, refusal, review, rules, stage
from games.faces.exlibris.poster import poster
from games.faces.exlibris.result import summary
from games.faces.exlibris.terms import CHOICES, PRESETS, moot, progress
from games.faces.face import Face, Guided


class ExLibrisFace(Face[ExLibrisView]):
    """Ex Libris in pictures and words."""

    slug = "exlibris"
    name = gettext_lazy("Ex Libris")
    motto = gettext_lazy("The game of librarians, shelves and books in order")
    pitch = gettext_lazy(
        "Send your assistants through the town, gather books, and shelve them so that they are in order when the shelf "
        "is read. For 1 to 4 players, about 45 minutes. By Adam P. McIver."
    )
    description = gettext_lazy(
        "Ex Libris, a game of librarians and their shelves for 1 to 4 players. Play free in your browser, alone, with "
        "people or with bots."
    )
    alone = gettext_lazy(
        "Five rounds against the public library. The difficulty is the number of cards that it gets in each round: 1 "
        "to 3 are for learning, and at 4 you need to know more than our bot."
    )
    usual_level = 4
    bot_names = MappingProxyType(
        {"Callimachus": "scholar", "Zenodotus": "prior", "Hypatia": "queen", "Panizzi": "minstrel", "Naudé": "abbot"}
        | {"Dewey": "knight", "Ranganathan": "novice", "Borges": "prior", "Belle": "lady", "Otlet": "friar"}
        | {"Casanova": "minstrel", "Leibniz": "scholar", "Bodley": "knight", "Cotton": "abbot", "Putnam": "friar"}
        | {"Nettie": "nun", "Eratosthenes": "prior"}
    )
    """Librarians of all times."""
    bot_shares = MappingProxyType({"strong": {2: (0.650, 0.065)}})
    how_bots_play = MappingProxyType(
        {
            "librarian": gettext_lazy(
                "It keeps its shelf in order, and sends its assistants where that brings most, one answer at a time."
            ),
            "fair": gettext_lazy(
                "It tries each answer on cards that may be so, plays on in its mind, and often misjudges the end."
            ),
            "good": gettext_lazy(
                "It tries each answer on cards that may be so, plays on in its mind, and misjudges the end "
                "now and then."
            ),
            "strong": gettext_lazy(
                "It tries the best answers on several deals of the cards that it does not see, plays on in its mind, "
                "and gives the one after which it expects most."
            ),
        }
    )
    guided = (
        Guided(
            1,
            gettext_lazy("Learn in ten minutes"),
            gettext_lazy("A whole game alone, of some 80 decisions: 8 to 13 minutes. You can stop and go on later."),
        ),
        Guided(
            2,
            gettext_lazy("Second lesson: an opponent"),
            gettext_lazy(
                "A whole game against one bot, for whoever knows the first: bids, the tavern, what others do to you. "
                "About 90 decisions, 10 to 15 minutes."
            ),
        ),
    )
    too_late = gettext_lazy("Too much has been played: a game can be cancelled only in its first round.")
    bad_order = gettext_lazy("Choose different cards of your hand, as many as your bid.")
    pools = MappingProxyType({"2": gettext_lazy("2 players"), "3-4": gettext_lazy("3 and 4 players")})
    presets = PRESETS
    choices = CHOICES
    progress_moves = ("shelve ",)
    picture_moves = ("shelve ",)
    styles = ("exlibris/pieces.css",)
    pattern_styles = ("exlibris/patterns.css",)
    home_styles = ("exlibris/cards.css", "exlibris/home.css")
    head = ("facts",)
    middle = ("town", "low", "stage", "mine", "hand", "caption")
    beside = MappingProxyType({"people": gettext_lazy("Others")})
    chat_first = False
    board_styles = (
        *("exlibris/cards.css", "exlibris/shelf.css", "exlibris/table.css", "exlibris/town.css"),
        *("exlibris/questions.css", "exlibris/walk.css"),
    )
    review_styles = ("exlibris/review.css",)
    board_scripts = (
        *("exlibris/questions.js", "exlibris/books.js", "exlibris/town.js", "exlibris/sounds.js"),
        "exlibris/walk.js",
    )
    review_scripts = ("exlibris/shuffle.js",)

    common = staticmethod(board.table)
    draw = staticmethod(board.draw)
    lessons = staticmethod(guide.GUIDE.lessons)
    chronicle = review.ExLibrisChronicle
    listed = staticmethod(review.listed)
    answer = staticmethod(review.answer)
    plain = staticmethod(review.plain)
    position = staticmethod(review.position)
    moot = staticmethod(moot)
    progress = staticmethod(progress)
    question = staticmethod(stage.question)
    refusal = staticmethod(refusal.refusal)
    reason = staticmethod(reasons.say)
    picture = staticmethod(pages.far)
    summary = staticmethod(summary)
    poster = staticmethod(poster)
    rules = staticmethod(rules.context)
    home = staticmethod(pages.home)
    statistics = staticmethod(pages.statistics)
