"""The end: who has won, the five lines of all, the focuses, and the shelves with what was turned down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import ngettext as plural
from markupsafe import Markup

from accounts.people.avatar import avatar
from games.engine.exlibris.shelf import Shelf
from games.faces.exlibris.art import Signs, book
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.shelf import final_shelf, mini
from games.faces.exlibris.words import LINES, category_name, points_text
from games.faces.language import _, number
from games.faces.paint import icon, plain
from games.faces.slots import placeholder


class Placed(NamedTuple):
    """A player at the end."""

    seat: int
    name: str
    avatar_code: str
    points: int
    place: int
    lines: tuple[int, ...]
    books: tuple[int, ...]
    focus: int | None
    shelf: Shelf
    left: str


class Ending(NamedTuple):
    """The result of a game."""

    seats: tuple[Placed, ...]
    me: int | None
    signs: Signs
    rounds: int
    ended: str
    """How it ended before its last move; else empty."""
    public: tuple[int, tuple[int, ...], tuple[int, ...]] | None = None
    """Solo: points, lines and books of the public library ..."""
    public_focus: int | None = None
    won: bool = True
    """... and whether the player has won."""
    ladder: str = ""

    @property
    def winners(self) -> list[Placed]:
        """Who comes first; nobody if the public library does."""
        return [seat for seat in self.seats if seat.place == 1] if self.won else []


def ending_of(scene: Scene) -> Ending | None:
    """The result, if there is one."""
    result, view = scene.result, scene.view
    if not result or not result.get("lines"):
        return None
    seats = []
    for it in scene.sitters:
        seat = it.index
        lines, books = tuple(result["lines"][seat]), tuple(result["books"][seat])
        facts = result["points"][seat], result["places"][seat], lines, books, view.focus[seat]
        seats.append(Placed(seat, it.name, it.avatar_code, *facts, final_shelf(view, seat), it.left))
    public = result.get("public")
    return Ending(
        tuple(seats),
        scene.me,
        (view.prominent, view.banned, None),
        result["rounds"],
        scene.ended,
        (public["points"], tuple(public["lines"]), tuple(public["books"])) if public else None,
        view.focus[-1] if public else None,
        bool(result["winners"]),
        scene.ladder,
    )


def headline(end: Ending | None) -> str:
    """Who has won, as text."""
    if end is None:
        return _("The game is over")
    if not end.won:
        return _("The public library wins.")
    names = [seat.name for seat in end.winners]
    if end.public:
        if end.me == 0:
            return _("You beat the public library.")
        return _("%(name)s beats the public library.") % {"name": names[0]}
    if len(names) == 1:
        if end.me is not None and end.winners[0].seat == end.me:
            return _("You are the next librarian.")
        return _("%(name)s is the next librarian.") % {"name": names[0]}
    return _("%(names)s share first place.") % {"names": ", ".join(names)}


def order_line(end: Ending) -> str:
    """`Ann 51 points, Bob 48 points`, as text."""
    said = [f"{seat.name}: {points_text(seat.points)}" for seat in sorted(end.seats, key=lambda it: it.place)]
    if end.public:
        said.append(_("Public library: %(points)s") % {"points": points_text(end.public[0])})
    return ", ".join(said)


def outcome(end: Ending | None) -> str:
    """The same for screen readers."""
    return f"{headline(end)} {order_line(end)}" if end else headline(end)


def draw_over(end: Ending | None) -> str:
    """The score sheet."""
    title = plain(headline(end))
    if end is None:
        return (
            f'<section id="stage" class="leaf stage ex-end" tabindex="-1" data-state="over"><header class="ex-head">'
            f'<h1 id="title">{title}</h1></header>{placeholder("rematch")}</section>'
        )
    rounds = plural("%(rounds)s round", "%(rounds)s rounds", end.rounds) % {"rounds": end.rounds}
    early, ladder = _("The game ended early."), _back(end.ladder)
    early = f'<p class="tag">{early}</p>' if end.ended else ""
    ladder = f'<a class="button small" href="{plain(end.ladder)}">{ladder}</a>' if end.ladder else ""
    return (
        f'<section id="stage" class="leaf stage ex-end" tabindex="-1" data-state="over"><header class="ex-head">'
        f'{icon("laurel", "ex-laurel")}<h1 id="title">{title}</h1><p class="muted">{rounds}</p>{early}{ladder}</header>'
        f'<div class="ex-table" tabindex="0">{score_sheet(end)}</div>'
        f'<div class="ex-end-answers">{placeholder("rematch")}</div></section>'
    )


def _back(address: str) -> str:
    """What is called what the game was played for."""
    if address.startswith("/hand/"):
        return _("The table of the day")
    return _("Back to the event") if "/tournaments/" in address else _("See the ladder")


def score_sheet(end: Ending) -> Markup:
    """The five lines of all in a table, their focuses, and their shelves."""
    ranked = sorted(end.seats, key=lambda it: it.place)
    head = "".join([_head(end, seat) for seat in ranked])
    body = []
    for at, name in enumerate(LINES):
        cells = "".join(
            [f"<td><b>{number(seat.lines[at])}</b> {_why(at, seat.books, seat.focus, end)}</td>" for seat in ranked]
        )
        if end.public:
            cells += f"<td><b>{number(end.public[1][at])}</b> {_why(at, end.public[2], end.public_focus, end)}</td>"
        body.append(f'<tr><th scope="row">{_(name)}<span>{_rule(at, end)}</span></th>{cells}</tr>')
    points = "".join(
        [
            f'<td class="{"win" if seat.place == 1 and end.won else ""}"><b>{number(seat.points)}</b></td>'
            for seat in ranked
        ]
    )
    if end.public:
        public = _("Public library")
        head += f'<th scope="col">{public}</th>'
        points += f'<td class="{"" if end.won else "win"}"><b>{number(end.public[0])}</b></td>'
    shelves = "".join(
        [
            f'<li><b><bdi>{plain(seat.name)}</bdi></b><div class="ex-mini">{mini(seat.shelf, end.signs)}</div></li>'
            for seat in ranked
        ]
    )
    turned = _("The shelves; grey: turned down")
    return Markup(
        f'<table class="ex-sheet"><thead><tr><td></td>{head}</tr></thead><tbody>{"".join(body)}</tbody><tfoot>'
        f'<tr><th scope="row">{_("Points")}</th>{points}</tr></tfoot></table>'
        f'<h2 class="ex-heading">{turned}</h2><ul class="ex-end-shelves">{shelves}</ul>'
    )


def _head(end: Ending, seat: Placed) -> str:
    you = ' class="you"' if seat.seat == end.me else ""
    name = f"<bdi>{plain(seat.name)}</bdi>"
    place = f'<span class="tag number">{number(seat.place)}.</span>' if len(end.seats) > 1 else ""
    return f'<th scope="col"{you}>{avatar(seat.name, seat.avatar_code)} {name} {place}</th>'


def _rule(line: int, end: Ending) -> str:
    prominent, banned, _focus = end.signs
    if prominent is None or banned is None:
        return ""
    return (
        _("the largest full block of two or three rows; 2 for each entombed card"),
        _("most %(books)s: 15, 9, 4") % {"books": plain(category_name(prominent))},
        _("each of the %(books)s: −1") % {"books": plain(category_name(banned))},
        _("3 for each book of the scarcest"),
        _("2 for each book; secret until now"),
    )[line]


def _why(line: int, books: Sequence[int], focus: int | None, end: Ending) -> str:
    prominent, banned, _focus = end.signs
    if prominent is None or banned is None or line == 0:
        return ""
    if line in (1, 2):
        category = prominent if line == 1 else banned
        return f"<span>{book(category)} {number(books[category])}</span>"
    if line == 3:
        least = min(count for category, count in enumerate(books) if category != banned)
        fewest = [category for category, count in enumerate(books) if category != banned and count == least]
        return f"<span>{''.join([book(category) for category in fewest])} {number(least)}</span>"
    return "" if focus is None else f"<span>{book(focus)} {number(books[focus])}</span>"


# The result as text


def summary(scene: Scene) -> tuple[str, str]:
    """Who won, and the order of all, as text."""
    end = ending_of(scene)
    if end is None:
        return headline(None), ""
    return headline(end._replace(me=None)), order_line(end)
