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

from accounts.refused import Refused
from games.tournaments import plan
from games.tournaments.plan import NextRound
from games.tournaments.standing import TournamentStanding

LARGE = 64
"""From so many people on; fewer are paired within 25 ms."""
NICENESS = 10

_one_at_a_time = Lock()


def next_rounds(standing: TournamentStanding, present: Collection[int], chance: Random) -> list[NextRound]:
    """See `plan.next_rounds`. Refused while this process waits for the round of another large tournament."""
    if len(present) < LARGE:
        return plan.next_rounds(standing, present, chance)
    if not _one_at_a_time.acquire(blocking=False):
        raise Refused(_("Another large round is being drawn at this moment. Please try again in a minute."))
    try:
        with ProcessPoolExecutor(1, get_context("spawn"), os.nice, (NICENESS,)) as process:
            return process.submit(plan.next_rounds, standing, present, chance).result()
    finally:
        _one_at_a_time.release()
