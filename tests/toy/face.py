"""The face of the small game: as little as the site needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from markupsafe import Markup

from games.engine.core import View
from games.faces import events
from games.faces.face import CUSTOM, Drawn, Face, Facts, Lesson, Option, Preset
from games.faces.language import _, ngettext
from games.faces.paint import PaintBox, bdi, clock, said
from games.faces.regions import Lines, Region
from games.faces.scene import Scene, Step
from tests.toy.game import HIDDEN, Toy, ToyView

OFFERS = (0, 1, 2, 5, 10, 20, 50, 100, 150, 200, 250, 300)
"""The offers that the page has a field for."""
box = PaintBox("toy", clock=clock)


class Line:
    """A row of the log, with the id that it has on the page."""

    def __init__(self, step: Step) -> None:
        self.id, self.step = f"row-{step.ply}", step


class ToyChronicle:
    """Every row is a stop of its own."""

    phases: Sequence[tuple[str, int]] = ()

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add(self, step: Step) -> None:
        self.steps.append(step)

    @property
    def stops(self) -> list[int]:
        return list(range(len(self.steps)))


def names_of(scene: Scene) -> tuple[str, ...]:
    return tuple(sitter.name for sitter in scene.sitters)


def sentence(step: Step, names: Sequence[str]) -> Markup:
    """What a row did; of an offer that the viewer may not see, that there was one."""
    if step.move.startswith("!"):
        return events.sentence(step, [str(bdi(name)) for name in names], None)
    verb, _space, coins = step.move.partition(" ")
    words = {"name": bdi(names[step.seat]), "coins": coins}
    if coins:
        return said(_("%(name)s offers %(coins)s."), **words)
    texts = {"offer": _("%(name)s makes an offer."), "agree": _("%(name)s agrees."), "object": _("%(name)s objects.")}
    return said(texts[verb], **words)


def outcome(names: Sequence[str], result: Mapping[str, Any]) -> str:
    if result["winners"] == ["house"]:
        return _("The house wins.")
    return _("%(names)s wins.") % {"names": ", ".join(names[seat] for seat in result["winners"])}


def state_of(scene: Scene) -> str:
    if scene.view.over:
        return "over"
    if scene.status == "aborted":
        return "aborted"
    if not scene.playing or scene.view.seat != scene.me:
        return "wait"
    return "offer" if 0 in scene.view.legal else "object"


def draw_line(line: Line, names: Sequence[str]) -> Region:
    return Region(line.id, f'<li id="{line.id}">{sentence(line.step, names)}</li>')


class ToyFace(Face):
    """Sealed offers in pictures and words."""

    slug = "toy"
    name = "Sealed offers"
    motto = "A small game for tests"
    bot_names = ("Hal", "Kit", "Max", "Zoe")
    bad_order = "There is no such order."
    pools = MappingProxyType({"all": "2 and 3 players"})
    too_late = "The first round is over."
    bad_order = "You can order to offer nothing, and no more."
    pools = {"all": "2 and 3 players"}
    other_winners = {"house": "The house"}
    presets = {"standard": Preset("Standard", "Three rounds."), "short": Preset("Short", "One round.")}
    choices = {"rounds": Option("Rounds", {3: "3", 1: "1"}, {3: "Three rounds are played.", 1: "One round is played."})}
    progress_moves = ("offer ",)
    picture_moves = ("object",)
    styles = ("toy/toy.css",)
    home_styles = ()
    board_styles = ("toy/table.css",)
    review_styles = ()
    board_scripts = ("toy/toy.js",)
    review_scripts = ("toy/shuffle.js",)
    chronicle = ToyChronicle

    def draw(self, scene: Scene, before: Any, lines: str) -> Drawn:
        view, state, names = scene.view, state_of(scene), names_of(scene)
        phase = _("Round %(round)s of %(rounds)s") % {"round": min(view.round + 1, view.rounds), "rounds": view.rounds}
        result = outcome(names, scene.result) if scene.result else ""
        context = {"scene": scene, "view": view, "state": state, "phase": phase, "result": result, "hidden": HIDDEN}
        regions = {
            "phase": Region("phase", f'<p id="phase">{phase}</p>'),
            "seats": Region("seats", str(box.paint("seats.jinja", **context))),
            "stage": Region("stage", str(box.paint("stage.jinja", offers=OFFERS, **context))),
        }
        news = " ".join(str(sentence(step, names).striptags()) for step in scene.news)
        log = Lines(lines, [Line(step) for step in scene.steps], names, draw_line)
        sound = "tick" if scene.steps else ""
        return Drawn(regions, log, Facts(state, result or phase, news, sound), box.kept("reminder.jinja"), None)

    def lesson(self, scene: Scene) -> Lesson | None:
        if state_of(scene) != "offer" or scene.view.round:
            return None
        return Lesson("offer", _("Your first offer"), _("Nobody sees it before all are in."), "offers")

    def opened(self, views: Sequence[ToyView]) -> View:
        own = tuple(view.offers[seat] for seat, view in enumerate(views))
        return replace(views[0], me=None, legal=(), offers=own)

    def listed(self, chronicle: ToyChronicle, names: Sequence[str], me: int | None, address: str) -> Markup:
        rows = [
            (address.format(ply=step.ply + 1), step.ply + 1, sentence(step, names), step.move)
            for step in chronicle.steps
        ]
        return box.paint("moves.jinja", rows=rows)

    def plain(self, chronicle: ToyChronicle, names: Sequence[str]) -> list[tuple[str, list[str]]]:
        return [(_("Moves"), [str(sentence(step, names).striptags()) for step in chronicle.steps])]

    def position(self, scene: Scene, chronicle: Any, viewpoints: Sequence[dict[str, Any]] = ()) -> Markup:
        names = names_of(scene)
        said_last = sentence(scene.steps[-1], names) if scene.steps else ""
        result = outcome(names, scene.result) if scene.result else ""
        return box.paint(
            "position.jinja", scene=scene, view=scene.view, said=said_last, result=result, viewpoints=viewpoints
        )

    def terms(self, options: Mapping[str, Any]) -> list[str]:
        return [self.choices["rounds"].explanation[options["rounds"]]]

    def tags(self, options: Mapping[str, Any]) -> list[str]:
        return [self.presets.get(Toy().preset_of(options), CUSTOM).label]

    def progress(self, places: int, options: Mapping[str, Any], moves: Iterable[str]) -> str:
        # Everybody knows how many offers were made, but not how high they are.
        made = len(list(moves))
        return _("Round %(round)s") % {"round": min(made // places + 1, options["rounds"])}

    def picture(self, options: Mapping[str, Any], moves: Iterable[str]) -> SafeString:
        objections = len(list(moves))
        text = ngettext("%(count)s objection", "%(count)s objections", objections) % {"count": objections}
        return format_html('<span class="toy-picture">{}</span>', text)

    def rules(self) -> dict[str, Any]:
        return {}

    def home(self) -> dict[str, Any]:
        return {}

    def statistics(self, won: Mapping[str, int], games: int) -> dict[str, Any]:
        return {"share": round(100 * won.get("L", 0) / games)}
