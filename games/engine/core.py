"""The parts of every game: Game, State, View, and the family of errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol, Self

Seat = int
"""Index of a player in a match, 0 to n - 1, clockwise."""

Move = int
"""One answer to one question. A game numbers its moves from 0 on, without gaps; `Game.text` writes them out."""


class RulesError(Exception):
    """Something contradicts the rules. The text says what was wrong and what was expected."""


class BadMove(RulesError):
    """A text that is no move of the game at all."""


class IllegalMove(RulesError):
    """A move of the game that is not possible now. `expected` holds the texts of those that are."""

    def __init__(self, message: str, expected: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.expected = tuple(expected)


class OtherAnswer(IllegalMove):
    """A further move in an answer that is complete: see `State.same_answer`."""

    def __init__(self) -> None:
        super().__init__("an answer ends with its question: the next one is answered when it is asked")


class WrongSeat(IllegalMove):
    """A move by a seat that is not asked."""


class BadOption(RulesError):
    """An unknown table option, an unknown value of one, or a number of seats that the game does not have."""


class BadOrder(RulesError):
    """A standing order that the game does not know."""


class BadRecord(RulesError):
    """A game record that cannot be read or replayed. `ply` is the first wrong move, None if it is none."""

    def __init__(self, message: str, ply: int | None = None) -> None:
        super().__init__(message)
        self.ply = ply


def quoted(thing: object) -> str:
    """A text from a file or a person, made short and safe to print in an error."""
    if isinstance(thing, str):
        shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in thing[:40])
        return f"“{shown}{'…' if len(thing) > 40 else ''}”"
    if isinstance(thing, (list, dict)):
        return "a list" if isinstance(thing, list) else "an object"
    return "nothing" if thing is None else str(thing).lower()[:40]


def put(things: tuple[Any, ...], index: int, thing: Any) -> tuple[Any, ...]:
    """The tuple with another thing at an index."""
    return (*things[:index], thing, *things[index + 1 :])


class View(ABC):
    """What one seat, or a watcher, may know: frozen, hashable, built by naming what is allowed."""

    __slots__ = ()

    me: Seat | None
    """The seat that looks; None for a watcher."""
    seat: Seat | None
    """The seat that is asked; None when the game is over."""
    legal: tuple[Move, ...]
    """The answers, for the seat that is asked; empty for everybody else."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.seat is None

    @classmethod
    def of(cls, **fields: Any) -> Self:
        """The view, a dataclass without slots, with all these fields: a frozen one’s own way takes 5 times as long."""
        new = object.__new__(cls)
        object.__setattr__(new, "__dict__", fields)
        return new

    def with_(self, **fields: Any) -> Self:
        """The same view with other fields: `dataclasses.replace` takes 30 times as long."""
        new = object.__new__(type(self))
        object.__setattr__(new, "__dict__", self.__dict__ | fields)
        return new


class State(ABC):
    """The whole truth of a position. Changed only by `play`; holds nothing that two copies could share and alter."""

    __slots__ = ("seat",)

    texts: ClassVar[Sequence[str]]
    """As `Game.texts`."""
    seat: Seat | None
    """The seat that is asked; None when the game is over."""
    deal: Any
    """What chance decides, at the start and later: see `Game.deal_fields`."""
    draws: int
    """The number of decisions that chance has made since the start."""

    @property
    @abstractmethod
    def options(self) -> dict[str, Any]:
        """All table options of the match."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.seat is None

    def text(self, move: Move) -> str:
        """The move as text, like `Game.text`."""
        return self.texts[move]

    def shown(self, move: Move) -> str:
        """The legal move as other players read it: without what only its player may see."""
        return self.text(move)

    @property
    @abstractmethod
    def early(self) -> bool:
        """Whether the game has hardly begun, so that the match may still be aborted."""

    @property
    def same_answer(self) -> bool:
        """Whether the question now asked belongs to the same answer as the move just made, like the next card of one
        payment: the same seat may answer both at once, and its clock runs on.

        It follows from what that seat knew before the answer and from public things only. Otherwise a list of moves
        would be a question to what is hidden, and whether it is accepted the reply.
        """
        return False

    @abstractmethod
    def legal(self) -> tuple[Move, ...]:
        """The answers to the question now asked: sorted, distinct, empty only when the game is over."""

    def forced(self) -> Move | None:
        """The only answer, where everybody can see that it is the only one; else None."""
        return None

    @abstractmethod
    def play(self, move: Move) -> None:
        """Make a legal move, in place. Nothing is checked: see `after`."""

    def stop(self) -> None:
        """End the game where it stands, in place: nobody is asked any more, and everything is open as at its end."""
        self.seat = None

    def copy(self) -> Self:
        """An independent copy. A game that bots play out by the thousand names its fields: that takes half as long."""
        new = object.__new__(type(self))
        names: tuple[str, ...] = ("seat", *type(self).__slots__)
        for name in names:
            setattr(new, name, getattr(self, name))
        return new

    @abstractmethod
    def key(self) -> tuple[Any, ...]:
        """Everything that makes up this position except what chance will still decide, for comparing positions."""

    @abstractmethod
    def view(self, seat: Seat | None) -> View:
        """What `seat`, or a watcher (None), may know."""

    def own_view(self, public: View, seat: Seat) -> View:
        """What `seat` may know; `public`, its `view(None)`, may be used for what is alike."""
        return self.view(seat)

    @abstractmethod
    def opened(self) -> View:
        """What all seats together know: for looking back at a game that has ended. A watcher's view, more open."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Points by seat, as if the game ended now."""

    @abstractmethod
    def places(self) -> tuple[int, ...]:
        """Final places by seat, from 1; equal numbers are shared. As if the game ended now."""

    def chance_since(self, draws: int) -> list[dict[str, Any]]:
        """The decisions of chance after its first `draws`, in order, as entries of a record."""
        return []

    def after(self, move: Move, seat: Seat | None = None) -> Self:
        """The state after `move` (one from `Game.move`); this one stays unchanged.

        `seat`, if given, is the seat that makes the move. Raises WrongSeat or IllegalMove.
        """
        self.check(move, seat)
        state = self.copy()
        state.play(move)
        return state

    def answer(self, moves: Sequence[Move], seat: Seat) -> list[str]:
        """Make the moves of one answer of a seat, in place. Returns each as the other players read it.

        Raises WrongSeat, IllegalMove, or OtherAnswer for a move beyond the answer, whatever it is; the state is then of
        no further use. All of that follows from what the seat knows.
        """
        shown: list[str] = []
        for move in moves:
            if shown and not self.same_answer:
                raise OtherAnswer
            self.check(move, seat)
            shown.append(self.shown(move))
            self.play(move)
        return shown

    def check(self, move: Move, seat: Seat | None = None) -> None:
        """Raise IllegalMove unless `move` is legal, WrongSeat unless it is the turn of `seat` (if given)."""
        legal = self.legal()
        text = self.text
        if not legal:
            raise IllegalMove(f"“{text(move)}” comes after the end of the game; no move was expected")
        if seat is not None and seat != self.seat:
            raise WrongSeat(f"“{text(move)}” was made by seat {seat}, but seat {self.seat} is asked")
        if move not in legal:
            expected = [text(answer) for answer in legal]
            shown = expected if len(expected) < 8 else [*expected[:3], "…", expected[-1]]
            raise IllegalMove(f"“{text(move)}” is not possible now; expected one of: {', '.join(shown)}", expected)


class Bot(Protocol):
    """A way to choose a move."""

    def __call__(self, view: View, rng: Random) -> Move:
        """One of `view.legal`; the view must be that of the seat that is asked.

        The same view and the same state of `rng` give the same move.
        """


class Reason(NamedTuple):
    """Why one answer is better than another: a sentence of the face, and what it speaks of."""

    code: str
    """The sentence, at most 24 characters."""
    facts: tuple[int | str, ...] = ()
    """Numbers, and moves or pieces as the game writes them."""


class Expert(ABC):
    """What judges the decisions of a title, for one number of players: two values learned apart, and how to look on.

    It has no state: the same arguments give the same numbers on every machine.
    """

    version: str
    """Names the weights and the way of looking on; other numbers, another version. At most 40 characters."""

    @abstractmethod
    def candidates(self, view: View) -> tuple[Move, ...]:
        """The legal answers worth comparing: at most 6, the best at first sight first."""

    @abstractmethod
    def settle(self, state: State, seat: Seat, rng: Random) -> None:
        """Play on in place, as good players would, until a value sees what the last answer of `seat` has brought."""

    @abstractmethod
    def shares(self, view: View) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """By each of the two values: what part of the win each seat may expect, by what one seat (`view.me`) knows.

        Each adds up to 1; alone at the table it is the chance to win. At the end of the game both are the result.
        """

    @abstractmethod
    def reason(self, view: View, better: Move, made: Move) -> Reason:
        """Why `better` is worth more than `made`, by what the view shows."""


class Order(NamedTuple):
    """A standing order: an answer that a player has given beforehand. Only its game can read it."""

    kind: str
    """One of `Game.order_kinds`. A player has at most one order of each kind."""
    value: str
    """The details, in the game's own notation (at most 20 characters); often empty."""


class Game(ABC):
    """The rules of one title at one version; stateless, one object for each.

    Exactly one seat is asked at a time, in any order: other players may be asked in between. A secret choice by all
    is asked seat by seat: until the last answer is in, `State.shown` tells the others only that there was one, and
    their views hold nothing of it; then the views show all of them. `forced`
    and the number of questions may not depend on what one of them chose.

    Optional, with defaults that do nothing: pools (no rating), categories, standing orders, `feats`, `tally`, `expert`.
    """

    slug: ClassVar[str]
    version: ClassVar[int]
    seats: ClassVar[range]
    """The numbers of players for which the game is made."""
    texts: ClassVar[Sequence[str]]
    """All moves, by number, as they are written in logs and records."""
    examples: ClassVar[str]
    """Some of them, for whoever has written none: `“draw”, “pass”`."""
    max_plies: ClassVar[int]
    """The most moves that a game can take."""
    choices: ClassVar[Mapping[str, tuple[Any, ...]]]
    """The values of each table option, the default first."""
    later: ClassVar[frozenset[str]] = frozenset()
    """The options that came after the first games. They are written only where they differ from the default, so that
    what was written before them stays complete."""
    presets: ClassVar[Mapping[str, Mapping[str, Any]]]
    """Named settings of the table options; options not named have their defaults."""
    bots: ClassVar[Mapping[str, Bot]]
    """The bots that can play the game, the one that sits down with people first."""
    level_seats: ClassVar[range] = range(1, 100)
    """The numbers of players with which the others are as good as their names say; else the first one sits down."""
    pools: ClassVar[Mapping[str, Sequence[int]]] = MappingProxyType({})
    """The rating pools: a code (at most 10 characters) for the numbers of players that are rated together."""
    categories: ClassVar[str] = ""
    """The codes of other things that a seat can win, one letter each: for statistics."""
    pauses: ClassVar[Mapping[str, float]] = MappingProxyType({})
    """How long people look at a move of a bot, by its first word: 1 is usual, and holds for all others."""
    deal_of: ClassVar[Callable[..., Any]]
    """What makes a `deal` of its parts, by name ..."""
    deal_fields: ClassVar[tuple[str, ...]]
    """... which are the attributes of that name of `State.deal`: see `games.engine.position`."""
    parts: ClassVar[Mapping[str, Callable[..., Any]]] = MappingProxyType({})
    """The named tuples of which positions are made, by name."""
    order_kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of standing orders (at most 10 characters each)."""
    difficulty: ClassVar[str] = ""
    """The option that says how hard it is to play alone, its values whole numbers from 1 that rise; empty without one.
    It means nothing for more players."""

    @property
    def format(self) -> str:
        """The `format` of this game's records."""
        return f"{self.slug}-record/{self.version}"

    def pool(self, seats: int) -> str:
        """The pool in which games of this many players are rated; empty if they are not, as with a single player."""
        return next((pool for pool, sizes in self.pools.items() if seats > 1 and seats in sizes), "")

    @property
    def levels(self) -> tuple[int, ...]:
        """How hard it can be to play alone, rising; empty if nobody can play the game alone."""
        return tuple(self.choices.get(self.difficulty, (1,))) if 1 in self.seats else ()

    def level(self, seats: int, options: Mapping[str, Any]) -> int:
        """How hard a game of one player is, from 1; 0 with more players."""
        return int(options.get(self.difficulty, 1)) if seats == 1 else 0

    def bot_at(self, seats: int, bot: str) -> str:
        """The bot that sits down at a table of this many players where this one was asked for; empty is any."""
        return bot if bot and seats in self.level_seats else self.bot

    @property
    def bot(self) -> str:
        """The bot that sits down with people, and plays on for those who leave."""
        return next(iter(self.bots))

    def expert(self, seats: int, options: Mapping[str, Any]) -> Expert | None:
        """What judges decisions at such a table (all `options`); None if nothing does."""
        return None

    def options(self, wanted: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """All table options, with defaults for those not in `wanted`; of `later` ones those that differ from it.

        Raises BadOption.
        """
        wanted = wanted or {}
        for name in wanted:
            if name not in self.choices:
                raise BadOption(f"unknown option {quoted(name)}; expected one of: {', '.join(self.choices)}")
        options = {}
        for name, values in self.choices.items():
            value = wanted.get(name, values[0])
            # True == 1 in Python: an option of numbers does not take it.
            if not any(value == known and type(value) is type(known) for known in values):
                expected = ", ".join(str(known).lower() for known in values)
                raise BadOption(f"{name} cannot be {quoted(value)}; expected one of: {expected}")
            if value != values[0] or name not in self.later:
                options[name] = value
        return options

    def option(self, name: str, text: str) -> Any:
        """The value that `text` names among those of an option (`"false"` is False). Raises BadOption."""
        for value in self.choices.get(name, ()):
            if str(value).lower() == text.strip().lower():
                return value
        self.options({name: text})
        raise AssertionError("unreachable: a text that names no value is refused above")

    def preset(self, name: str) -> dict[str, Any]:
        """All table options of a preset. Raises BadOption."""
        if name not in self.presets:
            raise BadOption(f"unknown preset {quoted(name)}; expected one of: {', '.join(self.presets)}")
        return self.options(self.presets[name])

    def preset_of(self, options: Mapping[str, Any]) -> str:
        """The name of the preset that has these options (all of them); empty if there is none."""
        return next((name for name in self.presets if self.preset(name) == options), "")

    def start(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, Any] | None = None,
        *,
        deal: Any = None,
    ) -> State:
        """The first position. Chance follows from `seed` (32 bytes, see `chance.mix`).

        `deal` replaces what the seed would decide: for tests and for records from elsewhere.
        Raises BadOption.
        """
        whole = self.options(options)
        self.check_seats(seats)
        return self.begin(seats, whole, self.deal(seats, whole, seed) if deal is None else deal)

    def check_seats(self, seats: int) -> None:
        """Raise BadOption unless the game is made for so many players."""
        if type(seats) is not int or seats not in self.seats:
            raise BadOption(
                f"{self.slug} cannot be played by {quoted(seats)}; expected {self.seats[0]} to {self.seats[-1]} players"
            )

    @abstractmethod
    def deal(self, seats: int, options: Mapping[str, Any], seed: bytes) -> Any:
        """What chance decides at the start, by its own means; all `options`."""

    @abstractmethod
    def begin(self, seats: int, options: Mapping[str, Any], deal: Any) -> State:
        """The first position of a deal; all `options`."""

    def check_position(self, state: State) -> None:
        """Raise BadRecord unless all that was read of a position (`games.engine.position`) is of its kind and in its
        range: from then on nothing takes for ever, or more memory than there is, whatever else is wrong with it."""
        return

    @abstractmethod
    def sample(self, view: View, rng: Random) -> State:
        """A State drawn at random among those that a view allows (a determinization).

        It is made from nothing but the view: `game.sample(view, rng).view(view.me) == view`.
        """

    def text(self, move: Move) -> str:
        """The move as it is written in logs and records."""
        return self.texts[move]

    def move(self, text: str) -> Move:
        """The move that `text` writes. Raises BadMove."""
        try:
            return self._moves[text]
        except (KeyError, TypeError):
            raise BadMove(f"{quoted(text)} is no move; expected one like {self.examples}") from None

    @cached_property
    def _moves(self) -> dict[str, Move]:
        return {text: move for move, text in enumerate(self.texts)}

    def bot_delay(self, moves: Sequence[str], seats: int) -> float:
        """How long people look at the last of these moves before a bot goes on; 1 is usual.

        `moves`, as everybody reads them (`State.shown`): those since a person answered, this answer included.
        """
        return self.pauses.get(moves[-1].partition(" ")[0], 1.0) if moves else 1.0

    def replay(self, start: State, texts: Iterable[str]) -> State:
        """The position after the moves of a log, each checked; `start` is left unchanged.

        Raises BadMove or IllegalMove at the first wrong one.
        """
        state = start.copy()
        legal, play, parse = state.legal, state.play, self.move
        for text in texts:
            move = parse(text)
            if move not in legal():
                state.check(move)
            play(move)
        return state

    @abstractmethod
    def deal_to_json(self, start: State, end: State) -> dict[str, Any]:
        """The decisions of chance at the start (and their consequences up to `end`), as keys of a record."""

    @abstractmethod
    def deal_from_json(
        self, seats: int, options: Mapping[str, Any], document: Mapping[str, Any], draws: Sequence[Any]
    ) -> Any:
        """The `deal` for `start` from the keys of a record and its entries of chance. Raises BadRecord."""

    def result(self, state: State) -> dict[str, Any]:
        """The `result` of a record whose game has ended with `state`.

        It has at least, by seat, `points` and `places` (from 1; ties share the number), and `winners`: seats, or names
        of others who can win. If `winners` has no seat, all players have lost, as a single player can.
        """
        places = list(state.places())
        winners = [seat for seat, place in enumerate(places) if place == 1]
        return {"points": list(state.scores()), "places": places, "winners": winners}

    def won(self, result: Mapping[str, Any], seat: Seat) -> bool:
        """Whether a seat has won, by a `result` whose `places` put players who left last."""
        places = result["places"]
        return places[seat] == 1 and any(winner in range(len(places)) for winner in result["winners"])

    def categories_won(self, result: Mapping[str, Any], seat: Seat) -> str:
        """The `categories` that a seat has won, by a `result`."""
        return ""

    def feats(self, start: State, moves: Sequence[Move], made: Sequence[int]) -> list[Counter[str]]:
        """What the player of each seat did in a whole game, counted by code (at most 16 characters): for statistics.

        Of the moves, those from `made[seat]` on are not the player's own. Nothing is hidden once a game is over.
        """
        return [Counter() for _ in made]

    def order(self, kind: str, value: str) -> Order:
        """A player's standing order, its value in the one canonical spelling. Raises BadOrder."""
        if kind not in self.order_kinds:
            known = ", ".join(self.order_kinds) or "none"
            raise BadOrder(f"unknown order {quoted(kind)}; expected one of: {known}")
        if value:
            raise BadOrder(f"the order {quoted(kind)} cannot be {quoted(value)}; expected no value")
        return Order(kind, value)

    def answer(self, view: View, orders: Iterable[Order]) -> Move | None:
        """The answer of the standing orders of the seat that is asked, one of `view.legal`; None if none applies."""
        return None

    def tally(self, start: State, moves: Sequence[Move]) -> Counter[str]:
        """Counts of what happened in a game, by short texts: kinds of moves, what decided it, and the like."""
        return Counter()
