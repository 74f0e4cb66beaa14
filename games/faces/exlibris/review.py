"""The review of a match of Ex Libris: any position with the score lines of all, and the list of all moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.art import back, paint, pawn, picture
from games.faces.exlibris.facts import common_facts, facts, phase_text
from games.faces.exlibris.items import item_of
from games.faces.exlibris.log import heading, noted, sentence
from games.faces.exlibris.players import known, players
from games.faces.exlibris.result import ending_of, headline, score_sheet
from games.faces.exlibris.scene import Scene, Step, signs_of
from games.faces.exlibris.shelf import mini, reasons, shelf_label, worth_of_seat
from games.faces.exlibris.stage import title_text
from games.faces.exlibris.town import town, ways
from games.faces.exlibris.words import LINES
from games.faces.language import _, number
from games.faces.paint import marked
from games.faces.paint import plain as plain_text
from games.faces.review import Chronicle, Links, ListedMove
from games.faces.slots import SlotGroup, SlotRenderer


class ExLibrisChronicle(Chronicle[ExLibrisView]):
    """A match in rounds."""

    def __init__(self) -> None:
        super().__init__()
        self.rounds: list[tuple[int, int]] = []
        """The rounds, each with the position with which it begins; 0 is the choice of libraries."""

    def add(self, step: Step) -> None:
        if not step.move.startswith("!"):
            round_ = step.before.round
            if not self.rounds or self.rounds[-1][0] != round_:
                self.rounds.append((round_, len(self.steps)))
        super().add(step)

    @property
    def stops(self) -> list[int]:
        """Where the rounds begin, and each time that a player sends an assistant."""
        begun = [ply for _round, ply in self.rounds]
        sent = [at for at, step in enumerate(self.steps) if step.move.startswith(("send", "special"))]
        return sorted({*begun, *sent})

    @property
    def phases(self) -> list[tuple[str, int]]:
        """The rounds by number: there are too many for their names."""
        return [(str(round_) if round_ else heading("round 0"), ply) for round_, ply in self.rounds]

    def in_rounds(self) -> list[tuple[int, int, list[Step]]]:
        """The rounds, where each begins, and its steps."""
        begins = [ply for _round, ply in self.rounds] or [0]
        names = [round_ for round_, _ply in self.rounds] or [0]
        begins[0] = 0  # an event may come before all moves
        ends = [*begins[1:], len(self.steps)]
        found = zip(names, begins, ends, strict=True)
        return [(name, begin, self.steps[begin:end]) for name, begin, end in found]


def listed(chronicle: ExLibrisChronicle, names: Sequence[str], me: int | None, address: str) -> Markup:
    """The list of moves, in words and in notation; each leads to `address` with its ply for `{ply}`."""
    links, shown = Links(address), marked(tuple(names))
    parts = []
    for round_, begin, steps in chronicle.in_rounds():
        items = [item_of(chronicle.steps, at) for at in range(begin, begin + len(steps))]
        told = [
            ListedMove(ply, sentence(item, shown, me), "" if item.move.startswith("!") else plain_text(noted(item)))
            for ply, item in enumerate(items, begin + 1)
        ]
        parts.append(
            f'<li class="divider"><a {links.to(begin)}>{heading(f"round {round_}")}</a></li>'
            f'<li><ol class="turn-moves">{links.rows(told)}</ol></li>'
        )
    return links.listed(parts)


def plain(chronicle: ExLibrisChronicle, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The moves as text: the rounds, and what happened in each."""
    shown, all_steps = marked(tuple(names)), chronicle.steps
    return [
        (
            heading(f"round {round_}"),
            [
                str(Markup(sentence(item_of(all_steps, at), shown, None)).striptags())
                for at in range(begin, begin + len(steps))
            ],
        )
        for round_, begin, steps in chronicle.in_rounds()
    ]


def answer(step: Step, names: Sequence[str], me: int | None) -> str:
    """What one answer does, as text."""
    item = item_of([step], 0)._replace(reason="")  # who was sent where stands before it
    return str(Markup(sentence(item, marked(tuple(names)), me)).striptags())


def position(scene: Scene, chronicle: ExLibrisChronicle, viewpoints: Sequence[dict[str, Any]] = ()) -> Markup:
    """One position: facts, town, shelves and hands, and what each would score."""
    view, me = scene.view, scene.me
    names = scene.names
    over = view.over or scene.status == "finished"
    parts = (
        common_facts(scene),
        town(scene, names),
        players(scene),
        facts(scene),
        known(view, len(names)),
        ways(view, None),
    )
    slots = SlotGroup(parts).slots
    renderer = SlotRenderer()
    end = ending_of(scene) if over else None
    shown = marked(tuple(names))
    steps, ply = chronicle.steps, scene.ply
    last = sentence(item_of(steps, ply - 1), shown, me) if 0 < ply <= len(steps) else ""
    mover = "" if view.seat is None else names[view.seat]
    worths = [] if end else _worths(scene, names)
    points = [number(score.points) for score in end.scores] if end else [it["points"] for it in worths]
    hands = []
    for seat, sitter in enumerate(scene.sitters):
        signs = signs_of(view, seat)
        hands.append(
            {
                "seat": seat,
                "person": sitter.person,
                "cards": [Markup(picture(card, signs)) for card in view.hands[seat]],
                "unknown": view.counts[seat] - len(view.hands[seat]),
                "pawn": Markup(pawn(seat)),
                "shelf": Markup(mini(view.shelves[seat], signs)),
                "label": shelf_label(sitter.person.name),
                "turn": seat == view.seat,
                "points": points[seat] if points else "",
            }
        )
    return paint(
        "review.jinja",
        scene=scene,
        where=phase_text(view.round, view.last, over, view.setup.solo),
        facts=Markup(renderer.whole(slots, "facts")),
        town="" if over else Markup(renderer.whole(slots, "town")),
        last=Markup(last),
        next="" if over or scene.status != "running" else title_text("wait", view.question, mover, ""),
        title=headline(end) if end else "",
        sheet=score_sheet(end) if end else "",
        worths=worths,
        hands=hands,
        back=Markup(back("", _("Cards unknown"))),
        lines=[_(name) for name in LINES],
        viewpoints=viewpoints,
    )


def _worths(scene: Scene, names: Sequence[str]) -> list[dict[str, Any]]:
    """By seat the five lines, each with its reason, as if the game ended at this position."""
    view = scene.view
    found = []
    for seat, name in enumerate(names):
        worth = worth_of_seat(view, seat)
        if worth is None:
            return []
        why = reasons(worth, signs_of(view, seat))
        lines = [(number(points), reason) for points, reason in zip(worth.lines, why, strict=True)]
        found.append({"name": name, "lines": lines, "points": number(worth.points)})
    return found
