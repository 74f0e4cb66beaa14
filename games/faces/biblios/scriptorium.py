"""The table of Biblios: the seats, the Scriptorium, the hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.engine.biblios.cards import GOLD, TEXTS, VALUES
from games.engine.biblios.notation import DIE, PAY_CARDS, PAY_GOLD, SECOND_DIE
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import NAMES, card_art, card_label, categories, frame, own, paint
from games.faces.biblios.scene import Scene
from games.faces.biblios.story import Story, sums_seen
from games.faces.language import _, language, ngettext
from games.faces.paint import clock, plain, use
from games.faces.regions import Region
from games.faces.scene import Sitter


class Person(NamedTuple):
    """The player in a seat, as pages show them."""

    seat: int
    name: str
    username: str
    rating: str
    bot: bool
    left: str
    here: bool | None
    left_ms: int | None
    clock: str
    first: bool
    """Whether the player is active first, in the gifts and in the auctions."""
    turn: bool
    out: bool
    """Whether the player has passed, or may not bid for this card."""
    did: str
    """What the player did last, or does next, in two or three words."""
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


Cell = tuple[str, str, bool, bool]
"""A place in the Scriptorium: total, best letter, whether it wins the die, whether the letter decided that."""
Hand = tuple[int, ...]
DieChange = tuple[int, int]
"""The number on a die before it was moved, and the present one."""


# Seats


def people(scene: Scene, story: Story) -> list[Person]:
    """The players at the table, by seat."""
    return [_person(scene, story, sitter) for sitter in scene.sitters]


def _person(scene: Scene, story: Story, sitter: Sitter) -> Person:
    view, seat = scene.view, sitter.index
    mover = seat == view.seat
    left_ms = sitter.left_ms if scene.pace == "live" or mover else None
    return Person(
        seat,
        sitter.name,
        sitter.username,
        sitter.rating,
        sitter.bot,
        sitter.left,
        sitter.here,
        left_ms,
        "" if left_ms is None else clock(left_ms),
        seat == view.first,
        mover and scene.status != "aborted",
        bool(view.lots) and not view.over and bool(view.out >> seat & 1),
        did(scene, story, seat),
        view.counts[seat],
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
        return _("places %(card)s/%(cards)s") % {"card": placing(view), "cards": view.setup.seats + 1}
    if seat in story.taken:
        return _("took %(card)s") % {"card": story.taken[seat]}
    if asked:
        return _("chooses")
    return (_("picks 1st"), _("picks 2nd"), _("picks 3rd"))[view.setup.after[view.active].index(seat)]


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
    """The number of the card that the active player is placing in this turn, from 1."""
    open_ = (view.room & 1) + (view.room >> 1 & 1) + (view.room >> 2)
    return view.setup.seats + 2 - open_


def seats(scene: Scene, everybody: list[Person]) -> Region:
    """The rivals, in playing order after the viewer; all seats for a watcher."""
    n, me = len(everybody), scene.me
    first = 0 if me is None else me + 1
    spoken = language()
    rivals = [_seat(spoken, everybody[(first + i) % n]) for i in range(n - (me is not None))]
    before, after = _around(spoken, len(rivals), me is None)
    return Region("seats", before, *rivals, after)


@lru_cache(maxsize=50)
def _around(language: str, rivals: int, watching: bool) -> tuple[str, str]:
    label = _("Players, in turn order") if watching else _("Players, in turn order after you")
    order, end = _("Turn order"), _("then the first again") if watching else _("then you")
    return (
        f'<ol id="seats" class="seats rivals-{rivals}" aria-label="{label}">',
        f'<li class="turn-order" title="{order}">{use("i-turn", "icon flip")}'
        f'<span class="visually-hidden">{end}</span></li></ol>',
    )


@lru_cache(maxsize=4000)
def _seat(language: str, person: Person) -> Region:
    seat = person.seat
    inside = [
        Region(f"did-{seat}", f'<span id="did-{seat}">{plain(person.did)}</span>'),
        Region(f"n-{seat}", f'<span id="n-{seat}">{person.cards}</span>'),
    ]
    if person.left_ms is not None:
        inside.append(_clock(person))
    shown = person._replace(did="", cards=0, left_ms=None, clock="")
    return frame(f"seat-{seat}", "seat.jinja", *inside, person=shown, timed=person.left_ms is not None)


def _clock(person: Person) -> Region:
    id, text = f"clock-{person.seat}", _("Time left:")
    return Region(
        id,
        f'<span id="{id}" class="clock number" data-seat="{person.seat}" data-left="{person.left_ms}">'
        f'<span class="visually-hidden">{text}</span> <span data-time>{person.clock}</span></span>',
    )


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


def canon(scene: Scene, story: Story, everybody: list[Person]) -> Region:
    """The dice under their arcade, and what everybody has, as far as the viewer knows."""
    view = scene.view
    if story.flow == len(view.flow) and story.held:
        sums = tuple(story.sums)
    else:
        sums = tuple([sums_seen(held, doubt) for held, doubt in known(view)])
    changes = {} if view.over else story.changes
    return _canon(
        language(),
        scene.me,
        tuple([person.name for person in everybody]),
        view.dice,
        tuple([changes.get(letter) for letter in LETTERS]),
        view.hands,
        sums,
        view.over,
    )


@lru_cache(maxsize=2000)
def _canon(
    language: str,
    me: int | None,
    names: tuple[str, ...],
    dice: tuple[int, ...],
    changes: tuple[DieChange | None, ...],
    hands: tuple[Hand | None, ...],
    sums: tuple[tuple[str, ...], ...],
    over: bool,
) -> Region:
    rows = []
    known = [hand for hand in hands if hand is not None]
    opened = len(known) == len(hands)
    winners = category_winners(known) if opened else {}
    for i in range(len(names)):
        seat = ((me or 0) + i) % len(names)
        name = _("You") if seat == me else names[seat]
        hand = hands[seat]
        cells = _seen_cells(sums[seat]) if hand is None else _cells(hand, seat, winners)
        rows.append(_row(language, seat, name, seat == me, cells))
    doubt = any(text[0] == "≈" for seat, texts in enumerate(sums) if hands[seat] is None for text in texts)
    if over:
        note = _("final totals")
    elif opened:
        note = _("true totals")
    else:
        note = _("≥ seen, ≈ unsure") if doubt else _("≥ seen so far")
    title = _("≈: cards were lost unseen since")
    shown = f' title="{title}"' if doubt else ""
    corner = Region("seen", f'<span id="seen" class="tiny muted"{shown}>{note}</span>')
    arches = [_arch(language, *it) for it in zip(LETTERS, dice, changes, strict=True)]
    return frame("canon", "canon.jinja", corner, *arches, *rows, rows=len(rows), over=over)


@lru_cache(maxsize=1000)
def _arch(language: str, letter: str, value: int, change: DieChange | None) -> Region:
    return Region(
        f"die-{letter}",
        str(paint("arch.jinja", letter=letter, value=value, change=change, name=categories()[letter])),
    )


@lru_cache(maxsize=4000)
def _row(language: str, seat: int, name: str, you: bool, cells: tuple[Cell, ...]) -> Region:
    wins_text = _("wins:")
    texts = []
    for total, letter, wins, tied in cells:
        if wins:
            texts.append(
                f'<td class="win{" tie" if tied else ""}"><span class="visually-hidden">{wins_text} </span>{total}'
            )
        else:
            texts.append(f"<td>{total}")
        texts.append(f" <i>{letter}</i></td>" if letter else "</td>")
    shown, name = ' class="you"' if you else "", plain(name)
    head = f'<th scope="row"><bdi title="{name}">{name}</bdi></th>'
    return Region(f"row-{seat}", f'<tr id="row-{seat}"{shown}>{head}{"".join(texts)}</tr>')


@lru_cache(maxsize=4000)
def _seen_cells(sums: tuple[str, ...]) -> tuple[Cell, ...]:
    return tuple((text, "", False, False) for text in sums)


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
    """The key under which a known card travels over the page: its print, and a number among equal ones."""
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


def hand(scene: Scene, story: Story, everybody: list[Person], tag: str) -> Region:
    """The viewer's own hand; `tag` says what they have to do."""
    if scene.me is None:
        return NO_HAND
    view, me = scene.view, everybody[scene.me]
    held = view.hand if view.over else story.hand_at(scene.steps, scene.since, view)
    label, turn = _("Your hand"), " turn" if me.turn else ""
    return Region(
        "hand",
        f'<section id="hand" class="hand leaf{turn}" aria-label="{label}">',
        _hand_head(language(), me, tag),
        _fans(language(), view.hand, None if held == view.hand else held),
        "</section>",
    )


NO_HAND = Region("hand", '<section id="hand" hidden></section>')


@lru_cache(maxsize=4000)
def _hand_head(language: str, me: Person, tag: str) -> Region:
    cards = ngettext("card", "cards", me.cards)
    tags = f'<span id="tag" class="tag you turn-tag">{plain(tag)}</span>' if tag else '<span id="tag" hidden></span>'
    inside = [Region("tag", tags)] if not me.left else []
    inside.append(Region("hand-n", f'<span id="hand-n">{me.cards}<span class="hide-small"> {cards}</span></span>'))
    if me.left_ms is not None:
        inside.append(_clock(me))
    shown = me._replace(did="", cards=0, left_ms=None, clock="", turn=False, out=False, here=True)
    return frame("hand-h", "hand.jinja", *inside, me=shown, timed=me.left_ms is not None)


@lru_cache(maxsize=4000)
def _fans(language: str, kinds: tuple[int, ...], before: tuple[int, ...] | None) -> Region:
    """The cards of a hand; those that were not in the hand `before` are new."""
    new = None if before is None else Counter(kinds) - Counter(before)
    fans = [_fan(language, group) for group in groups(kinds, new)]
    return Region("groups", '<div id="groups" class="groups">', *fans, "</div>")


@lru_cache(maxsize=4000)
def _fan(language: str, group: Group) -> Region:
    none = "" if group.cards else " none"
    head = (
        f'<div id="grp-{group.category}" class="group{none}" data-cat="{group.category}" data-n="{len(group.cards)}">'
    )
    if not group.cards:
        return Region(
            f"grp-{group.category}", head, _fan_head(group), '<div class="fan"><span class="slot"></span></div></div>'
        )
    parts: list[str | Region] = [f'<div class="fan" role="group" aria-label="{group.name}" tabindex="0">']
    parts += [_held(language, *card) for card in group.cards]
    return Region(f"grp-{group.category}", head, _fan_head(group), *parts, "</div></div>")


def _fan_head(group: Group) -> Region:
    id, category = f"head-{group.category}", group.category
    count = f"×{len(group.cards)}" if group.cards else ""
    return Region(
        id,
        f'<p id="{id}" class="group-head"><span class="visually-hidden">{group.label}</span>'
        f'<span class="symbol" data-cat="{category}" aria-hidden="true">{own(f"s-{category}")}</span>'
        f'<span class="group-name" aria-hidden="true">{group.name}</span>'
        f'<b class="group-total" aria-hidden="true">{group.total}</b>'
        f'<span class="group-letter" aria-hidden="true">{group.best}</span>'
        f'<span class="group-count" aria-hidden="true">{count}</span></p>',
    )


@lru_cache(maxsize=1000)
def _held(language: str, code: str, key: str, new: bool) -> Region:
    mark = " new" if new else ""
    return Region(f"f-{key}", f'<span id="f-{key}" class="fan-card{mark}">', _card(language, code, key), "</span>")


@lru_cache(maxsize=500)
def _card(language: str, code: str, key: str) -> Region:
    return Region(
        f"c-{key}",
        f'<span id="c-{key}" class="card" data-cat="{code[0]}" role="img" aria-label="{plain(card_label(code))}"'
        f' data-card="{key}">{card_art(code)}</span>',
    )
