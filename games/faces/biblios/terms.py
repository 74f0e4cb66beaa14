"""Biblios where people look for a game: names of its options, and progress of a match."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from games.engine.biblios.game import Biblios
from games.engine.biblios.options import Setup
from games.faces.face import Option, Preset
from games.faces.language import _

GAME = Biblios()


PRESETS = {
    "rulebook": Preset(
        gettext_lazy("Rulebook"),
        gettext_lazy("As in the publisher’s rulebook. If you can’t or won’t pay, you lose a card to each rival."),
    ),
    "persian": Preset(
        gettext_lazy("Persian"),
        gettext_lazy("As the rulebook; tied players are compared by their totals, without the letters."),
    ),
    "german": Preset(
        gettext_lazy("German"),
        gettext_lazy(
            "The German short rules: you must pay if you can, and the Church card with two arrows moves two dice, "
            "one up, one down."
        ),
    ),
    "russian": Preset(
        gettext_lazy("Russian"), gettext_lazy("You must pay if you can; the winner of the Monks wins a tie.")
    ),
}

CHOICES: Mapping[str, Option] = {
    "penalty": Option(
        gettext_lazy("Players who don’t pay"),
        {
            "transfer": gettext_lazy("Lose a card to each rival"),
            "discard": gettext_lazy("Discard a card: Medieval Bluff"),
            "honest": gettext_lazy("Can’t happen: bid what you have"),
        },
        {
            "transfer": gettext_lazy("If you can’t pay, each rival draws a random card from your hand."),
            "discard": gettext_lazy("One random card of the debtor is discarded, for everyone to see."),
            "honest": gettext_lazy("No one may bid more than they can pay."),
        },
    ),
    "default_on_purpose": Option(
        gettext_lazy("Refusing to pay"),
        {True: gettext_lazy("Allowed"), False: gettext_lazy("Pay if you can")},
        {
            True: gettext_lazy("The winner of an auction may refuse to pay, and takes the penalty."),
            False: gettext_lazy("You must pay if you can."),
        },
    ),
    "dual_church": Option(
        gettext_lazy("Church card with two arrows"),
        {"either": gettext_lazy("One die, up or down"), "both": gettext_lazy("One die up, another down")},
        {
            "either": gettext_lazy("The Church card with two arrows moves one die, up or down."),
            "both": gettext_lazy("The Church card with two arrows moves two dice, one up and one down."),
        },
    ),
    "start_die": Option(
        gettext_lazy("Dice at the start"),
        {3: "3", 2: "2", 1: "1"},
        {
            3: gettext_lazy("All dice start at 3."),
            2: gettext_lazy("All dice start at 2."),
            1: gettext_lazy("All dice start at 1."),
        },
    ),
    "final_tie": Option(
        gettext_lazy("After equal points and gold"),
        {
            "rulebook": gettext_lazy("Totals and letters"),
            "totals": gettext_lazy("Totals only"),
            "first_won": gettext_lazy("First category won"),
            "monks": gettext_lazy("The winner of the Monks"),
        },
        {
            "rulebook": gettext_lazy(
                "A tie goes to the better total, category by category, then to the better letter."
            ),
            "totals": gettext_lazy("A tie goes to the better total, category by category; letters don’t count."),
            "first_won": gettext_lazy("A tie goes to whoever won the first category, in the order of the dice."),
            "monks": gettext_lazy("A tie goes to whoever won the Monks."),
        },
    ),
}
"""All table options, the weightiest first."""

PENALTY_TAGS = {
    "transfer": gettext_lazy("Bluff"),
    "discard": gettext_lazy("Medieval Bluff"),
    "honest": gettext_lazy("No bluff"),
}


def moot(options: Mapping[str, Any]) -> Collection[str]:
    """The options that mean nothing beside the others."""
    return ("default_on_purpose",) if options["penalty"] == "honest" else ()


def custom_tags(options: Mapping[str, Any]) -> list[str]:
    """What matters most in rules that no preset has: the penalty for bluffs."""
    return [str(PENALTY_TAGS[options["penalty"]])]


def progress(places: int, options: Mapping[str, Any], moves: Iterable[str]) -> str:
    """The progress of a game after these of its moves; those that take a gift suffice."""
    taken = sum(move.startswith("take ") for move in moves)
    turn = taken // (places - 1) + 1
    turns = Setup.of(places, options).turns
    if turn > turns:
        return _("Auctions")
    return _("Gifts, turn %(turn)d of %(turns)d") % {"turn": turn, "turns": turns}
