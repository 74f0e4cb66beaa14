"""Computes the next rounds of a tournament: those of a large one in a process of its own.

To pair 200 people can take three seconds of pure Python. A thread of the site would share its interpreter with
everybody's moves meanwhile; another process uses another core, or what they leave of this one.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from threading import Lock

from django.utils.translation import gettext as _

from accounts.web.refused import Refused
from games.tournaments import plan
from games.tournaments.plan import NextRound
from games.tournaments.standing import TournamentStanding

LARGE = 64
"""From so many people on; fewer are paired within 25 ms."""
NICENESS = 10

_one_at_a_time = Lock()


class Busy(Refused):
    """This process waits for the next round of another large tournament."""

    def __init__(self) -> None:
        super().__init__(_("Another large round is being drawn at this moment. Please try again in a minute."))


def next_rounds(standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
    """See `plan.next_rounds`. Raises Busy: one large tournament is computed at a time."""
    if len(present) < LARGE:
        return plan.next_rounds(standing, present, chance)
    if not _one_at_a_time.acquire(blocking=False):
        raise Busy
    try:
        with ProcessPoolExecutor(1, get_context("spawn"), os.nice, (NICENESS,)) as process:
            return process.submit(plan.next_rounds, standing, present, chance).result()
    finally:
        _one_at_a_time.release()
