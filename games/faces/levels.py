"""How well bots play, in words."""

from __future__ import annotations

from collections.abc import Collection

from games.engine.core import Game
from games.faces.language import N_, _, number

USUAL = N_("Usual")
LEVELS = {"fair": N_("Fair"), "good": N_("Good"), "strong": N_("Strong")}
"""Bots of this name are offered by any title that has them; others play only where they are the title's first."""
TEMPERS = {"miser": N_("Miser"), "gambler": N_("Gambler")}
"""So are these, which play about as well as the strong one, but each in a way of its own."""
BOTS = {
    "fair": N_("Bot, fair"),
    "good": N_("Bot, good"),
    "strong": N_("Bot, strong"),
    "miser": N_("Bot, a miser"),
    "gambler": N_("Bot, a gambler"),
}
ALL_BOTS = {
    "fair": N_("Bots: fair"),
    "good": N_("Bots: good"),
    "strong": N_("Bots: strong"),
    "miser": N_("Bots: misers"),
    "gambler": N_("Bots: gamblers"),
}


def offered(game: Game) -> dict[str, str]:
    """The bots between which people can choose, by name, with their level or temper."""
    levels = {name: _(text) for name, text in (LEVELS | TEMPERS).items() if name in game.bots}
    return levels if game.bot in levels else {game.bot: _(USUAL)} | levels


def choice(game: Game) -> dict[str, str]:
    """The same; empty if there is no choice."""
    bots = offered(game)
    return bots if len(bots) > 1 else {}


def only(game: Game) -> str:
    """For which numbers of players the levels are; empty if for all."""
    able = [seats for seats in game.seats if seats > 1 and seats in game.level_seats]
    if len(able) == len([seats for seats in game.seats if seats > 1]) or len(choice(game)) < 2:
        return ""
    return _("Levels are for games of %(numbers)s; in others the usual bot plays.") % {
        "numbers": ", ".join(map(number, able))
    }


def bot_label(bot: str) -> str:
    """What a bot at a table is called beside its name."""
    return _(BOTS[bot]) if bot in BOTS else _("Bot")


def bots_tag(bots: Collection[str]) -> list[str]:
    """The level of all bots at a table, in a word or two; nothing if they have none, or several."""
    return [_(ALL_BOTS[bot]) for bot in ALL_BOTS if {*bots} == {bot}]
