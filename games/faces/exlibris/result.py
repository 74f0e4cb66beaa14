"""The end: who has won, the five lines of all, the focuses, and the shelves with what was turned down."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import ngettext as plural
from markupsafe import Markup

from accounts.shown import PlayerShown
from games.engine.exlibris.scoring import Score
from games.engine.exlibris.shelf import Shelf
from games.faces.exlibris.art import Signs, book
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.shelf import final_shelf, mini, shelf_label
from games.faces.exlibris.words import LINES, category_name, points_text
from games.faces.language import N_, _, number
from games.faces.paint import icon, plain, rating_change
from games.faces.slots import placeholder


class Ending(NamedTuple):
    """The result of a game."""

    people: tuple[PlayerShown, ...]
    places: tuple[int, ...]
    shelves: tuple[Shelf, ...]
    scores: tuple[Score, ...]
    """By seat as those before, and solo then of the public library ..."""
    focus: tuple[int | None, ...]
    """... as these."""
    me: int | None
    signs: Signs
    rounds: int
    ended: str
    """How it ended before its last move; else empty."""
    left: tuple[str, ...]
    """By seat `time`, `resign`, `leave`; else empty."""
    ratings: tuple[tuple[float, float] | None, ...]
    """By seat the rating before and after a rated game."""
    won: bool
    """Whether a player has won: else the public library."""
    ladder: str

    @property
    def ranked(self) -> list[int]:
        """The seats by place."""
        return sorted(range(len(self.people)), key=self.places.__getitem__)

    @property
    def winners(self) -> list[int]:
        """The seats that come first; none if the public library does."""
        return [seat for seat in self.ranked if self.places[seat] == 1] if self.won else []

    @property
    def public(self) -> Score | None:
        """Solo: what the public library has."""
        return self.scores[-1] if len(self.scores) > len(self.people) else None


def ending_of(scene: Scene) -> Ending | None:
    """The result, if there is one."""
    result, view = scene.result, scene.view
    if not result or not result.get("lines"):
        return None
    lines, books = result["lines"], result["books"]
    if public := result.get("public"):
        lines, books = [*lines, public["lines"]], [*books, public["books"]]
    return Ending(
        tuple([it.person for it in scene.sitters]),
        tuple(result["places"]),
        tuple([final_shelf(view, it.index) for it in scene.sitters]),
        tuple([Score(tuple(each), tuple(numbers)) for each, numbers in zip(lines, books, strict=True)]),
        view.focus,
        scene.me,
        (view.prominent, view.banned, None),
        result["rounds"],
        scene.ended,
        tuple([it.left for it in scene.sitters]),
        tuple(scene.ratings) or (None,) * len(scene.sitters),
        bool(result["winners"]),
        scene.ladder,
    )


def headline(end: Ending | None) -> str:
    """Who has won, as text."""
    if end is None:
        return _("The game is over")
    if end.ended:
        return early_headline(end)
    if not end.won:
        return _("The public library wins.")
    names = [end.people[seat].name for seat in end.winners]
    if end.public:
        if end.me == 0:
            return _("You beat the public library.")
        return _("%(name)s beats the public library.") % {"name": names[0]}
    if len(names) == 1:
        if end.me is not None and end.winners[0] == end.me:
            return _("You are the next librarian.")
        return _("%(name)s is the next librarian.") % {"name": names[0]}
    return _("%(names)s share first place.") % {"names": ", ".join(names)}


WENT: dict[str, tuple[str, str, str]] = {
    "time": (
        N_("Your time ran out. %(winner)s wins."),
        N_("%(name)s’s time ran out. You win."),
        N_("%(name)s’s time ran out. %(winner)s wins."),
    ),
    "resign": (
        N_("You resigned. %(winner)s wins."),
        N_("%(name)s resigned. You win."),
        N_("%(name)s resigned. %(winner)s wins."),
    ),
    "leave": (
        N_("You left. %(winner)s wins."),
        N_("%(name)s left. You win."),
        N_("%(name)s left. %(winner)s wins."),
    ),
}
"""How a game of two ended that one of them left: as told to them, to the other one, and to everybody else."""


def early_headline(end: Ending) -> str:
    """Why a game ended early, and who has won it, as text."""
    names = [it.name for it in end.people]
    if len(names) == 1:
        if end.me == 0:
            return _("You gave up. The public library wins.")
        return _("%(name)s gave up. The public library wins.") % {"name": names[0]}
    if len(names) == 2:
        gone = next(seat for seat in (0, 1) if end.left[seat])
        told = 2 if end.me is None else int(end.me != gone)
        return _(WENT[end.left[gone]][told]) % {"name": names[gone], "winner": names[1 - gone]}
    if len(end.winners) > 1:
        shared = ", ".join([names[seat] for seat in end.winners])
        return _("All agreed to end the game. %(names)s share first place.") % {"names": shared}
    winner = end.winners[0]
    if end.left[winner]:
        return _("Everyone has left, %(name)s last, who wins.") % {"name": names[winner]}
    if winner == end.me:
        return _("Everyone else has left. You win.")
    return _("Everyone else has left. %(name)s wins.") % {"name": names[winner]}


def order_line(end: Ending) -> str:
    """`Ann 51 points, Bob 48 points`, as text; empty if the game ended early, when points decide nothing."""
    if end.ended:
        return ""
    said = [f"{end.people[seat].name}: {points_text(end.scores[seat].points)}" for seat in end.ranked]
    if end.public:
        said.append(_("Public library: %(points)s") % {"points": points_text(end.public.points)})
    return ", ".join(said)


def outcome(end: Ending | None) -> str:
    """The same for screen readers."""
    return f"{headline(end)} {order_line(end)}".strip() if end else headline(end)


def draw_over(end: Ending | None) -> str:
    """The score sheet."""
    title = plain(headline(end))
    if end is None:
        return (
            f'<section id="stage" class="leaf stage ex-end" tabindex="-1" data-state="over"><header class="ex-head">'
            f'<h1 id="title">{title}</h1></header>{placeholder("rematch")}</section>'
        )
    rounds = plural("%(rounds)s round", "%(rounds)s rounds", end.rounds) % {"rounds": end.rounds}
    said, ladder = rounds if end.rounds else "", _back(end.ladder)
    if end.ended and any(end.shelves):
        said = _("The game ended early, so the points decide nothing. This is how it stood.")
    said = f'<p class="muted">{said}</p>' if said else ""
    ladder = f'<a class="button small" href="{plain(end.ladder)}">{ladder}</a>' if end.ladder else ""
    return (
        f'<section id="stage" class="leaf stage ex-end" tabindex="-1" data-state="over"><header class="ex-head">'
        f'{icon("laurel", "ex-laurel")}<h1 id="title">{title}</h1>{said}{ladder}</header>'
        f'<div class="ex-table" tabindex="0">{score_sheet(end)}</div>'
        f'<div class="ex-end-answers">{placeholder("rematch")}</div></section>'
    )


def _back(address: str) -> str:
    """What is called what the game was played for."""
    if address.startswith("/hand/"):
        return _("The table of the day")
    return _("Back to the event") if "/tournaments/" in address else _("See the ladder")


def score_sheet(end: Ending) -> Markup:
    """The five lines of all in a table, their focuses, and their shelves; who they were, if nothing was shelved when
    the game ended early."""
    if end.ended and not any(end.shelves):
        people = "".join([f"<li>{_name(end, seat)}</li>" for seat in end.ranked])
        return Markup(f'<ul class="ex-end-people">{people}</ul>')
    head = "".join([_head(end, seat) for seat in end.ranked])
    columns, wins = end.ranked, end.winners
    if end.public:
        public = _("Public library")
        head += f'<th scope="col">{public}</th>'
        columns, wins = [0, 1], wins or [1]
    body = []
    for line, name in enumerate(LINES):
        cells = "".join(
            [f"<td><b>{number(end.scores[at].lines[line])}</b> {_why(line, at, end)}</td>" for at in columns]
        )
        body.append(f'<tr><th scope="row">{_(name)}<span>{_rule(line, end)}</span></th>{cells}</tr>')
    points = "".join(
        [f'<td class="{"win" if at in wins else ""}"><b>{number(end.scores[at].points)}</b></td>' for at in columns]
    )
    shelves = "".join([_shelf(end, seat) for seat in end.ranked])
    turned = _("The shelves, with the cards that were turned down")
    return Markup(
        f'<table class="ex-sheet"><thead><tr><td></td>{head}</tr></thead><tbody>{"".join(body)}</tbody><tfoot>'
        f'<tr><th scope="row">{_("Points")}</th>{points}</tr></tfoot></table>'
        f'<h2 class="ex-heading">{turned}</h2><ul class="ex-end-shelves">{shelves}</ul>'
    )


def _shelf(end: Ending, seat: int) -> str:
    name = end.people[seat].name
    return (
        f"<li><b><bdi>{plain(name)}</bdi></b>"
        f'<button type="button" class="ex-mini" data-enlarge aria-label="{plain(shelf_label(name))}">'
        f"{mini(end.shelves[seat], end.signs)}</button></li>"
    )


def _head(end: Ending, seat: int) -> str:
    you = ' class="you"' if seat == end.me else ""
    return f'<th scope="col"{you}>{_name(end, seat)}</th>'


def _name(end: Ending, seat: int) -> str:
    """A player with their place, and what became of their rating."""
    person, rating = end.people[seat], end.ratings[seat]
    place = f' <span class="tag number">{number(end.places[seat])}.</span>' if len(end.people) > 1 else ""
    rated = f' <small title="{_("Rating")}">{rating_change(*rating)}</small>' if rating else ""
    return f"{person.square} <bdi>{plain(person.name)}</bdi>{place}{rated}"


def _rule(line: int, end: Ending) -> str:
    prominent, banned, _focus = end.signs
    if prominent is None or banned is None:
        return ""
    most = (
        N_("more %(books)s than the public library: 15"),
        N_("most %(books)s: 15, then 9"),
        N_("most %(books)s: 15, then 9 and 4"),
        N_("most %(books)s: 15, then 9 and 4"),
    )[len(end.people) - 1]
    return (
        _("the largest full block of two or three rows; 2 for each entombed card"),
        _(most) % {"books": plain(category_name(prominent))},
        _("each of the %(books)s: −1") % {"books": plain(category_name(banned))},
        _("3 for each book of the scarcest"),
        _("2 for each book; secret until now"),
    )[line]


def _why(line: int, at: int, end: Ending) -> str:
    prominent, banned, _focus = end.signs
    books, focus = end.scores[at].books, end.focus[at]
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
