"""The signals of accounts and clubs, sent inside the transaction of the change unless they say otherwise."""

from django.dispatch import Signal

club_founded = Signal()
"""There is a new club: `club`."""
club_joined = Signal()
"""Somebody is a new member of a club: `club`, `user`, `at`."""
club_left = Signal()
"""A member has left a club, or was expelled: `club`, `user`, `at`, `by` (None: by their own wish)."""
club_closed = Signal()
"""A club closes: `club`, `at`, `by` (None: its last member has left). A receiver may refuse a steward."""
seating_withdrawn = Signal()
"""A member no longer lets the stewards of a club seat them at its nights: `club`, `user`, `at`."""
journal_appended = Signal()
"""A journal has new `rows`; the sender is their class."""
account_closed = Signal()
"""An account was pseudonymised: `user`. Its name must be forgotten."""
session_ended = Signal()
"""After the commit: a session of the user with the id `user` has ended."""
notices_changed = Signal()
"""After the commit: the unread counts of the users with the ids `users` have changed."""
matches_closed = Signal()
"""Asks which of the matches with the `keys` the `visitor` may not look at: every receiver returns a set of keys."""
