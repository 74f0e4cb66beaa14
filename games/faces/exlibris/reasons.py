"""Why one answer is worth more than another, in a sentence (see `games.engine.exlibris.reasons`)."""

from __future__ import annotations

from collections.abc import Callable

from games.engine.core import Reason
from games.engine.exlibris.scoring import LINES
from games.faces.exlibris.words import category_name, tile_name
from games.faces.language import N_, _, digits, number


def say(reason: Reason) -> str:
    """The sentence of a reason, as text."""
    names = FACTS.get(reason.code, ())
    facts = {name: TELL[name](fact) for name, fact in zip(names, reason.facts, strict=True)}
    return _(SENTENCES[reason.code]) % facts


TELL: dict[str, Callable[[int | str], str]] = {
    "books": lambda category: category_name(int(category)),
    "tile": lambda tile: tile_name(int(tile)) if tile else _("own library"),
    "card": lambda label: digits(str(label)),
    "other": lambda label: digits(str(label)),
    "points": lambda points: number(int(points)),
    "bid": lambda bid: number(int(bid)),
}
"""What a fact is, by its name in a sentence."""
FACTS = {
    **dict.fromkeys(("banned", "prominent", "lead", "focus", "hand focus"), ("books",)),
    **dict.fromkeys(("send special", "spare special"), ("tile",)),
    **dict.fromkeys(("keep", "take"), ("card", "other")),
    **dict.fromkeys(("stability", "variety"), ("points",)),
    **dict.fromkeys((f"end {line}" for line in LINES), ("points",)),
    "bid": ("bid",),
}
"""By code the names of its facts, in their order."""
SENTENCES = {
    "bid": N_("A bid of %(bid)s costs fewer cards."),
    "send special": N_("At this place (%(tile)s) your special assistant brings more than another one."),
    "spare special": N_("Another assistant does as well at this place (%(tile)s). Keep the special one for later."),
    "keep": N_("Give up %(card)s rather than %(other)s: its books are worth less to you."),
    "take": N_("The books of %(card)s are worth more to you than those of %(other)s."),
    "stability": N_("It makes the full rows of your shelf larger. Points for stability: about %(points)s more."),
    "variety": N_("It adds to your scarcest category. Points for variety: about %(points)s more."),
    "close": N_("The cards of your shelf lie closer together, which helps towards full rows."),
    "order": N_("Fewer cards of your shelf are out of order."),
    "room": N_("It leaves more room on your shelf for the cards to come, in their order."),
    "open": N_("More of the alphabet could be shelved in order next."),
    "scarce": N_("It strengthens the categories of which you have few books, and so your variety."),
    "banned": N_("It puts fewer books of the banned category, %(books)s, on your shelf."),
    "prominent": N_("As things stand, it brings you more points for the prominent category, %(books)s."),
    "lead": N_("It puts you in a better place for the prominent category, %(books)s."),
    "focus": N_("It brings more books of your focus, %(books)s."),
    "books": N_("More books count on your shelf."),
    "cells": N_("More cards come to your shelf."),
    "tombs": N_("It entombs a card, which is worth points at the end."),
    "hand": N_("It leaves you more cards in hand."),
    "fits": N_("It leaves you cards in hand that are worth more in the free cells of your shelf."),
    "hand focus": N_("It keeps more books of your focus, %(books)s, in your hand."),
    "special": N_("It keeps your special assistant for another visit in this round."),
    "time": N_("It leaves you more visits before the end of the game."),
    "rivals": N_("Your rivals can expect less after it."),
    "public": N_("The public library gets less out of it."),
    "end stability": N_("The game ends with a better score. Points for stability: %(points)s more."),
    "end prominent": N_("The game ends with a better score. Points for the prominent category: %(points)s more."),
    "end banned": N_("The game ends with a better score. Points lost for the banned category: %(points)s fewer."),
    "end variety": N_("The game ends with a better score. Points for variety: %(points)s more."),
    "end focus": N_("The game ends with a better score. Points for your focus: %(points)s more."),
    "all": N_("No single thing decides: all in all it promises more."),
}
"""By code its sentence."""
