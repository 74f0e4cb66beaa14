"""The table of Biblios: the seats, the Scriptorium, the hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import GOLD, KINDS, TEXTS, VALUES
from games.engine.biblios.notation import DIE, PAY_CARDS, PAY_GOLD, SECOND_DIE
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import (
    NAMES,
    bare,
    card_art,
    card_label,
    card_short,
    categories,
    die_face,
    paint,
    short_names,
    symbol,
)
from games.faces.biblios.plates import draw_own_seat, draw_seat
from games.faces.biblios.scene import Scene
from games.faces.biblios.story import Story, sums_seen
from games.faces.language import N_, _, digits, ngettext, number
from games.faces.paint import clock, plain
from games.faces.slots import Slots, placeholder, uncached

Cell = tuple[str, str, bool, bool]
"""A place in the Scriptorium: total, best letter, whether it wins the die, whether the letter decided that."""
Hand = tuple[int, ...]
Sums = tuple[tuple[str, ...], ...]
"""By seat, what a viewer has seen of the totals: `≥5` in each category, and in gold."""
Rival = tuple[str, str]
"""The name of the rival who was seen with most of a category, and that total; empty if nobody was seen with any."""
DieChange = tuple[int, int]
"""The number on a die before it was moved, and the present one."""


# Seats


Doing = tuple[Any, ...]
"""What a seat did last, or does next: "points" or one of `DOINGS`, and the words in it, each with its value."""
DOINGS: dict[str, str] = {
    "": "",
    "bishop": N_("asking the bishop"),
    "pays": N_("paying %(bid)s"),
    "banned": N_("may not bid"),
    "passed": N_("passed"),
    "bids": N_("bidding"),
    "bid": N_("bid %(bid)s"),
    "high": N_("bid %(bid)s, highest"),
    "waits": N_("waiting"),
    "gives": N_("giving"),
    "places": N_("placing %(card)s of %(cards)s"),
    "took": N_("took %(card)s"),
    "chooses": N_("choosing"),
    "first": N_("1st to choose"),
    "second": N_("2nd to choose"),
    "third": N_("3rd to choose"),
}


def doing(scene: Scene, story: Story, seat: int) -> Doing:
    """What a seat did last, or does next."""
    view = scene.view
    if scene.result and view.over and not scene.ended:
        return "points", "points", scene.result["points"][seat]
    if view.over or scene.status == "aborted":
        return ("",)
    asked = seat == view.seat
    if view.question in (DIE, SECOND_DIE) and asked:
        return ("bishop",)
    if view.question in (PAY_GOLD, PAY_CARDS) and asked:
        return "pays", "bid", view.high
    if view.lots:
        return _bidding(view, story, seat)
    if seat == view.active:
        return ("places", "card", placing(view), "cards", view.setup.seats + 1) if asked else ("gives",)
    if seat in story.taken:
        return "took", "card", story.taken[seat]
    if asked:
        return ("chooses",)
    return (("first", "second", "third")[view.setup.after[view.active].index(seat)],)


def _bidding(view: BibliosView, story: Story, seat: int) -> Doing:
    if view.banned >> seat & 1:
        return ("banned",)
    if view.out >> seat & 1:
        return ("passed",)
    if seat == view.seat:
        return ("bids",)
    if story.bids.get(seat):
        return "high" if seat == view.bidder else "bid", "bid", story.bids[seat]
    return ("waits",)


def did(what: str, *facts: Any) -> str:
    """The same in two or three words."""
    words = dict(zip(facts[::2], facts[1::2], strict=True))
    if what == "points":
        return ngettext("%(points)s point", "%(points)s points", words["points"]) % words
    if what == "took":
        words["card"] = card_short(words["card"])
    return _(DOINGS[what]) % words


def placing(view: BibliosView) -> int:
    """The number of the card that the active player is placing in this turn, from 1."""
    open_ = (view.room & 1) + (view.room >> 1 & 1) + (view.room >> 2)
    return view.setup.seats + 2 - open_


def seats(scene: Scene, story: Story) -> Slots:
    """The slots of all seats, the same for every viewer."""
    view, slots = scene.view, Slots()
    for it in scene.sitters:
        seat, left_ms = it.index, scene.clock(it.index)
        turn = seat == view.seat and scene.status != "aborted"
        out = bool(view.lots) and not view.over and bool(view.out >> seat & 1)
        timed = left_ms is not None
        slots[f"seat-{seat}"] = draw_seat, seat, it.person, it.left, it.here, seat == view.first, timed
        slots[f"did-{seat}"] = draw_did, seat, turn, out, *doing(scene, story, seat)
        slots[f"n-{seat}"] = draw_count, f"n-{seat}", view.counts[seat]
        if timed:
            slots[f"clock-{seat}"] = draw_clock, seat, left_ms
    return slots


def own_seat(scene: Scene, me: int) -> Slots:
    """The slot of the viewer's own seat."""
    sitter = scene.sitters[me]
    timed = scene.clock(me) is not None
    return {"own-seat": (draw_own_seat, me, sitter.person, sitter.left, me == scene.view.first, timed)}


def draw_did(seat: int, turn: bool, out: bool, *doing: Any) -> str:
    mark = ' class="turn"' if turn else ' class="out"' if out else ""
    return f'<span id="did-{seat}"{mark}>{plain(did(*doing))}</span>'


def draw_count(id: str, count: int) -> str:
    return f'<span id="{id}">{number(count)}</span>'


@uncached
def draw_clock(seat: int, left_ms: int) -> str:
    return f'<b id="clock-{seat}" data-left="{left_ms}">{clock(left_ms)}</b>'


# The Scriptorium


def best_of(kinds: Iterable[int], category: str) -> str:
    return min((TEXTS[kind][2] for kind in kinds if TEXTS[kind][0] == category), default="")


def totals(kinds: Iterable[int]) -> dict[str, int]:
    """The sum of card values in each category, and of gold."""
    sums = dict.fromkeys(NAMES, 0)
    for kind in kinds:
        sums[TEXTS[kind][0]] += VALUES[kind]
    return sums


def known(view: BibliosView) -> list[tuple[Counter[int], bool]]:
    """By seat, the cards that the viewer saw the player get and not lose, and whether the player lost cards unseen."""
    story = Story()
    story.know(view)
    return list(zip(story.held, story.doubt, strict=True))


def sums_of(story: Story, view: BibliosView) -> Sums:
    """By seat, what the viewer has seen of the totals."""
    if story.flow == len(view.flow) and story.held:
        return tuple(story.sums)
    return tuple([sums_seen(held, doubt) for held, doubt in known(view)])


def rival_in(category: str, me: int | None, names: Sequence[str], sums: Sums) -> Rival:
    """Who is seen to be the strongest rival of `me` in a category, or in gold."""
    if category == "C":
        return "", ""
    place = "MPHSFG".index(category)
    seat = max([seat for seat in range(len(names)) if seat != me], key=lambda seat: int(sums[seat][place][1:]))
    return (names[seat], sums[seat][place]) if int(sums[seat][place][1:]) else ("", "")


def dice(view: BibliosView, story: Story) -> Slots:
    """The slots of the dice, the same for every viewer."""
    changes = {} if view.over else story.changes
    values = zip(LETTERS, view.dice, strict=True)
    return {f"die-{letter}": (draw_arch, letter, value, changes.get(letter)) for letter, value in values}


@lru_cache(maxsize=4000)
def totals_table(
    me: int | None,
    over: bool,
    hands: tuple[Hand | None, ...],
    sums: Sums,
) -> tuple[Slots, ...]:
    """The slots of the Scriptorium, each row in a part: what everybody has, as far as the viewer knows."""
    opened = None not in hands
    winners = category_winners([hand or () for hand in hands]) if opened else {}
    doubt = any([text[0] == "≈" for seat, texts in enumerate(sums) if hands[seat] is None for text in texts])
    rows = []
    for seat, hand in enumerate(hands):
        cells = _seen_cells(sums[seat]) if hand is None else _cells(hand, seat, winners)
        rows.append(_row(seat, seat == me, cells))
    return _canon(me or 0, len(hands), over, opened, doubt), *rows


@cache
def _canon(first: int, seats: int, *noted: bool) -> Slots:
    return {"canon": (draw_canon, first, seats), "seen": (draw_seen, *noted)}


@lru_cache(maxsize=4000)
def _row(seat: int, own: bool, cells: tuple[Cell, ...]) -> Slots:
    """The slots of a row of the Scriptorium. Not to be changed."""
    slots: Slots = {f"row-{seat}": (draw_row, seat, own)}
    for letter, cell in zip((*LETTERS, "G"), cells, strict=True):
        slots[f"sum-{seat}-{letter}"] = draw_cell, f"sum-{seat}-{letter}", *cell
    return slots


def draw_canon(first: int, seats: int) -> str:
    return paint("canon.jinja", seats=[(first + i) % seats for i in range(seats)])


def draw_seen(over: bool, opened: bool, doubt: bool) -> str:
    if over:
        note = _("Final totals.")
    elif opened:
        note = _("True totals.")
    else:
        note = _("≥ what was seen to come to them.")
    notes = [note, _("≈ cards were lost unseen since.") if doubt else "", _("A letter in a circle decides a tie.")]
    return f'<p id="seen" class="tiny muted">{" ".join(filter(None, notes))}</p>'


def draw_arch(letter: str, value: int, change: DieChange | None) -> str:
    name, title = plain(short_names()[letter]), _("Changed by a Church card")
    changed = (
        f'<span class="die-change number" title="{title}">{number(change[0])}→{number(change[1])}</span>'
        if change
        else ""
    )
    return (
        f'<span id="die-{letter}" class="arch" data-turns><span class="arch-die">{symbol(letter)}'
        f'{die_face(f"{letter}{value}")}{changed}</span><span class="name">{name}</span></span>'
    )


def draw_row(seat: int, own: bool) -> str:
    who, mark = ("own-seat", ' class="you"') if own else (f"seat-{seat}", "")
    cells = "".join([placeholder(f"sum-{seat}-{letter}") for letter in (*LETTERS, "G")])
    return f'<tr id="row-{seat}"{mark}><th scope="row">{placeholder(who)}</th>{cells}</tr>'


def draw_cell(id: str, total: str, letter: str, wins: bool, tied: bool) -> str:
    total, best = digits(total), f"<i>{letter}</i>" if letter else ""
    if not wins:
        return f'<td id="{id}">{total}{best}</td>'
    won = _("wins:")
    told = f'<span class="visually-hidden">{won} </span>'
    return f'<td id="{id}" class="win{" tie" if tied else ""}">{told}{total}{best}</td>'


@lru_cache(maxsize=4000)
def _seen_cells(sums: tuple[str, ...]) -> tuple[Cell, ...]:
    return tuple([(text, "", False, False) for text in sums])


@lru_cache(maxsize=2000)
def _own_cells(hand: Hand) -> tuple[Cell, ...]:
    sums = totals(hand)
    return (*((str(sums[c]), best_of(hand, c), False, False) for c in LETTERS), (str(sums["G"]), "", False, False))


def _cells(hand: Hand, seat: int, winners: dict[str, tuple[int | None, bool]]) -> tuple[Cell, ...]:
    if not winners:
        return _own_cells(hand)
    sums = totals(hand)
    cells = []
    for letter in LETTERS:
        winner, by_letter = winners.get(letter, (None, False))
        best = best_of(hand, letter)
        cells.append((str(sums[letter]), best, winner == seat, winner == seat and by_letter))
    return (*cells, (str(sums["G"]), "", False, False))


def category_winners(hands: Sequence[tuple[int, ...]]) -> dict[str, tuple[int | None, bool]]:
    """When the hands are open: who wins each die, and whether only the letter decided."""
    won = {}
    for letter in LETTERS:
        sums = [totals(hand)[letter] for hand in hands]
        high = max(sums)
        tied = [seat for seat, total in enumerate(sums) if total == high]
        winner = min(tied, key=lambda seat: best_of(hands[seat], letter) or "Z") if high else None
        won[letter] = (winner, len(tied) > 1)
    return won


# Hands


Cards = tuple[tuple[str, str, bool], ...]
"""Cards of one category: code, key of its motion, whether it is new."""


def by_category(kinds: Iterable[int]) -> dict[str, list[int]]:
    """The cards of a hand by category."""
    found: dict[str, list[int]] = {category: [] for category in (*LETTERS, "G")}
    for kind in kinds:
        found[TEXTS[kind][0]].append(kind)
    return found


def fan_of(kinds: Iterable[int], new: Sequence[int] = ()) -> Cards:
    """The cards of one category, the highest first. `new`: those of them that are new."""
    count: Counter[int] = Counter()
    cards = []
    for kind in sorted(kinds, key=lambda kind: (-VALUES[kind], kind)):
        count[kind] += 1
        cards.append((TEXTS[kind], key_of(kind, count[kind]), new.count(kind) >= count[kind]))
    return tuple(cards)


def key_of(kind: int, number: int = 1) -> str:
    """The key under which a known card travels over the page: its print, and a number among equal ones."""
    return TEXTS[kind] if kind < GOLD else f"{TEXTS[kind]}.{number}"


def group_label(category: str, total: int, count: int, best: str) -> str:
    words = {"category": categories()[category], "total": total, "count": count, "letter": best}
    if not count:
        return _("%(category)s: none") % words
    if not best:
        return (
            ngettext(
                "%(category)s: total %(total)s in %(count)s card",
                "%(category)s: total %(total)s in %(count)s cards",
                count,
            )
            % words
        )
    return (
        ngettext(
            "%(category)s: total %(total)s in %(count)s card, best letter %(letter)s",
            "%(category)s: total %(total)s in %(count)s cards, best letter %(letter)s",
            count,
        )
        % words
    )


def hand(scene: Scene, story: Story) -> tuple[Slots, ...]:
    """The slots of the viewer's own hand, those of each category in a part."""
    view = scene.view
    held = view.hand if view.over else story.hand_at(scene.steps, scene.since, view)
    return HAND, *fans(view.hand, None if held == view.hand else held)


def draw_hand() -> str:
    label = _("Your hand")
    return (
        f'<section id="hand" class="hand leaf" data-pane="hand" aria-label="{label}">{placeholder("groups")}</section>'
    )


HAND: Slots = {"hand": (draw_hand,)}
NO_HAND: tuple[Slots, ...] = {"hand": (str, '<section id="hand" hidden></section>')}, *[{}] * (2 + len(LETTERS))


@lru_cache(maxsize=4000)
def fans(kinds: Hand, before: Hand | None) -> tuple[Slots, ...]:
    """The slots of the cards in a hand, those of each category in a part; what was not in the hand `before` is new."""
    new = by_category((Counter(kinds) - Counter(kinds if before is None else before)).elements())
    held = by_category(kinds).items()
    return GROUPS, *[_fan(category, tuple(cards), tuple(new[category])) for category, cards in held]


@lru_cache(maxsize=4000)
def _fan(category: str, kinds: Hand, new: Hand) -> Slots:
    cards = fan_of(kinds, new)
    slots: Slots = {
        f"grp-{category}": (draw_fan, category, tuple([key for _code, key, _new in cards])),
        f"head-{category}": (draw_fan_head, category, tuple([code for code, _key, _new in cards])),
    }
    for code, key, is_new in cards:
        slots[f"f-{key}"] = draw_held, key, is_new
        slots[f"c-{key}"] = draw_card, code, key
    return slots


def draw_groups() -> str:
    groups = "".join([placeholder(f"grp-{category}") for category in (*LETTERS, "G")])
    return f'<div id="groups" class="groups">{groups}</div>'


GROUPS: Slots = {"groups": (draw_groups,)}


def draw_fan(category: str, keys: Sequence[str]) -> str:
    none = "" if keys else " none"
    head = f'<div id="grp-{category}" class="group{none}" data-cat="{category}" data-n="{len(keys)}">'
    head += placeholder(f"head-{category}")
    if not keys:
        return f'{head}<div class="fan"><span class="slot"></span></div></div>'
    cards = "".join([placeholder(f"f-{key}") for key in keys])
    return f'{head}<div class="fan" role="group" aria-label="{categories()[category]}" tabindex="0">{cards}</div></div>'


def draw_fan_head(category: str, codes: Sequence[str]) -> str:
    total = sum([VALUES[KINDS[code]] for code in codes])
    best = "" if category == "G" else min([code[2] for code in codes], default="")
    count = f"×{number(len(codes))}" if codes else ""
    label = group_label(category, total, len(codes), best)
    return (
        f'<p id="head-{category}" class="group-head"><span class="visually-hidden">{label}</span>'
        f'<span class="symbol" data-cat="{category}" aria-hidden="true">{bare(f"s-{category}")}</span>'
        f'<span class="group-name" aria-hidden="true">{categories()[category]}</span>'
        f'<b class="group-total" aria-hidden="true" data-total="{total}">{number(total)}</b>'
        f'<span class="group-letter" aria-hidden="true">{best}</span>'
        f'<span class="group-count" aria-hidden="true">{count}</span></p>'
    )


def draw_held(key: str, new: bool) -> str:
    return f'<span id="f-{key}" class="fan-card{" new" if new else ""}">{placeholder(f"c-{key}")}</span>'


def draw_card(code: str, key: str) -> str:
    return (
        f'<span id="c-{key}" class="card" data-cat="{code[0]}" role="img" aria-label="{plain(card_label(code))}"'
        f' data-card="{key}">{card_art(code)}</span>'
    )
