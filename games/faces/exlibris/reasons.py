"""Why one answer is worth more than another, in a sentence (see `games.engine.exlibris.reasons`).

They speak of the position as it stands: in a hint to whoever is asked, and after the game to everybody.
"""

from __future__ import annotations

from collections.abc import Callable

from games.engine.core import Reason
from games.engine.exlibris.scoring import LINES
from games.faces.exlibris.words import category_name, tile_name
from games.faces.language import N_, _, digits, number


def say(reason: Reason) -> str:
    """The sentence of a reason, as text; empty for one that there is no more."""
    names = FACTS.get(reason.code, ())
    if reason.code not in SENTENCES or len(names) != len(reason.facts):
        return ""
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
    "send special": N_("At this place (%(tile)s) the special assistant brings more than another one."),
    "spare special": N_("At this place (%(tile)s) another assistant does as well: the special one is kept for later."),
    "keep": N_("The books of %(card)s are worth less on this shelf than those of %(other)s: better give it away."),
    "take": N_("The books of %(card)s are worth more on this shelf than those of %(other)s."),
    "stability": N_("It makes the full rows of the shelf larger. Points for stability: about %(points)s more."),
    "variety": N_("It adds to the scarcest category. Points for variety: about %(points)s more."),
    "close": N_("The cards of the shelf lie closer together, which helps towards full rows."),
    "order": N_("Fewer cards of the shelf are out of order."),
    "room": N_("It leaves more room on the shelf for the cards to come, in their order."),
    "open": N_("More of the alphabet can be shelved in order next."),
    "scarce": N_("It strengthens the categories of which the shelf has few books, and so variety."),
    "banned": N_("It puts fewer books of the banned category, %(books)s, on the shelf."),
    "prominent": N_("As things stand, it brings more points for the prominent category, %(books)s."),
    "lead": N_("It does more for the prominent category, %(books)s."),
    "focus": N_("It brings more books of the focus, %(books)s."),
    "books": N_("More books count on the shelf."),
    "cells": N_("More cards come to the shelf."),
    "tombs": N_("It entombs a card, which is worth points at the end."),
    "hand": N_("It leaves more cards in hand."),
    "fits": N_("It leaves cards in hand that are worth more in the free cells of the shelf."),
    "hand focus": N_("It keeps more books of the focus, %(books)s, in hand."),
    "special": N_("It keeps the special assistant for another visit in this round."),
    "time": N_("It leaves more visits before the end of the game."),
    "rivals": N_("The rivals can expect less after it."),
    "public": N_("The public library gets less out of it."),
    "end stability": N_("It scores better at the end. Points for stability: about %(points)s more."),
    "end prominent": N_("It scores better at the end. Points for the prominent category: about %(points)s more."),
    "end banned": N_("It scores better at the end. Points lost for the banned category: about %(points)s fewer."),
    "end variety": N_("It scores better at the end. Points for variety: about %(points)s more."),
    "end focus": N_("It scores better at the end. Points for the focus: about %(points)s more."),
    "all": N_("No single reason stands out: over all that can follow, it does better on average."),
}
"""By code its sentence."""
