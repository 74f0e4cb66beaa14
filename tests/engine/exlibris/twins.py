"""Twin games: two deals that differ only in what one seat has never been shown, with the same moves.

A twin is the same story with other truths behind it: two cards exchanged in a deck that `me` has not seen since it was
made, another focus or library of somebody else, another order of the tiles to come, other cards turned down at the end.
Whatever `me` is shown must be the same in both, at every ply. Nothing here asks a view, nor how views are sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from games.engine.core import BadRecord
from games.engine.exlibris.cards import CARD, LABELS, cards_of, mask_of
from games.engine.exlibris.deal import RecordedDeal
from games.engine.exlibris.frames import BET, FACE_CUBE, GAMBLE, GIVE, PEEK, SMUGGLE, TURN, WISH
from games.engine.exlibris.notation import NOTHING, TURNED
from games.engine.exlibris.rules import Position
from tests.engine.exlibris.sitting import GAME, recorded
from tests.engine.promises import Played

Look = Callable[[Any, int | None], object]
FACE_DOWN = (16, 17)


def shown(state: Any, me: int | None) -> object:
    """What the game shows to `me`, a watcher if None."""
    return state.view(me)


class OpenDeal(RecordedDeal):
    """What the story does not say, as the game went on otherwise, comes in its natural order."""

    def new_deck(self, number: int, cards: int) -> tuple[int, ...]:
        with suppress(BadRecord):
            return super().new_deck(number, cards)
        return tuple(cards_of(cards))

    def new_tiles(self, number: int, tiles: Sequence[int]) -> tuple[int, ...]:
        with suppress(BadRecord):
            return super().new_tiles(number, tiles)
        return tuple(sorted(tiles))

    def steal(self, number: int, hand: int) -> int:
        with suppress(BadRecord):
            return super().steal(number, hand)
        return cards_of(hand)[0]


class Story(NamedTuple):
    """A deal with nothing left to chance, and the moves made with it."""

    document: Mapping[str, Any]
    """The keys of a record that say what chance decided at the start."""
    entries: list[dict[str, Any]]
    """What it decided later."""
    moves: list[int]

    def states(self) -> list[Position] | None:
        """Every position, or None if the story contradicts the rules."""
        options, seats = self.document["options"], len(self.document["players"])
        deal = GAME.deal_from_json(seats, options, self.document, self.entries)
        state = GAME.start(seats, b"", options, deal=OpenDeal(deal, self.entries))
        states = [state]
        for move in self.moves:
            if move not in state.legal():
                return None
            state = state.copy()
            state.play(move)
            states.append(state)
        return states


def told(played: Played) -> Told:
    """A game as a story."""
    document = recorded(played)
    entries = [entry for entry in document["moves"] if "chance" in entry]
    story = Story(document, entries, played.moves)
    states = story.states()
    assert states is not None
    return Told(story, states)


class Told(NamedTuple):
    """A story with its positions, and what the twins of it can change."""

    story: Story
    states: list[Position]

    def seen(self, me: int | None, ply: int) -> int:
        """The cards that `me` is shown by the move before a position, and in it."""
        state = self.states[ply]
        seen = mask_of(state.discard) | mask_of(state.laid)
        if me is not None:
            seen |= state.hands[me]
        for tile, cards in enumerate(state.cards):
            if tile not in FACE_DOWN:
                seen |= mask_of(card for card in cards if card >= 0)
        for shelf in state.shelves:
            seen |= mask_of(card for pile in shelf for card in (pile.card, pile.under) if card >= 0)
        if state.question == SMUGGLE:
            seen |= 1 << state.stack[-1][2]
        if not ply:
            return seen
        before, move = self.states[ply - 1], self.story.moves[ply - 1]
        seat = before.seat
        if before.question in (WISH, GAMBLE, BET, FACE_CUBE):  # turned up or lost, and in a hand at once
            for at, hand in enumerate(state.hands):
                if before.question != FACE_CUBE or at == before.stack[-1][2]:
                    seen |= hand & ~before.hands[at]
        if before.question == PEEK and seat == me:
            text = GAME.text(move)
            seen |= 1 << before.cards[16][int(text[-1]) - 1]
        if before.question == GIVE and move == NOTHING and before.stack[-1][2] >> 1 == me:
            seen |= before.hands[seat]
        return seen

    def decks(self) -> list[tuple[int, list[str]]]:
        """The decks: at which ply each was made, and its cards in order."""
        decks = [(0, self.story.document["deck"])]
        entries = iter(self.story.entries)
        for ply, state in enumerate(self.states[1:], start=1):
            for _ in range(state.draws - self.states[ply - 1].draws):
                entry = next(entries)
                if entry["chance"] == "deck":
                    decks.append((ply, entry["cards"]))
        return decks

    def two_cards(self, me: int | None, ply: int, rng: Random) -> Story | None:
        """Two cards change places in a deck, neither of which `me` has seen since it was made; one of them drawn."""
        decks = [deck for deck in self.decks() if deck[0] <= ply]
        number = rng.randrange(len(decks))
        made, labels = decks[number]
        state = self.states[ply]
        unseen = mask_of(CARD[label] for label in labels)
        for _, later in decks[number + 1 :]:
            unseen &= ~mask_of(CARD[label] for label in later)
        for at in range(made, ply + 1):
            unseen &= ~self.seen(me, at)
            if not unseen:
                return None
        tables = mask_of(card for tile in FACE_DOWN for card in state.cards[tile] if card >= 0)
        drawn = unseen & ~mask_of(state.deck[state.drawn :])
        first = rng.choice((unseen & tables, drawn & ~tables, unseen))
        second = rng.choice((drawn, unseen))
        if not first or not second:
            return None
        one, two = rng.choice(cards_of(first)), rng.choice(cards_of(second))
        if one == two:
            return None
        a, b = LABELS[one], LABELS[two]
        other = {a: b, b: a}
        story = self._copy(ply)
        changed = [other.get(label, label) for label in labels]
        if number:
            entries = [entry for entry in story.entries if entry["chance"] == "deck"]
            entries[number - 1]["cards"] = changed
        else:
            story.document["deck"] = changed
        return story

    def other_focus(self, me: int | None, ply: int, rng: Random) -> Story | None:
        """Two categories that `me` does not know change places."""
        state = self.states[ply]
        seats = state.setup.seats
        hidden = [index for index in range(2, 6) if index != 2 + (9 if me is None else me)]
        if state.setup.solo:
            hidden = [index for index in hidden if not 4 <= index < 4 + state.round // 2]
        if not state.round:
            hidden = list(range(6))
        if len(hidden) < 2 or seats == 0:
            return None
        return self._exchanged("categories", *rng.sample(hidden, 2), ply)

    def other_library(self, me: int | None, ply: int, rng: Random) -> Story | None:
        """Another library was dealt to somebody else, who did not keep it or has not chosen."""
        state = self.states[ply]
        story = self._copy(ply)
        dealt = story.document["libraries"]
        free = [
            (seat, index)
            for seat, pair in enumerate(state.deal.libraries)
            for index, library in enumerate(pair)
            if seat != me and library != state.libraries[seat]
        ]
        if len(free) < 2:
            return None
        (a, i), (b, j) = rng.sample(free, 2)
        dealt[a][i], dealt[b][j] = dealt[b][j], dealt[a][i]
        return story

    def other_tiles(self, me: int | None, ply: int, rng: Random) -> Story | None:
        """Two tiles to come change places."""
        state = self.states[ply]
        coming = [tile for tile in state.tiles_to_come if tile in self.story.document["tiles"]]
        if len(coming) < 2 or any(entry["chance"] == "tiles" for entry in state.chance_since(0)):
            return None
        tiles = self.story.document["tiles"]
        return self._exchanged("tiles", *(tiles.index(tile) for tile in rng.sample(coming, 2)), ply)

    def other_turning(self, me: int | None, ply: int, rng: Random) -> Story | None:
        """At the end somebody else turned down other cards, and not all have answered."""
        turning = [at for at in range(ply) if self.states[at].question == TURN and self.states[at].seat != me]
        if not turning or self.states[ply].over:
            return None
        story = self._copy(ply)
        for at in turning:
            story.moves[at] = rng.choice(self.states[at].legal())
        return story if story.moves != self.story.moves[:ply] else None

    def _exchanged(self, key: str, i: int, j: int, ply: int) -> Story:
        story = self._copy(ply)
        things = story.document[key]
        things[i], things[j] = things[j], things[i]
        return story

    def _copy(self, ply: int) -> Story:
        return Story(deepcopy(dict(self.story.document)), deepcopy(self.story.entries), self.story.moves[:ply])


class Twins(NamedTuple):
    """Two games that `me` cannot tell from each other."""

    kind: str
    me: int | None
    states: list[Position]
    others: list[Position]
    moves: list[int]
    other_moves: list[int]

    def check(self, look: Look = shown) -> None:
        """What `look` shows to `me` is the same in both, at every ply; so are its answers, what is forced, and how
        moves are shown."""
        for ply, (state, other) in enumerate(zip(self.states, self.others, strict=True)):
            assert look(state, self.me) == look(other, self.me), f"seat {self.me} sees at ply {ply} ({self.kind})"
            assert state.forced() == other.forced(), f"forced at ply {ply} ({self.kind})"
            assert (state.seat, state.same_answer) == (other.seat, other.same_answer)
            if state.seat == self.me:
                assert state.legal() == other.legal(), f"answers at ply {ply} ({self.kind})"
            if ply < len(self.moves) and state.seat != self.me:
                texts = state.shown(self.moves[ply]), other.shown(self.other_moves[ply])
                assert texts[0] == texts[1], f"{texts} at ply {ply} ({self.kind})"
                assert texts[0] != TURNED or state.question == TURN


WAYS = (Told.two_cards, Told.other_focus, Told.other_library, Told.other_tiles, Told.other_turning)


def twins(games: Iterable[Played], rng: Random, ways: Sequence[Callable[..., Story | None]] = WAYS) -> Iterator[Twins]:
    """Twins of games: for each seat, and a watcher, one in each way at a ply drawn at random."""
    for played in games:
        tale = told(played)
        for me in (None, *range(len(tale.states[0].hands))):
            for way in ways:
                for _ in range(8):
                    last = len(tale.story.moves) - 1
                    first, last = _range(way, last, rng)
                    ply = rng.randint(first, last)
                    story = way(tale, me, ply, rng)
                    others = story and story.states()
                    if story and others:
                        at = len(others)
                        yield Twins(way.__name__, me, tale.states[:at], others, tale.story.moves[: at - 1], story.moves)
                        break


def _range(way: Callable[..., Story | None], last: int, rng: Random) -> tuple[int, int]:
    """The first and the last ply at which to look for a twin: where there may be one."""
    if way is Told.other_turning or rng.random() < 0.2:
        return max(0, last - 30), last
    if way is Told.other_library and rng.random() < 0.5:
        return 0, 3
    return 0, last
