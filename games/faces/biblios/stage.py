"""The present question at a table of Biblios: the situation on the left page, the answers on the right one."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from games.engine.biblios.cards import GOLD, HIDDEN
from games.engine.biblios.notation import (
    BID,
    DIE,
    OVER,
    PAY_CARDS,
    PAY_GOLD,
    PLACE,
    SECOND_DIE,
    TAKE_GIFT,
)
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import card_title, code_of
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import Person, key_of, placing
from games.faces.biblios.story import Story
from games.faces.language import _, ngettext


class Pile(NamedTuple):
    """A pile on the table."""

    id: str
    name: str
    cards: int
    code: str
    """The card on top, as the viewer sees it."""


class SpaceCard(NamedTuple):
    """A card in the public space."""

    code: str
    key: str
    kind: int


class Focus(NamedTuple):
    """The card in question."""

    code: str
    title: str
    caption: str
    key: str = ""
    source: str = ""
    """Where it comes from, as a selector."""


class Bid(NamedTuple):
    """What somebody has done about the card up for auction."""

    person: Person
    you: bool
    bid: int
    """Their last bid; 0 if there is none."""
    kind: str
    """`banned`, `passed`, `high`, `asked`, or nothing of these."""
    text: str


class Wait(NamedTuple):
    """What somebody waits for."""

    lead: str
    next: list[str]
    bids: list[Bid]


STATES = {
    PLACE: "gift",
    TAKE_GIFT: "choose",
    DIE: "church",
    SECOND_DIE: "church",
    BID: "bid",
    PAY_GOLD: "pay",
    PAY_CARDS: "pay",
    OVER: "over",
}


def state_of(scene: Scene) -> str:
    """The kind of spread: `gift`, `choose`, `church`, `bid`, `pay`, `wait`, `penalty`, `over`, `aborted`."""
    view = scene.view
    if view.over:
        return "over"
    if scene.status == "aborted" and scene.steps and scene.steps[-1].move in ("!abort", "!deserted"):
        return "aborted"
    if view.seat == scene.me and scene.playing:
        return STATES[view.question]
    return "wait"


def punished(scene: Scene, story: Story) -> bool:
    """Whether the viewer has just failed to pay for the card that is up again."""
    own = story.own
    return (
        scene.me is not None
        and own is not None
        and own.move == "refuse"
        and bool(scene.view.banned >> scene.me & 1)
        and not scene.view.over
    )


def title(state: str, scene: Scene, everybody: list[Person]) -> str:
    """The heading of the spread."""
    view = scene.view
    if state == "wait":
        if view.seat == scene.me:
            return _("Your turn")
        assert view.seat is not None
        return _("%(name)s’s turn") % {"name": everybody[view.seat].name}
    if state == "bid" and not in_gold(view):
        return _("Bid cards for gold")
    return {
        "gift": _("Place this card"),
        "choose": _("Choose a gift"),
        "church": _("The bishop’s favour"),
        "bid": _("Bid, or pass"),
        "pay": _("You won the lot"),
        "penalty": _("Penalty"),
        "over": _("The library is judged"),
        "aborted": _("The game is called off"),
    }[state]


def progress(view: BibliosView) -> tuple[str, str, int, int]:
    """The phase, how far it has come, and the same as marks made of marks in all."""
    turns = view.setup.turns
    if view.over:
        words = {"turns": turns}
        return _("Game over"), _("%(turns)s turns, %(turns)s lots") % words, 2 * turns, 2 * turns
    if view.lots:
        lot = len(view.lots)
        return (
            _("Auction phase"),
            _("lot %(lot)s of %(lots)s") % {"lot": lot, "lots": turns},
            turns + lot - 1,
            2 * turns,
        )
    turn = turn_of(view)
    return _("Gift phase"), _("turn %(turn)s of %(turns)s") % {"turn": turn, "turns": turns}, turn - 1, 2 * turns


def turn_of(view: BibliosView) -> int:
    """The number of the present turn of the gift phase, from 1."""
    size = view.setup.seats + 1
    placed = view.setup.turns * size - view.deck
    in_turn = size - ((view.room & 1) + (view.room >> 1 & 1) + (view.room >> 2))
    return (placed - in_turn) // size + 1


def in_gold(view: BibliosView) -> bool:
    """Whether the card up for auction is paid in gold; otherwise it is gold, and paid in cards."""
    return view.card is not None and not GOLD <= view.card < GOLD + 3


# The left page


def piles(view: BibliosView) -> list[Pile]:
    """The draw pile, the auction pile, the discard pile."""
    found = []
    if not view.lots:
        found.append(Pile("deck", _("Draw"), view.deck, "back"))
    found.append(Pile("pile", _("Auction"), view.piled, "back"))
    top = code_of(view.discard[-1], view.setup.both_ways) if view.discard else ""
    found.append(Pile("discard", _("Discard"), len(view.discard), top))
    return found


def key_in(view: BibliosView, kind: int, more: int = 0) -> str:
    """The key of a card on the table: the one under which it would arrive in the viewer's hand."""
    return "" if kind == HIDDEN else key_of(kind, view.hand.count(kind) + 1 + more)


def space_cards(view: BibliosView) -> list[SpaceCard]:
    """The public space."""
    seen = Counter(() if view.kept is None else (view.kept,))
    cards = []
    for kind in view.space:
        cards.append(SpaceCard(code_of(kind, view.setup.both_ways), key_in(view, kind, seen[kind]), kind))
        seen[kind] += 1
    return cards


def focus(view: BibliosView, me: int | None) -> Focus | None:
    """The card in question; None if there is none."""
    mine = view.seat == me
    if view.question == PLACE and mine:
        words = {"card": placing(view), "cards": view.setup.seats + 1}
        caption = _("Card %(card)s of %(cards)s · only you see it") % words
        return _focus(view, view.drawn, caption, "#deck")
    if view.question in (DIE, SECOND_DIE):
        return _focus(view, view.card, church_words(view), "#pile" if view.lots else "#deck")
    if view.card is None:
        return None
    words = {"lot": len(view.lots), "lots": view.setup.turns, "bid": view.high}
    if view.question in (PAY_GOLD, PAY_CARDS) and mine:
        if in_gold(view):
            caption = _("You won it with a bid of %(bid)s gold") % words
        else:
            caption = (
                ngettext("You won it with a bid of %(bid)s card", "You won it with a bid of %(bid)s cards", view.high)
                % words
            )
    elif in_gold(view):
        caption = _("Lot %(lot)s of %(lots)s · paid in gold") % words
    else:
        caption = _("Lot %(lot)s of %(lots)s · paid in cards, face down") % words
    return _focus(view, view.card, caption, "#pile")


def _focus(view: BibliosView, kind: int | None, caption: str, source: str) -> Focus:
    assert kind is not None
    code = code_of(kind, view.setup.both_ways)
    key = key_in(view, kind, view.space.count(kind) + (view.kept == kind))
    return Focus(code, card_title(code), caption, key, source)


def church_words(view: BibliosView) -> str:
    """The effect of the Church card."""
    assert view.card is not None
    return {
        "C+": _("One more, on one die"),
        "C-": _("One less, on one die"),
        "C++": _("One more, on two different dice"),
        "C--": _("One less, on two different dice"),
        "C+-": _("One more or one less, on one die"),
        "C±": _("One more on one die, one less on another"),
    }[code_of(view.card, view.setup.both_ways)]


# The right page, while the viewer waits


def waiting(scene: Scene, everybody: list[Person], story: Story) -> Wait:
    """Who does what, and what comes next for the viewer."""
    view = scene.view
    assert view.seat is not None
    mover = everybody[view.seat]
    words = {"name": mover.name, "card": placing(view), "cards": view.setup.seats + 1, "bid": view.high}
    own = view.seat == scene.me
    if view.question == PLACE:
        lead = (
            _("You are placing card %(card)s of %(cards)s")
            if own
            else _("%(name)s is placing card %(card)s of %(cards)s")
        )
    elif view.question == TAKE_GIFT:
        lead = _("You are choosing a gift") if own else _("%(name)s is choosing a gift")
    elif view.question in (DIE, SECOND_DIE):
        lead = _("You are asking the bishop") if own else _("%(name)s is asking the bishop")
    elif view.question == BID:
        lead = _("You are bidding") if own else _("%(name)s is bidding")
    else:
        lead = _("You are paying %(bid)s") if own else _("%(name)s is paying %(bid)s")
    return Wait(
        lead % words,
        _next(view, scene.me) if scene.me is not None and scene.playing else [],
        bids_so_far(view, everybody, story) if view.lots and view.question not in (DIE, SECOND_DIE) else [],
    )


def bids_so_far(view: BibliosView, everybody: list[Person], story: Story) -> list[Bid]:
    """Everybody's bids for the card, in playing order, the viewer last."""
    n = view.setup.seats
    start = view.active if view.me is None else view.me
    found = []
    for seat in [(start + 1 + i) % n for i in range(n)]:
        bid = story.bids.get(seat)
        if view.banned >> seat & 1:
            kind, text = "banned", _("may not bid")
        elif view.out >> seat & 1:
            kind, text = "passed", _("passed")
        elif seat == view.bidder:
            kind, text = "high", _("high bid")
        elif seat == view.seat:
            kind, text = "asked", _("last bid") if bid else _("to bid")
        else:
            kind, text = "", _("last bid") if bid else _("to bid")
        found.append(Bid(everybody[seat], seat == view.me, bid or 0, kind, text))
    return found


def _next(view: BibliosView, me: int) -> list[str]:
    if view.lots:
        if view.banned >> me & 1:
            return [_("You may no longer bid for this card.")]
        if view.out >> me & 1:
            return [_("You have passed on this card.")]
        return []
    lines = []
    turn, turns, n = turn_of(view), view.setup.turns, view.setup.seats
    away = (me - view.active) % n
    after = view.setup.after[view.active]
    if away:
        taken = view.question == TAKE_GIFT and view.seat in after[away:]
        if not taken and view.seat != me:
            lines.append(
                (
                    _("Next: you take first from the public space."),
                    _("Next: you take second from the public space."),
                    _("Next: you take third from the public space."),
                )[away - 1]
            )
    own = turn + (away or n)
    if own <= turns:
        words = {"turn": own, "turns": turns}
        if own == turn + 1:
            lines.append(_("Then: your own turn, %(turn)s of %(turns)s.") % words)
        else:
            lines.append(_("Your own next turn is %(turn)s of %(turns)s.") % words)
    elif not lines or own > turns:
        lines.append(_("Then: the auctions."))
    return lines


def tag(state: str, scene: Scene, story: Story) -> str:
    """What the viewer has to do, in a word or two beside their name."""
    view = scene.view
    if state == "over":
        points = scene.result["points"][scene.me] if scene.result else 0
        return ngettext("%(points)s point", "%(points)s points", points) % {"points": points}
    if state in ("wait", "penalty"):
        if punished(scene, story):
            return _("Penalty")
        if view.lots and scene.me is not None and view.out >> scene.me & 1:
            return _("Passed")
        return ""
    return {
        "gift": _("Your turn"),
        "choose": _("Your choice"),
        "church": _("Your choice"),
        "bid": _("Your bid"),
        "pay": _("Pay"),
        "aborted": "",
    }[state]
