"""The Face: everything that a title brings besides its rules. `registry` knows them all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from markupsafe import Markup

from games.engine.core import View
from games.faces.slots import Log, Sheaf, Slot
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

    sheaf: Sheaf
    memory: Any
    """What the face needs to draw the boards of this ply, and its starting point for the next."""


class Drawn(NamedTuple):
    """The part of a board that is one viewer's own."""

    sheaf: Sheaf
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


class Chronicle(Protocol[V]):
    """A match as read from one viewpoint. Grows with the log."""

    steps: list[Step[V]]

    def add(self, step: Step[V]) -> None:
        """Read the next step."""

    @property
    def stops(self) -> list[int]:
        """The plies at which something new begins, ascending: places where a reader may want to stop."""

    @property
    def phases(self) -> list[tuple[str, int]]:
        """The phases of the game by name, and the plies at which they begin."""


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


class Face(Protocol[V]):
    """How one title looks and speaks, in all its versions.

    Its Django templates lie in `templates/board/<slug>/`, under names that the site knows: `rules.html` (the rules
    page), `hero.html` and `how.html` (its picture and how it plays, on the home page), `words.html` (words for the
    scripts of the table), `keys.html` (keys of the table), `checks.html` (what a browser verifies after a game) and
    `statistics.html`. Its own files for browsers lie in `static/<slug>/`.
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
    bot_names: Sequence[str]
    """The names of bots; more than there are seats."""
    guided_places: int
    """The number of players of the guided first game, the person and bots."""
    too_late: StrOrPromise
    """Why a game can no longer be cancelled, when `State.early` is false."""
    bad_order: StrOrPromise
    """The message for a standing order that the game does not know."""
    pools: Mapping[str, StrOrPromise]
    """The names of the rating pools of `Game.pools`."""
    other_winners: Mapping[str, StrOrPromise]
    """What the winners in `Game.result` are called that are no seats."""
    presets: Mapping[str, Preset]
    """`Game.presets` in words; the first is offered first."""
    choices: Mapping[str, Option]
    """`Game.choices` in words, the most important first."""
    progress_moves: Sequence[str]
    picture_moves: Sequence[str]
    """The beginnings of the moves that `progress` and `picture` need. These moves are public."""
    styles: Sequence[str]
    """Style sheets of small pictures, which any page may show."""
    home_styles: Sequence[str]
    """Style sheets of `hero.html`."""
    middle: Sequence[str]
    """The slots that stand in the middle of the page, in this order. `phase` goes into its head."""
    beside: Mapping[str, StrOrPromise]
    """The slots that have a panel of their own beside it, with its title. The icon of each is `i-` and its name."""
    totals: bool
    """Whether one of them is the sheet `totals` of small screens (`data-pane`)."""
    board_styles: Sequence[str]
    """Style sheets of the table and the review."""
    board_scripts: Sequence[str]
    """Modules that the table loads before its own."""
    review_styles: Sequence[str]
    """Style sheets of the review, after those of the table."""
    review_scripts: Sequence[str]
    """Modules that the review of an ended match loads."""

    # The table

    def common(self, scene: Scene[V], before: Any) -> Common:
        """What all viewers see alike, from the scene of a watcher, once a ply.

        `before`: the memory of what it returned at an older ply, None without one.

        Its slots speak no language: they are drawn once in each.
        """

    def draw(self, scene: Scene[V], common: Common, before: Any) -> Drawn:
        """The board of one viewer. `before`: the memory of an older board of theirs, None without one."""

    def lessons(self, scene: Scene[V]) -> Sequence[Lesson]:
        """The lessons that the viewer of a guided game has had, in order; the first says what the game is about."""

    # The review

    def chronicle(self) -> Chronicle[V]:
        """An empty chronicle."""

    def listed(self, chronicle: Any, names: Sequence[str], me: int | None, address: str) -> Markup:
        """The list of moves (`#moves-list`); each leads to `address` with its ply for `{ply}`."""

    def plain(self, chronicle: Any, names: Sequence[str]) -> list[tuple[str, list[str]]]:
        """The moves as text: headings, and sentences under each."""

    def position(self, scene: Scene[V], chronicle: Any, viewpoints: Sequence[dict[str, Any]]) -> Markup:
        """One position (`#position`), with links to the possible viewpoints."""

    # Words and pictures

    def terms(self, options: Mapping[str, Any]) -> list[str]:
        """The terms of a table, a sentence for each option that matters."""

    def tags(self, options: Mapping[str, Any]) -> list[str]:
        """The rules of a table in a word or two."""

    def progress(self, places: int, options: Mapping[str, Any], moves: Iterable[str]) -> str:
        """The progress of a game, after these of its moves (`progress_moves` suffice)."""

    def picture(self, options: Mapping[str, Any], moves: Iterable[str]) -> SafeString:
        """A running game from afar, after these of its moves (`picture_moves` suffice)."""

    def summary(self, scene: Scene[V]) -> tuple[str, str]:
        """The result of a finished game as text, from a watcher's scene: in a few words, and in a sentence."""

    def poster(self, scene: Scene[V], when: str, address: str) -> str:
        """The result of a finished game as a picture, from a watcher's scene: SVG of 1200 by 630.

        `when` and `address`: when the game ended and where it can be seen, as text in the picture. Its text is in
        the fonts of `games.faces.lettering`.
        """

    def rules(self) -> dict[str, Any]:
        """The context of `rules.html`."""

    def home(self) -> dict[str, Any]:
        """The context of `hero.html`."""

    def statistics(self, won: Mapping[str, int], feats: Mapping[str, int], games: int) -> dict[str, Any]:
        """The context of `statistics.html`: `won` counts `Game.categories_won`, and `feats` `Game.feats`, over this
        many games, at least one."""
