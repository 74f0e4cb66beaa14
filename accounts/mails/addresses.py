"""Mail addresses: one counts when somebody has followed the link in the only kind of mail that goes there before.

`User.email` counts, `User.new_email` waits for its link. Whoever could have mistyped an address must not give their
account away by it, so a new password goes to an address that counts, too.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.contrib.auth.tokens import PasswordResetTokenGenerator, default_token_generator
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode
from django.utils.translation import gettext as _

from accounts.mails import mail
from accounts.models import Enquiry, User
from accounts.web import links, throttle
from accounts.web.network import Network


class Confirmation(PasswordResetTokenGenerator):
    """Tokens that stand for the address that waits: they end with it, so each is good for one confirmation.

    They end with the password too. Otherwise somebody who once knew it could still move the account to their address.
    """

    key_salt = "accounts.mails.addresses"

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


def share(address: str) -> str:
    """Whose share a mail counts in that anybody may ask for: a mailbox has one for its address without a tag, and one
    for those with a tag together. So tags make no more of them, and take nothing from the address without one."""
    return mailbox(address) + ("+" if "+" in address.rpartition("@")[0] else "")


def confirms(user: User, token: str) -> bool:
    """Whether this is the token of the address that waits."""
    return bool(user.new_email) and confirmation.check_token(user, token)


@transaction.atomic
def ask(user: User, network: Network, now: datetime) -> None:
    """Let the link be sent to the address that waits, soon, or as soon as there is room: nobody is told that."""
    to, language = user.new_email, user.language or translation.get_language()
    due = now + timedelta(seconds=throttle.full_s(("links from", f"{network} {share(to)}")))
    before = Enquiry.objects.select_for_update().filter(user=user, address=to).first()
    mail_at = min(before.mail_at, due) if before else due
    Enquiry.objects.update_or_create(user=user, defaults={"address": to, "language": language, "mail_at": mail_at})


def question(users: Sequence[User]) -> EmailMessage:
    """The mail that asks whether the one address that waits for all these users is theirs, in the active language."""
    paths = [reverse("confirm_email", args=[named(user), confirmation.make_token(user)]) for user in users]
    return mail.letter(users[0].new_email, _("Is this your address?"), "confirm", links=list(map(links.full, paths)))


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
        if not users or not throttle.within("mails to", share(address)):
            return []
        return [_reset(user, user.language or language) for user in users]

    mail.send(write)


def _reset(user: User, language: str) -> EmailMessage:
    path = reverse("reset_password", args=[named(user), default_token_generator.make_token(user)])
    with translation.override(language):
        return mail.letter(
            user.email, _("A new password for Armarium"), "reset", name=user.username, link=links.full(path)
        )
