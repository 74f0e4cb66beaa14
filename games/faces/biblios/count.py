"""The card counter of Biblios: what has become of each card, as far as the viewer has seen.

It knows nothing but the viewer's view: what was shown to everybody, and the viewer's own cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from games.engine.biblios.cards import CATEGORIES, CHURCH, GOLD, HIDDEN, LETTERS, TEXTS
from games.engine.biblios.options import REMOVED_OF_EACH_GOLD
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import categories, mini, symbol
from games.faces.biblios.log import short_names
from games.faces.biblios.story import Story
from games.faces.language import _, digits, number
from games.faces.paint import icon, plain
from games.faces.slots import Slots, draw_list, placeholder

MINE, SENT, OPEN, GONE = "mine", "sent", "open", "spent"
"""What has become of a card: in the viewer's hand, put in the auction pile by them, face up on the table, discarded.
A number is the seat of the rival who was seen to get it; an empty text means that it was not seen."""
OF_EACH_GOLD = 11
CHURCH_CARDS = 9


def tallied(view: BibliosView, story: Story) -> tuple[list[str], list[int], list[int]]:
    """By kind, what has become of it, and how often it was seen; one's own cards to be sold."""
    me = view.me
    seen = [0] * len(TEXTS)
    states = [""] * len(TEXTS)

    def note(state: str, kinds: Iterable[int]) -> None:
        for kind in kinds:
            seen[kind] += 1
            states[kind] = state

    for seat, hand in enumerate(view.hands):
        if seat == me:
            continue
        if hand is not None:
            note(str(seat), hand)
        elif story.held:
            for kind, count in story.held[seat].items():
                if count:
                    seen[kind] += count
                    states[kind] = str(seat)
    sent = [] if view.over or not story.sent else list((Counter(story.sent) - Counter(view.lots)).elements())
    note(SENT, sent)
    note(MINE, view.hand)
    note(MINE, _known((view.kept,)))
    note(GONE, view.discard)
    note(GONE, _buried(view) if view.over else story.buried)
    note(OPEN, view.space)
    note(OPEN, _known((view.card, view.drawn)))
    return states, seen, sent


def _known(kinds: Sequence[int | None]) -> list[int]:
    return [kind for kind in kinds if kind is not None and kind != HIDDEN]


def _buried(view: BibliosView) -> list[int]:
    return [kind for kinds in view.buried for kind in kinds]


def moved(view: BibliosView) -> tuple[Any, ...]:
    """What changes whenever a card was seen to move."""
    sizes = len(view.flow), len(view.discard), len(view.lots)
    return (*sizes, view.card, view.drawn, view.kept, view.space, view.hand, view.over)


def count(view: BibliosView, story: Story, names: tuple[str, ...]) -> tuple[Slots, ...]:
    """The slots of the counter, each category in a part."""
    states, seen, sent = tallied(view, story)
    doubt = tuple([False] * len(names) if view.over else story.doubt)
    rows = []
    for row, category in enumerate(CATEGORIES):
        first = row * len(LETTERS)
        rows.append(_row(category, tuple(states[first : first + len(LETTERS)]), names))
    gold = OF_EACH_GOLD - REMOVED_OF_EACH_GOLD[len(names)]
    unseen = tuple([max(0, gold - seen[kind]) for kind in range(GOLD, CHURCH)])
    church = CHURCH_CARDS - sum([seen[kind] for kind in range(CHURCH, len(TEXTS))])
    own = None if view.me is None else tuple([TEXTS[kind] for kind in sent])
    return _panel(view.me, names, doubt), *rows, _rest(unseen, church, own)


@lru_cache(maxsize=1000)
def gone(codes: tuple[str, ...]) -> Slots:
    """The slots of the discards, which everybody has seen, in their order."""
    cards = {f"spent-{at}": code for at, code in enumerate(codes)}
    slots: Slots = {"spent": (draw_list, "spent", tuple(cards))}
    return slots | {id: (draw_card, id, code) for id, code in cards.items()}


@lru_cache(maxsize=1000)
def _panel(me: int | None, names: tuple[str, ...], doubt: tuple[bool, ...]) -> Slots:
    rivals = tuple([(mark, names[at], doubt[at]) for at, mark in enumerate(short_names(names, 1)) if at != me])
    return {"count": (draw_panel,), "count-legend": (draw_legend, me is not None, rivals)}


@lru_cache(maxsize=4000)
def _row(category: str, states: tuple[str, ...], names: tuple[str, ...]) -> Slots:
    first = CATEGORIES.index(category) * len(LETTERS)
    marks = short_names(names, 1)
    slots: Slots = {f"count-{category}": (draw_row, category)}
    for code, state in zip(TEXTS[first : first + len(LETTERS)], states, strict=True):
        whose = (marks[int(state)], names[int(state)]) if state.isdecimal() else ()
        slots[_id(code)] = draw_cell, code, "seen" if whose else state, *whose
    return slots


@lru_cache(maxsize=4000)
def _rest(gold: tuple[int, ...], church: int, sent: tuple[str, ...] | None) -> Slots:
    slots: Slots = {"count-rest": (draw_rest, sent is not None), "unseen-C": (draw_church, church)}
    slots |= {f"unseen-{value}": (draw_number, value, number) for value, number in enumerate(gold, 1)}
    if sent is None:
        return slots
    copies = [sent[:at].count(code) for at, code in enumerate(sent)]
    cards = {f"sent-{code}.{copy}": code for code, copy in zip(sent, copies, strict=True)}
    slots["sent"] = draw_list, "sent", tuple(cards)
    return slots | {id: (draw_card, id, code) for id, code in cards.items()}


def draw_panel() -> str:
    """The counter: a table of the category cards by letter, what its marks mean, and the other cards."""
    caption, letters = (
        _("The cards of the categories by letter"),
        "".join([f'<th scope="col">{it}</th>' for it in LETTERS]),
    )
    rows = "".join([placeholder(f"count-{category}") for category in CATEGORIES])
    return (
        f'<div id="count" class="count"><table class="count-cards"><caption class="visually-hidden">{caption}</caption>'
        f"<thead><tr><td></td>{letters}</tr></thead><tbody>{rows}</tbody></table>"
        f"{placeholder('count-legend')}{placeholder('count-rest')}</div>"
    )


def draw_row(category: str) -> str:
    """A category: its nine cards."""
    first = CATEGORIES.index(category) * len(LETTERS)
    cells = "".join([placeholder(_id(code)) for code in TEXTS[first : first + len(LETTERS)]])
    name = f'<span class="visually-hidden">{plain(categories()[category])}</span>'
    return f'<tr id="count-{category}" data-cat="{category}"><th scope="row">{symbol(category)}{name}</th>{cells}</tr>'


def draw_cell(code: str, state: str, mark: str = "", name: str = "") -> str:
    """A card: its value, and what has become of it."""
    if not state:
        return f'<td id="{_id(code)}">{digits(code[1])}</td>'
    told = f"<bdi>{plain(name)}</bdi>" if name else _state(state)
    shown = f"<i>{plain(mark)}</i>" if mark else ""
    return f'<td id="{_id(code)}" class="{state}">{digits(code[1])}{shown}<span> {told}</span></td>'


def _id(code: str) -> str:
    return f"k-{code[0]}{code[2]}"


def _state(state: str) -> str:
    return {
        MINE: _("yours"),
        SENT: _("you sent it to auction"),
        OPEN: _("on the table"),
        GONE: _("gone"),
    }[state]


def draw_legend(mine: bool, rivals: Sequence[tuple[str, str, bool]]) -> str:
    """What the marks of the counter mean. `rivals`: mark, name, whether they have lost cards unseen."""
    lines = [_sign(MINE, "", _state(MINE))] if mine else []
    for mark, name, doubt in rivals:
        who = f"<bdi>{plain(name)}</bdi>"
        lines.append(_sign("seen", mark, _("perhaps %(name)s") % {"name": who} if doubt else who))
    if mine:
        lines.append(_sign(SENT, "", _state(SENT)))
    lines += [_sign(OPEN, "", _state(OPEN)), _sign(GONE, "", _state(GONE)), _sign("", "", _("not seen"))]
    return f'<ul id="count-legend" class="count-legend tiny">{"".join(lines)}</ul>'


def _sign(state: str, mark: str, text: str) -> str:
    shown = f' class="{state}"' if state else ""
    inside = number(2) + (f"<i>{plain(mark)}</i>" if mark else "")
    return f'<li><b{shown} aria-hidden="true">{inside}</b>{text}</li>'


def draw_rest(mine: bool) -> str:
    """Gold and Church cards, one's own cards in the auction pile, the discards."""
    gold = "".join([f"<span>{mini(f'G{value}')} {placeholder(f'unseen-{value}')}</span>" for value in (3, 2, 1)])
    gold = f'<span class="count-gold">{gold}</span>'
    lines = [(symbol("G"), _("Gold not seen"), gold), (symbol("C"), _("Church not seen"), placeholder("unseen-C"))]
    if mine:
        lines.append((icon("cards"), _("Yours in the auction pile"), placeholder("sent")))
    lines.append((icon("trash"), _("Gone, in order"), placeholder("spent")))
    rows = "".join([f"<div><dt>{sign} {name}</dt><dd>{value}</dd></div>" for sign, name, value in lines])
    return f'<dl id="count-rest" class="count-rest">{rows}</dl>'


def draw_number(value: int, count: int) -> str:
    """How many gold cards of a value were not seen."""
    return f'<span id="unseen-{value}">{number(count)}</span>'


def draw_church(number: int) -> str:
    """How many Church cards were not seen."""
    text = _("%(count)s of %(all)s") % {"count": number, "all": CHURCH_CARDS}
    return f'<span id="unseen-C">{text}</span>'


def draw_card(id: str, code: str) -> str:
    """A card in a list."""
    return f'<li id="{id}">{mini(code)}</li>'
