"""The Face: everything that a title brings besides its rules. `registry` knows them all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from markupsafe import Markup

from games.engine.core import Reason, View
from games.faces import events, poster
from games.faces.language import _, ngettext, number
from games.faces.paint import PaintBox, clock, marked, plain
from games.faces.review import Chronicle, Links, ListedMove
from games.faces.slots import Log, Parts, Slot, SlotGroup, Slots, paint
from games.matches.scene import Scene, Step

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

V = TypeVar("V", bound=View)
"""The views of one game."""


class Facts(NamedTuple):
    """What the script of the page needs to know of a board."""

    state: str
    """What is going on, in a word for the game's own style sheets and scripts; `wait`, `over` and `aborted` in all."""
    title: Slot
    """Paints the title, as text."""
    news: Slot | None
    """Paints what happened since the last answer, as text for screen readers; None if an element shows it."""
    sound: str
    """The sound of the last move (static/js/sound.js, or a script of the game); empty for silence."""
    flights: tuple[str, ...] = ()
    """What moves with the last answer besides what a `data-card` names (static/js/motion.js); the same for all."""


class Common(NamedTuple):
    """The part of a board that is the same for all viewers."""

    group: SlotGroup
    memory: Any
    """What the face needs to draw the boards of this ply, and its starting point for the next."""


class Drawn(NamedTuple):
    """The part of a board that is one viewer's own."""

    group: SlotGroup
    absent: frozenset[str]
    """The common slots that do not stand on this page."""
    log: Log
    facts: Facts
    reminder: Slot
    """Paints the rules of the moment in a few lines, for the panel beside the board."""
    memory: Any
    """The starting point for the next board of the same viewer: only one board may be drawn from it."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """An explanation of something that a player meets for the first time."""

    name: str
    title: str
    text: str
    anchor: str
    """The section of the rules page that says more."""
    explains: str
    """What it stands at, as a selector."""
    due: bool
    """Whether it explains what the player faces now; otherwise they can look it up."""


class LoggedMove(NamedTuple):
    """A row of the log as one viewer saw it."""

    id: str
    seat: int
    move: str
    """As in `Step`."""


class Preset(NamedTuple):
    """A named setting of the table options, in words."""

    label: StrOrPromise
    explanation: StrOrPromise


CUSTOM = Preset(gettext_lazy("Custom"), gettext_lazy("You choose each rule."))
"""Options that no preset has."""


@dataclass(frozen=True)
class Option:
    """A table option in words."""

    label: StrOrPromise
    values: Mapping[Any, StrOrPromise]
    explanation: Mapping[Any, StrOrPromise]
    """The meaning of each value, in a sentence."""


class Guided(NamedTuple):
    """A game that explains itself, of one person and bots."""

    places: int
    """The number of players."""
    offer: StrOrPromise
    """What its button says: what it is and how long it takes."""
    about: StrOrPromise
    """What one plays there, and how long, in a sentence or two."""


Names = tuple[tuple[Markup, ...], int | None]
"""The names by seat, as HTML, and the seat of the viewer."""


class Face(Generic[V]):
    """How one title looks and speaks, in all its versions.

    A title says what is its own; for the rest there are the defaults of this class, and the templates in
    `templates/board/`. Those of a title lie in `templates/board/<slug>/`, under the same names: `rules.html` (the rules
    page), `cards.html` (all cards, if there is a `gallery`), `hero.html` and `how.html` (its picture and how it plays,
    on the home page), `demo.html` (a scene that plays by itself there, if it is the first title), `words.html` (words
    for the scripts of the table), `keys.html` (keys of the table), `flights.html` (pictures that move), `checks.html`
    (what a browser verifies after a game) and `statistics.html`. Its own files for browsers lie in `static/<slug>/`.

    A title whose board is small writes `shared`, `own` and `sentence`, and the Jinja templates `reminder` and
    `position`. One that keeps something from ply to ply overrides `common` and `draw`.
    """

    slug: str
    """As `Game.slug`."""
    name: StrOrPromise
    """The title."""
    motto: StrOrPromise
    """The kind of game, in a line."""
    pitch: StrOrPromise
    """What it is to play, in two sentences."""
    description: StrOrPromise
    """What the game is, in a sentence or two for search engines and link previews."""
    alone: StrOrPromise = ""
    """What a game of one player is, in a sentence; empty if nobody can play alone."""
    bot_names: Mapping[str, str]
    """The names of bots, more than there are seats, and the portrait of each (`accounts.people.avatar`)."""
    how_bots_play: Mapping[str, StrOrPromise] = MappingProxyType({})
    """How the bots play that people can choose, by name: a sentence or two for each."""
    bot_shares: Mapping[str, Mapping[int, tuple[float, float]]] = MappingProxyType({})
    """How strong they are, by name and by number of players: what part of the games one of them wins against the usual
    bot in all other seats, and half the width of the interval of 95 % (`manage.py arena`)."""
    usual_level: int = 1
    """The one of `Game.levels` that fits most people who know the game."""
    guided: Sequence[Guided]
    """The guided games, each of another number of players: for whoever plays for the first time, then further ones."""
    hand_places: int = 2
    """The number of players of the hand of the day, the person and bots."""
    too_late: StrOrPromise
    """Why a game can no longer be cancelled, when `State.early` is false."""
    bad_order: StrOrPromise = gettext_lazy("There is no such order.")
    """The message for a standing order that the game does not know."""
    pools: Mapping[str, StrOrPromise] = MappingProxyType({})
    """The names of the rating pools of `Game.pools`."""
    other_winners: Mapping[str, StrOrPromise] = MappingProxyType({})
    """What the winners in `Game.result` are called that are no seats."""
    presets: Mapping[str, Preset] = MappingProxyType({})
    """`Game.presets` in words; the first is offered first."""
    choices: Mapping[str, Option] = MappingProxyType({})
    """`Game.choices` in words, the most important first."""
    progress_moves: Sequence[str] = ()
    picture_moves: Sequence[str] = ()
    """The beginnings of the moves that `progress` and `picture` need. These moves are public."""
    sounds: Mapping[str, str] = MappingProxyType({})
    """The sounds of moves (static/js/sound.js, or a script of the game), by their first word."""
    styles: Sequence[str] = ()
    """Style sheets of small pictures, which any page may show."""
    pattern_styles: Sequence[str] = ()
    """Style sheets that give what has a colour a pattern too, for those who want it (`data-patterns`)."""
    home_styles: Sequence[str] = ()
    """Style sheets of `hero.html`."""
    middle: Sequence[str] = ("seats", "stage")
    """The slots that stand in the middle of the page, in this order."""
    head: Sequence[str] = ("phase",)
    """The slots that stand in its head."""
    beside: Mapping[str, StrOrPromise] = MappingProxyType({})
    """The slots that have a panel of their own beside it, with its title. The icon of each is `i-` and its name."""
    chat_first: bool = True
    """Whether with people the chat stands open, in front of these panels."""
    totals: bool = False
    """Whether one of them is the sheet `totals` of small screens (`data-pane`)."""
    board_styles: Sequence[str] = ()
    """Style sheets of the table and the review."""
    board_scripts: Sequence[str] = ()
    """Modules that the table loads before its own."""
    review_styles: Sequence[str] = ()
    """Style sheets of the review, after those of the table."""
    review_scripts: Sequence[str] = ()
    """Modules that the review of an ended match loads."""

    @cached_property
    def box(self) -> PaintBox:
        """The Jinja templates of the title."""
        return PaintBox(self.slug, clock=clock, painted=paint)

    def template(self, name: str) -> tuple[str, str]:
        """Where a Django template may lie: the title's own, else the one for all without."""
        return f"board/{self.slug}/{name}.html", f"board/{name}.html"

    # The table

    def common(self, scene: Scene[V], before: Any) -> Common:
        """What all viewers see alike, from the scene of a watcher, once a ply.

        `before`: the memory of what it returned at an older ply, None without one.

        Its slots speak no language: they are drawn once in each.
        """
        return Common(SlotGroup((self.shared(scene),)), None)

    def draw(self, scene: Scene[V], common: Common, before: Any, made: Parts) -> Drawn:
        """The board of one viewer. `before`: the memory of an older board of theirs, None without one; `made`: the
        parts of that board."""
        names: Names = marked(scene.names), scene.me
        news: Slot = self.heard, _rows(scene.news), names
        facts = Facts(self.state(scene), self.title(scene), news, self.sound(scene))
        log = Log(_rows(scene.steps), names, self.row, self.row_again)
        return Drawn(SlotGroup((self.own(scene),)), frozenset(), log, facts, self.box.slot("reminder.jinja"), None)

    def shared(self, scene: Scene[V]) -> Slots:
        """The slots that all viewers see alike, from the scene of a watcher."""
        raise NotImplementedError

    def own(self, scene: Scene[V]) -> Slots:
        """The slots of one viewer."""
        raise NotImplementedError

    def title(self, scene: Scene[V]) -> Slot:
        """Paints the heading of a viewer's board, as text."""
        seat = scene.view.seat
        mover = "" if seat is None or seat == scene.me else scene.sitters[seat].person.name
        return self.title_text, scene.state, self.headline(scene), mover

    def title_text(self, state: str, won: str, mover: str) -> str:
        """The heading of a board: who has won, or whose turn it is."""
        if state == "aborted":
            return _("The game is cancelled")
        if state == "over":
            return won or _("The game is over")
        return _("%(name)s’s turn") % {"name": mover} if mover else _("Your turn")

    def sentence(self, seat: int, move: str, names: Sequence[str], mine: bool) -> str:
        """What a move did, as HTML, like the names; `mine`: it is told to whoever made it."""
        raise NotImplementedError

    def state(self, scene: Scene[V]) -> str:
        """As in `Facts`."""
        return scene.state

    def sound(self, scene: Scene[V]) -> str:
        """The sound of the last move."""
        return sound_of(scene, self.sounds)

    def told(self, row: LoggedMove | Step[V], names: Names) -> str:
        """What a row of the log says, as HTML: a move, or an event."""
        if row.move.startswith("!"):
            return events.sentence(row.move, row.seat, *names)
        return self.sentence(row.seat, row.move, names[0], row.seat == names[1])

    def heard(self, rows: Sequence[LoggedMove], names: Names) -> str:
        """What happened, as text for screen readers."""
        return " ".join([Markup(self.told(row, names)).striptags() for row in rows])

    def row(self, row: LoggedMove, names: Names) -> Slot:
        """Paints a line of the log."""
        return self.draw_row, row, names

    def row_again(self, old: LoggedMove, row: LoggedMove, names: Names) -> Slot:
        """Paints the message for a line that has changed."""
        return self.draw_row, row, names

    def draw_row(self, row: LoggedMove, names: Names) -> str:
        """A line of the log."""
        return f'<li id="{row.id}">{self.told(row, names)}</li>'

    def lessons(self, scene: Scene[V]) -> Sequence[Lesson]:
        """The lessons that the viewer of a guided game has had, in order; the first says what the game is about."""
        return ()

    # The review

    def chronicle(self) -> Chronicle[V]:
        """An empty chronicle."""
        return Chronicle()

    def listed(self, chronicle: Any, names: Sequence[str], me: int | None, address: str) -> Markup:
        """The list of moves (`#moves-list`); each leads to `address` with its ply for `{ply}`."""
        shown: Names = marked(tuple(names)), me
        told = [
            ListedMove(ply, self.told(it, shown), "" if it.move[0] == "!" else plain(it.move))
            for ply, it in enumerate(chronicle.steps, 1)
        ]
        links = Links(address)
        return links.listed([links.rows(told)])

    def answer(self, step: Step[V], names: Sequence[str], me: int | None) -> str:
        """What one answer does, as text. `step` is the answer as whoever gives it sees it, made or not; nothing that
        was before it is known. If `after` is `before`, nor is what follows from it."""
        return Markup(self.told(step, (marked(tuple(names)), me))).striptags()

    def plain(self, chronicle: Any, names: Sequence[str]) -> list[tuple[str, list[str]]]:
        """The moves as text: headings, and sentences under each."""
        shown: Names = marked(tuple(names)), None
        return [(_("Moves"), [Markup(self.told(step, shown)).striptags() for step in chronicle.steps])]

    def position(self, scene: Scene[V], chronicle: Any, viewpoints: Sequence[dict[str, Any]]) -> Markup:
        """One position (`#position`), with links to the possible viewpoints."""
        names: Names = marked(scene.names), scene.me
        last = Markup(self.told(scene.steps[-1], names)) if scene.steps else ""
        said = self.headline(scene) if scene.result else last
        return self.box.paint("position.jinja", scene=scene, view=scene.view, said=said, viewpoints=viewpoints)

    # Words and pictures

    def moot(self, options: Mapping[str, Any]) -> Collection[str]:
        """The options that mean nothing beside the others."""
        return ()

    def custom_tags(self, options: Mapping[str, Any]) -> list[str]:
        """What matters most in rules that no preset has, in a word or two."""
        return []

    def question(self, view: V) -> str:
        """What the player to whom this view belongs is asked now, in a few words, for the list of their games."""
        return _("Your turn")

    def refusal(self, view: V, moves: Sequence[str]) -> str:
        """Why the player to whom this view belongs cannot answer with these moves, in a sentence; empty if there is no
        better word for it than that it is not possible. The moves are what a page sent: perhaps none at all."""
        return ""

    def progress(self, places: int, options: Mapping[str, Any], moves: Iterable[str]) -> str:
        """The progress of a game, after these of its moves (`progress_moves` suffice)."""
        return ""

    def picture(self, options: Mapping[str, Any], moves: Iterable[str]) -> SafeString:
        """A running game from afar, after these of its moves (`picture_moves` suffice)."""
        return SafeString()

    def headline(self, scene: Scene[V]) -> str:
        """Who has won a finished game, as text."""
        winners = (scene.result or {}).get("winners", ())
        names = [str(self.other_winners.get(it) or scene.names[it]) for it in winners]
        text = ngettext("%(names)s wins.", "%(names)s win.", len(names))
        return text % {"names": ", ".join(names)} if names else ""

    def summary(self, scene: Scene[V]) -> tuple[str, str]:
        """The result of a finished game as text, from a watcher's scene: in a few words, and in a sentence."""
        return self.headline(scene), ""

    def gained(self, points: int, won: str) -> str:
        """What a player has at the end of a game, in a few words that say nothing of its deal. `won`:
        `Game.categories_won`."""
        return ngettext("%(points)s point", "%(points)s points", points) % {"points": number(points)}

    def poster(self, scene: Scene[V], when: str, address: str) -> str:
        """The result of a finished game as a picture, from a watcher's scene: SVG of 1200 by 630.

        `when` and `address`: when the game ended and where it can be seen, as text in the picture. Its text is in
        the fonts of `games.faces.lettering`.
        """
        result = scene.result or {}
        rows = [
            poster.RankedLine(result["places"][it.index], it.person, str(result["points"][it.index]))
            for it in scene.sitters
        ]
        below = _("See the game at %(address)s") % {"address": address}
        above = poster.above(str(self.name), len(scene.sitters), when)
        return poster.sheet(above, self.headline(scene), poster.lines(rows), below)

    def rules(self) -> dict[str, Any]:
        """The context of `rules.html`, besides `presets` and `options` in words."""
        return {}

    def gallery(self) -> dict[str, Any]:
        """The context of `cards.html`, a page with all cards of the title; empty if it has no such page."""
        return {}

    def home(self) -> dict[str, Any]:
        """The context of `hero.html`."""
        return {}

    def demo(self) -> dict[str, Any]:
        """The context of `demo.html`."""
        return {}

    def statistics(self, won: Mapping[str, int], feats: Mapping[str, int], games: int) -> dict[str, Any]:
        """The context of `statistics.html`: `won` counts `Game.categories_won`, and `feats` `Game.feats`, over this
        many games, at least one."""
        return {}

    def reason(self, reason: Reason) -> str:
        """Why one answer is better than another, in a sentence; empty if the title has none for it."""
        return ""


def sound_of(scene: Scene[V], sounds: Mapping[str, str]) -> str:
    """The sound of the last move, of those by its first word."""
    if scene.view.over:
        return "over"
    return sounds.get(scene.steps[-1].move.partition(" ")[0], "") if scene.steps else ""


def _rows(steps: Iterable[Step[V]]) -> tuple[LoggedMove, ...]:
    return tuple([LoggedMove(f"row-{step.ply}", step.seat, step.move) for step in steps if not step.quiet])
