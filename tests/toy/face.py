"""The face of the small game: as little as the site needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from markupsafe import Markup

from games.faces import events
from games.faces.face import CUSTOM, Common, Drawn, Face, Facts, Lesson, Option, Preset
from games.faces.language import _, ngettext
from games.faces.paint import PaintBox, bdi, clock, said
from games.faces.slots import Log, Sheaf, hole
from games.matches.scene import Scene, Step
from tests.toy.game import HIDDEN, Toy, ToyView

OFFERS = (0, 1, 2, 5, 10, 20, 50, 100, 150, 200, 250, 300)
"""The offers that the page has a field for."""
box = PaintBox("toy", clock=clock)


class Line(NamedTuple):
    """A row of the log, under the id that it has on the page."""

    id: str
    seat: int
    move: str


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


def lines_of(steps: Iterable[Step]) -> tuple[Line, ...]:
    return tuple([Line(f"row-{step.ply}", step.seat, step.move) for step in steps])


def sentence(row: Line | Step, names: Sequence[str]) -> Markup:
    """What a row did; of an offer that the viewer may not see, that there was one."""
    if row.move.startswith("!"):
        return events.sentence(row.move, row.seat, [str(bdi(name)) for name in names], None)
    verb, _space, coins = row.move.partition(" ")
    words = {"name": bdi(names[row.seat]), "coins": coins}
    if coins:
        return said(_("%(name)s offers %(coins)s."), **words)
    texts = {"offer": _("%(name)s makes an offer."), "agree": _("%(name)s agrees."), "object": _("%(name)s objects.")}
    return said(texts[verb], **words)


def winners_of(scene: Scene) -> tuple[str, ...]:
    """By name; of nobody but the house, an empty one."""
    if not scene.result:
        return ()
    return tuple("" if seat == "house" else scene.sitters[seat].name for seat in scene.result["winners"])


def won(winners: Sequence[str]) -> str:
    if winners == ("",):
        return _("The house wins.")
    return _("%(names)s wins.") % {"names": ", ".join(winners)}


def state_of(scene: Scene) -> str:
    if scene.view.over:
        return "over"
    if scene.status == "aborted":
        return "aborted"
    if not scene.playing or scene.view.seat != scene.me:
        return "wait"
    return "offer" if 0 in scene.view.legal else "object"


def draw_line(line: Line, names: Sequence[str]) -> str:
    return f'<li id="{line.id}">{sentence(line, names)}</li>'


def no_growth(old: Line, line: Line, names: Sequence[str]) -> str:
    raise AssertionError("a row of this log never changes")


def phase_text(round: int, rounds: int) -> str:
    return _("Round %(round)s of %(rounds)s") % {"round": round, "rounds": rounds}


def draw_phase(round: int, rounds: int) -> str:
    return f'<p id="phase">{phase_text(round, rounds)}</p>'


def draw_seats(seats: Sequence[tuple[str, int, int, int | None]]) -> str:
    return box.paint("seats.jinja", seats=seats)


def title_text(winners: Sequence[str], round: int, rounds: int) -> str:
    return won(winners) if winners else phase_text(round, rounds)


def draw_stage(
    state: str, winners: Sequence[str], key: str, ply: int, view: ToyView, playing: bool, ordered: bool
) -> str:
    title = title_text(winners, *rounds_of(view))
    offers = [] if view.me is None else [coins for coins in OFFERS if coins <= view.coins[view.me]]
    rematch = Markup(hole("rematch")) if state in ("over", "aborted") else ""
    context = {"key": key, "ply": ply, "view": view, "playing": playing, "ordered": ordered, "hidden": HIDDEN}
    context["rematch"] = rematch
    return box.paint("stage.jinja", state=state, title=title, offers=offers, **context)


def rounds_of(view: ToyView) -> tuple[int, int]:
    return min(view.round + 1, view.rounds), view.rounds


def news_text(news: Sequence[Line], names: Sequence[str]) -> str:
    return " ".join(str(sentence(line, names).striptags()) for line in news)


def draw_reminder() -> Markup:
    return box.paint("reminder.jinja")


class ToyFace(Face):
    """Sealed offers in pictures and words."""

    slug = "toy"
    name = "Sealed offers"
    motto = "A small game for tests"
    pitch = "Offer in secret; the highest takes the prize."
    description = "A small game for tests."
    alone = "You bid against the house."
    bot_names = ("Hal", "Kit", "Max", "Zoe")
    bad_order = "There is no such order."
    pools = MappingProxyType({"all": "2 and 3 players"})
    guided_places = 3
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
    middle = ("seats", "stage")
    totals = False
    beside = MappingProxyType({})
    board_styles = ("toy/table.css",)
    review_styles = ()
    board_scripts = ("toy/toy.js",)
    review_scripts = ("toy/shuffle.js",)
    chronicle = ToyChronicle

    def common(self, scene: Scene, before: Any) -> Common:
        view = scene.view
        seats = [(it.name, view.points[it.index], view.coins[it.index], it.left_ms) for it in scene.sitters]
        parts = {"phase": (draw_phase, *rounds_of(view))}, {"seats": (draw_seats, tuple(seats))}
        return Common(Sheaf(parts), None)

    def draw(self, scene: Scene, common: Common, before: Any) -> Drawn:
        view, state, names, winners = scene.view, state_of(scene), names_of(scene), winners_of(scene)
        stage = draw_stage, state, winners, scene.key, scene.ply, view, scene.playing, bool(scene.orders)
        facts = Facts(
            state,
            (title_text, winners, *rounds_of(view)),
            (news_text, lines_of(scene.news), names),
            "tick" if scene.steps else "",
        )
        log = Log(lines_of(scene.steps), names, draw_line, no_growth)
        return Drawn(Sheaf(({"stage": stage},)), frozenset(), log, facts, (draw_reminder,), None)

    def lessons(self, scene: Scene) -> tuple[Lesson, ...]:
        due = state_of(scene) == "offer" and not scene.view.round
        text = _("Nobody sees it before all are in.")
        return (Lesson("offer", _("Your first offer"), text, "offers", "#stage", due),)

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
        result = won(winners_of(scene)) if scene.result else ""
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

    def summary(self, scene: Scene[ToyView]) -> tuple[str, str]:
        return won(winners_of(scene)), ""

    def poster(self, scene: Scene[ToyView], when: str, address: str) -> str:
        text = format_html("<text>{} {} {}</text>", won(winners_of(scene)), when, address)
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">{text}</svg>'

    def rules(self) -> dict[str, Any]:
        return {}

    def home(self) -> dict[str, Any]:
        return {}

    def statistics(self, won: Mapping[str, int], feats: Mapping[str, int], games: int) -> dict[str, Any]:
        return {"share": round(100 * won.get("L", 0) / games)}
