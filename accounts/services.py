"""Accounts: the only module that creates, changes and closes them."""

from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import PROTECT, Exists, ForeignObjectRel, OuterRef, ProtectedError, Q
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from accounts.clubs import clubs
from accounts.mails import addresses
from accounts.models import ArchivedMatch, Block, Follow, Session, User
from accounts.notices import notices
from accounts.people import avatar, calendar, habits, inbox, sessions
from accounts.signals import account_closed
from accounts.text import names
from accounts.text.names import skeleton
from accounts.web.refused import Refused

CLOSING_DELAY = timedelta(days=14)
"""The time in which closing an account can be undone."""
GUESTS_KEPT = timedelta(days=7)
"""Guests who have played nothing by then are deleted."""


class NameTaken(Exception):
    """Another account has this name, or one that looks like it."""


class SignedUp(Exception):
    """The guest has become an account meanwhile."""


def guest() -> User:
    """Create a guest: a user who plays against bots without having signed up. Their picture is any animal."""
    name = f"guest-{get_random_string(6, 'abcdefghijkmnpqrstuvwxyz23456789')}"
    if User.objects.filter(skeleton=skeleton(name)).exists():
        return guest()
    return User.objects.create_user(name, guest=True, avatar=str(avatar.of_guest()))


def name_guest(guest: User, name: str) -> None:
    """Call a guest this; empty: as the site does. Raises Refused for a name that no guest may have, and for one that
    looks like that of an account."""
    name = names.normal(name)
    if name:
        check_guest_name(name)
    guest.guest_name = name
    guest.save(update_fields=["guest_name"])


def check_guest_name(name: str) -> None:
    """Raises Refused if no guest may be called this. Expects it normalised."""
    try:
        names.validate_guest(name)
    except ValidationError as wrong:
        raise Refused(wrong.messages[0]) from None
    if User.objects.filter(skeleton__in=names.skeletons_of_guest(name), guest=False).exists():
        raise Refused(_("“%(name)s” looks like the name of an account. Add something to it.") % {"name": name})


def sign_up(name: str, password: str, email: str = "", guest: User | None = None) -> User:
    """Create an account, whose address waits to be confirmed; a guest's own becomes it and keeps its games.

    Raises NameTaken, SignedUp, and TooBusy of `accounts.people.passwords`.
    """
    hashed = make_password(password)  # nobody else's move waits for it
    try:
        with transaction.atomic():
            user = User.objects.select_for_update().filter(pk=guest.pk, guest=True).first() if guest else User()
            if not user:
                raise SignedUp
            user.username, user.new_email, user.guest = name, User.objects.normalize_email(email), False
            user.guest_name = ""
            user.password = hashed
            user.save()
    except IntegrityError:
        raise NameTaken from None
    return user


def change_password(user: User, password: str, session: SessionBase | None = None) -> None:
    """Set a new password. Only the browser with this session stays signed in.

    Raises TooBusy of `accounts.people.passwords`.
    """
    user.set_password(password)
    with transaction.atomic():
        user.save(update_fields=["password"])
        sessions.end(user, but=session.session_key if session else None)


def change_email(user: User, email: str) -> None:
    """Let a new address wait until it is confirmed; no address, or the present one, counts at once."""
    with transaction.atomic():
        # Another page may just have confirmed one.
        user.refresh_from_db(fields=["email"], from_queryset=User.objects.select_for_update(no_key=True))
        former, email = user.email, User.objects.normalize_email(email)
        user.email = former if email else ""
        user.new_email = "" if email == user.email else email
        user.save(update_fields=["email", "new_email"])
    if former and not email:
        addresses.tell_former(user, former)


def forget_new_email(user: User) -> None:
    """Drop the address that waits."""
    user.new_email = ""
    user.save(update_fields=["new_email"])


def confirm_email(user: User, token: str) -> bool:
    """Let the address count that has been waiting; False if this is not its token."""
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if not addresses.confirms(user, token):
            return False
        former, user.email, user.new_email = user.email, user.new_email, ""
        user.save(update_fields=["email", "new_email"])
    if former:
        addresses.tell_former(user, former)
    return True


def change_look(user: User, theme: str, language: str) -> None:
    """Set the theme and the language of the pages."""
    change_settings(user, theme=theme, language=language)


def change_settings(user: User, **values: object) -> None:
    """Set some of the settings of a user, by the names of their columns, or of a part of their avatar; the others stay
    as another page left them."""
    worn = {part: str(values.pop(part)) for part in avatar.Worn._fields if part in values}
    if worn:
        values["avatar"] = str(avatar.read(user.avatar, user.username)._replace(**worn))
    for name, value in values.items():
        setattr(user, name, value)
    user.save(update_fields=[*values])


@transaction.atomic
def close(user: User, now: datetime | None = None) -> datetime:
    """Close the account after the delay, and sign it out everywhere. Returns when it will be closed."""
    user.closing_at = (now or timezone.now()) + CLOSING_DELAY
    user.save(update_fields=["closing_at"])
    sessions.end(user)
    return user.closing_at


def keep(user: User) -> bool:
    """Cancel the closing of an account; False if it is too late."""
    kept = User.objects.filter(pk=user.pk, closed=False).update(closing_at=None)
    user.refresh_from_db()
    return bool(kept)


def close_due(now: datetime) -> int:
    """Pseudonymise the accounts whose delay is over. Returns how many. Any number of workers may do it at once."""
    due = User.objects.filter(closing_at__lte=now, closed=False)
    return sum(pseudonymise(pk, now) for pk in due.values_list("pk", flat=True))


@transaction.atomic
def pseudonymise(pk: int, now: datetime) -> bool:
    """Remove everything that identifies a person from an account that is due; False if it no longer is.

    What belongs to others stays: games, their logs, and the ratings won and lost against this account.
    """
    # Others may refer to the row meanwhile, so nobody who holds a club waits for it: its key stays as it is ...
    user = User.objects.select_for_update(no_key=True).filter(pk=pk, closing_at__lte=now, closed=False).first()
    if not user:
        return False
    clubs.release(user, now)
    # ... until here.
    Block.objects.filter(Q(user=user) | Q(blocked=user)).delete()
    Follow.objects.filter(Q(user=user) | Q(followed=user)).delete()
    inbox.forget(user)
    user.notices.all().delete()
    user.browsers.all().delete()
    calendar.remove(user)
    notices.rename(user.username, f"closed-{user.pk}")
    sessions.end(user)
    user.username = f"closed-{user.pk}"
    user.email = user.new_email = user.first_name = user.last_name = user.language = ""
    user.zone = user.dates = user.clock = user.avatar = user.about = ""
    fresh = User()
    for name in habits.FIELDS:
        setattr(user, name, getattr(fresh, name))
    user.theme, user.last_login, user.silenced, user.salt, user.unseen = "auto", None, [], b"", False
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.closed = True
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
    rename_in_archive(user)
    account_closed.send(User, user=user)
    return True


def rename_in_archive(user: User) -> None:
    """Replace earlier names of the user by the present one in the archives of all who played with them."""
    for match, seat in user.archive.values_list("match", "seat"):
        for row in ArchivedMatch.objects.select_for_update().filter(match=match):
            row.names[seat] = user.username
            row.save(update_fields=["names"])


def forget_guests(now: datetime) -> int:
    """Delete the guests of more than a week ago who have left nothing worth keeping. Returns how many."""
    idle = User.objects.filter(guest=True, date_joined__lt=now - GUESTS_KEPT)
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and relation.on_delete is PROTECT:
            kept = relation.related_model._default_manager.filter(**{relation.field.name: OuterRef("pk")})
            idle = idle.exclude(Exists(kept))
    return sum(map(forget, idle))


def forget(guest: User) -> bool:
    """Delete a guest, unless they have begun to play at this very moment."""
    try:
        with transaction.atomic():
            guest.delete()
    except (ProtectedError, IntegrityError):
        return False
    return True


def forget_sessions(now: datetime) -> None:
    """Delete the sessions that have expired."""
    Session.objects.filter(expire_date__lt=now).delete()
