"""Sessions in the database that know their user, so that people can see and end their own."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from accounts.database.joined import Joined
from accounts.models import Session, User

SEEN_EVERY_S = 5 * 60
"""A session is saved again after this long, to note when it was last seen."""

BROWSERS = [
    ("Edge", r"Edg(e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chromium", r"Chrome/|CriOS/|Chromium/"),
    ("Safari", r"Safari/"),
]
SYSTEMS = [
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Android", r"Android"),
    ("Windows", r"Windows"),
    ("macOS", r"Macintosh|Mac OS X"),
    ("ChromeOS", r"CrOS"),
    ("Linux", r"Linux|X11"),
]
"""Most browsers also claim to be others: the first match is the right one."""


def key_of(scope: Mapping[str, Any]) -> str | None:
    """The key of the session in the cookies of a socket."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    return parse_cookie(cookies.decode("latin-1")).get(settings.SESSION_COOKIE_NAME)


_with_users = Joined(
    "FROM accounts_session s JOIN accounts_user u ON u.id = s.user_id WHERE s.session_key IN (%s)", s=Session, u=User
)


def visitors(keys: Sequence[str | None]) -> list[User | AnonymousUser]:
    """The users of the sessions with these keys, by one query: Django's middleware needs two for each."""
    asked = {key for key in keys if key and key.isalnum()}
    found = {session.session_key: _visitor(session, user) for session, user in _with_users(*asked)} if asked else {}
    return [found.get(key) or AnonymousUser() for key in keys]


def _visitor(session: Session, user: User) -> User | None:
    """The user of a session, if it is still theirs."""
    if session.expire_date <= timezone.now() or not user.is_active:
        return None
    kept = session.get_decoded().get(HASH_SESSION_KEY, "")
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return user if any(constant_time_compare(kept, each) for each in hashes) else None


def alive(keys: Collection[str]) -> set[str]:
    """The keys, among these, of sessions that have not ended."""
    rows = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now(), user__is_active=True)
    return set(rows.values_list("session_key", flat=True))


class SignedIn(NamedTuple):
    """One browser in which somebody is signed in."""

    handle: str
    """Names the session without revealing its key."""
    device: str
    seen_at: datetime
    here: bool
    """Whether it is the browser that asks."""

    @property
    def now(self) -> bool:
        """Whether it was seen in the last interval."""
        return self.here or timezone.now() - self.seen_at < timedelta(seconds=SEEN_EVERY_S)


def note(request: HttpRequest) -> None:
    """Note, now and then, which browser this is and that it has been seen."""
    session, now = request.session, timezone.now().timestamp()
    if session.get(SESSION_KEY) and now - session.get("seen", 0) > SEEN_EVERY_S:
        session["seen"] = now
        session["agent"] = request.headers.get("User-Agent", "")[:300]


def signed_in(user: User, session: SessionBase) -> list[SignedIn]:
    """Where the user is signed in: first the browser with the given session, then the others as last seen."""
    found = []
    for row in user.sessions.filter(expire_date__gt=timezone.now()):
        here = row.session_key == session.session_key
        data = session if here else row.get_decoded()
        found.append(
            SignedIn(
                handle(row.session_key),
                device(data.get("agent", "")),
                datetime.fromtimestamp(data.get("seen", 0), UTC),
                here,
            )
        )
    return sorted(found, key=lambda one: (one.here, one.seen_at), reverse=True)


def end(user: User, handles: Collection[str] | None = None, *, but: str | None = None) -> None:
    """Sign the user out of the sessions with these handles, or of all; never of the one with the key `but`."""
    for row in user.sessions.exclude(session_key=but):
        if handles is None or handle(row.session_key) in handles:
            row.delete()


def handle(key: str) -> str:
    """A name for the session with this key, from which the key cannot be found."""
    return salted_hmac("accounts.people.sessions", key).hexdigest()[:16]


def device(agent: str) -> str:
    """The everyday name of a browser: "Firefox on Linux"."""
    browser, system = (
        next((name for name, sign in names if re.search(sign, agent)), "") for names in (BROWSERS, SYSTEMS)
    )
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown browser")
