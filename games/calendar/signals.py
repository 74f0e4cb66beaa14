"""What happens to events of a calendar, for the rooms above: sent within the transaction, with `event`, `by` (a user;
None for the clock) and `now`."""

from django.dispatch import Signal

event_changed = Signal()
event_cancelled = Signal()
event_soon = Signal()
"""Who takes part is to be reminded; `by` is None."""
