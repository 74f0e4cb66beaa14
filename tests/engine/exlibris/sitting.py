"""A sitting of Ex Libris: tiles, libraries, hands and deck chosen by the test, moves by text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

from games.engine import record
from games.engine.exlibris.cards import ALL, CARD, CARDS, CATEGORIES, LABELS, cards_of, labels_of, mask_of
from games.engine.exlibris.deal import HAND, Deal
from games.engine.exlibris.frames import NEXT, TURN
from games.engine.exlibris.libraries import CODES
from games.engine.exlibris.options import Setup
from games.engine.exlibris.shelf import Pile, Shelf, cell_of
from tests.engine.games import EVERY
from tests.engine.promises import Played, random_game

GAME = EVERY["exlibris", 1]
NAMES = ("Ann", "Bob", "Cho", "Dan")


def cards(labels: str) -> list[int]:
    """The cards that a line of labels names."""
    return [CARD[label] for label in labels.split()]


def cell(row: int, column: int) -> int:
    """A cell as a number."""
    return cell_of(GAME.move(f"at {row},{column}") - GAME.move("at -2,-31"))


def shelf(rows: Mapping[tuple[int, int], str]) -> Shelf:
    """A shelf: by the first cell of each run of cards their labels; `A2/G1`: A2 over the entombed G1."""
    piles = []
    for (row, column), labels in rows.items():
        for index, label in enumerate(labels.split()):
            upper, _, lower = label.partition("/")
            piles.append(Pile(cell(row, column + index), CARD[upper], CARD[lower] if lower else -1, True))
    return tuple(sorted(piles))


class Sitting:
    """A game that is played by text."""

    def __init__(
        self,
        seats: int = 2,
        *libraries: str,
        tiles: Iterable[int] = (),
        deck: str = "",
        hands: Iterable[str] = (),
        categories: str = "CFHMRS",
        first: int = 0,
        keep: bool = True,
        **options: Any,
    ) -> None:
        """Each seat keeps the library named. `tiles`: those that come first; `deck`: the cards after the hands, of
        which six are dealt to each (`hands`; the rest by rank, from Z2 backwards)."""
        of = Setup.of(seats, GAME.options(options))
        spare = [CODES[library] for library in of.libraries if CODES[library] not in libraries]
        kept = (*libraries, *spare)[:seats]
        others = [code for code in spare if code not in kept]
        dealt = tuple((CODES.index(own), CODES.index(other)) for own, other in zip(kept, others, strict=False))
        chosen = [*tiles, *(tile for tile in of.tiles if tile not in tuple(tiles))]
        named = cards(" ".join((*hands, deck)))
        rest = [card for card in range(CARDS) if card not in named]
        order = []
        for seat in range(seats):
            hand = cards((*hands, *[""] * seats)[seat])
            order += hand + [rest.pop() for _ in range(HAND - len(hand))]
        order += cards(deck) + rest
        self.start = GAME.start(
            seats,
            b"",
            options,
            deal=Deal(
                bytes(32),
                first,
                dealt if of.special else (),
                tuple(map(CATEGORIES.index, categories)),
                tuple(chosen),
                tuple(order),
            ),
        )
        self.state = self.start.copy()
        self.moves: list[int] = []
        if of.special and keep:
            for _ in range(seats):
                self.play(f"{self.asked} keep {kept[self.asked]}")

    def play(self, *answers: str) -> Sitting:
        """Make moves, each written with the seat that must be asked: `1 take A3`."""
        for answer in answers:
            seat, _, move = answer.partition(" ")
            assert int(seat) == self.asked, f"{answer!r}: seat {self.asked} is asked for {self.answers()[:9]}"
            self.moves.append(GAME.move(move))
            self.state = self.state.after(self.moves[-1], int(seat))
        return self

    def first_answers(self, until: Callable[[Sitting], bool]) -> Sitting:
        """Make the first move there is, again and again."""
        while self.asked is not None and not until(self):
            self.play(f"{self.asked} {self.answers()[0]}")
        return self

    def to_the_turning(self) -> Sitting:
        """All assistants go home and nobody does anything, to the end of the last round."""
        return self.first_answers(lambda sitting: sitting.state.question == TURN)

    def to_the_resolution(self) -> Sitting:
        """The other assistants go home and do nothing there."""
        return self.first_answers(lambda sitting: all(frame[0] != NEXT for frame in sitting.state.stack))

    def turn(self, seat: int, labels: str) -> Sitting:
        """A player turns these cards down and leaves the others up."""
        while self.asked == seat:
            card = LABELS[self.state.stack[-1][3]]
            self.play(f"{seat} {'down' if card in labels.split() else 'up'}")
        return self

    # The position, arranged by the test

    def set_hand(self, seat: int, labels: str) -> Sitting:
        """The hand is these cards; what was there lies under the deck."""
        state = self.state
        wanted = mask_of(cards(labels))
        freed = state.hands[seat] & ~wanted
        deck = [card for card in state.deck[state.drawn :] if not wanted >> card & 1]
        state.deck, state.drawn = (*deck, *cards_of(freed)), 0
        state.hands = (*state.hands[:seat], wanted, *state.hands[seat + 1 :])
        state.knows = tuple(
            (known & ~freed) | (wanted if viewer == seat else 0) for viewer, known in enumerate(state.knows)
        )
        return self

    def set_shelf(self, seat: int, rows: Mapping[tuple[int, int], str]) -> Sitting:
        """The shelf holds these cards, taken from the deck."""
        state = self.state
        state.shelves = (*state.shelves[:seat], shelf(rows), *state.shelves[seat + 1 :])
        self._without(mask_of(c for p in state.shelves[seat] for c in (p.card, p.under) if c >= 0))
        return self

    def set_discard(self, labels: str) -> Sitting:
        """The discard pile is these cards, taken from the deck."""
        self.state.discard = tuple(cards(labels))
        self._without(mask_of(self.state.discard))
        return self

    def set_deck(self, labels: str, rest: bool = True) -> Sitting:
        """These cards come next; the rest of the deck after them, or out of the game."""
        state, named = self.state, cards(labels)
        others = [card for card in state.deck[state.drawn :] if card not in named] if rest else []
        state.deck, state.drawn = (*named, *others), 0
        return self

    def _without(self, taken: int) -> None:
        state = self.state
        state.deck = tuple(card for card in state.deck[state.drawn :] if not taken >> card & 1)
        state.drawn = 0
        for seat, hand in enumerate(state.hands):
            state.hands = (*state.hands[:seat], hand & ~taken, *state.hands[seat + 1 :])

    # What is seen of it

    @property
    def asked(self) -> int | None:
        return self.state.seat

    def answers(self) -> list[str]:
        return [GAME.text(move) for move in self.state.legal()]

    def forced(self) -> str | None:
        move = self.state.forced()
        return None if move is None else GAME.text(move)

    def hand(self, seat: int) -> str:
        return " ".join(labels_of(cards_of(self.state.hands[seat])))

    def discarded(self) -> str:
        return " ".join(labels_of(self.state.discard))

    def on(self, tile: int) -> str:
        return " ".join(LABELS[card] for card in self.state.cards[tile] if card >= 0)

    def shelved(self, seat: int) -> str:
        """`row,column card` by cells; `/card` for one under it, in brackets what lies face down."""
        return " ".join(
            (LABELS[pile.card] if pile.up else f"({LABELS[pile.card]})")
            + (f"/{LABELS[pile.under]}" if pile.under >= 0 else "")
            for pile in self.state.shelves[seat]
        )


def whole(state: Any) -> bool:
    """Whether every card is in exactly one zone."""
    zones = [*(cards_of(hand) for hand in state.hands), state.deck[state.drawn :], state.discard, state.laid]
    zones += [[card for card in on_tile if card >= 0] for on_tile in state.cards]
    zones += [[card for pile in of for card in (pile.card, pile.under) if card >= 0] for of in state.shelves]
    found = [card for zone in zones for card in zone]
    return len(found) == CARDS and mask_of(found) == ALL


def recorded(played: Played, **more: Any) -> dict[str, Any]:
    """The record of a game, as it is read from a file."""
    names = NAMES[: len(played.start.scores())]
    return json.loads(json.dumps(record.export(GAME, played.start, played.moves, names, **more)))


def game_of(number: int, seats: int, **options: Any) -> Played:
    """A random game."""
    rng = Random(number)
    while True:
        played = random_game(GAME, rng, **options)
        if len(played.start.scores()) == seats:
            return played
