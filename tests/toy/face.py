"""The face of the small game: as little as the site needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.engine.core import Reason
from games.faces.face import Face, Guided, Lesson, Option, Preset
from games.faces.language import _, ngettext
from games.faces.paint import said
from games.faces.slots import Slots
from games.matches.scene import Scene
from tests.toy.game import HIDDEN, ToyView

OFFERS = (0, 1, 2, 5, 10, 20, 50, 100, 150, 200, 250, 300)
"""The offers that the page has a field for."""


class ToyFace(Face[ToyView]):
    """Sealed offers in pictures and words."""

    slug = "toy"
    name = "Sealed offers"
    motto = "A small game for tests"
    pitch = "Offer in secret; the highest takes the prize."
    description = "A small game for tests."
    alone = "You bid against the house."
    bot_names = {"Hal": "knight", "Kit": "novice", "Max": "friar", "Zoe": "lady"}
    how_bots_play = {"fair": "It offers the same for each prize.", "strong": "It offers more for a better prize."}
    bot_shares = {"strong": {2: (0.81, 0.03)}}
    guided = (Guided(3, "Learn in a minute", "A whole game against two bots."),)
    too_late = "The first round is over."
    pools = {"all": "2 and 3 players"}
    other_winners = {"house": "The house"}
    presets = {"standard": Preset("Standard", "Three rounds."), "short": Preset("Short", "One round.")}
    choices = {"rounds": Option("Rounds", {3: "3", 1: "1"}, {3: "Three rounds are played.", 1: "One round is played."})}
    progress_moves = ("offer ",)
    picture_moves = ("object",)
    sounds = {"offer": "tick"}
    styles = ("toy/toy.css",)
    board_styles = ("toy/table.css",)
    board_scripts = ("toy/toy.js",)
    review_scripts = ("toy/shuffle.js",)

    def shared(self, scene: Scene[ToyView]) -> Slots:
        view = scene.view
        seats = [(it.person.name, view.points[it.index], view.coins[it.index], it.left_ms) for it in scene.sitters]
        return {
            "phase": self.box.slot("phase.jinja", round=min(view.round + 1, view.rounds), rounds=view.rounds),
            "seats": self.box.slot("seats.jinja", seats=tuple(seats)),
        }

    def own(self, scene: Scene[ToyView]) -> Slots:
        view, me = scene.view, scene.me
        fields = () if me is None else tuple(coins for coins in OFFERS if coins <= view.coins[me])
        facts = {"prize": view.prize, "offers": view.offers, "opened": view.open, "hidden": HIDDEN, "fields": fields}
        orders = bool(scene.orders) if scene.playing else None
        about = {"key": scene.key, "ply": scene.ply, "state": self.state(scene), "title": self.title(scene)}
        return {"stage": self.box.slot("stage.jinja", ordered=orders, **facts, **about)}

    def state(self, scene: Scene[ToyView]) -> str:
        return ("offer" if 0 in scene.view.legal else "object") if scene.state == "asked" else scene.state

    def sentence(self, seat: int, move: str, names: Sequence[str], mine: bool) -> str:
        verb, _space, coins = move.partition(" ")
        texts = {"agree": _("%(name)s agrees."), "object": _("%(name)s objects.")}
        if verb == "offer":
            texts["offer"] = _("%(name)s offers %(coins)s.") if coins else _("%(name)s makes an offer.")
        return said(texts[verb], name=names[seat], coins=coins)

    def reason(self, reason: Reason) -> str:
        texts = {
            "more": _("The prize is worth more than that."),
            "less": _("The prize isn’t worth that much."),
            "agree": _("An objection is worth more later."),
            "object": _("The prize is too much for them."),
        }
        return texts.get(reason.code, "")

    def lessons(self, scene: Scene[ToyView]) -> tuple[Lesson, ...]:
        due = self.state(scene) == "offer" and not scene.view.round
        text = _("Nobody sees it before all are in.")
        return (Lesson("offer", _("Your first offer"), text, "offers", "#stage", due),)

    def progress(self, places: int, options: Mapping[str, Any], moves: Iterable[str]) -> str:
        # Everybody knows how many offers were made, but not how high they are.
        made = len(list(moves))
        return _("Round %(round)s") % {"round": min(made // places + 1, options["rounds"])}

    def picture(self, options: Mapping[str, Any], moves: Iterable[str]) -> SafeString:
        objections = len(list(moves))
        text = ngettext("%(count)s objection", "%(count)s objections", objections) % {"count": objections}
        return format_html('<span class="toy-picture">{}</span>', text)

    def statistics(self, won: Mapping[str, int], feats: Mapping[str, int], games: int) -> dict[str, Any]:
        return {"share": round(100 * won.get("L", 0) / games)}
