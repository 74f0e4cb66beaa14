"""The present question at a table of Biblios: the situation on the left page, the answers on the right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from accounts.shown import PlayerShown
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
from games.faces.biblios.art import BACK, card_title, code_of
from games.faces.biblios.art import CHURCH as CHURCH_CARDS
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import Rival, Sums, key_of, placing, rival_in, totals
from games.faces.biblios.story import Story
from games.faces.language import N_, _
from games.faces.slots import Slot


class SpaceCard(NamedTuple):
    """A card in the public space."""

    code: str
    key: str
    kind: int


class Focus(NamedTuple):
    """The card in question."""

    code: str
    about: Caption
    key: str = ""
    source: str = ""
    """Where it comes from, as a selector."""

    @property
    def title(self) -> str:
        """Its name."""
        return _("A card") if self.code == BACK else card_title(self.code)

    @property
    def caption(self) -> str:
        """What it is here for."""
        return caption(*self.about)


Caption = tuple[Any, ...]
"""("place", card, cards) for the one who places it, ("placed", card, cards) for others, ("church", code),
("lot", lot, lots, in gold)."""


class Bid(NamedTuple):
    """What somebody has done about the card up for auction."""

    seat: int
    person: PlayerShown
    you: bool
    bid: int
    """Their last bid; 0 if there is none."""
    kind: str
    """`banned`, `passed`, `high`, `asked`, or nothing of these."""

    @property
    def text(self) -> str:
        """The same in words."""
        return bid_text(self.kind, self.bid)


class Stretch(NamedTuple):
    """How far the game has come."""

    phase: str
    """`gifts`, `auctions`, `over`."""
    number: int
    """The present turn or lot, from 1."""
    turns: int
    """There are so many turns, and as many lots."""

    @property
    def done(self) -> int:
        """So many turns and lots are over."""
        return {"gifts": self.number - 1, "auctions": self.turns + self.number - 1, "over": 2 * self.turns}[self.phase]


CHURCH = (DIE, SECOND_DIE)
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


ENDED = ("over", "aborted")
"""The kinds of spread when nothing more is played."""


def state_of(scene: Scene) -> str:
    """The kind of spread: `gift`, `choose`, `church`, `bid`, `pay`, `wait`, `over`, `aborted`."""
    return STATES[scene.view.question] if scene.state == "asked" else scene.state


def title(state: str, name: str, gold: bool) -> str:
    """The heading of the spread. `name`: the mover's; empty for the viewer."""
    if state == "wait":
        return _("%(name)s’s turn") % {"name": name} if name else _("Your turn")
    if state == "bid" and not gold:
        return _("Bid cards for gold")
    return {
        "gift": _("Place this card"),
        "choose": _("Choose a gift"),
        "church": _("The bishop’s favour"),
        "bid": _("Bid, or pass"),
        "over": _("The count"),
        "early": _("The game is over"),
        "aborted": _("The game is cancelled"),
    }[state]


def won(code: str) -> str:
    """The heading for whoever has to pay."""
    return _("You won %(card)s") % {"card": card_title(code)}


def title_of(state: str, scene: Scene) -> Slot:
    """What paints the heading."""
    view = scene.view
    if state == "pay" and view.card is not None:
        return won, code_of(view.card, view.setup.both_ways)
    name = "" if view.seat is None or view.seat == scene.me else scene.sitters[view.seat].person.name
    return (title, "early" if scene.ended else state, name, in_gold(view))


def question(view: BibliosView) -> str:
    """What the player is asked, in a few words."""
    state = STATES[view.question]
    if state == "pay" and view.card is not None:
        return won(code_of(view.card, view.setup.both_ways))
    return title(state, "", in_gold(view))


def note_of(state: str, scene: Scene, names: Sequence[str]) -> Slot:
    """What paints the note beside the heading: the size of the question, or how far the game is."""
    view = scene.view
    if state == "gift":
        return (caption, "drawn")
    if state == "choose":
        assert scene.me is not None
        after = view.setup.after[view.active]
        return (takers, *[names[seat] for seat in after[after.index(scene.me) + 1 :]])
    if view.question in CHURCH and not view.over:
        assert view.card is not None
        return church_words, code_of(view.card, view.setup.both_ways)
    if view.lots and not view.over:
        return caption, "lot", len(view.lots), view.setup.turns, in_gold(view)
    return (stretch_text, *stretch_of(view))


def takers(*later: str) -> str:
    """Who takes a gift after the viewer, in words."""
    if not later:
        return _("You take last")
    if len(later) == 1:
        return _("You take, then %(name)s") % {"name": later[0]}
    return _("You take, then %(first)s and %(second)s") % {"first": later[0], "second": later[1]}


def stretch_text(phase: str, number: int, turns: int) -> str:
    """How far the game has come, without its phase."""
    return progress(phase, number, turns)[1]


def stretch_of(view: BibliosView) -> Stretch:
    """How far the game has come."""
    turns = view.setup.turns
    if view.over and len(view.lots) == turns and view.card is None:
        return Stretch("over", turns, turns)
    return Stretch("auctions", len(view.lots), turns) if view.lots else Stretch("gifts", turn_of(view), turns)


def progress(phase: str, number: int, turns: int) -> tuple[str, str]:
    """A stretch in words: the phase, and how far it has come."""
    if phase == "over":
        return _("Game over"), _("%(turns)s turns, %(turns)s lots") % {"turns": turns}
    if phase == "auctions":
        return _("Auctions"), _("lot %(lot)s of %(lots)s") % {"lot": number, "lots": turns}
    return _("Gifts"), _("turn %(turn)s of %(turns)s") % {"turn": number, "turns": turns}


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
        return _focus(view, view.drawn, ("place", placing(view), view.setup.seats + 1), "#deck")
    if view.question in CHURCH:
        assert view.card is not None
        about = "church", code_of(view.card, view.setup.both_ways)
        return _focus(view, view.card, about, "#pile" if view.lots else "#deck")
    if view.card is None:
        return None
    return _focus(view, view.card, ("lot", len(view.lots), view.setup.turns, in_gold(view)), "#pile")


class Gain(NamedTuple):
    """What the card in question would do to a hand."""

    old: int
    new: int
    """The total of its category before and after."""
    rival: Rival


def gain(view: BibliosView, code: str, names: Sequence[str], sums: Sums) -> Gain | None:
    """What the card in question would do to the viewer's hand; None for a watcher, and if it has no value."""
    if view.me is None or code in (BACK, *CHURCH_CARDS):
        return None
    old = totals(view.hand)[code[0]]
    return Gain(old, old + int(code[1]), rival_in(code[0], view.me, names, sums))


def _focus(view: BibliosView, kind: int | None, about: Caption, source: str) -> Focus:
    assert kind is not None
    code = code_of(kind, view.setup.both_ways)
    return Focus(code, about, key_in(view, kind, view.space.count(kind) + (view.kept == kind)), source)


def caption(what: str, *facts: Any) -> str:
    """What a card is here for, in words."""
    if what == "placed":
        return _("Card %(card)s of %(cards)s") % {"card": facts[0], "cards": facts[1]}
    if what == "place":
        return _("Card %(card)s of %(cards)s, only you see it") % {"card": facts[0], "cards": facts[1]}
    if what == "drawn":
        return _("Only you see it")
    if what == "church":
        return church_words(facts[0])
    lot, lots, gold = facts
    text = _("Lot %(lot)s of %(lots)s, paid in gold") if gold else _("Lot %(lot)s of %(lots)s, paid in cards")
    return text % {"lot": lot, "lots": lots}


def church_words(code: str) -> str:
    """The effect of a Church card."""
    return {
        "C+": _("One more, on one die"),
        "C-": _("One less, on one die"),
        "C++": _("One more, on two different dice"),
        "C--": _("One less, on two different dice"),
        "C+-": _("One more or one less, on one die"),
        "C±": _("One more on one die, one less on another"),
    }[code]


# The right page, while the viewer waits


def waiting_for(view: BibliosView, name: str) -> Slot:
    """What paints who does what. `name`: the mover's; empty for the viewer."""
    if view.question == PLACE:
        return lead, "place", name, placing(view), view.setup.seats + 1
    if view.question == TAKE_GIFT:
        return lead, "gift", name
    if view.question in CHURCH:
        return lead, "church", name
    if view.question == BID:
        return lead, "bid", name
    return lead, "pay", name, view.high


def lead(what: str, name: str, *facts: int) -> str:
    """Who does what, in words."""
    if what == "place":
        text = (
            _("%(name)s is placing card %(card)s of %(cards)s")
            if name
            else _("You’re placing card %(card)s of %(cards)s")
        )
        return text % {"name": name, "card": facts[0], "cards": facts[1]}
    if what == "gift":
        text = _("%(name)s is choosing a gift") if name else _("You’re choosing a gift")
    elif what == "church":
        text = _("%(name)s is asking the bishop") if name else _("You’re asking the bishop")
    elif what == "bid":
        text = _("%(name)s is bidding") if name else _("You’re bidding")
    else:
        text = _("%(name)s is paying %(bid)s") if name else _("You’re paying %(bid)s")
        return text % {"name": name, "bid": facts[0]}
    return text % {"name": name}


def bids_so_far(scene: Scene, story: Story) -> list[Bid]:
    """Everybody's bids for the card, in playing order, the viewer last."""
    view, n = scene.view, scene.view.setup.seats
    start = view.active if view.me is None else view.me
    found = []
    for seat in [(start + 1 + i) % n for i in range(n)]:
        if view.banned >> seat & 1:
            kind = "banned"
        elif view.out >> seat & 1:
            kind = "passed"
        elif seat == view.bidder:
            kind = "high"
        else:
            kind = "asked" if seat == view.seat else ""
        found.append(Bid(seat, scene.sitters[seat].person, seat == view.me, story.bids.get(seat) or 0, kind))
    return found


def bid_text(kind: str, bid: int) -> str:
    """What somebody has done about the card up for auction, in words."""
    if kind == "banned":
        return _("may not bid")
    if kind == "passed":
        return _("passed")
    if kind == "high":
        return _("high bid")
    return _("last bid") if bid else _("to bid")


def coming(view: BibliosView, me: int, names: Sequence[str]) -> list[Slot]:
    """What paints what comes next for a viewer who waits, a sentence each."""
    if view.lots:
        if view.banned >> me & 1:
            return [(next_text, "banned")]
        return [(next_text, "passed")] if view.out >> me & 1 else []
    lines: list[Slot] = []
    turn, turns, n = turn_of(view), view.setup.turns, view.setup.seats
    away = (me - view.active) % n
    if away:
        takers = view.setup.after[view.active]
        if not (view.question == TAKE_GIFT and view.seat in takers[away:]) and view.seat != me:
            before = names[takers[away - 2]] if away > 1 else ""
            lines.append((next_text, ("first", "second", "third")[away - 1], 0, 0, before))
    own = turn + (away or n)
    if own <= turns:
        lines.append((next_text, "next turn" if own == turn + 1 else "later turn", own, turns))
    elif not lines or own > turns:
        lines.append((next_text, "auctions"))
    return lines


NEXT: dict[str, str] = {
    "banned": N_("You can no longer bid for this card."),
    "passed": N_("You’ve passed on this card."),
    "first": N_("You choose first."),
    "second": N_("You choose 2nd, after %(name)s."),
    "third": N_("You choose 3rd, after %(name)s."),
    "next turn": N_("Then: your own turn, %(turn)s of %(turns)s."),
    "later turn": N_("Your own next turn is %(turn)s of %(turns)s."),
    "auctions": N_("Then: the auctions."),
}


def next_text(what: str, turn: int = 0, turns: int = 0, name: str = "") -> str:
    """What comes next, in a sentence."""
    return _(NEXT[what]) % {"turn": turn, "turns": turns, "name": name}
