"""The signals of a match, sent inside the transaction of the change; `games.signals` connects them."""

from django.dispatch import Signal

began = Signal()
"""A match has begun: `match`."""
ended = Signal()
"""A match has ended: `match`, with its seats in order; `match.result` is None if it was aborted,
or closed after its players had been called to it."""
opened = Signal()
"""A finished match is open to all who may watch it, and archived: `match`. At its end, or when the event closes in
which others played the same deal."""
