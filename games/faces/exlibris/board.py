"""The board of Ex Libris as slots."""

from __future__ import annotations

from accounts.models import User
from games.faces.exlibris.art import box
from games.faces.exlibris.facts import common_facts, facts
from games.faces.exlibris.items import LogItem
from games.faces.exlibris.log import Telling, ended, growth, line, news_of, told
from games.faces.exlibris.orders import orders
from games.faces.exlibris.players import known, own_hand, players
from games.faces.exlibris.result import draw_over, ending_of, headline, outcome
from games.faces.exlibris.scene import Scene, state_of
from games.faces.exlibris.shelf import own_shelf, worth_of_seat
from games.faces.exlibris.stage import asked, draw_wait, question_of, title_text
from games.faces.exlibris.town import town, ways
from games.faces.exlibris.walk import caption, flights, no_caption
from games.faces.exlibris.why import why_of
from games.faces.face import Common, Drawn, Facts, sound_of
from games.faces.paint import marked
from games.faces.slots import Log, Parts, Slot, SlotGroup, Slots
from games.faces.tempo import waiting

SOUNDS = {
    **dict.fromkeys(("send", "special"), "walk"),
    "keep": "place",
    **dict.fromkeys(("at", "over", "under", "swap", "lay"), "shelve"),
    **dict.fromkeys(("draw", "take", "give"), "draw"),
    **dict.fromkeys(("discard", "lose"), "discard"),
}


def table(scene: Scene, before: object) -> Common:
    """What all viewers see alike, from the scene of a watcher."""
    parts = common_facts(scene), town(scene, scene.names), players(scene)
    return Common(SlotGroup(parts), flights(scene))


def draw(scene: Scene, common: Common, before: Telling | None, made: Parts) -> Drawn:
    """The board of one viewer."""
    view, me, state = scene.view, scene.me, state_of(scene)
    names = scene.names
    asks = question_of(scene)
    worth = worth_of_seat(view, me) if me is not None and not view.over else None
    own: Slots = {}
    if me is not None:
        own = own_shelf(view, asks, worth) | own_hand(scene, asks)
    else:
        own = {"low": (draw_nothing, "low"), "hand": (draw_nothing, "hand")}
    over = ending_of(scene) if state == "over" else None
    mover = "" if view.seat is None or view.seat == me else names[view.seat]
    stage: Slot
    beside: Slots = {}
    if state == "over":
        stage = draw_over, over
    elif asks:
        stage = asked(scene, asks, names, worth, state)
    else:
        beside = waiting(scene) | orders(scene) if state == "wait" else {}
        stage = (
            *(draw_wait, state, view.question, mover),
            *(why_of(scene), names, me, "pace" in beside, "orders" in beside),
        )
    title: Slot = (headline, over) if state == "over" else (title_text, state, view.question, mover, "")
    lines = (before or Telling()).and_(scene.steps)
    news = tuple(news_of(scene.steps, scene.since)[-12:])
    heard: Slot = (outcome, over) if state == "over" else (heard_text, news, names, me)
    winners = (scene.result or {}).get("winners", ())
    log = Log(ended(lines.lines, view, winners), (marked(names), me), line, growth)
    # Whoever wants the moves of bots at once sees nothing move.
    walks = scene.tempo != User.Tempo.INSTANT and state != "over"
    said: Slots = {"caption": caption(scene) if walks else (no_caption,)}
    parts = facts(scene), known(view, len(names)), own, ways(view, asks), {"stage": stage}, beside, said
    shown = Facts(state, title, heard, sound_of(scene, SOUNDS), common.memory if walks else ())
    reminder = box.slot("reminder.jinja", state=state, solo=view.setup.solo)
    return Drawn(SlotGroup(parts), _absent(scene), log, shown, reminder, lines)


def _absent(scene: Scene) -> frozenset[str]:
    """The slots that stand nowhere on the viewer's page."""
    return frozenset() if scene.me is None else frozenset((f"player-{scene.me}",))


def heard_text(items: tuple[LogItem, ...], names: tuple[str, ...], me: int | None) -> str:
    """What was done, for screen readers."""
    return told(items, names, me)


def draw_nothing(id: str) -> str:
    return f'<div id="{id}" hidden></div>'
