"""The spread of the table of Biblios: the situation on the left page, the answers on the right one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from accounts.shown import PlayerShown
from games.engine.biblios.notation import BID
from games.engine.biblios.orders import BID_UP_TO, PASS_GOLD, limit_for
from games.engine.biblios.view import BibliosView
from games.faces import tempo
from games.faces.biblios import stage
from games.faces.biblios.art import BACK, EFFECTS, card_art, card_name, card_title, own, picture
from games.faces.biblios.ask import WELLS, Ask, ask, well_text, wells
from games.faces.biblios.bidding import bidding
from games.faces.biblios.ending import ending
from games.faces.biblios.forms import (
    NO_ORDER,
    draw_bidding,
    draw_form,
    draw_order,
    draw_orders,
    has_most,
    way,
)
from games.faces.biblios.library import library
from games.faces.biblios.result import Ending
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import Sums
from games.faces.biblios.story import Story
from games.faces.biblios.words import LogItem, involved, told
from games.faces.language import _, number
from games.faces.paint import CSRF, icon, marked, plain
from games.faces.slots import Parts, Slot, Slots, draw_list, placeholder, uncached
from games.faces.slots import paint as text_of

FILLER = '<span class="filler" aria-hidden="true"></span>'
DOTS = '<i class="dots"></i>'
SLOT = '<i class="slot"></i>'
FULL = ("choose", "church")
"""The questions whose answers need the whole leaf."""
HIGHEST_PILE = 10
"""A higher bid has no higher stack of coins."""
ONE_PAGE = ("full", "reading")
"""The layouts without a left page."""


def piles(view: BibliosView, ended: bool = False) -> Slots:
    """The slots that are the same for every viewer: how far the game is, or was when it `ended`, and the piles."""
    stretch = stage.stretch_of(view)
    return {
        "phase": (draw_phase, *stretch, ended),
        "prick": (draw_prick, 2 * stretch.turns),
        "done": (draw_done, stretch.done),
        "piles": (draw_piles,),
        "deck-n": (draw_number, "deck-n", view.deck),
        "pile-n": (draw_number, "pile-n", view.piled),
        "discard-n": (draw_number, "discard-n", len(view.discard)),
    }


def spread(
    scene: Scene,
    state: str,
    title: Slot,
    names: tuple[str, ...],
    story: Story,
    sums: Sums,
    news: Sequence[tuple[int, LogItem]],
    made: Parts,
) -> tuple[Slots, ...]:
    """The slots of the whole leaf: its frame, the left page, the bids, the news, the right page or what takes both, the
    library."""
    if state in stage.ENDED:
        return ending(Ending.of(scene)), {}, {}, {}, {}, {}
    view, me = scene.view, scene.me
    layout = _layout(state, view)
    frame = _frame(layout, stage.note_of(state, scene, names), title)
    if layout == "reading":
        shelves = made.keep("library", (view.hand, view.dice, sums, names), lambda: library(view, names, sums))
        return frame, {}, {}, _news(news, names, me), _reading(scene, names), shelves
    asked = ask(view, names, sums) if state in ("choose", "church", "pay") else None
    verso: Slots = {}
    bids: Slots = {}
    if layout not in ONE_PAGE:
        question = view.question, view.seat == me, view.card, view.drawn, len(view.lots)
        held = view.room, view.hand, view.space, view.kept, sums, names
        verso = made.keep("verso", (layout, *question, *held), lambda: _verso(layout, view, names, sums))
    if layout == "block":
        bids = _bids(stage.bids_so_far(scene, story), stage.in_gold(view))
    return frame, verso, bids, _news(news, names, me), _answer(scene, state, asked, names), {}


def _layout(state: str, view: BibliosView) -> str:
    """How the leaf is laid out: `full` of answers, `reading` in one's library, with the `block` above, or two pages."""
    if state in FULL:
        return "full"
    if state == "wait" and not view.lots:
        return "reading"
    return "block" if state in ("bid", "wait") and view.question not in stage.CHURCH else ""


@lru_cache(maxsize=1000)
def _frame(layout: str, note: Slot, title: Slot) -> Slots:
    return {
        "stage": (draw_stage,),
        "head": (draw_head,),
        "title": (draw_title, *title),
        "note": (draw_note, *note),
        "pages": (draw_pages, layout),
    }


def draw_phase(phase: str, number: int, turns: int, ended: bool) -> str:
    name, stretch = stage.progress(phase, number, turns)
    if ended:
        name = _("Game over")
    return f'<p id="phase"><b>{name}</b> {stretch}</p>'


def draw_prick(marks: int) -> str:
    # Inside of an <svg> the parser wants no marks: this is never sent again.
    return (
        f'<svg id="prick" class="prick marks-{marks}" viewBox="0 0 {marks} 1" preserveAspectRatio="none"'
        f' aria-hidden="true">{placeholder("done")}</svg>'
    )


def draw_done(turns: int) -> str:
    return f'<rect id="done" width="{turns}" height="1"/>'


def draw_stage() -> str:
    label = _("Current action")
    return (
        f'<section id="stage" class="spread leaf" tabindex="-1" aria-label="{label}">'
        f"{placeholder('penalty')}{placeholder('head')}{placeholder('pages')}</section>"
    )


def draw_head() -> str:
    inside = f"{placeholder('title')}{FILLER}{placeholder('note')}{placeholder('prick')}"
    return f'<header id="head" class="spread-head">{inside}</header>'


def draw_pages(layout: str) -> str:
    pages = "" if layout in ONE_PAGE else placeholder("verso")
    return f'<div id="pages" class="pages{" " if layout else ""}{layout}">{pages}{placeholder("recto")}</div>'


def draw_title(text: Any, *facts: Any) -> str:
    return f'<h1 id="title">{plain(text(*facts))}</h1>'


def draw_note(text: Any, *facts: Any) -> str:
    return f'<p id="note">{plain(text(*facts))}</p>'


# The left page


def draw_verso(layout: str) -> str:
    block = layout == "block"
    hall, bids = (own("hall", "hall"), placeholder("bids")) if block else ("", "")
    return f'<div id="verso" class="page verso">{hall}{placeholder("focus")}{bids}{placeholder("news")}</div>'


def draw_piles() -> str:
    draw, auction, gone = _("Draw"), _("Auction"), _("Gone")
    back = f'<span class="card back" aria-hidden="true">{card_art(BACK)}</span>'
    return (
        f'<span id="piles" class="piles"><span id="deck" class="pile">{back}{draw} {placeholder("deck-n")}</span>'
        f'<button id="pile" class="pile" type="button" data-sheet="count">'
        f"{back}{auction} {placeholder('pile-n')}</button>"
        f'<button id="discard" class="pile" type="button" data-sheet="count">{icon("trash")}{gone}'
        f" {placeholder('discard-n')}</button></span>"
    )


def draw_number(id: str, count: int) -> str:
    return f'<b id="{id}">{number(count)}</b>'


def _verso(layout: str, view: BibliosView, names: Sequence[str], sums: Sums) -> Slots:
    card = stage.focus(view, view.me)
    assert card is not None
    return {
        "verso": (draw_verso, layout),
        "focus": (draw_figure,),
        "lot": (draw_lot, card.code, card.key, card.source),
        "caption": (draw_caption, card.code, stage.gain(view, card.code, names, sums)),
    }


def _space(view: BibliosView) -> Slots:
    """The slots of the public space."""
    cards = stage.space_cards(view)
    keys = tuple([card.key for card in cards])
    slots: Slots = {"space": (draw_space_cards, keys, view.setup.seats - 1 - len(cards))}
    for it in cards:
        slots[f"t-{it.key}"] = draw_on_table, it.code, it.key, "#deck"
    return slots


def draw_figure() -> str:
    inside = f"{own('lectern', 'lectern')}{placeholder('lot')}{placeholder('caption')}"
    return f'<figure id="focus" class="focus">{inside}</figure>'


def draw_lot(code: str, key: str, source: str) -> str:
    return picture(code, "big", key, source, "lot")


def draw_caption(code: str, gain: stage.Gain | None) -> str:
    title, lines = plain(card_title(code) if code in EFFECTS else card_name(code)), ""
    if code in EFFECTS:
        lines = f"<span>{EFFECTS[code]}</span>"
    if gain:
        total = _("you %(old)s → %(new)s") % {"old": gain.old, "new": gain.new}
        lines += f"<span>{total}</span>{has_most(gain.rival)}"
    return f'<figcaption id="caption"><b>{title}</b>{lines}</figcaption>'


def draw_space_cards(keys: Sequence[str], slots: int) -> str:
    cards = "".join([placeholder(f"t-{key}") for key in keys]) + SLOT * slots
    return f'<div id="space" class="card-row">{cards}</div>'


def draw_on_table(code: str, key: str, source: str = "") -> str:
    return picture(code, "", key, source, f"t-{key}")


def _news(news: Sequence[tuple[int, LogItem]], names: tuple[str, ...], me: int | None) -> Slots:
    """What happened since the viewer's last answer. The style sheet shows the last three lines, all when asked."""
    slots: Slots = {"news": NEWS, "news-lines": (draw_list, "news-lines", tuple([f"s-{ply}" for ply, _deed in news]))}
    for ply, item in news:
        slots[f"s-{ply}"] = draw_said, ply, item, names, me if involved(item, me) else None
    return slots


def draw_news() -> str:
    more = _("Show all")
    return f'<div id="news" class="news">{placeholder("news-lines")}<details><summary>{more}</summary></details></div>'


NEWS: Slot = (draw_news,)


@uncached
def draw_said(ply: int, item: LogItem, names: tuple[str, ...], me: int | None) -> str:
    return f'<li id="s-{ply}">{told(item, marked(names), me)}</li>'


# The right page


def _answer(scene: Scene, state: str, asked: Ask | None, names: tuple[str, ...]) -> Slots:
    """The slots of the answers, or of what there is to wait for."""
    # A form contains the ply: a new question is never taken for the old one, whatever was chosen there.
    if asked:
        return {"recto": (draw_recto, state in FULL), "act": (draw_form, scene.key, scene.ply, asked)}
    if state == "gift":
        return _placing(scene)
    if state == "bid":
        # The orders stay, unseen, for those who wait again after their bid.
        return {**RECTO, "act": (draw_bidding, scene.key, scene.ply, *bidding(scene.view)), **_orders(scene)}
    return _waiting(scene, names)


def _placing(scene: Scene) -> Slots:
    made = wells(scene.view)
    slots: Slots = {
        **RECTO,
        "act": (draw_placing, scene.key),
        "answer-ply": (draw_ply, scene.ply),
        "wells": (draw_wells,),
    }
    for well in made:
        slots[f"well-{well.move}"] = draw_well, well.move, well.key, well.open
        slots[f"well-name-{well.move}"] = draw_well_name, well.move, well.key
        slots[f"well-text-{well.move}"] = draw_well_text, well.move, well.open, well.at_once
        slots[f"in-{well.move}"] = draw_in_well, well.move, well.cards, well.slots
    for code, key in [card for well in made for card in well.cards if card[1]]:
        slots[f"t-{key}"] = draw_on_table, code, key
    return slots


def draw_recto(full: bool) -> str:
    news = placeholder("news") if full else ""
    return f'<div id="recto" class="page recto">{placeholder("act")}{news}</div>'


RECTO: Slots = {"recto": (draw_recto, False)}
"""The right page beside a left one."""


@uncached
def draw_ply(ply: int) -> str:
    return f'<input id="answer-ply" type="hidden" name="ply" value="{ply}">'


def draw_placing(key: str) -> str:
    inside = f"{placeholder('answer-ply')}{CSRF}{placeholder('wells')}"
    form = f'<form id="answer" class="bare" {way(key)} ws-send data-answer="place">{inside}</form>'
    return f'<div id="act" class="bare">{form}</div>'


def draw_wells() -> str:
    placeholders = "".join([placeholder(f"well-{move}") for move in WELLS])
    return f'<div id="wells" class="wells">{placeholders}</div>'


def draw_well(move: str, key: int, is_open: bool) -> str:
    return (
        f'<button id="well-{move}" class="well" name="move" value="{move}" data-key="{key}"'
        f"{'' if is_open else ' disabled'}>{placeholder(f'well-name-{move}')}{placeholder(f'in-{move}')}"
        f"{placeholder(f'well-text-{move}')}</button>"
    )


def draw_well_text(move: str, is_open: bool, at_once: bool) -> str:
    text = well_text(move, is_open, at_once)
    return f'<span id="well-text-{move}" data-label>{text}</span>'


def draw_well_name(move: str, key: int) -> str:
    return (
        f'<span id="well-name-{move}" class="well-title">{own(f"i-{move}", "icon")}<b>{WELLS[move]()[0]}</b>'
        f'<kbd aria-hidden="true">{number(key)}</kbd></span>'
    )


def draw_in_well(move: str, cards: Sequence[tuple[str, str]], slots: int) -> str:
    inside = "".join([placeholder(f"t-{key}") if key else picture(code) for code, key in cards]) + SLOT * slots
    return f'<span id="in-{move}">{inside}</span>'


def _waiting(scene: Scene, names: tuple[str, ...]) -> Slots:
    view, me = scene.view, scene.me
    assert view.seat is not None
    coming = tuple(stage.coming(view, me, names)) if me is not None and scene.playing else ()
    pace = tempo.waiting(scene)
    slots: Slots = {
        **RECTO,
        "act": (draw_wait, scene.status == "running", bool(coming), scene.playing, bool(pace)),
        "lead": (draw_lead, *stage.waiting_for(view, "" if view.seat == me else names[view.seat])),
    }
    if coming:
        slots["next"] = draw_next, coming
    slots |= pace
    return slots | _orders(scene) if scene.playing else slots


def draw_wait(running: bool, coming: bool, orders: bool, pace: bool) -> str:
    lead = f'<p class="lead">{placeholder("lead")}{DOTS if running else ""}</p>'
    rest = [placeholder(name) for name, there in (("next", coming), ("orders", orders)) if there]
    acts = f'<div class="acts">{placeholder("pace")}</div>' if pace else ""
    return f'<div id="act" class="bare"><div class="body waitbox" tabindex="0">{lead}{"".join(rest)}</div>{acts}</div>'


# While the others give and take: who does what, and the library


def _reading(scene: Scene, names: tuple[str, ...]) -> Slots:
    view, me = scene.view, scene.me
    assert view.seat is not None
    coming = tuple(stage.coming(view, me, names)) if me is not None and scene.playing else ()
    pace = tempo.waiting(scene)
    card = stage.focus(view, me)
    gives = view.seat == view.active
    slots: Slots = {
        "recto": (draw_recto, True),
        "act": (draw_reading, me is not None, bool(coming), bool(pace)),
        "bench": (draw_bench, scene.status == "running"),
        "who": (draw_who, scene.sitters[view.seat].person),
        "lead": (draw_lead, *stage.waiting_for(view, "" if view.seat == me else names[view.seat])),
        "places": (draw_places, card is not None, gives),
        "public": (draw_public,),
    }
    if card:
        slots["lot"] = draw_lot, card.code, card.key, card.source
    slots |= _space(view)
    if gives:
        slots["kept"] = draw_face_down, "kept", not view.room & 1, view.counts[view.seat]
        slots["sold"] = draw_face_down, "sold", not view.room & 2, view.piled
    if coming:
        slots["next"] = draw_next, coming
    return slots | pace


def draw_reading(mine: bool, coming: bool, pace: bool) -> str:
    head = _("Your library") if mine else _("The libraries, as far as seen")
    note = _("The light is the die. Pale: what was seen with the others.") if mine else _("The light is the die.")
    acts = f'<div class="acts">{placeholder("pace")}</div>' if pace else ""
    return (
        f'<div id="act" class="bare">{placeholder("bench")}<div class="body reading-body" tabindex="0">'
        f'<div class="library-head"><h2>{head}</h2><p class="small muted">{note}</p>'
        f"{placeholder('next') if coming else ''}</div>{placeholder('library')}</div>{acts}</div>"
    )


def draw_bench(running: bool) -> str:
    lead = f'<p class="lead">{placeholder("lead")}{DOTS if running else ""}</p>'
    return f'<div id="bench" class="bench">{placeholder("who")}{lead}{placeholder("places")}</div>'


def draw_who(person: PlayerShown) -> str:
    return f'<span id="who">{person.square}</span>'


def draw_places(card: bool, gives: bool) -> str:
    names = "lot" if card else "", "kept" if gives else "", "public", "sold" if gives else ""
    return f'<span id="places" class="places">{"".join([placeholder(name) for name in names if name])}</span>'


def draw_public() -> str:
    return f'<span id="public" class="place">{placeholder("space")}<small>{_("Public")}</small></span>'


def draw_face_down(id: str, lies: bool, count: int) -> str:
    """The card that the giver keeps or sends to auction, over the number of cards in the hand or the pile."""
    label = _("Hand") if id == "kept" else _("Auction")
    card = picture(BACK) if lies else SLOT
    return f'<span id="{id}" class="place">{card}<small>{label} <b>{number(count)}</b></small></span>'


def draw_lead(text: Any, *facts: Any) -> str:
    return f'<span id="lead">{plain(text(*facts))}</span>'


def draw_next(lines: Sequence[Slot]) -> str:
    return f'<ul id="next" class="next small">{"".join([f"<li>{text_of(line)}</li>" for line in lines])}</ul>'


def _bids(bids: Sequence[stage.Bid], gold: bool) -> Slots:
    slots: Slots = {"bids": (draw_bids, tuple([bid.seat for bid in bids]))}
    for bid in bids:
        slots[f"bidder-{bid.seat}"] = draw_bidder, bid.seat, bid.person, bid.you
        slots[f"bid-{bid.seat}"] = draw_bid, bid.seat, bid.bid, bid.kind, gold
    return slots


def draw_bids(seats: Sequence[int]) -> str:
    label = _("Bids so far")
    bidders = "".join([placeholder(f"bidder-{seat}") for seat in seats])
    return f'<ol id="bids" class="bids seats-{len(seats)}" aria-label="{label}">{bidders}</ol>'


def draw_bidder(seat: int, person: PlayerShown, you: bool) -> str:
    shown, mark = (_("You"), ' class="you"') if you else (f"<bdi>{plain(person.name)}</bdi>", "")
    bid = placeholder(f"bid-{seat}")
    return f'<li id="bidder-{seat}"{mark}>{person.square}<span class="bidder">{shown}</span>{bid}</li>'


def draw_bid(seat: int, bid: int, kind: str, gold: bool) -> str:
    """A stack of as many coins as are bid, the number and what it means; a shutter over who is out."""
    gone = kind in ("passed", "banned")
    pile = f"pile-{min(bid, HIGHEST_PILE)}" if gold else "sheaf"
    inside = own("shutter") if gone else own(pile) if bid else ""
    value = "–" if gone else number(bid) if bid else ""
    mark = f' class="{kind}"' if kind else ""
    return f'<span id="bid-{seat}"{mark}>{inside}<span>{stage.bid_text(kind, bid)}</span><b>{value}</b></span>'


def _orders(scene: Scene) -> Slots:
    """The viewer's standing orders that still apply, and those that they may give."""
    view = scene.view
    lot = len(view.lots) - 1
    given = dict(scene.orders)
    limit = limit_for(lot, given.get(BID_UP_TO))
    may_bid = scene.me is not None and not view.out >> scene.me & 1 and view.question == BID
    gold = PASS_GOLD in given
    slots: Slots = {"orders": (draw_orders, scene.key, gold, gold or limit is not None)}
    slots["order"] = (draw_order, scene.key, lot, limit, view.setup.highest_bid) if may_bid else NO_ORDER
    return slots
