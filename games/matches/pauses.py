"""How long bots and standing orders wait before they answer: drawn without regard to the position.

A bot's pause hangs on what everybody saw last and on the pace that people have chosen, a standing order's on the clock.
"""

from __future__ import annotations

import math
import random
from datetime import timedelta

from django.conf import settings

from accounts.models import User
from games.matches.clocks import MINUTE_MS, Clock

FACTORS = {User.Tempo.SLOW: 2, User.Tempo.NORMAL: 1, User.Tempo.INSTANT: 0}
WAITING_MS = 2_000, 15_000
"""How long a standing order waits where people sit at the table: about as long as they take themselves."""
WAITING_DAILY_MS = 5 * MINUTE_MS, 300 * MINUTE_MS
"""The same where an answer may take days: somebody looks in on their games now and then."""


def thinking(tempo: str, bot_delay: float) -> timedelta:
    """The time that a bot takes for an answer. `bot_delay`: `Game.bot_delay`."""
    shortest, longest = settings.BOT_DELAY_MS
    return timedelta(milliseconds=random.uniform(shortest, longest) * FACTORS[User.Tempo(tempo)] * bot_delay)


def waiting(clock: Clock, until: int | None, now: int) -> timedelta:
    """The time from `now` that a standing order lets pass, such as a person might take; at most half of what is left.

    `until`: when the time of its player is up (None without a clock). Short and long times are drawn alike: each
    doubling is as likely as the next.
    """
    shortest, longest = WAITING_DAILY_MS if clock.days else WAITING_MS
    if until is not None:
        longest = min(longest, max(1, (until - now) // 2))
    shortest = min(shortest, longest)
    return timedelta(milliseconds=math.exp(random.uniform(math.log(shortest), math.log(longest))))
