"""What stands on the table of Biblios: the seats, the Scriptorium, the hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from accounts.avatar import avatar
from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import GOLD, HIDDEN, PILE, SPACE, TEXTS, VALUES
from games.engine.biblios.notation import DIE, PAY_CARDS, PAY_GOLD, SECOND_DIE
from games.engine.biblios.view import BibliosView
from games.faces.biblios import NAMES, categories, clock, paint
from games.faces.biblios_story import Story
from games.faces.language import _, language, ngettext
from games.scene import Scene, Sitter


class Person(NamedTuple):
    """Who sits at a seat, as pages show him."""

    index: int
    name: str
    username: str
    initial: str
    pattern: str
    rating: str
    bot: bool
    left: str
    here: bool
    left_ms: int | None
    clock: str
    first: bool
    """Is active first, in the gifts and in the auctions."""
    turn: bool
    out: bool
    """Has passed, or may not bid for this card."""
    did: str
    """What he did last, or does next, in two or three words."""
    cards: int


class Group(NamedTuple):
    """The cards of one category in a hand."""

    category: str
    name: str
    total: int
    best: str
    """The letter nearest to A."""
    cards: tuple[tuple[str, str, bool], ...]
    """Code, key of its motion, whether it is new."""
    label: str


class Row(NamedTuple):
    """A line of the Scriptorium: totals of one player."""

    name: str
    you: bool
    cells: tuple[tuple[str, str, bool, bool], ...]
    """Total, best letter, whether it wins the die, whether the letter decided that."""


@lru_cache(maxsize=4000)
def _kept(language: str, template: str, context: tuple[tuple[str, Any], ...]) -> Markup:
    return paint(template, **dict(context))


def kept(template: str, **context: Any) -> Markup:
    """A template whose context can be hashed: drawn once for equal contexts."""
    return _kept(language(), template, tuple(context.items()))


# Seats


def people(scene: Scene, story: Story) -> list[Person]:
    """Who sits at the table, by seat."""
    return [_person(scene, story, sitter) for sitter in scene.sitters]


_avatar = lru_cache(maxsize=1000)(avatar)


def _person(scene: Scene, story: Story, sitter: Sitter) -> Person:
    view, seat = scene.view, sitter.index
    initial, pattern = _avatar(sitter.name)
    mover = seat == view.seat
    left_ms = sitter.left_ms if scene.pace == "live" or mover else None
    return Person(
        index=seat,
        name=sitter.name,
        username=sitter.username,
        initial=initial,
        pattern=pattern,
        rating=sitter.rating,
        bot=sitter.bot,
        left=sitter.left,
        here=sitter.here,
        left_ms=left_ms,
        clock=clock(left_ms) if left_ms is not None else "",
        first=seat == view.first,
        turn=mover and scene.status != "aborted",
        out=bool(view.lots) and not view.over and bool(view.out >> seat & 1),
        did=did(scene, story, seat),
        cards=view.counts[seat],
    )


def did(scene: Scene, story: Story, seat: int) -> str:
    """What a seat did last, or does next, in two or three words."""
    view = scene.view
    if scene.result and view.over:
        points = scene.result["points"][seat]
        return ngettext("%(points)s point", "%(points)s points", points) % {"points": points}
    if view.over or scene.status == "aborted":
        return ""
    asked = seat == view.seat
    if view.question in (DIE, SECOND_DIE) and asked:
        return _("asks the bishop")
    if view.question in (PAY_GOLD, PAY_CARDS) and asked:
        return _("pays %(bid)s") % {"bid": view.high}
    if view.lots:
        return _bid(view, story, seat)
    if seat == view.active:
        if not asked:
            return _("gives")
        return _("places %(card)s/%(cards)s") % {"card": placing(view), "cards": view.table.seats + 1}
    if seat in story.taken:
        return _("took %(card)s") % {"card": story.taken[seat]}
    if asked:
        return _("chooses")
    return (_("picks 1st"), _("picks 2nd"), _("picks 3rd"))[view.table.after[view.active].index(seat)]


def _bid(view: BibliosView, story: Story, seat: int) -> str:
    if view.banned >> seat & 1:
        return _("may not bid")
    if view.out >> seat & 1:
        return _("passed")
    if seat == view.seat:
        return _("bids")
    if story.bids.get(seat):
        return _("bid %(bid)s") % {"bid": story.bids[seat]}
    return _("waits")


def placing(view: BibliosView) -> int:
    """Which card of his turn the active player places, from 1."""
    open_ = (view.room & 1) + (view.room >> 1 & 1) + (view.room >> 2)
    return view.table.seats + 2 - open_


def seats(scene: Scene, everybody: list[Person]) -> Markup:
    """The rivals, in playing order after the viewer; all seats for a watcher."""
    n = len(everybody)
    first = 0 if scene.me is None else scene.me + 1
    rivals = [everybody[(first + i) % n] for i in range(n - (scene.me is not None))]
    return kept("biblios/seats.jinja", rivals=tuple(rivals), me=scene.me, over=scene.status != "running")


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
    """By seat, the cards that the viewer saw him get and not lose, and whether he lost cards unseen."""
    return [(Counter(held), doubt) for held, doubt in _known(view.flow, view.table.seats)]


@lru_cache(maxsize=1000)
def _known(flow: tuple[tuple[int, int, int], ...], seats: int) -> tuple[tuple[tuple[int, ...], bool], ...]:
    held: list[Counter[int]] = [Counter() for _seat in range(seats)]
    doubt = [False] * seats
    for source, target, kind in flow:
        if source >= 0:
            if kind == HIDDEN:
                doubt[source] = True
            elif held[source][kind]:
                held[source][kind] -= 1
        if target >= 0 and kind != HIDDEN and (source in (SPACE, PILE) or source >= 0):
            held[target][kind] += 1
    return tuple((tuple(cards.elements()), lost) for cards, lost in zip(held, doubt, strict=True))


def canon(scene: Scene, story: Story, everybody: list[Person]) -> Markup:
    """The dice under their arcade, and what everybody has, as far as the viewer knows."""
    view = scene.view
    n = len(everybody)
    first = 0 if scene.me is None else scene.me
    rows = []
    seen = _known(view.flow, view.table.seats) if not view.over else ()
    opened = all(hand is not None for hand in view.hands)
    winners = category_winners(scene) if opened else {}
    for seat in [(first + i) % n for i in range(n)]:
        you = seat == scene.me
        name = _("You") if you else everybody[seat].name
        if view.over or view.hands[seat] is not None:
            rows.append(Row(name, you, _cells(view.hands[seat], seat, winners)))
        else:
            held, doubt = seen[seat]
            rows.append(Row(name, you, _seen_cells(held, doubt)))
    changes = tuple((letter, *story.changes[letter]) for letter in LETTERS if letter in story.changes)
    doubtful = any(cell[0].startswith("≈") for row in rows for cell in row.cells)
    return kept(
        "biblios/canon.jinja",
        names=tuple(categories()[letter] for letter in LETTERS),
        dice=view.dice,
        changes=() if view.over else changes,
        rows=tuple(rows),
        over=view.over,
        opened=opened,
        doubt=doubtful,
    )


@lru_cache(maxsize=2000)
def _seen_cells(held, doubt):
    sums = totals(held)
    cells = [("≈" if doubt and sums[c] else "≥") + str(sums[c]) for c in (*LETTERS, "G")]
    return tuple((text, "", False, False) for text in cells)


@lru_cache(maxsize=2000)
def _own_cells(hand):
    sums = totals(hand)
    return (*((str(sums[c]), best_of(hand, c), False, False) for c in LETTERS), (str(sums["G"]), "", False, False))


def _cells(hand, seat, winners):
    if not winners:
        return _own_cells(hand)
    sums = totals(hand)
    cells = []
    for letter in LETTERS:
        winner, by_letter = winners.get(letter, (None, False))
        best = best_of(hand, letter)
        cells.append((str(sums[letter]), best, winner == seat, winner == seat and by_letter))
    return (*cells, (str(sums["G"]), "", False, False))


def category_winners(scene: Scene) -> dict[str, tuple[int | None, bool]]:
    """When the hands lie open: who wins each die, and whether only the letter told."""
    hands = scene.view.hands
    won = {}
    for letter in LETTERS:
        sums = [totals(hand)[letter] for hand in hands]
        high = max(sums)
        tied = [seat for seat, total in enumerate(sums) if total == high]
        winner = min(tied, key=lambda seat: best_of(hands[seat], letter) or "Z") if high else None
        won[letter] = (winner, len(tied) > 1)
    return won


# Hands


def groups(kinds: Iterable[int], new: Counter[int] | None = None) -> tuple[Group, ...]:
    """The cards of a hand by category, the highest first."""
    new = Counter(new or ())
    by_category: dict[str, list[int]] = {category: [] for category in (*LETTERS, "G")}
    for kind in kinds:
        by_category[TEXTS[kind][0]].append(kind)
    made = []
    for category, held in by_category.items():
        held.sort(key=lambda kind: (-VALUES[kind], kind))
        count: Counter[int] = Counter()
        cards = []
        for kind in held:
            count[kind] += 1
            cards.append((TEXTS[kind], key_of(kind, count[kind]), new[kind] >= count[kind]))
        total = sum(VALUES[kind] for kind in held)
        best = "" if category == "G" else best_of(held, category)
        made.append(
            Group(
                category, categories()[category], total, best, tuple(cards), _group_label(category, total, held, best)
            )
        )
    return tuple(made)


def key_of(kind: int, number: int = 1) -> str:
    """The key under which a known card travels over the page: what is printed on it, and a number among equal ones."""
    return TEXTS[kind] if kind < GOLD else f"{TEXTS[kind]}.{number}"


def _group_label(category: str, total: int, held: list[int], best: str) -> str:
    words = {"category": categories()[category], "total": total, "count": len(held), "letter": best}
    if not held:
        return _("%(category)s: none") % words
    if not best:
        return (
            ngettext(
                "%(category)s: total %(total)s in %(count)s card",
                "%(category)s: total %(total)s in %(count)s cards",
                len(held),
            )
            % words
        )
    return (
        ngettext(
            "%(category)s: total %(total)s in %(count)s card, best letter %(letter)s",
            "%(category)s: total %(total)s in %(count)s cards, best letter %(letter)s",
            len(held),
        )
        % words
    )


def fan(kinds: Iterable[int], new: Counter[int] | None = None, moving: bool = False) -> Markup:
    """The cards of a hand, drawn; with `moving`, each can be followed when it goes elsewhere."""
    return _fan(language(), tuple(kinds), tuple((new or Counter()).elements()), moving)


@lru_cache(maxsize=4000)
def _fan(language: str, kinds: tuple[int, ...], new: tuple[int, ...], moving: bool) -> Markup:
    return paint("biblios/fan.jinja", groups=groups(kinds, Counter(new)), moving=moving)


def hand(scene: Scene, everybody: list[Person], tag: str) -> Markup:
    """The viewer's own hand; `tag` says what he has to do."""
    if scene.me is None:
        return Markup('<section id="hand" hidden></section>')
    view = scene.view
    since = next((step for step in scene.news if not step.move.startswith("!")), None)
    new = Counter(view.hand) - Counter(since.before.hand) if since and not view.over else Counter()
    me = everybody[scene.me]
    return kept("biblios/hand.jinja", me=me, fan=fan(view.hand, new, moving=True), tag=tag, cards=len(view.hand))
