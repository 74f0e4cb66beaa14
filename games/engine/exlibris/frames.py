"""What waits to be asked or done: frames on a stack, each a number from here and what it needs to know.

A frame is `(number, ...)`, further ints only. For a question the second is the *piece* that acts, twice the seat that
is asked, plus one for the special assistant. The tables say which function belongs to which number; the functions
stand where the rules are, and get the state and the rest of the frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Frame = tuple[int, ...]
Function = TypeVar("Function", bound=Callable[..., object])

QUESTIONS = (
    CHOOSE_LIBRARY,
    PLACE,  # piece
    HOME_ACTION,  # piece
    MAY_DRAW,  # piece
    MAY_SHELVE,  # piece, card or ANY, how many more after it
    CHOOSE_CELL,  # piece, card
    MUST_DISCARD,  # piece
    SWAP_FOR,  # piece
    SWAP_IN,  # piece, place, card taken
    PAY_BID,  # piece, number paid, bid
    BET,  # piece
    GAMBLE,  # piece, category, hits, misses
    SEARCH_DUMP,  # piece
    LAY_OUT,  # piece, number laid out
    BUY,  # piece of the buyer, that of the seller, number sold, index of the opponent
    PICK,  # piece, how many more after it
    REBUILD,  # piece, how many more after it
    RECALL,  # piece
    TAKE_TAX,  # piece, number of cards in the discard pile before
    COLLECT,  # piece, number discarded
    LODGE,  # piece
    MAY_WISH,  # piece
    WISH,  # piece
    DONATE,  # piece, number discarded
    PEEK,  # piece, place looked at or 0
    UNSEAL,  # piece
    SMUGGLE,  # piece, card
    NAME_BOOKS,  # piece, victim
    GIVE,  # piece of the victim, that of the Goblin, category
    FACE_CUBE,  # piece, owner of the Cube
    TAKE_BACK,  # piece, tile
    MAY_WORK_ON,  # piece
    BURN,  # piece, tile, number discarded
    DIG,  # piece
    MAY_MOVE,  # piece
    CHOOSE_NEW_CELL,  # piece, card
    DROP_TILE,  # piece, number dropped
    TURN,  # piece, number answered, card
) = range(38)

(
    SET_UP,
    ROUND,
    NEXT,  # seat
    REACTIONS,  # piece, tile, index of the opponent
    BEFORE,  # piece, tile
    ARRIVE,  # piece, tile
    AFTER,  # piece
    HOME_ACTIONS,  # piece, number
    OFFER_DRAW,  # piece
    OFFER_SHELVING,  # piece, card or ANY, how many more after it
    OFFER_WORK,  # piece
    OFFER_GOBLIN,  # piece, tile, index of the opponent
    DRAW,  # piece, number
    RESOLVE,  # index of the tile
    EFFECT,  # piece, tile, order of arrival, or the bid
    TURN_UP,  # piece, category, hits, misses
    OFFER_LAYING,  # piece, number laid out
    OFFER_REBUILDING,  # piece, how many more after it
    SELL,  # piece of the seller, number sold, index of the opponent
    TAX,  # piece, index of the opponent, number of cards in the discard pile before
    OPEN_LODGE,
    CLEAR,  # tile
    CLEAN_UP,
    FINISH,
    CHECK_ORDER,
) = range(len(QUESTIONS), len(QUESTIONS) + 25)

FORCIBLE = frozenset((PLACE, CHOOSE_CELL, SEARCH_DUMP, PICK, LODGE, PEEK, UNSEAL, CHOOSE_NEW_CELL, FACE_CUBE))
"""The questions that the server answers where there is one answer: everybody can see all answers to them."""
FURTHER = frozenset((CHOOSE_CELL, CHOOSE_NEW_CELL, SWAP_IN))
"""The questions that belong to the answer before ..."""
REPEATED = frozenset((PAY_BID, LAY_OUT, DROP_TILE, TURN))
"""... and those that do from the second time on, as the frame says after the piece."""

ANSWERS: dict[int, Callable[..., tuple[int, ...]]] = {}
"""By question, its legal answers."""
DOES: dict[int, Callable[..., None]] = {}
"""By question, what an answer does (state, answer, rest of the frame)."""
RUNS: dict[int, Callable[..., None]] = {}
"""By any other number, what is done."""


def answers(question: int) -> Callable[[Function], Function]:
    """Mark the function that tells the legal answers of a question."""
    return _in(ANSWERS, question)


def does(question: int) -> Callable[[Function], Function]:
    """Mark the function that does what an answer to a question says."""
    return _in(DOES, question)


def runs(number: int) -> Callable[[Function], Function]:
    """Mark the function of a frame that asks nothing."""
    return _in(RUNS, number)


def _in(table: dict[int, Any], number: int) -> Callable[[Function], Function]:
    def mark(function: Function) -> Function:
        assert number not in table
        table[number] = function
        return function

    return mark
