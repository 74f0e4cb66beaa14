"""What a card that has just been drawn is worth, and what each other card would have been that was as likely to come.

It is worth what the best place for it leaves, by the view of the seat that draws it. Cards that differ only in the
letter count as the first of those that are left. In which order the lots come is not counted.
"""

from __future__ import annotations

from collections import Counter

from games.engine.biblios.cards import KIND
from games.engine.biblios.greedy import SORT
from games.engine.biblios.notation import PLACE
from games.engine.biblios.outlook import placed
from games.engine.biblios.rules import Position
from games.engine.core import Chance


def chances(state: Position) -> list[Chance]:
    """The card that has just come, then the others; none if none has come."""
    if state.question != PLACE:
        return []
    view = state.view(state.seat)
    kinds = [KIND[card] for card in state.deal.deck[state.placed :]]
    first: dict[int, int] = {}
    for kind in kinds:
        first[SORT[kind]] = min(kind, first.get(SORT[kind], kind))
    sorts = Counter(SORT[kind] for kind in kinds)  # that of the card that came is the first
    return [Chance(ways, placed(view.with_(drawn=first[sort]))) for sort, ways in sorts.items()]
