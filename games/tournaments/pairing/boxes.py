"""Box leagues: boxes of four to six play round robins; then two go up from each box, and two go down. Pure.

As squash clubs do it, such as https://highfieldsquash.com/box-rules.html: boxes of about five, four weeks for the
games, the best two go up and the last two down.
"""

from __future__ import annotations

from collections.abc import Sequence

LEAST, MOST = 4, 6
MOVE = 2
"""How many go up and down from each box."""

Box = tuple[int, ...]


def divide(order: Sequence[int], size: int = 5) -> tuple[Box, ...]:
    """The people, the best first, in boxes of nearly `size`, which differ by one at most; the larger ones are on top.

    Seven cannot be divided into boxes of four to six, and are one box, as fewer than four are.
    """
    people = len(order)
    counts = [n for n in range(1, people // LEAST + 1) if people <= MOST * n] or [1]
    boxes = min(counts, key=lambda n: (abs(people - size * n), n))
    base, larger = divmod(people, boxes)
    ends = [base * (n + 1) + min(n + 1, larger) for n in range(boxes)]
    starts = [0, *ends[:-1]]
    return tuple(tuple(order[start:end]) for start, end in zip(starts, ends, strict=True) if end > start)


def move(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """The boxes of the next turn. `boxes`: those of this one, each by its final standing, the best first.

    The best two of each box change places with the last two of the box above it. Who went up stands last in their new
    box, and who went down first. A box of fewer than four exchanges one.
    """
    new = [list(box) for box in boxes]
    for above, below in zip(range(len(boxes) - 1), range(1, len(boxes)), strict=True):
        number = min(MOVE, len(boxes[above]) // 2, len(boxes[below]) // 2)
        down, up = boxes[above][len(boxes[above]) - number :], boxes[below][:number]
        new[above] = [person for person in new[above] if person not in down] + list(up)
        new[below] = list(down) + [person for person in new[below] if person not in up]
    return tuple(tuple(box) for box in new)
