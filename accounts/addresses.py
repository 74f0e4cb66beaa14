"""Mail addresses: one counts when somebody has followed the link in the only mail that goes there before.

`User.email` counts, `User.new_email` waits for its link. Whoever could have mistyped an address must not give their
account away by it, so a new password goes to an address that counts, too.
"""

from django.contrib.auth.tokens import PasswordResetTokenGenerator, default_token_generator
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.translation import gettext as _

from accounts import links, mail, throttle
from accounts.models import User


class Confirmation(PasswordResetTokenGenerator):
    """Tokens that stand for the address that waits: they end with it, so each is good for one confirmation.

    They end with the password too. Otherwise somebody who once knew it could still move the account to their address.
    """

    key_salt = "accounts.addresses"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        return f"{user.pk} {user.password} {user.email} {user.new_email} {timestamp}"


confirmation = Confirmation()


def named(user: User) -> str:
    """The user as links name them: `whose` reads it."""
    return urlsafe_base64_encode(force_bytes(user.pk))


def whose(name: str) -> User | None:
    """The user that a link names, if there is one."""
    try:
        return User.objects.filter(pk=int(urlsafe_base64_decode(name)), is_active=True).first()
    except (ValueError, OverflowError):
        return None


def mailbox(address: str) -> str:
    """The address as mails to it are counted: another case, or a tag after a plus sign, is no other mailbox."""
    name, _at, domain = address.casefold().rpartition("@")
    return f"{name.partition('+')[0]}@{domain}"


def confirms(user: User, token: str) -> bool:
    """Whether this is the token of the address that waits."""
    return bool(user.new_email) and confirmation.check_token(user, token)


def ask(user: User) -> None:
    """Send the link to the address that waits, unless it has got several of late: nobody is told that."""
    to, language = user.new_email, user.language or translation.get_language()
    path = reverse("confirm_email", args=[named(user), confirmation.make_token(user)])

    def write() -> list[EmailMessage]:
        with translation.override(language):
            return [mail.letter(to, _("Is this your address?"), "confirm", link=links.full(path))]

    if throttle.within("links to", mailbox(to)):
        mail.send(write)


def tell_former(user: User, address: str) -> None:
    """Tell an address that the account is not its any more."""
    name, language = user.username, user.language or translation.get_language()

    def write() -> list[EmailMessage]:
        with translation.override(language):
            page = links.full(reverse("account"))
            return [mail.letter(address, _("The address of your account has changed"), "changed", name=name, page=page)]

    mail.send(write)


def send_reset(address: str) -> None:
    """Send a link for a new password to all accounts for which this address counts, each in their own language."""
    found = User.objects.filter(email__iexact=address, is_active=True)
    users, language = [user for user in found if user.has_usable_password()], translation.get_language()

    def write() -> list[EmailMessage]:
        # Only what goes there counts: with a tag after a plus sign, strangers could use it up and nothing would go.
        if not users or not throttle.within("mails to", mailbox(address)):
            return []
        return [_reset(user, user.language or language) for user in users]

    mail.send(write)


def _reset(user: User, language: str) -> EmailMessage:
    path = reverse("reset_password", args=[named(user), default_token_generator.make_token(user)])
    with translation.override(language):
        return mail.letter(
            user.email, _("A new password for Armarium"), "reset", name=user.username, link=links.full(path)
        )
