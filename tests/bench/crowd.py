"""People at tables in the middle of their games, written straight into the database: by `manage.py shell`."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from random import Random

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.utils import timezone

from accounts.models import SessionStore, User
from games.engine.bots import choose_random
from games.matches.clocks import ms_of
from tools import rehearsal

BACKEND = "django.contrib.auth.backends.ModelBackend"
DAY_MS = 24 * 3600 * 1000
"""So long nobody's time runs out."""


def write(tables: int, places: int, seed: str, found: str) -> None:
    """Write so many tables; into the file `found`, as JSON, the keys of the matches and of their players' sessions."""
    rng, written = Random(seed), []
    for number in range(tables):
        names = [f"p{number}x{place}" for place in range(places)]
        people = User.objects.bulk_create([_named(name) for name in names])
        began = ms_of(timezone.now() - timedelta(minutes=rng.randrange(40, 60)))
        match = rehearsal.match_of(people, began, pace="live", bank_ms=DAY_MS, increment_ms=0)
        rehearsal.perform(match, [choose_random] * places, rng, most=rng.randrange(30, 90))
        written.append({"match": match.key, "sessions": [_session_of(user) for user in people]})
    Path(found).write_text(json.dumps(written))


def _named(name: str) -> User:
    user = User(username=name)
    user.fold()
    user.set_unusable_password()
    return user


def _session_of(user: User) -> str:
    session = SessionStore()
    session[SESSION_KEY], session[BACKEND_SESSION_KEY] = str(user.pk), BACKEND
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    assert session.session_key
    return session.session_key
